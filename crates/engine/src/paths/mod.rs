//! Paths through the abstract reachability graph, and traces of single executions along them.

pub mod counterexample;
pub mod guess;
pub mod nearest;
pub mod split_path;

use crate::control::Control;
use crate::control::block::{Block, BlockEdge};
use crate::control::place::{Place, Slot, Step};
use crate::state::arg::NodeId;
use crate::values::Values;
use beeline_ir::{EdgeId, Program};
use std::rc::Rc;
use std::sync::Arc;
#[cfg(test)]
use {crate::control::block::CutPoints, beeline_ir::LocId};

/// A path of the graph: blocks, each with the exit by which the path leaves it.
#[derive(Debug, Default, Clone)]
pub struct Path {
    /// The states at the ends of the blocks. The first one is the start of the program.
    pub states: Vec<NodeId>,
    /// The blocks.
    pub blocks: Vec<(Rc<Block>, usize)>,
    /// The values that are known at the end of each block; empty if none are.
    pub known: Vec<Arc<Values>>,
    /// The path with a call popped whose function has postconditions, if there is such a call.
    pub shortcut: Option<Rc<Shortcut>>,
}

/// A path on which a call is popped at the entry of its function.
#[derive(Debug, Clone)]
pub struct Shortcut {
    /// Its blocks.
    pub blocks: Vec<(Rc<Block>, usize)>,
    /// The index of the state at which the call is popped.
    pub begin: usize,
    /// The index of the first state after the call.
    pub end: usize,
    /// The slot that the result of the call is assigned to.
    pub result: Option<Slot>,
}

impl Path {
    /// The last state.
    pub fn end(&self) -> NodeId {
        *self.states.last().expect("a path has a first state")
    }

    /// The path from the program's start through blocks that end at these locations, without states.
    #[cfg(test)]
    pub(crate) fn through(
        program: &Program,
        control: &mut dyn Control,
        cut_points: &CutPoints,
        ends: &[LocId],
    ) -> Path {
        let (mut path, mut place) = (Path::default(), control.start(program));
        for &end in ends {
            let block = Rc::new(Block::build(program, control, cut_points, place));
            let is_end = |&exit: &usize| block.nodes[exit].loc == end;
            let exit = block.exits.iter().copied().find(is_end).expect("the block ends there");
            place = block.nodes[exit];
            path.blocks.push((block, exit));
        }
        path
    }

    /// The first block that pops a call.
    pub fn first_pop(&self) -> Option<usize> {
        self.blocks
            .iter()
            .position(|(block, _)| matches!(block.edges[..], [BlockEdge { step: Step::Pop(_), .. }]))
    }
}

/// A trace: the steps of one execution, with their destinations.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Trace {
    /// The steps.
    pub steps: Vec<(Step, Place)>,
}

impl Trace {
    /// The trace of an execution that takes some edges, with the returns between them.
    pub fn of_edges(program: &Program, control: &mut dyn Control, edges: &[EdgeId]) -> Option<Trace> {
        let mut trace = Trace::default();
        let mut place = control.start(program);
        for (index, &edge) in edges.iter().enumerate() {
            while program.edges[edge].src != place.loc {
                let steps = control.steps(program, place);
                let back = steps.into_iter().find(|(step, _)| matches!(step, Step::Return(_)))?;
                trace.steps.push(back);
                place = back.1;
            }
            // A call through a pointer may enter several functions. The source of the next edge determines which.
            let next = edges.get(index + 1).map(|&next| program.edges[next].src);
            let steps = control.steps(program, place);
            let mut taken = steps.into_iter().filter(|(step, _)| step.edge_taken() == Some(edge));
            let first = taken.next()?;
            let step = match taken.find(|(_, to)| Some(to.loc) == next) {
                Some(other) if Some(first.1.loc) != next => other,
                _ => first,
            };
            trace.steps.push(step);
            place = step.1;
        }
        Some(trace)
    }

    /// The edges taken, including those of calls. Returns take none.
    pub fn edges(&self) -> impl Iterator<Item = EdgeId> + '_ {
        self.steps.iter().filter_map(|&(step, _)| step.edge_taken())
    }

    /// The steps as a block without branches that starts at a place.
    pub fn as_block(&self, start: Place) -> Block {
        let nodes = std::iter::once(start).chain(self.steps.iter().map(|&(_, place)| place)).collect();
        let edge = |(src, &(step, _)): (usize, &(Step, Place))| BlockEdge { src, dst: src + 1, step };
        Block {
            nodes,
            edges: self.steps.iter().enumerate().map(edge).collect(),
            exits: vec![self.steps.len()],
            ends_early: false,
        }
    }
}
