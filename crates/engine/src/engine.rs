//! The interface of engines: from a task to an outcome. Engines are steps of a plan and hand on what they
//! learn.

use crate::control::conditional::Earlier;
use crate::monitor::Monitor;
use crate::outcome::verdict::{Graph, Statistics, Verdict};
use crate::search::distance::Distances;
use crate::state::precision::Knowledge;
use beeline_ir::{LocId, Program};
use beeline_run::RunRest;
use beeline_smt::in_own_context;
use std::collections::BTreeSet;

/// A search for an execution that reaches a target.
pub trait Engine: Sync {
    /// Searches until it has an answer or its budget is used up.
    ///
    /// The monitor shows the progress of the search and can interrupt it. An interrupted search ends with an
    /// unknown verdict.
    fn run(&self, task: Task<'_, '_>, monitor: &Monitor) -> Outcome;

    /// Searches as `run` does, in a context of its own: the terms of earlier searches do not slow down the
    /// solver.
    fn run_after_others(&self, task: Task<'_, '_>, monitor: &Monitor) -> Outcome {
        in_own_context(|| self.run(task, monitor))
    }
}

/// What is to be verified.
#[derive(Debug)]
pub struct Task<'t, 'p> {
    /// The program.
    pub program: &'t Program,
    /// The distances of its places from the targets.
    pub distances: &'t mut Distances<'p>,
    /// What is already known and may help.
    pub known: Knowledge,
    /// The targets to decide.
    pub targets: BTreeSet<LocId>,
    /// Residual conditions of earlier searches, each relative to those before it. An engine may ignore them.
    pub earlier: Vec<Earlier>,
}

impl<'t, 'p> Task<'t, 'p> {
    /// The task to decide all targets of a program.
    pub fn new(program: &'t Program, distances: &'t mut Distances<'p>, known: Knowledge) -> Task<'t, 'p> {
        let targets = program.targets.iter().map(|target| target.loc).collect();
        Task { program, distances, known, targets, earlier: Vec::new() }
    }
}

/// What is open: the executions that may reach a target as far as is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// All executions, or all that the earlier residual conditions leave open.
    Everything,
    /// The executions that reach an open state of this residual condition.
    Rest(Box<RunRest>),
    /// No executions.
    Nothing,
}

/// The result of a search.
#[derive(Debug)]
pub struct Outcome {
    /// The verdict of each target.
    pub verdict: Verdict,
    /// What the run did.
    pub statistics: Statistics,
    /// What is still open.
    pub condition: Condition,
    /// What it learned.
    pub known: Knowledge,
    /// The explored graph, if it is to be kept; `None` with a proof, which contains all of it.
    pub graph: Option<Box<Graph>>,
}
