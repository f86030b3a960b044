//! Formulas as plain data, for who decides them without Z3.
//!
//! Z3 is only the store of terms here: operators and operands are read as they were made, and nothing is simplified.
#![allow(unsafe_code)] // What binds a variable is missing from the safe bindings.

use crate::ast::{numeral_bits, parameters};
use crate::term::{Formula, Unsupported};
use beeline_ir::Bits;
use rustc_hash::FxHashMap;
use z3::ast::{Ast, Dynamic};
use z3::{AstKind, DeclKind, Sort as Z3Sort, SortKind};

/// An operator, with the meaning that SMT-LIB gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    /// A truth value.
    Known(bool),
    /// A bit-vector.
    Numeral(Bits),
    /// A constant of which nothing is known.
    Symbol,
    /// The variable of the innermost [`Op::Lambda`] or [`Op::Forall`].
    Bound,
    /// Negation.
    Not,
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Exclusive disjunction.
    Xor,
    /// Implication.
    Implies,
    /// Equality, of any sort.
    Same,
    /// Whether all operands differ from each other.
    Distinct,
    /// The second operand if the first one holds, otherwise the third.
    Ite,
    /// A function of numbers.
    Word(WordOp),
    /// An order of numbers.
    Order(OrderOp),
    /// A function of floats.
    Float(FloatOp),
    /// A direction of rounding.
    Rounding(Rounding),
    /// Concatenation. The first operand has the highest bits.
    Concat,
    /// The bits from the second number to the first.
    Extract(u32, u32),
    /// Extension by zeros.
    ZeroExt,
    /// Extension by the sign.
    SignExt,
    /// The cell of a map at an address.
    Select,
    /// A map with another cell at an address.
    Store,
    /// The map from [`Op::Bound`] to the operand.
    Lambda,
    /// Whether the operand holds for each value of [`Op::Bound`].
    Forall,
}

/// A function from numbers of a width to a number of this width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WordOp {
    /// Complement.
    Not,
    /// Negation.
    Neg,
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Unsigned quotient; all ones for division by zero.
    UDiv,
    /// Unsigned remainder; the dividend for division by zero.
    URem,
    /// Signed quotient, rounded towards zero.
    SDiv,
    /// Signed remainder, with the sign of the dividend.
    SRem,
    /// Conjunction by bits.
    And,
    /// Disjunction by bits.
    Or,
    /// Exclusive disjunction by bits.
    Xor,
    /// Shift to the left; zero for shifts past the width.
    Shl,
    /// Shift to the right, with zeros.
    LShr,
    /// Shift to the right, with the sign.
    AShr,
}

/// An order of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OrderOp {
    /// Unsigned, less.
    Ult,
    /// Unsigned, at most.
    Ule,
    /// Signed, less.
    Slt,
    /// Signed, at most.
    Sle,
}

/// A function of floats. Those that round have the direction as their first operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FloatOp {
    /// No number.
    Nan,
    /// Infinity, negative or not.
    Infinity(bool),
    /// Zero, negative or not.
    Zero(bool),
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient.
    Div,
    /// Product of two and sum with the third, rounded once.
    Fma,
    /// Square root.
    Sqrt,
    /// Rounding to an integral value.
    Integral,
    /// The other sign.
    Neg,
    /// The absolute value.
    Abs,
    /// Equality of numbers: zeros are equal, NaN is to nothing.
    Equal,
    /// Less.
    Less,
    /// Less or equal.
    AtMost,
    /// Whether it is no number.
    IsNan,
    /// Whether it is infinite.
    IsInfinite,
    /// Whether it is zero.
    IsZero,
    /// Whether it is normal.
    IsNormal,
    /// Whether it is subnormal.
    IsSubnormal,
    /// Whether it is a number with the negative sign.
    IsNegative,
    /// Whether it is a number with the positive sign.
    IsPositive,
    /// The float with these bits: sign, exponent, fraction.
    OfBits,
    /// The nearest float in another format.
    OfFloat,
    /// The float nearest to a signed integer.
    OfSigned,
    /// The float nearest to an unsigned integer.
    OfUnsigned,
    /// A signed integer; any where it does not fit.
    ToSigned,
    /// An unsigned integer; any where it does not fit.
    ToUnsigned,
    /// The bits of a float; any of NaN.
    Bits,
}

/// A direction of rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// To the nearest, with ties to even.
    NearestEven,
    /// To the nearest, with ties away from zero.
    NearestAway,
    /// Up.
    Up,
    /// Down.
    Down,
    /// Towards zero.
    Zero,
}

/// The sort of a term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Bit-vectors of a width.
    Bits(u32),
    /// Floats: the bits of the exponent, and those of the significand with the one that is not stored.
    Float(u32, u32),
    /// Directions of rounding.
    Rounding,
    /// Maps from bit-vectors of a width to cells.
    Map(u32, Box<Sort>),
}

/// A term.
#[derive(Debug, Clone)]
pub struct Node {
    /// Its operator.
    pub op: Op,
    /// Its sort.
    pub sort: Sort,
    /// Its operands, which come before it.
    pub args: Vec<usize>,
    /// Whether its value depends on [`Op::Bound`].
    pub open: bool,
}

/// Formulas with all their parts, each once and after its operands.
#[derive(Debug, Default)]
pub struct Parts {
    /// All terms.
    pub nodes: Vec<Node>,
    /// The formulas.
    pub roots: Vec<usize>,
}

impl Parts {
    /// The parts of formulas.
    pub fn of(formulas: &[Formula]) -> Result<Parts, Unsupported> {
        let mut parts = Parts::default();
        let mut known: FxHashMap<Dynamic, usize> = FxHashMap::default();
        for formula in formulas {
            let root = parts.add(formula.dynamic(), &mut known)?;
            parts.roots.push(root);
        }
        Ok(parts)
    }

    fn add(&mut self, root: Dynamic, known: &mut FxHashMap<Dynamic, usize>) -> Result<usize, Unsupported> {
        let mut stack = vec![(root.clone(), None)];
        while let Some((term, operands)) = stack.pop() {
            if known.contains_key(&term) {
                continue;
            }
            let Some(operands) = operands else {
                let operands: Vec<Dynamic> = operands_of(&term)?;
                stack.push((term, Some(operands.clone())));
                stack.extend(operands.into_iter().map(|operand| (operand, None)));
                continue;
            };
            let args: Vec<usize> = operands.iter().map(|operand| known[operand]).collect();
            let sorts: Vec<&Sort> = args.iter().map(|&arg| &self.nodes[arg].sort).collect();
            let op = operator(&term, &sorts)?;
            let is_binder = matches!(op, Op::Lambda | Op::Forall);
            let open = op == Op::Bound || !is_binder && args.iter().any(|&arg| self.nodes[arg].open);
            let sort = sort_of(&term.get_sort())?;
            self.rewritten(Node { op, sort, args, open }, &term);
            known.insert(term, self.nodes.len() - 1);
        }
        Ok(known[&root])
    }

    /// Adds a node. An order that Z3 writes the other way round has its operands swapped.
    fn rewritten(&mut self, mut node: Node, term: &Dynamic) {
        if term.kind() == AstKind::App
            && matches!(
                term.decl().kind(),
                DeclKind::Ugeq
                    | DeclKind::Ugt
                    | DeclKind::Sgeq
                    | DeclKind::Sgt
                    | DeclKind::FpaGt
                    | DeclKind::FpaGe
            )
        {
            node.args.reverse();
        }
        self.nodes.push(node);
    }
}

fn unsupported(what: &str) -> Unsupported {
    Unsupported(what.into())
}

fn operands_of(term: &Dynamic) -> Result<Vec<Dynamic>, Unsupported> {
    match term.kind() {
        AstKind::App => Ok(term.children()),
        AstKind::Quantifier => body(term).map(|body| vec![body]),
        _ => Ok(Vec::new()),
    }
}

fn sort_of(sort: &Z3Sort) -> Result<Sort, Unsupported> {
    match sort.kind() {
        SortKind::Bool => Ok(Sort::Bool),
        SortKind::Bv => width_of(sort).map(Sort::Bits),
        SortKind::Array => {
            let (Some(addr), Some(cell)) = (sort.array_domain(), sort.array_range()) else {
                return Err(unsupported("a map of several addresses"));
            };
            Ok(Sort::Map(width_of(&addr)?, Box::new(sort_of(&cell)?)))
        }
        SortKind::FloatingPoint => match (sort.float_exponent_size(), sort.float_significand_size()) {
            (Some(exponent), Some(precision)) => Ok(Sort::Float(exponent, precision)),
            _ => Err(unsupported("a format of floats")),
        },
        SortKind::RoundingMode => Ok(Sort::Rounding),
        _ => Err(unsupported("unbounded numbers")),
    }
}

fn operator(term: &Dynamic, sorts: &[&Sort]) -> Result<Op, Unsupported> {
    match term.kind() {
        AstKind::Numeral => match term.as_bv() {
            Some(bits) => numeral_bits(&bits).map(Op::Numeral).ok_or_else(|| unsupported("a numeral")),
            // Directions of rounding, NaN and the like are numerals, too.
            None => applied(term, sorts),
        },
        AstKind::Var if bound_index(term) == 0 => Ok(Op::Bound),
        AstKind::Quantifier => quantifier(term),
        AstKind::App => applied(term, sorts),
        _ => Err(unsupported("a term of an unknown kind")),
    }
}

fn applied(term: &Dynamic, sorts: &[&Sort]) -> Result<Op, Unsupported> {
    Ok(match term.decl().kind() {
        DeclKind::True => Op::Known(true),
        DeclKind::False => Op::Known(false),
        DeclKind::Uninterpreted if term.is_const() => Op::Symbol,
        DeclKind::Not => Op::Not,
        DeclKind::And => Op::And,
        DeclKind::Or => Op::Or,
        DeclKind::Xor => Op::Xor,
        DeclKind::Implies => Op::Implies,
        DeclKind::Eq | DeclKind::Iff => Op::Same,
        DeclKind::Distinct => Op::Distinct,
        DeclKind::Ite => Op::Ite,
        DeclKind::Concat => Op::Concat,
        DeclKind::ZeroExt => Op::ZeroExt,
        DeclKind::SignExt => Op::SignExt,
        DeclKind::Extract => {
            let (high, low) = parameters(term).ok_or_else(|| unsupported("some bits of a number"))?;
            Op::Extract(high, low)
        }
        DeclKind::Select => Op::Select,
        DeclKind::Store => Op::Store,
        DeclKind::Ult | DeclKind::Ugt => Op::Order(OrderOp::Ult),
        DeclKind::Uleq | DeclKind::Ugeq => Op::Order(OrderOp::Ule),
        DeclKind::Slt | DeclKind::Sgt => Op::Order(OrderOp::Slt),
        DeclKind::Sleq | DeclKind::Sgeq => Op::Order(OrderOp::Sle),
        kind => {
            let rounding = || rounding(kind).map(Op::Rounding);
            let known = word(kind).map(Op::Word).or_else(rounding);
            let known = known.or_else(|| float(kind, sorts).map(Op::Float));
            known.ok_or_else(|| match kind {
                DeclKind::FpaRem => unsupported("remainders of floats"),
                _ => Unsupported(format!("the operator {}", term.decl().name())),
            })?
        }
    })
}

fn word(kind: DeclKind) -> Option<WordOp> {
    Some(match kind {
        DeclKind::Bnot => WordOp::Not,
        DeclKind::Bneg => WordOp::Neg,
        DeclKind::Badd => WordOp::Add,
        DeclKind::Bsub => WordOp::Sub,
        DeclKind::Bmul => WordOp::Mul,
        DeclKind::Budiv | DeclKind::BudivI => WordOp::UDiv,
        DeclKind::Burem => WordOp::URem,
        DeclKind::Bsdiv | DeclKind::BsdivI => WordOp::SDiv,
        DeclKind::Bsrem => WordOp::SRem,
        DeclKind::Band => WordOp::And,
        DeclKind::Bor => WordOp::Or,
        DeclKind::Bxor => WordOp::Xor,
        DeclKind::Bshl => WordOp::Shl,
        DeclKind::Blshr => WordOp::LShr,
        DeclKind::Bashr => WordOp::AShr,
        _ => return None,
    })
}

fn rounding(kind: DeclKind) -> Option<Rounding> {
    Some(match kind {
        DeclKind::FpaRmNearestTiesToEven => Rounding::NearestEven,
        DeclKind::FpaRmNearestTiesToAway => Rounding::NearestAway,
        DeclKind::FpaRmTowardPositive => Rounding::Up,
        DeclKind::FpaRmTowardNegative => Rounding::Down,
        DeclKind::FpaRmTowardZero => Rounding::Zero,
        _ => return None,
    })
}

fn float(kind: DeclKind, sorts: &[&Sort]) -> Option<FloatOp> {
    Some(match (kind, sorts) {
        (DeclKind::FpaNan, _) => FloatOp::Nan,
        (DeclKind::FpaPlusInf, _) => FloatOp::Infinity(false),
        (DeclKind::FpaMinusInf, _) => FloatOp::Infinity(true),
        (DeclKind::FpaPlusZero, _) => FloatOp::Zero(false),
        (DeclKind::FpaMinusZero, _) => FloatOp::Zero(true),
        (DeclKind::FpaAdd, _) => FloatOp::Add,
        (DeclKind::FpaSub, _) => FloatOp::Sub,
        (DeclKind::FpaMul, _) => FloatOp::Mul,
        (DeclKind::FpaDiv, _) => FloatOp::Div,
        (DeclKind::FpaFma, _) => FloatOp::Fma,
        (DeclKind::FpaSqrt, _) => FloatOp::Sqrt,
        (DeclKind::FpaRoundToIntegral, _) => FloatOp::Integral,
        (DeclKind::FpaNeg, _) => FloatOp::Neg,
        (DeclKind::FpaAbs, _) => FloatOp::Abs,
        (DeclKind::FpaEq, _) => FloatOp::Equal,
        (DeclKind::FpaLt | DeclKind::FpaGt, _) => FloatOp::Less,
        (DeclKind::FpaLe | DeclKind::FpaGe, _) => FloatOp::AtMost,
        (DeclKind::FpaIsNan, _) => FloatOp::IsNan,
        (DeclKind::FpaIsInf, _) => FloatOp::IsInfinite,
        (DeclKind::FpaIsZero, _) => FloatOp::IsZero,
        (DeclKind::FpaIsNormal, _) => FloatOp::IsNormal,
        (DeclKind::FpaIsSubnormal, _) => FloatOp::IsSubnormal,
        (DeclKind::FpaIsNegative, _) => FloatOp::IsNegative,
        (DeclKind::FpaIsPositive, _) => FloatOp::IsPositive,
        (DeclKind::FpaToFp, [Sort::Bits(_)]) => FloatOp::OfBits,
        (DeclKind::FpaToFp, [Sort::Rounding, Sort::Float(..)]) => FloatOp::OfFloat,
        (DeclKind::FpaToFp, [Sort::Rounding, Sort::Bits(_)]) => FloatOp::OfSigned,
        (DeclKind::FpaToFpUnsigned, [Sort::Rounding, Sort::Bits(_)]) => FloatOp::OfUnsigned,
        (DeclKind::FpaToSbv, _) => FloatOp::ToSigned,
        (DeclKind::FpaToUbv, _) => FloatOp::ToUnsigned,
        (DeclKind::FpaToIeeeBv, _) => FloatOp::Bits,
        _ => return None,
    })
}

fn width_of(sort: &Z3Sort) -> Result<u32, Unsupported> {
    if sort.kind() != SortKind::Bv {
        return Err(unsupported("a map whose addresses are no numbers"));
    }
    let context = z3::Context::thread_local().get_z3_context();
    // SAFETY: the sort is one of bit-vectors and alive in its context.
    Ok(unsafe { z3_sys::Z3_get_bv_sort_size(context, sort.get_z3_sort()) })
}

/// How many variables are bound further inside than that of a term.
fn bound_index(term: &Dynamic) -> u32 {
    let context = term.get_ctx().get_z3_context();
    // SAFETY: the term is a bound variable and alive in its context.
    unsafe { z3_sys::Z3_get_index_value(context, term.get_z3_ast()) }
}

/// What a term that binds one variable says of it.
fn body(term: &Dynamic) -> Result<Dynamic, Unsupported> {
    let context = term.get_ctx();
    let (handle, ast) = (context.get_z3_context(), term.get_z3_ast());
    // SAFETY: the term binds variables and is alive in its context, as its body is.
    unsafe {
        if z3_sys::Z3_get_quantifier_num_bound(handle, ast) != 1 {
            return Err(unsupported("several bound variables"));
        }
        let body = z3_sys::Z3_get_quantifier_body(handle, ast);
        body.map(|body| Dynamic::wrap(context, body)).ok_or_else(|| unsupported("a bound variable"))
    }
}

fn quantifier(term: &Dynamic) -> Result<Op, Unsupported> {
    let (handle, ast) = (term.get_ctx().get_z3_context(), term.get_z3_ast());
    // SAFETY: the term binds variables and is alive in its context.
    let (is_map, is_all) =
        unsafe { (z3_sys::Z3_is_lambda(handle, ast), z3_sys::Z3_is_quantifier_forall(handle, ast)) };
    match (is_map, is_all) {
        (true, _) => Ok(Op::Lambda),
        (_, true) => Ok(Op::Forall),
        _ => Err(unsupported("an existential quantifier")),
    }
}
