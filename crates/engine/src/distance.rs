//! How far places are from the targets: the order of the directed search.
//!
//! Per location: `exit_dist`, the shortest way to the function's exit, and `abs_dist`, the shortest way to
//! a target without returning to the caller. A place combines them with the distance of the calls that
//! are open: `min(exit_dist'(l) + dist(call), abs_dist(l))`, where `exit_dist'(l)` is `exit_dist(l)` less
//! that of the function's entry.

use crate::place::{Place, StackId, Stacks};
use beeline_ir::{EdgeId, LocId, Op, Program};
use cranelift_entity::{EntityRef, SecondaryMap};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What counts as one unit of distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Metric {
    /// Every edge that is no call.
    Statements,
    /// Conditions of branches.
    BasicBlocks,
    /// Conditions of loops.
    LoopHeads,
    /// Conditions of loops, and functions that begin or end.
    LoopHeadsAndFunctions,
}

const INFINITE: u64 = u64::MAX;

/// How far places are from the targets.
pub trait Distance {
    /// The distance of a place, or the greatest number if no target can be reached.
    fn of(&mut self, stacks: &Stacks, place: Place) -> u64;
}

/// All places are equally far.
#[derive(Debug)]
pub struct NoDistance;

impl Distance for NoDistance {
    fn of(&mut self, _: &Stacks, _: Place) -> u64 {
        0
    }
}

/// The distances of a program.
#[derive(Debug)]
pub struct Distances<'a> {
    program: &'a Program,
    exit_dist: SecondaryMap<LocId, u64>,
    abs_dist: SecondaryMap<LocId, u64>,
    /// The distance of the call that opened a stack, as far as it was asked for.
    calls: FxHashMap<StackId, u64>,
}

impl<'a> Distances<'a> {
    /// Measures a program.
    pub fn new(program: &'a Program, metric: Metric) -> Distances<'a> {
        let mut static_part = Static::new(program, metric);
        let exit_dist = static_part.exit_dist();
        let abs_dist = static_part.abs_dist();
        Distances { program, exit_dist, abs_dist, calls: FxHashMap::default() }
    }

    fn call(&mut self, stacks: &Stacks, stack: StackId) -> u64 {
        // Down to a known stack, then up again.
        let mut open = Vec::new();
        let mut next = Some(stack);
        while let Some(stack) = next {
            if self.calls.contains_key(&stack) {
                break;
            }
            open.push(stack);
            next = stacks.top(stack).caller.map(|(caller, _)| caller);
        }
        for &stack in open.iter().rev() {
            let distance = match stacks.top(stack).caller {
                Some((caller, edge)) => {
                    let call = self.calls[&caller];
                    self.combine(self.program.edges[edge].src, call)
                }
                None => INFINITE,
            };
            self.calls.insert(stack, distance);
        }
        self.calls[&stack]
    }

    fn combine(&self, loc: LocId, call: u64) -> u64 {
        let entry = self.program.functions[self.program.function_of(loc)].entry();
        let (here, whole) = (self.exit_dist[loc], self.exit_dist[entry]);
        let by_exit = if here == INFINITE || whole == INFINITE || call == INFINITE {
            INFINITE
        } else {
            (call + here).saturating_sub(whole)
        };
        by_exit.min(self.abs_dist[loc])
    }
}

impl Distance for Distances<'_> {
    fn of(&mut self, stacks: &Stacks, place: Place) -> u64 {
        let call = self.call(stacks, place.stack);
        self.combine(place.loc, call)
    }
}

/// The part that does not depend on the calls that are open.
struct Static<'a> {
    program: &'a Program,
    metric: Metric,
    in_edges: beeline_ir::InEdges,
    /// From entry to exit of each function.
    through: Vec<u64>,
}

impl<'a> Static<'a> {
    fn new(program: &'a Program, metric: Metric) -> Static<'a> {
        let through = vec![INFINITE; program.functions.len()];
        Static { program, metric, in_edges: program.in_edges(), through }
    }

    /// The weight of crossing an edge, calls being crossed as a whole.
    fn weight(&self, id: EdgeId) -> u64 {
        let edge = &self.program.edges[id];
        let from_entry = || self.program.functions[self.program.function_of(edge.src)].entry() == edge.src;
        let functions = self.metric == Metric::LoopHeadsAndFunctions;
        let own = match (self.metric, &edge.op) {
            (_, Op::Call(_)) => 0,
            (Metric::Statements, _) => 1,
            (Metric::BasicBlocks, Op::Assume(_, kind)) => u64::from(kind.branch),
            (_, Op::Assume(_, kind)) if kind.looping => 1,
            _ => u64::from(functions && from_entry()),
        };
        let Op::Call(call) = &edge.op else { return own };
        let inside = call.callee.functions().iter().map(|func| self.through[func.index()]).min();
        let inside = inside.unwrap_or(INFINITE);
        if inside == INFINITE { INFINITE } else { inside + u64::from(functions) }
    }

    /// Distances to the exits, repeated until those of recursive functions are settled.
    fn exit_dist(&mut self) -> SecondaryMap<LocId, u64> {
        loop {
            let exits = self.program.functions.values().map(|function| (function.exit, 0));
            let distances = self.shortest(exits.collect(), false);
            let mut changed = false;
            for (func, function) in self.program.functions.iter() {
                let through = distances[function.entry()];
                changed |= std::mem::replace(&mut self.through[func.index()], through) != through;
            }
            if !changed {
                return distances;
            }
        }
    }

    /// Distances to targets.
    fn abs_dist(&mut self) -> SecondaryMap<LocId, u64> {
        let targets = self.program.targets.iter().map(|target| (target.loc, 0));
        self.shortest(targets.collect(), true)
    }

    /// Dijkstra, backwards from locations; from entries to calls too if wanted.
    fn shortest(&self, sources: Vec<(LocId, u64)>, into_callers: bool) -> SecondaryMap<LocId, u64> {
        let mut callers: FxHashMap<LocId, Vec<LocId>> = FxHashMap::default();
        if into_callers {
            for edge in self.program.edges.values() {
                let Op::Call(call) = &edge.op else { continue };
                for &callee in call.callee.functions() {
                    let entry = self.program.functions[callee].entry();
                    callers.entry(entry).or_default().push(edge.src);
                }
            }
        }
        let mut distances = SecondaryMap::with_default(INFINITE);
        let mut heap: BinaryHeap<Reverse<(u64, LocId)>> =
            sources.into_iter().map(|(loc, distance)| Reverse((distance, loc))).collect();
        while let Some(Reverse((distance, loc))) = heap.pop() {
            if distances[loc] != INFINITE {
                continue;
            }
            distances[loc] = distance;
            for &edge in self.in_edges.of(loc) {
                let weight = self.weight(edge);
                if weight != INFINITE {
                    heap.push(Reverse((distance + weight, self.program.edges[edge].src)));
                }
            }
            for &caller in callers.get(&loc).into_iter().flatten() {
                heap.push(Reverse((distance, caller)));
            }
        }
        distances
    }
}
