//! What values hold behind a jump: locals that a compiler may keep in registers, and results of instructions.

use super::blocks::Split;
use crate::analyse::cfg::{successors, terminator};
use crate::instruction::{for_each_operand, operands};
use beeline_module::*;
use rustc_hash::{FxHashMap, FxHashSet};

impl Split<'_> {
    /// The parts of locals that may be in registers, of those that may change between a landing and a jump: each with its
    /// offset and its type.
    pub(super) fn changed_registers(
        &self,
        landing: usize,
        departures: &[BlockId],
    ) -> Vec<(InstId, i64, TyId)> {
        let landing = &self.landings[landing];
        // Where setjmp is called again for the same buffer, what changed before does not count.
        let again = landing.has_one_buffer.then_some(landing.before);
        let from = |start: BlockId| {
            let mut found: FxHashSet<BlockId> = [start].into_iter().collect();
            let mut open = vec![start];
            while let Some(block) = open.pop() {
                if Some(block) == again {
                    continue;
                }
                let next = terminator(self.function, block).map(successors).unwrap_or_default();
                open.extend(next.into_iter().filter(|&block| found.insert(block)));
            }
            found
        };
        let behind = from(landing.after);
        let parts = self.parts();
        let mut changed = FxHashSet::default();
        for &block in behind.iter().filter(|&&block| Some(block) != again) {
            let insts = self.function.blocks[block].insts.iter();
            let written: Vec<InstId> =
                insts.filter_map(|&inst| Some(parts.get(&self.written_by(inst)?)?.0)).collect();
            if !written.is_empty() && departures.iter().any(|to| from(block).contains(to)) {
                changed.extend(written);
            }
        }
        let registers = self.registers(&parts).into_iter().filter(|(variable, _)| changed.contains(variable));
        let mut registers: Vec<_> = registers
            .flat_map(|(variable, parts)| parts.into_iter().map(move |(offset, ty)| (variable, offset, ty)))
            .collect();
        registers.sort();
        registers
    }

    /// The addresses in locals of the program, and of parts of them: each with its local and its offset.
    fn parts(&self) -> FxHashMap<InstId, (InstId, i64)> {
        let is_fixed = |variable: &InstId| {
            matches!(self.function.insts[*variable].kind, InstKind::Alloca { dynamic: false, .. })
        };
        let declared = self.function.allocas.iter().map(|(variable, _)| *variable).filter(is_fixed);
        let mut parts: FxHashMap<InstId, (InstId, i64)> =
            declared.map(|variable| (variable, (variable, 0))).collect();
        loop {
            let known = parts.len();
            for (inst, data) in self.function.insts.iter() {
                if let InstKind::Gep { base: Operand::Inst(base), offset: further, steps } = &data.kind
                    && steps.is_empty()
                    && let Some(&(variable, offset)) = parts.get(base)
                {
                    parts.insert(inst, (variable, offset + further));
                }
            }
            if parts.len() == known {
                return parts;
            }
        }
    }

    /// The address that an instruction writes to.
    fn written_by(&self, inst: InstId) -> Option<InstId> {
        let addr = match &self.function.insts[inst].kind {
            InstKind::Store { addr, .. } => addr,
            InstKind::Call(call) if self.jumps.calls.is_plain(call) => call.args.first()?,
            _ => return None,
        };
        match addr {
            Operand::Inst(addr) => Some(*addr),
            _ => None,
        }
    }

    /// The locals that are not volatile and whose addresses are only used to read and write parts at known offsets, with the
    /// offsets and types of these.
    fn registers(
        &self,
        parts: &FxHashMap<InstId, (InstId, i64)>,
    ) -> FxHashMap<InstId, FxHashSet<(i64, TyId)>> {
        let of = |operand: &Operand| match operand {
            Operand::Inst(inst) => parts.get(inst).copied(),
            _ => None,
        };
        let mut found: FxHashMap<InstId, FxHashSet<(i64, TyId)>> =
            parts.values().map(|&(variable, _)| (variable, FxHashSet::default())).collect();
        let mut elsewhere = FxHashSet::default();
        for (inst, data) in self.function.insts.iter() {
            let (accessed, handed_on) = match &data.kind {
                InstKind::Load { addr, volatile: false } => (Some((addr, Some(data.ty))), Vec::new()),
                InstKind::Store { addr, value } => (Some((addr, self.type_of(value))), vec![value]),
                InstKind::Call(call) if self.jumps.calls.is_plain(call) => (None, Vec::new()),
                _ if parts.contains_key(&inst) => (None, Vec::new()),
                other => (None, operands(other)),
            };
            elsewhere.extend(handed_on.into_iter().filter_map(of).map(|(variable, _)| variable));
            if let Some((addr, Some(ty))) = accessed
                && let Some((variable, offset)) = of(addr)
            {
                found.entry(variable).or_default().insert((offset, ty));
            }
        }
        found.retain(|variable, _| !elsewhere.contains(variable));
        found
    }

    fn type_of(&self, operand: &Operand) -> Option<TyId> {
        match operand {
            Operand::Const(ty, _) => Some(*ty),
            Operand::Inst(inst) => Some(self.function.insts[*inst].ty),
            Operand::Param(index) => self.params.get(*index as usize).copied(),
            Operand::Other(_) => None,
        }
    }

    /// Keeps results of instructions that are used where control comes also without them in variables.
    pub(super) fn keep_results(&mut self) {
        for (inst, users) in self.results_beside_control() {
            let ty = self.function.insts[inst].ty;
            let variable = self.variable(ty);
            self.keep(inst, &variable);
            for (block, user) in users {
                self.read_kept(inst, &variable, block, user);
            }
        }
    }

    /// Results that are used in blocks where control may come without their instruction.
    fn results_beside_control(&self) -> Vec<(InstId, Vec<(BlockId, InstId)>)> {
        if self.landings.is_empty() {
            return Vec::new();
        }
        let mut home = FxHashMap::default();
        for (block, data) in self.function.blocks.iter() {
            data.insts.iter().for_each(|&inst| _ = home.insert(inst, block));
        }
        let mut uses: FxHashMap<InstId, Vec<(BlockId, InstId)>> = FxHashMap::default();
        for (block, data) in self.function.blocks.iter() {
            for &user in &data.insts {
                for (used, at) in self.used_by(user, block) {
                    if home.get(&used).is_some_and(|&defined| defined != at) {
                        uses.entry(used).or_default().push((at, user));
                    }
                }
            }
        }
        let mut without: FxHashMap<BlockId, FxHashSet<BlockId>> = FxHashMap::default();
        let mut found: Vec<_> = uses
            .into_iter()
            .filter_map(|(inst, users)| {
                let block = home[&inst];
                let beside = without.entry(block).or_insert_with(|| self.reachable_without(block));
                let users: Vec<_> = users.into_iter().filter(|(at, _)| beside.contains(at)).collect();
                (!users.is_empty()).then_some((inst, users))
            })
            .collect();
        found.sort();
        found
    }

    /// The results that an instruction of a block uses, with the blocks at whose end or in which it does.
    fn used_by(&self, user: InstId, block: BlockId) -> Vec<(InstId, BlockId)> {
        let used = |operand: &Operand| match operand {
            Operand::Inst(inst) => Some(*inst),
            _ => None,
        };
        match &self.function.insts[user].kind {
            InstKind::Phi(incoming) => {
                incoming.iter().filter_map(|(from, operand)| Some((used(operand)?, *from))).collect()
            }
            kind => operands(kind).into_iter().filter_map(|operand| Some((used(operand)?, block))).collect(),
        }
    }

    /// The blocks that control comes to without passing one.
    fn reachable_without(&self, without: BlockId) -> FxHashSet<BlockId> {
        let entry = BlockId::from_u32(0);
        let mut found = FxHashSet::default();
        let mut open = if without == entry { Vec::new() } else { vec![entry] };
        found.extend(open.iter().copied());
        while let Some(block) = open.pop() {
            let next = terminator(self.function, block).map(successors).unwrap_or_default();
            open.extend(next.into_iter().filter(|&block| block != without && found.insert(block)));
        }
        found
    }

    /// Writes a result to a variable.
    fn keep(&mut self, inst: InstId, variable: &Operand) {
        let store = InstKind::Store { addr: variable.clone(), value: Operand::Inst(inst) };
        let store = self.function.insts.push(crate::rewrite::plain(self.jumps.types.void(), store));
        let is_phi = |inst: &InstId| matches!(self.function.insts[*inst].kind, InstKind::Phi(_));
        for block in self.function.blocks.values_mut() {
            if let Some(at) = block.insts.iter().position(|&other| other == inst) {
                let phis = block.insts[at..].iter().take_while(|inst| is_phi(inst)).count();
                block.insts.insert(at + phis.max(1), store);
                return;
            }
        }
    }

    /// Has an instruction use a variable in place of a result.
    fn read_kept(&mut self, inst: InstId, variable: &Operand, block: BlockId, user: InstId) {
        let ty = self.function.insts[inst].ty;
        let load = InstKind::Load { addr: variable.clone(), volatile: false };
        let load = self.function.insts.push(crate::rewrite::plain(ty, load));
        let insts = &mut self.function.blocks[block].insts;
        let at = insts.iter().position(|&other| other == user).unwrap_or(insts.len() - 1);
        let is_phi = matches!(self.function.insts[user].kind, InstKind::Phi(_));
        insts.insert(if is_phi { insts.len() - 1 } else { at }, load);
        match &mut self.function.insts[user].kind {
            InstKind::Phi(incoming) => incoming.iter_mut().for_each(|(from, operand)| {
                if *from == block && *operand == Operand::Inst(inst) {
                    *operand = Operand::Inst(load);
                }
            }),
            kind => for_each_operand(kind, &mut |operand| {
                if *operand == Operand::Inst(inst) {
                    *operand = Operand::Inst(load);
                }
            }),
        }
    }
}
