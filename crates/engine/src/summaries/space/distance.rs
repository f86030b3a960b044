//! Distances of states in contexts.
//!
//! The distance of a state is that of its location, given the distance after the open calls. A context knows
//! the latter for the nearest call that entered it. It is stored with the context, not with its states: when
//! a nearer call enters an existing context, one number changes. With it change the ranks of the states that
//! wait there, and the distances of the contexts entered from it.

use super::{ContextId, Node, Origin, Space};
use crate::search::distance::CallDists;
use crate::state::arg::NodeId;
use crate::summaries::intraprocedural::place;
use beeline_ir::{EdgeId, FuncId, LocId};

impl Space<'_, '_> {
    /// The distance after a call from a context, for states in the callee.
    pub(in crate::summaries) fn behind_call(
        &self,
        caller: ContextId,
        edge: EdgeId,
        callee: FuncId,
    ) -> CallDists {
        let behind = self.program.edges[edge].dst;
        self.distances.behind_call(callee, behind, &self.contexts[caller].call)
    }

    /// The number of stages that executions have passed that reach a state of a context. It only affects the
    /// order: a call that enters an existing context later may have passed more.
    pub(in crate::summaries) fn passed(&self, context: ContextId, loc: LocId, origin: Origin) -> u32 {
        let of = |id: NodeId| self.nodes[id].passed;
        let before = match origin {
            Origin::Entry => self.contexts[context].opened_by.map_or(0, |(caller, _)| of(caller)),
            Origin::Block(from, _) => of(from),
            // The call that opened the context may have passed other stages before.
            Origin::Call { from, exit, .. } => {
                let opened_by = self.contexts[self.nodes[exit].context].opened_by;
                let inside = opened_by.map_or(0, |(caller, _)| of(caller))..of(exit);
                self.distances.passed_like(of(from), inside)
            }
        };
        self.distances.passed(before, loc)
    }

    /// Adds a state to the waitlist, unless no target can be reached from it for any caller.
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

    /// Updates an existing context that a call enters: if the call is nearer than those before, so are the
    /// states inside.
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
                // The state is then in the waitlist twice; the second time nothing remains to do.
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
