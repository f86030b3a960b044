//! Blocks: the piece of the program between a state of a proof and its successors.

use crate::place::{Place, Stacks, Step};
use crate::reach::Reach;
use beeline_ir::{LocId, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// A step between two nodes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockEdge {
    /// The node where it starts.
    pub src: usize,
    /// The node where it ends.
    pub dst: usize,
    /// The step itself.
    pub step: Step,
}

/// An acyclic graph of places. Edges lead from smaller to greater numbers, and the block starts at 0.
///
/// Places from which no target can be reached are left out.
#[derive(Debug)]
pub(crate) struct Block {
    /// The places.
    pub nodes: Vec<Place>,
    /// For each node, whether the block ends there: only there the proof has to have a state.
    pub ends: Vec<bool>,
    /// The steps, ordered by their sources.
    pub edges: Vec<BlockEdge>,
}

/// The reason why there is no block.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NoBlock {
    /// A path leads back to this location without passing an end.
    Endless(LocId),
    /// There are too many places.
    TooLarge,
}

/// The locations where blocks end, and limits.
pub(crate) struct Ends<'a> {
    /// Cut points; `None` if every location is one.
    pub cuts: Option<&'a FxHashSet<LocId>>,
    /// Targets.
    pub targets: &'a FxHashSet<LocId>,
    /// The reachability of targets.
    pub reach: &'a Reach,
    /// The greatest number of places of a block.
    pub most_places: usize,
}

impl Ends<'_> {
    /// Whether every block ends at the location.
    pub(crate) fn are_at(&self, loc: LocId) -> bool {
        self.cuts.is_none_or(|cuts| cuts.contains(&loc)) || self.targets.contains(&loc)
    }
}

impl Block {
    /// The block from a place to the cut points, the targets and some extra places, which are sorted.
    pub(crate) fn build(
        program: &Program,
        stacks: &mut Stacks,
        ends: &Ends<'_>,
        start: Place,
        extra: &[Place],
    ) -> Result<Block, NoBlock> {
        let mut raw = Raw { places: vec![(start, false)], inside: FxHashMap::default(), edges: Vec::new() };
        raw.inside.insert((start, false), 0);
        let ends_at = |place: Place| ends.are_at(place.loc) || extra.binary_search(&place).is_ok();
        // Depth first; a node is done after all its successors.
        let (mut order, mut marks) = (Vec::new(), vec![Mark::New]);
        let mut stack = vec![(0, false)];
        while let Some((node, leave)) = stack.pop() {
            if leave {
                marks[node] = Mark::Done;
                order.push(node);
                continue;
            }
            match marks[node] {
                Mark::New => marks[node] = Mark::Open,
                Mark::Open => return Err(NoBlock::Endless(raw.places[node].0.loc)),
                Mark::Done => continue,
            }
            stack.push((node, true));
            let (place, end) = raw.places[node];
            if end {
                continue;
            }
            for (step, next) in stacks.steps(program, place) {
                if !ends.reach.target(program, stacks, next) {
                    continue;
                }
                let dst = raw.node(next, ends_at(next));
                marks.resize(raw.places.len(), Mark::New);
                raw.edges.push(BlockEdge { src: node, dst, step });
                stack.push((dst, false));
            }
            if raw.places.len() > ends.most_places {
                return Err(NoBlock::TooLarge);
            }
        }
        order.reverse();
        Ok(raw.in_order(&order))
    }

    /// The edges that leave a node.
    pub(crate) fn leaving(&self, node: usize) -> std::ops::Range<usize> {
        let first = self.edges.partition_point(|edge| edge.src < node);
        first..first + self.edges[first..].partition_point(|edge| edge.src == node)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done,
}

/// A block whose nodes are not ordered yet.
struct Raw {
    /// The places, each with whether the block ends there. The start may also be an end.
    places: Vec<(Place, bool)>,
    inside: FxHashMap<(Place, bool), usize>,
    edges: Vec<BlockEdge>,
}

impl Raw {
    fn node(&mut self, place: Place, end: bool) -> usize {
        let places = &mut self.places;
        *self.inside.entry((place, end)).or_insert_with(|| {
            places.push((place, end));
            places.len() - 1
        })
    }

    fn in_order(self, order: &[usize]) -> Block {
        let mut rank = vec![0; order.len()];
        for (position, &node) in order.iter().enumerate() {
            rank[node] = position;
        }
        let mut edges = self.edges;
        for edge in &mut edges {
            (edge.src, edge.dst) = (rank[edge.src], rank[edge.dst]);
        }
        edges.sort_by_key(|edge| edge.src);
        let nodes = order.iter().map(|&node| self.places[node].0).collect();
        let ends = order.iter().map(|&node| self.places[node].1).collect();
        Block { nodes, ends, edges }
    }
}
