//! How near the states of contexts are to the targets.
//!
//! The distance of a state is that of its location where the open calls lead on to a target; of these a context knows the
//! nearest one that entered it. It is kept with the context, not with its states: when a nearer call enters a context that
//! is there already, one figure changes, and with it the turn of the states that wait there and of the contexts that were
//! entered from it.

use super::space::{ContextId, Space};
use super::within::place;
use crate::arg::NodeId;
use crate::distance::Dist;
use beeline_ir::{EdgeId, FuncId};

impl Space<'_, '_> {
    /// The distance behind a call from a context, for who is in the callee.
    pub(super) fn behind_call(&self, caller: ContextId, edge: EdgeId, callee: FuncId) -> Dist {
        let behind = self.program.edges[edge].dst;
        self.distances.behind_call(callee, behind, self.contexts[caller].call)
    }

    /// Lets a state wait for its turn; states from which no target can be reached, whoever called, do not wait.
    pub(super) fn wait(&mut self, id: NodeId) {
        let (loc, call) = (self.nodes[id].loc, self.contexts[self.nodes[id].context].call);
        if self.cut_points.is_target(loc) {
            self.waitlist.push_target(id);
            self.monitor.reached(0);
        } else if self.distances.whoever_called(loc).is_some() {
            let distance = self.distances.within(loc, call);
            self.waitlist.push(id, &self.control, place(self.program, loc), distance);
            self.monitor.reached(distance);
        } else {
            self.statistics.pruned += 1;
        }
    }

    /// A call enters a context that is there already: if it is nearer than those before, so are the states inside.
    pub(super) fn approach(&mut self, context: ContextId, call: Dist) {
        if !self.waitlist.is_directed() {
            return;
        }
        let mut work = vec![(context, call)];
        while let Some((context, call)) = work.pop() {
            if call >= self.contexts[context].call {
                continue;
            }
            self.contexts[context].call = call;
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
