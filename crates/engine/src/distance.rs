//! How far places are from the targets: the order of the directed search.
//!
//! `beeline-graph` measures locations; here these distances are combined along call control. The
//! distance of a call is stored once for each stack.

use crate::control::Control;
use crate::place::{Place, StackId};
pub(crate) use beeline_graph::Dist;
pub use beeline_graph::Metric;
use beeline_graph::{Estimate, Graph, Targets};
use beeline_ir::{FuncId, LocId, Program};
use cranelift_entity::EntityRef;
use std::collections::BTreeSet;

/// How far the places of a program are from its targets.
#[derive(Debug)]
pub struct Distances<'a> {
    program: &'a Program,
    /// The targets that they lead to.
    targets: BTreeSet<LocId>,
    order: Measured,
    /// What tells from where no target can be reached, unless that is what tells the order.
    reach: Option<Measured>,
}

/// Why distances cannot guide a search.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// They have other functions, locations or calls than the program.
    #[error("the distances are of another program")]
    Foreign,
    /// They lead to one target after the other.
    #[error("the distances lead to targets in sequence, which the search does not follow")]
    Sequence,
}

impl<'a> Distances<'a> {
    /// Measures a program.
    pub fn new(program: &'a Program, metric: Metric) -> Distances<'a> {
        let targets = all_targets(program);
        let order = Measured::now(&Graph::new(program), metric, &targets);
        Distances { program, targets, order, reach: None }
    }

    /// Takes distances that were measured before.
    ///
    /// They say what comes first. What may be left out is measured here: distances to some of the targets only,
    /// or wrong ones, must not hide a target.
    pub fn given(program: &'a Program, distances: beeline_graph::Distances) -> Result<Distances<'a>, Unfit> {
        let graph = Graph::new(program);
        if !distances.fits(&graph) {
            return Err(Unfit::Foreign);
        }
        if distances.targets().stages.len() != 1 {
            return Err(Unfit::Sequence);
        }
        let targets = all_targets(program);
        let reach = Measured::now(&graph, distances.metric(), &targets);
        let order = Measured { distances, calls: Vec::new(), nearest_calls: Vec::new() };
        Ok(Distances { program, targets, order, reach: Some(reach) })
    }

    /// Leads to these targets only from now on; is that new?
    pub fn aim(&mut self, targets: &BTreeSet<LocId>) -> bool {
        let is_new = self.targets != *targets;
        if is_new {
            let metric = self.order.distances.metric();
            self.order = Measured::now(&Graph::new(self.program), metric, targets);
            self.reach = None;
            self.targets.clone_from(targets);
        }
        is_new
    }

    /// The distance of a place; `None` if no target can be reached from it.
    pub fn of(&mut self, control: &dyn Control, place: Place) -> Option<u64> {
        if let Some(reach) = &mut self.reach {
            reach.dist(self.program, control, place).steps()?;
            return Some(self.order.dist(self.program, control, place).steps().unwrap_or(u64::MAX));
        }
        self.order.dist(self.program, control, place).steps()
    }
}

fn all_targets(program: &Program) -> BTreeSet<LocId> {
    program.targets.iter().map(|target| target.loc).collect()
}

impl Distances<'_> {
    /// The distance of a place that has to be explored; `None` if what happens there matters to no target. Where calls
    /// may be popped, what their functions do is explored for all who call them.
    pub(crate) fn explored(&mut self, control: &dyn Control, place: Place) -> Option<u64> {
        let frame = control.frame(place.stack);
        let stands_for_all = frame.caller.is_some() && control.effects(frame.callee).is_some();
        self.of(control, place).or_else(|| stands_for_all.then(|| self.whoever_called(place.loc)).flatten())
    }

    /// The distance of a location, whoever called its function; `None` if no target can be reached from it.
    pub(crate) fn whoever_called(&mut self, loc: LocId) -> Option<u64> {
        if let Some(reach) = &mut self.reach {
            reach.whoever_called(self.program, loc).steps()?;
            return Some(self.order.whoever_called(self.program, loc).steps().unwrap_or(u64::MAX));
        }
        self.order.whoever_called(self.program, loc).steps()
    }
}

impl Distances<'_> {
    /// The distance of a location in a function that was called where the way on is so far.
    pub(crate) fn within(&self, loc: LocId, call: Dist) -> u64 {
        self.order.distances.dist(0, loc, call).steps().unwrap_or(u64::MAX)
    }

    /// How far the way on is for who is in a function that returns to a location, where the caller's is so far.
    pub(crate) fn behind_call(&self, callee: FuncId, returns_to: LocId, call: Dist) -> Dist {
        self.order.distances.call_dist(0, callee, returns_to, call)
    }
}

/// Distances of locations, and of calls as far as they were asked for.
#[derive(Debug)]
struct Measured {
    distances: beeline_graph::Distances,
    /// For each stack the distance of the call that opened it.
    calls: Vec<Dist>,
    /// For each function, the distance of the nearest call of it, once it was asked for.
    nearest_calls: Vec<Dist>,
}

impl Measured {
    fn now(graph: &Graph<'_>, metric: Metric, targets: &BTreeSet<LocId>) -> Measured {
        let targets = Targets { stages: vec![targets.iter().copied().collect()] };
        let distances = beeline_graph::Distances::new(graph, metric, Estimate::Efca, targets);
        Measured { distances, calls: Vec::new(), nearest_calls: Vec::new() }
    }

    fn dist(&mut self, program: &Program, control: &dyn Control, place: Place) -> Dist {
        // Stacks are numbered from the outermost call inwards.
        for next in self.calls.len()..=place.stack.index() {
            let frame = control.frame(StackId::new(next));
            let call = frame.caller.map_or(Dist::INFINITE, |(caller, edge)| {
                let returns_to = program.edges[edge].dst;
                self.distances.call_dist(0, frame.callee, returns_to, self.calls[caller.index()])
            });
            self.calls.push(call);
        }
        self.distances.dist(0, place.loc, self.calls[place.stack.index()])
    }

    fn whoever_called(&mut self, program: &Program, loc: LocId) -> Dist {
        if self.nearest_calls.is_empty() {
            self.nearest_calls = vec![Dist::INFINITE; program.functions.len()];
            while self.find_nearer_calls(program) {}
        }
        self.distances.dist(0, loc, self.nearest_calls[program.function_of(loc).index()])
    }

    /// Looks at all calls once more; is one of them nearer than those before?
    fn find_nearer_calls(&mut self, program: &Program) -> bool {
        let mut nearer = false;
        for edge in program.edges.values() {
            let caller = self.nearest_calls[program.function_of(edge.src).index()];
            for &callee in edge.op.as_call().map_or(&[][..], |call| call.callee.functions()) {
                let dist = self.distances.call_dist(0, callee, edge.dst, caller);
                let known = &mut self.nearest_calls[callee.index()];
                if dist < *known {
                    *known = dist;
                    nearer = true;
                }
            }
        }
        nearer
    }
}
