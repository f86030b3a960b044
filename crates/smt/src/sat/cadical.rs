//! CaDiCaL with a limit on its work.

use super::clauses::{Clauses, Found, Literal};
use rustsat::solvers::{ControlSignal, Solve, SolveIncremental, SolverResult, Terminate};
use rustsat::types::{Lit, TernaryVal};
use rustsat_cadical::{CaDiCaL, Statistic};
use std::cell::Cell;
use std::rc::Rc;

/// How often CaDiCaL may ask in the first round whether to stop; and the least and greatest factor for the
/// next round. It asks after a number of steps that does not depend on time.
const FIRST_ROUND: u64 = 500;
const NEXT_ROUND: (u64, u64) = (2, 16);
/// CaDiCaL's own ticks, one for each cache line that its search accesses, in one of ours. Together with its
/// work besides the search, a second then takes 1.4 to 4.1 million of ours, the most where a query is small.
const SEARCH_TICKS: u64 = 8;

/// CaDiCaL with the clauses that it has so far. The bindings cannot limit its ticks. So it is interrupted
/// repeatedly, and continues with everything it has learned if ticks remain. That happens rarely, because it
/// then repeats much of its work.
pub(super) struct Cadical {
    solver: CaDiCaL<'static, 'static>,
    /// How often it may ask whether to stop, before it has to.
    patience: Rc<Cell<u64>>,
}

impl std::fmt::Debug for Cadical {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cadical").finish_non_exhaustive()
    }
}

impl Cadical {
    /// One without clauses.
    pub(super) fn new() -> Cadical {
        let mut solver = CaDiCaL::default();
        // It would try some simple assignments before each search, which costs more than easy searches do.
        solver.set_option("lucky", 0).expect("CaDiCaL has this option");
        // Numbers are small where they can be: who reads a counterexample likes that, and so do native runs.
        solver.set_option("phase", 0).expect("CaDiCaL has this option");
        let cadical = Cadical { solver, patience: Rc::default() };
        #[cfg(test)]
        let cadical = cadical.checking();
        cadical
    }

    /// The same, which checks each step of its proof against the clauses.
    #[cfg(test)]
    fn checking(mut self) -> Cadical {
        assert!(self.solver.set_option("check", 1).is_ok(), "CaDiCaL can check itself");
        self
    }

    /// Adds clauses. Returns false if it cannot take them.
    pub(super) fn add(&mut self, clauses: &Clauses) -> bool {
        clauses.give(&mut self.solver)
    }

    /// Searches an assignment that satisfies all clauses and some literals. It ends a little after so many
    /// ticks, or when the run has to end. Returns the used ticks as well.
    pub(super) fn solve(
        &mut self,
        literals: &[Literal],
        ticks: u64,
        must_end: impl Fn() -> bool + 'static,
    ) -> (SolverResult, u64) {
        let over = Rc::new(Cell::new(false));
        let (left, ended) = (Rc::clone(&self.patience), Rc::clone(&over));
        self.solver.attach_terminator(move || {
            left.set(left.get().saturating_sub(1));
            ended.set(ended.get() || must_end());
            if left.get() == 0 || ended.get() { ControlSignal::Terminate } else { ControlSignal::Continue }
        });
        let Ok(assumed) =
            literals.iter().map(|&literal| Lit::from_ipasir(literal)).collect::<Result<Vec<_>, _>>()
        else {
            return (SolverResult::Interrupted, 0);
        };
        let start = self.used();
        let mut round = FIRST_ROUND;
        loop {
            let before = self.used() - start;
            if before >= ticks || over.get() {
                return (SolverResult::Interrupted, before);
            }
            self.patience.set(round);
            let result = self.solver.solve_assumps(&assumed);
            let used = self.used() - start;
            match result {
                Ok(SolverResult::Interrupted) => {}
                Ok(result) => return (result, used),
                Err(_) => return (SolverResult::Interrupted, used),
            }
            round = next_round(round, used - before, ticks.saturating_sub(used));
        }
    }

    /// The result for clauses that it has.
    pub(super) fn found(&self, result: SolverResult, clauses: &Clauses) -> Found {
        clauses.found(result, &self.solver)
    }

    /// Whether a literal holds in the assignment that was found last. Literals that it leaves open do not.
    pub(super) fn holds(&self, literal: Literal) -> bool {
        let value = Lit::from_ipasir(literal).ok().and_then(|literal| self.solver.lit_val(literal).ok());
        value == Some(TernaryVal::True)
    }

    /// Our ticks for its work so far.
    fn used(&self) -> u64 {
        self.solver.get_statistic(Statistic::Ticks) / SEARCH_TICKS
    }
}

/// Searches an assignment that satisfies all clauses, within so many ticks. Returns the used ticks as well.
pub(super) fn solve(clauses: &Clauses, ticks: u64, must_end: impl Fn() -> bool + 'static) -> (Found, u64) {
    let mut solver = Cadical::new();
    if !solver.add(clauses) {
        return (Found::GaveUp, 0);
    }
    let (result, used) = solver.solve(&[], ticks, must_end);
    (solver.found(result, clauses), used)
}

/// The length of the next round, after one that took so many ticks: it takes half of the remaining ticks if a
/// step costs the same.
fn next_round(round: u64, used: u64, left: u64) -> u64 {
    let (least, most) = NEXT_ROUND;
    (left / 2 / used.max(1)).clamp(least, most) * round
}
