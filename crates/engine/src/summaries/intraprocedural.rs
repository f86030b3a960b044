//! Places in functions on their own: a stack says which function it is, and nothing of who called it.
//!
//! Calls are no steps here: where one begins, a block ends. The activation of a function in its context has level 0.
//! What a parameter or a global held where the context was entered is a *ghost*: the same variable at level
//! [`AT_ENTRY`], which nothing writes.

use crate::control::Control;
use crate::control::place::{Frame, Place, Slot, StackId, Step, Steps};
use beeline_ir::{FuncId, LocId, Op, Program};
pub(super) use beeline_run::AT_ENTRY;
use cranelift_entity::EntityRef;

/// The functions of a program, each on its own.
#[derive(Debug)]
pub(super) struct Intraprocedural {
    frames: Vec<Frame>,
    start: Place,
}

impl Intraprocedural {
    /// Those of a program.
    pub(super) fn new(program: &Program) -> Intraprocedural {
        let frame = |callee| Frame { caller: None, callee, depth: 0, level: 0 };
        let frames = program.functions.keys().map(frame).collect();
        let entry = program.functions[program.entry].entry();
        Intraprocedural { frames, start: place(program, entry) }
    }
}

/// A location in its function.
pub(super) fn place(program: &Program, loc: LocId) -> Place {
    Place { loc, stack: StackId::new(program.function_of(loc).as_u32() as usize) }
}

/// What a variable holds now.
pub(super) fn now(var: beeline_ir::VarId) -> Slot {
    Slot { var, level: 0 }
}

/// What a parameter or a global held at the entry.
pub(super) fn at_entry(var: beeline_ir::VarId) -> Slot {
    Slot { var, level: AT_ENTRY }
}

/// What has ghosts in a function: its parameters and all globals.
pub(super) fn with_ghosts(program: &Program, func: FuncId) -> impl Iterator<Item = beeline_ir::VarId> + '_ {
    let globals = program.vars.iter().filter(|(_, var)| var.owner.is_none()).map(|(id, _)| id);
    globals.chain(program.functions[func].params.iter().copied())
}

impl Control for Intraprocedural {
    fn start(&self, _: &Program) -> Place {
        self.start
    }

    fn steps(&mut self, program: &Program, place: Place) -> Steps {
        let edges =
            program.out_edges(place.loc).filter(|&edge| !matches!(program.edges[edge].op, Op::Call(_)));
        edges.map(|edge| (Step::Edge(edge), Place { loc: program.edges[edge].dst, ..place })).collect()
    }

    fn frame(&self, stack: StackId) -> Frame {
        self.frames[stack.index()]
    }

    fn frames(&self) -> Vec<Frame> {
        self.frames.clone()
    }
}

/// Where a part of a path begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Begins {
    /// Where the program does.
    Program,
    /// Where a function does that was called.
    Function(FuncId),
    /// At a location.
    At(LocId),
}
