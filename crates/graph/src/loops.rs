//! Loops of a function and their nesting, natural or not.
//!
//! A depth-first search from the entry (then from locations that it did not reach) finds the retreating edges: those to
//! a location that the search is inside of. Every cycle has one, so the ends of retreating edges, the heads, break all
//! cycles. The locations of a head's loop are found by Havlak's algorithm, innermost first, with inner loops collapsed;
//! a loop that can be entered elsewhere than at its head is irreducible.

use crate::depth_first::DepthFirst;
use beeline_ir::{FuncId, LocId, Program};
use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, SecondaryMap, entity_impl};

/// A loop of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoopId(u32);
entity_impl!(LoopId, "loop");

/// A loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// Its head.
    pub head: LocId,
    /// The loop around it.
    pub parent: Option<LoopId>,
    /// Whether it can be entered elsewhere than at its head.
    pub irreducible: bool,
}

/// The loops of a function; outer ones come before inner ones.
#[derive(Debug, Clone)]
pub struct Loops {
    start: usize,
    loops: PrimaryMap<LoopId, Loop>,
    /// For each location the innermost loop that it is in; a head is in its own loop.
    innermost: Vec<Option<LoopId>>,
}

impl Loops {
    /// Finds the loops of a function. A call counts as an edge to where it returns.
    pub fn new(program: &Program, func: FuncId) -> Loops {
        let start = program.functions[func].locs.start as usize;
        let search = Search::new(program, func);
        let (header, irreducible) = search.headers();
        let mut loops = PrimaryMap::new();
        let mut loop_of_head = vec![None; header.len()];
        let mut innermost = vec![None; header.len()];
        // In reverse post-order a loop's head comes before all else in it.
        for number in search.order.reverse_post_order().map(|node| search.number[node]) {
            let mut inside = header[number].and_then(|head| loop_of_head[head]);
            if search.is_head[number] {
                let head = LocId::new(start + search.order.preorder[number]);
                let id = loops.push(Loop { head, parent: inside, irreducible: irreducible[number] });
                loop_of_head[number] = Some(id);
                inside = Some(id);
            }
            innermost[search.order.preorder[number]] = inside;
        }
        Loops { start, loops, innermost }
    }

    /// All loops.
    pub fn iter(&self) -> impl Iterator<Item = (LoopId, &Loop)> {
        self.loops.iter()
    }

    /// Number of loops.
    pub fn len(&self) -> usize {
        self.loops.len()
    }

    /// Whether there is no loop.
    pub fn is_empty(&self) -> bool {
        self.loops.is_empty()
    }

    /// A loop.
    pub fn get(&self, id: LoopId) -> &Loop {
        &self.loops[id]
    }

    /// The innermost loop that a location of the function is in.
    pub fn innermost(&self, loc: LocId) -> Option<LoopId> {
        self.innermost[loc.index() - self.start]
    }

    /// The loops that a location of the function is in, innermost first.
    pub fn around(&self, loc: LocId) -> impl Iterator<Item = LoopId> {
        std::iter::successors(self.innermost(loc), |&id| self.loops[id].parent)
    }

    /// Whether a location of the function is the head of a loop.
    pub fn is_head(&self, loc: LocId) -> bool {
        self.innermost(loc).is_some_and(|id| self.loops[id].head == loc)
    }

    /// The number of loops that a location of the function is in.
    pub fn depth(&self, loc: LocId) -> usize {
        self.around(loc).count()
    }
}

/// The heads of all loops of a program.
pub fn loop_heads(program: &Program) -> EntitySet<LocId> {
    let mut heads = EntitySet::new();
    for func in program.functions.keys() {
        let start = program.functions[func].locs.start as usize;
        for (_, head) in depth_first(program, func, true).retreating {
            heads.insert(LocId::new(start + head));
        }
    }
    heads
}

/// Numbers the locations of each function in reverse post-order: all edges but the retreating ones lead to greater
/// numbers. Locations that the entry does not reach have the greatest number.
pub fn reverse_post_order(program: &Program) -> SecondaryMap<LocId, u32> {
    let mut ranks = SecondaryMap::with_default(u32::MAX);
    for func in program.functions.keys() {
        let locs = program.functions[func].locs.clone();
        let mut rank = locs.len() as u32;
        for node in depth_first(program, func, false).post_order {
            rank -= 1;
            ranks[LocId::from_u32(locs.start + node as u32)] = rank;
        }
    }
    ranks
}

/// Searches a function from its entry, and if requested then from each location not reached yet; locations are counted
/// from the function's first, which is the entry.
fn depth_first(program: &Program, func: FuncId, whole: bool) -> DepthFirst {
    let locs = program.functions[func].locs.clone();
    let start = locs.start as usize;
    let roots = if whole { 0..locs.len() } else { 0..1 };
    DepthFirst::new(locs.len(), roots, |node| {
        let edges = program.out_edges(LocId::new(start + node)).rev();
        edges.map(move |edge| program.edges[edge].dst.index() - start)
    })
}

/// A depth-first search with all edges of a function; locations are identified by their number in preorder.
struct Search {
    order: DepthFirst,
    /// The number of each location.
    number: Vec<usize>,
    /// The time at which each number is left.
    left: Vec<usize>,
    is_head: Vec<bool>,
    /// The sources of retreating edges, and of all others.
    back: Vec<Vec<usize>>,
    other: Vec<Vec<usize>>,
}

impl Search {
    fn new(program: &Program, func: FuncId) -> Search {
        let locs = program.functions[func].locs.clone();
        let (start, len) = (locs.start as usize, locs.len());
        let order = depth_first(program, func, true);
        let (mut number, mut left) = (vec![0; len], vec![0; len]);
        order.preorder.iter().enumerate().for_each(|(index, &node)| number[node] = index);
        order.post_order.iter().enumerate().for_each(|(time, &node)| left[number[node]] = time);
        let (is_head, back, other) = (vec![false; len], vec![vec![]; len], vec![vec![]; len]);
        let mut search = Search { order, number, left, is_head, back, other };
        for from in 0..len {
            for edge in program.out_edges(LocId::new(start + from)) {
                let to = program.edges[edge].dst.index() - start;
                let (from, to) = (search.number[from], search.number[to]);
                if search.is_above(to, from) {
                    search.is_head[to] = true;
                    search.back[to].push(from);
                } else {
                    search.other[to].push(from);
                }
            }
        }
        search
    }

    /// Whether the search's tree leads from one location to the other, or they are the same.
    fn is_above(&self, upper: usize, lower: usize) -> bool {
        upper <= lower && self.left[lower] <= self.left[upper]
    }

    /// For each location the head of the innermost loop around it, a head's own loop not counted; and
    /// which heads have irreducible loops.
    fn headers(&self) -> (Vec<Option<usize>>, Vec<bool>) {
        let len = self.number.len();
        let (mut header, mut irreducible) = (vec![None; len], vec![false; len]);
        let mut other = self.other.clone();
        let mut collapsed: Vec<usize> = (0..len).collect();
        // The head for which a location was last found to be in the loop.
        let mut found_for = vec![usize::MAX; len];
        for head in (0..len).rev().filter(|&head| self.is_head[head]) {
            let mut body = Vec::new();
            let mut waiting: Vec<usize> = self.back[head].clone();
            found_for[head] = head;
            while let Some(from) = waiting.pop() {
                let from = find(&mut collapsed, from);
                if found_for[from] == head {
                    continue;
                }
                if !self.is_above(head, from) {
                    // An entry elsewhere than at the head: it belongs to the loops around, if they contain it.
                    irreducible[head] = true;
                    other[head].push(from);
                    continue;
                }
                found_for[from] = head;
                body.push(from);
                waiting.extend(&other[from]);
            }
            for inside in body {
                header[inside] = Some(head);
                collapsed[inside] = head;
            }
        }
        (header, irreducible)
    }
}

/// The location that a location is collapsed into.
fn find(collapsed: &mut [usize], mut at: usize) -> usize {
    while collapsed[at] != at {
        collapsed[at] = collapsed[collapsed[at]];
        at = collapsed[at];
    }
    at
}
