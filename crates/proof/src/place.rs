//! Locations with call stacks, and the steps between them.

use beeline_ir::{EdgeId, FuncId, LocId, Op, Program, VarId};
use beeline_run::RunProof;
use rustc_hash::FxHashMap;

/// A call stack: the number of one that was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Stack(u32);

/// A location with the calls that are open, the function of the location on top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Place {
    /// The location.
    pub loc: LocId,
    /// The open calls.
    pub stack: Stack,
}

/// A variable of an activation. Activations of one function on a stack are counted from 0, the outermost;
/// a global has 0.
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
    /// Along an edge that is no call.
    Edge(EdgeId),
    /// Into a function called by an edge.
    Call(EdgeId, FuncId),
    /// Back from a function called by an edge, to where that edge leads.
    Return(EdgeId),
}

impl Step {
    /// The edge.
    pub(crate) fn edge(self) -> EdgeId {
        match self {
            Step::Edge(edge) | Step::Call(edge, _) | Step::Return(edge) => edge,
        }
    }
}

/// The top of a stack.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    /// The stack below and the call; nothing for the entry function.
    pub caller: Option<(Stack, EdgeId)>,
    /// The function on top.
    pub callee: FuncId,
    /// How many activations of the same function are below.
    pub level: u32,
}

/// All call stacks met, each stored once.
#[derive(Debug)]
pub(crate) struct Stacks {
    frames: Vec<Frame>,
    ids: FxHashMap<(Stack, EdgeId, FuncId), Stack>,
}

impl Stacks {
    /// The stack of the entry function alone.
    pub(crate) fn new(program: &Program) -> Stacks {
        let frames = vec![Frame { caller: None, callee: program.entry, level: 0 }];
        Stacks { frames, ids: FxHashMap::default() }
    }

    /// Where a program starts.
    pub(crate) fn start(program: &Program) -> Place {
        Place { loc: program.functions[program.entry].entry(), stack: Stack(0) }
    }

    /// The stacks of a proof, if they are stacks of the program.
    pub(crate) fn of_proof(program: &Program, proof: &RunProof) -> Result<(Stacks, Vec<Stack>), String> {
        let mut stacks = Stacks::new(program);
        let mut met = Vec::with_capacity(proof.stacks.len());
        for (index, stack) in proof.stacks.iter().enumerate() {
            let Some((caller, edge)) = stack.caller else {
                if stack.callee != program.entry {
                    return Err("the first stack is not that of the entry function".into());
                }
                met.push(Stack(0));
                continue;
            };
            let wrong = || format!("call stack {index} is none of the program");
            let below: Stack = met[caller as usize];
            let call = program.edges.get(edge).and_then(|edge| edge.op.as_call()).ok_or_else(wrong)?;
            let calls = call.callee.functions().contains(&stack.callee);
            let owner = program.function_of(program.edges[edge].src);
            if !calls || owner != stacks.top(below).callee {
                return Err(wrong());
            }
            met.push(stacks.push(below, edge, stack.callee));
        }
        Ok((stacks, met))
    }

    /// The top of a stack.
    pub(crate) fn top(&self, stack: Stack) -> &Frame {
        &self.frames[stack.0 as usize]
    }

    /// The stack with a call more.
    pub(crate) fn push(&mut self, stack: Stack, edge: EdgeId, callee: FuncId) -> Stack {
        if let Some(&known) = self.ids.get(&(stack, edge, callee)) {
            return known;
        }
        let level = self.level(stack, callee).map_or(0, |level| level + 1);
        let id = Stack(u32::try_from(self.frames.len()).expect("fewer than four billion stacks"));
        self.frames.push(Frame { caller: Some((stack, edge)), callee, level });
        self.ids.insert((stack, edge, callee), id);
        id
    }

    /// The level of the innermost activation of a function, if there is one.
    pub(crate) fn level(&self, stack: Stack, func: FuncId) -> Option<u32> {
        let mut next = Some(stack);
        while let Some(stack) = next {
            let frame = self.top(stack);
            if frame.callee == func {
                return Some(frame.level);
            }
            next = frame.caller.map(|(below, _)| below);
        }
        None
    }

    /// The slot of a variable that the function on top sees.
    pub(crate) fn slot(&self, program: &Program, stack: Stack, var: VarId) -> Slot {
        let level = if program.vars[var].owner.is_some() { self.top(stack).level } else { 0 };
        Slot { var, level }
    }

    /// Is there such a variable on the stack?
    pub(crate) fn is_live(&self, program: &Program, stack: Stack, slot: Slot) -> bool {
        match program.vars.get(slot.var).map(|var| var.owner) {
            None => false,
            Some(None) => slot.level == 0,
            Some(Some(owner)) => self.level(stack, owner).is_some_and(|level| slot.level <= level),
        }
    }

    /// The steps out of a place; none from targets and from the end of the program.
    pub(crate) fn steps(&mut self, program: &Program, place: Place) -> Vec<(Step, Place)> {
        let frame = self.top(place.stack);
        if place.loc == program.functions[frame.callee].exit {
            let caller = frame.caller.into_iter();
            return caller
                .map(|(stack, call)| (Step::Return(call), Place { loc: program.edges[call].dst, stack }))
                .collect();
        }
        let mut steps = Vec::new();
        for edge in program.out_edges(place.loc) {
            let Op::Call(call) = &program.edges[edge].op else {
                steps.push((Step::Edge(edge), Place { loc: program.edges[edge].dst, ..place }));
                continue;
            };
            for &callee in call.callee.functions() {
                let stack = self.push(place.stack, edge, callee);
                let entry = program.functions[callee].entry();
                steps.push((Step::Call(edge, callee), Place { loc: entry, stack }));
            }
        }
        steps
    }
}
