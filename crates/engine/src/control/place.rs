//! Where an execution is: a location and the calls that led there; and the steps between such places.

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
    /// The calls that are open, with the function of the location on top.
    pub stack: StackId,
}

/// A variable of one of the activations on a stack.
///
/// Recursion makes several activations of one function; they are counted from 0, the outermost. A global
/// has the level 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot {
    /// The variable.
    pub var: VarId,
    /// Which activation of its function.
    pub level: u32,
}

/// The topmost call of a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    /// The stack without it, and the call; `None` for the function where the program starts.
    pub caller: Option<(StackId, EdgeId)>,
    /// The function called.
    pub callee: FuncId,
    /// How many calls are below.
    pub depth: u32,
    /// How many activations of the same function are below.
    pub level: u32,
}

/// One move of an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// Along an edge that is no call.
    Edge(EdgeId),
    /// Into a function called by an edge.
    Call(EdgeId, FuncId),
    /// Back from a function called by an edge, to where that edge leads.
    Return(EdgeId),
    /// Out of a function called by an edge, whatever it does from there on, to where the edge leads. Executions do not
    /// take it: it stands for all that they may do inside.
    Pop(EdgeId),
}

impl Step {
    /// The edge that an execution takes with the step; what leads out of a function only ends the call that took it.
    pub fn edge_taken(self) -> Option<EdgeId> {
        match self {
            Step::Edge(edge) | Step::Call(edge, _) => Some(edge),
            Step::Return(_) | Step::Pop(_) => None,
        }
    }

    /// The edge that the step belongs to, that of the call for what leads out of a function.
    pub fn edge(self) -> EdgeId {
        let (Step::Edge(edge) | Step::Call(edge, _) | Step::Return(edge) | Step::Pop(edge)) = self;
        edge
    }
}

/// The steps out of a place.
pub type Steps = SmallVec<[(Step, Place); 2]>;

/// The condition of a step, if it has one: that of an assumption.
pub fn condition(program: &Program, step: Step) -> Option<beeline_ir::ExprId> {
    match step {
        Step::Edge(edge) => match program.edges[edge].op {
            Op::Assume(cond, _) => Some(cond),
            _ => None,
        },
        Step::Call(..) | Step::Return(_) | Step::Pop(_) => None,
    }
}

/// For a call through a pointer: the pointer, and the address it has if it calls the function.
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
