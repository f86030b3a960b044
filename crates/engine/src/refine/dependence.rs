//! Data dependence along the steps of a path, whatever their order: what its conditions depend on.

use crate::control::place::{Step, condition, pointer_called};
use crate::paths::Path;
use crate::values::{Tracked, reads};
use beeline_ir::{Expr, ExprId, Op, Program};
use rustc_hash::FxHashSet;

/// The variables and regions on which the assumptions of a path depend.
pub(crate) fn relevant(program: &Program, path: &Path) -> Vec<Tracked> {
    let steps = steps_of(path);
    let mut wanted = FxHashSet::default();
    steps.iter().for_each(|&step| read_by_condition(program, step, &mut wanted));
    close(program, &steps, &mut wanted);
    sorted(wanted)
}

/// The variables and regions that are not tracked, but whose values the steps of a path copy to something tracked.
pub(crate) fn copied(program: &Program, path: &Path, tracked: &FxHashSet<Tracked>) -> Vec<Tracked> {
    let mut steps = steps_of(path);
    steps.retain(|&step| copies(program, step));
    let mut wanted = tracked.clone();
    close(program, &steps, &mut wanted);
    wanted.retain(|what| !tracked.contains(what));
    sorted(wanted)
}

/// The steps of a path, each once.
fn steps_of(path: &Path) -> FxHashSet<Step> {
    path.blocks.iter().flat_map(|(block, _)| block.edges.iter().map(|edge| edge.step)).collect()
}

/// Adds what steps read to write something wanted, until that adds nothing.
fn close(program: &Program, steps: &FxHashSet<Step>, wanted: &mut FxHashSet<Tracked>) {
    loop {
        let before = wanted.len();
        steps.iter().for_each(|&step| flow(program, step, wanted));
        if wanted.len() == before {
            break;
        }
    }
}

fn sorted(wanted: FxHashSet<Tracked>) -> Vec<Tracked> {
    let mut list: Vec<Tracked> = wanted.into_iter().collect();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;
    use crate::control::block::{Block, BlockOperator, CutPoints};
    use crate::control::call_strings::CallStrings;
    use std::rc::Rc;

    #[test]
    fn what_is_copied_on_the_way_to_something_tracked_is_found() {
        let text = "beeline 1.0
fn main() {
  var s: i32, t: i32, u: i32, v: i32
  first: u := v + 1
  t := u
  s := t
  done: exit
}
";
        let program = beeline_ir::text::parse(text).unwrap_or_else(|faults| panic!("{faults:?}"));
        let mut control = CallStrings::new(&program);
        let start = control.start(&program);
        let end = program.functions[program.entry].exit;
        let cut_points = CutPoints::new(&program, BlockOperator::LoopHeads, [end]);
        let block = Rc::new(Block::build(&program, &mut control, &cut_points, start));
        let exit = block.exits[0];
        let path = Path { blocks: vec![(block, exit)], ..Path::default() };
        let var = |name: &str| {
            let (var, _) = program.vars.iter().find(|(_, var)| var.name == name).expect("it is there");
            Tracked::Var(var)
        };
        let tracked: FxHashSet<Tracked> = [var("s")].into_iter().collect();
        // What is computed from other values is not copied.
        assert_eq!(copied(&program, &path, &tracked), [var("t"), var("u")]);
        assert_eq!(copied(&program, &path, &FxHashSet::default()), []);
    }
}
