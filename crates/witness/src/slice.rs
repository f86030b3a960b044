//! The steps of an execution that matter for its end.

use crate::execution::Executed;

/// For each step: does it reach the end, by what it sets or by what it decides?
///
/// What decided that the target is reached matters; and of a step that matters, so do the steps that set
/// what it reads, and the one that decided that it is made.
pub fn slice(executed: &Executed) -> Vec<bool> {
    let steps = &executed.steps;
    let mut matters = vec![false; steps.len()];
    let mut open: Vec<usize> = executed.decided.into_iter().collect();
    while let Some(index) = open.pop() {
        if !std::mem::replace(&mut matters[index], true) {
            open.extend(steps[index].data.iter().chain(&steps[index].control));
        }
    }
    matters
}
