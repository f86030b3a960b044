//! Incremental queries during an execution: whether something is possible.
//!
//! Each query is about a formula that shares nearly all parts with earlier ones. So each part has its clauses
//! once, and values in each cached valuation. The cost of a query depends on what is new in it.

use crate::encode::bits;
use crate::known::Known;
use crate::limits::{QueryLimits, TICKS_PER_SECOND};
use crate::model::Answer;
use crate::samples::Samples;
use crate::sat::Asked;
use crate::shape::{self, Numbers};
use crate::solver::{decide_after, decide_once};
use crate::term::{Formula, Kind, Term};
use beeline_ir::{RegionId, VarId};
use rustc_hash::FxHashMap;
use std::time::Instant;

/// The ticks of the first attempt at a query that has to be answered.
const EASY: u64 = TICKS_PER_SECOND / 6;

/// A solver for incremental queries. For bit-vectors and memory it is a SAT solver that keeps learned clauses.
#[derive(Debug)]
pub struct Questions {
    known: Known,
    limits: QueryLimits,
    samples: Samples,
    /// For each source of values, how many more queries about it were of no use than were.
    vain: FxHashMap<Source, u32>,
    /// The formulas that were found to be unsatisfiable.
    refuted: Vec<Formula>,
}

/// The source of a value that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// A variable.
    Var(VarId),
    /// A region.
    Region(RegionId),
}

/// The greatest excess of useless queries about a source.
const MOST_VAIN: u32 = 8;

impl Questions {
    /// Queries with a limit for each.
    pub fn new(limits: QueryLimits) -> Questions {
        Questions {
            known: Known::default(),
            limits,
            samples: Samples::default(),
            vain: FxHashMap::default(),
            refuted: Vec::new(),
        }
    }

    /// The formulas that were found to be unsatisfiable under the facts at that time, which are among the later ones.
    pub fn refuted(&self) -> &[Formula] {
        &self.refuted
    }

    /// The limits, which count the queries.
    pub fn limits(&self) -> &QueryLimits {
        &self.limits
    }

    /// Whether a formula is satisfiable under some facts; `None` if the solver does not know.
    pub fn may_hold(&mut self, facts: &[Formula], formula: &Formula) -> Option<bool> {
        if let Some(truth) = formula.known() {
            return Some(truth);
        }
        if self.samples.hold(&formula.dynamic()) {
            return Some(true);
        }
        if self.known.was_seen(facts, formula, &self.limits) {
            return Some(true);
        }
        let start = Instant::now();
        let asked = self.known.ask(facts, formula, self.limits.query_ticks, &self.limits);
        if asked == Asked::Refused || asked == Asked::Unsat && self.limits.believes_z3() {
            return self.may_hold_alone(facts, formula);
        }
        self.limits.count(start, asked == Asked::GaveUp);
        match asked {
            Asked::Sat => {
                let known = &self.known;
                self.samples.take(|input| known.part(input));
                Some(true)
            }
            Asked::Unsat => {
                self.refuted.push(formula.clone());
                Some(false)
            }
            Asked::GaveUp | Asked::Refused => None,
        }
    }

    /// The same for a query that the solver of the others cannot express, or refutes without being believed.
    fn may_hold_alone(&mut self, facts: &[Formula], formula: &Formula) -> Option<bool> {
        let all: Vec<Formula> = facts.iter().chain([formula]).cloned().collect();
        match decide_once(&all, &self.limits) {
            Answer::Unsat => {
                self.refuted.push(formula.clone());
                Some(false)
            }
            Answer::Unknown(_) => None,
            Answer::Sat(model) => {
                self.samples.take(|input| model.part(input));
                Some(true)
            }
        }
    }

    /// The few numbers that an address can have under a guard, if they are found.
    pub fn few(&mut self, facts: &[Formula], guard: &Formula, at: &Term) -> Option<Numbers> {
        let cases = shape::cases(bits(at));
        let is_few = cases.rest.is_constant(false)
            || !cases.numbers.is_empty() && self.may_hold(facts, &guard.and(&cases.rest)) == Some(false);
        is_few.then_some(cases.numbers)
    }

    /// A value that is read from a source under a guard, without the values that are found to be impossible.
    ///
    /// Memory may hold an arbitrary value, unless the program ensures that it is written before it is read.
    /// If that is not ensured as a rule for a source, there are no further queries about it.
    pub fn settled(&mut self, facts: &[Formula], from: Source, guard: &Formula, value: Term) -> Term {
        let vain = self.vain.get(&from).copied().unwrap_or_default();
        if vain >= MOST_VAIN {
            return value;
        }
        let cases = shape::cases(bits(&value));
        if cases.rest.known().is_some() {
            return value;
        }
        if self.may_hold(facts, &guard.and(&cases.rest)) != Some(false) {
            self.vain.insert(from, vain + 1);
            return value;
        }
        self.vain.insert(from, vain.saturating_sub(1));
        Term(Kind::Bv(shape::choice(cases.numbers, bits(&value).get_size())))
    }

    /// Decides whether a formula is satisfiable under some facts, for a query that has to be answered. An
    /// easy query is answered with the learned clauses of earlier ones.
    pub fn decide(&mut self, facts: &[Formula], formula: &Formula, limits: &QueryLimits) -> Answer {
        decide_after(&mut self.known, facts, formula, EASY, limits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use z3::ast::{Ast, BV, Dynamic};

    fn constant(name: &str, width: u32) -> BV {
        BV::new_const(name, width)
    }

    fn number(value: u64, width: u32) -> BV {
        BV::from_u64(value, width)
    }

    fn questions() -> Questions {
        Questions::new(QueryLimits::new(30_000_000, None))
    }

    #[test]
    fn answers_are_those_of_a_solver_asked_once() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut questions = questions();
        let mut parts: Vec<BV> = (0..3).map(|index| constant(&format!("x{index}"), 8)).collect();
        let mut conditions: Vec<Formula> = vec![parts[0].bvult(&parts[1]).into()];
        let mut answers = [0, 0];
        for _ in 0..300 {
            let (a, b) =
                (parts[random.usize(0..parts.len())].clone(), parts[random.usize(0..parts.len())].clone());
            let made = match random.u8(0..6) {
                0 => a.bvadd(&b),
                1 => a.bvmul(number(random.u64(0..256), 8)),
                2 => conditions[random.usize(0..conditions.len())].z3().ite(&a, &b),
                3 => a.extract(3, 0).zero_ext(4),
                4 => a.bvudiv(&b),
                _ => a.bvand(&b),
            };
            parts.push(made.clone());
            let is: Formula = made.eq(number(random.u64(0..256), 8)).into();
            let less: Formula = a.bvult(&made).into();
            let other = conditions[random.usize(0..conditions.len())].clone();
            let condition = match random.u8(0..4) {
                0 => is.and(&other),
                1 => less.and(&other.not()),
                2 => is.or(&less),
                _ => other.ite(&is, &less),
            };
            let once = decide_once(std::slice::from_ref(&condition), &QueryLimits::new(30_000_000, None));
            let answer = questions.may_hold(&[], &condition);
            assert_eq!(answer, Some(once.is_sat()), "{condition:?}");
            answers[usize::from(once.is_sat())] += 1;
            conditions.push(condition);
        }
        assert!(answers.iter().all(|&count| count > 20), "{answers:?}");
    }

    #[test]
    fn formulas_with_other_theories_are_decided_too() {
        let sorts = [8, 8].map(z3::Sort::bitvector);
        let map = z3::ast::Array::new_const("map", &sorts[0], &sorts[1]);
        let x = constant("x", 8);
        let filled = z3::ast::lambda_const(&[&x as &dyn Ast], &Dynamic::from_ast(&number(3, 8)));
        let either = Formula::fresh("either").z3().ite(&map, &filled).select(&x).as_bv().expect("bits");
        let holds: Formula = either.eq(number(4, 8)).into();
        assert_eq!(questions().may_hold(&[], &holds), Some(true));
        let never: Formula = filled.select(&x).eq(number(4, 8)).into();
        assert_eq!(questions().may_hold(&[], &never), Some(false));
    }

    #[test]
    fn what_a_cached_model_shows_is_not_queried() {
        let mut questions = questions();
        let (x, y) = (constant("x", 64), constant("y", 64));
        // No other number has this square.
        let is_root: Formula = x.bvmul(&x).eq(number(0x1234_5678 * 0x1234_5678, 64)).into();
        let is_small = Formula::from(x.bvult(number(0x2000_0000, 64)));
        assert_eq!(questions.may_hold(&[], &is_root.and(&is_small)), Some(true));
        assert_eq!(questions.limits().queries(), 1);
        // The solver knew nothing of `y` when it was queried.
        let even: Formula = y.extract(0, 0).eq(number(0, 1)).into();
        for bound in [0x1234_5679, 0x1234_6000, 0x1300_0000] {
            let below: Formula = x.bvult(number(bound, 64)).into();
            assert_eq!(questions.may_hold(&[], &is_root.and(&below).and(&even)), Some(true));
        }
        assert_eq!(questions.limits().queries(), 1);
        let below: Formula = x.bvult(number(0x1000, 64)).into();
        assert_eq!(questions.may_hold(&[], &is_root.and(&below)), Some(false));
        assert_eq!(questions.limits().queries(), 2);
    }

    #[test]
    fn facts_count() {
        let mut questions = questions();
        let x = constant("x", 8);
        let is_one: Formula = x.eq(number(1, 8)).into();
        assert_eq!(questions.may_hold(&[], &is_one), Some(true));
        let mut others = Questions::new(QueryLimits::new(30_000_000, None));
        assert_eq!(others.may_hold(&[is_one.not()], &is_one), Some(false));
    }

    #[test]
    fn facts_may_grow_and_are_not_believed_without() {
        let mut questions = questions();
        let (x, y) = (constant("x", 8), constant("y", 8));
        let small = |of: &BV| Formula::from(of.bvult(number(10, 8)));
        let large: Formula = x.bvadd(&y).bvugt(number(200, 8)).into();
        let always = Formula::constant(true);
        let facts = [always.clone(), small(&x), small(&y)];
        let limits = QueryLimits::new(30_000_000, None);
        // The answers with more and more facts, with fewer again, and with others.
        let others = [small(&y)];
        let asked: [(&[Formula], bool); 5] =
            [(&facts[..1], true), (&facts[..2], true), (&facts, false), (&facts[..2], true), (&others, true)];
        for (index, (facts, possible)) in asked.into_iter().enumerate() {
            // No cached valuation is to decide it.
            let key: Formula = constant("key", 32).eq(number(0xdead_0000 + index as u64, 32)).into();
            let question = large.and(&key);
            assert_eq!(questions.may_hold(facts, &question), Some(possible), "{index}");
            assert_eq!(questions.decide(facts, &question, &limits).is_sat(), possible, "{index}");
        }
    }

    #[test]
    fn facts_about_arrays_count() {
        let sorts = [8, 8].map(z3::Sort::bitvector);
        let map = z3::ast::Array::new_const("map", &sorts[0], &sorts[1]);
        let (x, y) = (constant("x", 8), constant("y", 8));
        let cell = |at: &BV| map.select(at).as_bv().expect("bits");
        let fact: Formula = cell(&x).eq(number(3, 8)).into();
        let differs: Formula = cell(&y).eq(number(4, 8)).into();
        let same: Formula = x.eq(&y).into();
        let mut questions = questions();
        let facts = [Formula::constant(true), fact];
        assert_eq!(questions.may_hold(&facts, &differs.and(&same)), Some(false));
        assert_eq!(questions.may_hold(&facts, &differs), Some(true));
        assert_eq!(questions.may_hold(&facts[..1], &differs.and(&same)), Some(true));
    }

    #[test]
    fn an_address_is_settled_only_where_the_rest_is_impossible() {
        let mut questions = questions();
        let (written, unwritten) = (Formula::fresh("written"), constant("unwritten", 16));
        let value = Term(Kind::Bv(written.z3().ite(&number(0x40, 16), &unwritten)));
        let from = Source::Var(VarId::from_u32(0));
        assert_eq!(questions.settled(&[], from, &Formula::constant(true), value.clone()), value);
        assert!(questions.few(&[], &Formula::constant(true), &value).is_none());
        let settled = questions.settled(&[], from, &written, value.clone());
        assert_eq!(bits(&settled).as_u64(), Some(0x40));
        assert_eq!(questions.few(&[], &written, &value).map(|numbers| numbers.len()), Some(1));
    }

    #[test]
    fn useless_queries_about_a_source_end() {
        let mut questions = questions();
        let [vain, other] = [0, 1].map(|index| Source::Var(VarId::from_u32(index)));
        let (written, unwritten) = (Formula::fresh("written"), constant("unwritten", 16));
        let value = Term(Kind::Bv(written.z3().ite(&number(0x40, 16), &unwritten)));
        for _ in 0..MOST_VAIN {
            questions.settled(&[], vain, &Formula::constant(true), value.clone());
        }
        assert_eq!(questions.settled(&[], vain, &written, value.clone()), value);
        assert_ne!(questions.settled(&[], other, &written, value.clone()), value);
    }
}
