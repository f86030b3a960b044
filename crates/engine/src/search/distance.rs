//! Distances of places to the targets: the order of the directed search.
//!
//! `beeline-graph` measures locations; this module combines these distances along the call control. The
//! distance of a call is stored once for each stack.
//!
//! Distances that order the search may be wrong: where the callee of a call is an estimate, where they lead
//! through stages, or where they come from a file. What may be pruned is decided by distances that never
//! exceed the true ones.

mod callees;

use crate::control::Control;
use crate::control::place::{Place, StackId};
pub(crate) use beeline_graph::Dist;
use beeline_graph::Graph;
use beeline_graph::Targets;
pub use beeline_graph::{Estimate, Metric};
use beeline_ir::{FuncId, LocId, Program};
use callees::Callees;
pub use callees::Seen;
pub(crate) use callees::candidates;
use cranelift_entity::EntityRef;
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeSet;
use std::ops::Range;

/// The distance after a call, to each stage.
pub(crate) type CallDists = SmallVec<[Dist; 1]>;

/// The distances of a program's places to its targets.
#[derive(Debug)]
pub struct Distances<'a> {
    program: &'a Program,
    /// The targets.
    targets: BTreeSet<LocId>,
    order: Measured,
    /// The distances that say from where no target can be reached; `None` if `order` says so correctly.
    reach: Option<Measured>,
    /// What is known of callees.
    callees: Callees<'a>,
}

/// Why distances cannot guide a search.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// They have other functions, locations or calls than the program.
    #[error("the distances are of another program")]
    Foreign,
    /// They lead nowhere.
    #[error("the distances lead to no target")]
    Nowhere,
}

impl<'a> Distances<'a> {
    /// Measures a program.
    pub fn new(program: &'a Program, metric: Metric) -> Distances<'a> {
        Distances::estimated(program, metric, Estimate::Efca)
    }

    /// Measures a program, with an estimate for calls whose callee is unknown.
    pub fn estimated(program: &'a Program, metric: Metric, estimate: Estimate) -> Distances<'a> {
        let targets = all_targets(program);
        let stages = Targets { stages: vec![targets.iter().copied().collect()] };
        let graph = Graph::new(program);
        let mut order = beeline_graph::Distances::new(&graph, metric, estimate, stages);
        // The cheapest candidates, together with the open calls, hide no target.
        let is_right = estimate == Estimate::Efca;
        let reach = (!is_right).then(|| Measured::now(&graph, metric, &targets));
        let mut callees = Callees::default();
        callees.guide(&mut order, graph);
        Distances { program, targets, callees, order: Measured::of(program, order), reach }
    }

    /// Uses distances that were measured before. With another estimate, their targets are measured anew.
    ///
    /// They only order the search. What may be pruned is measured here: distances to some of the targets, or
    /// wrong ones, must not hide a target.
    pub fn given(
        program: &'a Program,
        distances: beeline_graph::Distances,
        estimate: Option<Estimate>,
    ) -> Result<Distances<'a>, Unfit> {
        let graph = Graph::new(program);
        if !distances.fits(&graph) {
            return Err(Unfit::Foreign);
        }
        if distances.targets().stages.is_empty() {
            return Err(Unfit::Nowhere);
        }
        let targets = all_targets(program);
        let metric = distances.metric();
        let reach = Some(Measured::now(&graph, metric, &targets));
        let mut order = match estimate.filter(|&estimate| estimate != distances.estimate()) {
            Some(estimate) => {
                beeline_graph::Distances::new(&graph, metric, estimate, distances.targets().clone())
            }
            None => distances,
        };
        let mut callees = Callees::default();
        callees.guide(&mut order, graph);
        Ok(Distances { program, targets, callees, order: Measured::of(program, order), reach })
    }

    /// Restricts the targets to these. Returns whether that is a change.
    pub fn aim(&mut self, targets: &BTreeSet<LocId>) -> bool {
        let is_new = self.targets != *targets;
        if is_new {
            let graph = Graph::new(self.program);
            let (metric, estimate) = (self.order.distances.metric(), self.order.distances.estimate());
            if self.order.distances.targets().stages.len() > 1 {
                // The stages stay the same.
                self.reach = Some(Measured::now(&graph, metric, targets));
            } else if estimate == Estimate::Efca {
                self.order = Measured::now(&graph, metric, targets);
                self.reach = None;
            } else {
                let stages = Targets { stages: vec![targets.iter().copied().collect()] };
                let mut order = beeline_graph::Distances::new(&graph, metric, estimate, stages);
                self.reach = Some(Measured::now(&graph, metric, targets));
                self.callees.guide(&mut order, graph);
                self.order = Measured::of(self.program, order);
            }
            self.targets.clone_from(targets);
        }
        is_new
    }

    /// The distance of a place; `None` if no target can be reached from it.
    pub fn of(&mut self, control: &dyn Control, place: Place) -> Option<u64> {
        let last = self.order.stages() - 1;
        self.of_stage(control, place, last)
    }

    /// The distance of a place to a stage and from there to the end.
    fn of_stage(&mut self, control: &dyn Control, place: Place, stage: usize) -> Option<u64> {
        if let Some(reach) = &mut self.reach {
            reach.dist(self.program, control, place, 0).steps()?;
            return Some(self.order.dist(self.program, control, place, stage).steps().unwrap_or(u64::MAX));
        }
        self.order.dist(self.program, control, place, stage).steps()
    }
}

fn all_targets(program: &Program) -> BTreeSet<LocId> {
    program.targets.iter().map(|target| target.loc).collect()
}

impl Distances<'_> {
    /// The distance of a place that is explored, for an execution that has passed some stages; `None` if no
    /// target depends on what happens there. Where calls may be popped, a function is explored for all its
    /// callers.
    pub(crate) fn explored(&mut self, control: &dyn Control, place: Place, passed: u32) -> Option<u64> {
        let frame = control.frame(place.stack);
        let stands_for_all = frame.caller.is_some() && control.effects(frame.callee).is_some();
        // After all stages, the distance to the last one counts.
        let stage = (passed as usize).min(self.order.stages() - 1);
        let distance = self.of_stage(control, place, stage);
        distance.or_else(|| stands_for_all.then(|| self.whoever_called(place.loc)).flatten())
    }

    /// The number of stages that an execution has passed at a location, given the number before it.
    pub(crate) fn passed(&self, before: u32, loc: LocId) -> u32 {
        let stages = &self.order.distances.targets().stages[before as usize..];
        before + u32::from(stages.first().is_some_and(|stage| stage.contains(&loc)))
    }

    /// The number of stages that an execution has passed, given the number before it, when it then follows
    /// another execution that passed a range of stages.
    pub(crate) fn passed_like(&self, before: u32, other: Range<u32>) -> u32 {
        let stages = &self.order.distances.targets().stages;
        let alike = other.zip(before..stages.len() as u32);
        before + alike.take_while(|&(a, b)| stages[a as usize] == stages[b as usize]).count() as u32
    }

    /// The locations of all stages but the last: an execution that passes one has to be seen there.
    pub(crate) fn ways(&self) -> Vec<LocId> {
        let stages = &self.order.distances.targets().stages;
        stages[..stages.len() - 1].concat()
    }

    /// The distance of a location for any caller of its function; `None` if no target can be reached from it.
    pub(crate) fn whoever_called(&mut self, loc: LocId) -> Option<u64> {
        let last = self.order.stages() - 1;
        if let Some(reach) = &mut self.reach {
            reach.whoever_called(self.program, loc, 0).steps()?;
            return Some(self.order.whoever_called(self.program, loc, last).steps().unwrap_or(u64::MAX));
        }
        self.order.whoever_called(self.program, loc, last).steps()
    }
}

impl Distances<'_> {
    /// The distance of a location for an execution that has passed some stages, in a function with the given
    /// distances after its call.
    pub(crate) fn within(&self, loc: LocId, calls: &[Dist], passed: u32) -> u64 {
        let stage = (passed as usize).min(self.order.stages() - 1);
        let way = self.order.distances.dist(stage, loc, calls[stage]) + self.order.after[stage];
        way.steps().unwrap_or(u64::MAX)
    }

    /// The distances after the call at the start of the program, which has none.
    pub(crate) fn no_call(&self) -> CallDists {
        smallvec![Dist::INFINITE; self.order.stages()]
    }

    /// The distances after a call: for a function that returns to a location, given the distances after the
    /// caller's own call.
    pub(crate) fn behind_call(&self, callee: FuncId, returns_to: LocId, calls: &[Dist]) -> CallDists {
        let calls = calls.iter().enumerate();
        calls.map(|(stage, &call)| self.order.distances.call_dist(stage, callee, returns_to, call)).collect()
    }
}

/// Distances of locations, and of calls as far as they were queried.
#[derive(Debug)]
struct Measured {
    distances: beeline_graph::Distances,
    /// For each stage, a lower bound of the distance after it.
    after: Vec<Dist>,
    /// For each stack, the distances of its topmost call, by stage.
    calls: Vec<Vec<Dist>>,
    /// For each stage and function, the distance after the nearest call of the function, once it was queried.
    nearest_calls: Vec<Vec<Dist>>,
}

impl Measured {
    fn of(program: &Program, distances: beeline_graph::Distances) -> Measured {
        let stages = distances.targets().stages.len();
        let (after, nearest_calls) = (vec![Dist::ZERO; stages], vec![Vec::new(); stages]);
        let mut measured = Measured { distances, after, calls: Vec::new(), nearest_calls };
        for stage in (1..stages).rev() {
            // An execution that has to pass a place twice has to reach it again.
            let places = measured.distances.targets().stages[stage - 1].clone();
            let edges = places.into_iter().flat_map(|loc| program.out_edges(loc));
            let way =
                edges.map(|edge| measured.whoever_called(program, program.edges[edge].dst, stage)).min();
            // A place from which no path leads on gives no bound.
            let way = way.filter(|way| way.is_finite()).unwrap_or(Dist::ZERO);
            measured.after[stage - 1] = way + measured.after[stage];
        }
        measured
    }

    fn now(graph: &Graph<'_>, metric: Metric, targets: &BTreeSet<LocId>) -> Measured {
        let targets = Targets { stages: vec![targets.iter().copied().collect()] };
        let distances = beeline_graph::Distances::new(graph, metric, Estimate::Efca, targets);
        Measured::of(graph.program(), distances)
    }

    fn stages(&self) -> usize {
        self.after.len()
    }

    fn dist(&mut self, program: &Program, control: &dyn Control, place: Place, stage: usize) -> Dist {
        // Stacks are numbered from the outermost call inwards.
        for next in self.calls.len()..=place.stack.index() {
            let frame = control.frame(StackId::new(next));
            let calls = frame.caller.map_or(vec![Dist::INFINITE; self.stages()], |(caller, edge)| {
                let returns_to = program.edges[edge].dst;
                let calls = self.calls[caller.index()].iter().enumerate();
                calls
                    .map(|(stage, &call)| self.distances.call_dist(stage, frame.callee, returns_to, call))
                    .collect()
            });
            self.calls.push(calls);
        }
        self.distances.dist(stage, place.loc, self.calls[place.stack.index()][stage]) + self.after[stage]
    }

    fn whoever_called(&mut self, program: &Program, loc: LocId, stage: usize) -> Dist {
        if self.nearest_calls[stage].is_empty() {
            self.nearest_calls[stage] = vec![Dist::INFINITE; program.functions.len()];
            while self.find_nearer_calls(program, stage) {}
        }
        let call = self.nearest_calls[stage][program.function_of(loc).index()];
        self.distances.dist(stage, loc, call)
    }

    /// Relaxes the distances of all calls once. Returns whether one of them decreased.
    fn find_nearer_calls(&mut self, program: &Program, stage: usize) -> bool {
        let mut nearer = false;
        for edge in program.edges.values() {
            let caller = self.nearest_calls[stage][program.function_of(edge.src).index()];
            for &callee in edge.op.as_call().map_or(&[][..], |call| call.callee.functions()) {
                let dist = self.distances.call_dist(stage, callee, edge.dst, caller);
                let known = &mut self.nearest_calls[stage][callee.index()];
                if dist < *known {
                    *known = dist;
                    nearer = true;
                }
            }
        }
        nearer
    }

    /// Forgets the distances of calls after distances have changed. They are computed again when they are
    /// queried.
    fn forget_calls(&mut self) {
        self.calls.clear();
        self.nearest_calls.iter_mut().for_each(Vec::clear);
    }
}
