//! Contracts of functions, as proofs state them: what a function requires and what it ensures.

use crate::formulas::Formulas;
use crate::names::Names;
use crate::{AT_ENTRY, RunExpr, RunFormula, RunKey, RunProof, RunState, RunSummaries};
use beeline_ir::{FuncId, Outlined};
use std::collections::BTreeMap;
use std::fmt;

/// The contract of a function in a context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contract {
    /// The function.
    pub function: String,
    /// Its parameters.
    pub parameters: Vec<String>,
    /// What holds at its entry.
    pub requires: String,
    /// What holds at its exit, where `old` is the value at the entry.
    pub ensures: String,
}

/// The postconditions in a graph, which hold for all arguments.
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
    let begins = at_entries(graph);
    let (formulas, at_entry) = (Formulas::new(graph, names), Formulas::new(&begins, names));
    let contexts = graph.stacks.iter().zip(&summaries.entries).zip(0..);
    let outlined = names.program.map(Outlined::new).unwrap_or_default();
    contexts
        .map(|((stack, &entry), context)| {
            let entry = without_handed_back(&begins.states[entry as usize], &outlined, None);
            let exit = names.program.and_then(|program| program.functions.get(stack.callee));
            let is_exit = |state: &&RunState| {
                state.stack == context
                    && state.covered_by.is_none()
                    && exit.is_some_and(|function| function.exit == state.loc)
            };
            let exits: Vec<String> = (graph.states.iter().filter(is_exit))
                .map(|state| {
                    let state =
                        without_handed_back(&state_behind(state, names), &outlined, Some(stack.callee));
                    says(&state, &formulas, names)
                })
                .collect();
            let ensures = match exit {
                // The program is needed to determine which states are exits.
                None => "unknown without the program".into(),
                // Where no target can be reached from the exit, the proof need not have one.
                Some(_) if exits.is_empty() => "true".into(),
                Some(_) => exits.join(" or "),
            };
            Contract {
                function: names.function(stack.callee),
                parameters: names.parameters(stack.callee),
                requires: says(&entry, &at_entry, names),
                ensures,
            }
        })
        .collect()
}

/// A graph in which ghosts equal the current values, as they do at the entries of functions.
fn at_entries(graph: &RunProof) -> RunProof {
    let mut graph = graph.clone();
    for expr in &mut graph.exprs {
        if let RunExpr::Var(_, level @ AT_ENTRY) = expr {
            *level = 0;
        }
    }
    for (key, _) in graph.states.iter_mut().flat_map(|state| &mut state.values) {
        if let RunKey::Var(_, level @ AT_ENTRY) = key {
            *level = 0;
        }
    }
    graph
}

/// The part of an exit state that is visible after a call: of the function's variables only its result, and
/// none of the values it was given, which are part of what it requires.
fn state_behind(exit: &RunState, names: &Names<'_>) -> RunState {
    let is_behind = |key: &RunKey| match *key {
        RunKey::Var(_, AT_ENTRY) => false,
        RunKey::Var(var, _) => names.is_global(var) || names.is_result(var),
        RunKey::Pristine(_) | RunKey::Cell(..) => true,
    };
    let values = exit.values.iter().filter(|(key, _)| is_behind(key)).cloned().collect();
    RunState { values, ..exit.clone() }
}

/// A state without the values of the globals in which outlined loops hand back results, except those of one
/// loop: the others are zero there.
fn without_handed_back(state: &RunState, outlined: &Outlined, but: Option<FuncId>) -> RunState {
    let is_told = |key: &RunKey| match *key {
        RunKey::Var(var, _) => outlined.handed_back_by(var).is_none_or(|func| but == Some(func)),
        RunKey::Pristine(_) | RunKey::Cell(..) => true,
    };
    let values = state.values.iter().filter(|(key, _)| is_told(key)).cloned().collect();
    RunState { values, ..state.clone() }
}

fn says(state: &RunState, formulas: &Formulas, names: &Names<'_>) -> String {
    let mut parts = names.known(&state.values);
    if state.formula != RunFormula::TRUE || parts.is_empty() {
        parts.push(formulas.text(state.formula));
    }
    parts.join(" and ")
}

impl fmt::Display for Contract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Contract { function, parameters, requires, ensures } = self;
        write!(f, "{function}({}): requires {requires}, ensures {ensures}", parameters.join(", "))
    }
}
