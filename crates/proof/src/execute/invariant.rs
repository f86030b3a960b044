//! Invariants of loops that are proved by induction: claimed after iterations, and assumed where the induction begins.

use super::{Executor, Names};
use crate::induction::Invariants;
use crate::place::{Place, Slot, Stack, Stacks};
use crate::state::{State, Sym};
use crate::truth::Truth;
use beeline_ir::{LocId, Program, VarId};
use beeline_run::AT_ENTRY;
use beeline_smt::Unsupported;
use rustc_hash::FxHashMap;

/// When an invariant does not hold where it has to.
pub(crate) struct Broken {
    /// The place.
    pub place: Place,
    /// The condition.
    pub guard: Truth,
}

/// What variables held where each loop was entered.
pub(super) type Ghosts = FxHashMap<(LocId, Stack), Vec<(Slot, Sym)>>;

/// The slots of an invariant's variables at a place.
struct AtHead<'a> {
    program: &'a Program,
    stacks: &'a Stacks,
    stack: Stack,
    slots: &'a [(VarId, u32)],
}

impl Names for AtHead<'_> {
    fn slot(&self, var: VarId) -> Slot {
        match self.slots[var.as_u32() as usize] {
            (var, AT_ENTRY) => Slot { var, level: AT_ENTRY },
            (var, _) => self.stacks.slot(self.program, self.stack, var),
        }
    }
}

impl Executor<'_> {
    /// Claims the invariants of a loop at its head, and notes what variables hold where it is entered. Where an induction
    /// begins, the state is made to stand for all iterations: what an iteration may write has any value that the invariants
    /// allow.
    pub(super) fn at_head(&mut self, state: &mut State, place: Place) -> Result<(), Unsupported> {
        let claimed = self.stacks.claimed(place);
        if let Some((invariants, entered)) = claimed {
            if entered == place.stack {
                self.note_ghosts(state, place, invariants)?;
            }
            let holds = self.all_hold(state, (place, entered), invariants)?;
            self.broken.push(Broken { place, guard: state.guard.and(&holds.not()) });
        }
        if let Some(written) = self.stacks.forgets(place) {
            self.generalise(state, place, written)?;
            if let Some((invariants, entered)) = claimed {
                let holds = self.all_hold(state, (place, entered), invariants)?;
                state.guard = state.guard.and(&holds);
            }
        }
        Ok(())
    }

    /// Notes what the variables of ghosts hold.
    fn note_ghosts(
        &mut self,
        state: &State,
        place: Place,
        invariants: Invariants<'_>,
    ) -> Result<(), Unsupported> {
        let callee = self.stacks.top(place.stack).callee;
        let mut ghosts = Vec::new();
        for &(var, _) in invariants.slots.iter().filter(|(_, level)| *level == AT_ENTRY) {
            if self.program.vars[var].owner.is_none_or(|owner| owner == callee) {
                let now = self.slot(state, self.stacks.slot(self.program, place.stack, var))?;
                ghosts.push((Slot { var, level: AT_ENTRY }, now));
            }
        }
        match self.ghosts.insert((place.loc, place.stack), ghosts) {
            None => Ok(()),
            Some(_) => Err(Unsupported("a loop that is entered in two states".into())),
        }
    }

    fn all_hold(
        &mut self,
        state: &State,
        (place, entered): (Place, Stack),
        invariants: Invariants<'_>,
    ) -> Result<Truth, Unsupported> {
        let (program, stacks, stack) = (self.program, self.stacks, place.stack);
        let names = AtHead { program, stacks, stack, slots: invariants.slots };
        let mut seen = state.clone();
        let ghosts = self.ghosts.get(&(place.loc, entered));
        let ghosts =
            ghosts.ok_or_else(|| Unsupported("an iteration of a loop that was not entered".into()))?;
        seen.vars.extend(ghosts.iter().cloned());
        let mut all = Vec::with_capacity(invariants.list.len());
        for &invariant in invariants.list {
            all.push(self.holds(&mut seen, invariants.pool, &names, invariant)?);
        }
        Ok(Truth::all(all))
    }
}
