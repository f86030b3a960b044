//! How operators are written, for the parser and the printer.

use crate::expr::{BinOp, UnOp};

/// How the operands stand in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Plain,
    /// The text has the operands the other way round: `a > b` is `b < a`.
    Swapped,
    /// The text is the negation: `a != b`.
    Negated,
}

/// The level of the comparisons, which do not chain.
pub(super) const COMPARISONS: usize = 2;

/// Binary operators, loosest first.
pub(super) const LEVELS: [&[(&str, BinOp, Shape)]; 9] = [
    &[("||", BinOp::BoolOr, Shape::Plain)],
    &[("&&", BinOp::BoolAnd, Shape::Plain)],
    &[
        ("==", BinOp::Eq, Shape::Plain),
        ("!=", BinOp::Eq, Shape::Negated),
        ("<u", BinOp::Ult, Shape::Plain),
        ("<=u", BinOp::Ule, Shape::Plain),
        ("<s", BinOp::Slt, Shape::Plain),
        ("<=s", BinOp::Sle, Shape::Plain),
        (">u", BinOp::Ult, Shape::Swapped),
        (">=u", BinOp::Ule, Shape::Swapped),
        (">s", BinOp::Slt, Shape::Swapped),
        (">=s", BinOp::Sle, Shape::Swapped),
        ("==.", BinOp::FEq, Shape::Plain),
        ("!=.", BinOp::FEq, Shape::Negated),
        ("<.", BinOp::FLt, Shape::Plain),
        ("<=.", BinOp::FLe, Shape::Plain),
        (">.", BinOp::FLt, Shape::Swapped),
        (">=.", BinOp::FLe, Shape::Swapped),
    ],
    &[("|", BinOp::Or, Shape::Plain)],
    &[("^", BinOp::Xor, Shape::Plain)],
    &[("&", BinOp::And, Shape::Plain)],
    &[
        ("<<", BinOp::Shl, Shape::Plain),
        (">>u", BinOp::LShr, Shape::Plain),
        (">>s", BinOp::AShr, Shape::Plain),
    ],
    &[
        ("+", BinOp::Add, Shape::Plain),
        ("-", BinOp::Sub, Shape::Plain),
        ("+.", BinOp::FAdd, Shape::Plain),
        ("-.", BinOp::FSub, Shape::Plain),
    ],
    &[
        ("*", BinOp::Mul, Shape::Plain),
        ("/u", BinOp::UDiv, Shape::Plain),
        ("/s", BinOp::SDiv, Shape::Plain),
        ("%u", BinOp::URem, Shape::Plain),
        ("%s", BinOp::SRem, Shape::Plain),
        ("*.", BinOp::FMul, Shape::Plain),
        ("/.", BinOp::FDiv, Shape::Plain),
        ("%.", BinOp::FRem, Shape::Plain),
    ],
];

/// Operators before their operand.
pub(super) const PREFIXES: [(&str, UnOp); 4] =
    [("!", UnOp::Not), ("~", UnOp::BvNot), ("-.", UnOp::FNeg), ("-", UnOp::Neg)];

/// Function-like operators with one operand.
pub(super) const FUNCTIONS: [(&str, UnOp); 13] = [
    ("fabs", UnOp::FAbs),
    ("fsqrt", UnOp::FSqrt),
    ("ftrunc", UnOp::FTrunc),
    ("ffloor", UnOp::FFloor),
    ("fceil", UnOp::FCeil),
    ("froundeven", UnOp::FRoundEven),
    ("froundaway", UnOp::FRoundAway),
    ("isnan", UnOp::FIsNan),
    ("isinf", UnOp::FIsInf),
    ("iszero", UnOp::FIsZero),
    ("isnormal", UnOp::FIsNormal),
    ("issubnormal", UnOp::FIsSubnormal),
    ("isnegative", UnOp::FIsNegative),
];
