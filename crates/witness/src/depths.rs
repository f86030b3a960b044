//! How many calls of the source's functions are active at each step of an execution.
//!
//! A loop that is a function of its own is none of them, and the steps that were added for it are no steps of the
//! source.

use crate::execution::Executed;
use beeline_ir::{Outlined, Program};
use beeline_run::RunStep;

/// For each step the number of active calls where it starts, 0 in the entry function; `None` where the source has no such
/// step. And the number at the end.
pub fn depths(program: &Program, executed: &Executed) -> (Vec<Option<usize>>, usize) {
    let outlined = Outlined::new(program);
    let mut depth = 0usize;
    let mut each = Vec::with_capacity(executed.steps.len());
    for step in &executed.steps {
        if outlined.is_added(step.edge()) {
            each.push(None);
            continue;
        }
        each.push(Some(depth));
        match step.step {
            RunStep::Edge(_) => {}
            RunStep::Call(..) => depth += 1,
            RunStep::Return(_) => depth = depth.saturating_sub(1),
        }
    }
    (each, depth)
}
