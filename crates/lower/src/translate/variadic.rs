//! Variable arguments: where the caller puts them, and the lists through which the callee reads them.
//!
//! All of them are in memory, one behind the other, as the System V ABI puts those that found no
//! register.

use super::access::Place;
use super::{Body, image_bits};
use crate::LowerError;
use crate::flow::operand_type;
use crate::llvm::*;
use crate::points_to::Key;
use crate::shape::{Leaf, Leaves, leaves};
use beeline_ir::{ExprId, Type, VarId};

/// An argument behind the parameters.
pub(crate) struct Extra {
    /// Its leaves, or those of the structure that it points to.
    pub leaves: Leaves,
    /// Is a structure passed, by a pointer to it?
    pub by_value: bool,
    /// Size and alignment, where its leaves stay together.
    block: Option<(u64, u64)>,
}

/// Where a leaf of a variable argument is in the area of all.
pub(crate) struct Slot {
    /// From the start of the area.
    pub offset: u64,
    /// In bytes.
    pub size: u64,
    ty: Type,
}

impl Slot {
    /// The type of what is in memory.
    pub fn memory_type(&self) -> Type {
        if matches!(self.ty, Type::Float(_)) { self.ty } else { Type::Bv(self.size as u32 * 8) }
    }
}

/// The arguments of a call behind so many parameters.
pub(crate) fn extra_arguments(
    module: &Module,
    function: &Function,
    call: &CallInst,
    fixed: usize,
) -> Vec<Extra> {
    let extra = |(index, arg): (usize, &Operand)| {
        let passed = call.byval.get(index).copied().flatten();
        let ty = passed.or_else(|| operand_type(module, function, arg));
        let whole = |ty: &TyId| {
            passed.is_some()
                || matches!(module.kind(*ty), TyKind::Vector(..) | TyKind::Struct(_) | TyKind::Array(..))
        };
        let block = ty.filter(whole).map(|ty| (module.types[ty].size, module.types[ty].align));
        let leaves = ty.and_then(|ty| leaves(module, ty)).unwrap_or_default();
        Extra { leaves, by_value: passed.is_some(), block }
    };
    call.args.iter().enumerate().skip(fixed).map(extra).collect()
}

/// Where the leaves of variable arguments are.
pub(crate) fn slots(pointer_width: u32, extra: &[Extra]) -> Vec<Slot> {
    let word = u64::from(pointer_width / 8);
    let aligned = |wide: bool| if word == 8 && wide { 16 } else { word };
    let mut next = 0u64;
    let mut list = Vec::new();
    for Extra { leaves, block, .. } in extra {
        if let Some((size, align)) = block {
            next = next.next_multiple_of(aligned(*align > 8));
            list.extend(leaves.iter().map(|leaf| Slot {
                offset: next + leaf.offset,
                size: leaf.size,
                ty: leaf.ty,
            }));
            next += size.next_multiple_of(word);
            continue;
        }
        for leaf in leaves {
            let bytes = u64::from(image_bits(leaf.ty)).div_ceil(8);
            next = next.next_multiple_of(aligned(bytes > 8));
            let size = if matches!(leaf.ty, Type::Float(_)) { bytes } else { bytes.next_multiple_of(word) };
            list.push(Slot { offset: next, size, ty: leaf.ty });
            next += size.next_multiple_of(word);
        }
    }
    list
}

/// The fields of a `va_list`: offset, size, and the value at the start; none is the area's address.
pub(crate) fn va_list_fields(pointer_width: u32) -> Vec<(u64, u64, Option<u64>)> {
    match pointer_width {
        64 => vec![(0, 4, Some(48)), (4, 4, Some(304)), (8, 8, None), (16, 8, Some(0))],
        width => vec![(0, u64::from(width / 8), None)],
    }
}

impl Body<'_, '_> {
    /// The stack before arguments are put on it, if there are any that are.
    pub(super) fn frame_of_arguments(&mut self, call: &CallInst, target: FnId) -> Option<VarId> {
        if call.args.len() <= self.cx.scope.module.functions[target].params.len() {
            return None;
        }
        let stack = self.read(self.cx.stack);
        let frame = self.fresh("stack", self.cx.pointer());
        self.assign(frame, stack);
        Some(frame)
    }

    /// Takes them off again.
    pub(super) fn drop_frame(&mut self, frame: Option<VarId>) {
        if let Some(frame) = frame {
            let old = self.read(frame);
            self.assign(self.cx.stack, old);
        }
    }

    /// Puts the arguments behind so many parameters on the stack, where `va_arg` looks for them: the
    /// address.
    pub(super) fn variable_arguments(&mut self, target: FnId, call: &CallInst, fixed: usize) -> ExprId {
        let module = self.cx.scope.module;
        let extra = extra_arguments(module, self.function, call, fixed);
        let slots = slots(module.pointer_width, &extra);
        let mut values = Vec::new();
        for (arg, extra) in call.args.iter().skip(fixed).zip(&extra) {
            if extra.by_value {
                let place = self.locate(arg);
                values.extend(extra.leaves.iter().map(|leaf| self.load_leaf(&place, leaf)));
            } else {
                values.extend(self.operand(arg));
            }
        }
        let values: Vec<ExprId> = values.into_iter().map(|value| self.saved(value)).collect();
        let bytes = self.word(slots.last().map_or(0, |slot| slot.offset + 16));
        let area = self.reserve(Key::VarArgs(target), bytes);
        let Some(ptr) = self.cx.points.value(Key::VarArgs(target)) else { return area };
        for (slot, value) in slots.into_iter().zip(values) {
            let leaf = Leaf::new(slot.offset, slot.ty, slot.size);
            self.store_leaves(&Place::Memory(area, Some(ptr)), &[leaf], &[value]);
        }
        area
    }

    /// The beginning of a list of variable arguments, as the System V ABI lays it out: all arguments
    /// are in the area for those that found no register.
    pub(super) fn va_start(&mut self, call: &CallInst) -> Result<(), LowerError> {
        let Some(area) = self.varargs else {
            return Err(self.unsupported("va_start outside of a variadic function"));
        };
        let Some(list) = call.args.first() else { return Ok(()) };
        let area = self.read(area);
        let place = self.locate(list);
        for (offset, bytes, value) in va_list_fields(self.cx.scope.module.pointer_width) {
            let value = match value {
                Some(number) => self.cx.builder.exprs().bv(bytes as u32 * 8, number),
                None => area,
            };
            let leaf = Leaf::new(offset, Type::Bv(bytes as u32 * 8), bytes);
            self.store_leaves(&place, &[leaf], &[value]);
        }
        Ok(())
    }

    pub(super) fn va_copy(&mut self, call: &CallInst) -> Result<(), LowerError> {
        let [to, from, ..] = call.args.as_slice() else { return Ok(()) };
        let (to, from) = (self.locate(to), self.locate(from));
        for (offset, bytes, _) in va_list_fields(self.cx.scope.module.pointer_width) {
            let leaf = Leaf::new(offset, Type::Bv(bytes as u32 * 8), bytes);
            let value = self.load_leaf(&from, &leaf);
            self.store_leaves(&to, &[leaf], &[value]);
        }
        Ok(())
    }
}
