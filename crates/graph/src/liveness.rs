//! Liveness: where the variables of a function may be read before they are written.

use beeline_ir::{EdgeId, Expr, FuncId, InEdges, LocId, Op, Program, VarId};
use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The edges that read each variable of a function.
#[derive(Debug)]
pub struct Liveness {
    func: FuncId,
    readers: FxHashMap<VarId, Vec<EdgeId>>,
}

impl Liveness {
    /// Finds these edges.
    pub fn new(program: &Program, func: FuncId) -> Liveness {
        let mut readers: FxHashMap<VarId, Vec<EdgeId>> = FxHashMap::default();
        for edge in edges_of(program, func) {
            for var in locals_read(program, &program.edges[edge].op) {
                readers.entry(var).or_default().push(edge);
            }
        }
        Liveness { func, readers }
    }

    /// The locations of the function at which the variable may be read before it is written. The caller reads the
    /// variable of the result at the exit.
    pub fn locations(&self, program: &Program, incoming: &InEdges, var: VarId) -> Vec<LocId> {
        let function = &program.functions[self.func];
        let start = function.entry().index();
        let mut is_live = vec![false; function.locs.len()];
        let readers = self.readers.get(&var).into_iter().flatten();
        let mut waiting: Vec<LocId> = readers.map(|&edge| program.edges[edge].src).collect();
        waiting.extend((function.ret == Some(var)).then_some(function.exit));
        let mut live = Vec::new();
        while let Some(loc) = waiting.pop() {
            if std::mem::replace(&mut is_live[loc.index() - start], true) {
                continue;
            }
            live.push(loc);
            let edges = incoming.of(loc).iter().map(|&edge| &program.edges[edge]);
            waiting.extend(edges.filter(|edge| !edge.op.writes().contains(&var)).map(|edge| edge.src));
        }
        live
    }

    /// The variables that may be read before they are written, for each of the locations.
    pub(crate) fn at(
        &self,
        program: &Program,
        incoming: &InEdges,
        places: &BTreeSet<LocId>,
        vars: &BTreeSet<VarId>,
    ) -> BTreeMap<LocId, BTreeSet<VarId>> {
        let mut live: BTreeMap<LocId, BTreeSet<VarId>> =
            places.iter().map(|&loc| (loc, BTreeSet::new())).collect();
        for &var in vars {
            for loc in self.locations(program, incoming, var) {
                if let Some(vars) = live.get_mut(&loc) {
                    vars.insert(var);
                }
            }
        }
        live
    }
}

/// The edges of a function.
pub(crate) fn edges_of(program: &Program, func: FuncId) -> impl Iterator<Item = EdgeId> {
    program.functions[func].locations().flat_map(|loc| program.out_edges(loc))
}

/// The variables of the function that an operation reads.
pub(crate) fn locals_read(program: &Program, op: &Op) -> BTreeSet<VarId> {
    let nodes = program.exprs.parts(op.expressions());
    let vars = nodes.filter_map(|(_, node)| if let Expr::Var(var) = node { Some(var) } else { None });
    vars.filter(|&var| program.vars[var].owner.is_some()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_is_live_from_a_write_to_the_last_read() {
        let text = "beeline 1.0
fn main(x: i32) -> r: i32 {
  L0: x := x + 1
  L1: r := x
  L2: if x == 0 goto L3 else L4
  L3: r := 2
  L4: exit
}
";
        let program = beeline_ir::text::parse(text).unwrap();
        let function = &program.functions[program.entry];
        let (liveness, incoming) = (Liveness::new(&program, program.entry), program.in_edges());
        let at = |var| {
            let live = liveness.locations(&program, &incoming, var).into_iter();
            let mut live: Vec<u32> = live.map(|loc| loc.as_u32() - function.entry().as_u32()).collect();
            live.sort_unstable();
            live
        };
        assert_eq!(at(function.params[0]), [0, 1, 2]);
        // The caller reads the result.
        assert_eq!(at(function.ret.unwrap()), [2, 4]);
    }
}
