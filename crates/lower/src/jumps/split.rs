//! Splitting blocks where control may go elsewhere: behind calls that may jump, and where `setjmp` returns.

use super::blocks::{Departure, Split};
use super::{Jumps, jumps, landings};
use crate::options::Options;
use beeline_module::*;
use rustc_hash::{FxHashMap, FxHashSet};

impl Jumps {
    /// Makes the jumps of one function explicit, if it has any.
    pub(super) fn expand(&self, module: &mut Module, id: FnId, options: &Options) {
        let function = &module.functions[id];
        let remembered = landings(module, function);
        let selected = |wanted: &dyn Fn(&InstKind) -> bool| -> FxHashSet<InstId> {
            function.insts.iter().filter(|(_, inst)| wanted(&inst.kind)).map(|(id, _)| id).collect()
        };
        let direct = selected(&|kind| matches!(kind, InstKind::Call(call) if jumps(module, call)));
        let may_jump = selected(&|kind| self.calls.may_jump(module, kind));
        if remembered.is_empty() && may_jump.is_empty() {
            return;
        }
        let TyKind::Func(result, params, _) = module.kind(function.ty).clone() else { return };
        let result = (!matches!(module.kind(result), TyKind::Void)).then_some(result);
        let is_entry = function.name == options.entry;
        let function = &mut module.functions[id];
        // It returns, by a jump, and writes where that goes.
        function.noreturn = false;
        function.writes_nothing = false;
        function.lands = !remembered.is_empty();
        let mut split = Split {
            jumps: self,
            function,
            landings: Vec::new(),
            departures: Vec::new(),
            direct,
            may_jump,
            params,
            place: None,
            block: BlockId::from_u32(0),
        };
        split.split_blocks(&remembered);
        split.arrive(is_entry, result);
        split.keep_results();
    }
}

impl Split<'_> {
    fn split_blocks(&mut self, remembered: &[InstId]) {
        let mut last = FxHashMap::default();
        for block in self.function.blocks.keys().collect::<Vec<_>>() {
            let mut tail = block;
            while let Some(next) = self.split_at_next(tail, remembered) {
                self.function.blocks[next].origin = Some(block);
                tail = next;
            }
            if tail != block {
                last.insert(block, tail);
            }
        }
        for inst in self.function.insts.values_mut() {
            if let InstKind::Phi(incoming) = &mut inst.kind {
                incoming.iter_mut().for_each(|(from, _)| *from = last.get(from).copied().unwrap_or(*from));
            }
        }
    }

    /// Splits a block at its first instruction where control may go elsewhere, and returns the block with the rest.
    fn split_at_next(&mut self, block: BlockId, remembered: &[InstId]) -> Option<BlockId> {
        let insts = &self.function.blocks[block].insts;
        // A call that was made explicit is none any more, or ends its block.
        let is_call = |inst: &InstId| matches!(self.function.insts[*inst].kind, InstKind::Call(_));
        let goes = |inst: &InstId| remembered.contains(inst) && is_call(inst) || self.may_jump.contains(inst);
        let at = insts.iter().position(goes)?;
        let inst = insts[at];
        let rest = self.function.blocks[block].insts.split_off(at);
        self.block = block;
        self.place = self.function.insts[inst].place;
        let tail = self.function.blocks.push(Block::default());
        let InstKind::Call(call) = self.function.insts[inst].kind.clone() else { return None };
        if remembered.contains(&inst) {
            self.remember(inst, call.args[0].clone(), tail);
            self.function.blocks[tail].insts = rest;
        } else if self.direct.contains(&inst) {
            self.depart(inst, &call);
            self.function.blocks[tail].insts.extend_from_slice(&rest[1..]);
        } else {
            self.function.blocks[block].insts.push(inst);
            self.look_for_jump(inst, call, tail);
            self.function.blocks[tail].insts.extend_from_slice(&rest[1..]);
        }
        Some(tail)
    }

    /// A call of `longjmp`.
    fn depart(&mut self, inst: InstId, call: &CallInst) {
        let buffer = call.args[0].clone();
        self.function.insts[inst].kind = InstKind::Load { addr: buffer, volatile: false };
        self.function.insts[inst].ty = self.jumps.types.word();
        self.function.blocks[self.block].insts.push(inst);
        let value = call.args.get(1).cloned().unwrap_or_else(|| self.int(1));
        let is_zero = self.compare(IntPredicate::Eq, value.clone(), self.int(0));
        let result = self.add(self.jumps.int, InstKind::Select(is_zero, self.int(1), value));
        self.store(self.global(self.jumps.result), result);
        self.store(self.global(self.jumps.to), Operand::Inst(inst));
        let never_set = self.compare(IntPredicate::Eq, Operand::Inst(inst), self.word(0));
        let (block, place) = (self.block, self.place);
        let nowhere = self.begin(place);
        self.end_nowhere();
        self.block = block;
        let branch = self.branch(never_set, nowhere, nowhere);
        self.departures.push(Departure { block, branch });
    }

    /// What follows another call that may have jumped.
    fn look_for_jump(&mut self, inst: InstId, mut call: CallInst, tail: BlockId) {
        call.noreturn = false;
        self.function.insts[inst].kind = InstKind::Call(call);
        let to = self.load(self.jumps.types.word(), self.global(self.jumps.to));
        let none = self.compare(IntPredicate::Eq, to, self.word(0));
        let branch = self.branch(none, tail, tail);
        self.departures.push(Departure { block: self.block, branch });
    }
}
