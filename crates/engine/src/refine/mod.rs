//! Refinement: what excludes an infeasible path.

mod dependence;
pub mod newton;
pub(crate) mod path_predicates;
pub mod path_program;
pub mod refiner;
mod single_path;
mod values;

use crate::control::Control;
use crate::control::place::condition;
use crate::paths::split_path::{Copies, Interface, SplitPath};
use crate::paths::{Path, Shortcut};
use crate::state::precision::{PredId, Predicates};
use beeline_ir::{Expr, ExprId, Program};
use beeline_smt::decode::{Leaves, decode};
use beeline_smt::interpolate::{Arithmetic, interpolants};
use beeline_smt::solver::contradicting;
use beeline_smt::{Constant, Formula, QueryLimits};
pub(crate) use dependence::{copied, relevant};
pub use values::by_values;

/// What has to be known at a point of a path to exclude it.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// Predicates.
    pub preds: Vec<PredId>,
    /// Whether the path does not reach this point.
    pub contradiction: bool,
}

/// The effort of interpolation.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// The ticks for Spacer.
    pub ticks: u64,
    /// Whether only contradictory parts of the path are interpolated.
    pub slice: bool,
}

/// The predicates for each end of a block but the last, from interpolants of an infeasible path.
pub fn by_predicates(
    program: &Program,
    control: &dyn Control,
    path: &Path,
    predicates: &mut Predicates,
    arithmetic: Arithmetic,
    limits: &QueryLimits,
    effort: Effort,
) -> Option<Vec<Wanted>> {
    let split_path = SplitPath::new(program, control, path, Copies::Shared, limits).ok()?;
    let shared: Vec<Vec<Constant>> = split_path.interfaces.iter().map(Interface::constants).collect();
    // A slice is easier for Spacer, but interpolants of it generalize less.
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

/// The predicates from interpolants of the path on which a call is popped. They are about the function's
/// arguments and postconditions. Predicates about the result are of no use inside of the function.
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

/// The conditions of a path as predicates for each end of a block but the last: the last resort where no
/// interpolants are found in time. Predicate abstraction decides whether they hold there.
pub fn by_conditions(
    program: &Program,
    control: &dyn Control,
    path: &Path,
    predicates: &mut Predicates,
) -> Vec<Wanted> {
    let mut preds = Vec::new();
    // Conditions near the target first.
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

/// The greatest number of conditions that become predicates at once.
pub const MAX_CONDITIONS: usize = 24;

/// Adds the conjuncts of a solver formula as predicates, as far as they have an expression.
pub fn add_decoded(formula: &Formula, leaves: &Leaves, predicates: &mut Predicates, preds: &mut Vec<PredId>) {
    for part in formula.conjuncts() {
        if let Some(expr) = decode(&part, &mut predicates.pool, leaves) {
            conjuncts(predicates, expr, preds);
        }
    }
}

/// Adds the conjuncts of an expression as predicates, without negations and constants.
fn conjuncts(predicates: &mut Predicates, expr: ExprId, preds: &mut Vec<PredId>) {
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        match predicates.pool[expr] {
            Expr::Const(_) => {}
            Expr::Binary(beeline_ir::BinOp::BoolAnd, a, b) => stack.extend([b, a]),
            Expr::Unary(beeline_ir::UnOp::Not, inner) => preds.push(predicates.add_or_negation(inner)),
            _ => preds.push(predicates.add_or_negation(expr)),
        }
    }
}
