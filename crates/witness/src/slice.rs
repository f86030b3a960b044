//! Slices: the steps of an execution that matter for its end.

use crate::execution::{Executed, Place, Read};
use crate::untaken::Untaken;
use beeline_ir::{Program, VarId};
use rustc_hash::FxHashSet;

/// For each step, whether it influences the end, by what it sets or by what it decides.
///
/// The step that decided that the target is reached matters. If a step matters, so do the steps that set what
/// it reads, and the one that it is control-dependent on.
pub fn slice(executed: &Executed) -> Vec<bool> {
    closure(executed, |_, _| Vec::new())
}

/// The steps that explain the end: those of the [`slice()`], and decisions that prevented other assignments.
///
/// Where a step reads a place that was set long before, or never, a branch since then may have decided that
/// it was not set again: `if (refuel) fuel = 9;` explains why there is no fuel.
pub fn explanation(program: &Program, executed: &Executed) -> Vec<bool> {
    let mut untaken = Untaken::new(program, executed);
    closure(executed, |reader, read| untaken.decisions(read, reader))
}

/// The steps that reaching the target depends on.
///
/// Of a step that sets several variables, as a call sets parameters, only those count that are read later.
fn closure(executed: &Executed, mut more: impl FnMut(usize, &Read) -> Vec<usize>) -> Vec<bool> {
    let steps = &executed.steps;
    let mut matters = vec![false; steps.len()];
    let mut seen = FxHashSet::default();
    let mut open: Vec<(usize, Option<VarId>)> =
        executed.decided.map(|step| (step, None)).into_iter().collect();
    while let Some((index, wanted)) = open.pop() {
        if !seen.insert((index, wanted)) {
            continue;
        }
        if !std::mem::replace(&mut matters[index], true) {
            open.extend(steps[index].control.map(|step| (step, None)));
        }
        for read in steps[index].reads.iter().filter(|read| read.into.is_none() || read.into == wanted) {
            open.extend(read.writer.map(|writer| (writer, variable(read.place))));
            open.extend(more(index, read).into_iter().map(|step| (step, None)));
        }
    }
    matters
}

fn variable(place: Place) -> Option<VarId> {
    match place {
        Place::Global(var) | Place::Local(var, _) => Some(var),
        Place::Cell(..) => None,
    }
}
