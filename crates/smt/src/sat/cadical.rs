//! CaDiCaL with a limit on its work.

use super::clauses::{Clauses, Found};
use rustsat::solvers::{ControlSignal, Solve, SolverResult, Terminate};
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

/// Searches an assignment that satisfies all clauses. It ends a little after so many ticks, or when the run
/// has to end. Returns the used ticks as well.
///
/// The bindings cannot limit CaDiCaL's ticks. So it is interrupted repeatedly, and continues with everything
/// it has learned if ticks remain. That happens rarely, because it then repeats much of its work.
pub(super) fn solve(clauses: &Clauses, ticks: u64, must_end: impl Fn() -> bool + 'static) -> (Found, u64) {
    let mut solver = CaDiCaL::default();
    // It checks each step of its proof against the clauses.
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
    if !clauses.give(&mut solver) {
        return (Found::GaveUp, 0);
    }
    let used = |solver: &CaDiCaL| solver.get_statistic(Statistic::Ticks) / SEARCH_TICKS;
    let mut round = FIRST_ROUND;
    loop {
        let before = used(&solver);
        if before >= ticks || over.get() {
            return (Found::GaveUp, before);
        }
        patience.set(round);
        let found = match solver.solve() {
            Ok(SolverResult::Interrupted) => {
                round = next_round(round, used(&solver) - before, ticks.saturating_sub(used(&solver)));
                continue;
            }
            Ok(result) => clauses.found(result, &solver),
            Err(_) => Found::GaveUp,
        };
        return (found, used(&solver));
    }
}

/// The length of the next round, after one that took so many ticks: it takes half of the remaining ticks if a
/// step costs the same.
fn next_round(round: u64, used: u64, left: u64) -> u64 {
    let (least, most) = NEXT_ROUND;
    (left / 2 / used.max(1)).clamp(least, most) * round
}
