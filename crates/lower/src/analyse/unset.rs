//! Reads of variables that nothing may have set: C leaves the value undefined there.
//!
//! A cell of a promoted alloca is *set* at a location if every path there writes it, whatever the conditions of the
//! path are. Paths are distinguished by one thing only: where a function leaves scopes, clang keeps a number in a
//! *slot* that selects where control continues, and a `switch` over it. The value is any at first and stays the same
//! until it is set. A machine behaves like this, but an optimiser need not, hence a note.

use crate::analyse::cfg::{Cfg, successors, terminator};
use crate::analyse::promote::{Object, Promotion};
use crate::instruction::operand_type;
use crate::instruction::{RangeKind, callee, constant_u64, range_call};
use beeline_module::*;
use cranelift_entity::EntityRef;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The instructions of a function that may read what nothing has set, each with the alloca.
pub(crate) fn unset_reads(
    module: &Module,
    promotion: &Promotion,
    id: FnId,
    cfg: &Cfg,
) -> FxHashMap<InstId, InstId> {
    let function = &module.functions[id];
    let mut cells = FxHashMap::default();
    for (inst, data) in function.insts.iter() {
        if let (InstKind::Alloca { .. }, Some(division)) =
            (&data.kind, promotion.cells(Object::Alloca(id, inst)))
        {
            for cell in division {
                let number = cells.len();
                cells.insert((inst, cell.offset), number);
            }
        }
    }
    let mut analysis =
        Analysis { module, promotion, id, function, cells, slot: None, found: FxHashMap::default() };
    analysis.slot = cfg.order.iter().find_map(|&block| analysis.slot_of(block));
    analysis.run(cfg);
    analysis.found
}

/// The cells that are set.
type Set = FxHashSet<usize>;

/// The cells that are set on all paths with a number in the slot, by that number; `None` stands for an unknown number.
type Sets = BTreeMap<Option<u64>, Set>;

struct Analysis<'a> {
    module: &'a Module,
    promotion: &'a Promotion,
    id: FnId,
    function: &'a Function,
    /// Numbers of cells, by their alloca and offset.
    cells: FxHashMap<(InstId, u64), usize>,
    /// The slot, if there is one.
    slot: Option<InstId>,
    found: FxHashMap<InstId, InstId>,
}

impl Analysis<'_> {
    fn run(&mut self, cfg: &Cfg) {
        if self.cells.is_empty() {
            return;
        }
        // What is set at the start of a block; no entry for blocks that no path has reached yet.
        let mut at: FxHashMap<BlockId, Sets> = FxHashMap::default();
        at.insert(BlockId::new(0), Sets::from([(None, Set::default())]));
        loop {
            let mut changed = false;
            for &block in &cfg.order {
                let Some(sets) = at.get(&block).cloned() else { continue };
                for (number, set) in self.block(block, sets, false) {
                    for next in self.next(block, number) {
                        let sets = at.entry(next).or_default();
                        match sets.get_mut(&number) {
                            None => {
                                sets.insert(number, set.clone());
                                changed = true;
                            }
                            Some(known) => {
                                let before = known.len();
                                known.retain(|cell| set.contains(cell));
                                changed |= known.len() < before;
                            }
                        }
                    }
                }
            }
            if !changed {
                break;
            }
        }
        for &block in &cfg.order {
            if let Some(sets) = at.get(&block).cloned() {
                self.block(block, sets, true);
            }
        }
    }

    /// What is set at the end of a block; `report` notes the reads in between.
    fn block(&mut self, block: BlockId, sets: Sets, report: bool) -> Sets {
        let mut after = Sets::new();
        for (mut number, mut set) in sets {
            for &inst in &self.function.blocks[block].insts {
                for &(_, alloca) in self.function.begins.iter().filter(|(behind, _)| *behind == inst) {
                    set.retain(|cell| {
                        !self.cells.iter().any(|(key, index)| key.0 == alloca && index == cell)
                    });
                    number = number.filter(|_| Some(alloca) != self.slot);
                }
                self.inst(inst, &mut set, report);
                number = self.in_slot(inst, number);
            }
            match after.get_mut(&number) {
                Some(known) => known.retain(|cell| set.contains(cell)),
                None => _ = after.insert(number, set),
            }
        }
        after
    }

    /// The alloca that a block's `switch` reads, if the block loads it itself.
    fn slot_of(&self, block: BlockId) -> Option<InstId> {
        let Some(InstKind::Switch { value: Operand::Inst(read), .. }) = terminator(self.function, block)
        else {
            return None;
        };
        let insts = &self.function.blocks[block].insts;
        let place = insts.iter().position(|inst| inst == read)?;
        let InstKind::Load { addr, .. } = &self.function.insts[*read].kind else { return None };
        let (Object::Alloca(_, slot), 0) = self.promotion.base(self.id, addr)? else { return None };
        self.is_whole(slot, self.function.insts[*read].ty).then_some(())?;
        let is_changed = |inst: &InstId| self.changes(*inst, slot);
        (!insts[place..].iter().any(is_changed)).then_some(slot)
    }

    /// Whether an instruction writes to an alloca.
    fn changes(&self, inst: InstId, alloca: InstId) -> bool {
        let is_there = |addr: &Operand| matches!(self.promotion.base(self.id, addr), Some((Object::Alloca(_, base), _)) if base == alloca);
        let begins = self.function.begins.iter().any(|&(behind, begun)| behind == inst && begun == alloca);
        begins
            || match &self.function.insts[inst].kind {
                InstKind::Store { addr, .. }
                | InstKind::AtomicRmw { addr, .. }
                | InstKind::CmpXchg { addr, .. } => is_there(addr),
                InstKind::Call(call) => call.args.iter().any(is_there),
                _ => false,
            }
    }

    /// Whether a value of a type fills an alloca.
    fn is_whole(&self, alloca: InstId, ty: TyId) -> bool {
        let size = self.module.types[ty].store_size;
        let cells = self.promotion.cells(Object::Alloca(self.id, alloca));
        matches!(cells, Some([cell]) if cell.offset == 0 && cell.size == size)
    }

    /// The number in the slot after an instruction.
    fn in_slot(&self, inst: InstId, before: Option<u64>) -> Option<u64> {
        let Some(slot) = self.slot.filter(|&slot| self.changes(inst, slot)) else { return before };
        let InstKind::Store { addr, value } = &self.function.insts[inst].kind else { return None };
        let is_whole =
            operand_type(self.module, self.function, value).is_some_and(|ty| self.is_whole(slot, ty));
        constant_u64(value)
            .filter(|_| is_whole && self.promotion.base(self.id, addr).is_some_and(|(_, at)| at == 0))
    }

    /// The successors of a block with a number in the slot.
    fn next(&self, block: BlockId, number: Option<u64>) -> Vec<BlockId> {
        let Some(kind) = terminator(self.function, block) else { return Vec::new() };
        match (kind, number) {
            (InstKind::Switch { default, cases, .. }, Some(number))
                if self.slot.is_some() && self.slot_of(block) == self.slot =>
            {
                let case = cases.iter().find(|(value, _)| value.to_u64() == Some(number));
                vec![case.map_or(*default, |(_, to)| *to)]
            }
            _ => successors(kind),
        }
    }

    fn inst(&mut self, inst: InstId, set: &mut Set, report: bool) {
        let size_of = |ty: TyId| self.module.types[ty].store_size;
        match &self.function.insts[inst].kind {
            InstKind::Load { addr, .. }
            | InstKind::AtomicRmw { addr, .. }
            | InstKind::CmpXchg { addr, .. } => {
                let size = size_of(self.function.insts[inst].ty);
                let Some((alloca, cells)) = self.cells_at(addr, size) else { return };
                if report && cells.iter().any(|cell| !set.contains(cell)) {
                    self.found.insert(inst, alloca);
                }
            }
            InstKind::Store { addr, value } => {
                let ty = operand_type(self.module, self.function, value);
                if let Some((_, cells)) = ty.and_then(|ty| self.cells_at(addr, size_of(ty))) {
                    set.extend(cells);
                }
            }
            InstKind::Call(call) => {
                let kind = callee(self.module, call).and_then(|(_, function)| range_call(function));
                if let (Some(RangeKind::Fill | RangeKind::Copy), [to, _, size, ..]) =
                    (kind, call.args.as_slice())
                    && let Some(size) = constant_u64(size)
                    && let Some((_, cells)) = self.cells_at(to, size)
                {
                    set.extend(cells);
                }
            }
            _ => {}
        }
    }

    /// The cells of a promoted alloca in a range from an address on.
    fn cells_at(&self, addr: &Operand, size: u64) -> Option<(InstId, Vec<usize>)> {
        let (Object::Alloca(_, alloca), start) = self.promotion.base(self.id, addr)? else { return None };
        let division = self.promotion.cells(Object::Alloca(self.id, alloca))?;
        let start = u64::try_from(start).ok()?;
        let inside =
            division.iter().filter(|cell| start <= cell.offset && cell.offset + cell.size <= start + size);
        Some((alloca, inside.filter_map(|cell| self.cells.get(&(alloca, cell.offset)).copied()).collect()))
    }
}
