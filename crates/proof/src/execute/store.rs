//! Stores, and accesses at unknown addresses.

use super::{At, Depth, Executor, Reader, View};
use crate::fold::{self, Folded, addresses};
use crate::state::{Cells, State, Sym};
use crate::truth::Truth;
use beeline_ir::{Bits, ExprId, Region, RegionId, Type, Value, cells_of};
use beeline_smt::flat::{self, Numbers};
use beeline_smt::{Formula, Memory, Source, Term, Unsupported};
use std::collections::BTreeMap;

impl Executor<'_> {
    pub(super) fn store(
        &mut self,
        state: &mut State,
        names: At<'_>,
        id: RegionId,
        addr: ExprId,
        value: ExprId,
    ) -> Result<(), Unsupported> {
        let (region, pool) = (&self.program.regions[id], &self.program.exprs);
        let known = match fold::fold(pool, addr, &View { executor: self, state, names: &names }) {
            Folded::Value(at) => at.as_bits().and_then(Bits::to_u64),
            _ => None,
        };
        let Some(at) = known else {
            if self.depth == Depth::Formulas {
                return self.store_somewhere(state, names, id, addr, value);
            }
            self.may_miss(state);
            state.regions.insert(id, Cells { base: None, initial: false, over: BTreeMap::new() });
            return Ok(());
        };
        let count = cells_of(pool.ty(value), region.cell).unwrap_or(1);
        if !region.allows(at, u64::from(count) * region.stride()) {
            self.ends_unless(state, Truth::Known(false));
            return Ok(());
        }
        let written = self.split(state, names, region, value)?;
        let mut cells = self.cells(state, id)?;
        cells.over.extend(addresses(region, at, count).zip(written));
        state.regions.insert(id, cells);
        Ok(())
    }

    fn store_somewhere(
        &mut self,
        state: &mut State,
        names: At<'_>,
        id: RegionId,
        addr: ExprId,
        value: ExprId,
    ) -> Result<(), Unsupported> {
        let (encoder, program) = (self.encoder, self.program);
        let mut reader = Reader::new(self, state, &names);
        let stored = encoder.stored(id, addr, value, &mut reader)?;
        self.ends_unless(state, stored.defined.clone().into());
        let guard = state.guard.formula().unwrap_or(Formula::constant(true));
        let among = self.few_addresses(&guard, &stored.addr);
        if among.is_none() && !self.is_flat(id) {
            let before = self.flatten(state, id)?;
            let mut reader = Reader::new(self, state, &names);
            let base = Some(encoder.after(id, &before, &stored, &mut reader));
            state.regions.insert(id, Cells { base, initial: false, over: BTreeMap::new() });
            return Ok(());
        }
        let mut cells = self.cells(state, id)?;
        let (region, big_endian) = (&program.regions[id], program.big_endian);
        let mut cell = |addr| self.cell(id, &cells, addr)?.term();
        let written =
            flat::write(region, big_endian, &stored.addr, among.as_ref(), &stored.value, &mut cell)?;
        cells.over.extend(written.into_iter().map(|(addr, cell)| (addr, Sym::Term(cell))));
        state.regions.insert(id, cells);
        Ok(())
    }

    /// The value that an allowed access reads under a guard; `None` if it needs a map.
    pub(super) fn load(
        &mut self,
        state: &State,
        guard: &Formula,
        id: RegionId,
        at: &Term,
        ty: Type,
    ) -> Result<Option<Term>, Unsupported> {
        let among = self.few_addresses(guard, at);
        if among.is_none() && !self.is_flat(id) {
            return Ok(None);
        }
        let (region, big_endian) = (&self.program.regions[id], self.program.big_endian);
        let cells = self.cells(state, id)?;
        let mut cell = |addr| self.cell(id, &cells, addr)?.term();
        let value = flat::read(region, big_endian, at, among.as_ref(), ty, &mut cell)?;
        Ok(Some(if ty == region.addr { self.settled(Source::Region(id), guard, value) } else { value }))
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

    /// The cells that the value of an expression occupies, the one at the lowest address first.
    fn split(
        &mut self,
        state: &mut State,
        names: At<'_>,
        region: &Region,
        value: ExprId,
    ) -> Result<Vec<Sym>, Unsupported> {
        let sym = self.expr(state, names, value)?;
        if self.program.exprs.ty(value) == region.cell {
            return Ok(vec![sym]);
        }
        if sym == Sym::Open {
            let count = cells_of(self.program.exprs.ty(value), region.cell).unwrap_or(1);
            return Ok(vec![Sym::Open; count as usize]);
        }
        let (Some(width), Some(image)) =
            (region.cell.bv_width(), sym.value().and_then(|value| value.memory_image()))
        else {
            let cells = Memory::split(region, self.program.big_endian, &sym.term()?);
            let cells = cells.ok_or_else(|| Unsupported("a value that fills no cells".into()))?;
            return Ok(cells.into_iter().map(Sym::Term).collect());
        };
        let cell =
            |index: u32| Sym::Value(Value::Bv(image.extract(index * width + width - 1, index * width)));
        let mut cells: Vec<Sym> = (0..image.width() / width).map(cell).collect();
        if self.program.big_endian {
            cells.reverse();
        }
        Ok(cells)
    }
}
