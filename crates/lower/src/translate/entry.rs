//! What is known where the program starts: the parameters of `main`.
//!
//! There is at least the program's name, and no more than the kernel passes on; the list of arguments ends with a
//! null pointer; before that, each leads to a text of its own. Everything else about the arguments is any.

use super::Body;
use crate::analyse::flow::operand_ptr;
use crate::analyse::points_to::{Key, Ptr};
use crate::instruction::operand_type;
use crate::instruction::{callee, range_call};
use beeline_ir::{BinOp, ExprId, Type};
use beeline_llvm::module::*;

/// Linux gives all arguments six megabytes; each takes a pointer and a zero at least.
pub const MOST_ARGUMENTS: u64 = 1 << 20;
/// Bytes of the longest argument.
const LONGEST: u64 = 1 << 17;

/// Where the text of an argument of `main` lies.
pub fn text_of_argument(pointer_width: u32, index: u64) -> u64 {
    let (first, room) = texts(pointer_width);
    first.wrapping_add(index.wrapping_mul(room))
}

/// Does an address lie among the texts of the arguments of `main`?
pub fn is_text_of_argument(pointer_width: u32, addr: u64) -> bool {
    let (first, room) = texts(pointer_width);
    addr.wrapping_sub(first) < room * MOST_ARGUMENTS
}

/// Where the texts of the arguments begin, and how far they are apart. No object of the program has a place among them.
fn texts(pointer_width: u32) -> (u64, u64) {
    match pointer_width {
        64 => (1 << 59, LONGEST),
        // There is no room for the longest texts: as much as there is for all of them.
        _ => (0x4000_0000, 64),
    }
}

/// The list of the arguments of `main`, their number, and what the list is for the points-to analysis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arguments {
    list: beeline_ir::VarId,
    count: beeline_ir::VarId,
    ptr: Ptr,
}

impl Body<'_, '_> {
    /// Says at the start of `main` what is known of its parameters.
    pub(super) fn begin_main(&mut self) {
        if self.id != self.cx.scope.entry || self.function.name != "main" {
            return;
        }
        let params = self.cx.builder.program().functions[self.func].params.clone();
        let Some(&count) = params.first() else { return };
        let Type::Bv(width) = self.cx.builder.program().vars[count].ty else { return };
        let given = self.read(count);
        let exprs = self.cx.builder.exprs();
        let (one, most) = (exprs.bv(width, 1), exprs.bv(width, MOST_ARGUMENTS));
        let (some, few) = (exprs.binary(BinOp::Sle, one, given), exprs.binary(BinOp::Sle, given, most));
        let possible = exprs.and(some, few);
        let number = exprs.ite(possible, given, one);
        self.assign(count, number);
        let (Some(&list), Some(ptr)) = (params.get(1), self.cx.points.value(Key::Param(self.id, 1))) else {
            return;
        };
        if self.cx.memory.groups(self.cx.points, ptr).is_empty() || self.is_written(ptr) {
            return;
        }
        // The copies stay as they are, whatever becomes of the parameters.
        let [list, count] = [("argv.given", list), ("argc.given", count)].map(|(name, param)| {
            let var = self.fresh(name, self.cx.builder.program().vars[param].ty);
            let value = self.read(param);
            self.assign(var, value);
            var
        });
        self.main_arguments = Some(Arguments { list, count, ptr });
    }

    /// Is this `main`, and does a pointer come from the list of its arguments, of which is known what it holds?
    pub(super) fn is_listed(&self, ptr: Ptr) -> bool {
        let points = self.cx.points;
        let same = |a: Ptr, b: Ptr| points.find(a).node == points.find(b).node;
        self.main_arguments.is_some_and(|Arguments { ptr: list, .. }| {
            !same(ptr, list) && points.pointees_of(list).any(|text| same(ptr, text))
        })
    }

    /// Does the program write memory of the node?
    fn is_written(&self, ptr: Ptr) -> bool {
        let module = self.cx.scope.module;
        let node = |ptr: Ptr| self.cx.points.find(ptr).node;
        self.cx.scope.reach.functions.iter().any(|&id| {
            let leads_there = |addr: &Operand| {
                operand_ptr(self.cx.points, id, addr).is_some_and(|other| node(other) == node(ptr))
            };
            module.functions[id].insts.values().any(|inst| match &inst.kind {
                InstKind::Store { addr, .. }
                | InstKind::CmpXchg { addr, .. }
                | InstKind::AtomicRmw { addr, .. } => leads_there(addr),
                InstKind::Call(call) => {
                    let writes = callee(module, call)
                        .is_none_or(|(_, callee)| callee.is_declaration() || range_call(callee).is_some());
                    let is_pointer = |arg: &&Operand| {
                        let ty = operand_type(module, &module.functions[id], arg);
                        ty.is_some_and(|ty| matches!(module.kind(ty), TyKind::Ptr))
                    };
                    writes && call.args.iter().filter(is_pointer).any(leads_there)
                }
                _ => false,
            })
        })
    }

    /// Does an address lie among the texts of the arguments of `main`, if it has some?
    pub(super) fn is_in_argument(&mut self, addr: ExprId) -> Option<ExprId> {
        let main = &self.cx.scope.module.functions[self.cx.scope.entry];
        if main.name != "main" || main.params.len() < 2 {
            return None;
        }
        let (first, room) = texts(self.cx.scope.module.pointer_width);
        let (first, size) = (self.word(first), self.word(room * MOST_ARGUMENTS));
        let exprs = self.cx.builder.exprs();
        let distance = exprs.sub(addr, first);
        Some(exprs.binary(BinOp::Ult, distance, size))
    }

    /// What a pointer that was read is: known, if it is one of the arguments of `main`.
    pub(super) fn argument_or(&mut self, addr: ExprId, ptr: Option<Ptr>, value: ExprId) -> ExprId {
        let Some(Arguments { list, count, ptr: given }) = self.main_arguments else { return value };
        let node = |ptr: Ptr| self.cx.points.find(ptr).node;
        if ptr.map(node) != Some(node(given))
            || self.cx.builder.program().exprs.ty(value) != self.cx.pointer()
        {
            return value;
        }
        let width = self.cx.scope.module.pointer_width;
        let (list, count) = (self.read(list), self.read(count));
        let ((first, room), size) = (texts(width), u64::from(width / 8));
        let (first, factor, size) = (self.word(first), self.word(room / size), self.word(size));
        let null = self.word(0);
        let exprs = self.cx.builder.exprs();
        let count = exprs.resize(count, width, true);
        let bytes = exprs.binary(BinOp::Mul, count, size);
        let distance = exprs.sub(addr, list);
        let room = exprs.binary(BinOp::Mul, distance, factor);
        let text = exprs.add(first, room);
        let (inside, at_end) = (exprs.binary(BinOp::Ult, distance, bytes), exprs.eq(distance, bytes));
        let behind = exprs.ite(at_end, null, value);
        exprs.ite(inside, text, behind)
    }
}
