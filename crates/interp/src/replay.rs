//! Following a given path: does a counterexample really lead to its target?

use crate::execution::Execution;
use crate::machine::Machine;
use crate::oracle::Oracle;
use crate::run::{Limits, Outcome, Run};
use beeline_ir::{EdgeId, Program};

/// How a replay ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Replay {
    /// The whole path was followed, and ends at this target.
    Target(usize),
    /// The edge at this index of the path is not enabled, does not leave where the execution is, or
    /// has no result; or the path ends elsewhere.
    Diverged {
        /// How many edges were followed.
        followed: usize,
        /// How the run ended there: blocked, unless it ended in a way that a path has no say in.
        outcome: Outcome,
    },
}

/// Follows a path: the edges of all functions in the order they are taken, with the values that an
/// oracle gives. The path replaces the oracle's choices among edges.
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

/// An execution that takes the edges of a path, to be run step by step.
pub fn follow<'m>(
    machine: &'m Machine<'m>,
    path: &'m [EdgeId],
    oracle: &'m mut dyn Oracle,
    limits: &Limits,
) -> Execution<'m> {
    Execution::new(machine, oracle, limits, Some(path))
}
