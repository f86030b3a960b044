//! Diagnostics: what an answer says of places.

use super::place;
use super::worker::{Outcome, Question};
use beeline_witness::source::Sources;
use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location, NumberOrString,
};
use serde_json::Value;
use std::path::PathBuf;

/// The number of steps of an error path that are shown; the last ones are.
const STEPS: usize = 30;

/// What is known of a place.
pub(super) struct Finding {
    pub file: PathBuf,
    line: u32,
    column: Option<u32>,
    severity: DiagnosticSeverity,
    /// The property, or what was asked.
    code: String,
    message: String,
    is_dead: bool,
    path: Vec<Step>,
}

/// A step of an error path.
struct Step {
    file: PathBuf,
    line: u32,
    column: Option<u32>,
    text: String,
}

/// What an answer says of places.
pub(super) fn of(outcome: &Outcome) -> Vec<Finding> {
    match outcome.task.question {
        Question::Check => {
            list(&outcome.answer["targets"]).iter().filter_map(|target| of_target(outcome, target)).collect()
        }
        Question::Cover => {
            list(&outcome.answer["places"]).iter().filter_map(|place| of_line(outcome, place)).collect()
        }
        Question::Reach(line) => of_reach(outcome, line).into_iter().collect(),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// File, line and column of an object, if they are in a file: Beeline adds functions that are in none.
fn spot(object: &Value) -> Option<(PathBuf, u32, Option<u32>)> {
    let number = |key: &str| object[key].as_u64().and_then(|number| u32::try_from(number).ok());
    let file = std::path::absolute(object["file"].as_str()?).ok().filter(|file| file.exists())?;
    Some((file, number("line")?, number("column")))
}

/// An error, or a target without an answer. One that is in no file is shown at the function that is checked.
fn of_target(outcome: &Outcome, target: &Value) -> Option<Finding> {
    let severity = match text(&target["verdict"]) {
        "unsafe" => DiagnosticSeverity::ERROR,
        "unknown" if target["path"].is_array() => DiagnosticSeverity::WARNING,
        "unknown" => DiagnosticSeverity::INFORMATION,
        _ => return None,
    };
    let error = &target["error"];
    let task = &outcome.task;
    let found = spot(&error["at"]).or_else(|| spot(target));
    let (file, line, column) = found.unwrap_or_else(|| (task.file.clone(), task.line, None));
    let what = match text(&error["what"]) {
        "" => format!("{} is not decided", text(&target["property"])),
        what => what.to_string(),
    };
    let message = format!("{what}{} ({}: {})", values(error), task.function, text(&target["remark"]));
    Some(Finding {
        file,
        line,
        column,
        severity,
        code: text(&target["property"]).into(),
        message,
        is_dead: false,
        path: steps(&target["path"]),
    })
}

/// The values that an error depends on, as the end of a sentence.
fn values(error: &Value) -> String {
    let told = list(&error["values"]).iter();
    let told: Vec<String> =
        told.map(|value| format!("{} = {}", text(&value["name"]), shown(&value["value"]))).collect();
    if told.is_empty() { String::new() } else { format!(", where {}", told.join(", ")) }
}

/// The last steps of an error path that say something.
fn steps(path: &Value) -> Vec<Step> {
    let told = list(path).iter().filter_map(step).collect::<Vec<_>>();
    let left_out = told.len().saturating_sub(STEPS);
    told.into_iter().skip(left_out).collect()
}

fn step(step: &Value) -> Option<Step> {
    let (file, line, column) = spot(&step["at"])?;
    let changes = step["changes"].as_object().into_iter().flatten();
    let mut parts: Vec<String> =
        changes.map(|(name, value)| format!("{name} = {}", shown(&value["value"]))).collect();
    parts.extend(step["condition"].as_str().map(String::from));
    match text(&step["kind"]) {
        "call" => parts.insert(0, "call".into()),
        "return" => parts.insert(0, "return".into()),
        _ if parts.is_empty() => return None,
        _ => {}
    }
    Some(Step { file, line, column, text: format!("{}: {}", text(&step["function"]), parts.join(", ")) })
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), String::from)
}

/// A line of the function that no execution reaches, or that none is known for.
fn of_line(outcome: &Outcome, place: &Value) -> Option<Finding> {
    let function = &outcome.task.function;
    let (file, line, column) = spot(place)?;
    if text(&place["function"]) != function {
        return None;
    }
    let is_dead = text(&place["is"]) == "dead";
    let message = match text(&place["is"]) {
        "dead" => format!("no execution of {function} reaches this line ({})", text(&place["why"])),
        "open" => {
            format!("no execution of {function} that reaches this line is known ({})", text(&place["why"]))
        }
        _ => return None,
    };
    let severity = if is_dead { DiagnosticSeverity::HINT } else { DiagnosticSeverity::INFORMATION };
    Some(Finding { file, line, column, severity, code: "cover".into(), message, is_dead, path: Vec::new() })
}

/// How an execution reaches a line.
fn of_reach(outcome: &Outcome, line: u32) -> Option<Finding> {
    let function = &outcome.task.function;
    let is_dead = outcome.text("verdict") == "unreachable";
    let message = match outcome.text("verdict") {
        "reachable" => {
            format!("an execution of {function} reaches this line{}", values(&outcome.answer["error"]))
        }
        "unreachable" => format!("no execution of {function} reaches this line ({})", outcome.text("remark")),
        _ => return None,
    };
    Some(Finding {
        file: outcome.task.file.clone(),
        line,
        column: None,
        severity: if is_dead { DiagnosticSeverity::HINT } else { DiagnosticSeverity::INFORMATION },
        code: "reach".into(),
        message,
        is_dead,
        path: steps(&outcome.answer["path"]),
    })
}

/// The diagnostics of a file with this text.
pub(super) fn diagnostics<'f>(findings: impl Iterator<Item = &'f Finding>, source: &str) -> Vec<Diagnostic> {
    let mut sources = Sources::default();
    let diagnostic = |finding: &Finding| {
        let line = source.lines().nth((finding.line as usize).saturating_sub(1)).unwrap_or_default();
        let range = place::range(line, finding.line, finding.column);
        let code = Some(NumberOrString::String(finding.code.clone()));
        let related = finding.path.iter().filter_map(|step| {
            let line = sources.whole_line(step.file.to_str()?, step.line).unwrap_or_default();
            let range = place::range(line, step.line, step.column);
            let location = Location { uri: place::uri(&step.file)?, range };
            Some(DiagnosticRelatedInformation { location, message: step.text.clone() })
        });
        Diagnostic {
            range,
            severity: Some(finding.severity),
            code,
            source: Some("beeline".into()),
            message: finding.message.clone(),
            related_information: Some(related.collect()),
            tags: finding.is_dead.then(|| vec![DiagnosticTag::UNNECESSARY]),
            ..Diagnostic::default()
        }
    };
    findings.map(diagnostic).collect()
}
