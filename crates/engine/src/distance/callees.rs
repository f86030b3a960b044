//! Distances that learn while the search runs: whom calls through pointers are seen to call.

use super::Distances;
use crate::control::Control;
use crate::place::{Place, StackId};
use beeline_graph::{Estimate, Graph};
use cranelift_entity::EntitySet;
use std::time::{Duration, Instant};

/// What is learned of callees.
#[derive(Debug)]
pub(super) struct Callees<'a> {
    graph: Graph<'a>,
    /// The distances as nothing was learned.
    unlearned: beeline_graph::Distances,
    /// The stacks of states that were looked at.
    seen: EntitySet<StackId>,
    learned: Learned,
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
    /// What can be learned, if distances depend on it.
    pub(super) fn of(distances: &beeline_graph::Distances, graph: Graph<'a>) -> Option<Callees<'a>> {
        let depends = distances.estimate() == Estimate::Pfsm && graph.has_choices();
        depends.then(|| Callees {
            graph,
            unlearned: distances.clone(),
            seen: EntitySet::new(),
            learned: Learned::default(),
        })
    }

    /// The same after something was learned that has to be taken in again.
    pub(super) fn after(self, learned: Learned) -> Callees<'a> {
        Callees { learned, ..self }
    }
}

impl Distances<'_> {
    /// Takes in whom the open calls of a state call.
    pub(crate) fn learn(&mut self, control: &dyn Control, place: Place) {
        let Some(Callees { graph, seen, learned, .. }) = &mut self.callees else { return };
        let mut stack = place.stack;
        while seen.insert(stack) {
            let frame = control.frame(stack);
            let Some((caller, edge)) = frame.caller else { return };
            stack = caller;
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
        if let Some(Callees { unlearned, seen, .. }) = &mut self.callees {
            seen.clear();
            self.order.distances.clone_from(unlearned);
            self.order.forget_calls();
        }
    }

    /// What was learned of callees.
    pub(crate) fn learned(&self) -> Learned {
        self.callees.as_ref().map(|callees| callees.learned).unwrap_or_default()
    }
}
