//! The places that a function remembers, and how jumps arrive there.

use super::blocks::{Landing, Split};
use crate::analyse::cfg::{successors, terminator};
use beeline_module::*;
use rustc_hash::{FxHashMap, FxHashSet};

impl Split<'_> {
    /// A call of `setjmp`: its result is read where it returns.
    pub(super) fn remember(&mut self, inst: InstId, buffer: Operand, tail: BlockId) {
        let (word, int) = (self.jumps.types.word(), self.jumps.int);
        let landing = Landing {
            place: self.variable(word),
            result: self.variable(int),
            has_one_buffer: self.is_one_object(&buffer),
            before: self.block,
            after: tail,
            source: self.function.insts[inst].place,
        };
        // Each call of the function has one place here, for all buffers.
        let places = self.global(self.jumps.places);
        let known = self.load(word, places.clone());
        let own = self.load(word, landing.place.clone());
        let is_new = self.compare(IntPredicate::Eq, own.clone(), self.word(0));
        let next = self.add(word, InstKind::Binary(BinaryOp::Add, known.clone(), self.word(1)));
        let place = self.add(word, InstKind::Select(is_new.clone(), next.clone(), own));
        let places_now = self.add(word, InstKind::Select(is_new, next, known));
        self.store(places, places_now);
        self.store(landing.place.clone(), place.clone());
        self.store(buffer, place);
        self.store(landing.result.clone(), self.int(0));
        self.go_to(tail);
        self.function.insts[inst].kind = InstKind::Load { addr: landing.result.clone(), volatile: false };
        self.landings.push(landing);
    }

    /// Whether an address is the same during a call of the function.
    fn is_one_object(&self, addr: &Operand) -> bool {
        match addr {
            Operand::Const(..) => true,
            Operand::Inst(inst) => match &self.function.insts[*inst].kind {
                InstKind::Alloca { dynamic, .. } => !dynamic,
                InstKind::Gep { base, steps, .. } => steps.is_empty() && self.is_one_object(base),
                _ => false,
            },
            Operand::Param(_) | Operand::Other(_) => false,
        }
    }

    /// Leads each jump to the places that may be remembered there, and out of the function.
    pub(super) fn arrive(&mut self, is_entry: bool, result: Option<TyId>) {
        let reaching = self.landings_that_reach();
        let arrivals: Vec<BlockId> = (0..self.landings.len()).map(|number| self.arrival(number)).collect();
        let leaving = self.begin(None);
        if is_entry {
            self.end_nowhere();
        } else {
            let value = result.map(|ty| Operand::Const(ty, Const::Zero));
            self.add(self.jumps.types.void(), InstKind::Ret(value));
        }
        let mut known: FxHashMap<Vec<usize>, BlockId> = FxHashMap::default();
        for (departure, landings) in reaching.into_iter().enumerate() {
            let branch = self.departures[departure].branch;
            let to = match known.get(&landings) {
                Some(&block) => block,
                None => self.choice(&landings, &arrivals, leaving),
            };
            known.insert(landings, to);
            if let InstKind::CondBr(_, _, otherwise) = &mut self.function.insts[branch].kind {
                *otherwise = to;
            }
        }
    }

    /// For each departure, the landings that control may have come by.
    fn landings_that_reach(&self) -> Vec<Vec<usize>> {
        let mut found: Vec<Vec<usize>> = vec![Vec::new(); self.departures.len()];
        loop {
            let next: Vec<Vec<usize>> = {
                let reached: Vec<FxHashSet<BlockId>> =
                    self.landings.iter().map(|landing| self.reachable(landing.after, &found)).collect();
                let of =
                    |block: &BlockId| (0..reached.len()).filter(|at| reached[*at].contains(block)).collect();
                self.departures.iter().map(|departure| of(&departure.block)).collect()
            };
            if next == found {
                return found;
            }
            found = next;
        }
    }

    /// The blocks that control may come to from one, also by jumps from departures to landings.
    fn reachable(&self, from: BlockId, jumps: &[Vec<usize>]) -> FxHashSet<BlockId> {
        let mut found: FxHashSet<BlockId> = [from].into_iter().collect();
        let mut open = vec![from];
        while let Some(block) = open.pop() {
            let mut next = terminator(self.function, block).map(successors).unwrap_or_default();
            let departures =
                self.departures.iter().zip(jumps).filter(|(departure, _)| departure.block == block);
            next.extend(
                departures.flat_map(|(_, to)| to.iter().map(|&landing| self.landings[landing].after)),
            );
            open.extend(next.into_iter().filter(|&block| found.insert(block)));
        }
        found
    }

    /// The block that a jump to a landing comes by.
    fn arrival(&mut self, number: usize) -> BlockId {
        let Landing { result, after, source, .. } = &self.landings[number];
        let (result, after, source) = (result.clone(), *after, *source);
        let block = self.begin(source);
        let value = self.load(self.jumps.int, self.global(self.jumps.result));
        self.store(result, value);
        self.store(self.global(self.jumps.to), self.word(0));
        let departures: Vec<BlockId> = self.departures.iter().map(|departure| departure.block).collect();
        for (variable, offset, ty) in self.changed_registers(number, &departures) {
            let base = Operand::Inst(variable);
            let part = self.add(self.jumps.types.ptr(), InstKind::Gep { base, offset, steps: Vec::new() });
            self.store(part, Operand::Const(ty, Const::Undef));
        }
        self.go_to(after);
        block
    }

    /// A block that asks for each of some landings whether its place is the one that is jumped to.
    fn choice(&mut self, landings: &[usize], arrivals: &[BlockId], leaving: BlockId) -> BlockId {
        let mut next = leaving;
        for &landing in landings {
            let block = self.begin(self.landings[landing].source);
            let word = self.jumps.types.word();
            let to = self.load(word, self.global(self.jumps.to));
            let own = self.load(word, self.landings[landing].place.clone());
            let is_own = self.compare(IntPredicate::Eq, to, own);
            self.branch(is_own, arrivals[landing], next);
            next = block;
        }
        next
    }
}
