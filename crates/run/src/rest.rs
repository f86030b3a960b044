//! Rests: what a search showed that has no answer, and what is open still.
//!
//! A [`RunRest`] is a graph of abstract states like that of a proof, but some of its states are *open*: nothing is claimed
//! of what happens behind them. It claims that every execution which gets to one of its targets is in an open state
//! before. So another search need not look at executions that are not on their way to an open state.
//!
//! Which executions these are is told step by step: a [`RunLabel`] names the states one of which an execution was in last,
//! of those that lead to open ones. Where none is left, the execution reaches no target of the rest; where one is open, all
//! may happen. What is found by a search that leaves such executions out holds [`RunAfter`] the rest. `ir-spec/conditions.md`
//! says how labels change, and why this is right.

use crate::proof::RunProof;
use crate::reason::Reason;
pub use crate::resting::{Broken, Filed, RestId, chain, found, left, named};
use beeline_ir::file::Digest;
use beeline_ir::{EdgeId, LocId};

/// What a rest says of an execution that got to a place.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RunLabel {
    /// It may have been in an open state.
    Open,
    /// It was in one of these states last, in order; with none it gets to no target.
    Within(Vec<u32>),
}
beeline_ir::wire_enum!(RunLabel { 0 => Open, 1 => Within(states) });

/// What a graph rests on: rests of earlier searches, each of which may be after another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunAfter {
    /// The file that has the last of these rests, by the digest of its body; this one if there is none.
    pub run: Option<Digest>,
    /// That rest, by index.
    pub rest: u32,
    /// What the rests say of executions, the first rest first: each combination once.
    pub labels: Vec<Vec<RunLabel>>,
    /// For each state of the graph the combination that it is about, by index.
    pub of_states: Vec<u32>,
}
beeline_ir::wire_struct!(RunAfter { run, rest, labels, of_states });

/// A state of which nothing more is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunOpen {
    /// The state, by index.
    pub state: u32,
    /// Why.
    pub reason: Reason,
}
beeline_ir::wire_struct!(RunOpen { state, reason });

/// What a search without an answer leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunRest {
    /// The targets that it is about.
    pub targets: Vec<LocId>,
    /// The states.
    pub graph: RunProof,
    /// Those that are open, in the order of states.
    pub open: Vec<RunOpen>,
    /// The edges that may have no result in a state: of what a machine does then, nothing is shown.
    pub undefined: Vec<EdgeId>,
    /// What it rests on.
    pub after: Option<RunAfter>,
}
beeline_ir::wire_struct!(RunRest { targets, graph, open, undefined, after });

/// A proof that rests on what earlier searches showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunResting {
    /// The proof, by index.
    pub proof: u32,
    /// What it rests on.
    pub after: RunAfter,
}
beeline_ir::wire_struct!(RunResting { proof, after });

impl RunRest {
    /// Is the state open?
    pub fn is_open(&self, state: usize) -> bool {
        self.open.binary_search_by_key(&state, |open| open.state as usize).is_ok()
    }
}
