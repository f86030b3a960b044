//! Decoding of Z3 formulas to IR expressions, so that results of the solver (interpolants) can be stored,
//! printed and checked.

pub use crate::leaves::Leaves;

use crate::ast::{numeral_bits, parameters};
use crate::term::{Formula, Kind, Term};
use beeline_ir::{BinOp, ExprId, ExprPool, Type, UnOp, Value};
use rustc_hash::FxHashMap;
use z3::DeclKind;
use z3::ast::{Ast, Dynamic};

/// The expression of a formula, if the IR has one.
///
/// It has the same truth value wherever it is not stuck. A load in the expression is stuck outside of the
/// extents of its region, which the formula does not know.
pub fn decode(formula: &Formula, pool: &mut ExprPool, leaves: &Leaves) -> Option<ExprId> {
    let root = formula.dynamic();
    let mut done: FxHashMap<Dynamic, ExprId> = FxHashMap::default();
    let mut stack = vec![(root.clone(), false)];
    while let Some((term, children_done)) = stack.pop() {
        if done.contains_key(&term) {
            continue;
        }
        if let Some(expr) = leaf(&term, pool, leaves) {
            done.insert(term, expr);
            continue;
        }
        if !term.is_app() {
            return None;
        }
        if term.nth_child(0).is_some_and(|child| child.as_int().is_some()) {
            let expr = crate::sums::comparison(&term, pool, leaves)?;
            done.insert(term, expr);
            continue;
        }
        let select = term.decl().kind() == DeclKind::Select;
        if children_done {
            let expr = if select {
                let addr = done[&term.nth_child(1)?];
                load(&term, addr, pool, leaves)?
            } else {
                let operands: Vec<ExprId> = term.children().iter().map(|child| done[child]).collect();
                application(&term, &operands, pool)?
            };
            done.insert(term, expr);
        } else {
            let children = term.children();
            stack.push((term, true));
            // The map of a load is not an expression.
            stack.extend(children.into_iter().skip(usize::from(select)).map(|child| (child, false)));
        }
    }
    done.get(&root).copied()
}

/// A constant or a value.
fn leaf(term: &Dynamic, pool: &mut ExprPool, leaves: &Leaves) -> Option<ExprId> {
    let typed = match (term.as_bool(), term.as_bv(), term.as_float()) {
        (Some(formula), ..) => Term(Kind::Bool(formula.into())),
        (_, Some(bits), _) => Term(Kind::Bv(bits)),
        (.., Some(_)) => {
            // Several kinds of floats may share a sort, so the right one is found by trying.
            return beeline_ir::FloatKind::ALL.into_iter().find_map(|kind| {
                let term = Term::from_dynamic(Type::Float(kind), term)?;
                leaves.terms.get(&term).copied()
            });
        }
        _ => return None,
    };
    if let Some(&expr) = leaves.terms.get(&typed) {
        return Some(expr);
    }
    match &typed.0 {
        Kind::Bool(formula) => {
            let truth = formula.known()?;
            Some(pool.bool(truth))
        }
        Kind::Bv(bits) if bits.kind() == z3::AstKind::Numeral => {
            let bits = numeral_bits(bits)?;
            Some(pool.constant(Value::Bv(bits)))
        }
        _ => None,
    }
}

fn load(term: &Dynamic, addr: ExprId, pool: &mut ExprPool, leaves: &Leaves) -> Option<ExprId> {
    let memory = crate::Memory(term.nth_child(0)?.as_array()?);
    let &(region, cell) = leaves.memories.get(&memory)?;
    Some(pool.load(region, addr, cell))
}

/// An operation of Z3 on expressions.
fn application(term: &Dynamic, operands: &[ExprId], pool: &mut ExprPool) -> Option<ExprId> {
    use DeclKind::*;
    let kind = term.decl().kind();
    match kind {
        Not | And | Or | Implies | Iff | Xor | Distinct | Eq | Ite => connective(kind, operands, pool),
        Concat | ZeroExt | SignExt | Extract | Bit2bool => bits_of(term, kind, operands, pool),
        _ => arithmetic(kind, operands, pool),
    }
}

/// Two operands, if there are two.
fn pair(operands: &[ExprId]) -> Option<(ExprId, ExprId)> {
    if let &[a, b] = operands { Some((a, b)) } else { None }
}

/// The operands of an associative operation, from left to right.
fn fold(pool: &mut ExprPool, op: BinOp, operands: &[ExprId]) -> Option<ExprId> {
    operands.iter().copied().reduce(|left, right| pool.binary(op, left, right))
}

/// A connective of truth values, a choice, or an equality.
fn connective(kind: DeclKind, operands: &[ExprId], pool: &mut ExprPool) -> Option<ExprId> {
    use DeclKind::*;
    match kind {
        Not => Some(pool.not(*operands.first()?)),
        And => fold(pool, BinOp::BoolAnd, operands),
        Or => fold(pool, BinOp::BoolOr, operands),
        Implies => {
            let (a, b) = pair(operands)?;
            let a = pool.not(a);
            Some(pool.or(a, b))
        }
        Iff => pair(operands).map(|(a, b)| pool.eq(a, b)),
        Xor | Distinct => {
            let (a, b) = pair(operands)?;
            let same = equality(pool, a, b)?;
            Some(pool.not(same))
        }
        Eq => {
            let (a, b) = pair(operands)?;
            equality(pool, a, b)
        }
        Ite => match *operands {
            [c, a, b] => Some(pool.ite(c, a, b)),
            _ => None,
        },
        _ => None,
    }
}

/// Bits put together, extended or taken out.
fn bits_of(term: &Dynamic, kind: DeclKind, operands: &[ExprId], pool: &mut ExprPool) -> Option<ExprId> {
    use DeclKind::*;
    match kind {
        Concat => {
            let mut parts = operands.iter().copied();
            let first = parts.next()?;
            Some(parts.fold(first, |high, low| pool.concat(high, low)))
        }
        ZeroExt | SignExt => {
            let width = term.as_bv()?.get_size();
            Some(pool.resize(*operands.first()?, width, kind == SignExt))
        }
        Extract => {
            let (hi, lo) = parameters(term)?;
            Some(pool.extract(hi, lo, *operands.first()?))
        }
        Bit2bool => {
            let (index, _) = parameters(term)?;
            let bit = pool.extract(index, index, *operands.first()?);
            let one = pool.bv(1, 1);
            Some(pool.eq(bit, one))
        }
        _ => None,
    }
}

/// Arithmetic of bit-vectors, and their orders.
fn arithmetic(kind: DeclKind, operands: &[ExprId], pool: &mut ExprPool) -> Option<ExprId> {
    use DeclKind::*;
    let binary = |pool: &mut ExprPool, op: BinOp| pair(operands).map(|(a, b)| pool.binary(op, a, b));
    let swapped = |pool: &mut ExprPool, op: BinOp| pair(operands).map(|(a, b)| pool.binary(op, b, a));
    match kind {
        Bneg => Some(pool.unary(UnOp::Neg, *operands.first()?)),
        Bnot => Some(pool.unary(UnOp::BvNot, *operands.first()?)),
        Badd => fold(pool, BinOp::Add, operands),
        Bmul => fold(pool, BinOp::Mul, operands),
        Band => fold(pool, BinOp::And, operands),
        Bor => fold(pool, BinOp::Or, operands),
        Bxor => fold(pool, BinOp::Xor, operands),
        Bsub => binary(pool, BinOp::Sub),
        Bshl => binary(pool, BinOp::Shl),
        Blshr => binary(pool, BinOp::LShr),
        Bashr => binary(pool, BinOp::AShr),
        Uleq => binary(pool, BinOp::Ule),
        Sleq => binary(pool, BinOp::Sle),
        Ult => binary(pool, BinOp::Ult),
        Slt => binary(pool, BinOp::Slt),
        Ugeq => swapped(pool, BinOp::Ule),
        Sgeq => swapped(pool, BinOp::Sle),
        Ugt => swapped(pool, BinOp::Ult),
        Sgt => swapped(pool, BinOp::Slt),
        _ => division(kind, pair(operands)?, pool),
    }
}

fn equality(pool: &mut ExprPool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let comparable = !matches!(pool.ty(a), Type::Float(_));
    comparable.then(|| pool.eq(a, b))
}

/// Division by a constant. The solver's division by zero has a value, the IR's has none.
fn division(kind: DeclKind, (a, b): (ExprId, ExprId), pool: &mut ExprPool) -> Option<ExprId> {
    use DeclKind::*;
    let op = match kind {
        Budiv | BudivI => BinOp::UDiv,
        Burem | BuremI => BinOp::URem,
        Bsdiv | BsdivI => BinOp::SDiv,
        Bsrem | BsremI => BinOp::SRem,
        _ => return None,
    };
    let divisor = pool.as_bits(b)?;
    if divisor.is_zero() || divisor.is_ones() {
        return None;
    }
    Some(pool.binary(op, a, b))
}
