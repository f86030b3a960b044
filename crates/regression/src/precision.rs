//! What a search of the old program tracked, for a search of the new one.

use crate::alignment::Alignment;
use crate::result::Mover;
use beeline_ir::{LocId, Program};
use beeline_run::{
    Certificate, Run, RunFormula, RunKey, RunLook, RunPrecision, RunProof, RunScope, RunTracked,
};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// The precision of an old result in the new program: of its search if nothing was decided, else what its proof speaks
/// of. It determines what a search tracks from the start, never what is true.
pub fn precision(run: &Run, (old, new): (&Program, &Program), alignment: &Alignment) -> Option<RunPrecision> {
    let mover = Mover { alignment, old, new };
    let of_proof = || {
        run.proofs.iter().find_map(|proof| match proof {
            Certificate::Graph(graph) if graph.ensures.is_empty() => Some(of_graph(graph)),
            _ => None,
        })
    };
    mover.precision(&run.precision.clone().or_else(of_proof)?)
}

/// What the states of a graph speak of.
fn of_graph(graph: &RunProof) -> RunPrecision {
    let mut by_location: BTreeMap<LocId, BTreeSet<u32>> = BTreeMap::new();
    let mut tracked: BTreeMap<RunKeyOrder, RunTracked> = BTreeMap::new();
    for state in &graph.states {
        let predicates = predicates_in(graph, state.formula);
        if !predicates.is_empty() {
            by_location.entry(state.loc).or_default().extend(predicates);
        }
        for (key, _) in &state.values {
            let (order, value) = match *key {
                RunKey::Var(var, _) => ((0, var.as_u32()), RunTracked::Var(var)),
                RunKey::Pristine(region) | RunKey::Cell(region, _) => {
                    ((1, region.as_u32()), RunTracked::Region(region))
                }
            };
            tracked.insert(order, value);
        }
    }
    let look = |(loc, predicates): (LocId, BTreeSet<u32>)| RunLook {
        scope: RunScope::Location(loc),
        predicates: predicates.into_iter().collect(),
    };
    RunPrecision {
        exprs: graph.exprs.clone(),
        predicates: graph.predicates.clone(),
        looks: by_location.into_iter().map(look).collect(),
        asked: Vec::new(),
        tracked: tracked.into_values().collect(),
        given_up: Vec::new(),
    }
}

type RunKeyOrder = (u8, u32);

/// The predicates that a formula depends on.
fn predicates_in(graph: &RunProof, formula: RunFormula) -> BTreeSet<u32> {
    let (mut found, mut met) = (BTreeSet::new(), FxHashSet::default());
    let mut waiting: Vec<u32> = formula.node().into_iter().collect();
    while let Some(node) = waiting.pop() {
        if met.insert(node) {
            let node = &graph.nodes[node as usize];
            found.insert(node.pred);
            waiting.extend([node.no, node.yes].into_iter().filter_map(RunFormula::node));
        }
    }
    found
}

impl Mover<'_> {
    fn precision(&self, precision: &RunPrecision) -> Option<RunPrecision> {
        let look = |look: &RunLook| {
            let scope = match look.scope {
                RunScope::Location(loc) => RunScope::Location(self.loc(loc)?),
                RunScope::Function(func) => RunScope::Function(self.func(func)?),
                RunScope::Program => RunScope::Program,
            };
            Some(RunLook { scope, predicates: look.predicates.clone() })
        };
        let tracked = |tracked: &RunTracked| match *tracked {
            RunTracked::Var(var) => self.var(var).map(RunTracked::Var),
            RunTracked::Region(region) => self.region(region).map(RunTracked::Region),
        };
        Some(RunPrecision {
            exprs: self.exprs(&precision.exprs)?,
            predicates: precision.predicates.clone(),
            looks: precision.looks.iter().filter_map(look).collect(),
            asked: precision.asked.iter().filter_map(|&loc| self.loc(loc)).collect(),
            tracked: precision.tracked.iter().filter_map(tracked).collect(),
            given_up: precision.given_up.iter().filter_map(tracked).collect(),
        })
    }
}
