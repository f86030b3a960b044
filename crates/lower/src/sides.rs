//! Edges of a program that stand for the branch edges of a module: the map from a program back to LLVM.
//!
//! A branch edge is taken where the translation adds the condition of the branch, as an edge. One branch edge may have
//! several such edges, since predecessors of a block that only branches on a phi bypass the block; and one edge may
//! stand for several branch edges, one after the other. Where a branch edge is taken without a condition of its own, no
//! edge shows it: then it is unknown when it is taken.

use beeline_ir::{EdgeId, FuncId};
use beeline_module::Side;
use std::collections::BTreeMap;

/// The branch edges of all branches that were translated.
#[derive(Debug, Clone, Default)]
pub struct Sides {
    taken: Vec<(Side, Option<EdgeId>)>,
    functions: Vec<(u32, FuncId)>,
}

impl Sides {
    /// Records that a branch edge is taken with an edge, or without any if there is none.
    pub(crate) fn take(&mut self, side: Side, edge: Option<EdgeId>) {
        self.taken.push((side, edge));
    }

    /// Records that a function of the module that was read is one of the program.
    pub(crate) fn function(&mut self, function: u32, func: FuncId) {
        self.functions.push((function, func));
    }

    /// The edges that show when branch edges are taken.
    pub(crate) fn edges_mut(&mut self) -> impl Iterator<Item = &mut EdgeId> {
        self.taken.iter_mut().filter_map(|(_, edge)| edge.as_mut())
    }

    /// The functions of the module that was read that are part of the program.
    pub fn functions(&self) -> impl Iterator<Item = (u32, FuncId)> {
        self.functions.iter().copied()
    }

    /// The edges of all branch edges that are taken exactly along these edges.
    pub fn known(&self) -> BTreeMap<Side, Vec<EdgeId>> {
        let mut known: BTreeMap<Side, Option<Vec<EdgeId>>> = BTreeMap::new();
        for &(side, edge) in &self.taken {
            let edges = known.entry(side).or_insert_with(|| Some(Vec::new()));
            match edge {
                Some(edge) => edges.iter_mut().for_each(|edges| edges.push(edge)),
                None => *edges = None,
            }
        }
        known.into_iter().filter_map(|(side, edges)| Some((side, edges?))).collect()
    }
}
