//! Locations where the states of a proof cover all executions that reach them.
//!
//! A proof says nothing of executions from which no target can be reached any more: a function may be called
//! again after the last target. An invariant is about these executions, too.

use beeline_graph::{Distances, Estimate, Graph, Metric, Targets};
use beeline_ir::{FuncId, LocId, Program};
use cranelift_entity::SecondaryMap;

/// The locations from which targets can be reached, for all callers.
#[derive(Debug)]
pub(crate) struct Explored {
    distances: Distances,
    /// Functions after all of whose calls a target can be reached.
    always: SecondaryMap<FuncId, bool>,
}

impl Explored {
    /// The locations for a proof about all targets of a program.
    pub(crate) fn new(program: &Program) -> Explored {
        let targets = Targets::all(program);
        let distances = Distances::new(&Graph::new(program), Metric::BasicBlocks, Estimate::Efca, targets);
        let mut explored = Explored { distances, always: SecondaryMap::with_default(true) };
        // Nothing comes after the program.
        explored.always[program.entry] = false;
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for edge in program.edges.values() {
                let callees = edge.op.as_call().map_or(&[][..], |call| call.callee.functions());
                if explored.is_wholly(program.function_of(edge.src), edge.dst) {
                    continue;
                }
                for &callee in callees {
                    changed |= std::mem::take(&mut explored.always[callee]);
                }
            }
        }
        explored
    }

    /// Whether a target can be reached from a location of a function, for all callers.
    pub(crate) fn is_wholly(&self, func: FuncId, loc: LocId) -> bool {
        let inside = self.distances.abs_dist(0, loc).is_finite();
        inside || self.always[func] && self.distances.exit_dist(loc).is_finite()
    }
}
