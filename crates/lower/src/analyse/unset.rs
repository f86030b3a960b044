//! Where a variable may be read before anything has set it: C leaves its value undefined there.
//!
//! A cell of a promoted alloca is *set* at a place if every way there writes it, so that what is found is found
//! whatever conditions say. The value is any at first and stays the same until it is set, which is what the
//! machine does and what an optimiser need not do: hence a note.

use crate::analyse::cfg::{Cfg, successors, terminator};
use crate::analyse::promote::{Object, Promotion};
use crate::instruction::operand_type;
use crate::instruction::{RangeKind, callee, constant_u64, range_call};
use beeline_llvm::module::*;
use cranelift_entity::EntityRef;
use rustc_hash::{FxHashMap, FxHashSet};

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
    let mut analysis = Analysis { module, promotion, id, function, cells, found: FxHashMap::default() };
    analysis.run(cfg);
    analysis.found
}

/// The cells that are set.
type Set = FxHashSet<usize>;

struct Analysis<'a> {
    module: &'a Module,
    promotion: &'a Promotion,
    id: FnId,
    function: &'a Function,
    /// Numbers of cells, by their alloca and offset.
    cells: FxHashMap<(InstId, u64), usize>,
    found: FxHashMap<InstId, InstId>,
}

impl Analysis<'_> {
    fn run(&mut self, cfg: &Cfg) {
        if self.cells.is_empty() {
            return;
        }
        // What is set where a block begins; nothing is known of those that no way leads to yet.
        let mut at: FxHashMap<BlockId, Set> = FxHashMap::default();
        at.insert(BlockId::new(0), Set::default());
        loop {
            let mut changed = false;
            for &block in &cfg.order {
                let Some(set) = at.get(&block).cloned() else { continue };
                let after = self.block(block, set, false);
                for next in terminator(self.function, block).map(successors).unwrap_or_default() {
                    match at.get_mut(&next) {
                        None => {
                            at.insert(next, after.clone());
                            changed = true;
                        }
                        Some(known) => {
                            let before = known.len();
                            known.retain(|cell| after.contains(cell));
                            changed |= known.len() < before;
                        }
                    }
                }
            }
            if !changed {
                break;
            }
        }
        for &block in &cfg.order {
            if let Some(set) = at.get(&block).cloned() {
                self.block(block, set, true);
            }
        }
    }

    /// What is set behind a block; `report` notes the reads on the way.
    fn block(&mut self, block: BlockId, mut set: Set, report: bool) -> Set {
        for &inst in &self.function.blocks[block].insts {
            for &(_, alloca) in self.function.begins.iter().filter(|(behind, _)| *behind == inst) {
                set.retain(|cell| !self.cells.iter().any(|(key, number)| key.0 == alloca && number == cell));
            }
            self.inst(inst, &mut set, report);
        }
        set
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

    /// The cells of a promoted alloca in a range behind an address.
    fn cells_at(&self, addr: &Operand, size: u64) -> Option<(InstId, Vec<usize>)> {
        let (Object::Alloca(_, alloca), start) = self.promotion.base(self.id, addr)? else { return None };
        let division = self.promotion.cells(Object::Alloca(self.id, alloca))?;
        let start = u64::try_from(start).ok()?;
        let inside =
            division.iter().filter(|cell| start <= cell.offset && cell.offset + cell.size <= start + size);
        Some((alloca, inside.filter_map(|cell| self.cells.get(&(alloca, cell.offset)).copied()).collect()))
    }
}
