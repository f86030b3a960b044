//! Immediate postdominators: where the paths from a location meet again.

use beeline_ir::{FuncId, LocId, Program};
use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::Dfs;
use rustc_hash::FxHashMap;

/// The immediate postdominators of the functions that were asked for.
#[derive(Debug)]
pub struct Postdominators<'p> {
    program: &'p Program,
    functions: FxHashMap<FuncId, Dominators<NodeIndex>>,
}

impl<'p> Postdominators<'p> {
    /// Creates it for a program.
    pub fn new(program: &'p Program) -> Postdominators<'p> {
        Postdominators { program, functions: FxHashMap::default() }
    }

    /// The first location that lies on all paths from a location, if there is one.
    pub fn of(&mut self, loc: LocId) -> Option<LocId> {
        let program = self.program;
        let func = program.function_of(loc);
        let start = program.functions[func].locs.start;
        let end = program.functions[func].locs.len();
        let dominators = self.functions.entry(func).or_insert_with(|| compute(program, func));
        let meeting = dominators.immediate_dominator(NodeIndex::new((loc.as_u32() - start) as usize))?;
        (meeting.index() < end).then(|| LocId::from_u32(start + meeting.index() as u32))
    }
}

/// The dominators of the reversed graph. Paths that never end count as ending anywhere.
fn compute(program: &Program, func: FuncId) -> Dominators<NodeIndex> {
    let function = &program.functions[func];
    let index = |loc: LocId| NodeIndex::new((loc.as_u32() - function.locs.start) as usize);
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    for _ in function.locations() {
        graph.add_node(());
    }
    let end = graph.add_node(());
    for loc in function.locations() {
        let mut edges = program.out_edges(loc).peekable();
        if edges.peek().is_none() {
            graph.add_edge(end, index(loc), ());
        }
        for edge in edges {
            graph.add_edge(index(program.edges[edge].dst), index(loc), ());
        }
    }
    let mut seen = Dfs::new(&graph, end);
    while seen.next(&graph).is_some() {}
    for loc in function.locations() {
        if !seen.discovered.contains(index(loc).index()) {
            graph.add_edge(end, index(loc), ());
        }
    }
    simple_fast(&graph, end)
}
