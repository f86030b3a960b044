//! The circuits of floats, bit for bit.

use super::{Cases, agrees, random_bits};
use beeline_ir::{BinOp, Bits, CastOp, Expr, FloatKind, Type, UnOp, Value};
use beeline_smt::parts::{FloatOp, Op, Parts};
use fastrand::Rng;

const UNARY: [UnOp; 14] = [
    UnOp::FNeg,
    UnOp::FAbs,
    UnOp::FSqrt,
    UnOp::FTrunc,
    UnOp::FFloor,
    UnOp::FCeil,
    UnOp::FRoundEven,
    UnOp::FRoundAway,
    UnOp::FIsNan,
    UnOp::FIsInf,
    UnOp::FIsZero,
    UnOp::FIsNormal,
    UnOp::FIsSubnormal,
    UnOp::FIsNegative,
];

const BINARY: [BinOp; 7] =
    [BinOp::FAdd, BinOp::FSub, BinOp::FMul, BinOp::FDiv, BinOp::FEq, BinOp::FLt, BinOp::FLe];

/// The operators on three floats and an integer.
fn cases(kind: FloatKind) -> Cases {
    let ty = Type::Float(kind);
    Cases::of([ty, ty, ty, Type::Bv(24)], |[a, b, c, n]| {
        let mut all: Vec<Expr> = UNARY.into_iter().map(|op| Expr::Unary(op, a)).collect();
        all.extend(BINARY.into_iter().map(|op| Expr::Binary(op, a, b)));
        all.push(Expr::Fma(a, b, c));
        let others = FloatKind::ALL.into_iter().filter(|other| *other != kind);
        all.extend(others.map(|other| Expr::Cast(CastOp::FToF, Type::Float(other), a)));
        all.extend([CastOp::SToF, CastOp::UToF].map(|op| Expr::Cast(op, ty, n)));
        for op in [CastOp::FToS, CastOp::FToU] {
            all.extend([1, 7, 32, 64].map(|width| Expr::Cast(op, Type::Bv(width), a)));
        }
        all.push(Expr::Cast(CastOp::ToBits, Type::Bv(kind.width()), a));
        all
    })
}

/// A float: of any bits, near one, or near another one.
fn random_float(rng: &mut Rng, kind: FloatKind, near: Option<&Value>) -> Value {
    let width = kind.width();
    let small = Value::bv(12, u64::from(rng.u16(..4096)));
    let integer = beeline_interp::eval::cast(CastOp::SToF, Type::Float(kind), &small).expect("it is typed");
    match (rng.u8(..5), near.and_then(Value::memory_image)) {
        (0, _) => integer,
        (1, _) => {
            let four = Value::bv(4, 4 + rng.u64(..4));
            let other =
                beeline_interp::eval::cast(CastOp::UToF, Type::Float(kind), &four).expect("it is typed");
            beeline_interp::eval::binary(BinOp::FDiv, &integer, &other).expect("it is typed")
        }
        (2, Some(bits)) => {
            let change = Bits::new(width, 1).shl(&Bits::new(width, rng.u64(..u64::from(width))));
            Value::float(kind, bits.xor(&change))
        }
        (3, _) => Value::float(kind, random_bits(rng, width)),
        _ => Value::float(kind, Bits::from_u128(width, rng.u128(..))),
    }
}

fn random_values(rng: &mut Rng, kind: FloatKind) -> Vec<Value> {
    let a = random_float(rng, kind, None);
    let b = random_float(rng, kind, Some(&a));
    let c = random_float(rng, kind, Some(&b));
    vec![a, b, c, Value::Bv(random_bits(rng, 24))]
}

#[test]
fn circuits_of_floats_compute_what_the_interpreter_does() {
    let rounds = std::env::var("MUTANTS").map_or(1, |_| 30);
    let mut rng = Rng::with_seed(5);
    for (kind, count) in FloatKind::ALL.into_iter().zip([50, 30, 20, 12, 6, 3]) {
        let cases = cases(kind);
        for round in 0..count * rounds {
            let values = random_values(&mut rng, kind);
            for &case in &cases.all {
                // Circuits whose inputs are known cost little; a few have to be solved.
                let folded = round > 0 || kind.width() > 16;
                let expr = &cases.program.exprs[case];
                assert!(agrees(&cases, case, &values, folded, |_| {}), "{kind:?}: {expr:?} of {values:?}");
            }
        }
    }
}

/// With `MUTANTS`, all numbers of half precision, otherwise each 331st.
#[test]
fn half_precision_is_compared_completely() {
    let step = std::env::var("MUTANTS").map_or(331, |_| 1);
    let cases = cases(FloatKind::F16);
    let mut rng = Rng::with_seed(6);
    for bits in (0..1 << 16).step_by(step) {
        let mut values = random_values(&mut rng, FloatKind::F16);
        values[0] = Value::float(FloatKind::F16, Bits::new(16, bits));
        for &case in &cases.all {
            let expr = &cases.program.exprs[case];
            assert!(agrees(&cases, case, &values, true, |_| {}), "{expr:?} of {values:?}");
        }
    }
}

/// Another operator in place of one, as an encoding with an error would have it.
fn confused(op: FloatOp) -> Option<FloatOp> {
    Some(match op {
        FloatOp::Add => FloatOp::Sub,
        FloatOp::Sub => FloatOp::Add,
        FloatOp::Mul => FloatOp::Div,
        FloatOp::Div => FloatOp::Mul,
        FloatOp::Sqrt => FloatOp::Integral,
        FloatOp::Integral => FloatOp::Sqrt,
        FloatOp::Neg => FloatOp::Abs,
        FloatOp::Abs => FloatOp::Neg,
        FloatOp::Equal => FloatOp::AtMost,
        FloatOp::Less => FloatOp::AtMost,
        FloatOp::AtMost => FloatOp::Less,
        FloatOp::IsNan => FloatOp::IsInfinite,
        FloatOp::IsInfinite => FloatOp::IsNan,
        FloatOp::IsZero => FloatOp::IsSubnormal,
        FloatOp::IsNormal => FloatOp::IsSubnormal,
        FloatOp::IsSubnormal => FloatOp::IsNormal,
        FloatOp::IsNegative => FloatOp::IsPositive,
        FloatOp::OfSigned => FloatOp::OfUnsigned,
        FloatOp::OfUnsigned => FloatOp::OfSigned,
        _ => return None,
    })
}

#[test]
fn a_wrong_circuit_of_an_operator_on_floats_is_noticed() {
    let cases = cases(FloatKind::F16);
    let kinds: Vec<FloatOp> = [
        FloatOp::Add,
        FloatOp::Sub,
        FloatOp::Mul,
        FloatOp::Div,
        FloatOp::Sqrt,
        FloatOp::Integral,
        FloatOp::Neg,
        FloatOp::Abs,
        FloatOp::Equal,
        FloatOp::Less,
        FloatOp::AtMost,
        FloatOp::IsNan,
        FloatOp::IsInfinite,
        FloatOp::IsZero,
        FloatOp::IsNormal,
        FloatOp::IsSubnormal,
        FloatOp::IsNegative,
        FloatOp::OfSigned,
    ]
    .into();
    for kind in kinds {
        let mut rng = Rng::with_seed(7);
        let change = |parts: &mut Parts| {
            for node in parts.nodes.iter_mut().filter(|node| node.op == Op::Float(kind)) {
                node.op = Op::Float(confused(kind).expect("it has another one"));
            }
        };
        let noticed = (0..60).any(|_| {
            let values = random_values(&mut rng, FloatKind::F16);
            cases.all.iter().any(|&case| !agrees(&cases, case, &values, true, change))
        });
        assert!(noticed, "{kind:?}");
    }
}
