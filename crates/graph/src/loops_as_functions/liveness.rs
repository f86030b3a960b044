//! Liveness: which variables may be read before they are written, at some locations of a function.

use beeline_ir::{EdgeId, Expr, FuncId, InEdges, LocId, Op, Program, VarId};
use cranelift_entity::EntityRef;
use std::collections::{BTreeMap, BTreeSet};

/// The edges that read each variable of a function.
pub(super) struct Liveness<'a> {
    program: &'a Program,
    func: FuncId,
    incoming: &'a InEdges,
    readers: BTreeMap<VarId, Vec<EdgeId>>,
}

impl<'a> Liveness<'a> {
    pub(super) fn new(program: &'a Program, func: FuncId, incoming: &'a InEdges) -> Liveness<'a> {
        let mut readers: BTreeMap<VarId, Vec<EdgeId>> = BTreeMap::new();
        for edge in edges_of(program, func) {
            for var in locals_read(program, &program.edges[edge].op) {
                readers.entry(var).or_default().push(edge);
            }
        }
        Liveness { program, func, incoming, readers }
    }

    /// The variables that may be read before they are written, for each of the locations.
    pub(super) fn at(
        &self,
        places: &BTreeSet<LocId>,
        vars: &BTreeSet<VarId>,
    ) -> BTreeMap<LocId, BTreeSet<VarId>> {
        let function = &self.program.functions[self.func];
        let start = function.entry().index();
        let mut live: BTreeMap<LocId, BTreeSet<VarId>> =
            places.iter().map(|&loc| (loc, BTreeSet::new())).collect();
        // The variable for which a location was visited last.
        let mut met_for: Vec<Option<VarId>> = vec![None; function.locs.len()];
        for &var in vars {
            let readers = self.readers.get(&var).into_iter().flatten();
            let mut waiting: Vec<LocId> = readers.map(|&edge| self.program.edges[edge].src).collect();
            // The caller of the function reads its result.
            waiting.extend((function.ret == Some(var)).then_some(function.exit));
            while let Some(loc) = waiting.pop() {
                if met_for[loc.index() - start].replace(var) == Some(var) {
                    continue;
                }
                if let Some(vars) = live.get_mut(&loc) {
                    vars.insert(var);
                }
                let edges = self.incoming.of(loc).iter().map(|&edge| &self.program.edges[edge]);
                waiting.extend(edges.filter(|edge| !edge.op.writes().contains(&var)).map(|edge| edge.src));
            }
        }
        live
    }
}

/// The edges of a function.
pub(super) fn edges_of(program: &Program, func: FuncId) -> impl Iterator<Item = EdgeId> {
    program.functions[func].locations().flat_map(|loc| program.out_edges(loc))
}

/// The variables of the function that an operation reads.
pub(super) fn locals_read(program: &Program, op: &Op) -> BTreeSet<VarId> {
    let nodes = program.exprs.parts(op.expressions());
    let vars = nodes.filter_map(|(_, node)| if let Expr::Var(var) = node { Some(var) } else { None });
    vars.filter(|&var| program.vars[var].owner.is_some()).collect()
}
