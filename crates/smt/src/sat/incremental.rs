//! A growing set of facts for CaDiCaL, and queries about them. It keeps what it learns from query to query.

use super::cadical::Cadical;
use super::clauses::Literal;
use super::gates::{Gates, TRUE};
use super::words::{Read, Seen, Words, value};
use super::{MADE_IN_A_TICK, MOST_LITERALS, bounds};
use crate::limits::{QueryLimits, used_by_tactics};
use crate::term::Formula;
use rustsat::solvers::SolverResult;
use z3::ast::{Array, Ast, Dynamic};

/// The facts, and what was learned.
#[derive(Debug)]
pub(crate) struct Incremental {
    gates: Gates,
    words: Words,
    solver: Cadical,
    /// The terms on which the facts depend, and that read floats, and the parts of facts that were looked at.
    unknown: Vec<Dynamic>,
    seen: Seen,
    /// Whether the clauses were too many once, or unknown. Gates may lack some of theirs from then on.
    is_full: bool,
}

/// The answer to a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    /// The formula may hold.
    Sat,
    /// It does not.
    Unsat,
    /// The ticks did not suffice.
    GaveUp,
    /// The query is not for a SAT solver.
    Refused,
}

/// The ticks for each call, in variables: all get a value.
const VARIABLES_IN_A_TICK: u64 = 32;
/// The greatest number of assignments of a query that contradict themselves about memory.
const MOST_MENDED: usize = 100;

impl Default for Incremental {
    fn default() -> Incremental {
        Incremental::within(u64::MAX)
    }
}

impl Incremental {
    /// No facts. All further ones take so many ticks to make.
    pub(crate) fn within(ticks: u64) -> Incremental {
        Incremental {
            gates: Gates::new(ticks.saturating_mul(MADE_IN_A_TICK).min(MOST_LITERALS)),
            words: Words::default(),
            solver: Cadical::new(),
            unknown: Vec::new(),
            seen: Seen::default(),
            is_full: false,
        }
    }

    /// Adds a fact. Returns false if it has no clauses.
    pub(crate) fn learn(&mut self, fact: &Formula, limits: &QueryLimits) -> bool {
        let before = self.gates.made();
        let literal = self.literal(fact);
        if let Some(literal) = literal {
            self.is_full |= self.gates.clause(&[literal]).is_err();
            let unknown = self.words.unknown(&fact.dynamic(), &Seen::default(), &mut self.seen);
            self.unknown.extend(unknown);
        }
        limits.charge((self.gates.made() - before) / MADE_IN_A_TICK);
        literal.is_some() && !self.is_full
    }

    /// Whether a formula holds in an assignment that was found for an earlier query.
    pub(crate) fn was_seen(&mut self, formula: &Formula, limits: &QueryLimits) -> bool {
        let before = self.gates.made();
        let literal = self.literal(formula);
        limits.charge((self.gates.made() - before) / MADE_IN_A_TICK);
        literal.is_some_and(|literal| self.gates.simulation().holds(literal))
            && self.unknown(formula).is_empty()
    }

    /// The terms that read floats and decide a formula together with the facts, as far as it is not known what they are.
    fn unknown(&self, formula: &Formula) -> Vec<Dynamic> {
        let further = self.words.unknown(&formula.dynamic(), &self.seen, &mut Seen::default());
        self.unknown.iter().cloned().chain(further).collect()
    }

    /// Decides with so many ticks whether a formula is satisfiable under the facts.
    pub(crate) fn decide(&mut self, formula: &Formula, ticks: u64, limits: &QueryLimits) -> Asked {
        let before = self.gates.made();
        let literal = self.literal(formula);
        if let Some(literal) = literal {
            self.is_full |= self.gates.define(&[literal]).is_err();
        }
        let made = (self.gates.made() - before) / MADE_IN_A_TICK;
        limits.charge(made);
        match literal {
            Some(literal) => self.search(formula, literal, ticks.saturating_sub(made), limits),
            None => Asked::Refused,
        }
    }

    fn search(&mut self, formula: &Formula, literal: Literal, ticks: u64, limits: &QueryLimits) -> Asked {
        let mut left = ticks;
        for _ in 0..MOST_MENDED {
            if self.is_full || !self.solver.add(&self.gates.take_clauses()) {
                return Asked::Refused;
            }
            let (result, used) = self.solver.solve(&[literal], left, limits.must_end());
            let used = used + self.gates.clauses().variables() / VARIABLES_IN_A_TICK;
            limits.charge(used);
            left = left.saturating_sub(used);
            match result {
                SolverResult::Unsat => return Asked::Unsat,
                SolverResult::Interrupted => return Asked::GaveUp,
                SolverResult::Sat => {}
            }
            let solver = &self.solver;
            match self.words.mend(&mut self.gates, |literal| solver.holds(literal)) {
                Ok(true) => {}
                Ok(false) => match self.know(formula, left, limits) {
                    None => {
                        let solver = &self.solver;
                        self.words.take(&mut self.gates, |literal| solver.holds(literal));
                        return Asked::Sat;
                    }
                    Some(used) => left = left.saturating_sub(used),
                },
                Err(_) => self.is_full = true,
            }
        }
        Asked::GaveUp
    }

    /// Adds what the terms are that read floats and decide a formula together with the facts, and returns the used
    /// ticks; `None` if all of them are known.
    fn know(&mut self, formula: &Formula, ticks: u64, limits: &QueryLimits) -> Option<u64> {
        let unknown = self.unknown(formula);
        if unknown.is_empty() {
            return None;
        }
        self.unknown.clear();
        let mut used = 0;
        for term in unknown {
            let before = self.gates.made();
            let known = self.words.know(&mut self.gates, &term, &bounds(ticks.saturating_sub(used), limits));
            self.is_full |= known != Ok(true);
            // Of a fact's terms, these were looked at before they were terms that read floats.
            self.unknown.extend(self.words.unknown_inputs(&term));
            used += (self.gates.made() - before) / MADE_IN_A_TICK + used_by_tactics();
        }
        limits.charge(used);
        Some(used)
    }

    /// The literal of a formula; `None` if it has none.
    fn literal(&mut self, formula: &Formula) -> Option<Literal> {
        if self.is_full {
            return None;
        }
        let literal = self.words.literal(&mut self.gates, &formula.dynamic());
        self.is_full |= literal.is_err();
        literal.ok().flatten()
    }

    /// The value of a constant in the assignment that was found last, if a formula mentions it.
    pub(crate) fn part(&self, constant: &Dynamic) -> Option<Dynamic> {
        Some(value(constant, self.words.of(constant)?, |literal| self.solver.holds(literal)))
    }

    /// The valuation that was found last.
    pub(crate) fn model(&self) -> Option<z3::Model> {
        let model = z3::Model::new();
        let holds = |literal| self.solver.holds(literal);
        for (input, value) in self.words.values(holds) {
            model.add_const_interp(&input.decl(), &value);
        }
        for (map, reads) in self.words.cells() {
            let first = reads.first()?;
            let cell = map.as_array()?.select(&first.at);
            let zero = value(&cell, &vec![-TRUE; first.cell.len()], holds);
            let zeros = Array::const_array(&first.at.get_sort(), &zero);
            let content = reads.iter().fold(zeros, |content, Read { at, address, cell: word }| {
                content.store(&value(at, address, holds), &value(&cell, word, holds))
            });
            model.add_const_interp(&map.decl(), &content);
        }
        Some(model)
    }
}
