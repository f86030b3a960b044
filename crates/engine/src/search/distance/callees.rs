//! Whom calls through pointers are seen to call, and distances that learn from it while the search runs.

use super::Distances;
use crate::control::Control;
use crate::control::place::{Place, StackId};
use beeline_graph::{Estimate, Graph};
use beeline_ir::{EdgeId, FuncId, Program};
use cranelift_entity::EntitySet;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// For calls with several candidates, whom they were seen to call. It says what may come first, and hides nothing: who was
/// not seen may be called all the same.
pub type Seen = BTreeMap<EdgeId, BTreeSet<FuncId>>;

/// What is seen of callees.
#[derive(Debug, Default)]
pub(super) struct Callees<'a> {
    /// By earlier searches.
    before: Seen,
    /// By the states of this one.
    seen: Seen,
    /// The stacks of these.
    stacks: EntitySet<StackId>,
    /// What learns from that, if distances depend on it.
    learner: Option<Learner<'a>>,
    learned: Learned,
}

#[derive(Debug)]
struct Learner<'a> {
    graph: Graph<'a>,
    /// The distances with what earlier searches saw.
    unlearned: beeline_graph::Distances,
}

/// What was learned of callees so far, and what that took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Learned {
    /// How many pairs of a call and a function that it was seen to call.
    pub resolutions: u64,
    /// How many functions were measured anew.
    pub recomputations: u64,
    /// The time for that.
    pub time: Duration,
}

impl<'a> Callees<'a> {
    /// What can be learned for distances, which take in what was seen already.
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
            // What a file says of another call is of no use, and does no harm.
            let _ = distances.resolve(graph, edge, callee);
        }
    }
}

/// The candidates of a call, if it has several; an edge that there is not has none.
pub(crate) fn candidates(program: &Program, edge: EdgeId) -> &[FuncId] {
    let call = program.edges.get(edge).and_then(|edge| edge.op.as_call());
    call.map(|call| call.callee.functions()).filter(|callees| callees.len() > 1).unwrap_or_default()
}

impl Distances<'_> {
    /// Begins with whom earlier searches saw calls call.
    pub fn begin_with(&mut self, seen: &Seen) {
        self.callees.before.clone_from(seen);
        if self.callees.learner.is_some() {
            let mut order = self.order.distances.clone();
            self.callees.guide(&mut order, Graph::new(self.program));
            self.order = super::Measured::of(self.program, order);
        }
    }

    /// Whom calls with several candidates were seen to call: by this search, or else by earlier ones.
    pub fn seen(&self) -> Seen {
        let Callees { before, seen, .. } = &self.callees;
        before.iter().chain(seen).map(|(&edge, callees)| (edge, callees.clone())).collect()
    }

    /// Takes in whom the open calls of a state call.
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
            // What is no candidate was found in another way than by following the call.
            let Ok(measured @ 1..) = self.order.distances.resolve(graph, edge, frame.callee) else {
                continue;
            };
            self.order.forget_calls();
            learned.resolutions += 1;
            learned.recomputations += measured as u64;
            learned.time += began.elapsed();
        }
    }

    /// Forgets whom calls were seen to call: the states that were seen are no more, and with what is known now there may
    /// be fewer.
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
