//! Results that LLVM leaves open: they are any value where what an instruction assumes does not hold.
//! [`crate::undefined`] has the table of all treatments.

use super::Body;
use crate::instruction::{callee, constant_u64};
use crate::options::{DIVISION_TARGET, Fault, SHIFT_TARGET};
use beeline_ir::{BinOp, Bits, CastOp, Direction, Expr, ExprId, FloatKind, Op, Type, UnOp, Value};
use beeline_module::*;

/// The functions by which sanitizers report divisions.
const DIVISION_HANDLER: &str = "__ubsan_handle_divrem_overflow";

impl Body<'_, '_> {
    /// A value where a condition holds, any value elsewhere.
    pub(super) fn if_defined(&mut self, defined: Option<ExprId>, value: ExprId) -> ExprId {
        let Some(defined) = defined else { return value };
        let exprs = &self.cx.builder.program().exprs;
        let ty = exprs.ty(value);
        match exprs.as_const(defined).and_then(Value::as_bool) {
            Some(true) => value,
            Some(false) => self.any_leaf(ty),
            None => {
                let any = self.any_leaf(ty);
                self.cx.builder.exprs().ite(defined, value, any)
            }
        }
    }

    /// Ends the execution here, as the behaviour of a machine is not defined. The operation is counted.
    pub(super) fn stuck(&mut self, text: String) {
        self.ends(beeline_ir::UNDEFINED, text);
    }

    fn ends(&mut self, kind: &str, text: String) {
        let var = self.fresh("undefined", Type::Bv(8));
        let exprs = self.cx.builder.exprs();
        let (one, zero) = (exprs.bv(8, 1), exprs.bv(8, 0));
        let never = exprs.binary(BinOp::UDiv, one, zero);
        self.emit(Op::assign(var, never));
        // No execution gets past the edge: it invents no bug, and executions that reach it report it.
        self.inexact(kind, text, Direction::MayInventBug);
    }

    /// Ends the execution here, as what the program asks for has no model. It is counted like an undefined operation,
    /// where it may lead to a target: what follows has to include all that may come of it.
    pub(super) fn not_modelled(&mut self, what: &str) {
        self.ends(beeline_ir::NOT_MODELLED, format!("{what} has no model"));
    }

    /// Adds a violation where a condition holds, if the property asks for it; else the execution is stuck there.
    pub(super) fn violates_if(&mut self, condition: ExprId, fault: Fault, what: &str, text: String) {
        let known = self.cx.builder.program().exprs.as_const(condition).and_then(Value::as_bool);
        let Some(property) = self.cx.options.violated_by(fault).filter(|_| known != Some(false)) else {
            return self.stuck_if(condition, text);
        };
        if known == Some(true) {
            return self.violation(what, property);
        }
        self.emit(Op::Skip);
        let Some(fork) = self.current else { return };
        self.emit(Op::assume(condition));
        self.violation(what, property);
        self.current = Some(fork);
        let fine = self.cx.builder.exprs().not(condition);
        self.emit(Op::assume(fine));
    }

    /// Makes the execution stuck where a condition holds.
    pub(super) fn stuck_if(&mut self, condition: ExprId, text: String) {
        self.ends_if(condition, beeline_ir::UNDEFINED, text);
    }

    /// Ends the execution where a condition holds, as what it asks for has no model.
    pub(super) fn not_modelled_if(&mut self, condition: ExprId, what: &str) {
        self.ends_if(condition, beeline_ir::NOT_MODELLED, format!("{what} has no model"));
    }

    fn ends_if(&mut self, condition: ExprId, kind: &str, text: String) {
        match self.cx.builder.program().exprs.as_const(condition).and_then(Value::as_bool) {
            Some(false) => return,
            Some(true) => return self.ends(kind, text),
            None => {}
        }
        // Pending values are computed before the branch.
        self.emit(Op::Skip);
        let Some(fork) = self.current else { return };
        self.emit(Op::assume(condition));
        self.ends(kind, text);
        let Some(joined) = self.current.replace(fork) else { return };
        let fine = self.cx.builder.exprs().not(condition);
        self.emit(Op::assume(fine));
        if let Some(current) = self.current.replace(joined) {
            self.graph.join(joined, current);
        }
    }

    /// Makes a division without a result and a shift by too much a violation, where the property asks for it and no
    /// sanitizer looks: it looks neither at elements of vectors, nor at complex numbers, nor at the library.
    pub(super) fn check_operation(&mut self, op: BinaryOp, second: &Operand, a: &[ExprId], b: &[ExprId]) {
        use BinaryOp::{AShr, LShr, SDiv, SRem, Shl, UDiv, URem};
        let (fault, what) = match op {
            UDiv | SDiv | URem | SRem => (Fault::Division, DIVISION_TARGET),
            Shl | LShr | AShr if a.len() > 1 => (Fault::Shift, SHIFT_TARGET),
            _ => return,
        };
        let is_looked_at = |body: &Self| a.len() == 1 && body.is_looked_at_by_sanitizer(second);
        if self.cx.options.violated_by(fault).is_none() || is_looked_at(self) {
            return;
        }
        for (&a, &b) in a.iter().zip(b) {
            let Type::Bv(width) = self.cx.builder.program().exprs.ty(b) else { return };
            let exprs = self.cx.builder.exprs();
            let (zero, most) = (exprs.bv(width, 0), exprs.bv(width, u64::from(width)));
            let mut wrong = match fault {
                Fault::Shift => exprs.binary(BinOp::Ule, most, b),
                _ => exprs.eq(b, zero),
            };
            if let SDiv | SRem = op {
                let least = exprs
                    .constant(Value::Bv(Bits::new(width, 1).shl(&Bits::new(width, u64::from(width - 1)))));
                let minus = exprs.unary(UnOp::BvNot, zero);
                let (is_least, is_minus) = (exprs.eq(a, least), exprs.eq(b, minus));
                let overflows = exprs.and(is_least, is_minus);
                wrong = exprs.or(wrong, overflows);
            }
            self.violates_if(wrong, fault, what, String::new());
        }
    }

    /// Whether a sanitizer compares the divisor with zero: the function reports divisions, and has the comparison.
    fn is_looked_at_by_sanitizer(&self, divisor: &Operand) -> bool {
        let is_zero = |operand: &Operand| constant_u64(operand) == Some(0);
        let (mut reports, mut compares) = (false, false);
        for inst in self.function.insts.values() {
            match &inst.kind {
                InstKind::IntCompare(_, a, b) => {
                    compares |= a == divisor && is_zero(b) || b == divisor && is_zero(a);
                }
                InstKind::Call(call) => {
                    reports |= callee(self.cx.scope.module, call)
                        .is_some_and(|(_, function)| function.name.starts_with(DIVISION_HANDLER));
                }
                _ => {}
            }
        }
        reports && compares
    }

    /// The result of an operation on integers, with its flags.
    pub(super) fn integer_result(&mut self, op: BinaryOp, flags: Flags, a: ExprId, b: ExprId) -> ExprId {
        let value = self.binary(op, a, b);
        let shift = matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr);
        let mut conditions = vec![if shift { self.in_width(a, b) } else { None }];
        if self.cx.builder.program().exprs.ty(a) != Type::Bool {
            conditions.push(if flags.nsw { self.fits(op, true, a, b, value) } else { None });
            conditions.push(if flags.nuw { self.fits(op, false, a, b, value) } else { None });
            conditions.push(if flags.exact { self.leaves_nothing(op, a, b, value) } else { None });
            conditions.push(flags.disjoint.then(|| self.shares_no_bit(a, b)));
        }
        let defined = self.all(conditions.into_iter().flatten());
        self.if_defined(defined, value)
    }

    /// The result of a comparison of integers, with its flags.
    pub(super) fn comparison_result(&mut self, flags: Flags, a: ExprId, b: ExprId, value: ExprId) -> ExprId {
        if !flags.same_sign {
            return value;
        }
        let exprs = self.cx.builder.exprs();
        let defined = match exprs.ty(a).bv_width() {
            // The sign of a number of one bit is that bit.
            None => exprs.eq(a, b),
            Some(width) => {
                let zero = exprs.bv(width, 0);
                let (first, second) = (exprs.binary(BinOp::Slt, a, zero), exprs.binary(BinOp::Slt, b, zero));
                exprs.eq(first, second)
            }
        };
        self.if_defined(Some(defined), value)
    }

    /// The truth of a byte that is read as a `_Bool`: any, if it is neither 0 nor 1.
    pub(super) fn as_bool(&mut self, byte: ExprId, lowest: ExprId) -> ExprId {
        let exprs = self.cx.builder.exprs();
        let two = exprs.bv(8, 2);
        let defined = exprs.binary(BinOp::Ult, byte, two);
        self.if_defined(Some(defined), lowest)
    }

    /// The result of a conversion, with its flags.
    pub(super) fn converted(&mut self, flags: Flags, from: ExprId, value: ExprId) -> ExprId {
        let width = |body: &Self, id: ExprId| body.cx.builder.program().exprs.ty(id).bv_width();
        let mut conditions = Vec::new();
        let narrow = if self.cx.builder.program().exprs.ty(value) == Type::Bool {
            Some(1)
        } else {
            width(self, value)
        };
        if let (true, Some(narrow), Some(wide)) = (flags.nsw || flags.nuw, narrow, width(self, from))
            && narrow < wide
        {
            for signed in [flags.nsw.then_some(true), flags.nuw.then_some(false)].into_iter().flatten() {
                let exprs = self.cx.builder.exprs();
                let low = exprs.extract(narrow - 1, 0, from);
                let back = exprs.resize(low, wide, signed);
                conditions.push(exprs.eq(back, from));
            }
        }
        if let (true, Some(width)) = (flags.nneg, width(self, from)) {
            let exprs = self.cx.builder.exprs();
            let zero = exprs.bv(width, 0);
            conditions.push(exprs.binary(BinOp::Sle, zero, from));
        }
        let defined = self.all(conditions.into_iter());
        self.if_defined(defined, value)
    }

    /// All of some conditions; nothing if there are none.
    fn all(&mut self, conditions: impl Iterator<Item = ExprId>) -> Option<ExprId> {
        conditions.reduce(|all, condition| self.cx.builder.exprs().and(all, condition))
    }

    /// The condition that a shift is by less than the width; nothing if that is known.
    fn in_width(&mut self, a: ExprId, by: ExprId) -> Option<ExprId> {
        if self.cx.builder.program().exprs.ty(a) == Type::Bool {
            return Some(self.cx.builder.exprs().not(by));
        }
        let width = self.cx.builder.program().exprs.width(a);
        if self.at_most(by) < u64::from(width) {
            return None;
        }
        let exprs = self.cx.builder.exprs();
        let limit = exprs.bv(width, u64::from(width));
        Some(exprs.binary(BinOp::Ult, by, limit))
    }

    /// A number that an unsigned value never exceeds, as far as its expression shows.
    fn at_most(&self, value: ExprId) -> u64 {
        let exprs = &self.cx.builder.program().exprs;
        let all = |width: u32| if width < 64 { (1u64 << width) - 1 } else { u64::MAX };
        let number = |id: ExprId| exprs.as_bits(id).map(|bits| bits.to_u64().unwrap_or(u64::MAX));
        let most = match exprs[value] {
            Expr::Const(_) => number(value),
            Expr::Binary(BinOp::And, a, b) => Some(self.at_most(a).min(self.at_most(b))),
            Expr::Binary(BinOp::URem, _, b) => number(b).map(|b| b.saturating_sub(1)),
            Expr::Binary(BinOp::LShr, a, b) => number(b).filter(|b| *b < 64).map(|b| self.at_most(a) >> b),
            Expr::Cast(CastOp::ZExt, _, a) => Some(self.at_most(a)),
            Expr::Ite(_, a, b) => Some(self.at_most(a).max(self.at_most(b))),
            _ => None,
        };
        most.unwrap_or(u64::MAX).min(all(exprs.ty(value).bv_width().unwrap_or(64)))
    }

    /// The condition that a result is the mathematical one.
    fn fits(&mut self, op: BinaryOp, signed: bool, a: ExprId, b: ExprId, value: ExprId) -> Option<ExprId> {
        let exprs = self.cx.builder.exprs();
        let width = exprs.width(a);
        let (op, wide) = match op {
            BinaryOp::Shl => {
                let back = exprs.binary(if signed { BinOp::AShr } else { BinOp::LShr }, value, b);
                return Some(exprs.eq(back, a));
            }
            BinaryOp::Add => (BinOp::Add, width + 1),
            BinaryOp::Sub => (BinOp::Sub, width + 1),
            BinaryOp::Mul => (BinOp::Mul, 2 * width),
            _ => return None,
        };
        let (x, y) = (exprs.resize(a, wide, signed), exprs.resize(b, wide, signed));
        let (exact, again) = (exprs.binary(op, x, y), exprs.resize(value, wide, signed));
        Some(exprs.eq(exact, again))
    }

    /// The condition that a division or a shift to the right loses nothing.
    fn leaves_nothing(&mut self, op: BinaryOp, a: ExprId, b: ExprId, value: ExprId) -> Option<ExprId> {
        let exprs = self.cx.builder.exprs();
        let back = match op {
            BinaryOp::LShr | BinaryOp::AShr => exprs.binary(BinOp::Shl, value, b),
            BinaryOp::UDiv | BinaryOp::SDiv => {
                let divisor = exprs.as_bits(b).and_then(Bits::to_u64);
                match divisor.filter(|divisor| divisor.is_power_of_two()) {
                    Some(1) => return None,
                    // It is easier to decide that the low bits are zero.
                    Some(power) => {
                        let low = exprs.extract(power.trailing_zeros() - 1, 0, a);
                        let zero = exprs.bv(power.trailing_zeros(), 0);
                        return Some(exprs.eq(low, zero));
                    }
                    None => exprs.binary(BinOp::Mul, value, b),
                }
            }
            _ => return None,
        };
        Some(exprs.eq(back, a))
    }

    fn shares_no_bit(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let exprs = self.cx.builder.exprs();
        let common = exprs.binary(BinOp::And, a, b);
        let zero = exprs.constant(Value::zero(exprs.ty(a)));
        exprs.eq(common, zero)
    }

    /// A result of floats, with the flags of the operation.
    pub(super) fn float_result(&mut self, flags: Flags, operands: &[ExprId], value: ExprId) -> ExprId {
        let ty = self.cx.builder.program().exprs.ty(value);
        if matches!(ty, Type::Float(_)) && (flags.approximate || self.has_excess_precision()) {
            return self.any_leaf(ty);
        }
        let mut ordinary = Vec::new();
        for (_, special) in
            [(flags.nnan, UnOp::FIsNan), (flags.ninf, UnOp::FIsInf)].into_iter().filter(|(flag, _)| *flag)
        {
            for &float in operands.iter().chain([&value]) {
                let exprs = self.cx.builder.exprs();
                if matches!(exprs.ty(float), Type::Float(_)) {
                    let is_special = exprs.unary(special, float);
                    ordinary.push(exprs.not(is_special));
                }
            }
        }
        let defined = self.all(ordinary.into_iter());
        self.if_defined(defined, value)
    }

    fn has_feature(&self, wanted: &[&str]) -> bool {
        self.function.features.split(',').any(|feature| wanted.contains(&feature))
    }

    /// Whether the processor computes with more digits than floats have, as the x87 does.
    fn has_excess_precision(&self) -> bool {
        let x86 = ["i386", "i486", "i586", "i686"];
        x86.iter().any(|name| self.cx.scope.module.triple.starts_with(name))
            && (!self.has_feature(&["+sse2"]) || self.has_feature(&["-sse", "-sse2"]))
    }

    /// Whether the processor may round a product and a sum in one step.
    pub(super) fn may_fuse(&self) -> bool {
        self.has_feature(&["+fma", "+fma4", "+avx512f"])
    }

    /// A float as an integer of a width: any if it does not fit.
    pub(super) fn integer_of_float(&mut self, signed: bool, value: ExprId, width: u32) -> ExprId {
        let Type::Float(kind) = self.cx.builder.program().exprs.ty(value) else { return value };
        let op = if signed { CastOp::FToS } else { CastOp::FToU };
        let defined = self.fits_integer(signed, kind, value, width);
        // Only a number that fits is converted: the operation has a result in any case.
        let exprs = self.cx.builder.exprs();
        let zero = exprs.constant(Value::zero(Type::Float(kind)));
        let fitting = exprs.ite(defined, value, zero);
        let converted = exprs.cast(op, Type::Bv(width), fitting);
        self.if_defined(Some(defined), converted)
    }

    /// The condition that a float without its fraction is an integer of a width.
    fn fits_integer(&mut self, signed: bool, kind: FloatKind, value: ExprId, width: u32) -> ExprId {
        // If the format has too few digits, the number below the least one would be rounded to that.
        let exact = !signed || width <= kind.precision();
        let (below, over) = match signed {
            true => (float_of(kind, true, width - 1, exact), float_of(kind, false, width - 1, false)),
            false => (float_of(kind, true, 0, false), float_of(kind, false, width, false)),
        };
        let exprs = self.cx.builder.exprs();
        let (below, over) = (exprs.constant(below), exprs.constant(over));
        let above = exprs.binary(if exact { BinOp::FLt } else { BinOp::FLe }, below, value);
        let beneath = exprs.binary(BinOp::FLt, value, over);
        exprs.and(above, beneath)
    }

    /// The bits of a float. Those of a NaN that was computed are any NaN's: only operations on bits keep them.
    pub(super) fn bits_of_float(&mut self, value: ExprId, kind: FloatKind) -> ExprId {
        let width = kind.width();
        let sign = Bits::new(width, 1).shl(&Bits::new(width, u64::from(width - 1)));
        match self.cx.builder.program().exprs[value] {
            // The IR has one NaN, so that it is not known any more which one a constant was.
            Expr::Const(_) if self.is_nan_constant(value) => self.any_nan(kind),
            Expr::Const(_) => self.cx.builder.exprs().cast(CastOp::ToBits, Type::Bv(width), value),
            Expr::Cast(CastOp::FromBits, _, bits) => bits,
            Expr::Unary(op @ (UnOp::FNeg | UnOp::FAbs), inner) => {
                let bits = self.bits_of_float(inner, kind);
                let (op, mask) = if op == UnOp::FNeg { (BinOp::Xor, sign) } else { (BinOp::And, sign.not()) };
                let exprs = self.cx.builder.exprs();
                let mask = exprs.constant(Value::Bv(mask));
                exprs.binary(op, bits, mask)
            }
            Expr::Ite(cond, a, b) => {
                let (a, b) = (self.bits_of_float(a, kind), self.bits_of_float(b, kind));
                self.cx.builder.exprs().ite(cond, a, b)
            }
            _ => {
                let nan = self.any_nan(kind);
                let exprs = self.cx.builder.exprs();
                let is_nan = exprs.unary(UnOp::FIsNan, value);
                let bits = exprs.cast(CastOp::ToBits, Type::Bv(width), value);
                exprs.ite(is_nan, nan, bits)
            }
        }
    }

    fn is_nan_constant(&self, value: ExprId) -> bool {
        let constant = self.cx.builder.program().exprs.as_const(value);
        matches!(constant, Some(Value::Float(kind, bits)) if beeline_ir::value::is_nan(*kind, bits))
    }

    /// The bits of any NaN.
    fn any_nan(&mut self, kind: FloatKind) -> ExprId {
        let width = kind.width();
        let any = self.any_leaf(Type::Bv(width));
        let canonical = beeline_ir::value::canonical_nan(kind);
        let exprs = self.cx.builder.exprs();
        let quiet = exprs.constant(Value::Bv(canonical.clone()));
        let infinite = kind.precision() - 1;
        let exponent = match kind {
            // The integer bit is explicit.
            FloatKind::X87 => canonical.clone(),
            _ => canonical.and(&Bits::ones(width).shl(&Bits::new(width, u64::from(infinite)))),
        };
        let exponent = exprs.constant(Value::Bv(exponent));
        let bits = exprs.binary(BinOp::Or, any, exponent);
        if kind == FloatKind::X87 {
            return bits;
        }
        let payload = exprs.extract(infinite - 1, 0, any);
        let zero = exprs.bv(infinite, 0);
        let is_infinite = exprs.eq(payload, zero);
        exprs.ite(is_infinite, quiet, bits)
    }

    /// Whether the sign of a float is set, if only in its bits.
    pub(super) fn is_negative(&mut self, value: ExprId) -> ExprId {
        let Type::Float(kind) = self.cx.builder.program().exprs.ty(value) else { return value };
        let bits = self.bits_of_float(value, kind);
        let exprs = self.cx.builder.exprs();
        let zero = exprs.bv(kind.width(), 0);
        exprs.binary(BinOp::Slt, bits, zero)
    }
}

/// The float of a power of two, or of one more, with a sign; an infinity if the format ends before it.
fn float_of(kind: FloatKind, negative: bool, power: u32, one_more: bool) -> Value {
    let (width, fraction) = (kind.width(), kind.precision() - 1);
    let bias = (1u64 << (kind.exponent_bits() - 1)) - 1;
    let bit = |at: u32| Bits::new(width, 1).shl(&Bits::new(width, u64::from(at)));
    let place = if kind == FloatKind::X87 { fraction + 1 } else { fraction };
    let (exponent, finite) = match u64::from(power) <= bias {
        true => (u64::from(power) + bias, true),
        false => (2 * bias + 1, false),
    };
    let mut bits = Bits::new(width, exponent).shl(&Bits::new(width, u64::from(place)));
    if kind == FloatKind::X87 {
        bits = bits.or(&bit(fraction));
    }
    if one_more && finite && power <= fraction {
        bits = bits.or(&bit(fraction - power));
    }
    if negative {
        bits = bits.or(&bit(width - 1));
    }
    Value::float(kind, bits)
}
