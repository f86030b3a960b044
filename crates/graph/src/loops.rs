//! Loops of a function and their nesting, natural or not.
//!
//! A depth-first search from the entry (then from what it did not reach) finds the retreating edges:
//! those to a location that the search is inside of. Every cycle has one, so the ends of retreating
//! edges, the heads, cut all cycles. What belongs to a head's loop is found as Havlak does, innermost
//! first, with inner loops collapsed; a loop that can be entered beside its head is irreducible.

use beeline_ir::{FuncId, LocId, Program};
use cranelift_entity::{EntityRef, PrimaryMap, entity_impl};

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
    /// Can it be entered beside its head?
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
        // In preorder a loop's head comes before all else in it.
        for number in 0..header.len() {
            let mut inside = header[number].and_then(|head| loop_of_head[head]);
            if search.is_head[number] {
                let head = LocId::new(start + search.node[number]);
                let id = loops.push(Loop { head, parent: inside, irreducible: irreducible[number] });
                loop_of_head[number] = Some(id);
                inside = Some(id);
            }
            innermost[search.node[number]] = inside;
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

    /// Is there no loop?
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

    /// Is a location of the function the head of a loop?
    pub fn is_head(&self, loc: LocId) -> bool {
        self.innermost(loc).is_some_and(|id| self.loops[id].head == loc)
    }

    /// In how many loops a location of the function is.
    pub fn depth(&self, loc: LocId) -> usize {
        self.around(loc).count()
    }
}

/// A depth-first search; its results are by number in preorder.
struct Search {
    /// The location with a number, counted from the function's first.
    node: Vec<usize>,
    /// The last number below each.
    last: Vec<usize>,
    is_head: Vec<bool>,
    /// The sources of retreating edges, and of all others.
    back: Vec<Vec<usize>>,
    other: Vec<Vec<usize>>,
}

impl Search {
    fn new(program: &Program, func: FuncId) -> Search {
        let locs = program.functions[func].locs.clone();
        let (start, len) = (locs.start as usize, locs.len());
        let mut number = vec![usize::MAX; len];
        let (mut node, mut last) = (Vec::with_capacity(len), vec![0; len]);
        for root in 0..len {
            if number[root] != usize::MAX {
                continue;
            }
            number[root] = node.len();
            node.push(root);
            let mut stack = vec![(root, program.out_edges(LocId::new(start + root)))];
            while let Some((at, edges)) = stack.last_mut() {
                let Some(edge) = edges.next() else {
                    last[number[*at]] = node.len() - 1;
                    stack.pop();
                    continue;
                };
                let to = program.edges[edge].dst.index() - start;
                if number[to] == usize::MAX {
                    number[to] = node.len();
                    node.push(to);
                    stack.push((to, program.out_edges(LocId::new(start + to))));
                }
            }
        }
        let mut search = Search {
            node,
            last,
            is_head: vec![false; len],
            back: vec![vec![]; len],
            other: vec![vec![]; len],
        };
        for from in 0..len {
            for edge in program.out_edges(LocId::new(start + from)) {
                let (from, to) = (number[from], number[program.edges[edge].dst.index() - start]);
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

    /// Does the search's tree lead from one location to the other, or are they the same?
    fn is_above(&self, upper: usize, lower: usize) -> bool {
        upper <= lower && lower <= self.last[upper]
    }

    /// For each location the head of the innermost loop around it, a head's own loop not counted; and
    /// which heads have irreducible loops.
    fn headers(&self) -> (Vec<Option<usize>>, Vec<bool>) {
        let len = self.node.len();
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
                    // An entry beside the head: it belongs to the loops around, if they contain it.
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
