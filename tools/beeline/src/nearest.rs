//! How near a search came to a place of which it does not know whether executions get there.

use crate::answer::{Answer, Word};
use beeline_graph::{Annotation, Dist, Distances, Metric};
use beeline_ir::{LocId, Program, file};
use beeline_run::{RunKey, RunProof, RunRest, RunState};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

/// The variable that counts, in marked bitcode, how many places of a sequence were passed.
const PASSED: &str = "beeline_passed";

/// The nearest approach to the last place of a sequence.
pub(crate) struct Nearest {
    /// How many places the search passed at most, if it saw to that.
    passed: Option<usize>,
    /// The place from which the way to the last one is shortest, of those with so many places passed.
    at: Option<String>,
    /// Why the search went no further.
    why: String,
}

impl Nearest {
    /// What the open parts of a search show, if it has no answer; the files of the run are in a folder.
    pub(crate) fn read(folder: &Path, answer: &Answer) -> Result<Option<Nearest>, String> {
        if answer.word() != Word::Unknown {
            return Ok(None);
        }
        let why = answer.remark();
        let Some((program, run)) = &answer.result else {
            return Ok(Some(Nearest { passed: None, at: None, why }));
        };
        let path = folder.join(format!("{}.dist", answer.job.name));
        let annotation = file::read::<Annotation>(path).map_err(|error| error.to_string())?.body;
        let distances = annotation.in_metric(Metric::Statements);
        let nearest = run.rests.last().zip(distances);
        let (passed, at) =
            nearest.map_or((None, None), |(rest, distances)| nearest_of(program, rest, distances));
        Ok(Some(Nearest { passed, at, why }))
    }

    /// For a person.
    pub(crate) fn text(&self, places: &[String]) -> String {
        let mut text = String::from("How near the search came:\n");
        match self.passed.filter(|_| places.len() > 1) {
            Some(passed) => {
                let next = places.get(passed).map_or("", String::as_str);
                let _ = writeln!(
                    text,
                    "  passed in order: {passed} of {} places; the next one is {next}",
                    places.len()
                );
            }
            None if places.len() > 1 => {
                let _ = writeln!(text, "  which places were passed in order before was not looked at");
            }
            None => {}
        }
        if let Some(at) = &self.at {
            let _ = writeln!(text, "  nearest: {at}");
        }
        let _ = writeln!(text, "  ended because: {}", self.why);
        text
    }

    /// For programs.
    pub(crate) fn object(&self, places: &[String]) -> Value {
        let next = self.passed.and_then(|passed| places.get(passed));
        json!({ "passed": self.passed, "next": next, "at": self.at, "ended": self.why })
    }
}

/// How many places were passed at most, and where the search came nearest to the last one after that.
fn nearest_of(program: &Program, rest: &RunRest, distances: &Distances) -> (Option<usize>, Option<String>) {
    let states = &rest.graph.states;
    let passed = states.iter().filter_map(|state| passed(program, state)).max();
    let calls = calls(program, &rest.graph, distances);
    let known = states.iter().filter(|state| self::passed(program, state) == passed);
    let near = known.filter_map(|state| {
        let dist = distances.dist(0, state.loc, calls[state.stack as usize]).steps()?;
        Some((dist, line(program, state.loc)?))
    });
    (passed, near.min().map(|(_, at)| at))
}

/// How many places executions in a state have passed, if the search knows.
fn passed(program: &Program, state: &RunState) -> Option<usize> {
    state.values.iter().find_map(|(key, value)| match (key, value) {
        (RunKey::Var(var, _), Some(value)) if program.vars[*var].name == PASSED => {
            usize::try_from(value.as_bits()?.to_u64()?).ok()
        }
        _ => None,
    })
}

/// For each stack the distance of the call that opened it.
fn calls(program: &Program, graph: &RunProof, distances: &Distances) -> Vec<Dist> {
    graph.stacks.iter().fold(Vec::new(), |mut calls, stack| {
        calls.push(stack.caller.map_or(Dist::INFINITE, |(below, edge)| {
            distances.call_dist(0, stack.callee, program.edges[edge].dst, calls[below as usize])
        }));
        calls
    })
}

/// File and line of what comes next at a location.
fn line(program: &Program, loc: LocId) -> Option<String> {
    let mut spans = program.out_edges(loc).filter_map(|edge| program.edges[edge].span);
    spans.next().map(|span| format!("{}:{}", program.files[span.file], span.line))
}
