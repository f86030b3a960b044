//! Queries of bit-vectors by a SAT solver, CaDiCaL, in the place of Z3's own.
//!
//! Z3 simplifies a query and turns its bit-vectors into truth values (`blast`, `goal`), which become clauses
//! (`gates`) of CaDiCaL (`cadical`). A model comes back the same way, and is believed only after the query was
//! evaluated in it. That there is none is believed as it is of Z3.
//!
//! All is counted: the steps of Z3's tactics as always, the literals of clauses, and the ticks of CaDiCaL.

mod blast;
mod cadical;
mod gates;
mod goal;
#[cfg(test)]
mod tests;

use crate::limits::{QueryLimits, TICKS_PER_SECOND, used_by_tactics};
use crate::term::Formula;
use blast::Simple;
pub(crate) use blast::Sorts;
pub(crate) use blast::gates;
use cadical::{Cadical, Found, LITERAL_TICKS};
use gates::Gates;
use goal::Bounds;

/// The answer to a query.
#[derive(Debug)]
pub(crate) enum Decided {
    /// There is a model, in which all formulas hold.
    Sat(z3::Model),
    /// There is none.
    Unsat,
}

/// What Z3 gets before CaDiCaL is asked: what takes it less, CaDiCaL's clauses are not built for.
pub(crate) const FIRST: u64 = TICKS_PER_SECOND / 16;

/// The rule: about how many gates a simplified query may become for CaDiCaL to be asked at once. It is asked about larger
/// ones where there is nothing else to do, and Z3 gets a part of the ticks first.
///
/// Of 1200 programs of other verifiers' tests, 51 queries about paths took Z3 more than 0.1 s (November 2026).
/// Seconds of those that both decide, in all, with Z3 and with CaDiCaL: of bit-vectors alone, 2.8 and 1.4 for the
/// 10 of up to this size, but 4.7 and 14.1 for 6 larger ones, and 3 more that only Z3 decides; with memory, 1.1
/// and 0.6 for 5; with floats, 11.0 and 6.2 for 14, and one that only CaDiCaL decides. The last questions about whole
/// unrollings are larger still, and CaDiCaL decides those in half to a tenth of the time.
fn few_gates(sorts: Sorts) -> u64 {
    match sorts {
        Sorts::BitVectors => 32_000,
        Sorts::Memory | Sorts::Any => 500_000,
    }
}

/// How many gates there may be at all.
const MOST_GATES: u64 = 3_000_000;

/// How many literals clauses may have, each of which takes some 30 bytes.
const MOST_LITERALS: u64 = 16_000_000;

/// A query that was made simpler, for a SAT solver.
pub(crate) struct Query<'l> {
    simple: Simple,
    is_large: bool,
    limits: &'l QueryLimits,
}

impl Query<'_> {
    /// Formulas; `None` if so many ticks do not suffice, the run is over, or it is no query for CaDiCaL: too large, or
    /// not of bit-vectors alone.
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

    /// Is it one that Z3 decides sooner, more often than not?
    pub(crate) fn is_large(&self) -> bool {
        self.is_large
    }

    /// Decides with so many ticks whether the formulas have a model; `None` if these do not suffice.
    pub(crate) fn decide(&self, ticks: u64) -> Option<Decided> {
        let formulas = self.simple.blast(&bounds(ticks, self.limits));
        let prepared = used_by_tactics();
        self.limits.charge(prepared);
        let left = ticks.saturating_sub(prepared);
        let solver = Cadical::new(self.limits.must_end());
        let mut gates = Gates::new(solver, MOST_LITERALS.min(left / LITERAL_TICKS));
        let added = formulas?.iter().try_for_each(|formula| gates.assert(formula));
        let found = added.map(|()| gates.question(left));
        self.limits.charge(gates.used());
        match found {
            Ok(Found::Sat) => self.simple.model(|bit| gates.holds(bit)).map(Decided::Sat),
            Ok(Found::Unsat) => Some(Decided::Unsat),
            Ok(Found::GaveUp) | Err(gates::Refused) => None,
        }
    }
}

/// What tactics may use.
fn bounds(ticks: u64, limits: &QueryLimits) -> Bounds {
    Bounds { steps: ticks.min(u32::MAX.into()) as u32, time: limits.time_left() }
}
