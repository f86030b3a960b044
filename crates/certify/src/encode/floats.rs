//! The circuits of operators on floats.

use super::{Encoding, NoCircuit};
use crate::floats::{Format, negated};
use crate::gates::{FALSE, TRUE, Word};
use crate::words::number;
use beeline_lrat::Literal;
use beeline_smt::parts::{FloatOp, Node, Op, Rounding, Sort};

/// The format of a sort of floats.
pub(super) fn format(sort: &Sort) -> Option<Format> {
    match *sort {
        Sort::Float(exponent, precision) => {
            Some(Format { exponent: exponent as usize, precision: precision as usize })
        }
        _ => None,
    }
}

const NO_FLOAT: NoCircuit = NoCircuit::Unsupported("an operator on floats with these operands");

impl Encoding<'_> {
    /// The circuit of an operator on floats.
    pub(super) fn float_operator(
        &mut self,
        op: FloatOp,
        node: &Node,
        args: &[&[Literal]],
    ) -> Result<Word, NoCircuit> {
        if let Some(made) = self.float_constant(op, node)? {
            return Ok(made);
        }
        let of_last = node.args.last().map(|&last| &self.parts.nodes[last].sort).ok_or(NO_FLOAT)?;
        let (result, operand) = (format(&node.sort), format(of_last));
        let mode = node.args.first().and_then(|&first| match self.parts.nodes[first].op {
            Op::Rounding(mode) => Some(mode),
            _ => None,
        });
        let gates = &mut self.gates;
        let nearest = mode == Some(Rounding::NearestEven);
        Ok(match (op, operand, result, args) {
            (FloatOp::Add, Some(format), _, [_, a, b]) if nearest => gates.float_sum(format, a, b),
            (FloatOp::Sub, Some(format), _, [_, a, b]) if nearest => {
                let b = negated(gates, format, b);
                gates.float_sum(format, a, &b)
            }
            (FloatOp::Mul, Some(format), _, [_, a, b]) if nearest => gates.float_product(format, a, b),
            (FloatOp::Div, Some(format), _, [_, a, b]) if nearest => gates.float_quotient(format, a, b),
            (FloatOp::Fma, Some(format), _, &[_, a, b, c]) if nearest => gates.float_fma(format, [a, b, c]),
            (FloatOp::Sqrt, Some(format), _, [_, a]) if nearest => gates.float_root(format, a),
            (FloatOp::Integral, Some(format), _, [_, a]) => {
                gates.float_integral(format, a, mode.ok_or(NO_FLOAT)?)
            }
            (FloatOp::Neg, Some(format), _, [a]) => negated(gates, format, a),
            (FloatOp::Abs, _, _, [a]) => [&a[..a.len() - 1], &[FALSE]].concat(),
            (FloatOp::OfBits, _, Some(format), [a]) => gates.canonical(format, a),
            (FloatOp::OfFloat, Some(from), Some(to), [_, a]) if nearest => gates.float_converted(from, to, a),
            (FloatOp::OfSigned, _, Some(to), [_, a]) if nearest => gates.float_of_integer(to, a, true),
            (FloatOp::OfUnsigned, _, Some(to), [_, a]) if nearest => gates.float_of_integer(to, a, false),
            (FloatOp::ToSigned | FloatOp::ToUnsigned, Some(from), _, [_, a])
                if mode == Some(Rounding::Zero) =>
            {
                gates.integer_of_float(from, a, super::width_of(&node.sort)?)
            }
            (FloatOp::Bits, _, _, [a]) => a.to_vec(),
            (_, Some(format), None, _) => vec![self.float_property(op, format, args)?],
            _ => return Err(NO_FLOAT),
        })
    }

    fn float_constant(&self, op: FloatOp, node: &Node) -> Result<Option<Word>, NoCircuit> {
        let sign = |negative: bool| if negative { TRUE } else { FALSE };
        let format = || format(&node.sort).ok_or(NO_FLOAT);
        Ok(Some(match op {
            FloatOp::Nan => format()?.nan(),
            FloatOp::Infinity(negative) => format()?.infinity(sign(negative)),
            FloatOp::Zero(negative) => [number(0, format()?.width() - 1), vec![sign(negative)]].concat(),
            _ => return Ok(None),
        }))
    }

    /// What is true or false of floats.
    fn float_property(
        &mut self,
        op: FloatOp,
        format: Format,
        args: &[&[Literal]],
    ) -> Result<Literal, NoCircuit> {
        let gates = &mut self.gates;
        if let &[a, b] = args {
            return Ok(match op {
                FloatOp::Equal => gates.float_equal(format, a, b),
                FloatOp::Less => gates.float_less(format, a, b),
                FloatOp::AtMost => {
                    let (less, equal) = (gates.float_less(format, a, b), gates.float_equal(format, a, b));
                    gates.or(less, equal)
                }
                _ => return Err(NO_FLOAT),
            });
        }
        let &[a] = args else { return Err(NO_FLOAT) };
        let float = gates.float(format, a);
        Ok(match op {
            FloatOp::IsNan => float.nan,
            FloatOp::IsInfinite => float.infinite,
            FloatOp::IsZero => float.zero,
            FloatOp::IsSubnormal => float.subnormal,
            FloatOp::IsNormal => gates.all(&[-float.nan, -float.infinite, -float.zero, -float.subnormal]),
            FloatOp::IsNegative => gates.and(-float.nan, float.sign),
            FloatOp::IsPositive => gates.and(-float.nan, -float.sign),
            _ => return Err(NO_FLOAT),
        })
    }
}
