//! The floating-point operators compared with exact rational arithmetic, for every format.

use beeline_interp::eval::{self, Evaluated};
use beeline_interp::float;
use beeline_ir::{BinOp, Bits, CastOp, FloatKind, Type, UnOp, Value};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, Signed, Zero};
use proptest::prelude::*;

/// The number of a representation. A finite number is `m * 2^e`.
#[derive(Debug, Clone)]
enum Number {
    Nan,
    Infinite,
    Finite { m: BigInt, e: i64 },
}

fn bias(kind: FloatKind) -> i64 {
    (1 << (kind.exponent_bits() - 1)) - 1
}

/// The exponent of the last place of subnormal numbers.
fn least_exponent(kind: FloatKind) -> i64 {
    1 - bias(kind) - i64::from(kind.precision() - 1)
}

/// The stored bits of the significand: one more than the fraction for x87.
fn stored(kind: FloatKind) -> u32 {
    kind.width() - 1 - kind.exponent_bits()
}

fn decoded(kind: FloatKind, bits: &Bits) -> Number {
    let stored = stored(kind);
    let exponent = bits.extract(kind.width() - 2, stored).to_u64().expect("at most 15 bits") as i64;
    let mut m = bits.extract(stored - 1, 0).to_biguint();
    if exponent == (1 << kind.exponent_bits()) - 1 {
        let fraction = bits.extract(kind.precision() - 2, 0);
        return if fraction.is_zero() { Number::Infinite } else { Number::Nan };
    }
    if exponent > 0 && kind != FloatKind::X87 {
        m += BigUint::one() << stored;
    }
    let e = least_exponent(kind) + (exponent - 1).max(0);
    let sign = if bits.sign() { Sign::Minus } else { Sign::Plus };
    Number::Finite { m: BigInt::from_biguint(sign, m), e }
}

/// The float nearest to `num / den`, ties to even. Zero gets the given sign.
fn rounded(kind: FloatKind, num: &BigInt, den: &BigUint, negative_zero: bool) -> Value {
    let negative = if num.is_zero() { negative_zero } else { num.is_negative() };
    let (precision, least) = (i64::from(kind.precision()), least_exponent(kind));
    let magnitude = num.magnitude();
    let mut e = (magnitude.bits() as i64 - den.bits() as i64 - precision - 1).max(least);
    let (mut q, mut r, mut d);
    loop {
        let n = magnitude << (-e).max(0);
        d = den << e.max(0);
        (q, r) = (&n / &d, &n % &d);
        if q.bits() as i64 <= precision {
            break;
        }
        e += 1;
    }
    let twice: BigUint = &r << 1;
    if twice > d || twice == d && q.bit(0) {
        q += 1u8;
    }
    if q.bits() as i64 > precision {
        (q, e) = (q >> 1, e + 1);
    }
    let mut field = if (q.bits() as i64) < precision { 0 } else { e - least + 1 };
    let all_ones = (1 << kind.exponent_bits()) - 1;
    let stored = stored(kind);
    if field >= all_ones {
        field = all_ones;
        q = if kind == FloatKind::X87 { BigUint::one() << 63 } else { BigUint::zero() };
    }
    let significand = q % (BigUint::one() << stored);
    let sign = BigUint::from(u8::from(negative)) << (kind.width() - 1);
    Value::Float(
        kind,
        Bits::from_big(kind.width(), sign + (BigUint::from(field as u64) << stored) + significand),
    )
}

/// `m * 2^e` as a fraction.
fn fraction(m: &BigInt, e: i64) -> (BigInt, BigUint) {
    (m << e.max(0), BigUint::one() << (-e).max(0))
}

fn bits_of(value: &Evaluated) -> &Bits {
    match value {
        Ok(Value::Float(_, bits)) => bits,
        other => panic!("{other:?}"),
    }
}

/// A representation, often of a number near one, without those that x87 processors never produce.
fn representation(kind: FloatKind) -> impl Strategy<Value = Bits> {
    let width = kind.width();
    (any::<u128>(), any::<u128>(), 0u8..8, -70i64..70, any::<bool>()).prop_map(
        move |(raw, mask, shape, near, sign)| {
            let stored = stored(kind);
            let raw = Bits::from_u128(width, if shape % 2 == 0 { raw } else { raw & mask & (mask >> 40) });
            let significand = raw.extract(stored - 1, 0);
            let random = raw.extract(width - 2, stored).to_u64().expect("at most 15 bits");
            let field = match shape {
                0 | 1 => random,
                2 => 0,
                _ => (bias(kind) + near.rem_euclid(bias(kind) + 1) * near.signum()) as u64,
            };
            let mut field = Bits::new(kind.exponent_bits(), field);
            let mut significand = significand;
            if kind == FloatKind::X87 {
                let integer = Bits::new(1, u64::from(!field.is_zero()));
                significand = integer.concat(&significand.extract(62, 0));
            }
            if field.is_ones() && shape == 0 {
                field = Bits::new(field.width(), 1);
            }
            let bits = Bits::new(1, u64::from(sign)).concat(&field).concat(&significand);
            match Value::float(kind, bits) {
                Value::Float(_, bits) => bits,
                other => panic!("{other:?}"),
            }
        },
    )
}

fn any_kind() -> impl Strategy<Value = FloatKind> {
    prop::sample::select(FloatKind::ALL.to_vec())
}

fn any_numbers() -> impl Strategy<Value = (FloatKind, Bits, Bits, Bits)> {
    any_kind()
        .prop_flat_map(|kind| (Just(kind), representation(kind), representation(kind), representation(kind)))
}

/// The exact result of an operator on finite numbers, if it is defined.
fn exact(op: BinOp, (a, ea): (&BigInt, i64), (b, eb): (&BigInt, i64)) -> Option<(BigInt, BigUint)> {
    let low = ea.min(eb);
    let (x, y) = (a << (ea - low), b << (eb - low));
    Some(match op {
        BinOp::FAdd => fraction(&(x + y), low),
        BinOp::FSub => fraction(&(x - y), low),
        BinOp::FMul => fraction(&(a * b), ea + eb),
        BinOp::FDiv | BinOp::FRem if b.is_zero() => return None,
        BinOp::FDiv if y.is_negative() => (-x, y.magnitude().clone()),
        BinOp::FDiv => (x, y.magnitude().clone()),
        _ => fraction(&(x % y), low),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6000))]

    #[test]
    fn arithmetic_is_rounded_correctly((kind, a, b, c) in any_numbers()) {
        let [x, y, z] = [&a, &b, &c].map(|bits| Value::Float(kind, bits.clone()));
        let (Number::Finite { m, e }, Number::Finite { m: n, e: f }) = (decoded(kind, &a), decoded(kind, &b)) else {
            return Ok(());
        };
        for op in [BinOp::FAdd, BinOp::FSub, BinOp::FMul, BinOp::FDiv, BinOp::FRem] {
            let Some((num, den)) = exact(op, (&m, e), (&n, f)) else { continue };
            let negative_zero = match op {
                BinOp::FAdd => a.sign() && b.sign(),
                BinOp::FSub => a.sign() && !b.sign(),
                BinOp::FRem => a.sign(),
                _ => a.sign() != b.sign(),
            };
            let expected = rounded(kind, &num, &den, negative_zero);
            prop_assert_eq!(eval::binary(op, &x, &y), Ok(expected), "{:?} {:?}", op, kind);
        }
        let (difference, _) = exact(BinOp::FSub, (&m, e), (&n, f)).expect("always defined");
        prop_assert_eq!(eval::binary(BinOp::FEq, &x, &y), Ok(Value::Bool(difference.is_zero())));
        prop_assert_eq!(eval::binary(BinOp::FLt, &x, &y), Ok(Value::Bool(difference.is_negative())));
        prop_assert_eq!(eval::binary(BinOp::FLe, &x, &y), Ok(Value::Bool(!difference.is_positive())));
        if let Number::Finite { m: o, e: g } = decoded(kind, &c) {
            let (num, den) = exact(BinOp::FAdd, (&(&m * &n), e + f), (&o, g)).expect("always defined");
            let expected = rounded(kind, &num, &den, a.sign() != b.sign() && c.sign());
            prop_assert_eq!(eval::fma(&x, &y, &z), Ok(expected), "fma {:?}", kind);
        }
    }

    #[test]
    fn roots_are_rounded_correctly((kind, a, _, _) in any_numbers()) {
        let root = eval::unary(UnOp::FSqrt, &Value::Float(kind, a.clone()));
        let Number::Finite { m, e } = decoded(kind, &a) else { return Ok(()) };
        if m.is_zero() {
            prop_assert_eq!(bits_of(&root), &a);
        } else if m.is_negative() {
            prop_assert!(matches!(decoded(kind, bits_of(&root)), Number::Nan));
        } else {
            let Number::Finite { m: r, e: f } = decoded(kind, bits_of(&root)) else { panic!("{root:?}") };
            // The square is between those of the midpoints on both sides.
            let low = e.min(2 * f - 2);
            let (below, above): (BigInt, BigInt) = ((&r << 1) - 1, (&r << 1) + 1);
            let square = |x: &BigInt| (x * x) << (2 * f - 2 - low);
            let exact = &m << (e - low);
            prop_assert!(square(&below) <= exact && exact <= square(&above), "{:?} {:?}", kind, a);
        }
    }

    #[test]
    fn conversions_are_rounded_correctly((from, a, _, _) in any_numbers(), to in any_kind(), width in 1u32..200) {
        let x = Value::Float(from, a.clone());
        let Number::Finite { m, e } = decoded(from, &a) else { return Ok(()) };
        let (num, den) = fraction(&m, e);
        let converted = eval::cast(CastOp::FToF, Type::Float(to), &x);
        prop_assert_eq!(converted, Ok(rounded(to, &num, &den, a.sign())), "{:?} to {:?}", from, to);
        let den = BigInt::from(den);
        let whole = &num / &den;
        for (op, least, most) in [
            (CastOp::FToS, -(BigInt::one() << (width - 1)), (BigInt::one() << (width - 1)) - 1),
            (CastOp::FToU, BigInt::zero(), (BigInt::one() << width) - 1),
        ] {
            let expected = if least <= whole && whole <= most {
                Ok(Value::Bv(Bits::from_bigint(width, &whole)))
            } else {
                Err(eval::StuckReason::ConversionOverflow)
            };
            prop_assert_eq!(eval::cast(op, Type::Bv(width), &x), expected, "{:?} {:?} {}", op, from, width);
        }
        // Integers: the one below, the one above, and the nearer of these.
        let floor = if num.is_negative() && &whole * &den != num { &whole - 1 } else { whole.clone() };
        let rest: BigInt = (&num - &floor * &den) << 1;
        let ceiling = if rest.is_zero() { floor.clone() } else { &floor + 1 };
        let to_even = if rest > den || rest == den && floor.bit(0) { &ceiling } else { &floor };
        let away = if rest > den || rest == den && !num.is_negative() { &ceiling } else { &floor };
        for (op, expected) in [
            (UnOp::FTrunc, &whole), (UnOp::FFloor, &floor), (UnOp::FCeil, &ceiling),
            (UnOp::FRoundEven, to_even), (UnOp::FRoundAway, away),
        ] {
            let expected = rounded(from, expected, &BigUint::one(), a.sign());
            prop_assert_eq!(eval::unary(op, &x), Ok(expected), "{:?} {:?} {:?}", op, from, a);
        }
    }

    #[test]
    fn integers_are_rounded_correctly(raw: [u64; 5], sparse: bool, width in 1u32..320, kind in any_kind()) {
        let all = raw.iter().fold(BigUint::zero(), |sum, &word| (sum << 64) + if sparse { word & word >> 3 & word >> 31 } else { word });
        let a = Bits::from_big(width, all);
        for (op, integer) in [(CastOp::UToF, a.to_biguint().into()), (CastOp::SToF, a.to_bigint())] {
            let expected = rounded(kind, &integer, &BigUint::one(), false);
            prop_assert_eq!(eval::cast(op, Type::Float(kind), &Value::Bv(a.clone())), Ok(expected), "{:?} {:?}", op, a);
        }
    }

    #[test]
    fn numbers_are_classified((kind, a, _, _) in any_numbers()) {
        let number = decoded(kind, &a);
        let is = |op| eval::unary(op, &Value::Float(kind, a.clone())) == Ok(Value::Bool(true));
        let least_normal = BigInt::one() << (kind.precision() - 1);
        let (nan, infinite, zero, normal) = match &number {
            Number::Nan => (true, false, false, false),
            Number::Infinite => (false, true, false, false),
            Number::Finite { m, .. } => (false, false, m.is_zero(), m.abs() >= least_normal),
        };
        prop_assert_eq!(is(UnOp::FIsNan), nan);
        prop_assert_eq!(is(UnOp::FIsInf), infinite);
        prop_assert_eq!(is(UnOp::FIsZero), zero);
        prop_assert_eq!(is(UnOp::FIsNormal), normal);
        prop_assert_eq!(is(UnOp::FIsSubnormal), !nan && !infinite && !zero && !normal);
        prop_assert_eq!(is(UnOp::FIsNegative), !nan && a.sign());
        if !nan {
            let flipped = a.xor(&Bits::new(1, 1).concat(&Bits::zero(kind.width() - 1)));
            let of = |bits: &Bits| Value::Float(kind, bits.clone());
            prop_assert_eq!(eval::unary(UnOp::FNeg, &of(&a)), Ok(of(&flipped)));
            let positive = if a.sign() { &flipped } else { &a };
            prop_assert_eq!(eval::unary(UnOp::FAbs, &of(&a)), Ok(of(positive)));
        }
    }
}

#[test]
fn operations_without_a_number_give_the_one_nan() {
    for kind in FloatKind::ALL {
        let number = |n: i32| float::from_integer(kind, &n.into());
        let canonical = Value::Float(kind, beeline_ir::value::canonical_nan(kind));
        let nan = Ok(canonical.clone());
        let infinity = eval::binary(BinOp::FDiv, &number(1), &number(0)).expect("infinity");
        assert_eq!(eval::unary(UnOp::FIsInf, &infinity), Ok(Value::Bool(true)), "{kind:?}");
        assert_eq!(eval::binary(BinOp::FDiv, &number(0), &number(0)), nan, "{kind:?}");
        assert_eq!(eval::binary(BinOp::FSub, &infinity, &infinity), nan, "{kind:?}");
        assert_eq!(eval::binary(BinOp::FMul, &infinity, &number(0)), nan, "{kind:?}");
        assert_eq!(eval::binary(BinOp::FRem, &number(1), &number(0)), nan, "{kind:?}");
        assert_eq!(eval::binary(BinOp::FRem, &infinity, &number(1)), nan, "{kind:?}");
        assert_eq!(eval::binary(BinOp::FRem, &number(-5), &infinity), Ok(number(-5)), "{kind:?}");
        assert_eq!(eval::unary(UnOp::FSqrt, &number(-1)), nan, "{kind:?}");
        assert_eq!(eval::unary(UnOp::FSqrt, &infinity), Ok(infinity.clone()), "{kind:?}");
        let nan = canonical;
        for op in [UnOp::FNeg, UnOp::FAbs, UnOp::FSqrt, UnOp::FTrunc, UnOp::FRoundEven] {
            assert_eq!(eval::unary(op, &nan), Ok(nan.clone()), "{op:?} {kind:?}");
        }
        for op in [BinOp::FEq, BinOp::FLt, BinOp::FLe] {
            assert_eq!(eval::binary(op, &nan, &nan), Ok(Value::Bool(false)), "{op:?} {kind:?}");
        }
        for to in FloatKind::ALL.into_iter().filter(|to| *to != kind) {
            let canonical = Value::Float(to, beeline_ir::value::canonical_nan(to));
            assert_eq!(eval::cast(CastOp::FToF, Type::Float(to), &nan), Ok(canonical), "{kind:?} {to:?}");
        }
        for op in [CastOp::FToS, CastOp::FToU] {
            let stuck = Err(eval::StuckReason::ConversionOverflow);
            assert_eq!(eval::cast(op, Type::Bv(64), &nan), stuck, "{kind:?}");
            assert_eq!(eval::cast(op, Type::Bv(8_000), &infinity), stuck, "{kind:?}");
        }
    }
}

#[test]
fn an_x87_number_with_the_least_exponent_twice_is_one_number() {
    // Exponent 0 with the integer bit set (a pseudo-denormal) means the same as exponent 1.
    let of = |exponent: u64, significand: u64| {
        Value::float(FloatKind::X87, Bits::new(16, exponent).concat(&Bits::new(64, significand)))
    };
    let (pseudo, usual) = (of(0, 1 << 63 | 5), of(1, 1 << 63 | 5));
    assert_eq!(eval::binary(BinOp::FEq, &pseudo, &usual), Ok(Value::Bool(true)));
    let one = float::from_integer(FloatKind::X87, &1.into());
    assert_eq!(eval::binary(BinOp::FMul, &pseudo, &one), Ok(usual));
    // Other exponents without the integer bit are not numbers.
    assert_eq!(eval::unary(UnOp::FIsNan, &of(5, 1)), Ok(Value::Bool(true)));
}
