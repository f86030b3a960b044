//! Blocks: the pieces of a program between two abstractions.
//!
//! A block starts at a place and ends at the next *cut points* on every path from there. It is acyclic: every
//! loop and every recursion contains a cut point. A block is encoded exactly, as one formula; abstraction
//! takes place between blocks only.

use crate::control::Control;
use crate::control::place::{Place, Step};
use beeline_graph::{loop_heads, recursion_heads};
use beeline_ir::{EdgeId, LocId, Program};
use cranelift_entity::EntitySet;
use rustc_hash::FxHashMap;

/// The block operator: where blocks end, besides targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockOperator {
    /// At loop heads, and at the entries of recursive functions.
    LoopHeads,
    /// At loop heads, and at the entries and exits of functions.
    LoopHeadsAndFunctions,
    /// At every location.
    Single,
}

/// The greatest number of places of a block before it ends early. Explicit values take less effort in many
/// small blocks; the solver decides one large formula faster than many small ones.
const SMALL: usize = 300;
const LARGE: usize = 4000;

/// A step inside a block, between two of its nodes.
#[derive(Debug, Clone, Copy)]
pub struct BlockEdge {
    /// The node where it starts.
    pub src: usize,
    /// The node where it ends.
    pub dst: usize,
    /// The step itself.
    pub step: Step,
}

/// An acyclic piece of a program. Edges lead from nodes with smaller numbers to nodes with greater ones.
#[derive(Debug)]
pub struct Block {
    /// The places. The block starts at the first one.
    pub nodes: Vec<Place>,
    /// The steps, ordered by their sources.
    pub edges: Vec<BlockEdge>,
    /// The nodes where the block ends.
    pub exits: Vec<usize>,
    /// Whether the block ends somewhere only because it would be too large otherwise.
    pub ends_early: bool,
}

/// The cut points of a program, and which locations are targets.
#[derive(Debug, Clone)]
pub struct CutPoints {
    cut: EntitySet<LocId>,
    target: EntitySet<LocId>,
    everywhere: bool,
    /// The greatest number of places of a block.
    most_places: usize,
    /// Edges that are in no block.
    left_out: EntitySet<EdgeId>,
}

impl CutPoints {
    /// The cut points of a block operator. The targets are an argument because some may be switched off.
    pub fn new(
        program: &Program,
        operator: BlockOperator,
        targets: impl IntoIterator<Item = LocId>,
    ) -> CutPoints {
        let mut cut = loop_heads(program);
        for function in program.functions.values() {
            if operator == BlockOperator::LoopHeadsAndFunctions {
                cut.insert(function.entry());
                cut.insert(function.exit);
            }
        }
        let recursive = recursion_heads(program);
        for (func, function) in program.functions.iter() {
            if recursive.contains(func) {
                cut.insert(function.entry());
            }
        }
        let mut target = EntitySet::new();
        for loc in targets {
            target.insert(loc);
        }
        let everywhere = operator == BlockOperator::Single;
        CutPoints { cut, target, everywhere, most_places: SMALL, left_out: EntitySet::new() }
    }

    /// The heads of loops as cut points, and one target.
    pub(crate) fn at_loops(program: &Program, target: LocId) -> CutPoints {
        let mut cut_points = CutPoints {
            cut: loop_heads(program),
            target: EntitySet::new(),
            everywhere: false,
            most_places: LARGE,
            left_out: EntitySet::new(),
        };
        cut_points.target.insert(target);
        cut_points
    }

    /// Allows large blocks from now on.
    pub fn allow_large_blocks(&mut self) {
        self.most_places = LARGE;
    }

    /// Adds cut points for the blocks that are built from now on.
    pub(crate) fn cut_at(&mut self, locs: impl IntoIterator<Item = LocId>) {
        for loc in locs {
            self.cut.insert(loc);
        }
    }

    /// Leaves edges out of all blocks that are built from now on.
    pub fn leave_out(&mut self, edges: impl IntoIterator<Item = EdgeId>) {
        for edge in edges {
            self.left_out.insert(edge);
        }
    }

    /// Whether a location is a target.
    pub fn is_target(&self, loc: LocId) -> bool {
        self.target.contains(loc)
    }

    /// The cut points; `None` if every location is one.
    pub fn locations(&self) -> Option<Vec<LocId>> {
        // The keys of an `EntitySet` are all those up to the greatest one in it.
        (!self.everywhere).then(|| self.cut.keys().filter(|&loc| self.cut.contains(loc)).collect())
    }

    fn ends_block(&self, loc: LocId) -> bool {
        self.everywhere || self.cut.contains(loc) || self.target.contains(loc)
    }
}

impl Block {
    /// The index of the first step out of a node, if there is one.
    pub(crate) fn first_edge_of(&self, node: usize) -> usize {
        self.edges.partition_point(|edge| edge.src < node)
    }

    /// The steps out of a node.
    pub fn edges_of(&self, node: usize) -> &[BlockEdge] {
        let first = self.first_edge_of(node);
        let count = self.edges[first..].iter().take_while(|edge| edge.src == node).count();
        &self.edges[first..first + count]
    }

    /// The nodes from which an exit can be reached.
    pub fn ways_to(&self, exit: usize) -> Vec<bool> {
        let mut wanted = vec![false; self.nodes.len()];
        wanted[exit] = true;
        for edge in self.edges.iter().rev() {
            if wanted[edge.dst] {
                wanted[edge.src] = true;
            }
        }
        wanted
    }

    /// The block with these edges only, which must be in order, and with one exit.
    pub(crate) fn restricted(&self, edges: &[usize], exit: usize) -> Block {
        let edges = || edges.iter().map(|&index| self.edges[index]);
        let mut kept: Vec<usize> = edges().flat_map(|edge| [edge.src, edge.dst]).chain([0, exit]).collect();
        kept.sort_unstable();
        kept.dedup();
        let number = |node| kept.partition_point(|&other| other < node);
        let renumbered = |edge: BlockEdge| BlockEdge { src: number(edge.src), dst: number(edge.dst), ..edge };
        Block {
            nodes: kept.iter().map(|&node| self.nodes[node]).collect(),
            edges: edges().map(renumbered).collect(),
            exits: vec![number(exit)],
            ends_early: self.ends_early,
        }
    }

    /// The block of a single step.
    pub(crate) fn single(from: Place, step: Step, to: Place) -> Block {
        let edge = BlockEdge { src: 0, dst: 1, step };
        Block { nodes: vec![from, to], edges: vec![edge], exits: vec![1], ends_early: false }
    }

    /// The block that starts at a place.
    pub fn build(
        program: &Program,
        control: &mut dyn Control,
        cut_points: &CutPoints,
        start: Place,
    ) -> Block {
        let mut raw = Raw::default();
        raw.inside.insert(start, 0);
        raw.places.push((start, false));
        // Depth first; a node is left after all its successors.
        let mut stack = vec![(0usize, false)];
        let mut order = Vec::new();
        let mut seen = vec![false];
        while let Some((node, leave)) = stack.pop() {
            if leave {
                order.push(node);
                continue;
            }
            if std::mem::replace(&mut seen[node], true) {
                continue;
            }
            stack.push((node, true));
            let (place, ends) = raw.places[node];
            if ends || cut_points.is_target(place.loc) {
                continue;
            }
            for (step, next) in control.steps(program, place) {
                if matches!(step, Step::Edge(edge) if cut_points.left_out.contains(edge)) {
                    continue;
                }
                let dst = raw.node(next, cut_points);
                seen.resize(raw.places.len(), false);
                raw.edges.push((node, dst, step));
                stack.push((dst, false));
            }
        }
        order.reverse();
        raw.finish(&order)
    }
}

/// A block whose nodes are not ordered yet.
#[derive(Default)]
struct Raw {
    /// The places, each with whether the block ends there.
    places: Vec<(Place, bool)>,
    inside: FxHashMap<Place, usize>,
    exits: FxHashMap<Place, usize>,
    edges: Vec<(usize, usize, Step)>,
    ends_early: bool,
}

impl Raw {
    fn node(&mut self, place: Place, cut_points: &CutPoints) -> usize {
        if let Some(&node) = self.exits.get(&place) {
            return node;
        }
        let ends = cut_points.ends_block(place.loc);
        if !ends && let Some(&node) = self.inside.get(&place) {
            return node;
        }
        let too_large = !ends && self.places.len() >= cut_points.most_places;
        self.ends_early |= too_large;
        let ends = ends || too_large;
        let node = self.places.len();
        self.places.push((place, ends));
        (if ends { &mut self.exits } else { &mut self.inside }).insert(place, node);
        node
    }

    fn finish(self, order: &[usize]) -> Block {
        let mut rank = vec![0; self.places.len()];
        for (position, &node) in order.iter().enumerate() {
            rank[node] = position;
        }
        let nodes = order.iter().map(|&node| self.places[node].0).collect();
        let exits = (0..order.len()).filter(|&position| self.places[order[position]].1).collect();
        let mut edges: Vec<BlockEdge> = self
            .edges
            .iter()
            .map(|&(src, dst, step)| BlockEdge { src: rank[src], dst: rank[dst], step })
            .collect();
        edges.sort_by_key(|edge| edge.src);
        debug_assert!(edges.iter().all(|edge| edge.src < edge.dst), "a block has a cycle");
        Block { nodes, edges, exits, ends_early: self.ends_early }
    }
}
