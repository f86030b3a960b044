//! Paths of executions whose inputs are symbolic: which steps depend on these, and inputs that lead along another path.

use super::counterexample::{Effort, FromModel, Solved, Walk, concrete_steps, solve, take_steps};
use crate::control::Control;
use crate::formula::Executor;
use crate::paths::{Path, Trace};
use beeline_interp::Source;
use beeline_ir::{Program, Value};
use beeline_smt::Unsupported;
use std::cell::Cell;
use std::rc::Rc;

/// The steps of a trace that depend on what an execution reads from outside.
pub(crate) fn steps_that_depend(
    program: &Program,
    control: &dyn Control,
    trace: &Trace,
) -> Result<Vec<usize>, Unsupported> {
    let block = trace.as_block(control.start(program));
    let mut executor = Executor::new(program, control, true);
    let start = executor.start();
    let mut before = start.guard.clone();
    let done = executor.block(&block, start, trace.steps.len())?;
    let depends = |step: &usize| match done.guards.get(step) {
        Some(guard) => std::mem::replace(&mut before, guard.clone()) != *guard,
        None => false,
    };
    Ok((0..trace.steps.len()).filter(depends).collect())
}

/// What an execution along a trace reads from outside, if the solver finds one. It need not end at a target.
pub(crate) fn inputs_along(
    program: &Program,
    control: &dyn Control,
    trace: &Trace,
    effort: Effort<'_>,
) -> Option<Vec<(Source, Value)>> {
    let block = Rc::new(trace.as_block(control.start(program)));
    let path = Path { blocks: vec![(block, trace.steps.len())], ..Path::default() };
    let mut executor = Executor::new(program, control, true);
    let Solved { executed, model, .. } = solve(&mut executor, &path, effort).ok()?.ok()?;
    let walk = Walk { program, control, path: &path, executor: &executor, executed: &executed };
    let (taken, now) = (concrete_steps(walk, &model), Cell::new(0));
    let mut oracle = FromModel::new(walk, &model, &taken, &now);
    let count = trace.steps.len();
    // Whatever the execution does next, it has followed the trace.
    take_steps(program, trace, count, &mut oracle, &now, |_| ()).ok()?;
    Some(oracle.answers)
}
