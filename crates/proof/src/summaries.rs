//! The check of the calls in a proof by summaries.
//!
//! A call from a state enters a context that includes the callee's entry state. For each exit state of that
//! context, a child after the call includes the state of the caller then: what the callee cannot write is as
//! it was, all else is as the exit state says, with the values at the call for its ghosts.

use crate::check::{Checker, Options, Question, Stop, report};
use crate::execute::Depth;
use crate::frame::Frames;
use crate::outcome::Report;
use crate::place::Slot;
use beeline_ir::{EdgeId, FuncId, LocId, Program};
use beeline_run::{RunCall, RunSummaries};
use std::collections::BTreeSet;

/// Checks a proof by summaries.
pub(crate) fn check(
    program: &Program,
    proof: &RunSummaries,
    targets: &BTreeSet<LocId>,
    options: &Options,
) -> Report {
    report(options, |limits| {
        let checker = Checker::of_summaries(program, proof, targets, limits);
        (Checker::outcome(checker), proof.graph.states.len())
    })
}

/// The contexts of a proof.
pub(crate) struct Contexts<'a> {
    /// The proof.
    pub proof: &'a RunSummaries,
    frames: Frames,
    /// For each context, the uncovered states at its exit.
    exits: Vec<Vec<u32>>,
}

impl<'a> Contexts<'a> {
    /// The contexts of a proof whose calls are calls of the program.
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
                return Err(format!("context {context} does not begin where its function does"));
            }
        }
        proof.calls.iter().try_for_each(|call| call_is_possible(program, proof, call))?;
        Ok(Contexts { proof, frames: Frames::new(program), exits })
    }

    /// Whether the state is the entry state of a context.
    pub(crate) fn is_entry(&self, state: usize) -> bool {
        let context = self.proof.graph.states[state].stack;
        self.proof.entries[context as usize] as usize == state
    }
}

/// Says what is wrong with a call, if it is none of the program.
fn call_is_possible(program: &Program, proof: &RunSummaries, call: &RunCall) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("a call from state {} {what}", call.state));
    let state = &proof.graph.states[call.state as usize];
    let edge = program.edges.get(call.edge).filter(|edge| edge.src == state.loc);
    let made = edge.and_then(|edge| Some((edge.dst, edge.op.as_call()?)));
    let Some((dst, made)) = made else { return wrong("is none of the program") };
    if !made.callee.functions().contains(&call.callee) {
        return wrong("calls what is not called there");
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
    if call.children.iter().all(is_behind) { Ok(()) } else { wrong("leads to a state that is not behind it") }
}

/// The locations where calls begin and functions end: blocks of contexts end there, too.
pub(crate) fn borders(program: &Program) -> impl Iterator<Item = LocId> + '_ {
    let calls = program.edges.values().filter(|edge| edge.op.as_call().is_some()).map(|edge| edge.src);
    calls.chain(program.functions.values().map(|function| function.exit))
}

impl Checker<'_> {
    /// Checks that the calls from an uncovered state lead to contexts, and from the exits of these to its
    /// children.
    pub(crate) fn calls(&mut self, index: usize, depth: Depth) -> Result<(), Stop> {
        for edge in self.program.out_edges(self.places[index].loc) {
            let Some(call) = self.program.edges[edge].op.as_call() else { continue };
            for &callee in call.callee.functions() {
                self.call(index, edge, callee, depth)?;
            }
        }
        Ok(())
    }

    fn call(&self, index: usize, edge: EdgeId, callee: FuncId, depth: Depth) -> Result<(), Stop> {
        let Some(contexts) = &self.contexts else { return Ok(()) };
        let (program, place, states) = (self.program, self.places[index], &contexts.proof.graph.states);
        let entry = program.functions[callee].entry();
        if !self.reach.in_context(program, entry) {
            return Ok(());
        }
        let calls = contexts.proof.calls_from(index as u32);
        let made = calls.iter().find(|call| (call.edge, call.callee) == (edge, callee));
        let mut executor = self.executor(index, depth);
        let (start, assumed) = self.begin(&mut executor, index)?;
        if assumed.is(false) {
            return Ok(());
        }
        let called = executor.call(start.clone(), place, edge, callee)?;
        let question = |claims, reason| Question {
            index,
            start: &start,
            assumed: &assumed,
            claims,
            block: None,
            reason,
        };
        let Some(made) = made else {
            let none = question(&[], "a function can be called in no context of the proof");
            return self.ask(&mut executor, none, called.state);
        };
        let entry = &contexts.proof.entries[made.context as usize];
        let slots = self.slots_of(*entry);
        let inside = executor.inside_at_entry(&called, &slots)?;
        let into = question(std::slice::from_ref(entry), "the context of a call does not describe its entry");
        self.ask(&mut executor, into, inside)?;
        let behind = crate::place::Place { loc: program.edges[edge].dst, ..place };
        if !self.reach.target(program, &self.stacks, behind) {
            return Ok(());
        }
        for &exit in &contexts.exits[made.context as usize] {
            let written = contexts.frames.written(callee);
            let (mut inside, after) = executor.after_exit(&called, written, &self.slots_of(exit))?;
            let described = self.descriptions.claim(&mut executor, &mut inside, &states[exit as usize])?;
            inside.guard = inside.guard.and(&described);
            let after = executor.with_result(after, place, edge, callee, &inside)?;
            let back = question(&made.children, "its children behind a call do not include what comes back");
            self.ask(&mut executor, back, after)?;
        }
        Ok(())
    }

    fn slots_of(&self, state: u32) -> BTreeSet<Slot> {
        self.descriptions.slots(&self.descriptions.proof.states[state as usize]).into_iter().collect()
    }
}
