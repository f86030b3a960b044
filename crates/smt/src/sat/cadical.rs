//! CaDiCaL with a limit on its work.

use rustsat::solvers::{ControlSignal, Solve, SolverResult, Terminate};
use rustsat::types::{Lit, TernaryVal};
use rustsat_cadical::{CaDiCaL, Statistic};
use std::cell::Cell;
use std::rc::Rc;

/// A literal: a variable, negative where negated. Variables count from 1.
pub(super) type Literal = i32;

/// The answer to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// There is an assignment.
    Sat,
    /// There is none.
    Unsat,
    /// The work that was allowed did not suffice, or the run is over.
    GaveUp,
}

/// A set of clauses.
pub(super) struct Cadical {
    solver: CaDiCaL<'static, 'static>,
    /// How often CaDiCaL may still ask whether it has to stop. It asks after so many steps, whatever time they
    /// take.
    patience: Rc<Cell<u64>>,
    /// The run is over.
    over: Rc<Cell<bool>>,
    literals: u64,
}

/// How often it may ask in the first round, and at least and at most how many times as often in the next one.
const FIRST_ROUND: u64 = 500;
const NEXT_ROUND: (u64, u64) = (2, 16);
/// CaDiCaL's own ticks, one for each cache line that its search looks at, in one of ours. With what it does beside
/// the search, a second then takes 1.4 to 4.1 million of ours, the most where a query is small.
const SEARCH_TICKS: u64 = 8;
/// Our ticks for a literal of a clause: those of 600,000 take 0.4 s to make and to read in.
pub(super) const LITERAL_TICKS: u64 = 2;

impl Cadical {
    /// No clauses yet; ends its work early when the run must end.
    pub(super) fn new(must_end: impl Fn() -> bool + 'static) -> Cadical {
        let mut solver = CaDiCaL::default();
        // It checks each step of its proof against the clauses itself.
        #[cfg(test)]
        assert!(solver.set_option("check", 1).is_ok(), "CaDiCaL can check itself");
        let patience = Rc::new(Cell::new(0_u64));
        let over = Rc::new(Cell::new(false));
        let (left, ended) = (Rc::clone(&patience), Rc::clone(&over));
        solver.attach_terminator(move || {
            left.set(left.get().saturating_sub(1));
            ended.set(ended.get() || must_end());
            if left.get() == 0 || ended.get() { ControlSignal::Terminate } else { ControlSignal::Continue }
        });
        Cadical { solver, patience, over, literals: 0 }
    }

    /// A new variable.
    pub(super) fn fresh(&mut self) -> Literal {
        // CaDiCaL makes variables of its own, too.
        self.solver.declare_one_more_variable().to_ipasir()
    }

    /// How many literals all clauses have together.
    pub(super) fn literals(&self) -> u64 {
        self.literals
    }

    /// Adds a clause; false if there is no memory for it.
    pub(super) fn add(&mut self, clause: &[Literal]) -> bool {
        self.literals += clause.len() as u64;
        let clause: Result<Vec<Lit>, _> = clause.iter().map(|&literal| Lit::from_ipasir(literal)).collect();
        clause.is_ok_and(|clause| self.solver.add_clause_ref(&clause[..]).is_ok())
    }

    /// What was used so far, in ticks.
    pub(super) fn used(&self) -> u64 {
        self.solver.get_statistic(Statistic::Ticks) / SEARCH_TICKS + self.literals * LITERAL_TICKS
    }

    /// Is there an assignment that satisfies all clauses? Ends a little after so many ticks were used in all.
    ///
    /// The bindings cannot limit CaDiCaL's ticks. It is interrupted again and again instead, and goes on with all
    /// that it has learned if there are ticks left: seldom, as it begins with much of its work anew.
    pub(super) fn solve(&mut self, until: u64) -> Found {
        let mut round = FIRST_ROUND;
        loop {
            let before = self.used();
            if before >= until || self.over.get() {
                return Found::GaveUp;
            }
            self.patience.set(round);
            match self.solver.solve() {
                Ok(SolverResult::Sat) => return Found::Sat,
                Ok(SolverResult::Unsat) => return Found::Unsat,
                Ok(SolverResult::Interrupted) => round = self.next_round(round, before, until),
                Err(_) => return Found::GaveUp,
            }
        }
    }

    /// After a round that began at some tick, one that takes half of what is left if it takes as much for a step.
    fn next_round(&self, round: u64, before: u64, until: u64) -> u64 {
        let (used, left) = (self.used() - before, until.saturating_sub(self.used()));
        let (least, most) = NEXT_ROUND;
        (left / 2 / used.max(1)).clamp(least, most) * round
    }

    /// Does a literal hold in the assignment that was just found? What that leaves open does not.
    pub(super) fn holds(&self, literal: Literal) -> bool {
        let value = Lit::from_ipasir(literal).ok().and_then(|literal| self.solver.lit_val(literal).ok());
        value == Some(TernaryVal::True)
    }
}
