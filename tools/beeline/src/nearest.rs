//! The nearest approach of a search to a place whose reachability is open.

use crate::answer::{Answer, Word};
use crate::beginning::{Passed, first};
use crate::report::LISTED;
use beeline_graph::{Annotation, Dist, Distances, Metric};
use beeline_ir::{LocId, Program, file};
use beeline_run::{RunProof, RunRest};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

/// The nearest approach to the last place of a sequence.
pub(crate) struct Nearest {
    /// The places that an execution is known to pass in order, if that was checked.
    passed: Option<Passed>,
    /// The open place from which the path to the last one is shortest.
    at: Option<String>,
    /// The reason why the search went no further.
    why: String,
}

impl Nearest {
    /// The nearest approach of a search without an answer, by its open states; the files of the run are in a
    /// folder.
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
        let rests = run.rests.iter();
        let near = distances.and_then(|all| rests.filter_map(|rest| nearest_of(program, rest, all)).min());
        Ok(Some(Nearest { passed: None, at: near.map(|(_, at)| at), why }))
    }

    /// Adds what beginnings of the sequence showed.
    pub(crate) fn begins(&mut self, passed: Passed, next: Option<Nearest>) {
        if let Some(next) = next {
            self.at = next.at;
        }
        self.passed = Some(passed);
    }

    /// The approach as readable text.
    pub(crate) fn text(&self, places: &[String]) -> String {
        let mut text = String::from("Progress of the search:\n");
        let next = match &self.passed {
            Some(passed) if places.len() > 1 => {
                let next = &places[passed.places];
                text.push_str(&passed.text(places.len()));
                let _ = writeln!(text, "  open: whether an execution passes {next} next");
                format!(" to {next}")
            }
            _ => String::new(),
        };
        if let Some(at) = &self.at {
            let _ = writeln!(text, "  nearest{next}: {at}");
        }
        let _ = writeln!(text, "  ended: {}", self.why);
        text
    }

    /// The approach as JSON.
    pub(crate) fn object(&self, places: &[String]) -> Value {
        let passed = self.passed.as_ref();
        json!({
            "passed": passed.map(|passed| passed.places),
            "inputs": passed.map_or(&[][..], |passed| &passed.inputs),
            "next": passed.and_then(|passed| places.get(passed.places)),
            "at": self.at,
            "ended": self.why,
        })
    }
}

impl Passed {
    /// The passed places as readable text.
    fn text(&self, all: usize) -> String {
        if self.places == 0 {
            return format!("  no known execution passes {}\n", first(1, all));
        }
        let known = format!("  an execution passes {} ({})", first(self.places, all), self.remark);
        let given = if self.inputs.is_empty() { "" } else { ", with these inputs:" };
        let inputs: String = self.inputs.iter().take(LISTED).map(|input| format!("    {input}\n")).collect();
        format!("{known}{given}\n{inputs}")
    }
}

/// The open state from which the path to the last place is shortest.
fn nearest_of(program: &Program, rest: &RunRest, distances: &Distances) -> Option<(u64, String)> {
    let calls = calls(program, &rest.graph, distances);
    let near = rest.graph.states.iter().filter_map(|state| {
        let dist = distances.dist(0, state.loc, calls[state.stack as usize]).steps()?;
        Some((dist, line(program, state.loc)?))
    });
    near.min()
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
