//! Machine integers as unbounded integers.
//!
//! Over integers Spacer finds loop invariants such as `x == y` that it does not find over bit-vectors, and
//! sums of multiples are easier to decide. Results of linear operations wrap around, encoded by an integer
//! that says how often. An operation without a counterpart becomes arbitrary. So every valuation of a formula
//! over bit-vectors is one of its translation, and a contradiction of the translation is one of the formula.
//!
//! For candidate predicates, which are decided in bit-vectors anyway, results may stay too large.

use crate::ast::numeral_bits;
use crate::encode::bits;
use crate::term::Term;
use beeline_ir::Bits;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use z3::DeclKind;
use z3::ast::{Ast, BV, Bool, Dynamic, Int};

/// The unbounded integer of a bit-vector constant.
pub(crate) fn integer_for(constant: &Dynamic) -> Int {
    Int::new_const(format!("{constant}!int"))
}

/// The counterpart of a constant of any type. Truth values stay as they are; other types have none.
pub(crate) fn counterpart(constant: &Dynamic) -> Option<Dynamic> {
    match constant.as_bool() {
        Some(_) => Some(constant.clone()),
        None => has_counterpart(constant).then(|| Dynamic::from_ast(&integer_for(constant))),
    }
}

fn has_counterpart(term: &Dynamic) -> bool {
    term.as_bool().is_some() || term.as_bv().is_some()
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

/// A translated formula with translated terms.
pub(crate) struct Relaxed {
    /// The formula, with the ranges of everything that it and the terms mention.
    pub formula: Bool,
    /// The terms. Terms of types without a counterpart are left out.
    pub terms: Vec<Dynamic>,
    /// Whether the result of an operation is too large for its type.
    pub overflow: Bool,
}

/// Translates a formula and terms over bit-vectors. Results that are too large wrap around, or stay too
/// large; in the latter case a contradiction says nothing about the formula.
pub(crate) fn relax(formula: &Bool, terms: &[Dynamic], wraps: bool) -> Relaxed {
    let (bools, ints) = (FxHashMap::default(), FxHashMap::default());
    let mut relaxer = Relaxer { wraps, bools, ints, ranges: Vec::new(), fitting: Vec::new() };
    let root = Dynamic::from_ast(formula);
    relaxer.visit(&root);
    terms.iter().filter(|term| has_counterpart(term)).for_each(|term| relaxer.visit(term));
    let translated = |term: &Dynamic| {
        let number = relaxer.ints.get(term).map(|number| Dynamic::from_ast(number));
        number.or_else(|| relaxer.bools.get(term).map(|truth| Dynamic::from_ast(truth)))
    };
    let terms = terms.iter().filter_map(translated).collect();
    let mut parts = relaxer.ranges;
    parts.push(relaxer.bools.remove(&root).expect("the root was translated"));
    Relaxed { formula: Bool::and(&parts), terms, overflow: Bool::and(&relaxer.fitting).not() }
}

struct Relaxer {
    wraps: bool,
    bools: FxHashMap<Dynamic, Bool>,
    /// The signed value of each bit-vector.
    ints: FxHashMap<Dynamic, Int>,
    ranges: Vec<Bool>,
    /// The conditions that results are not too large.
    fitting: Vec<Bool>,
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

    /// Whether the term's operands are translated first.
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
        let [a, b] = children.as_slice() else { return Bool::fresh_const("any") };
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
            use DeclKind::*;
            return match term.decl().kind() {
                Ite | SignExt | ZeroExt | Concat => number,
                _ if self.wraps => self.wrapped(&number, vector.get_size()),
                _ => {
                    self.fitting.extend(range(&number, vector.get_size()));
                    number
                }
            };
        }
        let number = if crate::ast::is_symbol(term) { integer_for(term) } else { Int::fresh_const("any") };
        self.ranges.extend(range(&number, vector.get_size()));
        number
    }

    /// A number modulo the range of some bits: one multiple of the range is subtracted.
    fn wrapped(&mut self, number: &Int, width: u32) -> Int {
        let times = Int::fresh_const("wraps");
        let left = Int::sub(&[number.clone(), Int::mul(&[times, power(width)])]);
        self.ranges.extend(range(&left, width));
        left
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
            ZeroExt if term.as_bv()?.get_size() > children[0].as_bv()?.get_size() => {
                Some(unsigned(&numbers[0], &children[0]))
            }
            Bnot => Some(Int::sub(&[Int::from_i64(-1), numbers[0].clone()])),
            Extract if crate::ast::parameters(term).is_some_and(|(_, lowest)| lowest == 0) => {
                Some(numbers[0].clone())
            }
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

/// The condition that a number is in the range of some bits.
fn range(number: &Int, width: u32) -> [Bool; 2] {
    let half = power(width - 1);
    let lowest = Int::sub(&[Int::from_i64(0), half.clone()]);
    [number.ge(&lowest), number.lt(&half)]
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

/// The integer of a term, if it is a bit-vector constant.
pub(crate) fn key_of(term: &Term) -> Option<Dynamic> {
    matches!(term.ty(), beeline_ir::Type::Bv(_))
        .then(|| Dynamic::from_ast(&integer_for(&Dynamic::from_ast(bits(term)))))
}
