//! Arithmetic, comparisons and conversions of numbers.

use super::Body;
use beeline_ir::{BinOp, CastOp, ExprId, Type, UnOp};
use beeline_module::*;

impl Body<'_, '_> {
    /// The result of an operation, any where it is poison.
    pub(super) fn operation(&mut self, op: BinaryOp, flags: Flags, a: ExprId, b: ExprId) -> ExprId {
        if matches!(self.cx.builder.program().exprs.ty(a), Type::Float(_)) {
            let value = self.binary(op, a, b);
            return self.float_result(flags, &[a, b], value);
        }
        self.integer_result(op, flags, a, b)
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        let exprs = self.cx.builder.exprs();
        if exprs.ty(a) == Type::Bool {
            return self.binary_bool(op, a, b);
        }
        let op = match op {
            BinaryOp::Add => BinOp::Add,
            BinaryOp::Sub => BinOp::Sub,
            BinaryOp::Mul => BinOp::Mul,
            BinaryOp::UDiv => BinOp::UDiv,
            BinaryOp::SDiv => BinOp::SDiv,
            BinaryOp::URem => BinOp::URem,
            BinaryOp::SRem => BinOp::SRem,
            BinaryOp::And => BinOp::And,
            BinaryOp::Or => BinOp::Or,
            BinaryOp::Xor => BinOp::Xor,
            BinaryOp::Shl => BinOp::Shl,
            BinaryOp::LShr => BinOp::LShr,
            BinaryOp::AShr => BinOp::AShr,
            BinaryOp::FAdd => BinOp::FAdd,
            BinaryOp::FSub => BinOp::FSub,
            BinaryOp::FMul => BinOp::FMul,
            BinaryOp::FDiv => BinOp::FDiv,
            BinaryOp::FRem => BinOp::FRem,
        };
        if op == BinOp::Xor && exprs.as_bits(b).is_some_and(|bits| bits.is_ones()) {
            return exprs.unary(UnOp::BvNot, a);
        }
        // `x - 1` comes as `x + -1`.
        if op == BinOp::Add
            && let Some(bits) = exprs.as_bits(b)
            && bits.width() > 1
            && bits.sign()
            && bits.neg() != *bits
        {
            let positive = bits.neg();
            if let beeline_ir::Expr::Binary(BinOp::Add, ..) = exprs[a] {
                return exprs.add(a, b);
            }
            let positive = exprs.constant(beeline_ir::Value::Bv(positive));
            return exprs.sub(a, positive);
        }
        exprs.binary(op, a, b)
    }

    fn binary_bool(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        let exprs = self.cx.builder.exprs();
        match op {
            BinaryOp::And | BinaryOp::Mul => exprs.and(a, b),
            BinaryOp::Or => exprs.or(a, b),
            BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub => {
                let equal = exprs.eq(a, b);
                exprs.not(equal)
            }
            // By a bit that must be one.
            BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => {
                let (x, y) = (exprs.bool_to_bv(a, 1), exprs.bool_to_bv(b, 1));
                let op = match op {
                    BinaryOp::UDiv => BinOp::UDiv,
                    BinaryOp::SDiv => BinOp::SDiv,
                    BinaryOp::URem => BinOp::URem,
                    _ => BinOp::SRem,
                };
                let result = exprs.binary(op, x, y);
                exprs.nonzero(result)
            }
            // Shifts by a bit that must be zero.
            _ => a,
        }
    }

    pub(super) fn compare(&mut self, predicate: IntPredicate, a: ExprId, b: ExprId) -> ExprId {
        use IntPredicate::*;
        let is_bool = self.cx.builder.program().exprs.ty(a) == Type::Bool;
        let (a, b) = match (is_bool, predicate) {
            (true, Eq | Ne) | (false, _) => (a, b),
            (true, _) => (self.as_bv(a), self.as_bv(b)),
        };
        let exprs = self.cx.builder.exprs();
        match predicate {
            Eq => exprs.eq(a, b),
            Ne => {
                let equal = exprs.eq(a, b);
                exprs.not(equal)
            }
            Ult => exprs.binary(BinOp::Ult, a, b),
            Ule => exprs.binary(BinOp::Ule, a, b),
            Ugt => exprs.binary(BinOp::Ult, b, a),
            Uge => exprs.binary(BinOp::Ule, b, a),
            Slt => exprs.binary(BinOp::Slt, a, b),
            Sle => exprs.binary(BinOp::Sle, a, b),
            Sgt => exprs.binary(BinOp::Slt, b, a),
            Sge => exprs.binary(BinOp::Sle, b, a),
        }
    }

    pub(super) fn compare_floats(&mut self, predicate: FloatPredicate, a: ExprId, b: ExprId) -> ExprId {
        let exprs = self.cx.builder.exprs();
        let FloatPredicate { less, equal, greater, unordered } = predicate;
        // The relations that hold together, without NaN.
        let ordered = match (less, equal, greater) {
            (false, false, false) => exprs.bool(false),
            (true, false, false) => exprs.binary(BinOp::FLt, a, b),
            (true, true, false) => exprs.binary(BinOp::FLe, a, b),
            (false, true, false) => exprs.binary(BinOp::FEq, a, b),
            (false, true, true) => exprs.binary(BinOp::FLe, b, a),
            (false, false, true) => exprs.binary(BinOp::FLt, b, a),
            (true, false, true) => {
                let (less, greater) = (exprs.binary(BinOp::FLt, a, b), exprs.binary(BinOp::FLt, b, a));
                exprs.or(less, greater)
            }
            (true, true, true) if unordered => return exprs.bool(true),
            (true, true, true) => {
                let nan = self.either_nan(a, b);
                return self.cx.builder.exprs().not(nan);
            }
        };
        if !unordered {
            return ordered;
        }
        if (less, equal, greater) == (true, false, true) {
            let same = self.cx.builder.exprs().binary(BinOp::FEq, a, b);
            return self.cx.builder.exprs().not(same);
        }
        let nan = self.either_nan(a, b);
        self.cx.builder.exprs().or(nan, ordered)
    }

    fn either_nan(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let exprs = self.cx.builder.exprs();
        let (x, y) = (exprs.unary(UnOp::FIsNan, a), exprs.unary(UnOp::FIsNan, b));
        if a == b { x } else { exprs.or(x, y) }
    }

    pub(super) fn convert(&mut self, kind: CastKind, value: ExprId, to: Type) -> ExprId {
        let from = self.cx.builder.program().exprs.ty(value);
        let signed = matches!(kind, CastKind::SExt);
        match (kind, to) {
            (CastKind::ZExt | CastKind::SExt, Type::Bv(width)) if from == Type::Bool => {
                let exprs = self.cx.builder.exprs();
                let (one, zero) = (exprs.bv(width, if signed { u64::MAX } else { 1 }), exprs.bv(width, 0));
                let one = if signed && width > 64 {
                    exprs.constant(beeline_ir::Value::Bv(beeline_ir::Bits::ones(width)))
                } else {
                    one
                };
                exprs.ite(value, one, zero)
            }
            (CastKind::FpTrunc | CastKind::FpExt, _) if from == to => value,
            (CastKind::FpTrunc | CastKind::FpExt, _) => self.cx.builder.exprs().cast(CastOp::FToF, to, value),
            (CastKind::FpToSi | CastKind::FpToUi, _) => {
                let width = to.bv_width().unwrap_or(1);
                let integer = self.integer_of_float(kind == CastKind::FpToSi, value, width);
                self.bits_as(integer, to)
            }
            (CastKind::SiToFp | CastKind::UiToFp, _) => {
                let value = self.as_bv(value);
                let op = if kind == CastKind::SiToFp { CastOp::SToF } else { CastOp::UToF };
                self.cx.builder.exprs().cast(op, to, value)
            }
            (_, Type::Bool) => {
                let value = self.as_bv(value);
                self.bits_as(value, Type::Bool)
            }
            (_, Type::Bv(width)) => {
                let value = self.as_bv(value);
                self.cx.builder.exprs().resize(value, width, signed)
            }
            (_, Type::Float(_)) => value,
        }
    }
}
