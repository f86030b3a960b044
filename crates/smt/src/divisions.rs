//! Divisions by constants in terms of products: the dividend is a multiple of the divisor plus a smaller
//! remainder.
//!
//! A dividing circuit has a stage for each bit, each of which subtracts and compares. That a number is ten
//! times another one plus a remainder takes two additions, and says just as much about the dividend when the
//! result is known.

use crate::ast::parts;
use crate::term::Formula;
use crate::words::mask;
use rustc_hash::FxHashMap;
use z3::DeclKind;
use z3::ast::{Ast, BV, Bool, Dynamic};

/// The results of divisions so far, and the facts about them that are still to be asserted.
#[derive(Debug, Default)]
pub(crate) struct Divisions {
    results: FxHashMap<(BV, u64), Results>,
    facts: Vec<Bool>,
}

/// The quotient and the remainder.
#[derive(Debug, Clone)]
struct Results {
    quotient: BV,
    rest: BV,
}

impl Divisions {
    /// The result of a division; `None` if the operation is not a division by a constant, or if its quotient
    /// is a shift. The facts about it are returned once by [`take_facts`](Divisions::take_facts).
    pub(crate) fn result(&mut self, division: &Dynamic, divided: &BV, by: &BV) -> Option<BV> {
        let kind = operator(division).filter(|_| is_division(division))?;
        let width = divided.get_size();
        let number = by.as_u64().filter(|_| width <= 64)?;
        let is_signed =
            matches!(kind, DeclKind::Bsdiv | DeclKind::BsdivI | DeclKind::Bsrem | DeclKind::BsremI);
        let divides_down = is_signed && number >> (width - 1) == 1;
        let size = if divides_down { number.wrapping_neg() & mask(width) } else { number };
        if size.count_ones() < 2 {
            return None;
        }
        let is_less: Bool = divided.bvslt(BV::from_u64(0, width));
        let Results { quotient, rest } = if is_signed {
            self.of(&is_less.ite(&divided.bvneg(), divided), size)
        } else {
            self.of(divided, size)
        };
        Some(match kind {
            DeclKind::Budiv | DeclKind::BudivI => quotient,
            DeclKind::Burem | DeclKind::BuremI => rest,
            DeclKind::Bsrem | DeclKind::BsremI => is_less.ite(&rest.bvneg(), &rest),
            _ if divides_down => is_less.ite(&quotient, &quotient.bvneg()),
            _ => is_less.ite(&quotient.bvneg(), &quotient),
        })
    }

    /// The facts that determine the results.
    pub(crate) fn take_facts(&mut self) -> Vec<Bool> {
        std::mem::take(&mut self.facts)
    }

    fn of(&mut self, divided: &BV, number: u64) -> Results {
        let key = (divided.clone(), number);
        if let Some(known) = self.results.get(&key) {
            return known.clone();
        }
        let width = divided.get_size();
        let value = |value: u64| BV::from_u64(value, width);
        let most = mask(width) / number;
        let result = |name, most: u64| {
            let used = (u64::BITS - most.leading_zeros()).max(1);
            BV::fresh_const(name, used).zero_ext(width - used)
        };
        let (quotient, rest) = (result("quotient", most), result("rest", number - 1));
        // No product overflows. Then the sum does not overflow either, if the remainder is at most the sum.
        self.facts.push(quotient.bvule(value(most)));
        self.facts.push(rest.bvult(value(number)));
        self.facts.push(rest.bvule(divided));
        self.facts.push(quotient.bvmul(value(number)).bvadd(&rest).eq(divided));
        let results = Results { quotient, rest };
        self.results.insert(key, results.clone());
        results
    }
}

/// Equisatisfiable formulas without divisions by constants, with the facts instead; `None` if there are no
/// such divisions. A valuation of the new formulas satisfies the given ones.
pub(crate) fn without(formulas: &[Formula]) -> Option<Vec<Formula>> {
    let mut divisions = Divisions::default();
    let all = Bool::and(&formulas.iter().map(Formula::z3).collect::<Vec<_>>());
    let mut replaced: Vec<(Dynamic, Dynamic)> = Vec::new();
    for part in parts(&Dynamic::from_ast(&all)).filter(is_division) {
        let operand = |index| part.nth_child(index).and_then(|operand| operand.as_bv());
        let (Some(divided), Some(by)) = (operand(0), operand(1)) else { continue };
        if let Some(result) = divisions.result(&part, &divided, &by) {
            replaced.push((part, Dynamic::from_ast(&result)));
        }
    }
    if replaced.is_empty() {
        return None;
    }
    // A dividend may contain divisions: all are replaced at once.
    let said: Vec<Bool> = std::iter::once(all).chain(divisions.take_facts()).collect();
    let pairs: Vec<(&Dynamic, &Dynamic)> = replaced.iter().map(|(from, to)| (from, to)).collect();
    let said = Bool::and(&said).substitute(&pairs);
    Some(said.children().iter().filter_map(Dynamic::as_bool).map(Formula::from).collect())
}

/// Whether the operation is a division.
fn is_division(term: &Dynamic) -> bool {
    use DeclKind::{Bsdiv, BsdivI, Bsrem, BsremI, Budiv, BudivI, Burem, BuremI};
    matches!(operator(term), Some(Budiv | BudivI | Burem | BuremI | Bsdiv | BsdivI | Bsrem | BsremI))
}

fn operator(term: &Dynamic) -> Option<DeclKind> {
    term.is_app().then(|| term.decl().kind())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::QueryLimits;
    use crate::model::Answer;
    use crate::questions::Questions;
    use crate::solver::decide_once;

    const WIDTH: u32 = 5;

    type Operation = fn(&BV, &BV) -> BV;
    const OPERATIONS: [Operation; 4] =
        [|a, b| a.bvudiv(b), |a, b| a.bvurem(b), |a, b| a.bvsdiv(b), |a, b| a.bvsrem(b)];

    fn value(value: u64) -> BV {
        BV::from_u64(value, WIDTH)
    }

    /// The result that Z3 computes.
    fn expected(operation: Operation, a: u64, b: u64) -> u64 {
        operation(&value(a), &value(b)).simplify().as_u64().expect("a number")
    }

    #[test]
    fn results_are_those_of_all_divisions() {
        let x = BV::new_const("x", WIDTH);
        for operation in OPERATIONS {
            for b in 0..1 << WIDTH {
                let result = BV::new_const("result", WIDTH);
                let divided: Formula = operation(&x, &value(b)).eq(&result).into();
                let said = without(std::slice::from_ref(&divided));
                // Every pair but the right one is excluded.
                let right = Formula::any((0..1 << WIDTH).map(|a| {
                    let is: Formula = x.eq(value(a)).into();
                    is.and(&result.eq(value(expected(operation, a, b))).into())
                }));
                let said = said.unwrap_or_else(|| vec![divided]);
                let limits = QueryLimits::new(30_000_000, None);
                let wrong = [&said[..], &[right.not()]].concat();
                assert!(decide_once(&wrong, &limits).is_unsat(), "{b}");
                for a in 0..1 << WIDTH {
                    let is: Formula = x.eq(value(a)).into();
                    assert!(decide_once(&[&said[..], &[is]].concat(), &limits).is_sat(), "{a} {b}");
                }
            }
        }
    }

    #[test]
    fn a_dividend_may_be_the_result_of_a_division() {
        let x = BV::new_const("x", 16);
        let number = |value| BV::from_u64(value, 16);
        let digit: BV = x.bvudiv(number(10)).bvudiv(number(10)).bvurem(number(10));
        let formulas: [Formula; 2] = [digit.eq(number(7)).into(), x.bvult(number(1000)).into()];
        let said = without(&formulas).expect("it has divisions");
        assert!(parts(&Formula::all(said.iter().cloned()).dynamic()).all(|part| !is_division(&part)));
        let limits = QueryLimits::new(30_000_000, None);
        let Answer::Sat(model) = decide_once(&said, &limits) else { panic!("there is such a number") };
        let found = model.part(&Dynamic::from_ast(&x)).and_then(|value| value.as_bv()?.as_u64());
        assert!((700..800).contains(&found.expect("a number")), "{found:?}");
        let never: [Formula; 2] = [digit.eq(number(7)).into(), x.bvult(number(700)).into()];
        assert!(decide_once(&without(&never).expect("it has divisions"), &limits).is_unsat());
    }

    #[test]
    fn incremental_queries_know_divisions() {
        let x = BV::new_const("x", 16);
        let number = |value| BV::from_u64(value, 16);
        let mut questions = Questions::new(QueryLimits::new(30_000_000, None));
        for (most, may) in [(699, false), (700, true)] {
            let digit = x.bvudiv(number(100)).bvsrem(number(10));
            let holds = Formula::from(digit.eq(number(7))).and(&x.bvule(number(most)).into());
            assert_eq!(questions.may_hold(&[], &holds), Some(may));
        }
    }

    #[test]
    fn divisions_that_are_shifts_are_left_alone() {
        let x = BV::new_const("x", 16);
        for by in [0, 1, 8, 0x8000] {
            for operation in OPERATIONS {
                let zero: Formula = operation(&x, &BV::from_u64(by, 16)).eq(BV::from_u64(0, 16)).into();
                assert!(without(&[zero]).is_none(), "{by}");
            }
        }
    }
}
