//! Intra-procedural places: a stack says which function is active, and nothing about its callers.
//!
//! Calls are not steps here: a block ends where a call begins. The activation of a function in its context
//! has level 0. A *ghost* is the value of a parameter or a global at the entry of the context. It is the same
//! variable at level [`AT_ENTRY`], which nothing writes.

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
    /// The functions of a program.
    pub(super) fn new(program: &Program) -> Intraprocedural {
        let frame = |callee| Frame { caller: None, callee, depth: 0, level: 0 };
        let frames = program.functions.keys().map(frame).collect();
        let entry = program.functions[program.entry].entry();
        Intraprocedural { frames, start: place(program, entry) }
    }
}

/// The place of a location in its function.
pub(super) fn place(program: &Program, loc: LocId) -> Place {
    Place { loc, stack: StackId::new(program.function_of(loc).as_u32() as usize) }
}

/// The current value of a variable.
pub(super) fn now(var: beeline_ir::VarId) -> Slot {
    Slot { var, level: 0 }
}

/// The ghost of a parameter or a global.
pub(super) fn at_entry(var: beeline_ir::VarId) -> Slot {
    Slot { var, level: AT_ENTRY }
}

/// The variables with ghosts in a function: its parameters and all globals.
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

/// The beginning of a part of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Begins {
    /// The start of the program.
    Program,
    /// The entry of a called function.
    Function(FuncId),
    /// A location.
    At(LocId),
}
