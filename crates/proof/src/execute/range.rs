//! Range operations: calls that fill or copy a range of bytes, executed in one step.

use super::{Depth, Executor};
use crate::place::Place;
use crate::state::{Cells, State, Sym};
use crate::truth::Truth;
use beeline_ir::{Bits, EdgeId, Range, RangeSource, Region, RegionId};
use beeline_smt::ranges::{self, Source, Written};
use beeline_smt::{Formula, Unsupported};
use std::collections::BTreeMap;

impl Executor<'_> {
    /// Executes a call of a function that is a range operation.
    pub(super) fn range(
        &mut self,
        state: &mut State,
        place: Place,
        call: EdgeId,
        range: &Range,
    ) -> Result<(), Unsupported> {
        let callee = self.program.edges[call].op.as_call().map_or(&[][..], |call| call.callee.functions())[0];
        let arguments = self.arguments(state, place, call, callee)?;
        let [to, from, size] = &arguments[..] else { unreachable!("it has three parameters") };
        let region = &self.program.regions[range.region];
        let number = |sym: &Sym| sym.value().and_then(|value| value.as_bits()).and_then(Bits::to_u64);
        match (number(to), number(from), number(size), range.source) {
            (Some(to), _, Some(size), RangeSource::Byte(_)) => {
                let allowed = region.allows(to, size);
                self.put(state, range.region, size, allowed, |_, _| {
                    Ok((to, vec![from.clone(); size as usize]))
                })
            }
            (Some(to), Some(from), Some(size), RangeSource::Copy(_)) => {
                let allowed = region.allows(to, size) && region.allows(from, size);
                self.put(state, range.region, size, allowed, |executor, cells| {
                    let read = |addr| executor.cell(range.region, cells, addr);
                    Ok((to, (from..from + size).map(read).collect::<Result<_, _>>()?))
                })
            }
            _ if self.depth == Depth::Values => {
                self.may_miss(state);
                let open = Cells { base: None, initial: false, over: BTreeMap::new() };
                state.regions.insert(range.region, open);
                Ok(())
            }
            _ => self.choose_range(state, region, range, [to, from, size]),
        }
    }

    /// Writes cells at known addresses, if there are any.
    fn put(
        &mut self,
        state: &mut State,
        id: RegionId,
        size: u64,
        allowed: bool,
        bytes: impl FnOnce(&Self, &Cells) -> Result<(u64, Vec<Sym>), Unsupported>,
    ) -> Result<(), Unsupported> {
        if size == 0 {
            return Ok(());
        }
        if !allowed {
            self.ends_unless(state, Truth::Known(false));
            return Ok(());
        }
        let mut cells = self.cells(state, id)?;
        let (to, bytes) = bytes(self, &cells)?;
        cells.over.extend((to..).zip(bytes));
        state.regions.insert(id, cells);
        Ok(())
    }

    /// Executes a range operation with unknown addresses, size or content.
    fn choose_range(
        &mut self,
        state: &mut State,
        region: &Region,
        range: &Range,
        [to, from, size]: [&Sym; 3],
    ) -> Result<(), Unsupported> {
        let id = range.region;
        let [to, from, size] = [to.term()?, from.term()?, size.term()?];
        let source = match range.source {
            RangeSource::Byte(_) => Source::Byte(&from),
            RangeSource::Copy(_) => Source::Copy(&from),
        };
        let written = Written { to: &to, source, size: &size };
        let allowed: Formula = ranges::allowed(region, &written);
        self.ends_unless(state, allowed.into());
        let cells = self.cells(state, id)?;
        let cells = if self.is_flat(id) {
            let mut cell = |addr| self.cell(id, &cells, addr)?.term();
            let changed = ranges::write(region, &written, &mut cell)?;
            let mut cells = cells.clone();
            cells.over.extend(changed.into_iter().map(|(addr, cell)| (addr, Sym::Term(cell))));
            cells
        } else {
            let base = Some(self.flat(id, &cells)?.with_range(region, &written));
            Cells { base, initial: false, over: BTreeMap::new() }
        };
        state.regions.insert(id, cells);
        Ok(())
    }
}
