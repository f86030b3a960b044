//! Refinement: what has to be known so that an infeasible path is excluded.

mod dependence;
pub mod newton;
pub(crate) mod path_predicates;
pub mod path_program;
pub mod refiner;
mod single_path;
mod values;

use crate::control::Control;
use crate::control::place::condition;
use crate::paths::split_path::{Interface, SplitPath};
use crate::paths::{Path, Shortcut};
use crate::state::precision::{PredId, Predicates};
use beeline_ir::{Expr, ExprId, Program};
use beeline_smt::decode::{Leaves, decode};
use beeline_smt::interpolate::{Arithmetic, interpolants};
use beeline_smt::solver::contradicting;
use beeline_smt::{Constant, Formula, QueryLimits};
pub(crate) use dependence::relevant;
pub use values::by_values;

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
