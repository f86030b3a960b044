//! Where an execution is: a location and the calls that led there.

use beeline_ir::{Callee, EdgeId, FuncId, LocId, Op, Program, VarId};
use cranelift_entity::{EntityRef, PrimaryMap, entity_impl};
use rustc_hash::FxHashMap;
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
#[derive(Debug, Clone)]
pub struct Frame {
    /// The stack without it, and the call; nothing for the function where the program starts.
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
}

/// The steps out of a place.
pub type Steps = SmallVec<[(Step, Place); 2]>;

/// All call stacks met so far, each stored once.
#[derive(Debug)]
pub struct Stacks {
    frames: PrimaryMap<StackId, Frame>,
    ids: FxHashMap<(StackId, EdgeId, FuncId), StackId>,
}

impl Stacks {
    /// The stack of the function where a program starts.
    pub fn new(program: &Program) -> Stacks {
        let mut frames = PrimaryMap::new();
        frames.push(Frame { caller: None, callee: program.entry, depth: 0, level: 0 });
        Stacks { frames, ids: FxHashMap::default() }
    }

    /// Where a program starts.
    pub fn start(&self, program: &Program) -> Place {
        Place { loc: program.functions[program.entry].entry(), stack: StackId::new(0) }
    }

    /// The topmost call.
    pub fn top(&self, stack: StackId) -> &Frame {
        &self.frames[stack]
    }

    /// The topmost calls of all stacks, in the order of their ids.
    pub fn frames(&self) -> Vec<Frame> {
        self.frames.values().cloned().collect()
    }

    /// The stack with a call more.
    pub fn push(&mut self, stack: StackId, call: EdgeId, callee: FuncId) -> StackId {
        if let Some(&id) = self.ids.get(&(stack, call, callee)) {
            return id;
        }
        let mut below = Some(stack);
        let mut level = 0;
        while let Some(id) = below {
            let frame = &self.frames[id];
            if frame.callee == callee {
                level = frame.level + 1;
                break;
            }
            below = frame.caller.map(|(caller, _)| caller);
        }
        let depth = self.frames[stack].depth + 1;
        let id = self.frames.push(Frame { caller: Some((stack, call)), callee, depth, level });
        self.ids.insert((stack, call, callee), id);
        id
    }

    /// The open calls, innermost first.
    pub fn calls(&self, stack: StackId) -> impl Iterator<Item = EdgeId> + '_ {
        std::iter::successors(self.frames[stack].caller, |&(caller, _)| self.frames[caller].caller)
            .map(|(_, call)| call)
    }

    /// The slot of a variable that the function on top of a stack sees.
    pub fn slot(&self, program: &Program, stack: StackId, var: VarId) -> Slot {
        let level = if program.vars[var].owner.is_some() { self.frames[stack].level } else { 0 };
        Slot { var, level }
    }

    /// The steps out of a place; none from targets and from the end of the program.
    pub fn steps(&mut self, program: &Program, place: Place) -> Steps {
        let mut steps = Steps::new();
        let frame = &self.frames[place.stack];
        if place.loc == program.functions[frame.callee].exit {
            if let Some((stack, call)) = frame.caller {
                steps.push((Step::Return(call), Place { loc: program.edges[call].dst, stack }));
            }
            return steps;
        }
        for id in program.out_edges(place.loc) {
            let edge = &program.edges[id];
            let Op::Call(call) = &edge.op else {
                steps.push((Step::Edge(id), Place { loc: edge.dst, stack: place.stack }));
                continue;
            };
            for &callee in call.callee.functions() {
                let stack = self.push(place.stack, id, callee);
                steps.push((Step::Call(id, callee), Place { loc: program.functions[callee].entry(), stack }));
            }
        }
        steps
    }
}

/// The condition of a step, if it has one: that of an assumption.
pub fn condition(program: &Program, step: Step) -> Option<beeline_ir::ExprId> {
    match step {
        Step::Edge(edge) => match program.edges[edge].op {
            Op::Assume(cond, _) => Some(cond),
            _ => None,
        },
        Step::Call(..) | Step::Return(_) => None,
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
