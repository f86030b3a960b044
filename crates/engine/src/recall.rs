//! What an earlier search looked at, told from what it left in a file: predicates and values that it found need not be
//! found again.
//!
//! So the next search begins with a precision. That decides how much it knows from the start, never what is true.

use crate::options::Options;
use crate::place::Slot;
use crate::precision::{Knowledge, PredId};
use crate::values::Tracked;
use beeline_ir::Program;
use beeline_run::{RunFormula, RunKey, RunNode, RunRest};
use std::collections::BTreeSet;

impl Options {
    /// What a search knows that goes on from what another one left; nothing where that makes no sense in the program.
    pub fn recalled(&self, program: &Program, rest: &RunRest) -> Knowledge {
        let mut known = self.nothing_known();
        let graph = &rest.graph;
        let Ok(written) = graph.predicates_over(program) else { return known };
        let slot = |(var, level)| Slot { var, level };
        let slots: Vec<Slot> = written.slots.into_iter().map(slot).collect();
        let import = |&expr| known.predicates.add_written(program, (&written.pool, &slots), expr);
        let preds: Vec<PredId> = written.exprs.iter().map(import).collect();
        for state in graph.states.iter().filter(|state| (state.loc.as_u32() as usize) < program.num_locs()) {
            for pred in used(&graph.nodes, state.formula) {
                known.precision.add_pred(program, state.loc, preds[pred as usize]);
            }
            known.precision.track(state.values.iter().filter_map(|(key, _)| tracked(program, key)));
        }
        self.known(known)
    }
}

/// The predicates that a formula speaks of.
fn used(nodes: &[RunNode], formula: RunFormula) -> BTreeSet<u32> {
    let (mut found, mut met) = (BTreeSet::new(), BTreeSet::new());
    let mut work = vec![formula];
    while let Some(node) = work.pop().map(RunFormula::node) {
        let Some(node) = node.filter(|&node| met.insert(node)) else { continue };
        let node = &nodes[node as usize];
        found.insert(node.pred);
        work.extend([node.no, node.yes]);
    }
    found
}

/// What a precision names that of which a state knows the value, if the program has it.
fn tracked(program: &Program, key: &RunKey) -> Option<Tracked> {
    match *key {
        RunKey::Var(var, _) => program.vars.get(var).map(|_| Tracked::Var(var)),
        RunKey::Cell(region, _) => program.regions.get(region).map(|_| Tracked::Region(region)),
        RunKey::Pristine(_) => None,
    }
}
