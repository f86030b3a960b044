//! The contexts of a proof by summaries: entries, calls and exits.

use crate::frame::Frames;
use beeline_ir::{LocId, Program};
use beeline_run::{RunCall, RunSummaries};

/// The contexts of a proof.
pub(crate) struct Contexts<'a> {
    /// The proof.
    pub proof: &'a RunSummaries,
    /// What calls may write.
    pub frames: Frames,
    /// For each context, the uncovered states at its exit.
    pub exits: Vec<Vec<u32>>,
}

impl<'a> Contexts<'a> {
    /// The contexts of a proof, if its calls are calls of the program.
    pub(crate) fn new(program: &Program, proof: &'a RunSummaries) -> Result<Contexts<'a>, String> {
        let (graph, mut exits) = (&proof.graph, vec![Vec::new(); proof.entries.len()]);
        for (state, index) in graph.states.iter().zip(0..) {
            let callee = graph.stacks[state.stack as usize].callee;
            let is_exit = program.functions.get(callee).is_some_and(|function| function.exit == state.loc);
            if is_exit && state.covered_by.is_none() {
                exits[state.stack as usize].push(index);
            }
        }
        for (context, &entry) in proof.entries.iter().enumerate() {
            let function = program.functions.get(graph.stacks[context].callee);
            let begins =
                function.is_some_and(|function| function.entry() == graph.states[entry as usize].loc);
            if !begins || graph.states[entry as usize].covered_by.is_some() {
                return Err(format!("context {context} does not start at the entry of its function"));
            }
        }
        proof.calls.iter().try_for_each(|call| call_is_possible(program, proof, call))?;
        Ok(Contexts { proof, frames: Frames::new(program), exits })
    }

    /// Whether a state is the first one of a context.
    pub(crate) fn is_entry(&self, state: usize) -> bool {
        let context = self.proof.graph.states[state].stack;
        self.proof.entries[context as usize] as usize == state
    }
}

/// Checks that a call of a proof is a call of the program.
fn call_is_possible(program: &Program, proof: &RunSummaries, call: &RunCall) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("a call from state {} {what}", call.state));
    let state = &proof.graph.states[call.state as usize];
    let edge = program.edges.get(call.edge).filter(|edge| edge.src == state.loc);
    let made = edge.and_then(|edge| Some((edge.dst, edge.op.as_call()?)));
    let Some((dst, made)) = made else { return wrong("does not exist in the program") };
    if !made.callee.functions().contains(&call.callee) {
        return wrong("names a function that is not called there");
    }
    if proof.graph.stacks[call.context as usize].callee != call.callee {
        return wrong("enters a context of another function");
    }
    if call.context == 0 {
        return wrong("enters the context of the start of the program");
    }
    let is_behind = |child: &u32| {
        let behind = &proof.graph.states[*child as usize];
        behind.loc == dst && behind.stack == state.stack && !proof.entries.contains(child)
    };
    if call.children.iter().all(is_behind) {
        Ok(())
    } else {
        wrong("leads to a state that does not follow it")
    }
}

/// The locations where calls begin and functions end: blocks of contexts end there, too.
pub(crate) fn borders(program: &Program) -> impl Iterator<Item = LocId> + '_ {
    let calls = program.edges.values().filter(|edge| edge.op.as_call().is_some()).map(|edge| edge.src);
    calls.chain(program.functions.values().map(|function| function.exit))
}
