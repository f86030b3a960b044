//! Constructors of expressions that fold constants and drop operations without effect.
//!
//! Each result has the value of the plain node for every valuation, and is stuck exactly when the plain node is: a
//! division that may be by zero is never dropped.

use crate::bits::Bits;
use crate::expr::{Expr, ExprId, ExprPool, RegionId, VarId};
use crate::operator::{BinOp, CastOp, UnOp};
use crate::types::Type;
use crate::value::Value;
use std::cmp::Ordering;

/// The constructors take operands whose types fit, and panic otherwise, which is a bug of the caller.
impl ExprPool {
    /// A constant.
    pub fn constant(&mut self, value: Value) -> ExprId {
        let ty = value.ty();
        let id = self.intern_const(value);
        self.build_typed(Expr::Const(id), ty)
    }

    /// A bit-vector constant, modulo two to the width.
    pub fn bv(&mut self, width: u32, value: u64) -> ExprId {
        self.constant(Value::bv(width, value))
    }

    /// A truth value.
    pub fn bool(&mut self, truth: bool) -> ExprId {
        self.constant(Value::Bool(truth))
    }

    /// The value of a variable of the given type.
    pub fn var(&mut self, var: VarId, ty: Type) -> ExprId {
        self.build_typed(Expr::Var(var), ty)
    }

    /// The value that a region holds at an address; the caller ensures that the types fit.
    pub fn load(&mut self, region: RegionId, addr: ExprId, ty: Type) -> ExprId {
        self.build_typed(Expr::Load { region, addr, ty }, ty)
    }

    /// Whether the evaluation of this never gets stuck, whatever the values.
    pub fn is_total(&self, id: ExprId) -> bool {
        self.is_total_if(id, |_, _, _| false)
    }

    /// The same, where it is known of the region, the address and the type of a load whether the load never gets stuck.
    pub fn is_total_if(&self, id: ExprId, is_allowed: impl Fn(RegionId, ExprId, Type) -> bool) -> bool {
        self.parts([id]).all(|(_, node)| match node {
            Expr::Load { region, addr, ty } => is_allowed(region, addr, ty),
            Expr::Cast(CastOp::FToS | CastOp::FToU, ..) => false,
            Expr::Binary(BinOp::UDiv | BinOp::URem, _, d) => self.as_bits(d).is_some_and(|d| !d.is_zero()),
            Expr::Binary(BinOp::SDiv | BinOp::SRem, _, d) => {
                self.as_bits(d).is_some_and(|d| !d.is_zero() && !d.is_ones())
            }
            _ => true,
        })
    }

    /// The result of the constructor for the node's operator.
    pub fn folded(&mut self, node: Expr, ty: Type) -> ExprId {
        match node {
            Expr::Const(_) | Expr::Var(_) => self.build_typed(node, ty),
            Expr::Unary(op, a) => self.unary(op, a),
            Expr::Binary(op, a, b) => self.binary(op, a, b),
            Expr::Fma(a, b, c) => self.fma(a, b, c),
            Expr::Ite(c, a, b) => self.ite(c, a, b),
            Expr::Extract { hi, lo, arg } => self.extract(hi, lo, arg),
            Expr::Cast(op, ty, arg) => self.cast(op, ty, arg),
            Expr::Load { region, addr, ty } => self.load(region, addr, ty),
        }
    }

    /// An operator with one operand.
    pub fn unary(&mut self, op: UnOp, a: ExprId) -> ExprId {
        match (op, self.as_const(a)) {
            (UnOp::Not, Some(Value::Bool(truth))) => {
                let truth = !truth;
                return self.bool(truth);
            }
            (UnOp::BvNot, Some(Value::Bv(bits))) => {
                let bits = bits.not();
                return self.constant(Value::Bv(bits));
            }
            (UnOp::Neg, Some(Value::Bv(bits))) => {
                let bits = bits.neg();
                return self.constant(Value::Bv(bits));
            }
            _ => {}
        }
        match (op, self[a]) {
            (UnOp::Not, Expr::Unary(UnOp::Not, inner))
            | (UnOp::BvNot, Expr::Unary(UnOp::BvNot, inner))
            | (UnOp::Neg, Expr::Unary(UnOp::Neg, inner)) => inner,
            _ => self.build(Expr::Unary(op, a)),
        }
    }

    /// Negation of a truth value; orders of bit-vectors are reversed instead.
    pub fn not(&mut self, a: ExprId) -> ExprId {
        match self[a] {
            Expr::Binary(BinOp::Ult, x, y) => self.build(Expr::Binary(BinOp::Ule, y, x)),
            Expr::Binary(BinOp::Ule, x, y) => self.build(Expr::Binary(BinOp::Ult, y, x)),
            Expr::Binary(BinOp::Slt, x, y) => self.build(Expr::Binary(BinOp::Sle, y, x)),
            Expr::Binary(BinOp::Sle, x, y) => self.build(Expr::Binary(BinOp::Slt, y, x)),
            _ => self.unary(UnOp::Not, a),
        }
    }

    /// An operator with two operands.
    pub fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        if let (Some(Value::Bv(x)), Some(Value::Bv(y))) = (self.as_const(a), self.as_const(b))
            && let Some(value) = fold_bv(op, x, y)
        {
            return self.constant(value);
        }
        if let (Some(Value::Bool(x)), Some(Value::Bool(y))) = (self.as_const(a), self.as_const(b)) {
            let truth = match op {
                BinOp::Eq => x == y,
                BinOp::BoolAnd => *x && *y,
                BinOp::BoolOr => *x || *y,
                _ => unreachable!("no other operator takes truth values"),
            };
            return self.bool(truth);
        }
        self.drop_neutral(op, a, b).unwrap_or_else(|| self.build(Expr::Binary(op, a, b)))
    }

    /// The simpler result if one operand is neutral or decides the result.
    fn drop_neutral(&mut self, op: BinOp, a: ExprId, b: ExprId) -> Option<ExprId> {
        use BinOp::*;
        let zero = |id: ExprId| self.as_bits(id).is_some_and(Bits::is_zero);
        let ones = |id: ExprId| self.as_bits(id).is_some_and(Bits::is_ones);
        let one = |id: ExprId| self.as_bits(id).and_then(Bits::to_u64) == Some(1);
        let truth = |id: ExprId| self.as_const(id).and_then(Value::as_bool);
        let same = a == b && self.is_total(a);
        match op {
            Add | Or | Xor if zero(b) => Some(a),
            Add | Or | Xor if zero(a) => Some(b),
            Sub | Shl | LShr | AShr if zero(b) => Some(a),
            Mul if one(b) => Some(a),
            Mul if one(a) => Some(b),
            UDiv if one(b) => Some(a),
            SDiv if one(b) && self.width(b) > 1 => Some(a),
            And if ones(b) => Some(a),
            And if ones(a) => Some(b),
            And | Mul if zero(b) && self.is_total(a) => Some(b),
            And | Mul if zero(a) && self.is_total(b) => Some(a),
            And | Or if a == b => Some(a),
            Eq | Ule | Sle if same => Some(self.bool(true)),
            Ult | Slt if same => Some(self.bool(false)),
            Eq if truth(b) == Some(true) => Some(a),
            Eq if truth(a) == Some(true) => Some(b),
            Eq if truth(b) == Some(false) => Some(self.not(a)),
            Eq if truth(a) == Some(false) => Some(self.not(b)),
            BoolAnd if truth(a) == Some(true) => Some(b),
            BoolAnd if truth(b) == Some(true) => Some(a),
            BoolAnd if truth(a) == Some(false) => Some(a),
            BoolOr if truth(a) == Some(false) => Some(b),
            BoolOr if truth(b) == Some(false) => Some(a),
            BoolOr if truth(a) == Some(true) => Some(a),
            BoolAnd | BoolOr if a == b => Some(a),
            Add => self.reassociate(a, b),
            Eq => self.equality_of_choice(a, b),
            _ => None,
        }
    }

    /// `(x + c) + d` is `x + (c + d)`.
    fn reassociate(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        let d = self.as_bits(b)?.clone();
        let Expr::Binary(BinOp::Add, x, c) = self[a] else { return None };
        let sum = self.as_bits(c)?.add(&d);
        let sum = self.constant(Value::Bv(sum));
        Some(self.binary(BinOp::Add, x, sum))
    }

    /// `(c ? k : l) == k` is `c` for different constants, as truth values of C are converted to and fro.
    fn equality_of_choice(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        let key = self.as_bits(b)?.clone();
        if let Expr::Cast(CastOp::ZExt, _, inner) = self[a] {
            let width = self.width(inner);
            if key.zext(key.width().max(width)) == key.extract(width - 1, 0).zext(key.width()) {
                let key = self.constant(Value::Bv(key.extract(width - 1, 0)));
                return Some(self.binary(BinOp::Eq, inner, key));
            }
            return self.is_total(inner).then(|| self.bool(false));
        }
        let Expr::Ite(c, x, y) = self[a] else { return None };
        let (x, y) = (self.as_bits(x)?.clone(), self.as_bits(y)?.clone());
        match (x == key, y == key) {
            (true, false) => Some(c),
            (false, true) => Some(self.not(c)),
            (false, false) if self.is_total(c) => Some(self.bool(false)),
            _ => None,
        }
    }

    /// Sum.
    pub fn add(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinOp::Add, a, b)
    }

    /// Difference.
    pub fn sub(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinOp::Sub, a, b)
    }

    /// Equality of truth values or bit-vectors.
    pub fn eq(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinOp::Eq, a, b)
    }

    /// Conjunction.
    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinOp::BoolAnd, a, b)
    }

    /// Disjunction.
    pub fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinOp::BoolOr, a, b)
    }

    /// Choice.
    pub fn ite(&mut self, c: ExprId, a: ExprId, b: ExprId) -> ExprId {
        match self.as_const(c).and_then(Value::as_bool) {
            Some(true) => return a,
            Some(false) => return b,
            None => {}
        }
        if a == b && self.is_total(c) {
            return a;
        }
        match (self.as_const(a).and_then(Value::as_bool), self.as_const(b).and_then(Value::as_bool)) {
            (Some(true), Some(false)) => return c,
            (Some(false), Some(true)) => return self.not(c),
            (Some(true), None) => return self.or(c, b),
            (None, Some(false)) => return self.and(c, a),
            _ => {}
        }
        if let Expr::Unary(UnOp::Not, inner) = self[c] {
            return self.build(Expr::Ite(inner, b, a));
        }
        self.build(Expr::Ite(c, a, b))
    }

    /// A truth value as 1 or 0 of a width.
    pub fn bool_to_bv(&mut self, c: ExprId, width: u32) -> ExprId {
        let (one, zero) = (self.bv(width, 1), self.bv(width, 0));
        self.ite(c, one, zero)
    }

    /// The condition that the bit-vector is not zero.
    pub fn nonzero(&mut self, a: ExprId) -> ExprId {
        let zero = self.bv(self.width(a), 0);
        let eq = self.eq(a, zero);
        self.not(eq)
    }

    /// The bits from `hi` down to `lo`.
    pub fn extract(&mut self, hi: u32, lo: u32, arg: ExprId) -> ExprId {
        if lo == 0 && hi + 1 == self.width(arg) {
            return arg;
        }
        if let Some(bits) = self.as_bits(arg) {
            let bits = bits.extract(hi, lo);
            return self.constant(Value::Bv(bits));
        }
        match self[arg] {
            Expr::Extract { lo: below, arg, .. } => self.extract(hi + below, lo + below, arg),
            Expr::Binary(BinOp::Concat, high, low) => {
                let split = self.width(low);
                if hi < split {
                    self.extract(hi, lo, low)
                } else if lo >= split {
                    self.extract(hi - split, lo - split, high)
                } else {
                    self.build(Expr::Extract { hi, lo, arg })
                }
            }
            Expr::Cast(CastOp::ZExt | CastOp::SExt, _, inner) if hi < self.width(inner) => {
                self.extract(hi, lo, inner)
            }
            Expr::Ite(c, a, b) if self.as_bits(a).is_some() && self.as_bits(b).is_some() => {
                let (a, b) = (self.extract(hi, lo, a), self.extract(hi, lo, b));
                self.ite(c, a, b)
            }
            _ => self.build(Expr::Extract { hi, lo, arg }),
        }
    }

    /// The high operand's bits above those of the low one.
    pub fn concat(&mut self, high: ExprId, low: ExprId) -> ExprId {
        if let (Expr::Extract { hi, lo, arg }, Expr::Extract { hi: h, lo: l, arg: other }) =
            (self[high], self[low])
            && arg == other
            && lo == h + 1
        {
            return self.extract(hi, l, arg);
        }
        self.binary(BinOp::Concat, high, low)
    }

    /// The bit-vector at another width: truncated, or extended with zeros or the sign.
    pub fn resize(&mut self, arg: ExprId, width: u32, signed: bool) -> ExprId {
        match width.cmp(&self.width(arg)) {
            Ordering::Equal => arg,
            Ordering::Less => self.extract(width - 1, 0, arg),
            Ordering::Greater => {
                let op = if signed { CastOp::SExt } else { CastOp::ZExt };
                self.cast(op, Type::Bv(width), arg)
            }
        }
    }

    /// A conversion.
    pub fn cast(&mut self, op: CastOp, to: Type, arg: ExprId) -> ExprId {
        match (op, to, self.as_const(arg)) {
            (CastOp::ZExt, Type::Bv(width), Some(Value::Bv(bits))) => {
                let bits = bits.zext(width);
                return self.constant(Value::Bv(bits));
            }
            (CastOp::SExt, Type::Bv(width), Some(Value::Bv(bits))) => {
                let bits = bits.sext(width);
                return self.constant(Value::Bv(bits));
            }
            (CastOp::ToBits, _, Some(Value::Float(_, bits))) => {
                let bits = bits.clone();
                return self.constant(Value::Bv(bits));
            }
            (CastOp::FromBits, Type::Float(kind), Some(Value::Bv(bits))) => {
                let value = Value::float(kind, bits.clone());
                return self.constant(value);
            }
            _ => {}
        }
        match (op, self[arg]) {
            (CastOp::ZExt, Expr::Cast(CastOp::ZExt, _, inner))
            | (CastOp::SExt, Expr::Cast(CastOp::SExt, _, inner)) => self.cast(op, to, inner),
            (CastOp::SExt, Expr::Cast(CastOp::ZExt, _, inner)) => self.cast(CastOp::ZExt, to, inner),
            (CastOp::FromBits, Expr::Cast(CastOp::ToBits, _, inner)) if self.ty(inner) == to => inner,
            (CastOp::ZExt | CastOp::SExt, Expr::Ite(c, a, b))
                if self.as_bits(a).is_some() && self.as_bits(b).is_some() =>
            {
                let (a, b) = (self.cast(op, to, a), self.cast(op, to, b));
                self.ite(c, a, b)
            }
            _ => self.build(Expr::Cast(op, to, arg)),
        }
    }

    /// Product and sum of floats with one rounding.
    pub fn fma(&mut self, a: ExprId, b: ExprId, c: ExprId) -> ExprId {
        self.build(Expr::Fma(a, b, c))
    }
}

/// The value of an operator on constants, unless its evaluation would be stuck.
fn fold_bv(op: BinOp, x: &Bits, y: &Bits) -> Option<Value> {
    use BinOp::*;
    let divides = !y.is_zero();
    let overflows = y.is_ones() && x.sign() && x.neg() == *x;
    let bits = match op {
        Add => x.add(y),
        Sub => x.sub(y),
        Mul => x.mul(y),
        UDiv if divides => x.udiv(y),
        URem if divides => x.urem(y),
        SDiv if divides && !overflows => x.sdiv(y),
        SRem if divides && !overflows => x.srem(y),
        And => x.and(y),
        Or => x.or(y),
        Xor => x.xor(y),
        Shl => x.shl(y),
        LShr => x.lshr(y),
        AShr => x.ashr(y),
        Concat => x.concat(y),
        Eq => return Some(Value::Bool(x == y)),
        Ult => return Some(Value::Bool(x.ucmp(y) == Ordering::Less)),
        Ule => return Some(Value::Bool(x.ucmp(y) != Ordering::Greater)),
        Slt => return Some(Value::Bool(x.scmp(y) == Ordering::Less)),
        Sle => return Some(Value::Bool(x.scmp(y) != Ordering::Greater)),
        _ => return None,
    };
    Some(Value::Bv(bits))
}
