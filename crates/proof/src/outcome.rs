//! What a check says.

use crate::place::Place;
use beeline_ir::{EdgeId, Program};
use std::time::Duration;

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The proof shows that no execution reaches a target.
    Valid,
    /// It does not.
    Invalid(Box<Fault>),
    /// It may or may not: something was not decided.
    Unchecked(String),
}

/// What is wrong with a proof.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fault {
    /// In a sentence.
    pub reason: String,
    /// The state of the proof.
    pub state: Option<usize>,
    /// Where that state is, for people.
    pub place: Option<String>,
    /// The way from there that the proof does not account for; the last edge is where it leaves it.
    pub edges: Vec<EdgeId>,
    /// Is there a model?
    pub model: bool,
    /// Values of variables at the state.
    pub before: Vec<(String, String)>,
    /// Values of variables at the end of the way.
    pub after: Vec<(String, String)>,
}

impl Fault {
    /// A proof that makes no sense.
    pub(crate) fn of_form(reason: String) -> Fault {
        Fault { reason, ..Fault::default() }
    }

    /// Something wrong with a state.
    pub(crate) fn of_state(program: &Program, index: usize, place: Place, reason: String) -> Fault {
        Fault { state: Some(index), ..Fault::at(program, place, reason) }
    }

    /// Something wrong at a place.
    pub(crate) fn at(program: &Program, place: Place, reason: String) -> Fault {
        let function = &program.functions[program.function_of(place.loc)];
        let line = program.out_edges(place.loc).find_map(|edge| program.edges[edge].span);
        let mut text = format!("{}:{}", function.name, program.label(place.loc));
        if let Some(span) = line {
            text = format!("{text} ({})", program.show_span(span));
        }
        Fault { reason, place: Some(text), ..Fault::default() }
    }
}

/// An answer with figures.
#[derive(Debug, Clone)]
pub struct Report {
    /// The answer.
    pub outcome: Outcome,
    /// States of the proof, or places that were unrolled.
    pub states: usize,
    /// Questions to the solver.
    pub queries: u64,
    /// Time.
    pub time: Duration,
}
