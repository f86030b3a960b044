//! How near the states of contexts are to the targets.
//!
//! The distance of a state is that of its location where the open calls lead on to a target; of these a context knows the
//! nearest one that entered it. It is kept with the context, not with its states: when a nearer call enters a context that
//! is there already, one figure changes, and with it the iteration of the states that wait there and of the contexts that were
//! entered from it.

use super::{ContextId, Node, Origin, Space};
use crate::search::distance::CallDists;
use crate::state::arg::NodeId;
use crate::summaries::intraprocedural::place;
use beeline_ir::{EdgeId, FuncId, LocId};

impl Space<'_, '_> {
    /// The distance behind a call from a context, for who is in the callee.
    pub(in crate::summaries) fn behind_call(
        &self,
        caller: ContextId,
        edge: EdgeId,
        callee: FuncId,
    ) -> CallDists {
        let behind = self.program.edges[edge].dst;
        self.distances.behind_call(callee, behind, &self.contexts[caller].call)
    }

    /// How many stages executions passed that get to a state of a context. It decides about the order only: what comes later
    /// into a context that is there may have passed more.
    pub(in crate::summaries) fn passed(&self, context: ContextId, loc: LocId, origin: Origin) -> u32 {
        let of = |id: NodeId| self.nodes[id].passed;
        let before = match origin {
            Origin::Entry => self.contexts[context].opened_by.map_or(0, |(caller, _)| of(caller)),
            Origin::Block(from, _) => of(from),
            // Who opened the context may have passed others before.
            Origin::Call { from, exit, .. } => {
                let opened_by = self.contexts[self.nodes[exit].context].opened_by;
                let inside = opened_by.map_or(0, |(caller, _)| of(caller))..of(exit);
                self.distances.passed_like(of(from), inside)
            }
        };
        self.distances.passed(before, loc)
    }

    /// Lets a state wait for its turn; states from which no target can be reached, whoever called, do not wait.
    pub(in crate::summaries) fn wait(&mut self, id: NodeId) {
        let Node { loc, context, passed, .. } = self.nodes[id];
        if self.cut_points.is_target(loc) {
            self.waitlist.push_target(id);
            self.monitor.reached(0);
        } else if self.distances.whoever_called(loc).is_some() {
            let distance = self.distances.within(loc, &self.contexts[context].call, passed);
            self.waitlist.push(id, &self.control, place(self.program, loc), distance);
            self.monitor.reached(distance);
        } else {
            self.statistics.pruned += 1;
        }
    }

    /// A call enters a context that is there already: if it is nearer than those before, so are the states inside.
    pub(in crate::summaries) fn approach(&mut self, context: ContextId, call: CallDists) {
        if !self.waitlist.is_directed() {
            return;
        }
        let mut work = vec![(context, call)];
        while let Some((context, call)) = work.pop() {
            let known = &mut self.contexts[context].call;
            if known.iter().zip(&call).all(|(known, call)| call >= known) {
                continue;
            }
            known.iter_mut().zip(call).for_each(|(known, call)| *known = call.min(*known));
            for id in self.contexts[context].states.clone() {
                let node = &self.nodes[id];
                for call in &node.calls {
                    work.push((call.context, self.behind_call(context, call.edge, call.callee)));
                }
                // It waits twice then; the second time nothing is left to do.
                if !node.expanded
                    && node.covered_by.is_none()
                    && self.distances.whoever_called(node.loc).is_some()
                {
                    self.wait(id);
                }
            }
        }
    }
}
