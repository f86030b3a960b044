//! What proofs say of functions as contracts: what a function requires and what it ensures.

use crate::formulas::Formulas;
use crate::names::Names;
use crate::{RunFormula, RunProof, RunState, RunSummaries};
use beeline_ir::FuncId;
use std::collections::BTreeMap;

/// What is known of a function in a context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contract {
    /// The function.
    pub function: String,
    /// Its parameters.
    pub parameters: Vec<String>,
    /// What holds at its entry.
    pub requires: String,
    /// What holds at its exit, where `old` is what was there at the entry.
    pub ensures: String,
}

/// What a graph says that functions ensure, whatever they are given.
pub fn ensured(graph: &RunProof, names: &Names<'_>) -> Vec<Contract> {
    let formulas = Formulas::new(graph, names);
    let mut of_functions: BTreeMap<FuncId, Vec<&str>> = BTreeMap::new();
    for ensures in &graph.ensures {
        of_functions.entry(ensures.func).or_default().push(&formulas.predicates()[ensures.pred as usize]);
    }
    let contract = |(func, ensures): (FuncId, Vec<&str>)| Contract {
        function: names.function(func),
        parameters: names.parameters(func),
        requires: "true".into(),
        ensures: ensures.join(" and "),
    };
    of_functions.into_iter().map(contract).collect()
}

/// The contracts of a proof, one for each context.
pub fn contracts(summaries: &RunSummaries, names: &Names<'_>) -> Vec<Contract> {
    let graph = &summaries.graph;
    let formulas = Formulas::new(graph, names);
    let says = |state: &RunState| {
        let mut parts = names.known(&state.values);
        if state.formula != RunFormula::TRUE || parts.is_empty() {
            parts.push(formulas.text(state.formula));
        }
        parts.join(" and ")
    };
    let contexts = graph.stacks.iter().zip(&summaries.entries).zip(0..);
    contexts
        .map(|((stack, &entry), context)| {
            let is_exit = |state: &&RunState| {
                let exit = names.program.and_then(|program| program.functions.get(stack.callee));
                state.stack == context
                    && state.covered_by.is_none()
                    && exit.is_some_and(|function| function.exit == state.loc)
            };
            let exits: Vec<String> = graph.states.iter().filter(is_exit).map(says).collect();
            Contract {
                function: names.function(stack.callee),
                parameters: names.parameters(stack.callee),
                requires: says(&graph.states[entry as usize]),
                // Where no target can be reached from the exit, the proof need not have one.
                ensures: if exits.is_empty() { "true".into() } else { exits.join(" or ") },
            }
        })
        .collect()
}
