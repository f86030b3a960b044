//! What values hold behind a jump: locals that a compiler may keep in registers, and results of instructions.

use super::blocks::Split;
use crate::analyse::cfg::{successors, terminator};
use crate::instruction::{for_each_operand, operands};
use beeline_module::*;
use rustc_hash::{FxHashMap, FxHashSet};

impl Split<'_> {
    /// The locals that may be in registers, and that may change between a landing and a jump, with their types.
    pub(super) fn changed_registers(&self, landing: usize, departures: &[BlockId]) -> Vec<(Operand, TyId)> {
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
        let mut changed = FxHashSet::default();
        for &block in behind.iter().filter(|&&block| Some(block) != again) {
            let stored = self.function.blocks[block].insts.iter().filter_map(|&inst| {
                let InstKind::Store { addr: Operand::Inst(variable), .. } = self.function.insts[inst].kind
                else {
                    return None;
                };
                Some(variable)
            });
            let mut stored = stored.peekable();
            if stored.peek().is_some() && departures.iter().any(|to| from(block).contains(to)) {
                changed.extend(stored);
            }
        }
        let mut registers: Vec<(InstId, TyId)> =
            self.registers().into_iter().filter(|(variable, _)| changed.contains(variable)).collect();
        registers.sort();
        registers.into_iter().map(|(variable, ty)| (Operand::Inst(variable), ty)).collect()
    }

    /// The locals of the program that are read and written as a whole, are not volatile, and have no address elsewhere.
    fn registers(&self) -> FxHashMap<InstId, TyId> {
        let function = &*self.function;
        let declared =
            function.allocas.iter().filter_map(|(variable, _)| match function.insts[*variable].kind {
                InstKind::Alloca { ty, dynamic: false, .. } => Some((*variable, ty)),
                _ => None,
            });
        let mut found: FxHashMap<InstId, TyId> = declared.collect();
        for inst in function.insts.values() {
            match &inst.kind {
                InstKind::Load { volatile: false, .. } => {}
                InstKind::Store { value: Operand::Inst(value), .. } => _ = found.remove(value),
                InstKind::Store { .. } => {}
                InstKind::Call(call) if self.jumps.is_hint(call) => {}
                other => operands(other).into_iter().for_each(|operand| {
                    if let Operand::Inst(used) = operand {
                        found.remove(used);
                    }
                }),
            }
        }
        found
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
