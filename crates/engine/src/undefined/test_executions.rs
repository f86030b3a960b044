//! Test executions: runs of the interpreter with a few chosen inputs, which look for undefined operations.
//!
//! The first path of a proof to such an operation may be infeasible: loops with fixed bounds hide the
//! feasible ones.

use crate::paths::counterexample::guesses;
use beeline_interp::oracle::{Given, Random};
use beeline_interp::{Limits, Machine, Oracle, Outcome, Run, StuckReason};
use beeline_ir::{EdgeId, Program};
use rustc_hash::FxHashSet;

/// The greatest number of edges in all test executions together.
const STEPS: u64 = 400_000;
/// The number of executions with random inputs, besides one with zeros.
const RANDOM: u64 = 16;

/// An undefined operation for which `open` holds that a test execution reaches, with the reason.
pub(crate) fn stuck_at(
    program: &Program,
    open: &dyn Fn(EdgeId, StuckReason) -> bool,
) -> Option<(EdgeId, StuckReason)> {
    let guesses = guesses(program);
    executions(program, |run| match run.outcome {
        Outcome::Stuck(reason, edge)
            if !run.trace.iter().any(|edge| guesses.contains_key(edge)) && open(edge, reason) =>
        {
            Some((edge, reason))
        }
        _ => None,
    })
}

/// The edges that test executions take with a defined result.
pub(crate) fn taken(program: &Program) -> FxHashSet<EdgeId> {
    let mut taken = FxHashSet::default();
    executions(program, |run| {
        let stuck = usize::from(matches!(run.outcome, Outcome::Stuck(..)));
        taken.extend(&run.trace[..run.trace.len().saturating_sub(stuck)]);
        None::<()>
    });
    taken
}

/// Runs test executions until `look` finds something.
fn executions<T>(program: &Program, mut look: impl FnMut(&Run) -> Option<T>) -> Option<T> {
    let machine = Machine::new(program);
    let mut left = STEPS;
    for seed in 0..=RANDOM {
        let mut oracle: Box<dyn Oracle> = match seed {
            0 => Box::new(Given::default()),
            seed => Box::new(Random::new(seed)),
        };
        let share = (left / (RANDOM + 1 - seed)).max(1);
        let limits = Limits { steps: share, memory: 1 << 26, depth: 10_000, trace: true, record: false };
        let run = machine.run(&mut *oracle, &limits);
        left = left.saturating_sub(run.steps);
        let found = look(&run);
        if found.is_some() {
            return found;
        }
    }
    None
}
