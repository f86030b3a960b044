//! Bytes that are read as a `_Bool` and may hold something else than 0 and 1.
//!
//! A `_Bool` that is written as one holds 0 or 1. Other bytes come there by a pointer to another type, by a union, or by a
//! copy from such memory; compilers then disagree whether it is true. Memory that nothing has written counts as
//! written as what it is read as.

use crate::analyse::flow::operand_ptr;
use crate::analyse::points_to::{NodeId, PointsTo};
use crate::analyse::promote::Object;
use crate::analyse::scope::Scope;
use crate::instruction::{RangeKind, callee, constant_u64, is_hint, operand_type, range_call};
use crate::libc::{self, Effect};
use beeline_module::*;
use rustc_hash::FxHashMap;

/// Memory that counts as one: a promoted object, or a node of the points-to analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Home {
    Object(Object),
    Node(NodeId),
}

/// Offsets of bytes in a home, in disjoint ranges from the first to the one after the last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Bytes(Vec<(i64, i64)>);

/// More ranges than this count as all bytes.
const MANY: usize = 32;
const ALL: (i64, i64) = (i64::MIN, i64::MAX);

impl Bytes {
    /// Adds a range, and says whether that changes anything.
    fn add(&mut self, (mut start, mut end): (i64, i64)) -> bool {
        if self.0.iter().any(|&(from, to)| from <= start && end <= to) {
            return false;
        }
        self.0.retain(|&(from, to)| {
            let apart = to < start || end < from;
            if !apart {
                (start, end) = (start.min(from), end.max(to));
            }
            apart
        });
        self.0.push((start, end));
        if self.0.len() > MANY {
            self.0 = vec![ALL];
        }
        true
    }

    /// What of it lies in a range.
    fn within(&self, (start, end): (i64, i64)) -> impl Iterator<Item = (i64, i64)> + '_ {
        let parts = self.0.iter().map(move |&(from, to)| (from.max(start), to.min(end)));
        parts.filter(|(from, to)| from < to)
    }
}

/// The bytes of a module that may hold something else than a `_Bool` holds.
#[derive(Debug, Default)]
pub(crate) struct Bools {
    others: FxHashMap<Home, Bytes>,
}

impl Bools {
    /// Looks at all writes, if the module reads a `_Bool` at all.
    pub(crate) fn new(scope: Scope, points: &PointsTo) -> Bools {
        let reads = |&id: &FnId| {
            let function = &scope.module.functions[id];
            function.insts.values().any(|inst| match &inst.kind {
                InstKind::Cast(CastKind::Trunc, operand) => {
                    read_address(scope.module, function, inst.ty, operand).is_some()
                }
                _ => false,
            })
        };
        let mut bools = Bools::default();
        if !scope.reach.functions.iter().any(reads) {
            return bools;
        }
        let mut writes = Writes { scope, points, bools: &mut bools, changed: true };
        while std::mem::take(&mut writes.changed) {
            for &id in &scope.reach.functions {
                for inst in scope.module.functions[id].insts.values() {
                    writes.inst(id, inst);
                }
            }
        }
        bools
    }

    /// Whether a conversion to a type reads a `_Bool` that may hold something else than 0 and 1.
    pub(crate) fn may_be_other(
        &self,
        scope: Scope,
        points: &PointsTo,
        id: FnId,
        ty: TyId,
        operand: &Operand,
    ) -> bool {
        let function = &scope.module.functions[id];
        let place = read_address(scope.module, function, ty, operand)
            .and_then(|addr| place(scope, points, id, addr, Some(1)));
        place.is_some_and(|(home, range)| {
            self.others.get(&home).is_some_and(|bytes| bytes.within(range).next().is_some())
        })
    }
}

/// The address from which a `_Bool` is read, if a conversion to a type is the second step of that.
fn read_address<'a>(
    module: &Module,
    function: &'a Function,
    ty: TyId,
    operand: &Operand,
) -> Option<&'a Operand> {
    let Operand::Inst(inst) = operand else { return None };
    let read = &function.insts[*inst];
    let is_bool = is_int(module, ty, 1) && is_int(module, read.ty, 8);
    match &read.kind {
        InstKind::Load { addr, .. } if is_bool => Some(addr),
        _ => None,
    }
}

fn is_int(module: &Module, ty: TyId, width: u32) -> bool {
    matches!(module.kind(ty), TyKind::Int(bits) if *bits == width)
}

/// The home and the bytes of an access; all bytes if its size is not known or they begin anew within it.
fn place(
    scope: Scope,
    points: &PointsTo,
    id: FnId,
    addr: &Operand,
    size: Option<u64>,
) -> Option<(Home, (i64, i64))> {
    let range = |start: i64| size.map_or(ALL, |size| (start, start.saturating_add_unsigned(size)));
    if let Some((object, offset)) = scope.promotion.base(id, addr)
        && scope.promotion.cells(object).is_some()
    {
        return Some((Home::Object(object), range(offset)));
    }
    let at = points.find(operand_ptr(points, id, addr)?);
    let modulus = points.modulus(at);
    let (start, end) = range(at.offset);
    let wraps = modulus > 0 && end > modulus as i64;
    Some((Home::Node(at.node), if wraps { ALL } else { (start, end) }))
}

struct Writes<'a> {
    scope: Scope<'a>,
    points: &'a PointsTo,
    bools: &'a mut Bools,
    changed: bool,
}

impl Writes<'_> {
    fn inst(&mut self, id: FnId, inst: &Inst) {
        let module = self.scope.module;
        let function = &module.functions[id];
        match &inst.kind {
            InstKind::Store { addr, value }
            | InstKind::AtomicRmw { addr, value, .. }
            | InstKind::CmpXchg { addr, new: value, .. } => {
                let keeps = matches!(inst.kind, InstKind::AtomicRmw { op, .. } if op != RmwOp::Xchg);
                if keeps || !self.is_bool(function, value) {
                    let size = operand_type(module, function, value).map(|ty| module.types[ty].store_size);
                    self.other(id, addr, size);
                }
            }
            InstKind::Call(call) => self.call(id, call),
            _ => {}
        }
    }

    /// Whether each byte of a value is 0 or 1.
    fn is_bool(&self, function: &Function, value: &Operand) -> bool {
        match value {
            Operand::Inst(inst) => match &function.insts[*inst].kind {
                InstKind::Cast(CastKind::ZExt, from) => operand_type(self.scope.module, function, from)
                    .is_some_and(|ty| is_int(self.scope.module, ty, 1)),
                _ => false,
            },
            value => constant_u64(value).is_some_and(|number| number < 2),
        }
    }

    fn call(&mut self, id: FnId, call: &CallInst) {
        let module = self.scope.module;
        let Some((target, function)) = callee(module, call) else { return };
        if !function.is_declaration() || is_hint(&function.name) {
            return;
        }
        match (range_call(function), call.args.as_slice()) {
            (Some(RangeKind::Fill), [to, byte, size, ..]) => {
                if constant_u64(byte).is_none_or(|byte| byte > 1) {
                    self.other(id, to, constant_u64(size));
                }
            }
            (Some(RangeKind::Copy), [to, from, size, ..]) => self.copy(id, to, from, constant_u64(size)),
            _ => {
                let effect = libc::effect(&function.name);
                let writes = matches!(
                    effect,
                    Effect::ReadInto(_) | Effect::GuessInto(_) | Effect::Buffer | Effect::Print
                );
                if writes || self.scope.reach.havoc.contains(&target) {
                    call.args.iter().for_each(|arg| self.other(id, arg, None));
                }
            }
        }
    }

    /// Bytes that something else than a `_Bool` is written to.
    fn other(&mut self, id: FnId, addr: &Operand, size: Option<u64>) {
        if let Some((home, range)) = place(self.scope, self.points, id, addr, size) {
            self.add(home, range);
        }
    }

    fn add(&mut self, home: Home, range: (i64, i64)) {
        self.changed |= self.bools.others.entry(home).or_default().add(range);
    }

    /// Bytes that are copied are what they were.
    fn copy(&mut self, id: FnId, to: &Operand, from: &Operand, size: Option<u64>) {
        let Some((target, into)) = place(self.scope, self.points, id, to, size) else { return };
        let Some((source, range)) = place(self.scope, self.points, id, from, size) else {
            return self.add(target, into);
        };
        let copied: Vec<(i64, i64)> =
            self.bools.others.get(&source).map(|bytes| bytes.within(range).collect()).unwrap_or_default();
        for (start, end) in copied {
            let moved = match into == ALL || range == ALL {
                true => into,
                false => (start - range.0 + into.0, end - range.0 + into.0),
            };
            self.add(target, moved);
        }
    }
}
