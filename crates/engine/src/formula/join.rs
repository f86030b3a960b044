//! Joins: one state for all paths that meet at a node.

use super::Executor;
use crate::formula::state::{Sym, SymMemory, SymState};
use beeline_ir::RegionId;
use beeline_smt::memory::initial_cell;
use beeline_smt::{Formula, Memory, Term, Unsupported};
use std::collections::BTreeMap;
use std::rc::Rc;

impl Executor<'_> {
    /// The join of all states that arrive.
    pub(crate) fn join(&mut self, mut states: Vec<SymState>) -> Result<SymState, Unsupported> {
        let mut joined = states.pop().expect("something arrives");
        // The first state whose guard holds wins, as when a model is read.
        while let Some(mut state) = states.pop() {
            joined = self.join_two(&mut state, &mut joined)?;
        }
        Ok(joined)
    }

    fn join_two(&mut self, first: &mut SymState, second: &mut SymState) -> Result<SymState, Unsupported> {
        let guard = first.guard.clone();
        let mut joined = first.clone();
        joined.guard = first.guard.or(&second.guard);
        let (slots, regions) = (first.vars.differing(&second.vars), first.regions.differing(&second.regions));
        let known = regions.iter().filter_map(|id| first.regions.get(id));
        let cells: usize = known.map(|memory| memory.cells.len()).sum();
        self.work += (slots.len() + cells) as u64;
        for slot in slots {
            let (a, b) = (self.slot(first, slot)?, self.slot(second, slot)?);
            let sym = if a == b { a } else { Sym::Term(Term::ite(&guard, &a.term()?, &b.term()?)) };
            joined.vars.insert(slot, sym);
        }
        for id in regions {
            let (a, b) = (self.region(first, id)?, self.region(second, id)?);
            joined.regions.insert(id, self.join_memories(id, &guard, a, b)?);
        }
        Ok(joined)
    }

    fn join_memories(
        &mut self,
        id: RegionId,
        guard: &Formula,
        a: SymMemory,
        b: SymMemory,
    ) -> Result<SymMemory, Unsupported> {
        if a == b {
            return Ok(a);
        }
        if a.base != b.base && self.is_flat(id) {
            return self.join_all_cells(id, guard, a, b);
        }
        if a.base != b.base {
            let base = Memory::ite(guard, &self.flatten(id, &a)?, &self.flatten(id, &b)?);
            return Ok(SymMemory { base, initial: false, cells: Rc::default() });
        }
        let keys = a.cells.keys().chain(b.cells.keys()).copied();
        let cells = Rc::new(self.join_cells(id, guard, (&a, &b), keys)?);
        Ok(SymMemory { cells, ..a })
    }

    /// Joins two contents of a region without a map whose contents from outside differ.
    fn join_all_cells(
        &mut self,
        id: RegionId,
        guard: &Formula,
        a: SymMemory,
        b: SymMemory,
    ) -> Result<SymMemory, Unsupported> {
        let extents = &self.program.regions[id].extents;
        let addresses = extents.iter().flat_map(|extent| extent.base..extent.base + extent.size);
        let cells = Rc::new(self.join_cells(id, guard, (&a, &b), addresses)?);
        Ok(SymMemory { base: a.base, initial: false, cells })
    }

    /// Cells at some addresses, joined from two contents.
    fn join_cells(
        &self,
        id: RegionId,
        guard: &Formula,
        (a, b): (&SymMemory, &SymMemory),
        addresses: impl Iterator<Item = u64>,
    ) -> Result<BTreeMap<u64, Sym>, Unsupported> {
        let mut cells = BTreeMap::new();
        for addr in addresses {
            let (x, y) = (self.cell(id, a, addr)?, self.cell(id, b, addr)?);
            let cell = if x == y { x } else { Sym::Term(Term::ite(guard, &x.term()?, &y.term()?)) };
            cells.insert(addr, cell);
        }
        Ok(cells)
    }

    pub(super) fn cell(&self, id: RegionId, memory: &SymMemory, addr: u64) -> Result<Sym, Unsupported> {
        let region = &self.program.regions[id];
        let known = memory.cells.get(&addr).cloned().or_else(|| {
            let initial = if memory.initial { initial_cell(region, &self.program.exprs, addr) } else { None };
            initial.cloned().map(Sym::Value)
        });
        known.map_or_else(|| self.outside_cell(id, &memory.base, addr).map(Sym::Term), Ok)
    }
}
