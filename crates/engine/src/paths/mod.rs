//! Paths: one through the graph of abstract states, and what a single execution along it does.

pub mod counterexample;
pub mod split_path;

use crate::control::block::{Block, BlockEdge};
use crate::control::place::{Place, Slot, Step};
use crate::state::arg::NodeId;
use beeline_ir::EdgeId;
use std::rc::Rc;

/// A path of the graph: blocks, each with the exit that it leaves by.
#[derive(Debug, Default, Clone)]
pub struct Path {
    /// The states at the ends of the blocks, the first one being where the program starts.
    pub states: Vec<NodeId>,
    /// The blocks.
    pub blocks: Vec<(Rc<Block>, usize)>,
    /// How it would be if a call on it were popped of which it is known what its function ensures.
    pub shortcut: Option<Rc<Shortcut>>,
}

/// A path on which a call is popped where its function begins.
#[derive(Debug, Clone)]
pub struct Shortcut {
    /// Its blocks.
    pub blocks: Vec<(Rc<Block>, usize)>,
    /// The state of the path, by index, where the call is popped.
    pub begin: usize,
    /// The first state behind the call.
    pub end: usize,
    /// Where the call leaves its result.
    pub result: Option<Slot>,
}

impl Path {
    /// The state that it leads to.
    pub fn end(&self) -> NodeId {
        *self.states.last().expect("a path has a first state")
    }

    /// The first block that pops a call.
    pub fn first_pop(&self) -> Option<usize> {
        self.blocks
            .iter()
            .position(|(block, _)| matches!(block.edges[..], [BlockEdge { step: Step::Pop(_), .. }]))
    }
}

/// The steps of one execution, with the places that they lead to.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Trace {
    /// The steps.
    pub steps: Vec<(Step, Place)>,
}

impl Trace {
    /// The edges taken, those of calls included; returns take none.
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
