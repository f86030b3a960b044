//! Data dependence along the steps of a path, whatever their order: what its conditions depend on.

use crate::control::place::{Step, condition, pointer_called};
use crate::paths::Path;
use crate::values::{Tracked, reads};
use beeline_ir::{Expr, ExprId, Op, Program};
use rustc_hash::FxHashSet;

/// The variables and regions on which the assumptions of a path depend.
pub(crate) fn relevant(program: &Program, path: &Path) -> Vec<Tracked> {
    let blocks = path.blocks.iter();
    let steps: FxHashSet<Step> =
        blocks.flat_map(|(block, _)| block.edges.iter().map(|edge| edge.step)).collect();
    let mut wanted = FxHashSet::default();
    steps.iter().for_each(|&step| read_by_condition(program, step, &mut wanted));
    loop {
        let before = wanted.len();
        for &step in &steps {
            flow(program, step, &mut wanted);
        }
        if wanted.len() == before {
            break;
        }
    }
    let mut list: Vec<Tracked> = wanted.into_iter().collect();
    list.sort_unstable();
    list
}

/// The variables and regions whose values the steps of a path copy to something tracked, and is not tracked itself.
pub(crate) fn copied(program: &Program, path: &Path, tracked: &FxHashSet<Tracked>) -> Vec<Tracked> {
    let blocks = path.blocks.iter();
    let steps: FxHashSet<Step> =
        blocks.flat_map(|(block, _)| block.edges.iter().map(|edge| edge.step)).collect();
    let mut wanted = tracked.clone();
    loop {
        let before = wanted.len();
        for step in steps.iter().filter(|step| copies(program, **step)) {
            flow(program, *step, &mut wanted);
        }
        if wanted.len() == before {
            break;
        }
    }
    let mut list: Vec<Tracked> = wanted.into_iter().filter(|what| !tracked.contains(what)).collect();
    list.sort_unstable();
    list
}

/// Whether a step does nothing but copy values.
fn copies(program: &Program, step: Step) -> bool {
    let is_copy = |value: &ExprId| matches!(program.exprs[*value], Expr::Var(_) | Expr::Load { .. });
    match step {
        Step::Edge(edge) => match &program.edges[edge].op {
            Op::Assign(list) => list.iter().all(|(_, value)| is_copy(value)),
            Op::Store { value, .. } => is_copy(value),
            _ => false,
        },
        Step::Call(edge, _) => {
            program.edges[edge].op.as_call().is_some_and(|call| call.args.iter().all(is_copy))
        }
        Step::Return(_) => true,
        Step::Pop(_) => false,
    }
}

/// Adds what a step reads to decide whether it is taken.
pub(super) fn read_by_condition(program: &Program, step: Step, wanted: &mut FxHashSet<Tracked>) {
    if let Some(cond) = condition(program, step) {
        reads(program, cond, wanted);
    }
    if let Step::Call(edge, callee) = step
        && let Some((pointer, _)) = pointer_called(program, edge, callee)
    {
        reads(program, pointer, wanted);
    }
}

/// Adds what a step reads, if the step writes something wanted.
pub(super) fn flow(program: &Program, step: Step, wanted: &mut FxHashSet<Tracked>) {
    match step {
        Step::Edge(edge) => match &program.edges[edge].op {
            Op::Assign(list) => {
                for &(var, value) in list {
                    if wanted.contains(&Tracked::Var(var)) {
                        reads(program, value, wanted);
                    }
                }
            }
            Op::Store { region, addr, value } if wanted.contains(&Tracked::Region(*region)) => {
                reads(program, *addr, wanted);
                reads(program, *value, wanted);
            }
            _ => {}
        },
        Step::Call(edge, callee) => {
            let Some(call) = program.edges[edge].op.as_call() else { return };
            for (param, &argument) in program.functions[callee].params.iter().zip(&call.args) {
                if wanted.contains(&Tracked::Var(*param)) {
                    reads(program, argument, wanted);
                }
            }
        }
        Step::Return(edge) => {
            let Some(call) = program.edges[edge].op.as_call() else { return };
            if call.ret.is_some_and(|ret| wanted.contains(&Tracked::Var(ret))) {
                let results = call.callee.functions().iter().filter_map(|&f| program.functions[f].ret);
                wanted.extend(results.map(Tracked::Var));
            }
        }
        // The result of a popped call is arbitrary, or determined by the call's arguments.
        Step::Pop(edge) => {
            let Some(call) = program.edges[edge].op.as_call() else { return };
            if call.ret.is_some_and(|ret| wanted.contains(&Tracked::Var(ret))) {
                let callees = call.callee.functions().iter();
                wanted.extend(callees.flat_map(|&f| &program.functions[f].params).map(|&v| Tracked::Var(v)));
            }
        }
    }
}
