//! Rows: the outcomes of proofs, as they are printed and kept.

use super::coverage::Covered;
use crate::answer::{Answer, Word};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The outcome of a proof.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Row {
    /// Its name.
    pub proof: String,
    /// The name of its pages, without the ending.
    pub page: String,
    /// The verdict, if it could be started.
    pub verdict: Option<String>,
    /// The outcome in a line.
    pub remark: String,
    /// The time that it took.
    pub seconds: f64,
    /// The checks that it asks for and that are not made.
    pub unchecked: Vec<String>,
    /// The reason why it shows little, if it is known to be hollow.
    pub hollow: Option<String>,
    /// The coverage of the project's lines, if that was asked for.
    pub coverage: Option<Covered>,
    /// The answer in the form of `beeline check --json`, if there is one.
    pub answer: Option<Value>,
}

impl Row {
    /// The row of a proof without an answer.
    pub(crate) fn new(proof: String, page: String) -> Row {
        Row {
            proof,
            page,
            verdict: None,
            remark: String::new(),
            seconds: 0.0,
            unchecked: Vec::new(),
            hollow: None,
            coverage: None,
            answer: None,
        }
    }

    /// Takes over an answer.
    pub(crate) fn take(&mut self, answer: &Answer) {
        self.verdict = Some(answer.word().name().into());
        self.remark = format!("{} ({})", answer.word().name(), answer.remark());
        self.answer = Some(crate::json::object(answer));
    }

    /// Whether it has this verdict, or, with `None`, was not started.
    pub(crate) fn is(&self, wanted: Option<Word>) -> bool {
        self.verdict.as_deref() == wanted.map(Word::name)
    }

    /// The outcome as readable text.
    pub(crate) fn text(&self, with_properties: bool) -> String {
        let mut text = format!("{:7.2} s  {}: {}\n", self.seconds, self.proof, self.remark);
        let mut add = |line: &str| text.push_str(&format!("           {line}\n"));
        self.hollow.iter().for_each(|hollow| add(hollow));
        self.coverage.iter().flat_map(Covered::lines).for_each(|line| add(&line));
        if self.is(Some(Word::Safe)) && !self.unchecked.is_empty() {
            add(&format!("asked for and not checked: {}", self.unchecked.join(", ")));
        }
        if with_properties {
            text.push_str(&self.properties());
        }
        text
    }

    /// The numbers of refuted properties and of all properties.
    pub(crate) fn failures(&self) -> (usize, usize) {
        let targets = self.answer.as_ref().and_then(|answer| answer["targets"].as_array());
        let failed = targets.into_iter().flatten().filter(|target| target["verdict"] == "unsafe");
        (failed.count(), targets.map_or(0, Vec::len))
    }

    /// A line for each property, as CBMC prints it.
    pub(crate) fn properties(&self) -> String {
        let targets = self.answer.as_ref().and_then(|answer| answer["targets"].as_array());
        let line = |(number, target): (usize, &Value)| {
            let status = status(target["verdict"].as_str());
            format!("[{}] {}: {status}\n", number + 1, property(target))
        };
        targets.into_iter().flatten().enumerate().map(line).collect()
    }
}

/// The name of a property: that of its target, where a sanitizer's handler gives way to what it reports.
pub(crate) fn property(target: &Value) -> String {
    let name = target["name"].as_str().unwrap_or_default();
    match name.strip_prefix("__ubsan_handle_").and_then(|name| name.split_once(' ')) {
        Some((_, place)) => format!("{} {place}", target["property"].as_str().unwrap_or_default()),
        None => name.into(),
    }
}

/// CBMC's name of a verdict.
pub(crate) fn status(verdict: Option<&str>) -> &'static str {
    match verdict {
        Some("safe") => "SUCCESS",
        Some("unsafe") => "FAILURE",
        _ => "UNKNOWN",
    }
}
