//! Kissat with a limit on its work: it decides a large question once, and sooner than what can be asked on.

use super::clauses::{Clauses, Found};
use rustsat::solvers::{Interrupt, InterruptSolver, Solve, SolverResult};
use rustsat_kissat::{Config, Kissat, Limit};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// For a conflict, one of our ticks for so many literals of clauses, as what Kissat does cannot be counted in another way. A
/// conflict takes 65 µs where there are 260,000 literals, 0.3 ms where there are 780,000, and 1.3 ms where there are 3.5
/// million: four times what these ticks say, as a question that is given up is lost with all that was learned.
const LITERALS_PER_TICK: u64 = 4000;
/// The stack of its thread: as much as a program's first one has.
const STACK: usize = 8 << 20;
/// How often it is asked whether the run must end.
const WATCH: Duration = Duration::from_millis(10);

/// Is there an assignment that satisfies all clauses? Ends after as many conflicts as so many ticks allow, or when
/// the run must end.
///
/// Kissat does not ask whether it has to stop, and is told from outside while it works. How many conflicts an answer
/// took, it does not say either: the ticks that come back are those of all that were allowed if they did not suffice, and
/// none otherwise.
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

/// Lets it work on a thread of its own until there is an answer or the run must end.
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
                // The thread has the solver until it has sent its answer, and what it is told late is not heard.
                Err(RecvTimeoutError::Timeout) if must_end() => interrupter.interrupt(),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    })
}
