//! Explicit values in contexts: what a callee sees of its caller's, and what comes back.
//!
//! The state where a context begins has values of ghosts; all others have values of what is there now. A context has
//! values of what its function may read or write only, so that calls share it that differ elsewhere.

use super::within::{AT_ENTRY, now, place};
use crate::control::Control;
use crate::place::{Slot, Step};
use crate::transfer::Transfer;
use crate::values::{Key, Values};
use beeline_graph::Effects;
use beeline_ir::{EdgeId, FuncId, Program, VarId};
use rustc_hash::FxHashSet;

/// What is tracked.
type Tracked = FxHashSet<crate::values::Tracked>;

/// The values of the context that a call enters; `None` if the call is not made.
pub(super) fn passed(
    program: &Program,
    control: &dyn Control,
    tracked: &Tracked,
    values: &Values,
    (edge, callee): (EdgeId, FuncId),
    effects: &Effects,
) -> Option<Values> {
    let transfer = Transfer { program, control, precision: tracked, maybe_stuck: None };
    let from = place(program, program.edges[edge].src);
    let to = place(program, program.functions[callee].entry());
    let inside = transfer.post(from, values.clone(), Step::Call(edge, callee), to)?;
    let params = &program.functions[callee].params;
    // Every parameter is written by the call. All else that has an owner is the caller's, which may be the same function.
    let is_seen = |key: Key| match key {
        Key::Var(Slot { var, .. }) if is_global(program, var) => {
            effects.reads.contains(&var) || effects.writes.contains(&var)
        }
        Key::Var(Slot { var, .. }) => params.contains(&var),
        Key::Pristine(region) | Key::Cell(region, _) => {
            effects.region_reads.contains(&region) || effects.region_writes.contains(&region)
        }
    };
    Some(at_level(&inside.filtered(is_seen), AT_ENTRY))
}

/// What is there where a context begins whose ghosts have these values.
pub(super) fn entered(ghosts: &Values) -> Values {
    at_level(ghosts, 0)
}

/// The part of the values where a callee ends that says what the callee made: what it may write, and its variables.
pub(super) fn made(program: &Program, exit: &Values, effects: &Effects) -> Values {
    exit.filtered(|key| match key {
        Key::Var(Slot { var, .. }) => !is_global(program, var) || effects.writes.contains(&var),
        Key::Pristine(region) | Key::Cell(region, _) => effects.region_writes.contains(&region),
    })
}

/// The values behind a call, from those of the caller and those where the callee ends; `None` if these do not fit
/// together.
pub(super) fn returned(
    program: &Program,
    tracked: &Tracked,
    caller: &Values,
    exit: &Values,
    (edge, callee): (EdgeId, FuncId),
    effects: &Effects,
) -> Option<Values> {
    let mut after = caller.filtered(|key| match key {
        Key::Var(Slot { var, .. }) => !(is_global(program, var) && effects.writes.contains(&var)),
        Key::Pristine(region) | Key::Cell(region, _) => !effects.region_writes.contains(&region),
    });
    for (key, value) in exit.entries() {
        match key {
            Key::Var(Slot { var, .. }) if !is_global(program, var) => {}
            Key::Var(_) => {
                // What the callee does not write is the same where it ends.
                if after.get(key).is_some_and(|known| known.as_ref() != value) {
                    return None;
                }
                after.set(key, value.cloned());
            }
            Key::Pristine(region) | Key::Cell(region, _) => {
                if effects.region_writes.contains(&region) {
                    after.set(key, value.cloned());
                }
            }
        }
    }
    let call = program.edges[edge].op.as_call();
    if let (Some(var), Some(ret)) = (call.and_then(|call| call.ret), program.functions[callee].ret) {
        match exit.get(Key::Var(now(ret))).cloned().flatten() {
            Some(result) if tracked.contains(&crate::values::Tracked::Var(var)) => {
                after.set(Key::Var(now(var)), Some(result));
            }
            _ => after.remove(Key::Var(now(var))),
        }
    }
    Some(after)
}

/// What matters to callers of the values where a function ends.
pub(super) fn leaving(program: &Program, func: FuncId, exit: &Values) -> Values {
    let ret = program.functions[func].ret;
    exit.filtered(|key| match key {
        Key::Var(Slot { var, .. }) => is_global(program, var) || ret == Some(var),
        Key::Pristine(_) | Key::Cell(..) => true,
    })
}

fn is_global(program: &Program, var: VarId) -> bool {
    program.vars[var].owner.is_none()
}

fn at_level(values: &Values, level: u32) -> Values {
    let mut renamed = Values::default();
    for (key, value) in values.entries() {
        let key = match key {
            Key::Var(slot) => Key::Var(Slot { level, ..slot }),
            other => other,
        };
        renamed.set(key, value.cloned());
    }
    renamed
}
