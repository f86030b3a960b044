//! Floats: operations that Z3 lacks or leaves unspecified, with the same bits as in `beeline-interp`.
//!
//! Z3's `fp.to_ieee_bv` of NaN and its conversions of numbers out of range are unspecified. Its remainder is
//! the IEEE one, not C's. It has no x87 format, which has one bit more than its value.
#![allow(unsafe_code)] // The conversions from bit-vectors are missing from the safe bindings.

use crate::ast::numeral;
use beeline_ir::{Bits, CastOp, FloatKind, UnOp, value::canonical_nan};
use z3::Sort;
use z3::ast::{Ast, BV, Bool, Float, RoundingMode};

/// The sort of a kind of float.
pub(crate) fn sort(kind: FloatKind) -> Sort {
    Sort::float(kind.exponent_bits(), kind.precision())
}

fn nearest() -> RoundingMode {
    RoundingMode::round_nearest_ties_to_even()
}

/// Wraps a conversion of the C interface that the safe bindings lack.
fn convert(
    source: &BV,
    kind: FloatKind,
    call: impl FnOnce(z3_sys::Z3_context, z3_sys::Z3_ast, z3_sys::Z3_sort) -> Option<z3_sys::Z3_ast>,
) -> Float {
    let context = source.get_ctx();
    let result = call(context.get_z3_context(), source.get_z3_ast(), sort(kind).get_z3_sort())
        .expect("a conversion between fitting sorts succeeds");
    // SAFETY: the ast was just made in this context.
    unsafe { Float::wrap(context, result) }
}

/// A float from its IEEE representation (for x87: without the integer bit).
fn from_ieee(kind: FloatKind, bits: &BV) -> Float {
    // SAFETY: context, term and sort are alive and of one context.
    convert(bits, kind, |context, term, sort| unsafe { z3_sys::Z3_mk_fpa_to_fp_bv(context, term, sort) })
}

/// The float with a representation.
pub(crate) fn from_bits(kind: FloatKind, bits: &BV) -> Float {
    if kind != FloatKind::X87 {
        return from_ieee(kind, bits);
    }
    let (sign, exponent) = (bits.extract(79, 79), bits.extract(78, 64));
    let (integer, fraction) = (bits.extract(63, 63).eq(BV::from_u64(1, 1)), bits.extract(62, 0));
    let zero = BV::from_u64(0, 15);
    let normal = from_ieee(kind, &sign.concat(&exponent).concat(&fraction));
    // A number without its integer bit is invalid unless it is subnormal; a subnormal with it counts
    // as if its exponent were one.
    let pseudo = from_ieee(kind, &sign.concat(BV::from_u64(1, 15)).concat(&fraction));
    let is_zero = exponent.eq(&zero);
    let invalid = Bool::and(&[integer.not(), is_zero.not()]);
    let pseudo_denormal = Bool::and(&[integer, is_zero]);
    invalid.ite(&Float::nan(&sort(kind)), &pseudo_denormal.ite(&pseudo, &normal))
}

/// The representation of a float. NaN has the canonical one.
pub(crate) fn to_bits(kind: FloatKind, float: &Float) -> BV {
    let ieee = float.to_ieee_bv();
    let bits = if kind == FloatKind::X87 {
        let exponent = ieee.extract(77, 63);
        let integer = exponent.eq(BV::from_u64(0, 15)).ite(&BV::from_u64(0, 1), &BV::from_u64(1, 1));
        ieee.extract(78, 78).concat(&exponent).concat(&integer).concat(ieee.extract(62, 0))
    } else {
        ieee
    };
    float.is_nan().ite(&numeral(&canonical_nan(kind)), &bits)
}

/// An operator from float to float.
pub(crate) fn unary(op: UnOp, kind: FloatKind, a: &Float) -> Option<Float> {
    let integral = |mode: RoundingMode| a.round_to_integral_with_rounding_mode(&mode);
    let result = match op {
        UnOp::FNeg => a.unary_neg(),
        UnOp::FAbs => a.unary_abs(),
        UnOp::FSqrt => a.sqrt_with_rounding_mode(&nearest()),
        UnOp::FTrunc => integral(RoundingMode::round_towards_zero()),
        UnOp::FFloor => integral(RoundingMode::round_towards_negative()),
        UnOp::FCeil => integral(RoundingMode::round_towards_positive()),
        UnOp::FRoundEven => integral(nearest()),
        UnOp::FRoundAway => integral(RoundingMode::round_nearest_ties_to_away()),
        _ => return None,
    };
    debug_assert_eq!(result.get_sort(), sort(kind));
    Some(result)
}

/// A classification of a float.
pub(crate) fn classify(op: UnOp, a: &Float) -> Option<Bool> {
    Some(match op {
        UnOp::FIsNan => a.is_nan(),
        UnOp::FIsInf => a.is_infinite(),
        UnOp::FIsZero => a.is_zero(),
        UnOp::FIsNormal => a.is_normal(),
        UnOp::FIsSubnormal => a.is_subnormal(),
        UnOp::FIsNegative => Bool::and(&[a.is_nan().not(), a.is_negative()]),
        _ => return None,
    })
}

/// C's `fmod`: the remainder of the truncated quotient, with the sign of the dividend.
pub(crate) fn fmod(a: &Float, b: &Float) -> Float {
    let (x, y) = (a.unary_abs(), b.unary_abs());
    let rest = x.rem(&y);
    // The IEEE remainder is nearest to zero. The sum is exact because fmod is representable.
    let wrapped = rest.add_with_rounding_mode(&y, &nearest());
    let below = Bool::and(&[rest.is_negative(), rest.is_zero().not()]);
    let magnitude = below.ite(&wrapped, &rest).unary_abs();
    a.is_negative().ite(&magnitude.unary_neg(), &magnitude)
}

/// Product and sum with one rounding.
pub(crate) fn fma(a: &Float, b: &Float, c: &Float) -> Float {
    a.fma_with_rounding_mode(b, c, &nearest())
}

/// Arithmetic, rounded to nearest.
pub(crate) fn arithmetic(op: beeline_ir::BinOp, a: &Float, b: &Float) -> Option<Float> {
    use beeline_ir::BinOp::*;
    Some(match op {
        FAdd => a.add_with_rounding_mode(b, &nearest()),
        FSub => a.sub_with_rounding_mode(b, &nearest()),
        FMul => a.mul_with_rounding_mode(b, &nearest()),
        FDiv => a.div_with_rounding_mode(b, &nearest()),
        FRem => fmod(a, b),
        _ => return None,
    })
}

/// A conversion between kinds of floats.
pub(crate) fn to_float(a: &Float, kind: FloatKind) -> Float {
    a.to_fp_with_rounding_mode(&nearest(), &sort(kind))
}

/// A float from a machine integer.
pub(crate) fn from_integer(op: CastOp, bits: &BV, kind: FloatKind) -> Float {
    let mode = nearest();
    convert(bits, kind, |context, term, sort| {
        let mode = mode.get_z3_ast();
        // SAFETY: context, terms and sort are alive and of one context.
        unsafe {
            if op == CastOp::SToF {
                z3_sys::Z3_mk_fpa_to_fp_signed(context, mode, term, sort)
            } else {
                z3_sys::Z3_mk_fpa_to_fp_unsigned(context, mode, term, sort)
            }
        }
    })
}

/// A machine integer from a truncated float, and whether it fits.
pub(crate) fn to_integer(op: CastOp, a: &Float, kind: FloatKind, width: u32) -> (BV, Bool) {
    let truncated = a.round_to_integral_with_rounding_mode(&RoundingMode::round_towards_zero());
    let signed = op == CastOp::FToS;
    // Powers of two are exact, or infinite beyond the range of the format.
    let power = |exponent: u32| {
        let one = Bits::new(width + 1, 1);
        let value = one.shl(&Bits::new(width + 1, u64::from(exponent)));
        from_integer(CastOp::UToF, &numeral(&value), kind)
    };
    let limit = power(if signed { width - 1 } else { width });
    let lowest =
        if signed { limit.unary_neg() } else { from_bits(kind, &numeral(&Bits::zero(kind.width()))) };
    let fits =
        Bool::and(&[a.is_nan().not(), a.is_infinite().not(), truncated.ge(&lowest), truncated.lt(&limit)]);
    let toward_zero = RoundingMode::round_towards_zero();
    let bits = if signed {
        truncated.to_sbv_with_rounding_mode(&toward_zero, width)
    } else {
        truncated.unary_abs().to_ubv_with_rounding_mode(&toward_zero, width)
    };
    (bits, fits)
}
