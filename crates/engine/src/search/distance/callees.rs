//! The callees that calls through pointers are seen to have, and distances that are updated with them during
//! the search.

use super::Distances;
use crate::control::Control;
use crate::control::place::{Place, StackId};
use beeline_graph::{Estimate, Graph};
use beeline_ir::{EdgeId, FuncId, Program};
use cranelift_entity::EntitySet;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// For calls with several candidates, the callees that they were seen to have. These order the search and
/// hide nothing: a candidate that was not seen may be called all the same.
pub type Seen = BTreeMap<EdgeId, BTreeSet<FuncId>>;

/// What is known of callees.
#[derive(Debug, Default)]
pub(super) struct Callees<'a> {
    /// Callees seen by earlier searches.
    before: Seen,
    /// Callees of the states of this search.
    seen: Seen,
    /// The stacks of these states.
    stacks: EntitySet<StackId>,
    /// The means to update distances, if these depend on callees.
    learner: Option<Learner<'a>>,
    learned: Learned,
}

#[derive(Debug)]
struct Learner<'a> {
    graph: Graph<'a>,
    /// The distances with the callees that earlier searches saw.
    unlearned: beeline_graph::Distances,
}

/// What was learned of callees so far, and its cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Learned {
    /// The number of pairs of a call and a function that it was seen to call.
    pub resolutions: u64,
    /// The number of functions that were measured anew.
    pub recomputations: u64,
    /// The time for these measurements.
    pub time: Duration,
}

impl<'a> Callees<'a> {
    /// Prepares to learn callees for distances. Applies what was already seen.
    pub(super) fn guide(&mut self, distances: &mut beeline_graph::Distances, graph: Graph<'a>) {
        let depends = distances.estimate() == Estimate::Pfsm && graph.has_choices();
        self.learner = depends.then(|| {
            take_in(distances, &graph, &self.before);
            let unlearned = distances.clone();
            take_in(distances, &graph, &self.seen);
            Learner { graph, unlearned }
        });
    }
}

fn take_in(distances: &mut beeline_graph::Distances, graph: &Graph<'_>, seen: &Seen) {
    for (&edge, callees) in seen {
        for &callee in callees {
            // A file may name a call that the program does not have. It is ignored.
            let _ = distances.resolve(graph, edge, callee);
        }
    }
}

/// The candidates of a call, if it has several; none for an edge that does not exist.
pub(crate) fn candidates(program: &Program, edge: EdgeId) -> &[FuncId] {
    let call = program.edges.get(edge).and_then(|edge| edge.op.as_call());
    call.map(|call| call.callee.functions()).filter(|callees| callees.len() > 1).unwrap_or_default()
}

impl Distances<'_> {
    /// Starts with the callees that earlier searches saw.
    pub fn begin_with(&mut self, seen: &Seen) {
        self.callees.before.clone_from(seen);
        if self.callees.learner.is_some() {
            let mut order = self.order.distances.clone();
            self.callees.guide(&mut order, Graph::new(self.program));
            self.order = super::Measured::of(self.program, order);
        }
    }

    /// The callees seen for calls with several candidates: by this search, or else by earlier ones.
    pub fn seen(&self) -> Seen {
        let Callees { before, seen, .. } = &self.callees;
        before.iter().chain(seen).map(|(&edge, callees)| (edge, callees.clone())).collect()
    }

    /// Learns the callees of a state's open calls.
    pub(crate) fn learn(&mut self, control: &dyn Control, place: Place) {
        let Callees { seen, stacks, learner, learned, .. } = &mut self.callees;
        let mut stack = place.stack;
        while stacks.insert(stack) {
            let frame = control.frame(stack);
            let Some((caller, edge)) = frame.caller else { return };
            stack = caller;
            if candidates(self.program, edge).is_empty()
                || !seen.entry(edge).or_default().insert(frame.callee)
            {
                continue;
            }
            let Some(Learner { graph, .. }) = learner else { continue };
            let began = Instant::now();
            // A function that is no candidate was not found by following the call.
            let Ok(measured @ 1..) = self.order.distances.resolve(graph, edge, frame.callee) else {
                continue;
            };
            self.order.forget_calls();
            learned.resolutions += 1;
            learned.recomputations += measured as u64;
            learned.time += began.elapsed();
        }
    }

    /// Forgets the seen callees: the states with them are gone, and under the new precision there may be
    /// fewer.
    pub(crate) fn forget_callees(&mut self) {
        let Callees { seen, stacks, learner, .. } = &mut self.callees;
        seen.clear();
        stacks.clear();
        if let Some(Learner { unlearned, .. }) = learner {
            self.order.distances.clone_from(unlearned);
            self.order.forget_calls();
        }
    }

    /// What was learned of callees.
    pub(crate) fn learned(&self) -> Learned {
        self.callees.learned
    }
}
