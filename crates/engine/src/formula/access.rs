//! Memory as single cells: accesses at unknown addresses.
//!
//! A region needs no map if each access goes to one of a few addresses, or if the region is small. Its
//! content from outside is then one constant for each cell. If the region gets a map later, the map agrees
//! with these constants.

use super::{Executor, Reader};
use crate::control::place::Place;
use crate::formula::state::{Sym, SymMemory, SymState};
use beeline_ir::{ExprId, RegionId, Type};
use beeline_smt::flat::{self, Numbers};
use beeline_smt::solver::decide_once;
use beeline_smt::{Answer, Formula, Memory, QueryLimits, Source, Term, Unsupported};
use std::rc::Rc;

impl Executor<'_> {
    /// The initial content of a region, or its content from outside, at an address.
    pub(crate) fn outside_cell(&self, id: RegionId, base: &Memory, addr: u64) -> Result<Term, Unsupported> {
        let region = &self.program.regions[id];
        if self.is_flat(id) {
            return base.single_cell(region, addr);
        }
        if self.flat { self.outside.cell(region, base, addr) } else { Ok(base.cell(region, addr)) }
    }

    /// Decides whether a formula is satisfiable, given the facts about maps.
    pub(crate) fn decide(&mut self, formula: &Formula, limits: &QueryLimits) -> Answer {
        match &mut self.questions {
            Some(questions) => questions.decide(&self.facts, formula, limits),
            None => decide_once(&[&self.facts[..], std::slice::from_ref(formula)].concat(), limits),
        }
    }

    /// Starts to use a map. It agrees with the cells that were used before.
    pub(super) fn use_map(&mut self, id: RegionId, base: &Memory) {
        if self.flat {
            self.facts.extend(self.outside.use_map(&self.program.regions[id], base));
        }
    }

    /// The few numbers that an address can have under a guard, if they are found.
    fn few_addresses(&mut self, guard: &Formula, at: &Term) -> Option<Numbers> {
        self.questions.as_mut()?.few(&self.facts, guard, at)
    }

    /// An address under a guard, without the values that are found to be impossible.
    pub(super) fn settled(&mut self, from: Source, guard: &Formula, value: Term) -> Term {
        match &mut self.questions {
            Some(questions) => questions.settled(&self.facts, from, guard, value),
            None => value,
        }
    }

    /// The value that an allowed access reads under a guard; `None` if it needs a map.
    pub(super) fn load(
        &mut self,
        state: &mut SymState,
        guard: &Formula,
        id: RegionId,
        at: &Term,
        ty: Type,
    ) -> Result<Option<Term>, Unsupported> {
        let among = self.few_addresses(guard, at);
        if among.is_none() && !self.is_flat(id) {
            return Ok(None);
        }
        let region = &self.program.regions[id];
        self.work += among.as_ref().map_or_else(|| flat::addresses(region), |among| among.len() as u64);
        let memory = self.region(state, id)?;
        let mut cell = |addr| self.cell(id, &memory, addr)?.term();
        let value = flat::read(region, self.program.big_endian, at, among.as_ref(), ty, &mut cell)?;
        Ok(Some(if ty == region.addr { self.settled(Source::Region(id), guard, value) } else { value }))
    }

    /// Stores at an unknown address.
    pub(super) fn store_somewhere(
        &mut self,
        state: &mut SymState,
        place: Place,
        id: RegionId,
        addr: ExprId,
        value: ExprId,
    ) -> Result<(), Unsupported> {
        let (encoder, region) = (self.encoder, &self.program.regions[id]);
        let mut reader = Reader::new(self, state, place);
        let stored = encoder.stored(id, addr, value, &mut reader)?;
        self.undefined.unless(&state.guard, &stored.defined);
        state.guard = state.guard.and(&stored.defined);
        let among = self.few_addresses(&state.guard, &stored.addr);
        if among.is_none() && !self.is_flat(id) {
            let before = self.flat_region(state, id)?;
            let mut reader = Reader::new(self, state, place);
            let base = encoder.after(id, &before, &stored, &mut reader);
            state.regions.insert(id, SymMemory { base, initial: false, cells: Rc::default() });
            return Ok(());
        }
        self.work += among.as_ref().map_or_else(|| flat::addresses(region), |among| among.len() as u64);
        let memory = self.region(state, id)?;
        let mut cell = |addr| self.cell(id, &memory, addr)?.term();
        let (at, value) = (&stored.addr, &stored.value);
        let written = flat::write(region, self.program.big_endian, at, among.as_ref(), value, &mut cell)?;
        state.put(id, memory, written.into_iter().map(|(addr, cell)| (addr, Sym::Term(cell))));
        Ok(())
    }
}
