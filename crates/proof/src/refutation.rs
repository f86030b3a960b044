//! What a model shows that refutes a claim of the proof: the steps of an execution, and the values before and after
//! them.

use crate::block::Block;
use crate::checker::{Checker, Doubt};
use crate::describe::{show_slot, show_value};
use crate::execute::Executor;
use crate::outcome::Fault;
use crate::place::{Slot, Stack};
use crate::state::State;
use crate::truth::Truth;
use beeline_ir::EdgeId;
use beeline_smt::Model;
use std::collections::BTreeSet;

impl Checker<'_> {
    /// The fault that a model of a doubt shows.
    pub(crate) fn fault(&self, executor: &Executor<'_>, doubt: &Doubt<'_>, model: &Model) -> Fault {
        let Doubt { question, state: end, .. } = doubt;
        let proof = self.descriptions.proof;
        let mut fault = Fault::of_state(
            self.program,
            question.index,
            self.places[question.index],
            format!("state {}: {}", question.index, question.reason),
        );
        let mut slots: BTreeSet<Slot> = end.vars.keys().copied().collect();
        let mut described = vec![&proof.states[question.index]];
        described.extend(question.claims.iter().map(|&claim| &proof.states[claim as usize]));
        described.iter().for_each(|state| slots.extend(self.descriptions.slots(state)));
        fault.model = true;
        fault.before =
            self.values(executor, question.start, model, self.places[question.index].stack, &slots);
        if let Some((block, node)) = question.block {
            fault.edges = way(block, node, &executor.taken, model);
            fault.after = self.values(executor, end, model, block.nodes[node].stack, &slots);
        }
        fault
    }

    /// The values of those slots that exist, in a model.
    fn values(
        &self,
        executor: &Executor<'_>,
        state: &State,
        model: &Model,
        stack: Stack,
        slots: &BTreeSet<Slot>,
    ) -> Vec<(String, String)> {
        let mut values = Vec::new();
        for &slot in slots.iter().filter(|&&slot| self.stacks.is_live(self.program, stack, slot)) {
            let value = executor
                .slot(state, slot)
                .ok()
                .and_then(|sym| sym.value().cloned().or_else(|| model.value(&sym.term().ok()?)));
            if let Some(value) = value {
                values.push((show_slot(self.program, slot), show_value(&value)));
            }
        }
        values
    }
}

/// The edges that a model takes to an end of a block.
fn way(block: &Block, end: usize, taken: &[(usize, Truth)], model: &Model) -> Vec<EdgeId> {
    let mut edges = Vec::new();
    let mut node = end;
    // Backwards: the model takes one of the paths to the end.
    for (index, guard) in taken.iter().rev() {
        let edge = block.edges[*index];
        if edge.dst == node && guard.formula().and_then(|guard| model.truth(&guard)) == Some(true) {
            edges.push(edge.step.edge());
            node = edge.src;
        }
    }
    edges.reverse();
    edges
}
