//! The loops of a function as nested components, and an order in which all edges but those back to a loop's head
//! lead forward.
//!
//! Unrolling counts iterations by it, and `ir-spec/proofs.md` defines it for proof checkers: a strongly connected
//! component of the function's locations is a loop; its head is the location with the smallest number among those that
//! an edge from outside leads to, or else with the smallest number; the loops inside are those of the component without
//! its head. A call is an edge to where it returns. Heads are those of [`Loops`](crate::Loops) where a loop is entered
//! at one place only; elsewhere they must not depend on the order of a search, since a proof checker has to find the
//! same.

use crate::depth_first::components;
use beeline_ir::{FuncId, InEdges, LocId, Program};
use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};

/// The position of a location.
#[derive(Debug, Clone, Default)]
struct Nested {
    /// Its number in the order.
    position: u32,
    /// The heads of the loops around it, the outermost first; a head is in its own loop.
    heads: Vec<LocId>,
}

/// The loops of all functions of a program.
#[derive(Debug, Clone)]
pub struct Nesting {
    nested: SecondaryMap<LocId, Nested>,
}

impl Nesting {
    /// Finds the loops.
    pub fn new(program: &Program) -> Nesting {
        let mut nested = SecondaryMap::with_capacity(program.num_locs());
        let incoming = program.in_edges();
        for func in program.functions.keys() {
            Finder { program, func, incoming: &incoming, nested: &mut nested, position: 0 }.run();
        }
        Nesting { nested }
    }

    /// The number of a location in its function: edges lead to greater ones, or to the head of a loop around their
    /// source. A loop's locations have consecutive numbers, its head the smallest.
    pub fn position(&self, loc: LocId) -> u32 {
        self.nested[loc].position
    }

    /// The heads of the loops around a location, the outermost first; a head is in its own loop.
    pub fn heads(&self, loc: LocId) -> &[LocId] {
        &self.nested[loc].heads
    }

    /// Whether the location is the head of a loop.
    pub fn is_head(&self, loc: LocId) -> bool {
        self.heads(loc).last() == Some(&loc)
    }

    /// The number of returns to the head of each loop around a location, if an edge leads to it from a location with
    /// known counts.
    pub fn counts_after(&self, counts: &[u32], src: LocId, dst: LocId) -> impl Iterator<Item = u32> {
        let (from, to) = (self.heads(src), self.heads(dst));
        let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
        let comes_back = self.is_head(dst) && common == to.len();
        let last = to.len().wrapping_sub(1);
        (0..to.len()).map(move |index| {
            let count = if index < common { counts[index] } else { 0 };
            count + u32::from(comes_back && index == last)
        })
    }
}

/// A set of locations that is to be divided.
enum Part {
    /// Any, with the heads of the loops around it.
    Set(Vec<LocId>, Vec<LocId>),
    /// Those of a loop, or one location that is in none.
    Component(Vec<LocId>, Vec<LocId>),
}

struct Finder<'a> {
    program: &'a Program,
    func: FuncId,
    incoming: &'a InEdges,
    nested: &'a mut SecondaryMap<LocId, Nested>,
    position: u32,
}

impl Finder<'_> {
    fn run(&mut self) {
        let all = self.program.functions[self.func].locs.clone().map(LocId::from_u32);
        // The next one is the last.
        let mut work = vec![Part::Set(all.collect(), Vec::new())];
        while let Some(part) = work.pop() {
            match part {
                // Components come after their successors; the first in the order has to be last here.
                Part::Set(locs, heads) => {
                    let parts = self.components(&locs);
                    work.extend(parts.into_iter().map(|part| Part::Component(part, heads.clone())));
                }
                Part::Component(locs, heads) => match self.head(&locs) {
                    Some(head) => {
                        let heads = [&heads[..], &[head]].concat();
                        self.place(head, &heads);
                        let inside = locs.into_iter().filter(|&loc| loc != head).collect();
                        work.push(Part::Set(inside, heads));
                    }
                    None => self.place(locs[0], &heads),
                },
            }
        }
    }

    fn place(&mut self, loc: LocId, heads: &[LocId]) {
        self.nested[loc] = Nested { position: self.position, heads: heads.to_vec() };
        self.position += 1;
    }

    fn components(&self, locs: &[LocId]) -> Vec<Vec<LocId>> {
        let index: FxHashMap<LocId, usize> = locs.iter().zip(0..).map(|(&loc, index)| (loc, index)).collect();
        let successors = |node: usize| {
            let edges = self.program.out_edges(locs[node]);
            edges.filter_map(|edge| index.get(&self.program.edges[edge].dst).copied()).collect::<Vec<_>>()
        };
        let found = components(locs.len(), successors).into_iter();
        found.map(|part| part.into_iter().map(|node| locs[node]).collect()).collect()
    }

    /// The head of a component, if that is a loop.
    fn head(&self, locs: &[LocId]) -> Option<LocId> {
        let sources = |loc: LocId| self.incoming.of(loc).iter().map(|&edge| self.program.edges[edge].src);
        let is_loop = locs.len() > 1 || sources(locs[0]).any(|src| src == locs[0]);
        let inside: FxHashSet<LocId> = locs.iter().copied().collect();
        let is_entered = |loc: &LocId| sources(*loc).any(|src| !inside.contains(&src));
        let entered = locs.iter().copied().filter(is_entered).min();
        entered.or_else(|| locs.iter().copied().min()).filter(|_| is_loop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_entity::EntityRef;

    #[test]
    fn loops_are_nested_and_edges_lead_forward() {
        let program = beeline_ir::text::parse(
            "beeline 1.0
            fn main(x: i32) {
              L0: if x == 1 goto L1 else L7
              L1: if x == 2 goto L2 else L6
              L2: if x == 3 goto L3 else L5
              L3: if x == 4 goto L2 else L4
              L4: if x == 5 goto L4 else L1
              L5: skip goto L1
              L6: skip goto L7
              L7: exit
            }",
        )
        .unwrap();
        let nesting = Nesting::new(&program);
        let locs: Vec<LocId> = (0..program.num_locs()).map(LocId::new).collect();
        let heads =
            |index: usize| nesting.heads(locs[index]).iter().map(|head| head.index()).collect::<Vec<_>>();
        assert_eq!(heads(0), []);
        assert_eq!(heads(1), [1]);
        assert_eq!(heads(2), [1, 2]);
        assert_eq!(heads(3), [1, 2]);
        assert_eq!(heads(4), [1, 4]);
        assert_eq!(heads(5), [1]);
        assert_eq!(heads(6), []);
        for edge in program.edges.values() {
            let is_head = nesting.heads(edge.src).contains(&edge.dst);
            assert!(is_head || nesting.position(edge.src) < nesting.position(edge.dst), "{edge:?}");
        }
        let counts = |counts: &[u32], src: usize, dst: usize| {
            nesting.counts_after(counts, locs[src], locs[dst]).collect::<Vec<_>>()
        };
        assert_eq!(counts(&[], 0, 1), [0]);
        assert_eq!(counts(&[2], 1, 2), [2, 0]);
        assert_eq!(counts(&[2, 5], 3, 2), [2, 6]);
        assert_eq!(counts(&[2, 5], 3, 4), [2, 0]);
        assert_eq!(counts(&[2, 0], 4, 4), [2, 1]);
        assert_eq!(counts(&[2], 5, 1), [3]);
        assert_eq!(counts(&[2], 1, 6), []);
    }
}
