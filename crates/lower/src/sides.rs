//! Which edges of a program stand for the sides of a module's branches: the way back from a program to LLVM.
//!
//! A side is taken where the translation adds the condition of the branch, as an edge. There may be several such
//! edges for one side, since what comes to a block that only branches on a phi is led past it; and one edge may stand
//! for several sides, one after the other. Where a side is taken without a condition of its own, there is no edge to say
//! so: then nothing is known of when it is taken.

use beeline_ir::{EdgeId, FuncId};
use beeline_llvm::cut::Side;
use std::collections::BTreeMap;

/// The sides of all branches that were translated.
#[derive(Debug, Clone, Default)]
pub struct Sides {
    taken: Vec<(Side, Option<EdgeId>)>,
    functions: Vec<(u32, FuncId)>,
}

impl Sides {
    /// A side is taken with an edge; or without any, if there is none.
    pub(crate) fn take(&mut self, side: Side, edge: Option<EdgeId>) {
        self.taken.push((side, edge));
    }

    /// A function of the module that was read is one of the program.
    pub(crate) fn function(&mut self, function: u32, func: FuncId) {
        self.functions.push((function, func));
    }

    /// The edges by which it was said when sides are taken.
    pub(crate) fn edges_mut(&mut self) -> impl Iterator<Item = &mut EdgeId> {
        self.taken.iter_mut().filter_map(|(_, edge)| edge.as_mut())
    }

    /// The functions of the module that was read that are part of the program.
    pub fn functions(&self) -> impl Iterator<Item = (u32, FuncId)> {
        self.functions.iter().copied()
    }

    /// The edges of all sides that are taken along these edges, and not otherwise.
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
