//! Paths through contexts, put together to one path of the program.
//!
//! The way to a state leads from the start of the program through the calls that opened the contexts around it. Behind a
//! call it leads through the callee to the exit that made the state. States are made from earlier ones only, so that
//! every such way comes to an end.

use super::{Node, Origin, Space};
use crate::control::Control;
use crate::control::block::Block;
use crate::control::call_strings::CallStrings;
use crate::control::place::{Place, StackId, Step};
use crate::paths::Path;
use crate::state::arg::NodeId;
use crate::summaries::intraprocedural::{Begins, place};
use beeline_ir::{EdgeId, FuncId, LocId, Program};
use cranelift_entity::EntityRef;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// A part of a path.
#[derive(Debug, Clone)]
pub(in crate::summaries) enum Part {
    /// Through a block to one of its exits, perhaps from where a function begins.
    Block(Rc<Block>, usize, Begins),
    /// Into a function.
    Call(EdgeId, FuncId, Begins),
    /// Back from the function that an edge calls.
    Return(EdgeId),
}

/// What tells parts apart: where they begin, and the location or the call to which they lead.
pub(in crate::summaries) type Key = (Begins, LocId, Option<(EdgeId, Option<FuncId>)>);

impl Part {
    /// What tells it from other parts.
    pub(in crate::summaries) fn key(&self) -> Key {
        match self {
            Part::Block(block, exit, begins) => (*begins, block.nodes[*exit].loc, None),
            Part::Call(edge, callee, begins) => (*begins, LocId::from_u32(0), Some((*edge, Some(*callee)))),
            Part::Return(edge) => (Begins::Program, LocId::from_u32(0), Some((*edge, None))),
        }
    }
}

/// How many parts a path may have: where calls share contexts, few states may lie on a path through all calls.
const MOST_PARTS: usize = 400_000;

impl Space<'_, '_> {
    /// Where the block of a state begins.
    pub(in crate::summaries) fn begins(&self, id: NodeId) -> Begins {
        let Node { origin, context, loc, .. } = self.nodes[id];
        match (origin, self.contexts[context].opened_by) {
            (Origin::Entry, None) => Begins::Program,
            (Origin::Entry, Some(_)) => Begins::Function(self.contexts[context].func),
            _ => Begins::At(loc),
        }
    }

    /// The way to a state; `None` if it is too long.
    pub(in crate::summaries) fn way_to(&mut self, id: NodeId) -> Option<Vec<Part>> {
        let mut parts = Vec::new();
        // Backwards; where a callee begins, the way goes on before the call that is open.
        let mut open: Vec<(NodeId, EdgeId, FuncId)> = Vec::new();
        let mut next = id;
        while parts.len() <= MOST_PARTS {
            match self.nodes[next].origin {
                Origin::Block(from, exit) => {
                    let block = self.block(self.nodes[from].loc);
                    parts.push(Part::Block(block, exit, self.begins(from)));
                    next = from;
                }
                Origin::Call { from, edge, callee, exit } => {
                    parts.push(Part::Return(edge));
                    open.push((from, edge, callee));
                    next = exit;
                }
                Origin::Entry => {
                    let context = &self.contexts[self.nodes[next].context];
                    let opened = context.opened_by.map(|(from, edge)| (from, edge, context.func));
                    let Some((from, edge, callee)) = open.pop().or(opened) else {
                        parts.reverse();
                        return Some(parts);
                    };
                    parts.push(Part::Call(edge, callee, self.begins(from)));
                    next = from;
                }
            }
        }
        None
    }
}

/// The steps that lie on ways to a state, each once and in no order, as far as it takes to see what depends on what.
///
/// There are never more of them than there are states, however long the way is.
pub(in crate::summaries) fn steps_to(space: &mut Space<'_, '_>, id: NodeId) -> Path {
    let program = space.program;
    let mut blocks = Vec::new();
    let mut step = |step, from, to| {
        blocks.push((Rc::new(Block::single(place(program, from), step, place(program, to))), 1))
    };
    let (mut met, mut begun, mut work) = (FxHashSet::default(), FxHashSet::default(), vec![id]);
    while let Some(next) = work.pop() {
        if !met.insert(next) {
            continue;
        }
        let Node { origin, context, loc, .. } = space.nodes[next];
        match origin {
            Origin::Block(from, _) => {
                begun.insert(space.nodes[from].loc);
                work.push(from);
            }
            Origin::Call { from, edge, callee, exit } => {
                let call = program.edges[edge].src;
                step(Step::Call(edge, callee), call, program.functions[callee].entry());
                step(Step::Return(edge), program.functions[callee].exit, loc);
                work.extend([from, exit]);
            }
            Origin::Entry => {
                let Some((from, edge)) = space.contexts[context].opened_by else { continue };
                step(Step::Call(edge, space.contexts[context].func), program.edges[edge].src, loc);
                work.push(from);
            }
        }
    }
    blocks.extend(begun.into_iter().map(|loc| (space.block(loc), 0)));
    Path { blocks, ..Path::default() }
}

/// A way as a path of the program, with the call strings that its places name.
pub(in crate::summaries) fn path(program: &Program, parts: &[Part]) -> (CallStrings, Path) {
    let mut control = CallStrings::new(program);
    let mut stack = StackId::new(0);
    let mut blocks = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Part::Block(block, exit, _) => {
                let nodes = block.nodes.iter().map(|node| Place { stack, ..*node }).collect();
                let (edges, exits) = (block.edges.clone(), block.exits.clone());
                blocks.push((Rc::new(Block { nodes, edges, exits, ends_early: false }), *exit));
            }
            Part::Call(edge, callee, _) => {
                let from = Place { loc: program.edges[*edge].src, stack };
                stack = control.push(stack, *edge, *callee);
                let to = Place { loc: program.functions[*callee].entry(), stack };
                blocks.push((Rc::new(Block::single(from, Step::Call(*edge, *callee), to)), 1));
            }
            Part::Return(edge) => {
                let frame = control.frame(stack);
                let from = Place { loc: program.functions[frame.callee].exit, stack };
                // A way returns from calls that it made.
                stack = frame.caller.map_or(stack, |(below, _)| below);
                let to = Place { stack, ..place(program, program.edges[*edge].dst) };
                blocks.push((Rc::new(Block::single(from, Step::Return(*edge), to)), 1));
            }
        }
    }
    (control, Path { blocks, ..Path::default() })
}
