//! Places of an execution, and the steps between them.

use beeline_ir::{EdgeId, FuncId, LocId, VarId};

/// A call stack, as an index into the stacks that were met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Stack(pub(crate) u32);

/// A location with the calls that are open, the function of the location on top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Place {
    /// The location.
    pub loc: LocId,
    /// The open calls.
    pub stack: Stack,
}

/// A variable of an activation. Activations of one function on a stack are counted from 0, the outermost;
/// a global has 0. What a parameter or a global held where a context was entered has [`AT_ENTRY`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Slot {
    /// The variable.
    pub var: VarId,
    /// Which activation of its function.
    pub level: u32,
}

/// One move of an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    /// Along an edge that is not a call.
    Edge(EdgeId),
    /// Into a function called by an edge.
    Call(EdgeId, FuncId),
    /// Back from a function called by an edge, to where that edge leads.
    Return(EdgeId),
    /// Past a call that is popped, to where the edge leads.
    Pop(EdgeId),
}

impl Step {
    /// The edge.
    pub(crate) fn edge(self) -> EdgeId {
        match self {
            Step::Edge(edge) | Step::Call(edge, _) | Step::Return(edge) | Step::Pop(edge) => edge,
        }
    }
}
