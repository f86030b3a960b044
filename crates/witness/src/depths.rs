//! Call depths: the number of open calls of the source's functions at each step of an execution.
//!
//! Calls of outlined loops do not count, and the steps that were added for these are not steps of the source.

use crate::execution::Executed;
use beeline_ir::{Outlined, Program};
use beeline_run::RunStep;

/// The call depth at the start of each step, 0 in the entry function, `None` if the source has no such step;
/// and the depth at the end.
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
