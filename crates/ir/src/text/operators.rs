//! Precedence of binary operators, and their spellings beyond those in [`crate::operator`], for the parser and the
//! printer.

use crate::operator::BinOp;

/// The form of the operands in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Plain,
    /// The text has the operands in the opposite order: `a > b` is `b < a`.
    Swapped,
    /// The text is the negation: `a != b`.
    Negated,
}

/// The level of the comparisons, which do not chain.
pub(super) const COMPARISONS: usize = 2;

/// Binary operators, loosest first.
pub(super) const LEVELS: [&[(&str, BinOp, Shape)]; 9] = [
    &[plain(BinOp::BoolOr)],
    &[plain(BinOp::BoolAnd)],
    &[
        plain(BinOp::Eq),
        ("!=", BinOp::Eq, Shape::Negated),
        plain(BinOp::Ult),
        plain(BinOp::Ule),
        plain(BinOp::Slt),
        plain(BinOp::Sle),
        (">u", BinOp::Ult, Shape::Swapped),
        (">=u", BinOp::Ule, Shape::Swapped),
        (">s", BinOp::Slt, Shape::Swapped),
        (">=s", BinOp::Sle, Shape::Swapped),
        plain(BinOp::FEq),
        ("!=.", BinOp::FEq, Shape::Negated),
        plain(BinOp::FLt),
        plain(BinOp::FLe),
        (">.", BinOp::FLt, Shape::Swapped),
        (">=.", BinOp::FLe, Shape::Swapped),
    ],
    &[plain(BinOp::Or)],
    &[plain(BinOp::Xor)],
    &[plain(BinOp::And)],
    &[plain(BinOp::Shl), plain(BinOp::LShr), plain(BinOp::AShr)],
    &[plain(BinOp::Add), plain(BinOp::Sub), plain(BinOp::FAdd), plain(BinOp::FSub)],
    &[
        plain(BinOp::Mul),
        plain(BinOp::UDiv),
        plain(BinOp::SDiv),
        plain(BinOp::URem),
        plain(BinOp::SRem),
        plain(BinOp::FMul),
        plain(BinOp::FDiv),
        plain(BinOp::FRem),
    ],
];

/// The operator as in its row of the table.
const fn plain(op: BinOp) -> (&'static str, BinOp, Shape) {
    (op.text(), op, Shape::Plain)
}
