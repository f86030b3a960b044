//! Kissat with a limit on its work: it decides a large query once, and sooner than an incremental solver.

use super::clauses::{Clauses, Found};
use rustsat::solvers::{Interrupt, InterruptSolver, Solve, SolverResult};
use rustsat_kissat::{Config, Kissat, Limit};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// For a conflict, one of our ticks for so many literals of clauses, because Kissat's work cannot be counted
/// otherwise. A conflict takes 65 µs with 260,000 literals, 0.3 ms with 780,000, and 1.3 ms with 3.5 million.
/// That is four times what these ticks say, because a query without an answer is lost with everything that
/// was learned.
const LITERALS_PER_TICK: u64 = 4000;
/// The stack size of its thread, that of a program's main thread.
const STACK: usize = 8 << 20;
/// The interval of checks whether the run has to end.
const WATCH: Duration = Duration::from_millis(10);

/// Searches an assignment that satisfies all clauses. It ends after as many conflicts as the ticks allow, or
/// when the run has to end.
///
/// Kissat does not ask whether to stop; it is interrupted from outside. It does not report the number of
/// conflicts either. So the returned ticks are all that were allowed if they did not suffice, and none
/// otherwise.
pub(super) fn solve(clauses: &Clauses, ticks: u64, must_end: impl Fn() -> bool) -> (Found, u64) {
    let mut solver = Kissat::default();
    if solver.set_configuration(Config::Unsat).is_err() || !clauses.give(&mut solver) {
        return (Found::GaveUp, 0);
    }
    let conflict = (clauses.literals() / LITERALS_PER_TICK).max(1);
    solver.set_limit(Limit::Conflicts(u32::try_from(ticks / conflict).unwrap_or(u32::MAX)));
    let result = solve_unless(&mut solver, must_end);
    let found = result.map_or(Found::GaveUp, |result| clauses.found(result, &solver));
    let used = if matches!(found, Found::GaveUp) { ticks } else { 0 };
    (found, used)
}

/// Runs it on a thread of its own until there is an answer or the run has to end.
fn solve_unless(solver: &mut Kissat<'static>, must_end: impl Fn() -> bool) -> Option<SolverResult> {
    let interrupter = solver.interrupter();
    std::thread::scope(|scope| {
        let (answer, answered) = channel();
        let work = std::thread::Builder::new().stack_size(STACK);
        work.spawn_scoped(scope, move || answer.send(solver.solve())).ok()?;
        loop {
            match answered.recv_timeout(WATCH) {
                Ok(result) => return result.ok(),
                Err(RecvTimeoutError::Disconnected) => return None,
                // The thread owns the solver until it has sent its answer. A late interrupt has no effect.
                Err(RecvTimeoutError::Timeout) if must_end() => interrupter.interrupt(),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    })
}
