//! What an engine is given and what it leaves: engines are steps of a plan and hand on what they know.

use crate::control::conditional::Earlier;
use crate::monitor::Monitor;
use crate::outcome::verdict::{Graph, Statistics, Verdict};
use crate::search::distance::Distances;
use crate::state::precision::Knowledge;
use beeline_ir::{LocId, Program};
use beeline_run::RunRest;
use beeline_smt::in_own_context;
use std::collections::BTreeSet;

/// A way to find out whether an execution reaches a target.
pub trait Engine: Sync {
    /// Looks for one, until it knows or its budget is used up.
    ///
    /// The monitor shows how far the search is, and interrupts it: it then ends with an unknown verdict.
    fn run(&self, task: Task<'_, '_>, monitor: &Monitor) -> Outcome;

    /// The same after other searches, whose terms are not to make the solver slower.
    fn run_after_others(&self, task: Task<'_, '_>, monitor: &Monitor) -> Outcome {
        in_own_context(|| self.run(task, monitor))
    }
}

/// What is to be verified.
#[derive(Debug)]
pub struct Task<'t, 'p> {
    /// The program.
    pub program: &'t Program,
    /// How far its places are from the targets.
    pub distances: &'t mut Distances<'p>,
    /// What is known already that may help.
    pub known: Knowledge,
    /// The targets that are to be decided.
    pub targets: BTreeSet<LocId>,
    /// What earlier searches left of them, each after those before it. An engine may do without.
    pub earlier: Vec<Earlier>,
}

impl<'t, 'p> Task<'t, 'p> {
    /// That of deciding all targets of a program.
    pub fn new(program: &'t Program, distances: &'t mut Distances<'p>, known: Knowledge) -> Task<'t, 'p> {
        let targets = program.targets.iter().map(|target| target.loc).collect();
        Task { program, distances, known, targets, earlier: Vec::new() }
    }
}

/// What is open: which executions may reach a target as far as is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// All, or all that earlier searches left.
    Everything,
    /// Those that get to an open state of this.
    Rest(Box<RunRest>),
    /// None.
    Nothing,
}

/// What came out.
#[derive(Debug)]
pub struct Outcome {
    /// What was found of each target.
    pub verdict: Verdict,
    /// What the run did.
    pub statistics: Statistics,
    /// What is open still.
    pub condition: Condition,
    /// What it learned.
    pub known: Knowledge,
    /// What it explored, if that is to be kept; `None` with a proof, which is all of it.
    pub graph: Option<Box<Graph>>,
}
