//! The operators of the IR on values.

use crate::float;
use beeline_ir::{BinOp, Bits, CastOp, Type, UnOp, Value};
use std::cmp::Ordering;
use thiserror::Error;

/// The reason why an operation has no result and the execution ends there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
pub enum StuckReason {
    /// A division or remainder by zero.
    #[error("division by zero")]
    DivisionByZero,
    /// The least integer divided by -1.
    #[error("overflow of a division")]
    DivisionOverflow,
    /// A float that the integer type does not have.
    #[error("conversion of a float that does not fit the integer type")]
    ConversionOverflow,
    /// A read or write at this address, where the region has no object.
    #[error("access outside of a live object, at address {0:#x}")]
    OutsideObject(u64),
    /// A call through a pointer that points to no function that could be meant.
    #[error("call through a pointer to no function")]
    NoSuchFunction,
    /// Operands that do not fit the operator. A validated program has none.
    #[error("operands that do not fit the operator")]
    IllTyped,
}

/// The result of an operator, or the reason why there is none.
pub type Evaluated = Result<Value, StuckReason>;

/// An operator with one operand.
pub fn unary(op: UnOp, a: &Value) -> Evaluated {
    match (op, a) {
        (UnOp::Not, Value::Bool(a)) => Ok(Value::Bool(!a)),
        (UnOp::BvNot, Value::Bv(a)) => Ok(Value::Bv(a.not())),
        (UnOp::Neg, Value::Bv(a)) => Ok(Value::Bv(a.neg())),
        (op, Value::Float(kind, a)) => float::unary(op, *kind, a).ok_or(StuckReason::IllTyped),
        _ => Err(StuckReason::IllTyped),
    }
}

/// An operator with two operands.
pub fn binary(op: BinOp, a: &Value, b: &Value) -> Evaluated {
    match (a, b) {
        (Value::Bv(a), Value::Bv(b)) if op == BinOp::Concat => Ok(Value::Bv(a.concat(b))),
        (Value::Bv(a), Value::Bv(b)) if a.width() == b.width() => bit_vectors(op, a, b),
        (Value::Bool(a), Value::Bool(b)) => match op {
            BinOp::Eq => Ok(Value::Bool(a == b)),
            BinOp::BoolAnd => Ok(Value::Bool(*a && *b)),
            BinOp::BoolOr => Ok(Value::Bool(*a || *b)),
            _ => Err(StuckReason::IllTyped),
        },
        (Value::Float(kind, a), Value::Float(other, b)) if kind == other => {
            float::binary(op, *kind, a, b).ok_or(StuckReason::IllTyped)
        }
        _ => Err(StuckReason::IllTyped),
    }
}

fn bit_vectors(op: BinOp, a: &Bits, b: &Bits) -> Evaluated {
    use BinOp::*;
    if matches!(op, UDiv | URem | SDiv | SRem) {
        if b.is_zero() {
            return Err(StuckReason::DivisionByZero);
        }
        if matches!(op, SDiv | SRem) && b.is_ones() && a.sign() && a.neg() == *a {
            return Err(StuckReason::DivisionOverflow);
        }
    }
    Ok(Value::Bv(match op {
        Add => a.add(b),
        Sub => a.sub(b),
        Mul => a.mul(b),
        UDiv => a.udiv(b),
        SDiv => a.sdiv(b),
        URem => a.urem(b),
        SRem => a.srem(b),
        And => a.and(b),
        Or => a.or(b),
        Xor => a.xor(b),
        Shl => a.shl(b),
        LShr => a.lshr(b),
        AShr => a.ashr(b),
        Eq => return Ok(Value::Bool(a == b)),
        Ult => return Ok(Value::Bool(a.ucmp(b) == Ordering::Less)),
        Ule => return Ok(Value::Bool(a.ucmp(b) != Ordering::Greater)),
        Slt => return Ok(Value::Bool(a.scmp(b) == Ordering::Less)),
        Sle => return Ok(Value::Bool(a.scmp(b) != Ordering::Greater)),
        _ => return Err(StuckReason::IllTyped),
    }))
}

/// A conversion.
pub fn cast(op: CastOp, to: Type, a: &Value) -> Evaluated {
    let value = match (op, to, a) {
        (CastOp::ZExt, Type::Bv(width), Value::Bv(a)) => Value::Bv(a.zext(width)),
        (CastOp::SExt, Type::Bv(width), Value::Bv(a)) => Value::Bv(a.sext(width)),
        (CastOp::ToBits, Type::Bv(_), Value::Float(_, a)) => Value::Bv(a.clone()),
        (CastOp::FromBits, Type::Float(kind), Value::Bv(a)) => Value::float(kind, a.clone()),
        (CastOp::FToF, Type::Float(to), Value::Float(from, a)) => float::convert(*from, to, a),
        (CastOp::SToF, Type::Float(to), Value::Bv(a)) => match a.to_i64() {
            Some(word) => float::from_word(to, word.into()),
            None => float::from_integer(to, &a.to_bigint()),
        },
        (CastOp::UToF, Type::Float(to), Value::Bv(a)) => match a.to_u64() {
            Some(word) => float::from_word(to, word.into()),
            None => float::from_integer(to, &a.to_biguint().into()),
        },
        (CastOp::FToS | CastOp::FToU, Type::Bv(width), Value::Float(kind, a)) => {
            let integer = float::to_integer(*kind, a, width, op == CastOp::FToS);
            Value::Bv(integer.ok_or(StuckReason::ConversionOverflow)?)
        }
        _ => return Err(StuckReason::IllTyped),
    };
    Ok(value)
}

/// The bits from `hi` down to `lo`.
pub fn extract(hi: u32, lo: u32, a: &Value) -> Evaluated {
    match a {
        Value::Bv(a) if lo <= hi && hi < a.width() => Ok(Value::Bv(a.extract(hi, lo))),
        _ => Err(StuckReason::IllTyped),
    }
}

/// Product and sum with one rounding.
pub fn fma(a: &Value, b: &Value, c: &Value) -> Evaluated {
    match (a, b, c) {
        (Value::Float(x, a), Value::Float(y, b), Value::Float(z, c)) if x == y && y == z => {
            Ok(float::fma(*x, a, b, c))
        }
        _ => Err(StuckReason::IllTyped),
    }
}

/// A choice between two values. In a program the other operand need not have a value at all, so the
/// evaluation of expressions decides which operand to evaluate. This function is for callers that have both.
pub fn ite(c: &Value, a: &Value, b: &Value) -> Evaluated {
    match c {
        Value::Bool(c) if a.ty() == b.ty() => Ok(if *c { a.clone() } else { b.clone() }),
        _ => Err(StuckReason::IllTyped),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisions_that_have_no_result_are_stuck() {
        let (least, minus, zero) = (Value::bv(8, 0x80), Value::bv(8, 0xff), Value::bv(8, 0));
        for op in [BinOp::UDiv, BinOp::URem, BinOp::SDiv, BinOp::SRem] {
            assert_eq!(binary(op, &minus, &zero), Err(StuckReason::DivisionByZero), "{op:?}");
        }
        for op in [BinOp::SDiv, BinOp::SRem] {
            assert_eq!(binary(op, &least, &minus), Err(StuckReason::DivisionOverflow), "{op:?}");
        }
        assert_eq!(binary(BinOp::UDiv, &least, &minus), Ok(zero));
    }

    #[test]
    fn a_choice_takes_the_first_value_if_the_condition_holds() {
        let (a, b) = (Value::bv(8, 1), Value::bv(8, 2));
        assert_eq!(ite(&Value::Bool(true), &a, &b), Ok(a.clone()));
        assert_eq!(ite(&Value::Bool(false), &a, &b), Ok(b));
    }

    #[test]
    fn operands_that_do_not_fit_are_stuck_not_a_panic() {
        let (byte, truth) = (Value::bv(8, 1), Value::Bool(true));
        assert_eq!(binary(BinOp::Add, &byte, &truth), Err(StuckReason::IllTyped));
        assert_eq!(binary(BinOp::Add, &byte, &Value::bv(9, 1)), Err(StuckReason::IllTyped));
        assert_eq!(extract(8, 0, &byte), Err(StuckReason::IllTyped));
        assert_eq!(ite(&byte, &byte, &byte), Err(StuckReason::IllTyped));
        assert_eq!(ite(&truth, &byte, &truth), Err(StuckReason::IllTyped));
    }
}
