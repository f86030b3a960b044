//! Contracts of functions in ACSL, from a proof by summaries.
//!
//! A context describes the states at the entry of its function and at the exit. A function requires the entry
//! condition of one of its contexts, and ensures that one of them holds at entry and exit. Facts that C
//! cannot express are dropped on both sides, which weakens both the precondition and the postcondition.

use crate::explored::Explored;
use crate::facts::{Facts, Said, Scope, both, joined};
use crate::point::Point;
use crate::unit::Unit;
use beeline_ir::{FuncId, Program};
use beeline_run::{RunState, RunSummaries};

/// The contract of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contract {
    /// The declaration.
    pub point: Point,
    /// The precondition, if C can express it.
    pub requires: Option<String>,
    /// The postcondition; `\old(n)` is a value at the call.
    pub ensures: Option<String>,
}

impl Facts<'_> {
    /// The contracts of the functions of a C file.
    pub(crate) fn contracts(&mut self, summaries: &RunSummaries, explored: &Explored) -> Vec<Contract> {
        let functions: Vec<FuncId> = self.declared.functions.keys().collect();
        functions.into_iter().filter_map(|func| self.contract(func, summaries, explored)).collect()
    }

    /// The contract of a function, if C can express it and it is not trivial.
    fn contract(&mut self, func: FuncId, summaries: &RunSummaries, explored: &Explored) -> Option<Contract> {
        let function = &self.declared.functions[func];
        // Calls from which no target is reached are in no context.
        if func == self.declared.entry || !explored.is_wholly(func, function.entry()) {
            return None;
        }
        let point = declared_at(self.declared, func, self.unit)?;
        let (mut required, mut ensured) = (Vec::new(), Vec::new());
        let contexts = (summaries.graph.stacks.iter().zip(&summaries.entries).zip(0..))
            .filter(|((stack, _), _)| stack.callee == func);
        for ((_, &entry), context) in contexts {
            let entry = &summaries.graph.states[entry as usize];
            required.push(self.state(entry, Scope::Entry(func)));
            let is_exit = |state: &&RunState| {
                state.loc == function.exit && state.stack == context && state.covered_by.is_none()
            };
            let exits: Vec<&RunState> = summaries.graph.states.iter().filter(is_exit).collect();
            let exits = exits.into_iter().map(|exit| self.state(exit, Scope::Exit(func))).collect();
            let called = self.state(entry, Scope::Called(func));
            ensured.push((called, joined(exits)));
        }
        let is_ensured = explored.is_wholly(func, function.exit);
        let ensured = match <[_; 1]>::try_from(ensured) {
            // The precondition has the entry condition of the only context already.
            Ok([(_, exit)]) => vec![exit],
            Err(ensured) => ensured.into_iter().map(|(called, exit)| both(called, exit)).collect(),
        };
        let text = |said| if let Said::Text(text) = said { Some(text) } else { None };
        let (requires, ensures) = (text(joined(required)), text(joined(ensured)).filter(|_| is_ensured));
        (requires.is_some() || ensures.is_some()).then_some(Contract { point, requires, ensures })
    }
}

/// The declaration of a function whose body is in a file: the last line with its name before a parenthesis,
/// up to the first place of the body.
fn declared_at(program: &Program, func: FuncId, unit: &Unit) -> Option<Point> {
    let function = &program.functions[func];
    let spans = function.locations().flat_map(|loc| program.out_edges(loc));
    let first = spans.filter_map(|edge| unit.number(program, program.edges[edge].span?)).min()?;
    let is_declared = |text: &str| {
        let behind = text.match_indices(&function.name).find_map(|(at, name)| {
            let is_word = !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
            is_word.then_some(&text[at + name.len()..])
        });
        behind.is_some_and(|behind| behind.trim_start().starts_with('('))
    };
    let line = (1..=first).rev().find(|&line| unit.line(line).is_some_and(is_declared))?;
    let text = unit.line(line)?;
    let column = u32::try_from(text.len() - text.trim_start().len() + 1).ok();
    Some(Point { function: Some(function.name.clone()), line, column })
}
