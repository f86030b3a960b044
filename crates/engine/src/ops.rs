//! The operators on values, for the types that the engine follows by itself.
//!
//! `beeline-interp` defines the semantics; this covers what explicit values need: bit-vectors, truth
//! values, single and double precision. Nothing is known of other floats.

use beeline_ir::{BinOp, Bits, CastOp, FloatKind, Type, UnOp, Value};
use std::cmp::Ordering;

/// What an operator yields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Yield {
    /// A value.
    Value(Value),
    /// Nothing: evaluation is stuck.
    Stuck,
    /// Something that this module does not compute.
    Unknown,
}

fn bv(bits: Bits) -> Yield {
    Yield::Value(Value::Bv(bits))
}

fn truth(truth: bool) -> Yield {
    Yield::Value(Value::Bool(truth))
}

fn double(kind: FloatKind, bits: &Bits) -> Option<f64> {
    let bits = bits.to_u64()?;
    match kind {
        FloatKind::F64 => Some(f64::from_bits(bits)),
        _ => None,
    }
}

fn single(kind: FloatKind, bits: &Bits) -> Option<f32> {
    match kind {
        FloatKind::F32 => Some(f32::from_bits(u32::try_from(bits.to_u64()?).ok()?)),
        _ => None,
    }
}

fn of_double(value: f64) -> Yield {
    Yield::Value(Value::float(FloatKind::F64, Bits::new(64, value.to_bits())))
}

fn of_single(value: f32) -> Yield {
    Yield::Value(Value::float(FloatKind::F32, Bits::new(32, u64::from(value.to_bits()))))
}

/// An operator with one operand.
pub fn unary(op: UnOp, a: &Value) -> Yield {
    match (op, a) {
        (UnOp::Not, Value::Bool(a)) => truth(!a),
        (UnOp::BvNot, Value::Bv(a)) => bv(a.not()),
        (UnOp::Neg, Value::Bv(a)) => bv(a.neg()),
        (_, Value::Float(kind, bits)) => {
            if let Some(a) = double(*kind, bits) {
                match float_unary(op, a) {
                    Some(value) => of_double(value),
                    None => classify(op, a, a.is_normal(), a.is_subnormal()),
                }
            } else if let Some(a) = single(*kind, bits) {
                // Each of these is exact or correctly rounded in double precision too, except the root.
                let value = if op == UnOp::FSqrt {
                    Some(a.sqrt())
                } else {
                    float_unary(op, f64::from(a)).map(|v| v as f32)
                };
                match value {
                    Some(value) => of_single(value),
                    None => classify(op, f64::from(a), a.is_normal(), a.is_subnormal()),
                }
            } else {
                Yield::Unknown
            }
        }
        _ => Yield::Unknown,
    }
}

fn float_unary(op: UnOp, a: f64) -> Option<f64> {
    Some(match op {
        UnOp::FNeg => -a,
        UnOp::FAbs => a.abs(),
        UnOp::FSqrt => a.sqrt(),
        UnOp::FTrunc => a.trunc(),
        UnOp::FFloor => a.floor(),
        UnOp::FCeil => a.ceil(),
        UnOp::FRoundEven => a.round_ties_even(),
        UnOp::FRoundAway => a.round(),
        _ => return None,
    })
}

fn classify(op: UnOp, a: f64, normal: bool, subnormal: bool) -> Yield {
    match op {
        UnOp::FIsNan => truth(a.is_nan()),
        UnOp::FIsInf => truth(a.is_infinite()),
        UnOp::FIsZero => truth(a == 0.0),
        UnOp::FIsNormal => truth(normal),
        UnOp::FIsSubnormal => truth(subnormal),
        UnOp::FIsNegative => truth(!a.is_nan() && a.is_sign_negative()),
        _ => Yield::Unknown,
    }
}

/// An operator with two operands that both count.
pub fn binary(op: BinOp, a: &Value, b: &Value) -> Yield {
    match (a, b) {
        (Value::Bv(a), Value::Bv(b)) => machine(op, a, b),
        (Value::Bool(a), Value::Bool(b)) if op == BinOp::Eq => truth(a == b),
        (Value::Float(kind, a), Value::Float(_, b)) => {
            if let (Some(a), Some(b)) = (double(*kind, a), double(*kind, b)) {
                match op {
                    BinOp::FAdd => of_double(a + b),
                    BinOp::FSub => of_double(a - b),
                    BinOp::FMul => of_double(a * b),
                    BinOp::FDiv => of_double(a / b),
                    BinOp::FRem => of_double(a % b),
                    _ => compare(op, a, b),
                }
            } else if let (Some(a), Some(b)) = (single(*kind, a), single(*kind, b)) {
                match op {
                    BinOp::FAdd => of_single(a + b),
                    BinOp::FSub => of_single(a - b),
                    BinOp::FMul => of_single(a * b),
                    BinOp::FDiv => of_single(a / b),
                    BinOp::FRem => of_single(a % b),
                    _ => compare(op, f64::from(a), f64::from(b)),
                }
            } else {
                Yield::Unknown
            }
        }
        _ => Yield::Unknown,
    }
}

fn compare(op: BinOp, a: f64, b: f64) -> Yield {
    match op {
        BinOp::FEq => truth(a == b),
        BinOp::FLt => truth(a < b),
        BinOp::FLe => truth(a <= b),
        _ => Yield::Unknown,
    }
}

fn machine(op: BinOp, a: &Bits, b: &Bits) -> Yield {
    use BinOp::*;
    let divides = !b.is_zero();
    let overflows = b.is_ones() && a.sign() && a.neg() == *a;
    match op {
        UDiv | URem if !divides => Yield::Stuck,
        SDiv | SRem if !divides || overflows => Yield::Stuck,
        Add => bv(a.add(b)),
        Sub => bv(a.sub(b)),
        Mul => bv(a.mul(b)),
        UDiv => bv(a.udiv(b)),
        URem => bv(a.urem(b)),
        SDiv => bv(a.sdiv(b)),
        SRem => bv(a.srem(b)),
        And => bv(a.and(b)),
        Or => bv(a.or(b)),
        Xor => bv(a.xor(b)),
        Shl => bv(a.shl(b)),
        LShr => bv(a.lshr(b)),
        AShr => bv(a.ashr(b)),
        Concat => bv(a.concat(b)),
        Eq => truth(a == b),
        Ult => truth(a.ucmp(b) == Ordering::Less),
        Ule => truth(a.ucmp(b) != Ordering::Greater),
        Slt => truth(a.scmp(b) == Ordering::Less),
        Sle => truth(a.scmp(b) != Ordering::Greater),
        BoolAnd | BoolOr | FAdd | FSub | FMul | FDiv | FRem | FEq | FLt | FLe => Yield::Unknown,
    }
}

/// Some bits of a bit-vector.
pub fn extract(hi: u32, lo: u32, a: &Value) -> Yield {
    a.as_bits().map_or(Yield::Unknown, |bits| bv(bits.extract(hi, lo)))
}

/// A conversion.
pub fn cast(op: CastOp, to: Type, a: &Value) -> Yield {
    match (op, to, a) {
        (CastOp::ZExt, Type::Bv(width), Value::Bv(bits)) => bv(bits.zext(width)),
        (CastOp::SExt, Type::Bv(width), Value::Bv(bits)) => bv(bits.sext(width)),
        (CastOp::ToBits, _, Value::Float(_, bits)) => bv(bits.clone()),
        (CastOp::FromBits, Type::Float(kind), Value::Bv(bits)) if kind != FloatKind::X87 => {
            Yield::Value(Value::float(kind, bits.clone()))
        }
        (CastOp::FToF, Type::Float(kind), Value::Float(from, bits)) => {
            match (kind, single(*from, bits), double(*from, bits)) {
                (FloatKind::F64, Some(a), _) => of_double(f64::from(a)),
                (FloatKind::F32, _, Some(a)) => of_single(a as f32),
                _ => Yield::Unknown,
            }
        }
        (CastOp::SToF | CastOp::UToF, Type::Float(kind), Value::Bv(bits)) if bits.width() <= 64 => {
            let signed = op == CastOp::SToF;
            match (kind, bits.to_i64(), bits.to_u64()) {
                (FloatKind::F64, Some(value), _) if signed => of_double(value as f64),
                (FloatKind::F32, Some(value), _) if signed => of_single(value as f32),
                (FloatKind::F64, _, Some(value)) if !signed => of_double(value as f64),
                (FloatKind::F32, _, Some(value)) if !signed => of_single(value as f32),
                _ => Yield::Unknown,
            }
        }
        (CastOp::FToS | CastOp::FToU, Type::Bv(width), Value::Float(kind, bits)) if width <= 64 => {
            let value = double(*kind, bits).or_else(|| single(*kind, bits).map(f64::from));
            value.map_or(Yield::Unknown, |value| to_integer(op == CastOp::FToS, width, value))
        }
        _ => Yield::Unknown,
    }
}

fn to_integer(signed: bool, width: u32, value: f64) -> Yield {
    let truncated = value.trunc();
    let limit = 2f64.powi(if signed { width as i32 - 1 } else { width as i32 });
    let lowest = if signed { -limit } else { 0.0 };
    if !(truncated >= lowest && truncated < limit) {
        return Yield::Stuck;
    }
    let bits = if signed { truncated as i64 as u64 } else { truncated as u64 };
    bv(Bits::new(width, bits))
}
