//! What a run is given and what comes out of it.

use crate::eval::StuckReason;
use beeline_ir::{EdgeId, InputId, LocId, RegionId, Value, VarId};

/// What a value that the program does not determine is for.
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

/// How far to run, and what to keep of the run.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Edges.
    pub steps: u64,
    /// Calls that are active at a time.
    pub depth: usize,
    /// Bytes, about, that memory and the variables of active calls take.
    pub memory: usize,
    /// Keep the edges that were taken?
    pub trace: bool,
    /// Keep what the oracle answered?
    pub record: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 100_000_000, depth: 100_000, memory: 1 << 30, trace: false, record: false }
    }
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The entry function returned.
    Returned(Option<Value>),
    /// A target was reached: its index.
    Target(usize),
    /// No edge is enabled.
    Blocked(LocId),
    /// An edge has no result.
    Stuck(StuckReason, EdgeId),
    /// The limit on steps.
    OutOfSteps,
    /// The limit on active calls.
    TooDeep,
    /// The limit on memory.
    OutOfMemory,
}

/// A run: how it ended, and what was asked to be kept of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// How many edges were taken, a stuck one at the end included.
    pub steps: u64,
    /// The edges, if they were kept.
    pub trace: Vec<EdgeId>,
    /// The values that the oracle gave, if they were kept.
    pub values: Vec<(Source, Value)>,
    /// Which of several enabled edges the oracle chose each time, if that was kept.
    pub choices: Vec<usize>,
}
