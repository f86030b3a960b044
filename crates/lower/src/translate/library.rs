//! Functions of the C library: what the standard leaves open of their results, what they read, and `errno`.

use super::{Body, signature};
use crate::analyse::shape::{Leaf, leaves};
use crate::instruction::constant_u64;
use crate::libc::{Effect, effect, sets_variables, shown, takes_list};
use crate::models::{Loose, is_model, loose};
use crate::options::Externals;
use beeline_ir::{BinOp, Direction, ExprId, Op, Type, UnOp, Value};
use beeline_module::*;

/// The variable of the models that is `errno`, and the greatest value that Linux gives it.
const ERRNO: &str = "__beeline_errno";
const MOST_ERRNO: u64 = 4095;
/// The value of `errno` for an argument outside of a function's domain.
pub(super) const EDOM: u64 = 33;
/// A value for any other error.
const EIO: u64 = 5;

/// What the standard specifies of the result of a function, if that is one of the models.
pub(super) fn loose_result(function: &Function) -> Option<Loose> {
    loose(&function.name).filter(|_| is_model(function))
}

/// Whether a function without a body may set `errno`. Inputs and what the models ask for do not, but for a few.
pub(super) fn may_fail(name: &str) -> bool {
    // The inputs of the models of `getchar`, and of `strtod` and its kin.
    const FAILING: [&str; 4] = [
        "__beeline_input_getchar",
        "__beeline_guess_strtod",
        "__beeline_guess_strtof",
        "__beeline_guess_strtold",
    ];
    match effect(name) {
        Effect::Print | Effect::ReadInto(_) | Effect::GuessInto(_) | Effect::Unknown => true,
        Effect::Guess if !name.starts_with("__beeline_") => true,
        _ => FAILING.contains(&name),
    }
}

impl Body<'_, '_> {
    /// Notes that a comparison has to be an order for `qsort`, where its code raises doubts: differences may overflow,
    /// bits may be cut off, and floats may be unordered.
    pub(super) fn note_order(&mut self, call: &CallInst, target: FnId) {
        let module = self.cx.scope.module;
        if !["qsort", "__beeline_any_order_qsort"].contains(&module.functions[target].name.as_str()) {
            return;
        }
        let size = |function: &Function, operand: &Operand| {
            let ty = crate::instruction::operand_type(module, function, operand);
            ty.map_or(u64::MAX, |ty| module.types[ty].store_size)
        };
        // Values that were widened from so few bits that no difference overflows.
        let is_small = |function: &Function, operand: &Operand| match operand {
            Operand::Inst(inst) => match &function.insts[*inst].kind {
                InstKind::Cast(CastKind::ZExt | CastKind::SExt, from) => size(function, from) <= 2,
                _ => false,
            },
            _ => false,
        };
        let doubtful = |function: &Function| {
            function.insts.values().any(|inst| match &inst.kind {
                InstKind::Binary(BinaryOp::Sub, a, b) => !is_small(function, a) || !is_small(function, b),
                InstKind::Cast(CastKind::Trunc, from) => size(function, from) > 4,
                InstKind::FloatCompare(..) => true,
                _ => false,
            })
        };
        let compare = match call.args.last() {
            Some(Operand::Const(_, Const::Func(id))) => Some(&module.functions[*id]),
            _ => None,
        };
        if compare.is_none_or(doubtful) {
            let name = compare.map_or("the comparison of qsort", |function| function.name.as_str());
            let text = format!("{name} is a total order, as qsort requires");
            self.cx.note("order", text, Direction::MayHideBug, self.span);
        }
    }

    /// Notes that padding is compared: C lets every store to a member change it.
    pub(super) fn note_padding(&mut self, call: &CallInst, target: FnId) {
        if !["memcmp", "bcmp"].contains(&self.cx.scope.module.functions[target].name.as_str()) {
            return;
        }
        let points = self.cx.points;
        let ptrs = call.args.iter().filter_map(|arg| crate::analyse::flow::operand_ptr(points, self.id, arg));
        let padded = |object| crate::analyse::alias::has_padding(self.cx.scope.module, object);
        if ptrs.into_iter().any(|ptr| points.objects_of(ptr).any(|(object, _)| padded(object))) {
            let text = "padding between the members of a structure keeps its bytes".into();
            self.cx.note("padding", text, Direction::MayHideBug, self.span);
        }
    }

    /// Havocs the result of a function of the C library within what the standard allows, where the program does more
    /// with it than compare it with zero.
    pub(super) fn loosen(&mut self, inst: InstId, target: FnId) {
        let Some(kind) = loose_result(&self.cx.scope.module.functions[target]) else { return };
        let is_zero = |operand: &Operand| constant_u64(operand) == Some(0);
        let uses = self
            .function
            .insts
            .values()
            .filter(|data| crate::instruction::operands(&data.kind).contains(&&Operand::Inst(inst)));
        let only_compared = uses.into_iter().all(|data| match &data.kind {
            InstKind::IntCompare(_, a, b) => is_zero(a) || is_zero(b),
            _ => false,
        });
        let Some(&value) = self.values.get(&inst).and_then(|val| val.first()).filter(|_| !only_compared)
        else {
            return;
        };
        if matches!(kind, Loose::Truth) && self.cx.options.externals == Externals::Inert {
            // As in CBMC's library, and in proofs that compare it with unsigned numbers.
            let text = format!("{} returns 0 or 1", shown(&self.cx.scope.module.functions[target].name));
            return self.cx.note("libc-call", text, Direction::MayHideBug, self.span);
        }
        let any = self.any_like(value);
        let exprs = self.cx.builder.exprs();
        let zero = exprs.constant(Value::zero(exprs.ty(value)));
        let same_zero = {
            let (x, y) = (exprs.eq(value, zero), exprs.eq(any, zero));
            exprs.eq(x, y)
        };
        let allowed = match kind {
            Loose::Truth => same_zero,
            Loose::Sign => {
                let (x, y) = (exprs.binary(BinOp::Slt, value, zero), exprs.binary(BinOp::Slt, any, zero));
                let same_sign = exprs.eq(x, y);
                exprs.and(same_zero, same_sign)
            }
        };
        let result = self.cx.builder.exprs().ite(allowed, any, value);
        self.define_scalar(inst, result);
    }

    /// Sets `errno` where a condition holds, if the program reads it. Without a value it is any error.
    pub(super) fn set_errno(&mut self, condition: Option<ExprId>, value: Option<u64>) {
        let module = self.cx.scope.module;
        let is_errno = |&&id: &&GlobalId| module.globals[id].name.starts_with(ERRNO);
        let Some(&id) = self.cx.scope.reach.globals.iter().find(is_errno) else { return };
        let ty = module.globals[id].ty;
        let Some(list) = leaves(module, ty) else { return };
        let is_pointer = |(_, ty): &(TyId, &Ty)| ty.kind == TyKind::Ptr;
        let Some((pointer, _)) = module.types.iter().find(is_pointer) else { return };
        let addr = Operand::Const(pointer, Const::Global(id, 0));
        let place = self.locate(&addr);
        let old = self.load_leaf(&place, &list[0]);
        let old = self.kept(old);
        let new = match value {
            Some(value) => self.cx.builder.exprs().bv(32, value),
            None => {
                let any = self.any_leaf(Type::Bv(32));
                let exprs = self.cx.builder.exprs();
                let (none, most) = (exprs.bv(32, 0), exprs.bv(32, MOST_ERRNO));
                let (above, below) =
                    (exprs.binary(BinOp::Slt, none, any), exprs.binary(BinOp::Sle, any, most));
                let (is_error, another) = (exprs.and(above, below), exprs.bv(32, EIO));
                exprs.ite(is_error, any, another)
            }
        };
        let condition = match condition {
            Some(condition) => condition,
            None => self.any_leaf(Type::Bool),
        };
        let value = self.cx.builder.exprs().ite(condition, new, old);
        self.store_leaves(&place, &list, &[value]);
    }

    /// Havocs variables of the library that a function sets.
    pub(super) fn set_variables(&mut self, name: &str) {
        let module = self.cx.scope.module;
        let Some((pointer, _)) = module.types.iter().find(|(_, ty)| ty.kind == TyKind::Ptr) else { return };
        for variable in sets_variables(name) {
            let is_it =
                |&&id: &&GlobalId| module.globals[id].name == variable && module.globals[id].init.is_none();
            let Some(&id) = self.cx.scope.reach.globals.iter().find(is_it) else { continue };
            let Some(list) = leaves(module, module.globals[id].ty) else { continue };
            let place = self.locate(&Operand::Const(pointer, Const::Global(id, 0)));
            let values: Vec<ExprId> = list.iter().map(|leaf| self.any_leaf(leaf.ty)).collect();
            self.store_leaves(&place, &list, &values);
        }
    }

    /// The least and the greatest result of a function that reads: so many bytes, items or conversions, or -1; a
    /// pointer that it returns is null or its first argument.
    pub(super) fn bounds_of_read(&mut self, name: &str, call: &CallInst) -> Option<(ExprId, ExprId)> {
        let Effect::ReadInto(first) = effect(name) else { return None };
        let module = self.cx.scope.module;
        let width = self.cx.scope.module.pointer_width;
        let argument = |body: &mut Self, index: usize| {
            let arg = call.args.get(index)?;
            body.keep_for_later(arg);
            Some(body.address(arg))
        };
        let minus_one = self.word(u64::MAX);
        match (name, signature(module, call.ty)?.0) {
            ("fgets" | "gets" | "__fgets_chk", _) => Some((self.word(0), argument(self, 0)?)),
            ("read" | "recv", _) => Some((minus_one, argument(self, 2)?)),
            ("fread", _) => Some((self.word(0), argument(self, 2)?)),
            _ if name.ends_with("scanf") && !takes_list(name) => {
                let conversions = call.args.len().saturating_sub(first) as u64;
                Some((minus_one, self.word(conversions)))
            }
            _ => None,
        }
        .map(|(least, most)| {
            let exprs = self.cx.builder.exprs();
            (exprs.resize(least, width, true), exprs.resize(most, width, true))
        })
    }

    /// Ends a line that is read within its buffer.
    pub(super) fn end_line(&mut self, call: &CallInst) {
        let [to, size, ..] = call.args.as_slice() else { return };
        let ptr = crate::analyse::flow::operand_ptr(self.cx.points, self.id, to);
        self.keep_for_later(to);
        self.keep_for_later(size);
        let (to, size) = (self.address(to), self.address(size));
        let pointer = self.cx.pointer();
        let at = self.any_leaf(pointer);
        let exprs = self.cx.builder.exprs();
        let inside = exprs.binary(BinOp::Ult, at, size);
        let place = exprs.add(to, at);
        self.emit(Op::assume(inside));
        let zero = self.cx.builder.exprs().bv(8, 0);
        self.store_leaves(&super::place::Place::Memory(place, ptr), &[Leaf::new(0, Type::Bv(8), 1)], &[zero]);
    }

    /// Counts one more use of an operand than the instruction has.
    pub(super) fn keep_for_later(&mut self, operand: &Operand) {
        if let Operand::Inst(inst) = operand {
            self.left[*inst] += 1;
        }
    }

    /// Goes on only if a result is within bounds; a pointer is one of the two.
    pub(super) fn keep_within(&mut self, inst: InstId, least: ExprId, most: ExprId) {
        let Some(&value) = self.values.get(&inst).and_then(|val| val.first()) else { return };
        let is_pointer = matches!(self.cx.scope.module.kind(self.function.insts[inst].ty), TyKind::Ptr);
        let width = self.cx.scope.module.pointer_width;
        let exprs = self.cx.builder.exprs();
        let value = exprs.resize(value, width, true);
        let within = if is_pointer {
            let (a, b) = (exprs.eq(value, least), exprs.eq(value, most));
            exprs.or(a, b)
        } else {
            let (a, b) = (exprs.binary(BinOp::Sle, least, value), exprs.binary(BinOp::Sle, value, most));
            exprs.and(a, b)
        };
        self.emit(Op::assume(within));
    }

    /// Sets `errno` where a remainder is NaN though no operand is: an argument was outside of the domain.
    pub(super) fn set_errno_of_remainder(&mut self, args: &[ExprId], result: ExprId) {
        let exprs = self.cx.builder.exprs();
        let mut outside = exprs.unary(UnOp::FIsNan, result);
        for &arg in args {
            let is_nan = exprs.unary(UnOp::FIsNan, arg);
            let number = exprs.not(is_nan);
            outside = exprs.and(outside, number);
        }
        self.set_errno(Some(outside), Some(EDOM));
    }

    /// Havocs memory that is read from outside, if the result says that anything was read.
    pub(super) fn read_if_counted(&mut self, inst: InstId, name: &str, call: &CallInst, first: usize) {
        let Some(&value) = self.values.get(&inst).and_then(|val| val.first()) else {
            return self.read_into(name, call, first);
        };
        let value = self.kept(value);
        let exprs = self.cx.builder.exprs();
        let zero = exprs.bv(exprs.width(value), 0);
        let some = exprs.binary(BinOp::Slt, zero, value);
        let none = exprs.not(some);
        // Pending values are computed before the branch.
        self.emit(Op::Skip);
        let Some(fork) = self.current else { return };
        let joined = self.graph.node();
        self.emit(Op::assume(some));
        self.read_into(name, call, first);
        self.join_at(joined);
        self.current = Some(fork);
        self.emit(Op::assume(none));
        self.join_at(joined);
        self.current = Some(joined);
    }

    /// Havocs memory that is read from outside; its content is a guess where a library decides it.
    pub(super) fn read_into(&mut self, name: &str, call: &CallInst, first: usize) {
        if matches!(effect(name), Effect::ReadInto(_)) {
            for ptr in self.written_by(name, call, first) {
                let text = format!("{} reads any input", shown(name));
                self.cx.note("extern-write", text, Direction::MayInventBug, self.span);
                for group in self.cx.memory.groups(self.cx.points, ptr).to_vec() {
                    self.emit(Op::HavocRegion(group.region));
                }
            }
            return;
        }
        let name_shown = shown(name);
        let text = format!("{name_shown} of the C library has no exact model: it writes any values");
        self.write_anything(name, call, first, &text);
    }

    /// Havocs memory that a call writes to, from an argument on, which is a guess.
    pub(super) fn write_anything(&mut self, name: &str, call: &CallInst, first: usize, text: &str) {
        for ptr in self.written_by(name, call, first) {
            for group in self.cx.memory.groups(self.cx.points, ptr).to_vec() {
                self.emit(Op::HavocRegion(group.region));
                self.inexact("libc-call", text.into(), Direction::Both);
            }
        }
    }
}
