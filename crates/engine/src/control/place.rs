//! Places: a location with the calls that are open; and the steps between places.

use beeline_ir::{Callee, EdgeId, FuncId, LocId, Op, Program, VarId};
use cranelift_entity::entity_impl;
use smallvec::SmallVec;

/// A call stack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StackId(u32);
entity_impl!(StackId, "stack");

/// A location with its call stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The location.
    pub loc: LocId,
    /// The open calls, with the function of the location on top.
    pub stack: StackId,
}

/// A variable of one activation on a stack.
///
/// Recursion makes several activations of one function. They are counted from 0, the outermost. A global has
/// the level 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot {
    /// The variable.
    pub var: VarId,
    /// The activation of its function.
    pub level: u32,
}

/// The topmost call of a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    /// The stack below it and the call; `None` for the function where the program starts.
    pub caller: Option<(StackId, EdgeId)>,
    /// The called function.
    pub callee: FuncId,
    /// How many calls are below it.
    pub depth: u32,
    /// How many activations of the same function are below it.
    pub level: u32,
}

/// One step of an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// Along an edge that is not a call.
    Edge(EdgeId),
    /// Into a function that an edge calls.
    Call(EdgeId, FuncId),
    /// Back from a function that an edge calls, to where that edge leads.
    Return(EdgeId),
    /// Out of a popped call to where its edge leads, whatever the function does from here on. Executions do
    /// not take this step: it stands for all that they may do inside of the call.
    Pop(EdgeId),
}

impl Step {
    /// The edge that an execution takes with the step. A return or a pop takes none: it ends the call whose
    /// edge was taken.
    pub fn edge_taken(self) -> Option<EdgeId> {
        match self {
            Step::Edge(edge) | Step::Call(edge, _) => Some(edge),
            Step::Return(_) | Step::Pop(_) => None,
        }
    }

    /// The edge that the step belongs to. For a return or a pop it is that of the call.
    pub fn edge(self) -> EdgeId {
        let (Step::Edge(edge) | Step::Call(edge, _) | Step::Return(edge) | Step::Pop(edge)) = self;
        edge
    }
}

/// The steps out of a place.
pub type Steps = SmallVec<[(Step, Place); 2]>;

/// The condition of a step along an assumption.
pub fn condition(program: &Program, step: Step) -> Option<beeline_ir::ExprId> {
    match step {
        Step::Edge(edge) => match program.edges[edge].op {
            Op::Assume(cond, _) => Some(cond),
            _ => None,
        },
        Step::Call(..) | Step::Return(_) | Step::Pop(_) => None,
    }
}

/// For a call through a pointer: the pointer, and the address that it has to hold for this function to be
/// called.
pub fn pointer_called(
    program: &Program,
    edge: EdgeId,
    callee: FuncId,
) -> Option<(beeline_ir::ExprId, Option<u64>)> {
    match &program.edges[edge].op.as_call()?.callee {
        Callee::Direct(_) => None,
        Callee::Indirect { target, .. } => Some((*target, program.functions[callee].addr)),
    }
}
