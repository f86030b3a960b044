//! Executions of a program that was proved, on a few inputs: does one of them get to an operation that has no
//! result? A path to it need not be the first that the proof knows; loops with fixed bounds hide it.

use crate::paths::counterexample::guesses;
use beeline_interp::oracle::{Given, Random};
use beeline_interp::{Limits, Machine, Oracle, Outcome, Run, StuckReason};
use beeline_ir::{EdgeId, Program};
use rustc_hash::FxHashSet;

/// Edges that all executions together may take.
const STEPS: u64 = 400_000;
/// Executions on random inputs; one more is on zeros.
const RANDOM: u64 = 16;

/// An operation without a result to which an execution gets, and why it has none, if one is found that is `open`.
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

/// The edges that the executions take, and that have a result then.
pub(crate) fn taken(program: &Program) -> FxHashSet<EdgeId> {
    let mut taken = FxHashSet::default();
    executions(program, |run| {
        let stuck = usize::from(matches!(run.outcome, Outcome::Stuck(..)));
        taken.extend(&run.trace[..run.trace.len().saturating_sub(stuck)]);
        None::<()>
    });
    taken
}

/// Looks at executions until something is found.
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
