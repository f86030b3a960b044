//! Where an execution is and where it can go: how places stand for the calls that are open.

pub(crate) mod affine_hull;
pub mod block;
pub mod call_strings;
pub mod conditional;
pub mod place;
pub mod postconditions;
pub(crate) mod reachability;

use crate::control::place::{Frame, Place, Slot, StackId, Step, Steps};
use crate::control::postconditions::{PostconditionMap, Postconditions};
use beeline_graph::Effects;
use beeline_ir::file::Digest;
use beeline_ir::{EdgeId, FuncId, Program, Range, Value, VarId};
use beeline_run::RunLabel;
use beeline_smt::QueryLimits;
use std::fmt::Debug;

/// Where a rest is to be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// The file, by the digest of its body; the one that is being made if there is none.
    pub run: Option<Digest>,
    /// Which one of its rests.
    pub rest: u32,
}

/// What the stacks of a control stand for: for each its number without labels, and its labels.
#[derive(Debug, Clone)]
pub struct After {
    /// The last rest.
    pub link: Link,
    /// By the number of the stack.
    pub stacks: Vec<(StackId, Vec<RunLabel>)>,
}

/// A way to tell places apart.
///
/// An engine asks for steps and for what a place is compared by, and leaves to this how much is known of calls.
pub trait Control: Debug {
    /// Where a program starts.
    fn start(&self, program: &Program) -> Place;

    /// The steps out of a place; none from the end of the program.
    fn steps(&mut self, program: &Program, place: Place) -> Steps;

    /// What places of states have in common that may cover each other.
    fn partition(&self, place: Place) -> Place {
        place
    }

    /// The topmost call of a stack.
    fn frame(&self, stack: StackId) -> Frame;

    /// The topmost calls of all stacks, in the order of their ids.
    fn frames(&self) -> Vec<Frame>;

    /// What a call of a function may write and read, if calls may be popped.
    fn effects(&self, _: FuncId) -> Option<&Effects> {
        None
    }

    /// What a function ensures, where that was found.
    fn postconditions(&self, _: FuncId) -> Option<&Postconditions> {
        None
    }

    /// What all functions ensure of which it was found.
    fn all_postconditions(&self) -> PostconditionMap {
        PostconditionMap::new()
    }

    /// Finds what functions ensure, if calls may be popped and that was not tried before.
    fn infer_postconditions(&mut self, _: &Program, _: &QueryLimits) {}

    /// What stacks say of earlier searches, if they do.
    fn after(&self) -> Option<After> {
        None
    }

    /// What the function does that an edge calls, if a step along the edge stands for the whole call.
    fn range(&self, _: EdgeId) -> Option<Range> {
        None
    }

    /// The steps of such a call with some arguments, up to the first one without a result if there is one.
    fn through(&self, _: &Program, _: Place, _: EdgeId, _: &[Value]) -> Vec<(Step, Place)> {
        Vec::new()
    }

    /// How many activations of a function are open, which is the level of the next one.
    fn next_level(&self, stack: StackId, callee: FuncId) -> u32 {
        let below = |id: &StackId| self.frame(*id).caller.map(|(caller, _)| caller);
        let mut open = std::iter::successors(Some(stack), below).map(|id| self.frame(id));
        open.find(|frame| frame.callee == callee).map_or(0, |frame| frame.level + 1)
    }

    /// The slot of a variable that the function on top of a stack sees: that of its own activation, or a global.
    fn slot(&self, program: &Program, stack: StackId, var: VarId) -> Slot {
        let level = if program.vars[var].owner.is_some() { self.frame(stack).level } else { 0 };
        Slot { var, level }
    }
}
