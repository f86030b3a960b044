//! Open edges of a program: those that an execution may take on a path to an open target.
//!
//! As long as residual conditions exclude something of an execution, it is followed with its labels. From an
//! open state on, it may follow all edges. Edges that lead to no target are not open either.

use crate::walk::Walk;
use beeline_ir::{EdgeId, FuncId, LocId};
use rustc_hash::FxHashSet;

/// The open part of a program.
#[derive(Debug, Clone, Default)]
pub struct OpenEdges {
    /// The edges, those of calls among them.
    pub edges: FxHashSet<EdgeId>,
    /// The functions that are entered.
    pub functions: FxHashSet<FuncId>,
}

impl OpenEdges {
    /// What residual conditions leave open.
    pub fn of(walk: &Walk<'_>) -> OpenEdges {
        let (program, near, behind) = (walk.program, &walk.near, walk.behind());
        let mut open = OpenEdges::on_the_way(walk);
        let is_open = |loc: &LocId| behind.contains(loc) && near.contains(loc);
        for (id, edge) in program.edges.iter().filter(|(_, edge)| is_open(&edge.src)) {
            let leads = |loc: LocId| near.contains(&loc);
            let callees = edge.op.as_call().map_or(&[][..], |call| call.callee.functions());
            if leads(edge.dst) || callees.iter().any(|&callee| leads(program.functions[callee].entry())) {
                open.edges.insert(id);
            }
        }
        let functions = program.functions.iter();
        let entered = functions.filter(|(_, function)| is_open(&function.entry())).map(|(id, _)| id);
        open.functions.extend(entered);
        open
    }

    /// The edges and functions on the paths to where everything is open.
    fn on_the_way(walk: &Walk<'_>) -> OpenEdges {
        let mut found = OpenEdges::default();
        for (index, steps) in walk.steps.iter().enumerate().filter(|&(index, _)| walk.leads[index]) {
            found.edges.extend(steps.iter().filter(|step| walk.leads_on(step.1)).map(|step| step.0));
            let function = walk.function(index);
            if walk.places[index].loc == walk.program.functions[function].entry() {
                found.functions.insert(function);
            }
        }
        found
    }
}
