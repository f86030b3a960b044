//! The automaton of one function under construction: locations can be merged, so that no edge is needed from one to the
//! other.

use crate::sides::Sides;
use crate::translate::idle_loops::{Edge, repeats};
use crate::translate::reads::Reads;
use beeline_graph::DepthFirst;
use beeline_ir::{Assumption, EdgeId, ExprId, FuncId, LocId, Op, ProgramBuilder, Span, VarId};
use beeline_module::Side;
use cranelift_entity::EntityRef;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::rc::Rc;

/// A location of a function that is being built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Node(u32);

/// An edge with the condition of a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Condition(usize);

/// Locations and edges of a function.
#[derive(Debug, Default)]
pub(super) struct Graph {
    /// For each location, itself or one that it was merged with.
    same: Vec<u32>,
    edges: Vec<(Node, Node, Op, Option<Span>)>,
    targets: Vec<(Node, String, String, Option<Span>)>,
    /// The assumptions, with the indices of the edges where they matter.
    assumptions: Vec<(usize, Assumption)>,
    /// Branch edges that are taken, each with the condition if there is one.
    sides: Vec<(Side, Option<Condition>)>,
    /// Indices of edges that were dropped.
    dropped: FxHashSet<usize>,
}

impl Graph {
    /// A new location.
    pub(super) fn node(&mut self) -> Node {
        self.same.push(self.same.len() as u32);
        Node(self.same.len() as u32 - 1)
    }

    fn find(&mut self, node: Node) -> u32 {
        let mut at = node.0 as usize;
        while self.same[at] != at as u32 {
            self.same[at] = self.same[self.same[at] as usize];
            at = self.same[at] as usize;
        }
        at as u32
    }

    /// Merges two locations.
    pub(super) fn join(&mut self, a: Node, b: Node) {
        let (a, b) = (self.find(a), self.find(b));
        // The older one stays, so that the entry is found first.
        let (old, new) = (a.min(b), a.max(b));
        self.same[new as usize] = old;
    }

    /// Adds an edge.
    pub(super) fn edge(&mut self, src: Node, dst: Node, op: Op, span: Option<Span>) {
        self.edges.push((src, dst, op, span));
    }

    /// The newest edge, which is a condition.
    pub(super) fn newest(&self) -> Option<Condition> {
        self.edges.len().checked_sub(1).map(Condition)
    }

    /// Notes that a branch edge is taken where a condition holds; or somewhere, without one.
    pub(super) fn take(&mut self, side: Side, condition: Option<Condition>) {
        self.sides.push((side, condition));
    }

    /// Notes that the newest edge is not exact.
    pub(super) fn assume(&mut self, assumption: Assumption) {
        if let Some(newest) = self.edges.len().checked_sub(1) {
            self.assumptions.push((newest, assumption));
        }
    }

    /// Makes a location a target.
    pub(super) fn target(&mut self, node: Node, property: &str, name: String, span: Option<Span>) {
        self.targets.push((node, property.into(), name, span));
    }

    /// The variables that edges write.
    pub(super) fn written(&self) -> impl Iterator<Item = VarId> {
        self.edges.iter().flat_map(|(.., op, _)| op.writes())
    }

    /// Drops assignments to idle variables that nothing reads, where they cannot end an execution.
    pub(super) fn drop_unread(
        &mut self,
        idle: &FxHashSet<VarId>,
        mut reads: impl FnMut(ExprId) -> Rc<Reads>,
    ) {
        let mut readers: FxHashMap<VarId, usize> = FxHashMap::default();
        for (.., op, _) in &self.edges {
            for expr in op.expressions() {
                reads(expr).vars.iter().for_each(|&var| *readers.entry(var).or_default() += 1);
            }
        }
        let unread = |var: VarId, readers: &FxHashMap<VarId, usize>| {
            idle.contains(&var) && readers.get(&var).is_none_or(|&count| count == 0)
        };
        let mut again = true;
        while std::mem::take(&mut again) {
            for index in 0..self.edges.len() {
                let (src, dst, ..) = self.edges[index];
                if self.dropped.contains(&index) || self.find(src) == self.find(dst) {
                    continue;
                }
                let mut gone = SmallVec::<[ExprId; 2]>::new();
                let empty = match &mut self.edges[index].2 {
                    Op::Assign(parts) => {
                        parts.retain(|&mut (var, value)| {
                            let goes = unread(var, &readers) && !reads(value).may_end();
                            gone.extend(goes.then_some(value));
                            !goes
                        });
                        parts.is_empty()
                    }
                    Op::Havoc(var, None) => unread(*var, &readers),
                    _ => false,
                };
                for &value in &gone {
                    reads(value).vars.iter().for_each(|&var| *readers.entry(var).or_default() -= 1);
                }
                again |= !gone.is_empty();
                if empty {
                    self.join(src, dst);
                    self.dropped.insert(index);
                }
            }
        }
    }

    /// Walks what is reachable from an entry.
    fn search(&mut self, entry: u32, stops: &[bool]) -> DepthFirst {
        let mut out: Vec<Vec<usize>> = vec![Vec::new(); self.same.len()];
        for edge in self.live_edges(|src| !stops[src]) {
            out[edge.src].push(edge.dst);
        }
        // The last successor first: reverse post-order then lists the first branch first.
        DepthFirst::new(out.len(), [entry as usize], |node| out[node].iter().rev().copied())
    }

    /// The edges that were not dropped, from certain locations.
    fn live_edges(&mut self, from: impl Fn(usize) -> bool) -> Vec<Edge> {
        let mut edges = Vec::new();
        for index in 0..self.edges.len() {
            let (src, dst) = (self.edges[index].0, self.edges[index].1);
            let (src, dst) = (self.find(src) as usize, self.find(dst) as usize);
            if !self.dropped.contains(&index) && from(src) {
                let is_idle = matches!(self.edges[index].2, Op::Skip | Op::Assume(..));
                edges.push(Edge { index, src, dst, is_idle });
            }
        }
        edges
    }

    /// Lets the edges that repeat a loop which changes nothing lead nowhere.
    fn end_idle_loops(&mut self, entry: u32, stops: &mut Vec<bool>) {
        let search = self.search(entry, stops);
        let mut reached = vec![false; stops.len()];
        search.preorder.iter().for_each(|&node| reached[node] = !stops[node]);
        let edges = self.live_edges(|src| reached[src]);
        let repeats = repeats(entry as usize, &edges, &search);
        if !repeats.is_empty() {
            let nowhere = self.node();
            stops.push(true);
            repeats.into_iter().for_each(|edge| self.edges[edge].1 = nowhere);
        }
    }

    /// Passes what is reachable from the entry to the builder, in the order of a depth-first walk. Reports the branch
    /// edges that are taken there.
    pub(super) fn finish(
        mut self,
        builder: &mut ProgramBuilder,
        sides: &mut Sides,
        (func, entry, exit): (FuncId, Node, Node),
    ) {
        // Nothing happens after a violation.
        let mut stops = vec![false; self.same.len()];
        for index in 0..self.targets.len() {
            let at = self.find(self.targets[index].0);
            stops[at as usize] = true;
        }
        let (entry, exit) = (self.find(entry), self.find(exit));
        stops[exit as usize] = true;
        self.end_idle_loops(entry, &mut stops);
        let count = stops.len();
        let mut order: Vec<usize> = self.search(entry, &stops).reverse_post_order().collect();
        let mut reached = vec![false; count];
        order.iter().for_each(|&node| reached[node] = true);
        if !reached[exit as usize] {
            order.push(exit as usize);
        }
        let mut locs = vec![LocId::new(0); count];
        for &node in &order {
            locs[node] = builder.loc(func);
        }
        builder.set_exit(func, locs[exit as usize]);
        let edges = std::mem::take(&mut self.edges);
        let mut assumptions = std::mem::take(&mut self.assumptions).into_iter().peekable();
        let mut conditions: FxHashMap<Condition, EdgeId> = FxHashMap::default();
        for (index, (src, dst, op, span)) in edges.into_iter().enumerate() {
            let (src, dst) = (self.find(src), self.find(dst));
            let kept = reached[src as usize] && !stops[src as usize] && !self.dropped.contains(&index);
            let edge = kept.then(|| builder.edge(locs[src as usize], locs[dst as usize], op, span));
            conditions.extend(edge.map(|edge| (Condition(index), edge)));
            while let Some((_, assumption)) = assumptions.next_if(|(at, _)| *at == index) {
                if edge.is_some() {
                    builder.assumption(Assumption { edge, ..assumption });
                }
            }
        }
        for (side, condition) in std::mem::take(&mut self.sides) {
            match condition {
                None => sides.take(side, None),
                // Nothing leads to what was dropped.
                Some(condition) => {
                    conditions.get(&condition).into_iter().for_each(|&edge| sides.take(side, Some(edge)))
                }
            }
        }
        let targets = std::mem::take(&mut self.targets);
        for (node, property, name, span) in targets {
            let node = self.find(node);
            if reached[node as usize] {
                builder.target(locs[node as usize], &property, &name, span);
            }
        }
    }
}
