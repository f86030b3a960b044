//! Machine integers as unbounded ones, for interpolants only.
//!
//! Spacer finds loop invariants such as `x == y` over integers that it does not find over bit-vectors.
//! The translation ignores that machine integers wrap around and leaves out what it cannot express, so
//! nothing may be concluded from it: what comes back are candidates for predicates, which are then
//! abstracted exactly in bit-vectors.

use crate::decode::Leaves;
use crate::encode::bits;
use crate::term::{Term, numeral_bits};
use beeline_ir::{BinOp, Bits, ExprId, ExprPool, Value};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use z3::DeclKind;
use z3::ast::{Ast, BV, Bool, Dynamic, Int};

/// The unbounded integer that stands for a bit-vector constant.
pub(crate) fn integer_for(constant: &Dynamic) -> Int {
    Int::new_const(format!("{constant}!int"))
}

/// The same for a constant of any type; truth values stay what they are, others have none.
pub(crate) fn counterpart(constant: &Dynamic) -> Option<Dynamic> {
    match (constant.as_bool(), constant.as_bv()) {
        (Some(_), _) => Some(constant.clone()),
        (_, Some(_)) => Some(Dynamic::from_ast(&integer_for(constant))),
        _ => None,
    }
}

fn integer(value: &BigInt) -> Int {
    if let Some(small) = value.to_i64() {
        return Int::from_i64(small);
    }
    let (high, low): (BigInt, BigInt) = (value >> 32u32, value & BigInt::from(u32::MAX));
    Int::add(&[Int::mul(&[integer(&high), Int::from_i64(1 << 32)]), integer(&low)])
}

fn power(exponent: u32) -> Int {
    integer(&(BigInt::from(1) << exponent))
}

/// Translates a formula over bit-vectors.
pub(crate) fn relax(formula: &Bool) -> Bool {
    let mut relaxer = Relaxer { bools: FxHashMap::default(), ints: FxHashMap::default(), ranges: Vec::new() };
    let root = Dynamic::from_ast(formula);
    relaxer.visit(&root);
    let mut parts = relaxer.ranges;
    parts.push(relaxer.bools.remove(&root).expect("the root was translated"));
    Bool::and(&parts)
}

struct Relaxer {
    bools: FxHashMap<Dynamic, Bool>,
    /// The signed value of each bit-vector.
    ints: FxHashMap<Dynamic, Int>,
    ranges: Vec<Bool>,
}

impl Relaxer {
    fn visit(&mut self, root: &Dynamic) {
        let mut stack = vec![(root.clone(), false)];
        while let Some((term, children_done)) = stack.pop() {
            if self.bools.contains_key(&term) || self.ints.contains_key(&term) {
                continue;
            }
            if !children_done && term.is_app() && self.is_structural(&term) {
                stack.push((term.clone(), true));
                stack.extend(term.children().into_iter().map(|child| (child, false)));
                continue;
            }
            if term.as_bool().is_some() {
                let translated = self.truth(&term);
                self.bools.insert(term, translated);
            } else if let Some(vector) = term.as_bv() {
                let translated = self.number(&term, &vector);
                self.ints.insert(term, translated);
            }
        }
    }

    /// Are the term's operands translated first?
    fn is_structural(&self, term: &Dynamic) -> bool {
        term.num_children() > 0
            && term.children().iter().all(|child| child.as_bool().is_some() || child.as_bv().is_some())
    }

    fn truth(&mut self, term: &Dynamic) -> Bool {
        use DeclKind::*;
        let original = term.as_bool().expect("only formulas come here");
        if !term.is_app() || !self.is_structural(term) {
            return if term.is_app() && term.num_children() == 0 {
                original
            } else {
                Bool::fresh_const("any")
            };
        }
        let children = term.children();
        let truths: Option<Vec<Bool>> = children.iter().map(|child| self.bools.get(child).cloned()).collect();
        let kind = term.decl().kind();
        if let Some(truths) = truths {
            return match (kind, truths.as_slice()) {
                (And, all) => Bool::and(all),
                (Or, all) => Bool::or(all),
                (Not, [a]) => a.not(),
                (Implies, [a, b]) => a.implies(b),
                (Iff | Eq, [a, b]) => a.iff(b),
                (Xor | Distinct, [a, b]) => a.iff(b).not(),
                (Ite, [c, a, b]) => c.ite(a, b),
                _ => Bool::fresh_const("any"),
            };
        }
        let (Some(a), Some(b)) = (children.first(), children.get(1)) else { return Bool::fresh_const("any") };
        let (Some(x), Some(y)) = (self.ints.get(a).cloned(), self.ints.get(b).cloned()) else {
            return Bool::fresh_const("any");
        };
        let (ux, uy) = (|| unsigned(&x, a), || unsigned(&y, b));
        match kind {
            Eq => x.eq(&y),
            Distinct => x.eq(&y).not(),
            Sleq => x.le(&y),
            Slt => x.lt(&y),
            Sgeq => x.ge(&y),
            Sgt => x.gt(&y),
            Uleq => ux().le(uy()),
            Ult => ux().lt(uy()),
            Ugeq => ux().ge(uy()),
            Ugt => ux().gt(uy()),
            _ => Bool::fresh_const("any"),
        }
    }

    fn number(&mut self, term: &Dynamic, vector: &BV) -> Int {
        if let Some(bits) = numeral(vector) {
            return integer(&bits.to_bigint());
        }
        if term.is_app()
            && self.is_structural(term)
            && let Some(number) = self.operation(term)
        {
            return number;
        }
        let number = if crate::term::is_symbol(term) { integer_for(term) } else { Int::fresh_const("any") };
        let half = power(vector.get_size() - 1);
        let lowest = Int::sub(&[Int::from_i64(0), half.clone()]);
        self.ranges.push(number.ge(&lowest));
        self.ranges.push(number.lt(&half));
        number
    }

    fn operation(&self, term: &Dynamic) -> Option<Int> {
        use DeclKind::*;
        let children = term.children();
        if term.decl().kind() == Ite {
            let cond = self.bools.get(&children[0])?;
            return Some(cond.ite(self.ints.get(&children[1])?, self.ints.get(&children[2])?));
        }
        let numbers =
            children.iter().map(|child| self.ints.get(child).cloned()).collect::<Option<Vec<_>>>()?;
        let constant = |index: usize| children.get(index).and_then(Dynamic::as_bv).and_then(|v| numeral(&v));
        let zero = || Int::from_i64(0);
        match term.decl().kind() {
            Badd => Some(Int::add(&numbers)),
            Bsub => Some(Int::sub(&numbers)),
            Bneg => Some(Int::sub(&[zero(), numbers[0].clone()])),
            Bmul if constant(0).is_some() || constant(1).is_some() => Some(Int::mul(&numbers)),
            SignExt => Some(numbers[0].clone()),
            ZeroExt => Some(unsigned(&numbers[0], &children[0])),
            Concat if children.len() == 2 && constant(0).is_some_and(|high| high.is_zero()) => {
                Some(unsigned(&numbers[1], &children[1]))
            }
            Burem | BuremI => {
                let divisor = constant(1).filter(|divisor| !divisor.is_zero())?;
                let divisor = integer(&BigInt::from(divisor.to_biguint()));
                Some(unsigned(&numbers[0], &children[0]).modulo(&divisor))
            }
            Bsrem | BsremI => {
                constant(1).filter(|divisor| !divisor.is_zero() && !divisor.sign())?;
                let negated = Int::sub(&[zero(), numbers[0].clone()]);
                let below = Int::sub(&[zero(), negated.modulo(&numbers[1])]);
                Some(numbers[0].ge(zero()).ite(&numbers[0].modulo(&numbers[1]), &below))
            }
            _ => None,
        }
    }
}

fn numeral(vector: &BV) -> Option<Bits> {
    if vector.kind() == z3::AstKind::Numeral { numeral_bits(vector) } else { None }
}

/// The unsigned value of a bit-vector whose signed value is given.
fn unsigned(signed: &Int, vector: &Dynamic) -> Int {
    let Some(vector) = vector.as_bv() else { return signed.clone() };
    if let Some(bits) = numeral(&vector) {
        return integer(&BigInt::from(bits.to_biguint()));
    }
    let wrapped = Int::add(&[signed.clone(), power(vector.get_size())]);
    signed.lt(Int::from_i64(0)).ite(&wrapped, signed)
}

/// A sum of multiples of expressions, and a constant.
struct Sum {
    terms: Vec<(ExprId, i64)>,
    constant: i64,
}

/// The expression of a comparison of linear sums of unbounded integers, as one of signed bit-vectors.
pub(crate) fn comparison(term: &Dynamic, pool: &mut ExprPool, leaves: &Leaves) -> Option<ExprId> {
    let kind = term.decl().kind();
    let children = term.children();
    let [left, right] = children.as_slice() else { return None };
    let (left, right) = (left.as_int()?, right.as_int()?);
    let mut sum = Sum { terms: Vec::new(), constant: 0 };
    linear(&Dynamic::from_ast(&left), 1, &mut sum, leaves)?;
    linear(&Dynamic::from_ast(&right), -1, &mut sum, leaves)?;
    // Everything with a negative factor goes to the other side.
    let width = sum.terms.iter().map(|&(expr, _)| pool.width(expr)).max()?;
    let mut sides = [None, None];
    let constants = [sum.constant.max(0), (-sum.constant).max(0)];
    for (expr, factor) in sum.terms {
        let expr = pool.resize(expr, width, true);
        let factor_bits = pool.constant(Value::Bv(Bits::from_i64(width, factor.abs())));
        let product = pool.binary(BinOp::Mul, expr, factor_bits);
        let side: &mut Option<ExprId> = &mut sides[usize::from(factor < 0)];
        *side = Some(match *side {
            Some(other) => pool.add(other, product),
            None => product,
        });
    }
    for (side, constant) in sides.iter_mut().zip(constants) {
        let value = Bits::from_i64(width, constant);
        if value.to_i64() != Some(constant) {
            return None;
        }
        if constant != 0 || side.is_none() {
            let value = pool.constant(Value::Bv(value));
            *side = Some(match *side {
                Some(other) => pool.add(other, value),
                None => value,
            });
        }
    }
    let [Some(a), Some(b)] = sides else { return None };
    Some(match kind {
        DeclKind::Eq => pool.eq(a, b),
        DeclKind::Le => pool.binary(BinOp::Sle, a, b),
        DeclKind::Lt => pool.binary(BinOp::Slt, a, b),
        DeclKind::Ge => pool.binary(BinOp::Sle, b, a),
        DeclKind::Gt => pool.binary(BinOp::Slt, b, a),
        _ => return None,
    })
}

fn linear(term: &Dynamic, factor: i64, sum: &mut Sum, leaves: &Leaves) -> Option<()> {
    if let Some(number) = term.as_int().and_then(|number| number.as_i64()) {
        sum.constant = sum.constant.checked_add(number.checked_mul(factor)?)?;
        return Some(());
    }
    if let Some(expr) = leaves.integer(term) {
        match sum.terms.iter_mut().find(|(known, _)| *known == expr) {
            Some((_, known)) => *known = known.checked_add(factor)?,
            None => sum.terms.push((expr, factor)),
        }
        return Some(());
    }
    if !term.is_app() {
        return None;
    }
    let children = term.children();
    match (term.decl().kind(), children.as_slice()) {
        (DeclKind::Add, all) => all.iter().try_for_each(|child| linear(child, factor, sum, leaves)),
        (DeclKind::Sub, [first, rest @ ..]) => {
            linear(first, factor, sum, leaves)?;
            rest.iter().try_for_each(|child| linear(child, factor.checked_neg()?, sum, leaves))
        }
        (DeclKind::Uminus, [a]) => linear(a, factor.checked_neg()?, sum, leaves),
        (DeclKind::Mul, [a, b]) => {
            let by = a.as_int().and_then(|number| number.as_i64())?;
            linear(b, factor.checked_mul(by)?, sum, leaves)
        }
        _ => None,
    }
}

/// The integer that stands for a term, if it is a bit-vector constant.
pub(crate) fn key_of(term: &Term) -> Option<Dynamic> {
    matches!(term.ty(), beeline_ir::Type::Bv(_))
        .then(|| Dynamic::from_ast(&integer_for(&Dynamic::from_ast(bits(term)))))
}
