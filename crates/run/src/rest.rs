//! Residual conditions: what a search without an answer showed, and what is still open.
//!
//! A [`RunRest`] is a graph of abstract states like that of a proof, but some of its states are *open*:
//! nothing is claimed of what happens after them. It claims that every execution that reaches one of its
//! targets is in an open state before. So another search can ignore executions that do not lead to an open
//! state.
//!
//! Labels determine these executions step by step: of the states that lead to open ones, a [`RunLabel`] names
//! those one of which an execution was in last. If there is none, the execution reaches no target of the
//! residual condition. If one is open, anything may happen. What a search that ignores such executions shows
//! holds [`RunAfter`] the residual condition. `ir-spec/conditions.md` says how labels change, and why this is
//! right.

use crate::proof::RunProof;
use crate::reason::Reason;
pub use crate::resting::{Broken, Filed, RestId, chain, found, left, named};
use beeline_ir::file::Digest;
use beeline_ir::{EdgeId, LocId};

/// What a residual condition says of an execution that reached a place.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RunLabel {
    /// It may have been in an open state.
    Open,
    /// It was in one of these states last, in order; without any it reaches no target.
    Within(Vec<u32>),
}
beeline_ir::wire_enum!(RunLabel { 0 => Open, 1 => Within(states) });

/// The residual conditions that a graph relies on, each of which may rely on another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunAfter {
    /// The file with the last of these residual conditions, by the digest of its body; `None` for the same
    /// file.
    pub run: Option<Digest>,
    /// That residual condition, by index.
    pub rest: u32,
    /// The labels of executions under the residual conditions, in their order; each combination once.
    pub labels: Vec<Vec<RunLabel>>,
    /// For each state of the graph, the combination that it is about, by index.
    pub of_states: Vec<u32>,
}
beeline_ir::wire_struct!(RunAfter { run, rest, labels, of_states });

/// An open state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunOpen {
    /// The state, by index.
    pub state: u32,
    /// The reason why it is open.
    pub reason: Reason,
}
beeline_ir::wire_struct!(RunOpen { state, reason });

/// The residual condition of a search without an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunRest {
    /// The targets that it is about.
    pub targets: Vec<LocId>,
    /// The states.
    pub graph: RunProof,
    /// The open states, in the order of states.
    pub open: Vec<RunOpen>,
    /// The edges that may have no result in a state: nothing is shown of what a machine does then.
    pub undefined: Vec<EdgeId>,
    /// The residual conditions that it relies on.
    pub after: Option<RunAfter>,
}
beeline_ir::wire_struct!(RunRest { targets, graph, open, undefined, after });

/// A proof that relies on residual conditions of earlier searches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunResting {
    /// The proof, by index.
    pub proof: u32,
    /// The residual conditions that it relies on.
    pub after: RunAfter,
}
beeline_ir::wire_struct!(RunResting { proof, after });

impl RunRest {
    /// Whether the state is open.
    pub fn is_open(&self, state: usize) -> bool {
        self.open.binary_search_by_key(&state, |open| open.state as usize).is_ok()
    }
}
