//! Satisfiability under limits, models as values.

use crate::float;
use crate::linear;
use crate::memory::Memory;
use crate::term::{Formula, Kind, Term, numeral_bits};
use beeline_ir::{Region, Value};
use rustc_hash::FxHashSet;
use std::cell::Cell;
use std::time::{Duration, Instant};
use z3::ast::{Ast, Bool, Dynamic};
use z3::{AstKind, SatResult, SortKind};

/// What a query may use, and a count of what queries used.
#[derive(Debug)]
pub struct Limits {
    /// Time for one query.
    pub query_time: Duration,
    /// When all queries have to be over.
    pub deadline: Option<Instant>,
    queries: Cell<u64>,
    unknowns: Cell<u64>,
    spent: Cell<Duration>,
    /// How often unbounded integers were asked, and how often they knew.
    integers: Cell<(u32, u32)>,
}

impl Limits {
    /// Limits of one query and of all.
    pub fn new(query_time: Duration, deadline: Option<Instant>) -> Limits {
        Limits {
            query_time,
            deadline,
            queries: Cell::new(0),
            unknowns: Cell::new(0),
            spent: Cell::new(Duration::ZERO),
            integers: Cell::new((0, 0)),
        }
    }

    /// The time that a query starting now has, in milliseconds, never zero.
    pub(crate) fn milliseconds(&self, most: Duration) -> u32 {
        let left = match self.deadline {
            Some(deadline) => deadline.saturating_duration_since(Instant::now()),
            None => Duration::MAX,
        };
        most.min(left).as_millis().clamp(1, 1 << 30) as u32
    }

    pub(crate) fn count(&self, start: Instant, unknown: bool) {
        self.queries.set(self.queries.get() + 1);
        self.unknowns.set(self.unknowns.get() + u64::from(unknown));
        self.spent.set(self.spent.get() + start.elapsed());
    }

    /// Is it worth asking unbounded integers? They seldom help where they did not before.
    fn integers_help(&self) -> bool {
        let (asked, known) = self.integers.get();
        asked < 16 || known * 8 >= asked
    }

    /// Time for bit-vectors before unbounded integers are asked.
    fn easy_time(&self) -> Duration {
        let (asked, known) = self.integers.get();
        if known * 2 > asked { EASY_TIME / 8 } else { EASY_TIME }
    }

    /// Is the time for all queries over?
    pub fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// How many queries were made.
    pub fn queries(&self) -> u64 {
        self.queries.get()
    }

    /// How many queries had no answer.
    pub fn unknowns(&self) -> u64 {
        self.unknowns.get()
    }

    /// The time that queries took.
    pub fn spent(&self) -> Duration {
        self.spent.get()
    }
}

/// The answer to a query.
#[derive(Debug)]
pub enum Answer {
    /// There is a valuation.
    Sat(Model),
    /// There is none.
    Unsat,
    /// The solver gave up, for a reason.
    Unknown(String),
}

impl Answer {
    /// Is there surely no valuation?
    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat)
    }

    /// Is there surely a valuation?
    pub fn is_sat(&self) -> bool {
        matches!(self, Answer::Sat(_))
    }
}

/// Time for bit-vectors to decide a query that is easy for them.
const EASY_TIME: Duration = Duration::from_millis(30);
/// Time for unbounded integers to decide one that is not.
const INTEGER_TIME: Duration = Duration::from_millis(100);

/// A growing set of formulas.
#[derive(Debug)]
pub struct Query<'a> {
    solver: z3::Solver,
    limits: &'a Limits,
    /// Are all formulas so far of bit-vectors only?
    bit_vectors: Cell<bool>,
}

impl<'a> Query<'a> {
    /// The empty set.
    pub fn new(limits: &'a Limits) -> Query<'a> {
        Query { solver: z3::Solver::new(), limits, bit_vectors: Cell::new(true) }
    }

    /// Adds a formula.
    pub fn assert(&self, formula: &Formula) {
        if self.bit_vectors.get() && logic_of(std::slice::from_ref(formula)) != Some(BIT_VECTORS) {
            self.bit_vectors.set(false);
        }
        self.solver.assert(formula.z3());
    }

    /// Remembers the set.
    pub fn push(&self) {
        self.solver.push();
    }

    /// Goes back to the set last remembered.
    pub fn pop(&self) {
        self.solver.pop(1);
    }

    fn prepare(&self, most: Duration) {
        let mut params = z3::Params::new();
        params.set_u32("timeout", self.limits.milliseconds(most));
        self.solver.set_params(&params);
    }

    /// Do the formulas contradict each other already as formulas over unbounded integers?
    fn contradicts_in_integers(&self) -> bool {
        let formulas: Vec<Formula> = self.solver.get_assertions().into_iter().map(Formula::from).collect();
        let known = contradict_in_integers(&formulas, self.limits);
        let (asked, helped) = self.limits.integers.get();
        self.limits.integers.set((asked + 1, helped + u32::from(known)));
        known
    }

    fn answer(&self, start: Instant, result: SatResult) -> Answer {
        let model = if result == SatResult::Sat { self.solver.get_model() } else { None };
        let answer = match (result, model) {
            (SatResult::Unsat, _) => Answer::Unsat,
            (SatResult::Sat, Some(model)) => Answer::Sat(Model(model)),
            (SatResult::Sat, None) => Answer::Unknown("the solver has no model".into()),
            (SatResult::Unknown, _) => {
                Answer::Unknown(self.solver.get_reason_unknown().unwrap_or_else(|| "unknown".into()))
            }
        };
        self.limits.count(start, matches!(answer, Answer::Unknown(_)));
        answer
    }

    /// Is there a valuation that satisfies the whole set?
    pub fn check(&self) -> Answer {
        let start = Instant::now();
        let staged = self.bit_vectors.get() && self.limits.integers_help();
        let mut result = SatResult::Unknown;
        if staged && self.limits.query_time > EASY_TIME {
            result = self.check_within(self.limits.easy_time());
            if result == SatResult::Unknown && self.contradicts_in_integers() {
                result = SatResult::Unsat;
            }
        }
        if result == SatResult::Unknown {
            result = self.check_within(self.limits.query_time);
        }
        self.answer(start, result)
    }

    fn check_within(&self, time: Duration) -> SatResult {
        self.prepare(time);
        self.solver.check()
    }

    /// Is there one that satisfies the literals too? They must be constants or negated ones.
    pub fn check_with(&self, literals: &[Formula]) -> Answer {
        self.prepare(self.limits.query_time);
        let literals: Vec<Bool> = literals.iter().map(|literal| literal.z3()).collect();
        let start = Instant::now();
        self.answer(start, self.solver.check_assumptions(&literals))
    }

    /// After an unsatisfiable [`Query::check_with`]: literals that suffice for that.
    pub fn core(&self) -> Vec<Formula> {
        self.solver.get_unsat_core().into_iter().map(Formula::from).collect()
    }
}

/// Is there a valuation that satisfies all formulas? For a question that no other follows: Z3 is told beforehand
/// what the formulas are made of, which lets it choose a faster way.
pub fn decide_once(formulas: &[Formula], limits: &Limits) -> Answer {
    let logic = logic_of(formulas);
    let solver = logic.and_then(z3::Solver::new_for_logic).unwrap_or_default();
    formulas.iter().for_each(|formula| solver.assert(formula.z3()));
    let query = Query { solver, limits, bit_vectors: Cell::new(false) };
    query.check()
}

/// Do formulas contradict each other if machine integers are unbounded ones that wrap around in linear operations
/// and have any result in others? Then they do; if not, nothing is known.
pub fn contradict_in_integers(formulas: &[Formula], limits: &Limits) -> bool {
    let formula = Formula::all(formulas.iter().cloned()).z3();
    let solver = z3::Solver::new_for_logic("QF_LIA").unwrap_or_default();
    let mut params = z3::Params::new();
    params.set_u32("timeout", limits.milliseconds(INTEGER_TIME.min(limits.query_time)));
    solver.set_params(&params);
    solver.assert(linear::relax(&formula, &[], true).formula);
    solver.check() == SatResult::Unsat
}

/// The logic of bit-vectors.
const BIT_VECTORS: &str = "QF_BV";

/// The logic that has everything that formulas have, if it is a simple one.
fn logic_of(formulas: &[Formula]) -> Option<&'static str> {
    let mut arrays = false;
    let mut seen = FxHashSet::default();
    let mut stack: Vec<Dynamic> = formulas.iter().map(Formula::dynamic).collect();
    while let Some(term) = stack.pop() {
        if !seen.insert(term.clone()) {
            continue;
        }
        match (term.kind(), term.sort_kind()) {
            (AstKind::App | AstKind::Numeral, SortKind::Bool | SortKind::Bv) => {}
            (AstKind::App, SortKind::Array) => arrays = true,
            _ => return None,
        }
        stack.extend(term.children());
    }
    Some(if arrays { "QF_ABV" } else { BIT_VECTORS })
}

/// Of groups of formulas that contradict each other, those that suffice for that, as the solver finds
/// them; nothing if it does not see the contradiction in time.
pub fn contradicting(groups: &[Vec<Formula>], limits: &Limits) -> Option<Vec<Vec<Formula>>> {
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

/// A valuation.
#[derive(Debug)]
pub struct Model(z3::Model);

impl Model {
    /// The value of a term; constants that the valuation leaves open are zero or so.
    pub fn value(&self, term: &Term) -> Option<Value> {
        match &term.0 {
            Kind::Bool(formula) => self.truth(formula).map(Value::Bool),
            Kind::Bv(bits) => numeral_bits(&self.0.eval(bits, true)?).map(Value::Bv),
            Kind::Float(kind, a) => {
                let bits = numeral_bits(&self.0.eval(&float::to_bits(*kind, a), true)?)?;
                Some(Value::float(*kind, bits))
            }
        }
    }

    /// Does a formula hold?
    pub fn truth(&self, formula: &Formula) -> Option<bool> {
        match formula.known() {
            Some(truth) => Some(truth),
            None => self.0.eval(&formula.z3(), true)?.as_bool(),
        }
    }

    /// The cell of a region at an address.
    pub fn cell(&self, memory: &Memory, region: &Region, addr: u64) -> Option<Value> {
        self.value(&memory.cell(region, addr))
    }
}

/// A truth value if simplification shows that the formula is one, the formula as it is otherwise: simplified
/// ones hide from [`linear`] what is extended and why.
pub fn fold(formula: &Formula) -> Formula {
    if formula.known().is_some() {
        return formula.clone();
    }
    let simple = Formula::from(formula.z3().simplify());
    if simple.known().is_some() { simple } else { formula.clone() }
}
