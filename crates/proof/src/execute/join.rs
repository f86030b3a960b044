//! Joins: states that meet at a node are joined unless known values distinguish them.

use super::{Depth, Executor};
use crate::place::Slot;
use crate::state::{Cells, State, Sym};
use crate::truth::Truth;
use beeline_ir::{RegionId, Value, VarId};
use beeline_smt::{Memory, Unsupported};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// The greatest number of states with different known values at a place, before they are joined.
const MAX_APART: usize = 512;

/// What keeps states apart: states with different known values of these are not joined.
#[derive(Debug, Default)]
pub(crate) struct Tracked {
    /// Variables.
    pub vars: FxHashSet<VarId>,
    /// Regions.
    pub regions: FxHashSet<RegionId>,
}

/// A part of the known values that distinguishes states.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum KnownKey {
    Slot(Slot),
    /// A cell of a region; whether the other cells are initial, and whether this one has a value.
    Cell(RegionId, u64, bool, bool),
}

/// The states that wait at a node.
#[derive(Default)]
pub(super) struct Waiting {
    pub states: Vec<State>,
    by_values: FxHashMap<Vec<(KnownKey, Value)>, usize>,
}

impl Executor<'_> {
    /// Adds a state to those that wait at a node, joined with one that has the same known values if there is
    /// one.
    pub(super) fn wait(&mut self, waiting: &mut Waiting, state: State) -> Result<(), Unsupported> {
        let known = self.known(&state);
        if let Some(&index) = waiting.by_values.get(&known) {
            let other = std::mem::take(&mut waiting.states[index]);
            waiting.states[index] = self.join(other, state)?;
            return Ok(());
        }
        if waiting.states.len() < MAX_APART {
            waiting.by_values.insert(known, waiting.states.len());
            waiting.states.push(state);
            return Ok(());
        }
        let first = std::mem::take(&mut waiting.states[0]);
        waiting.states[0] = self.join(first, state)?;
        // The joined state has fewer known values.
        waiting.by_values.retain(|_, index| *index != 0);
        Ok(())
    }

    /// The known values of what is tracked.
    fn known(&self, state: &State) -> Vec<(KnownKey, Value)> {
        let mut known = Vec::new();
        if !self.tracked.vars.is_empty() {
            for (slot, sym) in &state.vars {
                if let (Sym::Value(value), true) = (sym, self.tracked.vars.contains(&slot.var)) {
                    known.push((KnownKey::Slot(*slot), value.clone()));
                }
            }
        }
        for (&id, cells) in &state.regions {
            if self.tracked.regions.contains(&id) {
                for (&addr, sym) in &cells.over {
                    let value = sym.value().cloned().unwrap_or(Value::Bool(false));
                    known.push((KnownKey::Cell(id, addr, cells.initial, sym.value().is_some()), value));
                }
            }
        }
        known
    }

    /// The join of two states whose guards exclude each other.
    fn join(&mut self, a: State, b: State) -> Result<State, Unsupported> {
        let (guard, begun) = (a.guard.or(&b.guard), a.begun.clone());
        let mut joined = State { guard, begun, ..State::default() };
        let slots: BTreeSet<Slot> = a.vars.keys().chain(b.vars.keys()).copied().collect();
        for slot in slots {
            let sym = Sym::ite(&a.guard, &self.slot(&a, slot)?, &self.slot(&b, slot)?)?;
            joined.vars.insert(slot, sym);
        }
        let regions: BTreeSet<RegionId> = a.regions.keys().chain(b.regions.keys()).copied().collect();
        for id in regions {
            let (x, y) = (self.cells(&a, id)?, self.cells(&b, id)?);
            joined.regions.insert(id, self.join_cells(id, &a.guard, x, y)?);
        }
        Ok(joined)
    }

    fn join_cells(&mut self, id: RegionId, guard: &Truth, a: Cells, b: Cells) -> Result<Cells, Unsupported> {
        if a == b {
            return Ok(a);
        }
        if (&a.base, a.initial) != (&b.base, b.initial) && self.is_flat(id) {
            let extents = self.program.regions[id].extents.iter();
            let mut over = BTreeMap::new();
            for addr in extents.flat_map(|extent| extent.base..extent.base + extent.size) {
                over.insert(addr, Sym::ite(guard, &self.cell(id, &a, addr)?, &self.cell(id, &b, addr)?)?);
            }
            return Ok(Cells { base: a.base, initial: false, over });
        }
        if (&a.base, a.initial) != (&b.base, b.initial) {
            let base = match guard.formula() {
                Some(guard) if self.depth == Depth::Formulas => {
                    Some(Memory::ite(&guard, &self.flat(id, &a)?, &self.flat(id, &b)?))
                }
                _ => None,
            };
            return Ok(Cells { base, initial: false, over: BTreeMap::new() });
        }
        let mut over = BTreeMap::new();
        for &addr in a.over.keys().chain(b.over.keys()) {
            over.insert(addr, Sym::ite(guard, &self.cell(id, &a, addr)?, &self.cell(id, &b, addr)?)?);
        }
        Ok(Cells { over, ..a })
    }
}
