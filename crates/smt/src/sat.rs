//! SAT solvers for queries of bit-vectors, memory and floats, CaDiCaL and Kissat, instead of Z3's own.
//!
//! Terms become gates (`words`, `circuits`, `floats`, `gates`), and gates become clauses (`clauses`). Queries about a
//! growing set of facts are asked of one CaDiCaL, which keeps what it learns (`incremental`), unless they hold in an
//! assignment that it found before (`simulation`). Of a single query that is not easy, Z3 simplifies the terms and blasts
//! the bit-vectors to truth values (`simple`, `goal`), before it goes to CaDiCaL (`cadical`) or Kissat (`kissat`).
//!
//! A model is trusted only after the query was evaluated in it. Unsatisfiability is trusted as it is of Z3 by who
//! searches, whose proofs are checked. Who checks believes single queries alone, whose words Z3 made truth values of.
//!
//! All work is counted: the steps of Z3's tactics as always, the variables and literals of clauses, the ticks of
//! CaDiCaL; for Kissat, its limit.

mod cadical;
mod circuits;
mod clauses;
mod floats;
mod gate;
mod gates;
mod goal;
mod incremental;
mod kissat;
mod simple;
mod simulation;
#[cfg(test)]
mod tests;
mod words;

use crate::limits::{QueryLimits, TICKS_PER_SECOND, used_by_tactics};
use crate::term::Formula;
use clauses::{Clauses, Found};
use gates::Gates;
use goal::Bounds;
pub(crate) use incremental::{Asked, Incremental};
use simple::Simple;
pub(crate) use simple::{Sorts, gates};
use words::Words;
use z3::ast::Dynamic;

/// The answer to a query.
#[derive(Debug)]
pub(crate) enum Decided {
    /// There is a model of all formulas.
    Sat(z3::Model),
    /// There is none.
    Unsat,
}

/// The ticks of a first attempt by CaDiCaL with the query as it is, and of one by Z3, before the query is simplified.
pub(crate) const FIRST: u64 = TICKS_PER_SECOND / 16;

/// The approximate number of gates up to which a simplified query goes to CaDiCaL at once. Larger ones go
/// there where nothing else remains to be done, after Z3 had a part of the ticks.
///
/// Of 1200 programs of other verifiers' tests, 51 queries about paths took Z3 more than 0.1 s (November
/// 2026). Seconds of those that both decide, in all, with Z3 and with CaDiCaL: of bit-vectors alone, 2.8 and
/// 1.4 for the 10 of up to this size, but 4.7 and 14.1 for 6 larger ones, and 3 more that only Z3 decides;
/// with memory, 1.1 and 0.6 for 5; with floats, 11.0 and 6.2 for 14, and one that only CaDiCaL decides. The
/// final queries about whole unrollings are larger still, and CaDiCaL decides those in half to a tenth of the
/// time.
fn few_gates(sorts: Sorts) -> u64 {
    match sorts {
        Sorts::BitVectors => 32_000,
        Sorts::Memory | Sorts::Any => 500_000,
    }
}

/// The greatest number of gates.
const MOST_GATES: u64 = 3_000_000;

/// The greatest number of literals in all clauses. A literal takes about 30 bytes.
const MOST_LITERALS: u64 = 16_000_000;
/// The variables and literals that take as long to make as a tick: 6 million of them take a second.
const MADE_IN_A_TICK: u64 = 2;

/// The number of literals from which Kissat is asked instead of CaDiCaL, where nothing else remains to be
/// done. Of the queries at the end of unrollings, Kissat and CaDiCaL take 7 and 42 s for one of 780,000
/// literals, and 12 and 40 s for one of 260,000. A third one, of 340,000, takes Kissat 27 s and CaDiCaL more
/// than a minute.
const LAST_LITERALS: u64 = 200_000;

/// A SAT solver.
#[derive(Debug, Clone, Copy)]
enum Solver {
    Cadical,
    Kissat,
}

/// A simplified query for SAT solvers.
pub(crate) struct Query<'l> {
    simple: Simple,
    is_large: bool,
    limits: &'l QueryLimits,
}

impl Query<'_> {
    /// The query of some formulas; `None` if the ticks do not suffice, the run is over, or the query is not
    /// for SAT solvers: too large, or not of bit-vectors alone.
    pub(crate) fn new<'l>(
        formulas: &[Formula],
        sorts: Sorts,
        ticks: u64,
        limits: &'l QueryLimits,
    ) -> Option<Query<'l>> {
        let simple = Simple::new(formulas.iter().map(Formula::z3).collect(), sorts, &bounds(ticks, limits));
        limits.charge(used_by_tactics());
        let simple = simple?;
        let gates = simple.gates();
        let is_large = gates > few_gates(sorts);
        (gates <= MOST_GATES).then_some(Query { simple, is_large, limits })
    }

    /// Whether Z3 is more likely to decide it sooner.
    pub(crate) fn is_large(&self) -> bool {
        self.is_large
    }

    /// Decides with so many ticks whether the formulas have a model; `None` if these do not suffice.
    pub(crate) fn decide(&self, ticks: u64) -> Option<Decided> {
        let is_last = |clauses: &Clauses| self.limits.is_patient() && clauses.literals() >= LAST_LITERALS;
        self.decide_by(ticks, |clauses| if is_last(clauses) { Solver::Kissat } else { Solver::Cadical })
    }

    /// The same, by a solver that is chosen for the clauses.
    fn decide_by(&self, ticks: u64, solver: impl Fn(&Clauses) -> Solver) -> Option<Decided> {
        let blasted = self.simple.blast(&bounds(ticks, self.limits));
        let prepared = used_by_tactics();
        self.limits.charge(prepared);
        let (formulas, constants) = blasted?;
        let ticks = ticks.saturating_sub(prepared);
        let mut gates = Gates::new(MOST_LITERALS.min(ticks.saturating_mul(MADE_IN_A_TICK)));
        let mut words = Words::default();
        let added = formulas.iter().try_for_each(|formula| {
            let literal = words.literal(&mut gates, &Dynamic::from_ast(formula)).ok()??;
            gates.clause(&[literal]).ok()
        });
        let (clauses, made) = (gates.clauses(), gates.made() / MADE_IN_A_TICK);
        self.limits.charge(made);
        added?;
        let (left, must_end) = (ticks.saturating_sub(made), self.limits.must_end());
        let (found, used) = match solver(clauses) {
            Solver::Cadical => cadical::solve(clauses, left, must_end),
            Solver::Kissat => kissat::solve(clauses, left, must_end),
        };
        self.limits.charge(used);
        match found {
            Found::Sat(assignment) => {
                let holds = |literal| assignment.holds(literal);
                let values: Vec<_> = constants.iter().map(|bits| bits.valued(&words, holds)).collect();
                self.simple.model(&values).map(Decided::Sat)
            }
            Found::Unsat => Some(Decided::Unsat),
            Found::GaveUp => None,
        }
    }
}

/// The limits of tactics.
fn bounds(ticks: u64, limits: &QueryLimits) -> Bounds {
    Bounds { steps: limits.affordable(ticks).min(u32::MAX.into()) as u32, time: limits.time_left() }
}
