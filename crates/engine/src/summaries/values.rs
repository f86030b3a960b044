//! Values of calls, where functions are explored on their own: reduction to a context, and expansion from its
//! exit.
//!
//! A context knows its callers' values as ghosts, of parameters and of the globals that the function may read
//! or write. Of memory it knows the cells of regions that the function may read or write. All else belongs to
//! the caller alone: calls that differ in it share a context.

use super::intraprocedural::{AT_ENTRY, at_entry, now, place};
use crate::control::place::Step;
use crate::values::transfer::Transfer;
use crate::values::{Key, Tracked, Tracking, Values};
use beeline_graph::Effects;
use beeline_ir::{EdgeId, FuncId, Program, RegionId};

/// A call of a function, with its effects.
#[derive(Clone, Copy)]
pub(super) struct Call<'a> {
    /// The edge.
    pub edge: EdgeId,
    /// The called function.
    pub callee: FuncId,
    /// Its effects, including those of its callees.
    pub effects: &'a Effects,
}

impl Call<'_> {
    fn may_touch(&self, region: RegionId) -> bool {
        self.effects.region_reads.contains(&region) || self.effects.region_writes.contains(&region)
    }

    /// The values that a context gets from a call in a state with these values; `None` if the call is not
    /// made.
    pub(super) fn passed<P: Tracking>(&self, transfer: &Transfer<'_, P>, values: &Values) -> Option<Values> {
        let (program, Effects { reads, writes, .. }) = (transfer.program, self.effects);
        let function = &program.functions[self.callee];
        let (from, to) = (place(program, program.edges[self.edge].src), place(program, function.entry()));
        // All parameters are written, so in a recursion nothing remains of the caller's activation.
        let inside = transfer.post(from, values.clone(), Step::Call(self.edge, self.callee), to)?;
        let mut entry = Values::default();
        for (key, value) in inside.entries() {
            match key {
                Key::Var(slot) if slot.level != AT_ENTRY => {
                    let var = slot.var;
                    if function.params.contains(&var) || reads.contains(&var) || writes.contains(&var) {
                        entry.set(Key::Var(at_entry(var)), value.cloned());
                    }
                }
                Key::Pristine(region) | Key::Cell(region, _) if self.may_touch(region) => {
                    entry.set(key, value.cloned());
                }
                _ => {}
            }
        }
        Some(entry)
    }

    /// The values after the call, from those before it and those at the callee's exit.
    pub(super) fn returned(
        &self,
        program: &Program,
        precision: &impl Tracking,
        before: &Values,
        exit: &Values,
    ) -> Values {
        let mut after = before.clone();
        for &var in &self.effects.writes {
            after.remove(Key::Var(now(var)));
        }
        for &region in &self.effects.region_writes {
            after.forget_region(region);
        }
        for (key, value) in exit.entries() {
            let passes = match key {
                Key::Var(slot) => slot.level != AT_ENTRY && program.vars[slot.var].owner.is_none(),
                Key::Pristine(region) | Key::Cell(region, _) => self.effects.region_writes.contains(&region),
            };
            if passes {
                after.set(key, value.cloned());
            }
        }
        if let Some(var) = program.edges[self.edge].op.as_call().and_then(|call| call.ret) {
            let result = program.functions[self.callee].ret.and_then(|ret| exit.get(Key::Var(now(ret))));
            match result {
                Some(value @ Some(_)) if precision.tracks(Tracked::Var(var)) => {
                    after.set(Key::Var(now(var)), value.clone());
                }
                _ => after.remove(Key::Var(now(var))),
            }
        }
        after
    }
}

/// The values at the entry of a function, from those of its context: variables have the values of their
/// ghosts.
pub(super) fn begun(entry: &Values) -> Values {
    let mut begun = entry.clone();
    for (key, value) in entry.entries() {
        if let Key::Var(slot) = key {
            begun.set(Key::Var(now(slot.var)), value.cloned());
        }
    }
    begun
}
