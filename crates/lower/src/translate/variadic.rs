//! Variable arguments: where the caller puts them, and the lists through which the callee reads them.
//!
//! All of them are in memory, one after the other, as the System V ABI puts those that found no register.

use super::Body;
use super::place::Place;
use crate::analyse::convention::{extra_arguments, may_be_halves, slots, va_list_fields};
use crate::analyse::points_to::Key;
use crate::analyse::shape::Leaf;
use crate::options::LowerError;
use beeline_ir::{Direction, ExprId, Type, VarId};
use beeline_module::*;

impl Body<'_, '_> {
    /// Saves the stack before arguments are put on it, if there are any.
    pub(super) fn frame_of_arguments(&mut self, call: &CallInst, target: FnId) -> Option<VarId> {
        if call.args.len() <= self.cx.scope.module.functions[target].params.len() {
            return None;
        }
        let stack = self.read(self.cx.stack);
        let frame = self.fresh("stack", self.cx.pointer());
        self.assign(frame, stack);
        Some(frame)
    }

    /// Restores the stack.
    pub(super) fn drop_frame(&mut self, frame: Option<VarId>) {
        if let Some(frame) = frame {
            let old = self.read(frame);
            self.assign(self.cx.stack, old);
        }
    }

    /// Puts the arguments after so many parameters on the stack, where `va_arg` reads them; returns the address.
    pub(super) fn variable_arguments(&mut self, target: FnId, call: &CallInst, fixed: usize) -> ExprId {
        let module = self.cx.scope.module;
        let extra = extra_arguments(module, self.function, call, fixed);
        let slots = slots(module.pointer_width, &extra);
        if may_be_halves(module, &slots) {
            let text = "no variable argument of 128 bits, or aligned like one";
            self.cx.note("arguments", text.into(), Direction::MayHideBug, self.span);
        }
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
        let var = self.fresh("arguments", self.cx.pointer());
        self.take_slot(var, self.cx.stack, self.cx.layout.stack);
        let area = self.read(var);
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
