//! Paths through contexts, assembled to one path of the program.
//!
//! The path to a state leads from the start of the program through the calls that opened the contexts around
//! it. Before the location after a call, it leads through the callee to the exit that made the state. States
//! are made from earlier ones only, so every such path is finite.

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
    /// Through a block to one of its exits, perhaps from the entry of a function.
    Block(Rc<Block>, usize, Begins),
    /// Into a function.
    Call(EdgeId, FuncId, Begins),
    /// Back from the function that an edge calls.
    Return(EdgeId),
}

/// The key of a part: its beginning, and the location or the call to which it leads.
pub(in crate::summaries) type Key = (Begins, LocId, Option<(EdgeId, Option<FuncId>)>);

impl Part {
    /// The key of the part.
    pub(in crate::summaries) fn key(&self) -> Key {
        match self {
            Part::Block(block, exit, begins) => (*begins, block.nodes[*exit].loc, None),
            Part::Call(edge, callee, begins) => (*begins, LocId::from_u32(0), Some((*edge, Some(*callee)))),
            Part::Return(edge) => (Begins::Program, LocId::from_u32(0), Some((*edge, None))),
        }
    }
}

/// The greatest number of parts of a path: where calls share contexts, a path through all calls may be long
/// although it has few states.
const MOST_PARTS: usize = 400_000;

impl Space<'_, '_> {
    /// The beginning of a state's block.
    pub(in crate::summaries) fn begins(&self, id: NodeId) -> Begins {
        let Node { origin, context, loc, .. } = self.nodes[id];
        match (origin, self.contexts[context].opened_by) {
            (Origin::Entry, None) => Begins::Program,
            (Origin::Entry, Some(_)) => Begins::Function(self.contexts[context].func),
            _ => Begins::At(loc),
        }
    }

    /// The path to a state; `None` if it is too long.
    pub(in crate::summaries) fn way_to(&mut self, id: NodeId) -> Option<Vec<Part>> {
        let mut parts = Vec::new();
        // Backwards. From the entry of a callee, the path goes on before the open call.
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

/// The steps on paths to a state, each once and unordered, as far as data dependences need them.
///
/// Their number is at most that of the states, however long the path is.
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

/// The parts as a path of the program, with the call strings of its places.
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
                // A path returns only from calls that it made.
                stack = frame.caller.map_or(stack, |(below, _)| below);
                let to = Place { stack, ..place(program, program.edges[*edge].dst) };
                blocks.push((Rc::new(Block::single(from, Step::Return(*edge), to)), 1));
            }
        }
    }
    (control, Path { blocks, ..Path::default() })
}
