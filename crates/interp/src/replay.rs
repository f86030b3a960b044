//! Replay of a path: whether a counterexample leads to its target.

use crate::execution::Execution;
use crate::machine::Machine;
use crate::oracle::Oracle;
use crate::run::{Limits, Outcome, Run};
use beeline_ir::{EdgeId, Program};

/// The end of a replay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Replay {
    /// The whole path was followed, and it ends at this target.
    Target(usize),
    /// The edge at this index of the path is not enabled, starts elsewhere, or has no result; or the path
    /// does not end at a target.
    Diverged {
        /// The number of edges that were followed.
        followed: usize,
        /// The outcome there: blocked, unless the run ended in a way that does not depend on the path.
        outcome: Outcome,
    },
}

/// Follows a path: the edges of all functions in the order in which they are taken, with values from an
/// oracle. The path replaces the oracle's choices among edges.
pub fn replay(program: &Program, path: &[EdgeId], oracle: &mut dyn Oracle, limits: &Limits) -> (Replay, Run) {
    let machine = Machine::new(program);
    let run = Execution::new(&machine, oracle, limits, Some(path)).run();
    let stuck = usize::from(matches!(run.outcome, Outcome::Stuck(..)));
    let followed = run.steps as usize - stuck;
    let result = match run.outcome {
        Outcome::Target(target) if followed == path.len() => Replay::Target(target),
        ref outcome => Replay::Diverged { followed, outcome: outcome.clone() },
    };
    (result, run)
}

/// An execution that takes the edges of a path, for running step by step.
pub fn follow<'m, 'o>(
    machine: &'m Machine<'m>,
    path: &'m [EdgeId],
    oracle: &'o mut dyn Oracle,
    limits: &Limits,
) -> Execution<'m, 'o> {
    Execution::new(machine, oracle, limits, Some(path))
}
