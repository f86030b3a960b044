//! Reads before writes: which variables of a frame that are memory may be read before they are set.
//!
//! A byte of a variable is *set* at a location if all paths there from the variable's declaration write it. The
//! variable may be read unset where a byte that is not set is read, or where its address escapes while a byte is not
//! set: whatever gets the address may read all of the variable without a write.

use crate::analyse::cfg::{Cfg, successors, terminator};
use crate::analyse::promote::Object;
use crate::analyse::scope::Scope;
use crate::instruction::{RangeKind, callee, constant_u64, is_hint, operand_type, operands, range_call};
use beeline_module::*;
use cranelift_entity::EntityRef;
use rustc_hash::{FxHashMap, FxHashSet};

/// The variables of a function that may be read before they are set.
pub(super) fn unset(scope: Scope, id: FnId) -> FxHashSet<InstId> {
    let function = &scope.module.functions[id];
    let allocas = function.blocks.values().flat_map(|block| &block.insts).copied().filter(|&inst| {
        matches!(function.insts[inst].kind, InstKind::Alloca { .. })
            && scope.promotion.cells(Object::Alloca(id, inst)).is_none()
    });
    let size = |inst: InstId| Object::Alloca(id, inst).size(scope.module).unwrap_or(u64::MAX);
    let sizes: FxHashMap<InstId, u64> = allocas.map(|inst| (inst, size(inst))).collect();
    if sizes.is_empty() {
        return FxHashSet::default();
    }
    // An instruction that is not followed may read it.
    let is_followed = |inst: &InstId| {
        scope.promotion.base(id, &Operand::Inst(*inst)) == Some((Object::Alloca(id, *inst), 0))
    };
    let found = sizes.keys().copied().filter(|inst| !is_followed(inst)).collect();
    let mut analysis = Analysis { scope, id, function, sizes, found };
    analysis.run();
    analysis.found
}

/// Bytes of an object: disjoint ranges in order, each from its first byte to the one after the last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Bytes(Vec<(u64, u64)>);

impl Bytes {
    fn insert(&mut self, start: u64, end: u64) {
        let (mut start, mut end) = (start, end);
        self.0.retain(|&(from, to)| {
            let apart = to < start || end < from;
            if !apart {
                (start, end) = (start.min(from), end.max(to));
            }
            apart
        });
        let place = self.0.partition_point(|&(from, _)| from < start);
        self.0.insert(place, (start, end));
    }

    fn contains(&self, start: u64, end: u64) -> bool {
        start >= end || self.0.iter().any(|&(from, to)| from <= start && end <= to)
    }

    fn intersection(&self, other: &Bytes) -> Bytes {
        let pairs = self.0.iter().flat_map(|a| other.0.iter().map(move |b| (a.0.max(b.0), a.1.min(b.1))));
        Bytes(pairs.filter(|(from, to)| from < to).collect())
    }
}

/// The set bytes of each variable.
type Set = FxHashMap<InstId, Bytes>;

struct Analysis<'a> {
    scope: Scope<'a>,
    id: FnId,
    function: &'a Function,
    sizes: FxHashMap<InstId, u64>,
    found: FxHashSet<InstId>,
}

impl Analysis<'_> {
    fn run(&mut self) {
        let cfg = Cfg::new(self.function);
        let mut at: FxHashMap<BlockId, Set> = FxHashMap::default();
        at.insert(BlockId::new(0), Set::default());
        loop {
            let mut changed = false;
            for &block in &cfg.order {
                let Some(mut set) = at.get(&block).cloned() else { continue };
                self.block(block, &mut set);
                for next in terminator(self.function, block).map(successors).unwrap_or_default() {
                    match at.get_mut(&next) {
                        None => {
                            at.insert(next, set.clone());
                            changed = true;
                        }
                        Some(known) => changed |= meet(known, &set),
                    }
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn block(&mut self, block: BlockId, set: &mut Set) {
        for &inst in &self.function.blocks[block].insts {
            for (_, alloca) in self.function.begins.iter().filter(|(behind, _)| *behind == inst) {
                set.remove(alloca);
            }
            self.inst(inst, set);
        }
    }

    /// The variable that an operand points into at a constant distance, with the distance.
    fn spot(&self, operand: &Operand) -> Option<(InstId, i64)> {
        match self.scope.promotion.base(self.id, operand)? {
            (Object::Alloca(id, alloca), offset) if id == self.id && self.sizes.contains_key(&alloca) => {
                Some((alloca, offset))
            }
            _ => None,
        }
    }

    fn inst(&mut self, inst: InstId, set: &mut Set) {
        let module = self.scope.module;
        let kind = &self.function.insts[inst].kind;
        let size_of = |ty: TyId| module.types[ty].store_size;
        match kind {
            InstKind::Alloca { .. } => _ = set.remove(&inst),
            InstKind::Load { addr, .. } => self.reads(addr, size_of(self.function.insts[inst].ty), set),
            InstKind::Store { addr, value } => {
                self.escapes(value, set);
                let ty = operand_type(module, self.function, value);
                self.writes(addr, ty.map_or(0, size_of), set);
            }
            // An address at a constant distance is handled where it is used.
            InstKind::Gep { base, .. } | InstKind::Cast(CastKind::BitCast, base)
                if self.scope.promotion.base(self.id, &Operand::Inst(inst)).is_some()
                    && self.spot(base).is_some() => {}
            InstKind::Call(call) => self.call(call, set),
            kind => operands(kind).into_iter().for_each(|operand| self.escapes(operand, set)),
        }
    }

    fn call(&mut self, call: &CallInst, set: &mut Set) {
        let function = callee(self.scope.module, call).map(|(_, function)| function);
        if let Some((begins, alloca)) = super::scope_mark(self.scope.module, call) {
            if begins {
                set.remove(&alloca);
            }
            return;
        }
        if function.is_some_and(|function| is_hint(&function.name)) {
            return;
        }
        let (Some(range), [to, from, size, ..]) = (function.and_then(range_call), call.args.as_slice())
        else {
            call.args.iter().for_each(|argument| self.escapes(argument, set));
            return;
        };
        let size = constant_u64(size);
        if range == RangeKind::Copy && size != Some(0) {
            match size {
                Some(size) => self.reads(from, size, set),
                None => self.escapes(from, set),
            }
        }
        self.writes(to, size.unwrap_or(0), set);
    }

    fn reads(&mut self, addr: &Operand, size: u64, set: &Set) {
        let Some((alloca, offset)) = self.spot(addr) else { return };
        let start = u64::try_from(offset).unwrap_or(0);
        let is_set = set.get(&alloca).is_some_and(|bytes| bytes.contains(start, start.saturating_add(size)));
        if !is_set && size > 0 {
            self.found.insert(alloca);
        }
    }

    fn writes(&mut self, addr: &Operand, size: u64, set: &mut Set) {
        let Some((alloca, offset)) = self.spot(addr) else { return };
        if let (Ok(start), true) = (u64::try_from(offset), size > 0) {
            set.entry(alloca).or_default().insert(start, start.saturating_add(size));
        }
    }

    fn escapes(&mut self, operand: &Operand, set: &Set) {
        let Some((alloca, _)) = self.spot(operand) else { return };
        let all = self.sizes[&alloca];
        if !set.get(&alloca).is_some_and(|bytes| bytes.contains(0, all)) {
            self.found.insert(alloca);
        }
    }
}

/// Keeps the bytes that are set on both paths; returns whether these are fewer than before.
fn meet(known: &mut Set, other: &Set) -> bool {
    let before = known.clone();
    known.retain(|alloca, bytes| {
        *bytes = other.get(alloca).map(|other| bytes.intersection(other)).unwrap_or_default();
        !bytes.0.is_empty()
    });
    *known != before
}
