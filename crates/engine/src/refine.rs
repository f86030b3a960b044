//! Refinement: what has to be known so that an infeasible path is excluded.

use crate::control::Control;
use crate::path::{Path, Shortcut};
use crate::place::{Step, condition};
use crate::precision::{Precision, PredId, Predicates};
use crate::split_path::{Interface, SplitPath};
use crate::transfer::{self, Transfer};
use crate::values::{Everything, Tracked, Tracking, Values, reads};
use beeline_ir::{Expr, ExprId, Op, Program};
use beeline_smt::decode::{Leaves, decode};
use beeline_smt::interpolate::{Arithmetic, interpolants};
use beeline_smt::solver::contradicting;
use beeline_smt::{Constant, Formula, Meter, QueryLimits};
use rustc_hash::FxHashSet;

/// How many states of values are followed along a path before values are taken not to suffice.
const MAX_STATES: usize = 64;

/// Variables and regions whose values exclude a path, as few as can be found; `None` if values do not
/// exclude it. At most so many states are told apart at a place inside of a block.
pub fn by_values(
    program: &Program,
    control: &dyn Control,
    path: &Path,
    precision: &Precision,
    most: usize,
    meter: &Meter,
) -> Option<Vec<Tracked>> {
    let excluded =
        |tracking: &dyn Tracking| excludes(program, control, path, &Dynamic(tracking), most, meter);
    let all = Except { banned: &precision.banned };
    if !excluded(&all) {
        return None;
    }
    let mut kept: Vec<Tracked> = relevant(program, path)
        .into_iter()
        .filter(|what| !precision.banned.contains(what) && !precision.tracked.contains(what))
        .collect();
    let with =
        |kept: &[Tracked]| -> FxHashSet<Tracked> { precision.tracked.iter().chain(kept).copied().collect() };
    if !excluded(&with(&kept)) {
        // The syntactic dependencies were not enough, which indirect effects may cause: take all.
        let vars = program.vars.keys().map(Tracked::Var);
        kept = vars.chain(program.regions.keys().map(Tracked::Region)).collect();
        kept.retain(|what| !precision.banned.contains(what) && !precision.tracked.contains(what));
        if !excluded(&with(&kept)) {
            return None;
        }
    }
    // Leave out large parts first, then smaller ones.
    let mut size = kept.len().div_ceil(2);
    while size > 0 {
        let mut index = 0;
        while index < kept.len() {
            let end = (index + size).min(kept.len());
            let fewer: Vec<Tracked> = kept[..index].iter().chain(&kept[end..]).copied().collect();
            // Without anything more than what is tracked the path was found.
            if !fewer.is_empty() && excluded(&with(&fewer)) {
                kept = fewer;
            } else {
                index = end;
            }
        }
        size = if size == 1 { 0 } else { size.div_ceil(2) };
    }
    Some(kept)
}

struct Dynamic<'a>(&'a dyn Tracking);

impl Tracking for Dynamic<'_> {
    fn tracks(&self, what: Tracked) -> bool {
        self.0.tracks(what)
    }
}

struct Except<'a> {
    banned: &'a FxHashSet<Tracked>,
}

impl Tracking for Except<'_> {
    fn tracks(&self, what: Tracked) -> bool {
        Everything.tracks(what) && !self.banned.contains(&what)
    }
}

/// Do the values that are tracked exclude the path?
fn excludes(
    program: &Program,
    control: &dyn Control,
    path: &Path,
    tracking: &impl Tracking,
    most: usize,
    meter: &Meter,
) -> bool {
    let transfer = Transfer { program, control, precision: tracking, maybe_stuck: None };
    let mut states = vec![Values::initial(program, tracking)];
    for (block, exit) in &path.blocks {
        let mut next: Vec<Values> = Vec::new();
        for values in &states {
            let Some(leaving) = transfer::through_block(&transfer, block, values, most, meter) else {
                return false;
            };
            for (node, after) in leaving {
                if node == *exit && !next.contains(&after) {
                    next.push(after);
                }
            }
            if next.len() > MAX_STATES {
                return false;
            }
        }
        if next.is_empty() {
            return true;
        }
        states = next;
    }
    false
}

/// The variables and regions on which the assumptions of a path depend.
pub(crate) fn relevant(program: &Program, path: &Path) -> Vec<Tracked> {
    let mut edges = FxHashSet::default();
    for (block, _) in &path.blocks {
        edges.extend(block.edges.iter().map(|edge| edge.step));
    }
    let mut wanted: FxHashSet<Tracked> = FxHashSet::default();
    for &step in &edges {
        if let Some(cond) = condition(program, step) {
            reads(program, cond, &mut wanted);
        }
        if let Step::Call(edge, callee) = step
            && let Some((pointer, _)) = crate::place::pointer_called(program, edge, callee)
        {
            reads(program, pointer, &mut wanted);
        }
    }
    loop {
        let before = wanted.len();
        for &step in &edges {
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

/// If a step writes something wanted, what it reads is wanted.
fn flow(program: &Program, step: Step, wanted: &mut FxHashSet<Tracked>) {
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
        // What is there afterwards comes from nowhere, or from what the function was called with.
        Step::Pop(edge) => {
            let Some(call) = program.edges[edge].op.as_call() else { return };
            if call.ret.is_some_and(|ret| wanted.contains(&Tracked::Var(ret))) {
                let callees = call.callee.functions().iter();
                wanted.extend(callees.flat_map(|&f| &program.functions[f].params).map(|&v| Tracked::Var(v)));
            }
        }
    }
}

/// What has to be known at a point of a path.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// Predicates.
    pub preds: Vec<PredId>,
    /// That the path does not get there.
    pub contradiction: bool,
}

/// How interpolants are looked for.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// What Spacer may use.
    pub ticks: u64,
    /// Is only that looked at which contradicts itself?
    pub slice: bool,
}

/// What has to be known at each end of a block but the last, from interpolants of an infeasible path.
pub fn by_predicates(
    program: &Program,
    control: &dyn Control,
    path: &Path,
    predicates: &mut Predicates,
    arithmetic: Arithmetic,
    limits: &QueryLimits,
    effort: Effort,
) -> Option<Vec<Wanted>> {
    let split_path = SplitPath::new(program, control, path, limits).ok()?;
    let shared: Vec<Vec<Constant>> = split_path.interfaces.iter().map(Interface::constants).collect();
    // Without what does not matter Spacer has an easier task, but it generalizes less.
    let sliced = if effort.slice { contradicting(&split_path.parts, limits) } else { None };
    let SplitPath { parts, interfaces, interface_at } = split_path;
    let parts = sliced.unwrap_or(parts);
    let formulas: Vec<Formula> = parts.into_iter().map(Formula::all).collect();
    let formulas = interpolants(&formulas, &shared, arithmetic, limits, effort.ticks)?;
    let mut found = Vec::with_capacity(formulas.len());
    for (formula, interface) in formulas.iter().zip(&interfaces) {
        let leaves = interface.leaves(program, predicates);
        let mut wanted = Wanted { preds: Vec::new(), contradiction: formula.is_constant(false) };
        add_decoded(formula, &leaves, predicates, &mut wanted.preds);
        found.push(wanted);
    }
    Some(interface_at.iter().map(|&interface| found[interface].clone()).collect())
}

/// The same for the path where a call is popped, whose predicates speak of what its function was given and ensures. Those
/// that speak of its result are of no use inside of it.
pub fn by_shortcut(
    program: &Program,
    control: &dyn Control,
    shortcut: &Shortcut,
    predicates: &mut Predicates,
    arithmetic: Arithmetic,
    limits: &QueryLimits,
    effort: Effort,
) -> Option<Vec<Wanted>> {
    let Shortcut { blocks, begin, end, result } = shortcut;
    let popped = Path { blocks: blocks.clone(), ..Path::default() };
    let found = by_predicates(program, control, &popped, predicates, arithmetic, limits, effort)?;
    let (before, behind) = (&found[..*begin], &found[*begin..]);
    let around = before.iter().last().into_iter().chain(behind.first());
    let is_of_result = |pred: &PredId| result.is_some_and(|slot| predicates.reads(*pred).contains(&slot));
    let preds = around.flat_map(|wanted| &wanted.preds).copied().filter(|pred| !is_of_result(pred)).collect();
    let inside = vec![Wanted { preds, contradiction: false }; end - begin - 1];
    Some([before, &inside, &behind[1..]].concat())
}

/// The conditions of a path, for each end of a block but the last: what is left to try where no
/// interpolants are found in time. Whether they hold there is abstraction's to say.
pub fn by_conditions(
    program: &Program,
    control: &dyn Control,
    path: &Path,
    predicates: &mut Predicates,
) -> Vec<Wanted> {
    let mut preds = Vec::new();
    // Those near the target first.
    for (block, _) in path.blocks.iter().rev() {
        for edge in &block.edges {
            if preds.len() < MAX_CONDITIONS
                && let Some(cond) = condition(program, edge.step)
            {
                let expr = predicates.import(program, control, block.nodes[edge.src].stack, cond);
                conjuncts(predicates, expr, &mut preds);
                preds.sort_unstable();
                preds.dedup();
            }
        }
    }
    let wanted = Wanted { preds, contradiction: true };
    vec![wanted; path.blocks.len().saturating_sub(1)]
}

/// How many conditions become predicates at once.
pub const MAX_CONDITIONS: usize = 24;

/// Adds the parts of a formula of the solver as predicates, as far as they have an expression.
pub fn add_decoded(formula: &Formula, leaves: &Leaves, predicates: &mut Predicates, preds: &mut Vec<PredId>) {
    for part in formula.conjuncts() {
        if let Some(expr) = decode(&part, &mut predicates.pool, leaves) {
            conjuncts(predicates, expr, preds);
        }
    }
}

/// The parts of a conjunction as predicates, negations stripped; constants are none.
fn conjuncts(predicates: &mut Predicates, expr: ExprId, preds: &mut Vec<PredId>) {
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        match predicates.pool[expr] {
            Expr::Const(_) => {}
            Expr::Binary(beeline_ir::BinOp::BoolAnd, a, b) => stack.extend([b, a]),
            Expr::Unary(beeline_ir::UnOp::Not, inner) => preds.push(predicates.add(inner)),
            _ => preds.push(predicates.add(expr)),
        }
    }
}
