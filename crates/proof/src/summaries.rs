//! The check of the calls in a proof by summaries.
//!
//! A call from a state enters a context that includes the callee's entry state. For each exit state of that
//! context, a child after the call includes the state of the caller then: what the callee cannot write is as
//! it was, all else is as the exit state says, with the values at the call for its ghosts.

use crate::checker::{Checker, Question, Stop};
use crate::execute::Depth;
use crate::options::{Options, report};
use crate::outcome::Report;
use crate::place::Slot;
use beeline_ir::{EdgeId, FuncId, LocId, Program};
use beeline_run::RunSummaries;
use std::collections::BTreeSet;

/// Checks a proof by summaries.
pub(crate) fn check(
    program: &Program,
    proof: &RunSummaries,
    targets: &BTreeSet<LocId>,
    options: &Options,
) -> Report {
    report(options, |judge| {
        let checker = Checker::of_summaries(program, proof, targets, judge);
        let checker = checker.map(|checker| checker.accounting(options.account.as_ref()));
        (Checker::outcome(checker), proof.graph.states.len())
    })
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
        let unlisted = self.unlisted(&executor, index, &start, &assumed)?;
        self.settle(&executor, &unlisted)?;
        let question = |claims, reason| Question {
            index,
            start: &start,
            assumed: &assumed,
            claims,
            block: None,
            reason,
        };
        let Some(made) = made else {
            let none = question(&[], "a called function has no context in the proof");
            return self.ask(&mut executor, none, called.state);
        };
        let entry = &contexts.proof.entries[made.context as usize];
        let slots = self.slots_of(*entry);
        let inside = executor.inside_at_entry(&called, &slots)?;
        let into = question(std::slice::from_ref(entry), "the context of a call does not include its entry");
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
            let back = question(
                &made.children,
                "its successors after a call do not include the exits of the callee",
            );
            self.ask(&mut executor, back, after)?;
        }
        Ok(())
    }

    fn slots_of(&self, state: u32) -> BTreeSet<Slot> {
        self.descriptions.slots(&self.descriptions.proof.states[state as usize]).into_iter().collect()
    }
}
