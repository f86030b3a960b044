//! The graph for distances: edges by their destinations, call sites, and the call graph.

use crate::depth_first::{self, DepthFirst};
use crate::metric::Metric;
use beeline_ir::{EdgeId, FuncId, LocId, Program};
use cranelift_entity::{EntityRef, EntitySet};
use std::ops::Range;

/// A call edge with the facts that searches need all the time.
#[derive(Debug)]
pub(crate) struct CallSite {
    pub edge: EdgeId,
    pub src: LocId,
    pub dst: LocId,
    pub caller: FuncId,
    pub callees: Vec<FuncId>,
    weights: u8,
}

impl CallSite {
    /// The weight of entering the callee.
    pub(crate) fn weight(&self, metric: Metric) -> u64 {
        weight_in(self.weights, metric)
    }
}

/// An edge as seen from its end.
#[derive(Debug, Clone, Copy)]
pub(crate) enum InEdge {
    /// An edge that is no call: its source, and the metrics in which it weighs 1, one bit each.
    Plain(u32, u8),
    /// The call with an index.
    Call(u32),
}

/// Whether the metric's bit is 1.
pub(crate) fn weight_in(weights: u8, metric: Metric) -> u64 {
    u64::from(weights >> metric as u8 & 1)
}

/// A program's edges by their destinations, and its call graph.
#[derive(Debug)]
pub struct Graph<'a> {
    program: &'a Program,
    first: Vec<u32>,
    in_edges: Vec<InEdge>,
    owner: Vec<FuncId>,
    calls: Vec<CallSite>,
    /// For each function the calls in it, which are consecutive.
    calls_in: Vec<Range<usize>>,
    /// For each function the calls that may call it.
    callers: Vec<Vec<u32>>,
    components: Vec<Vec<FuncId>>,
    component_of: Vec<u32>,
}

impl<'a> Graph<'a> {
    /// Indexes a program.
    pub fn new(program: &'a Program) -> Graph<'a> {
        let mut owner = Vec::with_capacity(program.num_locs());
        for (func, function) in program.functions.iter() {
            owner.extend(function.locations().map(|_| func));
        }
        let (calls, calls_in) = call_sites(program, &owner);
        let mut callers = vec![Vec::new(); program.functions.len()];
        for (index, call) in calls.iter().enumerate() {
            for callee in &call.callees {
                callers[callee.index()].push(index as u32);
            }
        }
        let (components, component_of) = components(program, &calls);
        let (first, in_edges) = edges_by_end(program, &owner, &calls);
        Graph { program, first, in_edges, owner, calls, calls_in, callers, components, component_of }
    }

    /// The program.
    pub fn program(&self) -> &'a Program {
        self.program
    }

    /// The function that a location belongs to.
    pub fn function_of(&self, loc: LocId) -> FuncId {
        self.owner[loc.index()]
    }

    /// The strongly connected components of the call graph, callees before their callers; indirect calls
    /// count as calls of every candidate.
    pub fn components(&self) -> &[Vec<FuncId>] {
        &self.components
    }

    /// The index of a function's component.
    pub fn component_of(&self, func: FuncId) -> usize {
        self.component_of[func.index()] as usize
    }

    /// Whether a function may call itself, also through others.
    pub fn is_recursive(&self, func: FuncId) -> bool {
        self.components[self.component_of(func)].len() > 1
            || self.calls_in(func).any(|call| call.callees.contains(&func))
    }

    /// The functions that an edge may call.
    pub fn callees(&self, edge: EdgeId) -> &[FuncId] {
        self.call_of(edge).map_or(&[], |call| &self.calls[call].callees)
    }

    pub(crate) fn owners(&self) -> &[FuncId] {
        &self.owner
    }

    /// Whether a call has several candidates.
    pub fn has_choices(&self) -> bool {
        self.calls.iter().any(|call| call.callees.len() > 1)
    }

    pub(crate) fn calls(&self) -> &[CallSite] {
        &self.calls
    }

    pub(crate) fn call_of(&self, edge: EdgeId) -> Option<usize> {
        self.calls.binary_search_by_key(&edge, |call| call.edge).ok()
    }

    pub(crate) fn calls_in(&self, func: FuncId) -> impl Iterator<Item = &CallSite> {
        self.calls[self.calls_in[func.index()].clone()].iter()
    }

    pub(crate) fn call_indices_in(&self, func: FuncId) -> Range<usize> {
        self.calls_in[func.index()].clone()
    }

    pub(crate) fn callers(&self, func: FuncId) -> &[u32] {
        &self.callers[func.index()]
    }

    pub(crate) fn in_edges(&self, loc: usize) -> &[InEdge] {
        &self.in_edges[self.first[loc] as usize..self.first[loc + 1] as usize]
    }
}

fn call_sites(program: &Program, owner: &[FuncId]) -> (Vec<CallSite>, Vec<Range<usize>>) {
    let mut calls = Vec::new();
    for (id, edge) in program.edges.iter() {
        let Some(call) = edge.op.as_call() else { continue };
        let caller = owner[edge.src.index()];
        let mut callees = call.callee.functions().to_vec();
        callees.sort_unstable();
        callees.dedup();
        let weights = weights(program, caller, id);
        calls.push(CallSite { edge: id, src: edge.src, dst: edge.dst, caller, callees, weights });
    }
    let mut calls_in = Vec::with_capacity(program.functions.len());
    let mut start = 0;
    for func in program.functions.keys() {
        let end = start + calls[start..].iter().take_while(|call| call.caller == func).count();
        calls_in.push(start..end);
        start = end;
    }
    (calls, calls_in)
}

/// The metrics in which an edge weighs 1.
fn weights(program: &Program, func: FuncId, edge: EdgeId) -> u8 {
    Metric::ALL.iter().map(|&metric| (metric.weight(program, func, edge) as u8) << metric as u8).sum()
}

fn edges_by_end(program: &Program, owner: &[FuncId], calls: &[CallSite]) -> (Vec<u32>, Vec<InEdge>) {
    let mut first = vec![0u32; program.num_locs() + 1];
    for edge in program.edges.values() {
        first[edge.dst.index() + 1] += 1;
    }
    for index in 1..first.len() {
        first[index] += first[index - 1];
    }
    let mut next = first.clone();
    let mut in_edges = vec![InEdge::Call(0); program.edges.len()];
    let mut call = 0;
    for (id, edge) in program.edges.iter() {
        let slot = &mut next[edge.dst.index()];
        let is_call = calls.get(call).is_some_and(|site| site.edge == id);
        in_edges[*slot as usize] = if is_call {
            call += 1;
            InEdge::Call(call as u32 - 1)
        } else {
            InEdge::Plain(edge.src.as_u32(), weights(program, owner[edge.src.index()], id))
        };
        *slot += 1;
    }
    (first, in_edges)
}

fn components(program: &Program, calls: &[CallSite]) -> (Vec<Vec<FuncId>>, Vec<u32>) {
    let mut callees = vec![Vec::new(); program.functions.len()];
    for call in calls {
        callees[call.caller.index()].extend(call.callees.iter().map(|callee| callee.index()));
    }
    let mut component_of = vec![0; program.functions.len()];
    let mut components = Vec::new();
    let found = depth_first::components(callees.len(), |func| callees[func].iter().copied());
    for (index, nodes) in found.into_iter().enumerate() {
        let mut functions: Vec<FuncId> = nodes.into_iter().map(FuncId::new).collect();
        functions.sort_unstable();
        functions.iter().for_each(|func| component_of[func.index()] = index as u32);
        components.push(functions);
    }
    (components, component_of)
}

/// Functions that break every cycle of the call graph: those that a depth-first search over calls finds again while it
/// is inside of them.
pub fn recursion_heads(program: &Program) -> EntitySet<FuncId> {
    let mut callees = vec![Vec::new(); program.functions.len()];
    for edge in program.edges.values() {
        if let Some(call) = edge.op.as_call() {
            let caller = program.function_of(edge.src);
            callees[caller.index()].extend(call.callee.functions().iter().map(|callee| callee.index()));
        }
    }
    let search = DepthFirst::new(callees.len(), 0..callees.len(), |func| callees[func].iter().rev().copied());
    let mut heads = EntitySet::new();
    for (_, callee) in search.retreating {
        heads.insert(FuncId::new(callee));
    }
    heads
}
