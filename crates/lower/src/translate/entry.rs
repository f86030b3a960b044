//! Facts at the start of the program: the parameters of `main`.
//!
//! There is at least the program's name, and no more than the kernel passes on. The list of arguments ends with a null
//! pointer; before that, each leads to a string of its own. Everything else about the arguments is any. The list and
//! that of the environment are memory of the system's, apart from each other and from all objects of the program.

use super::Body;
use crate::analyse::flow::operand_ptr;
use crate::analyse::points_to::{Key, PointsTo, Ptr};
use crate::analyse::scope::Scope;
use crate::instruction::operand_type;
use crate::instruction::{callee, range_call};
use beeline_ir::{BinOp, Bits, Direction, ExprId, InitRun, Op, ProgramBuilder, Type, Value, VarId};
use beeline_module::*;

/// Linux gives all arguments six megabytes; each takes a pointer and a zero at least.
pub const MOST_ARGUMENTS: u64 = 1 << 20;
/// Bytes of the longest argument.
const LONGEST: u64 = 1 << 17;

/// The address of the string of an argument of `main`.
pub fn text_of_argument(pointer_width: u32, index: u64) -> u64 {
    let (first, room) = texts(pointer_width);
    first.wrapping_add(index.wrapping_mul(room))
}

/// Whether an address lies among the strings of the arguments of `main`.
pub fn is_text_of_argument(pointer_width: u32, addr: u64) -> bool {
    let (first, room) = texts(pointer_width);
    addr.wrapping_sub(first) < room * MOST_ARGUMENTS
}

/// The start of the strings of the arguments, and their distance. No object of the program has a place among them.
fn texts(pointer_width: u32) -> (u64, u64) {
    match pointer_width {
        64 => (1 << 59, LONGEST),
        // The longest strings do not fit: as much as there is room for.
        _ => (0x4000_0000, 64),
    }
}

/// The address of the list of the arguments of `main`.
fn list_of_arguments(pointer_width: u32) -> u64 {
    if pointer_width == 64 { (1 << 62) + (1 << 40) } else { 0xf800_0000 }
}

/// The address of the list of the environment that `main` gets. No object of the program is at either place.
fn list_of_environment(pointer_width: u32) -> u64 {
    if pointer_width == 64 { (1 << 62) + (1 << 41) } else { 0xfc00_0000 }
}

/// Whether an address lies in the list of the arguments of `main` or in that of the environment.
pub fn is_in_list(pointer_width: u32, addr: u64) -> bool {
    let room = (MOST_ARGUMENTS + 1) * u64::from(pointer_width / 8);
    let lists = [list_of_arguments(pointer_width), list_of_environment(pointer_width)];
    lists.into_iter().any(|list| addr.wrapping_sub(list) < room)
}

/// The number of strings in the list from the start where the program writes to it.
const KNOWN_ARGUMENTS: u64 = 64;

/// The list of the arguments of `main`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arguments {
    /// The number of arguments from the system.
    count: VarId,
    /// The list in the points-to analysis.
    ptr: Ptr,
    /// Whether the program may write to it. Then its region holds its content; else the address of a read determines
    /// the value.
    written: bool,
}

impl Arguments {
    /// The arguments of the entry function, if that is `main`; declares a variable for their number.
    pub(crate) fn find(scope: Scope, points: &PointsTo, builder: &mut ProgramBuilder) -> Option<Arguments> {
        let main = &scope.module.functions[scope.entry];
        let (_, params, _) = super::signature(scope.module, main.ty)?;
        let width = match (main.name.as_str(), params) {
            ("main", &[count, _, ..]) => match scope.module.kind(count) {
                TyKind::Int(width) => *width,
                _ => return None,
            },
            _ => return None,
        };
        let ptr = points.value(Key::Param(scope.entry, 1))?;
        let count = builder.global("argc.given", Type::Bv(width), None);
        Some(Arguments { count, ptr, written: is_written(scope, points, ptr) })
    }
}

/// Whether the program writes memory of the node.
fn is_written(scope: Scope, points: &PointsTo, ptr: Ptr) -> bool {
    let module = scope.module;
    let node = |ptr: Ptr| points.find(ptr).node;
    scope.reach.functions.iter().any(|&id| {
        let leads_there =
            |addr: &Operand| operand_ptr(points, id, addr).is_some_and(|other| node(other) == node(ptr));
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

impl Body<'_, '_> {
    /// Adds the facts about the parameters at the start of `main`.
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
        let pointer_width = self.cx.scope.module.pointer_width;
        let lists = [list_of_arguments(pointer_width), list_of_environment(pointer_width)];
        for (&param, list) in params[1..].iter().zip(lists) {
            if self.cx.builder.program().vars[param].ty == self.cx.pointer() {
                let list = self.word(list);
                self.assign(param, list);
            }
        }
        if let Some(arguments) = self.cx.main_arguments {
            let given = self.read(count);
            self.assign(arguments.count, given);
            if arguments.written {
                self.write_arguments(arguments);
            }
        }
    }

    /// Writes the strings and the null pointer at the end into the region of the list.
    fn write_arguments(&mut self, Arguments { count, ptr, .. }: Arguments) {
        let module = self.cx.scope.module;
        let (width, size) = (module.pointer_width, u64::from(module.pointer_width / 8));
        let Some(group) = self.cx.memory.region(self.cx.points, ptr, size) else { return };
        if module.big_endian || !matches!(group.cell, Type::Bv(_)) || !size.is_multiple_of(group.word) {
            return;
        }
        let (list, bits) = (list_of_arguments(width), group.word as u32 * 8);
        let mut init = Vec::new();
        for index in 0..KNOWN_ARGUMENTS {
            let text = Bits::new(width, text_of_argument(width, index));
            for part in 0..width / bits {
                let cell = Value::Bv(text.extract(part * bits + bits - 1, part * bits));
                let addr = list + index * size + u64::from(part) * group.word;
                init.push(InitRun { addr, count: 1, value: self.cx.builder.constant(cell) });
            }
        }
        self.cx.builder.program_mut().regions[group.region].init.extend(init);
        let (given, list, size) = (self.read(count), self.word(list), self.word(size));
        let exprs = self.cx.builder.exprs();
        let given = exprs.resize(given, width, true);
        let far = exprs.binary(BinOp::Mul, given, size);
        let (addr, null) = (exprs.add(list, far), exprs.bv(width, 0));
        self.emit(Op::Store { region: group.region, addr, value: null });
    }

    /// Notes that accesses to the arguments of `main` stay within them, if a pointer leads there: how many bytes each has is
    /// not known.
    pub(super) fn note_arguments_of_main(&mut self, ptr: Ptr) {
        let points = self.cx.points;
        let list = self.cx.main_arguments.map(|Arguments { ptr, .. }| points.find(ptr).node);
        if self.is_listed(ptr) || list == Some(points.find(ptr).node) {
            let text = "accesses to the arguments of main stay within their list and its strings";
            self.cx.note("arguments", text.into(), Direction::MayHideBug, None);
        }
    }

    /// Whether a pointer comes from the list of the arguments of `main`.
    pub(super) fn is_listed(&self, ptr: Ptr) -> bool {
        let points = self.cx.points;
        let same = |a: Ptr, b: Ptr| points.find(a).node == points.find(b).node;
        self.cx.main_arguments.is_some_and(|Arguments { ptr: list, .. }| {
            !same(ptr, list) && points.pointees_of(list).any(|text| same(ptr, text))
        })
    }

    /// Whether an address lies among the strings of the arguments of `main`, if it has some.
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

    /// The value of a pointer that was read: known, if it is one of the arguments of `main` that nothing writes.
    pub(super) fn argument_or(&mut self, addr: ExprId, ptr: Option<Ptr>, value: ExprId) -> ExprId {
        let Some(Arguments { count, ptr: given, written: false }) = self.cx.main_arguments else {
            return value;
        };
        let node = |ptr: Ptr| self.cx.points.find(ptr).node;
        if ptr.map(node) != Some(node(given))
            || self.cx.builder.program().exprs.ty(value) != self.cx.pointer()
        {
            return value;
        }
        let width = self.cx.scope.module.pointer_width;
        let count = self.read(count);
        let ((first, room), size) = (texts(width), u64::from(width / 8));
        let (first, factor, size) = (self.word(first), self.word(room / size), self.word(size));
        let (list, null) = (self.word(list_of_arguments(width)), self.word(0));
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
