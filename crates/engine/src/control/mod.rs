//! Control: where an execution is, where it can go, and how places represent open calls.

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

/// Where a residual condition is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// The file, by the digest of its body; `None` for the file that is being written.
    pub run: Option<Digest>,
    /// The index of the residual condition in the file.
    pub rest: u32,
}

/// What the stacks of a control mean after earlier searches: for each stack its number without labels, and
/// its labels.
#[derive(Debug, Clone)]
pub struct After {
    /// The last residual condition.
    pub link: Link,
    /// The meaning of each stack, by the stack's number.
    pub stacks: Vec<(StackId, Vec<RunLabel>)>,
}

/// How places are distinguished.
///
/// An engine asks for the steps from a place and for what the place is compared by. How much is known of open
/// calls is up to the control.
pub trait Control: Debug {
    /// The place where a program starts.
    fn start(&self, program: &Program) -> Place;

    /// The steps out of a place; none from the end of the program.
    fn steps(&mut self, program: &Program, place: Place) -> Steps;

    /// The partition of a place. Only states of the same partition can cover each other.
    fn partition(&self, place: Place) -> Place {
        place
    }

    /// The topmost call of a stack.
    fn frame(&self, stack: StackId) -> Frame;

    /// The topmost calls of all stacks, in the order of their ids.
    fn frames(&self) -> Vec<Frame>;

    /// The variables that a call of a function may write and read, if calls may be popped.
    fn effects(&self, _: FuncId) -> Option<&Effects> {
        None
    }

    /// The postconditions of a function, if they were inferred.
    fn postconditions(&self, _: FuncId) -> Option<&Postconditions> {
        None
    }

    /// The postconditions of all functions for which they were inferred.
    fn all_postconditions(&self) -> PostconditionMap {
        PostconditionMap::new()
    }

    /// Infers postconditions, if calls may be popped and that was not tried before.
    fn infer_postconditions(&mut self, _: &Program, _: &QueryLimits) {}

    /// What stacks say of earlier searches, under a residual condition.
    fn after(&self) -> Option<After> {
        None
    }

    /// The range operation of the function that an edge calls, if a step along the edge stands for the whole
    /// call.
    fn range(&self, _: EdgeId) -> Option<Range> {
        None
    }

    /// The steps of such a call with given arguments, up to the first step without a result.
    fn through(&self, _: &Program, _: Place, _: EdgeId, _: &[Value]) -> Vec<(Step, Place)> {
        Vec::new()
    }

    /// The level of the next activation of a function: how many of its activations are open.
    fn next_level(&self, stack: StackId, callee: FuncId) -> u32 {
        let below = |id: &StackId| self.frame(*id).caller.map(|(caller, _)| caller);
        let mut open = std::iter::successors(Some(stack), below).map(|id| self.frame(id));
        open.find(|frame| frame.callee == callee).map_or(0, |frame| frame.level + 1)
    }

    /// The slot of a variable as the topmost function of a stack sees it: that of its own activation, or of a
    /// global.
    fn slot(&self, program: &Program, stack: StackId, var: VarId) -> Slot {
        let level = if program.vars[var].owner.is_some() { self.frame(stack).level } else { 0 };
        Slot { var, level }
    }
}
