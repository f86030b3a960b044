//! Linear sums of unbounded integers, and comparisons of them.

use crate::leaves::Leaves;
use beeline_ir::{BinOp, Bits, ExprId, ExprPool, Value};
use std::collections::BTreeMap;
use z3::DeclKind;
use z3::ast::{Ast, Bool, Dynamic, Int};

/// A comparison of two sums, as a comparison of one sum with zero.
struct Comparison {
    kind: DeclKind,
    /// The left operand minus the right one.
    sum: Sum,
}

/// A sum of multiples of terms that are not sums, and a constant.
#[derive(Default)]
struct Sum {
    terms: Vec<(Dynamic, i64)>,
    constant: i64,
}

impl Comparison {
    fn of(term: &Dynamic) -> Option<Comparison> {
        if !term.is_app() {
            return None;
        }
        let children = term.children();
        let [left, right] = children.as_slice() else { return None };
        if left.as_int().is_none() || right.as_int().is_none() {
            return None;
        }
        let mut sum = Sum::default();
        sum.add(left, 1)?;
        sum.add(right, -1)?;
        Some(Comparison { kind: term.decl().kind(), sum })
    }
}

impl Sum {
    /// Adds a multiple of a term.
    fn add(&mut self, term: &Dynamic, factor: i64) -> Option<()> {
        if let Some(number) = number(term) {
            self.constant = self.constant.checked_add(number.checked_mul(factor)?)?;
            return Some(());
        }
        if !term.is_app() {
            return None;
        }
        let children = term.children();
        match (term.decl().kind(), children.as_slice()) {
            (DeclKind::Add, all) => all.iter().try_for_each(|child| self.add(child, factor)),
            (DeclKind::Sub, [first, rest @ ..]) => {
                self.add(first, factor)?;
                rest.iter().try_for_each(|child| self.add(child, factor.checked_neg()?))
            }
            (DeclKind::Uminus, [a]) => self.add(a, factor.checked_neg()?),
            (DeclKind::Mul, [a, b]) => self.add(b, factor.checked_mul(number(a)?)?),
            _ => {
                match self.terms.iter_mut().find(|(known, _)| known == term) {
                    Some((_, known)) => *known = known.checked_add(factor)?,
                    None => self.terms.push((term.clone(), factor)),
                }
                Some(())
            }
        }
    }
}

/// The value of a number, which may be written as a negation.
fn number(term: &Dynamic) -> Option<i64> {
    if term.is_app() && term.decl().kind() == DeclKind::Uminus {
        return number(&term.nth_child(0)?)?.checked_neg();
    }
    term.as_int()?.as_i64()
}

/// The expression of a comparison of linear sums of unbounded integers, over signed bit-vectors.
///
/// Bounds are compared in as many bits as the sums need, so that they keep their meaning. For equalities,
/// machine integers keep the part that is true when they wrap around.
pub(crate) fn comparison(term: &Dynamic, pool: &mut ExprPool, leaves: &Leaves) -> Option<ExprId> {
    let Comparison { kind, sum } = Comparison::of(term)?;
    let sides = Sides::of(&sum, pool, leaves)?;
    // "Less than" and "less by at least one" are equivalent; the shorter form is used.
    let (swapped, strict) = match kind {
        DeclKind::Eq => {
            let (a, b) = (sides.expr(0, sides.width, pool)?, sides.expr(1, sides.width, pool)?);
            return Some(pool.eq(a, b));
        }
        DeclKind::Le => (false, false),
        DeclKind::Lt => (false, true),
        DeclKind::Ge => (true, false),
        DeclKind::Gt => (true, true),
        _ => return None,
    };
    let (low, high) = if swapped { (1, 0) } else { (0, 1) };
    let (mut sides, mut strict) = (sides, strict);
    let shorter = if strict { high } else { low };
    if sides.constants[shorter] == 1 && sides.terms.iter().all(|terms| !terms.is_empty()) {
        (sides.constants[shorter], strict) = (0, !strict);
    }
    let width = sides.exact_width()?;
    let (low, high) = (sides.expr(low, width, pool)?, sides.expr(high, width, pool)?);
    Some(pool.binary(if strict { BinOp::Slt } else { BinOp::Sle }, low, high))
}

/// A sum compared with zero, with all negative terms moved to the other side.
struct Sides {
    terms: [Vec<(ExprId, i64)>; 2],
    constants: [i64; 2],
    /// The greatest width of a term.
    width: u32,
}

impl Sides {
    fn of(sum: &Sum, pool: &ExprPool, leaves: &Leaves) -> Option<Sides> {
        let constants = [sum.constant.max(0), sum.constant.min(0).checked_neg()?];
        let mut sides = Sides { terms: [Vec::new(), Vec::new()], constants, width: 0 };
        for (term, factor) in &sum.terms {
            let expr = leaves.integer(term)?;
            sides.width = sides.width.max(pool.width(expr));
            if *factor != 0 {
                sides.terms[usize::from(*factor < 0)].push((expr, factor.checked_abs()?));
            }
        }
        (sides.width > 0).then_some(sides)
    }

    /// The number of bits in which neither side can overflow.
    fn exact_width(&self) -> Option<u32> {
        let mut width = self.width;
        for (terms, constant) in self.terms.iter().zip(self.constants) {
            let most = terms.iter().try_fold(0i64, |sum, (_, factor)| sum.checked_add(*factor))?;
            let from_terms = self.width + (u64::BITS - most.saturating_sub(1).leading_zeros());
            let from_constant = u64::BITS - constant.leading_zeros() + 1;
            width = width.max(match (terms.is_empty(), constant) {
                (true, _) => from_constant,
                (false, 0) => from_terms,
                (false, _) => from_terms.max(from_constant) + 1,
            });
        }
        Some(width)
    }

    /// One side in some bits; `None` if its constant needs more.
    fn expr(&self, side: usize, width: u32, pool: &mut ExprPool) -> Option<ExprId> {
        let mut sum = None;
        for &(expr, factor) in &self.terms[side] {
            let expr = pool.resize(expr, width, true);
            let factor = pool.constant(Value::Bv(Bits::from_i64(width, factor)));
            let product = pool.binary(BinOp::Mul, expr, factor);
            sum = Some(match sum {
                Some(other) => pool.add(other, product),
                None => product,
            });
        }
        let constant = Bits::from_i64(width, self.constants[side]);
        if self.constants[side] == 0 && sum.is_some() {
            return sum;
        }
        if constant.to_i64() != Some(self.constants[side]) {
            return None;
        }
        let constant = pool.constant(Value::Bv(constant));
        Some(match sum {
            Some(sum) => pool.add(sum, constant),
            None => constant,
        })
    }
}

/// The formula with an equality in the place of two bounds that leave a sum one value.
///
/// Unlike bounds, equalities stay true when machine integers wrap around.
pub(crate) fn with_equalities(formula: &Bool) -> Bool {
    let mut parts = Vec::new();
    let mut bounds: BTreeMap<Vec<(String, i64)>, Vec<Bound>> = BTreeMap::new();
    let mut stack = vec![Dynamic::from_ast(formula)];
    while let Some(term) = stack.pop() {
        if term.is_app() && term.decl().kind() == DeclKind::And {
            stack.extend(term.children());
        } else if let Some(bound) = Bound::of(&term) {
            let mut key: Vec<_> =
                bound.sum.iter().map(|(term, factor)| (term.to_string(), *factor)).collect();
            key.sort();
            bounds.entry(key).or_default().push(bound);
        } else {
            parts.extend(term.as_bool());
        }
    }
    for bounds in bounds.into_values() {
        let lowest = bounds.iter().filter(|bound| bound.at_least).map(|bound| bound.limit).max();
        let highest = bounds.iter().filter(|bound| !bound.at_least).map(|bound| bound.limit).min();
        match lowest.filter(|_| lowest == highest) {
            Some(value) => parts.push(bounds[0].term().eq(Int::from_i64(value))),
            None => parts.extend(bounds.into_iter().map(|bound| bound.formula)),
        }
    }
    Bool::and(&parts)
}

/// A lower or upper bound of a sum.
struct Bound {
    formula: Bool,
    /// The first factor is positive.
    sum: Vec<(Dynamic, i64)>,
    at_least: bool,
    limit: i64,
}

impl Bound {
    fn of(term: &Dynamic) -> Option<Bound> {
        let formula = term.as_bool()?;
        let (mut inner, mut holds) = (term.clone(), true);
        while inner.is_app() && inner.decl().kind() == DeclKind::Not {
            (inner, holds) = (inner.nth_child(0)?, !holds);
        }
        let Comparison { kind, sum: Sum { mut terms, constant } } = Comparison::of(&inner)?;
        terms.retain(|(_, factor)| *factor != 0);
        terms.sort_by_cached_key(|(term, _)| term.to_string());
        let sign = terms.first()?.1.signum();
        let (at_least, off) = match (kind, holds) {
            (DeclKind::Ge, true) | (DeclKind::Lt, false) => (true, 0),
            (DeclKind::Gt, true) | (DeclKind::Le, false) => (true, 1),
            (DeclKind::Le, true) | (DeclKind::Gt, false) => (false, 0),
            (DeclKind::Lt, true) | (DeclKind::Ge, false) => (false, -1),
            _ => return None,
        };
        let limit = constant.checked_neg()?.checked_add(off)?.checked_mul(sign)?;
        for (_, factor) in &mut terms {
            *factor = factor.checked_mul(sign)?;
        }
        Some(Bound { formula, sum: terms, at_least: at_least == (sign > 0), limit })
    }

    /// The sum.
    fn term(&self) -> Int {
        let products: Vec<Int> = self
            .sum
            .iter()
            .filter_map(|(term, factor)| Some(Int::mul(&[Int::from_i64(*factor), term.as_int()?])))
            .collect();
        Int::add(&products)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::{integer_for, relax};
    use crate::{Encoder, Memory, Term, Unsupported, Valuation};
    use beeline_ir::{Program, RegionId, Type, VarId};
    use z3::SatResult;

    fn constant(var: VarId) -> Term {
        Term::named(&format!("sum{var}"), Type::Bv(4)).expect("bit-vectors have terms")
    }

    fn variable(var: VarId) -> Int {
        integer_for(&constant(var).dynamic())
    }

    struct Constants;

    impl Valuation for Constants {
        fn var(&mut self, var: VarId) -> Result<Term, Unsupported> {
            Ok(constant(var))
        }

        fn region(&mut self, _: RegionId) -> Result<Memory, Unsupported> {
            unreachable!("nothing is loaded")
        }
    }

    /// The comparison as an expression and over integers again, or its negation.
    fn there_and_back(program: &Program, formula: &Bool, holds: bool) -> Bool {
        let mut pool = ExprPool::default();
        let mut leaves = Leaves::default();
        for (var, _) in program.vars.iter() {
            leaves.term(constant(var), pool.var(var, Type::Bv(4)));
        }
        let expr = comparison(&Dynamic::from_ast(formula), &mut pool, &leaves).expect("it is a comparison");
        let encoder = Encoder::new(program).with_pool(&pool);
        let back = encoder.holds(expr, &mut Constants).expect("all is linear");
        relax(&if holds { back } else { back.not() }.z3(), &[], true).formula
    }

    fn contradiction(parts: &[Bool]) -> bool {
        let solver = z3::Solver::new();
        parts.iter().for_each(|part| solver.assert(part));
        solver.check() == SatResult::Unsat
    }

    #[test]
    fn a_bound_of_integers_means_the_same_as_an_expression() {
        let text = "beeline 1.0\nglobal a: i4\nglobal b: i4\nglobal c: i4\nfn main() {\nexit\n}";
        let program = beeline_ir::text::parse(text).expect("the program is right");
        let mut rng = fastrand::Rng::with_seed(11);
        for round in 0..300 {
            let products: Vec<Int> = (0..3)
                .map(|index| Int::mul(&[Int::from_i64(rng.i64(-3..4)), variable(VarId::from_u32(index))]))
                .collect();
            // At least one variable has to remain.
            let sum = Int::add(&[Int::add(&products), variable(VarId::from_u32(0)).unary_minus()]);
            let limit = Int::from_i64(rng.i64(-6..7));
            let formula = match round % 4 {
                0 => sum.le(&limit),
                1 => sum.lt(&limit),
                2 => sum.ge(&limit),
                _ => sum.gt(&limit),
            };
            let Some(Comparison { sum, .. }) = Comparison::of(&Dynamic::from_ast(&formula)) else { continue };
            if sum.terms.iter().all(|(_, factor)| *factor == 0) {
                continue;
            }
            let ranges = relax(
                &Bool::from_bool(true),
                &[0, 1, 2].map(|v| constant(VarId::from_u32(v)).dynamic()),
                true,
            );
            let holds = there_and_back(&program, &formula, true);
            let fails = there_and_back(&program, &formula, false);
            assert!(
                contradiction(&[ranges.formula.clone(), holds.clone(), formula.not()]),
                "{formula}: {holds}"
            );
            assert!(contradiction(&[ranges.formula, fails.clone(), formula.clone()]), "{formula}: {fails}");
        }
    }

    #[test]
    fn two_bounds_that_meet_are_an_equality() {
        let [a, b] = [0, 1].map(|var| variable(VarId::from_u32(var)));
        let difference = Int::sub(&[a.clone(), b.clone()]);
        let other = Int::sub(&[b, a]);
        let meeting = Bool::and(&[difference.gt(Int::from_i64(2)).not(), other.le(Int::from_i64(-2))]);
        let apart = Bool::and(&[difference.gt(Int::from_i64(3)).not(), other.le(Int::from_i64(-2))]);
        let merged = with_equalities(&meeting);
        assert!(merged.to_string().contains("(= "), "{merged}");
        for formula in [meeting, apart] {
            let merged = with_equalities(&formula);
            assert!(
                contradiction(&[merged.clone(), formula.not()]) && contradiction(&[merged.not(), formula])
            );
        }
    }
}
