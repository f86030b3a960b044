//! Range operations: calls that fill or copy a range of bytes, executed in one step.

use super::{Executor, Made};
use crate::control::place::Place;
use crate::formula::state::{Sym, SymMemory, SymState};
use beeline_ir::{Bits, EdgeId, Range, RangeSource};
use beeline_smt::ranges::{self, Source, Written};
use beeline_smt::{Formula, Unsupported, flat};
use std::rc::Rc;

impl Executor<'_> {
    /// Executes a call of a function that is a range operation.
    pub(super) fn range(
        &mut self,
        state: &mut SymState,
        place: Place,
        call: EdgeId,
        range: &Range,
        made: &mut Made,
    ) -> Result<(), Unsupported> {
        let callee = self.program.edges[call].op.as_call().map_or(&[][..], |call| call.callee.functions())[0];
        made.range = self.arguments(state, place, call, callee)?;
        let [to, from, size] = &made.range[..] else { unreachable!("it has three parameters") };
        let number = |sym: &Sym| match sym {
            Sym::Value(value) => value.as_bits().and_then(Bits::to_u64),
            Sym::Term(_) => None,
        };
        let from_number = match range.source {
            RangeSource::Copy(_) => number(from),
            RangeSource::Byte(_) => Some(0),
        };
        match (number(to), from_number, number(size)) {
            (Some(to), Some(at), Some(size)) => self.known_range(state, range, [to, at, size], from),
            _ => self.unknown_range(state, range, [to, from, size]),
        }
    }

    fn known_range(
        &mut self,
        state: &mut SymState,
        range: &Range,
        [to, from, size]: [u64; 3],
        byte: &Sym,
    ) -> Result<(), Unsupported> {
        let region = &self.program.regions[range.region];
        let copies = matches!(range.source, RangeSource::Copy(_));
        if size == 0 {
            return Ok(());
        }
        if !region.allows(to, size) || copies && !region.allows(from, size) {
            self.undefined.unless(&state.guard, &Formula::constant(false));
            state.guard = Formula::constant(false);
            return Ok(());
        }
        self.work += size;
        let memory = self.region(state, range.region)?;
        let bytes: Vec<Sym> = match range.source {
            RangeSource::Byte(_) => vec![byte.clone(); size as usize],
            RangeSource::Copy(_) => (from..from + size)
                .map(|addr| self.cell(range.region, &memory, addr))
                .collect::<Result<_, _>>()?,
        };
        state.put(range.region, memory, (to..).zip(bytes));
        Ok(())
    }

    fn unknown_range(
        &mut self,
        state: &mut SymState,
        range: &Range,
        [to, from, size]: [&Sym; 3],
    ) -> Result<(), Unsupported> {
        let (id, region) = (range.region, &self.program.regions[range.region]);
        let [to, from, size] = [to.term()?, from.term()?, size.term()?];
        let source = match range.source {
            RangeSource::Byte(_) => Source::Byte(&from),
            RangeSource::Copy(_) => Source::Copy(&from),
        };
        let written = Written { to: &to, source, size: &size };
        let allowed = ranges::allowed(region, &written);
        self.undefined.unless(&state.guard, &allowed);
        state.guard = state.guard.and(&allowed);
        if !self.is_flat(id) {
            let base = self.flat_region(state, id)?.with_range(region, &written);
            state.regions.insert(id, SymMemory { base, initial: false, cells: Rc::default() });
            return Ok(());
        }
        let memory = self.region(state, id)?;
        self.work += flat::addresses(region) * u64::from(u64::BITS - flat::addresses(region).leading_zeros());
        let mut cell = |addr| self.cell(id, &memory, addr)?.term();
        let changed = ranges::write(region, &written, &mut cell)?;
        state.put(id, memory, changed.into_iter().map(|(addr, cell)| (addr, Sym::Term(cell))));
        Ok(())
    }
}
