//! Locals of the IR that may be read before they are written.

use beeline_ir::{Expr, FuncId, LocId, Program, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The variables of a function, without parameters, that are read on some path before they are written.
pub(super) fn unset(program: &Program, func: FuncId) -> Vec<VarId> {
    let function = &program.functions[func];
    let locals: FxHashSet<VarId> = function.ret.iter().chain(&function.locals).copied().collect();
    let mut live: FxHashMap<LocId, FxHashSet<VarId>> = FxHashMap::default();
    live.insert(function.exit, function.ret.iter().copied().collect());
    loop {
        let mut more = false;
        for loc in function.locations().rev() {
            let mut here = live.get(&loc).cloned().unwrap_or_default();
            let before = here.len();
            for edge in program.out_edges(loc) {
                let edge = &program.edges[edge];
                let writes = edge.op.writes();
                let behind = live.get(&edge.dst).into_iter().flatten();
                here.extend(behind.filter(|var| !writes.contains(var)).copied());
                for (_, node) in program.exprs.parts(edge.op.expressions()) {
                    if let Expr::Var(var) = node
                        && locals.contains(&var)
                    {
                        here.insert(var);
                    }
                }
            }
            more |= here.len() != before;
            live.insert(loc, here);
        }
        if !more {
            let mut found: Vec<VarId> =
                live.remove(&function.entry()).unwrap_or_default().into_iter().collect();
            found.sort();
            return found;
        }
    }
}
