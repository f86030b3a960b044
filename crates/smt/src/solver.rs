//! Satisfiability queries under limits, and their models.

use crate::ast::{parts, parts_of_all};
use crate::divisions;
use crate::known::Known;
use crate::limits::{QueryLimits, TICKS_PER_SECOND, used_by};
use crate::linear;
use crate::model::{Answer, Model};
use crate::sat::{self, Asked, Decided, Sorts};
use crate::term::Formula;
use rustc_hash::FxHashSet;
use std::cell::Cell;
use std::time::Instant;
use z3::ast::{Ast, Bool};
use z3::{AstKind, SatResult, SortKind};

/// The ticks of bit-vectors for a query that is easy for them.
const EASY: u64 = TICKS_PER_SECOND / 32;
/// The ticks of unbounded integers for a query that is not.
const INTEGERS: u64 = TICKS_PER_SECOND / 10;
/// The greatest number of ticks of Z3 for a query that is large for a SAT solver, before that is asked.
const BEFORE_LARGE: u64 = TICKS_PER_SECOND;

/// A growing set of formulas.
#[derive(Debug)]
pub struct Query<'a> {
    solver: z3::Solver,
    limits: &'a QueryLimits,
    /// What the formulas so far are about.
    about: Cell<About>,
}

impl<'a> Query<'a> {
    /// The empty set.
    pub fn new(limits: &'a QueryLimits) -> Query<'a> {
        Query { solver: z3::Solver::new(), limits, about: Cell::default() }
    }

    /// Adds a formula.
    pub fn assert(&self, formula: &Formula) {
        self.about.set(self.about.get().and(std::slice::from_ref(formula)));
        self.solver.assert(formula.z3());
    }

    /// Saves the set.
    pub fn push(&self) {
        self.solver.push();
    }

    /// Restores the set that was saved last.
    pub fn pop(&self) {
        self.solver.pop(1);
    }

    /// The ticks of bit-vectors before unbounded integers are asked: few where integers often have the
    /// answer.
    fn easy(&self) -> u64 {
        let (asked, known) = self.limits.integers();
        if known * 2 > asked { EASY / 8 } else { EASY }
    }

    /// Whether unbounded integers are worth asking. They rarely help where they did not before.
    fn integers_help(&self) -> bool {
        let (asked, known) = self.limits.integers();
        asked < 16 || known * 8 >= asked
    }

    /// Whether the formulas are contradictory over unbounded integers.
    fn contradicts_in_integers(&self) -> bool {
        let formulas: Vec<Formula> = self.solver.get_assertions().into_iter().map(Formula::from).collect();
        let known = contradict_in_integers(&formulas, self.limits);
        self.limits.count_integers(known);
        known
    }

    fn answer(&self, start: Instant, result: SatResult) -> Answer {
        answer(&self.solver, self.limits, start, result)
    }

    /// Decides whether a valuation satisfies the whole set.
    pub fn check(&self) -> Answer {
        let start = Instant::now();
        let staged = self.about.get() == About::default() && self.integers_help();
        let mut result = SatResult::Unknown;
        if staged && self.limits.query_ticks > EASY {
            result = self.check_within(self.easy());
            if result == SatResult::Unknown && self.contradicts_in_integers() {
                result = SatResult::Unsat;
            }
        }
        if result == SatResult::Unknown {
            result = self.check_within(self.limits.query_ticks);
        }
        self.answer(start, result)
    }

    fn check_within(&self, ticks: u64) -> SatResult {
        let mut params = self.limits.params(ticks);
        // Else Z3 simplifies such maps in contexts first, which may take a minute and counts hardly any step. Floats are
        // better with these steps.
        let about = self.about.get();
        params.set_bool("ignore_solver1", about.definitions && !about.others);
        self.solver.set_params(&params);
        let result = self.solver.check();
        self.limits.charge(used_by(&self.solver));
        result
    }

    /// Decides whether a valuation satisfies the set and the literals. These have to be constants or negated
    /// constants.
    pub fn check_with(&self, literals: &[Formula]) -> Answer {
        check_with(&self.solver, self.limits, self.limits.query_ticks, literals)
    }

    /// The literals that suffice for a contradiction, after an unsatisfiable [`Query::check_with`].
    pub fn core(&self) -> Vec<Formula> {
        self.solver.get_unsat_core().into_iter().map(Formula::from).collect()
    }
}

/// Decides whether a valuation satisfies the asserted formulas and the literals.
fn check_with(solver: &z3::Solver, limits: &QueryLimits, ticks: u64, literals: &[Formula]) -> Answer {
    let start = Instant::now();
    let result = check_literals(solver, limits, ticks, literals);
    answer(solver, limits, start, result)
}

fn check_literals(solver: &z3::Solver, limits: &QueryLimits, ticks: u64, literals: &[Formula]) -> SatResult {
    solver.set_params(&limits.params(ticks));
    let literals: Vec<Bool> = literals.iter().map(|literal| literal.z3()).collect();
    let result = solver.check_assumptions(&literals);
    limits.charge(used_by(solver));
    result
}

fn answer(solver: &z3::Solver, limits: &QueryLimits, start: Instant, result: SatResult) -> Answer {
    let model = if result == SatResult::Sat { solver.get_model() } else { None };
    let answer = match (result, model) {
        (SatResult::Unsat, _) => Answer::Unsat,
        (SatResult::Sat, Some(model)) => Answer::Sat(Model::new(model)),
        (SatResult::Sat, None) => Answer::Unknown("the solver has no model".into()),
        (SatResult::Unknown, _) => {
            Answer::Unknown(solver.get_reason_unknown().unwrap_or_else(|| "unknown".into()))
        }
    };
    limits.count(start, matches!(answer, Answer::Unknown(_)));
    answer
}

/// Decides whether a valuation satisfies all formulas, for a query without follow-ups.
pub fn decide_once(formulas: &[Formula], limits: &QueryLimits) -> Answer {
    let all = Formula::all(formulas.iter().cloned());
    decide_after(&mut Known::within(sat::FIRST), &[], &all, sat::FIRST, limits)
}

/// Decides whether a formula is satisfiable under some facts. First a SAT solver that may know the facts has so many
/// ticks to refute it. Otherwise Z3 is asked, even where that one found a valuation: Z3 chooses numbers that read
/// better, and that native runs confirm more often.
pub(crate) fn decide_after(
    known: &mut Known,
    facts: &[Formula],
    formula: &Formula,
    ticks: u64,
    limits: &QueryLimits,
) -> Answer {
    let (start, before) = (Instant::now(), limits.used());
    let asked = match limits.believes_z3() {
        true => Asked::Refused,
        false => known.ask(facts, formula, ticks.min(limits.query_ticks / 2), limits),
    };
    if asked == Asked::Unsat {
        limits.count(start, false);
        return Answer::Unsat;
    }
    let formulas: Vec<Formula> = facts.iter().chain([formula]).cloned().collect();
    let left = || limits.query_ticks.saturating_sub(limits.used() - before);
    decide_by_z3(&formulas, limits, left, || known.model(formula).filter(|_| asked == Asked::Sat))
}

/// Decides with the ticks that are `left` whether a valuation satisfies all formulas; `found` is one if the query is not
/// easy for Z3. Z3 is told the logic of the formulas, which lets it choose a faster strategy. A query that is hard for
/// Z3 is simplified for a SAT solver.
///
/// Each attempt uses a new Z3 solver: an interrupted one was seen to return a valuation in which the formulas
/// do not hold.
fn decide_by_z3(
    formulas: &[Formula],
    limits: &QueryLimits,
    left: impl Fn() -> u64,
    found: impl FnOnce() -> Option<Model>,
) -> Answer {
    let logic = About::default().and(formulas).logic();
    let ask_z3 = |formulas: &[Formula], ticks| {
        let solver = logic.and_then(z3::Solver::new_for_logic).unwrap_or_default();
        formulas.iter().for_each(|formula| solver.assert(formula.z3()));
        solver.set_params(&limits.params(ticks));
        let result = solver.check();
        limits.charge(used_by(&solver));
        (solver, result)
    };
    let start = Instant::now();
    let (mut solver, mut result) = ask_z3(formulas, left().min(sat::FIRST));
    if result == SatResult::Unknown
        && let Some(model) = found()
    {
        limits.count(start, false);
        return Answer::Sat(model);
    }
    if result == SatResult::Unknown && limits.query_ticks > sat::FIRST && !limits.is_over() {
        let said = divisions::without(formulas);
        let formulas = said.as_deref().unwrap_or(formulas);
        let sorts = match logic {
            Some(BIT_VECTORS) => Sorts::BitVectors,
            Some(_) => Sorts::Memory,
            None => Sorts::Any,
        };
        let bits = sat::Query::new(formulas, sorts, limits.query_ticks / 2, limits);
        let bits = bits.filter(|bits| !bits.is_large() || limits.is_patient());
        if bits.as_ref().is_some_and(sat::Query::is_large) {
            (solver, result) = ask_z3(formulas, (limits.query_ticks / 8).min(BEFORE_LARGE));
        }
        if result == SatResult::Unknown {
            let most = limits.affordable(left().min(limits.query_ticks / 2));
            match bits.and_then(|bits| bits.decide(most)) {
                Some(Decided::Sat(model)) => {
                    limits.count(start, false);
                    return Answer::Sat(Model::new(model));
                }
                Some(Decided::Unsat) => result = SatResult::Unsat,
                None if limits.must_end()() => {}
                None => (solver, result) = ask_z3(formulas, left()),
            }
        }
    }
    answer(&solver, limits, start, result)
}

/// Whether formulas are contradictory when machine integers are unbounded ones that wrap around in linear
/// operations and have arbitrary results in others. Then they are contradictory as they are; otherwise
/// nothing is known.
pub fn contradict_in_integers(formulas: &[Formula], limits: &QueryLimits) -> bool {
    let formula = Formula::all(formulas.iter().cloned()).z3();
    let solver = z3::Solver::new_for_logic("QF_LIA").unwrap_or_default();
    solver.set_params(&limits.params(INTEGERS.min(limits.query_ticks)));
    solver.assert(linear::relax(&formula, &[], true).formula);
    let result = solver.check();
    limits.charge(used_by(&solver));
    result == SatResult::Unsat
}

/// The logic of bit-vectors.
const BIT_VECTORS: &str = "QF_BV";

/// The approximate number of gates of formulas: making them is not counted in ticks.
pub fn gates(formulas: &[Formula]) -> u64 {
    let formulas: Vec<Bool> = formulas.iter().map(Formula::z3).collect();
    sat::gates(&formulas)
}

/// Whether the formula is of bit-vectors alone.
pub fn is_of_bits(formula: &Formula) -> bool {
    About::default().and(std::slice::from_ref(formula)) == About::default()
}

/// Whether a formula has more terms than that, each counted once.
pub fn is_larger_than(formula: &Formula, most_terms: u64) -> bool {
    usize::try_from(most_terms).is_ok_and(|most| parts(&formula.dynamic()).nth(most).is_some())
}

/// What formulas are about besides truth values and bit-vectors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct About {
    /// Maps.
    maps: bool,
    /// Maps with a definition for each address.
    definitions: bool,
    /// Anything else, such as floats.
    others: bool,
}

impl About {
    /// What these formulas and others are about. Where it is something else, the rest does not matter.
    fn and(mut self, formulas: &[Formula]) -> About {
        for part in parts_of_all(formulas.iter().map(Formula::dynamic).collect()) {
            match (part.kind(), part.sort_kind()) {
                (AstKind::App | AstKind::Numeral, SortKind::Bool | SortKind::Bv) => {}
                (AstKind::App, SortKind::Array) => self.maps = true,
                (AstKind::Quantifier, SortKind::Array) => self.definitions = true,
                _ => return About { others: true, ..self },
            }
        }
        self
    }

    /// The simplest logic, if it is a simple one.
    fn logic(self) -> Option<&'static str> {
        match self {
            About { definitions: true, .. } | About { others: true, .. } => None,
            About { maps: true, .. } => Some("QF_ABV"),
            About { .. } => Some(BIT_VECTORS),
        }
    }
}

/// A contradictory subset of contradictory groups of formulas, as the solver finds it; `None` if it does not
/// find the contradiction in time.
pub fn contradicting(groups: &[Vec<Formula>], limits: &QueryLimits) -> Option<Vec<Vec<Formula>>> {
    let query = Query::new(limits);
    let mut marks = Vec::new();
    for part in groups.iter().flatten() {
        let mark = Formula::fresh("part");
        query.assert(&mark.implies(part));
        marks.push(mark);
    }
    if !query.check_with(&marks).is_unsat() {
        return None;
    }
    let core: FxHashSet<Formula> = query.core().into_iter().collect();
    let mut marks = marks.into_iter();
    let mut kept = |group: &Vec<Formula>| {
        let marked = group.iter().zip(&mut marks);
        marked.filter(|(_, mark)| core.contains(mark)).map(|(part, _)| part.clone()).collect()
    };
    Some(groups.iter().map(&mut kept).collect())
}

/// The truth value of a formula if simplification determines it, otherwise the unchanged formula: a
/// simplified one hides from `linear` what is extended and why.
pub fn fold(formula: &Formula) -> Formula {
    if formula.known().is_some() {
        return formula.clone();
    }
    let simple = Formula::from(formula.z3().simplify());
    if simple.known().is_some() { simple } else { formula.clone() }
}
