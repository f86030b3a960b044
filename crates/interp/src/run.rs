//! The limits and results of a run.

use crate::eval::StuckReason;
use beeline_ir::{EdgeId, InputId, LocId, RegionId, Value, VarId};

/// The purpose of a value that the program does not determine.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Source {
    /// A havoc that names an input.
    Input {
        /// The input.
        input: InputId,
        /// The edge.
        edge: EdgeId,
    },
    /// Another havoc.
    Havoc {
        /// The edge.
        edge: EdgeId,
    },
    /// A variable that is read before it is written.
    Variable(VarId),
    /// A cell that is read before it is written.
    Cell(RegionId, u64),
}

/// The limits of a run, and what to record.
#[derive(Debug, Clone)]
pub struct Limits {
    /// The greatest number of edges.
    pub steps: u64,
    /// The greatest number of active calls.
    pub depth: usize,
    /// The approximate number of bytes for memory and the variables of active calls.
    pub memory: usize,
    /// Whether to record the edges taken.
    pub trace: bool,
    /// Whether to record the oracle's answers.
    pub record: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 100_000_000, depth: 100_000, memory: 1 << 30, trace: false, record: false }
    }
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The entry function returned.
    Returned(Option<Value>),
    /// The target with this index was reached.
    Target(usize),
    /// No edge is enabled.
    Blocked(LocId),
    /// An edge has no result.
    Stuck(StuckReason, EdgeId),
    /// The limit on steps was reached.
    OutOfSteps,
    /// The limit on active calls was reached.
    TooDeep,
    /// The limit on memory was reached.
    OutOfMemory,
}

/// A run: its outcome, and what was recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The outcome.
    pub outcome: Outcome,
    /// The number of edges taken, including a stuck one at the end.
    pub steps: u64,
    /// The edges, if they were recorded.
    pub trace: Vec<EdgeId>,
    /// The values that the oracle gave, if they were recorded.
    pub values: Vec<(Source, Value)>,
    /// The oracle's choices among enabled edges, if they were recorded.
    pub choices: Vec<usize>,
}
