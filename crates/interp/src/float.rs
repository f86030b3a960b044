//! Floating-point arithmetic, exact for every format: correctly rounded to nearest, ties to even.
//!
//! Single and double precision use the machine. All other formats, and operations that the machine lacks, use
//! LLVM's software floats. Every NaN is the canonical one.

use beeline_ir::{BinOp, Bits, FloatKind, UnOp, Value};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{Signed, ToPrimitive};
use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};

/// Runs an expression with `$F` the software float of a kind.
macro_rules! with_kind {
    ($kind:expr, $F:ident => $body:expr) => {
        match $kind {
            FloatKind::F16 => {
                type $F = Half;
                $body
            }
            FloatKind::Bf16 => {
                type $F = BFloat;
                $body
            }
            FloatKind::F32 => {
                type $F = Single;
                $body
            }
            FloatKind::F64 => {
                type $F = Double;
                $body
            }
            FloatKind::X87 => {
                type $F = X87DoubleExtended;
                $body
            }
            FloatKind::F128 => {
                type $F = Quad;
                $body
            }
        }
    };
}

fn soft<F: Float>(bits: &Bits) -> F {
    F::from_bits(bits.to_u128().unwrap_or(0))
}

fn value<F: Float>(kind: FloatKind, float: F) -> Value {
    Value::float(kind, Bits::from_u128(kind.width(), float.to_bits()))
}

fn double(bits: &Bits) -> f64 {
    f64::from_bits(bits.to_u64().unwrap_or(0))
}

fn single(bits: &Bits) -> f32 {
    f32::from_bits(bits.to_u64().unwrap_or(0) as u32)
}

fn from_double(value: f64) -> Value {
    Value::float(FloatKind::F64, Bits::new(64, value.to_bits()))
}

fn from_single(value: f32) -> Value {
    Value::float(FloatKind::F32, Bits::new(32, u64::from(value.to_bits())))
}

/// An operator with one float operand; `None` if it takes none.
pub fn unary(op: UnOp, kind: FloatKind, a: &Bits) -> Option<Value> {
    let round = match op {
        UnOp::FSqrt => return Some(sqrt(kind, a)),
        UnOp::FTrunc => Round::TowardZero,
        UnOp::FFloor => Round::TowardNegative,
        UnOp::FCeil => Round::TowardPositive,
        UnOp::FRoundEven => Round::NearestTiesToEven,
        UnOp::FRoundAway => Round::NearestTiesToAway,
        _ => return with_kind!(kind, F => sign_or_class(op, kind, soft::<F>(a))),
    };
    Some(with_kind!(kind, F => value(kind, soft::<F>(a).round_to_integral(round).value)))
}

fn sign_or_class<F: Float>(op: UnOp, kind: FloatKind, a: F) -> Option<Value> {
    Some(match op {
        UnOp::FNeg => value(kind, -a),
        UnOp::FAbs => value(kind, a.abs()),
        UnOp::FIsNan => Value::Bool(a.is_nan()),
        UnOp::FIsInf => Value::Bool(a.is_infinite()),
        UnOp::FIsZero => Value::Bool(a.is_zero()),
        UnOp::FIsNormal => Value::Bool(a.is_normal()),
        UnOp::FIsSubnormal => Value::Bool(a.is_denormal()),
        UnOp::FIsNegative => Value::Bool(a.is_negative() && !a.is_nan()),
        _ => return None,
    })
}

/// An operator with two float operands; `None` if it takes none.
pub fn binary(op: BinOp, kind: FloatKind, a: &Bits, b: &Bits) -> Option<Value> {
    match kind {
        FloatKind::F64 => {
            let (a, b) = (double(a), double(b));
            Some(match op {
                BinOp::FAdd => from_double(a + b),
                BinOp::FSub => from_double(a - b),
                BinOp::FMul => from_double(a * b),
                BinOp::FDiv => from_double(a / b),
                BinOp::FRem => from_double(a % b),
                BinOp::FEq => Value::Bool(a == b),
                BinOp::FLt => Value::Bool(a < b),
                BinOp::FLe => Value::Bool(a <= b),
                _ => return None,
            })
        }
        FloatKind::F32 => {
            let (a, b) = (single(a), single(b));
            Some(match op {
                BinOp::FAdd => from_single(a + b),
                BinOp::FSub => from_single(a - b),
                BinOp::FMul => from_single(a * b),
                BinOp::FDiv => from_single(a / b),
                BinOp::FRem => from_single(a % b),
                BinOp::FEq => Value::Bool(a == b),
                BinOp::FLt => Value::Bool(a < b),
                BinOp::FLe => Value::Bool(a <= b),
                _ => return None,
            })
        }
        _ => with_kind!(kind, F => soft_binary(op, kind, soft::<F>(a), soft::<F>(b))),
    }
}

fn soft_binary<F: Float>(op: BinOp, kind: FloatKind, a: F, b: F) -> Option<Value> {
    const NEAREST: Round = Round::NearestTiesToEven;
    Some(match op {
        BinOp::FAdd => value(kind, a.add_r(b, NEAREST).value),
        BinOp::FSub => value(kind, a.sub_r(b, NEAREST).value),
        BinOp::FMul => value(kind, a.mul_r(b, NEAREST).value),
        BinOp::FDiv => value(kind, a.div_r(b, NEAREST).value),
        BinOp::FRem => value(kind, a.c_fmod(b).value),
        BinOp::FEq => Value::Bool(a == b),
        BinOp::FLt => Value::Bool(a < b),
        BinOp::FLe => Value::Bool(a <= b),
        _ => return None,
    })
}

/// Product and sum with one rounding.
pub fn fma(kind: FloatKind, a: &Bits, b: &Bits, c: &Bits) -> Value {
    with_kind!(kind, F => {
        let product = soft::<F>(a).mul_add_r(soft::<F>(b), soft::<F>(c), Round::NearestTiesToEven);
        value(kind, product.value)
    })
}

/// The square root.
pub fn sqrt(kind: FloatKind, a: &Bits) -> Value {
    match kind {
        FloatKind::F64 => from_double(double(a).sqrt()),
        FloatKind::F32 => from_single(single(a).sqrt()),
        _ => with_kind!(kind, F => value(kind, soft_sqrt::<F>(soft::<F>(a)))),
    }
}

fn soft_sqrt<F: Float>(a: F) -> F {
    if a.is_nan() || a.is_zero() || a.is_infinite() && !a.is_negative() {
        return a;
    }
    if a.is_negative() {
        return F::NAN;
    }
    // a = significand * 2^exponent with an integer significand and an even exponent.
    let precision = F::PRECISION as i32;
    let mut exponent = a.ilogb() - (precision - 1);
    let mut significand = BigUint::from(a.scalbn(-exponent).to_u128(127).value);
    if exponent % 2 != 0 {
        significand <<= 1;
        exponent -= 1;
    }
    // Enough bits to round the root, but no more: the smallest format has a small range.
    let shift = (2 * (precision + 3) - significand.bits() as i32).max(0) / 2;
    let scaled = significand << (2 * shift);
    let root = scaled.sqrt();
    let sticky = u128::from(&root * &root != scaled);
    let root = root.to_u128().unwrap_or(u128::MAX) << 1 | sticky;
    F::from_u128(root).value.scalbn(exponent / 2 - shift - 1)
}

/// Conversion to another format, to the nearest.
pub fn convert(from: FloatKind, to: FloatKind, a: &Bits) -> Value {
    match (from, to) {
        (FloatKind::F32, FloatKind::F64) => from_double(single(a).into()),
        (FloatKind::F64, FloatKind::F32) => from_single(double(a) as f32),
        _ => soft_convert(from, to, a),
    }
}

fn soft_convert(from: FloatKind, to: FloatKind, a: &Bits) -> Value {
    fn to_kind<F>(to: FloatKind, a: F) -> Value
    where
        F: Float
            + FloatConvert<Half>
            + FloatConvert<BFloat>
            + FloatConvert<Single>
            + FloatConvert<Double>
            + FloatConvert<X87DoubleExtended>
            + FloatConvert<Quad>,
    {
        with_kind!(to, T => {
            let converted: T = a.convert_r(Round::NearestTiesToEven, &mut false).value;
            value(to, converted)
        })
    }
    with_kind!(from, F => to_kind(to, soft::<F>(a)))
}

/// A float from an integer that fits a machine word, to the nearest.
pub(crate) fn from_word(to: FloatKind, integer: i128) -> Value {
    match to {
        FloatKind::F32 => from_single(integer as f32),
        FloatKind::F64 => from_double(integer as f64),
        _ => from_integer(to, &integer.into()),
    }
}

/// A float from an integer, to the nearest.
pub fn from_integer(to: FloatKind, integer: &BigInt) -> Value {
    // Of a longer integer, the first bits matter, and whether any other bit is set.
    let magnitude = integer.magnitude();
    let excess = magnitude.bits().saturating_sub(126);
    let mut head = (magnitude >> excess).to_u128().unwrap_or(0);
    if excess > 0 {
        let cut: BigUint = BigUint::from(head) << excess;
        head = head << 1 | u128::from(cut != *magnitude);
    }
    let scale = if excess > 0 { i32::try_from(excess - 1).unwrap_or(i32::MAX) } else { 0 };
    with_kind!(to, F => {
        let positive = scaled(F::from_u128(head).value, scale);
        value(to, if integer.sign() == Sign::Minus { -positive } else { positive })
    })
}

fn scaled<F: Float>(a: F, scale: i32) -> F {
    if scale == 0 { a } else { a.scalbn(scale) }
}

/// An integer of a width from a float, towards zero; `None` if it does not fit.
pub fn to_integer(from: FloatKind, a: &Bits, width: u32, signed: bool) -> Option<Bits> {
    match from {
        FloatKind::F32 if width <= 64 => return to_word(single(a).into(), width, signed),
        FloatKind::F64 if width <= 64 => return to_word(double(a), width, signed),
        _ => {}
    }
    let integer = with_kind!(from, F => exact_integer(soft::<F>(a)))?;
    let bits = Bits::from_bigint(width, &integer);
    let back = if signed { bits.to_bigint() } else { bits.to_biguint().into() };
    (back == integer).then_some(bits)
}

/// An integer of at most 64 bits from a double.
fn to_word(a: f64, width: u32, signed: bool) -> Option<Bits> {
    // Nothing beyond this fits. Anything below is exact in 128 bits.
    if a.is_nan() || a.abs() >= 2f64.powi(65) {
        return None;
    }
    let integer = a as i128;
    let (least, most) = if signed {
        (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1)
    } else {
        (0, (1i128 << width) - 1)
    };
    (least..=most).contains(&integer).then(|| Bits::from_u128(width, integer as u128))
}

/// The integral part.
fn exact_integer<F: Float>(a: F) -> Option<BigInt> {
    if !a.is_finite() {
        return None;
    }
    let whole = a.round_to_integral(Round::TowardZero).value;
    if whole.is_zero() {
        return Some(BigInt::from(0));
    }
    let down = (whole.ilogb() - 120).max(0);
    let head = whole.scalbn(-down).to_i128(128);
    debug_assert!(!head.status.contains(Status::INVALID_OP));
    let magnitude = BigInt::from(head.value.unsigned_abs()) << down;
    Some(if head.value.is_negative() { -magnitude.abs() } else { magnitude })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bits64(value: f64) -> Bits {
        Bits::new(64, value.to_bits())
    }

    fn any_double() -> impl Strategy<Value = f64> {
        prop_oneof![any::<f64>(), any::<u64>().prop_map(f64::from_bits), (-50i32..50).prop_map(f64::from)]
    }

    /// The operation in quadruple precision, rounded to double. Rounding twice is known to make no
    /// difference, as 113 bits are more than twice 53.
    fn through_quad(op: BinOp, a: f64, b: f64) -> Value {
        let quad = |value: f64| match convert(FloatKind::F64, FloatKind::F128, &bits64(value)) {
            Value::Float(_, bits) => bits,
            other => panic!("{other:?}"),
        };
        match binary(op, FloatKind::F128, &quad(a), &quad(b)) {
            Some(Value::Float(kind, bits)) => convert(kind, FloatKind::F64, &bits),
            other => panic!("{other:?}"),
        }
    }

    proptest! {
        #[test]
        fn software_and_machine_agree(a in any_double(), b in any_double()) {
            for op in [BinOp::FAdd, BinOp::FSub, BinOp::FMul, BinOp::FDiv] {
                let machine = binary(op, FloatKind::F64, &bits64(a), &bits64(b));
                prop_assert_eq!(machine.clone(), soft_binary(op, FloatKind::F64, soft::<Double>(&bits64(a)), soft::<Double>(&bits64(b))));
                let result = match &machine { Some(Value::Float(_, bits)) => double(bits), _ => 0.0 };
                if result.is_normal() {
                    prop_assert_eq!(machine, Some(through_quad(op, a, b)));
                }
            }
            let remainder = binary(BinOp::FRem, FloatKind::F64, &bits64(a), &bits64(b));
            prop_assert_eq!(remainder, soft_binary(BinOp::FRem, FloatKind::F64, soft::<Double>(&bits64(a)), soft::<Double>(&bits64(b))));
        }

        #[test]
        fn roots_agree_with_the_machine(a in any_double()) {
            let soft = value(FloatKind::F64, soft_sqrt(soft::<Double>(&bits64(a))));
            prop_assert_eq!(soft, from_double(a.sqrt()));
        }

        #[test]
        fn rounding_agrees_with_the_machine(a in any_double()) {
            for (op, expected) in [
                (UnOp::FTrunc, a.trunc()), (UnOp::FFloor, a.floor()), (UnOp::FCeil, a.ceil()),
                (UnOp::FRoundEven, a.round_ties_even()), (UnOp::FRoundAway, a.round()),
                (UnOp::FNeg, -a), (UnOp::FAbs, a.abs()),
            ] {
                prop_assert_eq!(unary(op, FloatKind::F64, &bits64(a)), Some(from_double(expected)), "{:?}", op);
            }
            prop_assert_eq!(unary(UnOp::FIsSubnormal, FloatKind::F64, &bits64(a)), Some(Value::Bool(a.is_subnormal())));
            prop_assert_eq!(unary(UnOp::FIsNormal, FloatKind::F64, &bits64(a)), Some(Value::Bool(a.is_normal())));
            prop_assert_eq!(convert(FloatKind::F64, FloatKind::F32, &bits64(a)), from_single(a as f32));
        }

        #[test]
        fn integers_agree_with_the_machine(a: i128, b in any_double()) {
            prop_assert_eq!(from_integer(FloatKind::F64, &a.into()), from_double(a as f64));
            prop_assert_eq!(from_integer(FloatKind::F32, &a.into()), from_single(a as f32));
            let fits = b.trunc() >= i64::MIN as f64 && b.trunc() < i64::MAX as f64;
            let expected = fits.then(|| Bits::from_i64(64, b as i64));
            prop_assert_eq!(to_integer(FloatKind::F64, &bits64(b), 64, true), expected);
        }

        #[test]
        fn fused_products_agree_with_the_machine(a in any_double(), b in any_double(), c in any_double()) {
            prop_assert_eq!(fma(FloatKind::F64, &bits64(a), &bits64(b), &bits64(c)), from_double(a.mul_add(b, c)));
        }
    }

    #[test]
    fn wide_integers_are_rounded_once() {
        // 2^200 + 2^147 is halfway between two doubles; one more tips it over.
        let half: BigInt = (BigInt::from(1) << 200) + (BigInt::from(1) << 147);
        assert_eq!(from_integer(FloatKind::F64, &half), from_double(2f64.powi(200)));
        let above = half + 1;
        assert_eq!(from_integer(FloatKind::F64, &above), from_double(2f64.powi(200) + 2f64.powi(148)));
        let back = to_integer(FloatKind::F64, &bits64(2f64.powi(200)), 256, false);
        assert_eq!(back.map(|bits| bits.to_biguint()), Some(BigUint::from(1u8) << 200));
    }

    #[test]
    fn roots_of_every_format() {
        for kind in FloatKind::ALL {
            let number = |n: u32| match from_integer(kind, &BigInt::from(n)) {
                Value::Float(_, bits) => bits,
                other => panic!("{other:?}"),
            };
            assert_eq!(sqrt(kind, &number(144)), Value::Float(kind, number(12)), "{kind:?}");
            // The square root of two is within a bit of the exact root.
            assert!(matches!(sqrt(kind, &number(2)), Value::Float(..)));
        }
    }
}
