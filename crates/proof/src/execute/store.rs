//! Stores: which cells a region has afterwards.

use super::{At, Depth, Executor, Reader, View};
use crate::fold::{self, Folded, addresses};
use crate::state::{Cells, State, Sym};
use crate::truth::Truth;
use beeline_ir::{Bits, ExprId, Region, RegionId, Value, cells_of};
use beeline_smt::{Memory, Unsupported, flat};
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
        if known.is_none() && self.is_flat(id) {
            return self.flat_store(state, names, id, addr, value);
        }
        let Some(at) = known else {
            let base = match self.depth {
                Depth::Values => None,
                Depth::Formulas => {
                    let encoder = self.encoder;
                    let mut reader = Reader { executor: self, state, names: &names };
                    let (base, defined) = encoder.store(id, addr, value, &mut reader)?;
                    state.guard = state.guard.and(&defined.into());
                    Some(base)
                }
            };
            state.regions.insert(id, Cells { base, initial: false, over: BTreeMap::new() });
            return Ok(());
        };
        let count = cells_of(pool.ty(value), region.cell).unwrap_or(1);
        if !region.allows(at, u64::from(count) * region.stride()) {
            state.guard = Truth::Known(false);
            return Ok(());
        }
        let written = self.split(state, names, region, value)?;
        let mut cells = self.cells(state, id)?;
        cells.over.extend(addresses(region, at, count).zip(written));
        state.regions.insert(id, cells);
        Ok(())
    }

    fn flat_store(
        &mut self,
        state: &mut State,
        names: At<'_>,
        id: RegionId,
        addr: ExprId,
        value: ExprId,
    ) -> Result<(), Unsupported> {
        let (encoder, program) = (self.encoder, self.program);
        let mut reader = Reader { executor: self, state, names: &names };
        let (at, value, defined) = encoder.stored(id, addr, value, &mut reader)?;
        state.guard = state.guard.and(&defined.into());
        let mut cells = self.cells(state, id)?;
        let mut cell = |addr| self.cell(id, &cells, addr)?.term();
        let written = flat::write(&program.regions[id], program.big_endian, &at, &value, &mut cell)?;
        cells.over.extend(written.into_iter().map(|(addr, cell)| (addr, Sym::Term(cell))));
        state.regions.insert(id, cells);
        Ok(())
    }

    /// The cells that the value of an expression fills, the one at the lowest address first.
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
