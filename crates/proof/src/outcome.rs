//! The outcome of a check.

use crate::judge::Certified;
use crate::place::Place;
use beeline_ir::{EdgeId, Program};
use std::time::Duration;

/// The answer of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The proof shows that no execution reaches a target.
    Valid,
    /// The proof does not show it.
    Invalid(Box<Fault>),
    /// A question was not decided.
    Unchecked(String),
}

/// A fault of a proof.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fault {
    /// The fault in a sentence.
    pub reason: String,
    /// The state of the proof.
    pub state: Option<usize>,
    /// The place of that state as readable text.
    pub place: Option<String>,
    /// The path from there that the proof does not account for. At its last edge it leaves the proof.
    pub edges: Vec<EdgeId>,
    /// Whether there is a model.
    pub model: bool,
    /// Values of variables at the state.
    pub before: Vec<(String, String)>,
    /// Values of variables at the end of the path.
    pub after: Vec<(String, String)>,
}

impl Fault {
    /// The fault of a proof that is not well-formed.
    pub(crate) fn of_form(reason: String) -> Fault {
        Fault { reason, ..Fault::default() }
    }

    /// A fault of a state.
    pub(crate) fn of_state(program: &Program, index: usize, place: Place, reason: String) -> Fault {
        Fault { state: Some(index), ..Fault::at(program, place, reason) }
    }

    /// A fault at a place.
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
    /// The number of states of the proof, or of unrolled places.
    pub states: usize,
    /// The number of queries to the solver.
    pub queries: u64,
    /// The time of the check.
    pub time: Duration,
    /// What of the proof was certified, if that was wanted.
    pub certified: Option<Certified>,
}

impl Report {
    /// The report without a check.
    pub fn unchecked(why: String, time: Duration) -> Report {
        Report { outcome: Outcome::Unchecked(why), states: 0, queries: 0, time, certified: None }
    }
}
