//! Depth-first search, and what follows from its order, in any graph whose nodes are numbered from 0: the locations of
//! a program, its call graph, the blocks of LLVM.
//!
//! Successors are visited in the order given. If a caller gives the last one first, the reverse post-order lists what
//! follows the first successor first, as a reader of the program would.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// The order in which a depth-first search enters and leaves nodes; those it does not reach are missing.
#[derive(Debug, Clone, Default)]
pub struct DepthFirst {
    /// The nodes in the order in which they are entered.
    pub preorder: Vec<usize>,
    /// The nodes in the order in which they are left: each after all that were first found from it.
    pub post_order: Vec<usize>,
    /// The retreating edges, source and destination: those to a node that the search is inside of. Every
    /// cycle has one.
    pub retreating: Vec<(usize, usize)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    Open,
    Done,
}

impl DepthFirst {
    /// Searches from the roots, one after the other.
    pub fn new<I: IntoIterator<Item = usize>>(
        nodes: usize,
        roots: impl IntoIterator<Item = usize>,
        mut successors: impl FnMut(usize) -> I,
    ) -> DepthFirst {
        let mut search = DepthFirst::default();
        let mut marks = vec![Mark::New; nodes];
        for root in roots {
            if marks[root] != Mark::New {
                continue;
            }
            let mut stack = vec![(root, search.enter(root, &mut marks, &mut successors))];
            while let Some((node, rest)) = stack.last_mut() {
                let node = *node;
                let Some(to) = rest.next() else {
                    marks[node] = Mark::Done;
                    search.post_order.push(node);
                    stack.pop();
                    continue;
                };
                match marks[to] {
                    Mark::New => stack.push((to, search.enter(to, &mut marks, &mut successors))),
                    Mark::Open => search.retreating.push((node, to)),
                    Mark::Done => {}
                }
            }
        }
        search
    }

    fn enter<I: IntoIterator<Item = usize>>(
        &mut self,
        node: usize,
        marks: &mut [Mark],
        successors: &mut impl FnMut(usize) -> I,
    ) -> I::IntoIter {
        marks[node] = Mark::Open;
        self.preorder.push(node);
        successors(node).into_iter()
    }

    /// The nodes so that all edges but the retreating ones lead forward.
    pub fn reverse_post_order(&self) -> impl ExactSizeIterator<Item = usize> {
        self.post_order.iter().rev().copied()
    }
}

/// The strongly connected components, each after those that it leads to.
pub fn components<I: IntoIterator<Item = usize>>(
    nodes: usize,
    successors: impl Fn(usize) -> I,
) -> Vec<Vec<usize>> {
    let edges = (0..nodes).flat_map(|from| successors(from).into_iter().map(move |to| (from, to)));
    let mut graph: DiGraph<(), (), usize> = DiGraph::default();
    for _ in 0..nodes {
        graph.add_node(());
    }
    graph.extend_with_edges(edges);
    // Kosaraju's algorithm and not Tarjan's, whose recursion may exhaust the stack.
    let components = kosaraju_scc(&graph).into_iter();
    components.map(|nodes| nodes.into_iter().map(NodeIndex::index).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A loop of 1 and 2, left for 3; nothing leads to 4.
    const GRAPH: [&[usize]; 5] = [&[1, 3], &[2], &[1, 3], &[], &[0]];

    #[test]
    fn orders_and_retreating_edges() {
        let search = DepthFirst::new(5, [0], |node| GRAPH[node].iter().copied());
        assert_eq!(search.preorder, [0, 1, 2, 3]);
        assert_eq!(search.post_order, [3, 2, 1, 0]);
        assert_eq!(search.retreating, [(2, 1)]);
        let backward = DepthFirst::new(5, [0], |node| GRAPH[node].iter().rev().copied());
        assert_eq!(backward.reverse_post_order().collect::<Vec<_>>(), [0, 1, 2, 3]);
        let all = DepthFirst::new(5, 0..5, |node| GRAPH[node].iter().copied());
        assert_eq!(all.post_order.last(), Some(&4));
    }

    #[test]
    fn components_come_after_what_they_lead_to() {
        let mut found = components(5, |node| GRAPH[node].iter().copied());
        found.iter_mut().for_each(|component| component.sort_unstable());
        assert_eq!(found, [vec![3], vec![1, 2], vec![0], vec![4]]);
    }
}
