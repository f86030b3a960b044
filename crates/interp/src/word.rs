//! The fast path of the operators: values of at most 64 bits as machine words.
//!
//! A word holds a truth value as 0 or 1, a bit-vector with zeros above its width, a float by its
//! representation. What this module computes is what [`crate::eval`] computes; a test compares them.

use crate::eval::StuckReason;
use beeline_ir::{BinOp, Bits, FloatKind, Type, UnOp, Value};

/// Whether values of this type fit a word.
pub(crate) fn fits(ty: Type) -> bool {
    ty.memory_bits().is_none_or(|bits| bits <= 64)
}

/// The word of a value that fits.
pub(crate) fn of_value(value: &Value) -> u64 {
    match value {
        Value::Bool(truth) => u64::from(*truth),
        Value::Bv(bits) | Value::Float(_, bits) => bits.to_u64().unwrap_or(0),
    }
}

/// The value of a word. A NaN has to be the canonical one already.
pub(crate) fn to_value(ty: Type, word: u64) -> Value {
    match ty {
        Type::Bool => Value::Bool(word != 0),
        Type::Bv(width) => Value::bv(width, word),
        Type::Float(kind) => Value::Float(kind, Bits::new(kind.width(), word)),
    }
}

/// The word of a value of this type in memory. A NaN becomes the canonical one.
pub(crate) fn of_image(ty: Type, image: u64) -> u64 {
    match ty {
        Type::Float(kind) => of_value(&Value::float(kind, Bits::new(kind.width(), image))),
        _ => image,
    }
}

/// The bits below a width from 1 to 64.
fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

fn signed(width: u32, word: u64) -> i64 {
    ((word << (64 - width)) as i64) >> (64 - width)
}

/// Whether this module computes the operator for operands of this type.
pub(crate) fn has_binary(op: BinOp, operand: Type, result: Type) -> bool {
    let lazy = matches!(op, BinOp::BoolAnd | BinOp::BoolOr);
    let native = !matches!(operand, Type::Float(FloatKind::F16 | FloatKind::Bf16));
    fits(operand) && fits(result) && native && !lazy
}

/// An operator on words of a width; for a concatenation the width is that of the lower operand.
pub(crate) fn binary(op: BinOp, width: u32, a: u64, b: u64) -> Result<u64, StuckReason> {
    use BinOp::*;
    let result = match op {
        Add => a.wrapping_add(b) & mask(width),
        Sub => a.wrapping_sub(b) & mask(width),
        Mul => a.wrapping_mul(b) & mask(width),
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        Shl if b < u64::from(width) => (a << b) & mask(width),
        LShr if b < u64::from(width) => a >> b,
        Shl | LShr => 0,
        AShr => (signed(width, a) >> b.min(63)) as u64 & mask(width),
        Concat => a << width | b,
        Eq => u64::from(a == b),
        Ult => u64::from(a < b),
        Ule => u64::from(a <= b),
        Slt => u64::from(signed(width, a) < signed(width, b)),
        Sle => u64::from(signed(width, a) <= signed(width, b)),
        UDiv | URem | SDiv | SRem => return divide(op, width, a, b),
        FAdd | FSub | FMul | FDiv | FRem | FEq | FLt | FLe if width == 64 => {
            double(op, f64::from_bits(a), f64::from_bits(b))
        }
        FAdd | FSub | FMul | FDiv | FRem | FEq | FLt | FLe => {
            single(op, f32::from_bits(a as u32), f32::from_bits(b as u32))
        }
        BoolAnd | BoolOr => return Err(StuckReason::IllTyped),
    };
    Ok(result)
}

fn divide(op: BinOp, width: u32, a: u64, b: u64) -> Result<u64, StuckReason> {
    if b == 0 {
        return Err(StuckReason::DivisionByZero);
    }
    match op {
        BinOp::UDiv => return Ok(a / b),
        BinOp::URem => return Ok(a % b),
        _ => {}
    }
    let (a, b) = (signed(width, a), signed(width, b));
    if b == -1 && a == i64::MIN >> (64 - width) {
        return Err(StuckReason::DivisionOverflow);
    }
    let result = if op == BinOp::SDiv { a / b } else { a % b };
    Ok(result as u64 & mask(width))
}

/// An operator on doubles.
fn double(op: BinOp, a: f64, b: f64) -> u64 {
    let result = match op {
        BinOp::FAdd => a + b,
        BinOp::FSub => a - b,
        BinOp::FMul => a * b,
        BinOp::FDiv => a / b,
        BinOp::FRem => a % b,
        BinOp::FEq => return u64::from(a == b),
        BinOp::FLt => return u64::from(a < b),
        _ => return u64::from(a <= b),
    };
    if result.is_nan() { 0x7ff8_0000_0000_0000 } else { result.to_bits() }
}

/// An operator on singles.
fn single(op: BinOp, a: f32, b: f32) -> u64 {
    let result = match op {
        BinOp::FAdd => a + b,
        BinOp::FSub => a - b,
        BinOp::FMul => a * b,
        BinOp::FDiv => a / b,
        BinOp::FRem => a % b,
        BinOp::FEq => return u64::from(a == b),
        BinOp::FLt => return u64::from(a < b),
        _ => return u64::from(a <= b),
    };
    if result.is_nan() { 0x7fc0_0000 } else { u64::from(result.to_bits()) }
}

/// An operator on a truth value (of width 1) or a bit-vector.
pub(crate) fn unary(op: UnOp, width: u32, a: u64) -> u64 {
    match op {
        UnOp::Neg => a.wrapping_neg() & mask(width),
        _ => !a & mask(width),
    }
}

/// Sign extension.
pub(crate) fn sext(from: u32, to: u32, a: u64) -> u64 {
    signed(from, a) as u64 & mask(to)
}

/// The bits of a width from `lo` on.
pub(crate) fn extract(lo: u32, width: u32, a: u64) -> u64 {
    a >> lo & mask(width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval;
    use beeline_ir::CastOp;
    use proptest::prelude::*;

    fn operand() -> impl Strategy<Value = u64> {
        prop_oneof![
            any::<u64>(),
            0u64..70,
            (0u64..3).prop_map(u64::wrapping_neg),
            (0u32..64).prop_map(|n| 1 << n)
        ]
    }

    fn word_result(op: BinOp, ty: Type, a: &Value, b: &Value, width: u32) -> eval::Evaluated {
        binary(op, width, of_value(a), of_value(b)).map(|word| to_value(ty, word))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn words_and_values_agree(width in 1u32..=64, a in operand(), b in operand(), near: bool) {
            let b = if near { a.wrapping_add(b % 3) } else { b };
            let (x, y) = (Value::bv(width, a), Value::bv(width, b));
            for op in BinOp::ALL {
                let Some(result) = op.result(x.ty(), y.ty()) else { continue };
                if !has_binary(op, x.ty(), result) { continue }
                prop_assert_eq!(eval::binary(op, &x, &y), word_result(op, result, &x, &y, width), "{:?}", op);
            }
            for op in [UnOp::Neg, UnOp::BvNot] {
                let word = to_value(x.ty(), unary(op, width, of_value(&x)));
                prop_assert_eq!(eval::unary(op, &x), Ok(word), "{:?}", op);
            }
            let lo = b as u32 % width;
            let part = width - lo;
            let extracted = to_value(Type::Bv(part), extract(lo, part, of_value(&x)));
            prop_assert_eq!(eval::extract(width - 1, lo, &x), Ok(extracted));
            if width < 64 {
                let to = Type::Bv(64);
                prop_assert_eq!(eval::cast(CastOp::SExt, to, &x), Ok(to_value(to, sext(width, 64, of_value(&x)))));
                let to = Type::Bv(width + 1);
                prop_assert_eq!(eval::cast(CastOp::SExt, to, &x), Ok(to_value(to, sext(width, width + 1, of_value(&x)))));
            }
        }

        #[test]
        fn float_words_and_values_agree(a: u64, b in operand(), small in -9i8..9, plain: bool) {
            for kind in [FloatKind::F32, FloatKind::F64] {
                let number = |word| Value::float(kind, Bits::new(kind.width(), word));
                let (x, y) = (number(a), if plain { crate::float::from_integer(kind, &small.into()) } else { number(b) });
                for op in BinOp::ALL {
                    let Some(result) = op.result(x.ty(), y.ty()) else { continue };
                    prop_assert_eq!(eval::binary(op, &x, &y), word_result(op, result, &x, &y, kind.width()), "{:?}", op);
                }
            }
        }
    }
}
