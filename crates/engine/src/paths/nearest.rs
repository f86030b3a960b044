//! Accesses right beside objects. Of the executions along a path that leave an object, one that leaves it by little is
//! better to read, and a sanitizer sees it: far from the object, there may be another one, and no error natively.

use super::counterexample::{Counterexample, Feasibility, Walk, along, of_model};
use super::{Path, Trace};
use crate::control::Control;
use crate::control::block::Block;
use crate::control::call_strings::CallStrings;
use crate::formula::Executor;
use beeline_ir::{BinOp, EdgeId, Expr, ExprId, Op, Program, Type};
use beeline_smt::solver::decide_once;
use beeline_smt::{Answer, Formula, Meter, QueryLimits, TICKS_PER_SECOND, Term, in_own_context};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// The property of accesses.
const ACCESS: &str = "valid-deref";
/// Where an access is near, and how far away in bytes it may be, from the best on: a sanitizer guards more after an object than
/// before it, and elements may be structures.
const NEAR: [(Side, u64); 3] = [(Side::After, 8), (Side::Before, 8), (Side::After, 32)];
/// Longer paths are left as they are.
const MOST_STEPS: usize = 5_000;
/// The ticks of all paths, of a query, and of a step that is executed.
const MOST_TICKS: u64 = TICKS_PER_SECOND;
const QUERY_TICKS: u64 = 500_000;
const STEP_TICKS: u64 = 100;

/// A side of an object.
#[derive(Clone, Copy)]
enum Side {
    Before,
    After,
}

/// Whether an execution ends at an access that may be nearer to an object.
pub fn is_access(program: &Program, found: &Counterexample) -> bool {
    let mut targets = program.targets.iter().filter(|target| target.loc == found.target);
    targets.any(|target| target.property == ACCESS) && found.trace.steps.len() <= MOST_STEPS
}

/// For executions that end at accesses, others along the same paths, to the same accesses, which are near an object, and the ticks
/// that it took to find them. It ends with the budget.
pub fn nearest(
    program: &Program,
    found: &[Counterexample],
    ticks: Option<u64>,
    deadline: Option<Instant>,
    stop: &Arc<AtomicBool>,
) -> (Vec<Box<Counterexample>>, u64) {
    in_own_context(|| {
        let budget = ticks.map_or(MOST_TICKS, |ticks| ticks.min(MOST_TICKS));
        let meter = Rc::new(Meter::new(Some(budget), deadline, Arc::clone(stop)));
        let limits = QueryLimits::of(QUERY_TICKS, Rc::clone(&meter));
        let mut nearer = Vec::new();
        for found in found {
            if meter.is_over() {
                break;
            }
            meter.charge(STEP_TICKS * found.trace.steps.len() as u64);
            nearer.extend(along_path(program, found, &limits));
        }
        (nearer, meter.used())
    })
}

fn along_path(
    program: &Program,
    found: &Counterexample,
    limits: &QueryLimits,
) -> Option<Box<Counterexample>> {
    let edges: Vec<EdgeId> = found.trace.edges().collect();
    let offsets = offsets(program, *edges.last()?);
    if offsets.is_empty() {
        return None;
    }
    let mut control = CallStrings::new(program);
    let mut before = Trace::of_edges(program, &mut control, &edges)?;
    let end = before.steps.pop()?;
    let start = control.start(program);
    let place = before.steps.last().map_or(start, |&(_, place)| place);
    let blocks = [before.as_block(start), Trace { steps: vec![end] }.as_block(place)];
    let with_exit = |block: Block| {
        let exit = block.nodes.len() - 1;
        (Rc::new(block), exit)
    };
    let path = Path { blocks: blocks.map(with_exit).into(), ..Path::default() };
    let mut executor = Executor::new(program, &control, true);
    let mut formulas = Vec::new();
    let executed = along(&mut executor, &path.blocks, limits, &mut formulas).ok()??;
    let mut state = executed[0].state.clone();
    let mut beyond = Vec::new();
    for (offset, last) in offsets {
        let mut term = |expr| executor.expr(&mut state, place, expr).and_then(|value| value.term());
        beyond.push((term(offset).ok()?, term(last).ok()?));
    }
    formulas.extend_from_slice(&executor.facts);
    formulas.extend_from_slice(&executor.plausible);
    let walk = Walk { program, control: &control, path: &path, executor: &executor, executed: &executed };
    for (side, most) in NEAR {
        formulas.push(Formula::any(beyond.iter().map(|(offset, last)| is_near(offset, last, side, most))));
        match decide_once(&formulas, limits) {
            Answer::Sat(model) => {
                return match of_model(walk, &model) {
                    Feasibility::Feasible(found) => Some(found),
                    _ => None,
                };
            }
            Answer::Unsat => _ = formulas.pop(),
            Answer::Unknown(_) => return None,
        }
    }
    None
}

/// The offsets in objects that an edge to a target of memory compares, each with the last one that is inside of its object.
fn offsets(program: &Program, edge: EdgeId) -> Vec<(ExprId, ExprId)> {
    let Op::Assume(condition, _) = program.edges[edge].op else { return Vec::new() };
    let compared = program.exprs.parts([condition]).filter_map(|(_, part)| match part {
        Expr::Binary(BinOp::Ule, offset, last) | Expr::Binary(BinOp::Ult, last, offset) => {
            Some((offset, last))
        }
        _ => None,
    });
    // A number is no offset, but the least size of an object.
    compared.filter(|&(offset, _)| !matches!(program.exprs[offset], Expr::Const(_))).collect()
}

/// Whether an offset is at most this far after the last one in its object, or before the first one.
fn is_near(offset: &Term, last: &Term, side: Side, most: u64) -> Formula {
    let Type::Bv(width) = offset.ty() else { return Formula::constant(false) };
    let minus = u64::MAX;
    let beyond = match side {
        Side::After => Term::linear(width, [(1, offset.clone()), (minus, last.clone())], minus),
        Side::Before => Term::linear(width, [(minus, offset.clone())], minus),
    };
    beyond.is_below(most)
}
