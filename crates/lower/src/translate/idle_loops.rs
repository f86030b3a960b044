//! Loops that change nothing, such as `while (!condition);`: an execution that goes round one once stays in it for ever,
//! and passes no location that it has not passed.

use beeline_graph::DepthFirst;
use rustc_hash::{FxHashMap, FxHashSet};

/// An edge between reachable locations of a function.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    /// Its place in the list of all edges of the function.
    pub index: usize,
    /// Where it begins.
    pub src: usize,
    /// Where it leads.
    pub dst: usize,
    /// Whether it changes nothing.
    pub is_idle: bool,
}

/// The indices of the edges that lead back to the heads of loops that change nothing.
pub(super) fn repeats(entry: usize, edges: &[Edge], search: &DepthFirst) -> Vec<usize> {
    let mut into: FxHashMap<usize, Vec<Edge>> = FxHashMap::default();
    if !search.retreating.is_empty() {
        edges.iter().for_each(|edge| into.entry(edge.dst).or_default().push(*edge));
    }
    let retreating: FxHashSet<(usize, usize)> = search.retreating.iter().copied().collect();
    let idle = retreating.into_iter().filter(|&back| is_idle(entry, &into, back));
    let back = idle.flat_map(|(last, head)| into[&head].iter().filter(move |edge| edge.src == last));
    back.map(|edge| edge.index).collect()
}

/// Whether nothing changes from the head of a loop to its last location and back, and no way leads there past the head.
fn is_idle(entry: usize, into: &FxHashMap<usize, Vec<Edge>>, (last, head): (usize, usize)) -> bool {
    if into[&head].iter().any(|edge| edge.src == last && !edge.is_idle) {
        return false;
    }
    let mut within = FxHashSet::from_iter([head, last]);
    let mut work: Vec<usize> = within.iter().copied().filter(|&node| node != head).collect();
    while let Some(node) = work.pop() {
        let before = into.get(&node).map_or(&[][..], Vec::as_slice);
        if node == entry || before.iter().any(|edge| !edge.is_idle) {
            return false;
        }
        work.extend(before.iter().map(|edge| edge.src).filter(|&src| within.insert(src)));
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The repeating edges of a function that begins at 0, given as sources, destinations, and what changes nothing.
    fn found(edges: &[(usize, usize, bool)]) -> Vec<usize> {
        let search = DepthFirst::new(10, [0], |node| {
            edges.iter().filter(move |(src, ..)| *src == node).map(|&(_, dst, _)| dst).collect::<Vec<_>>()
        });
        let edges = edges.iter().enumerate();
        let edges = edges.map(|(index, &(src, dst, is_idle))| Edge { index, src, dst, is_idle });
        let mut found = repeats(0, &edges.collect::<Vec<_>>(), &search);
        found.sort();
        found
    }

    #[test]
    fn a_loop_of_one_location() {
        assert_eq!(found(&[(0, 1, false), (1, 1, true), (1, 2, false)]), [1]);
        assert_eq!(found(&[(0, 1, false), (1, 1, false), (1, 2, false)]), []);
        assert_eq!(found(&[(0, 0, true), (0, 1, false)]), [0]);
    }

    #[test]
    fn a_loop_with_two_ways_back() {
        let loops = [(0, 1, true), (1, 2, true), (2, 3, true), (3, 1, true), (2, 1, true), (3, 4, false)];
        assert_eq!(found(&loops), [3, 4]);
        let mut changes = loops;
        changes[2].2 = false;
        assert_eq!(found(&changes), [4]);
    }

    #[test]
    fn one_of_two_edges_that_lead_back_changes_something() {
        assert_eq!(found(&[(0, 1, true), (1, 1, true), (1, 1, false)]), []);
    }

    #[test]
    fn a_loop_that_is_entered_twice() {
        assert_eq!(found(&[(0, 1, true), (0, 2, true), (1, 2, true), (2, 1, true)]), []);
    }

    #[test]
    fn an_inner_loop_changes_something() {
        assert_eq!(found(&[(0, 1, true), (1, 2, true), (2, 2, false), (2, 1, true)]), []);
    }
}
