//! The answer in the format of SARIF 2.1.0, which editors and code review show.
//!
//! Errors, and what may be some, are results; their paths are code flows. What is proved and what is open are results
//! where they are asked for: code review shows whatever is a result as something to mend.

use crate::answer::{Answer, Word};
use crate::arguments::SarifArguments;
use crate::path::ErrorPath;
use crate::report::{at, told, violation};
use crate::since::{Earlier, EarlierError};
use crate::targets::TargetAnswer;
use beeline_ir::{Program, Span, Target, file};
use beeline_run::{Run, RunPath};
use beeline_witness::source::Sources;
use beeline_witness::story::{self, Kind, Moment};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The schema of the format.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The prefix of the names of runs, by which code review distinguishes tools.
const CATEGORY: &str = "beeline";

/// The log of a run, with results for all targets or for bugs only.
pub(crate) fn log(answer: &Answer, all: bool) -> Value {
    let mut targets = answer.targets();
    targets.retain(|known| all || known.path.is_some());
    let (rules, results): (_, Vec<Value>) = match &answer.result {
        Some((program, run)) => {
            let results = targets.iter().filter_map(|known| result(program, run, answer, known));
            let absent = answer.earlier.iter().flat_map(|earlier| absent(earlier, answer));
            (rules(program, &targets), results.chain(absent).collect())
        }
        None => (Vec::new(), Vec::new()),
    };
    let mut invocation = json!({
        "executionSuccessful": answer.reason.is_none(),
        "exitCode": answer.word().code(),
    });
    let notified = match (&answer.reason, answer.word()) {
        (Some(reason), _) => Some(("error", reason.clone())),
        (None, Word::Unknown) => Some(("warning", answer.line())),
        (None, _) => None,
    };
    if let Some((level, text)) = notified {
        let text = format!("{}: {text}", answer.job.name);
        invocation["toolExecutionNotifications"] = json!([{ "level": level, "message": { "text": text } }]);
    }
    let properties = json!({ "verdict": answer.word().name(), "remark": answer.remark() });
    run_of(&format!("{CATEGORY}/{}/", answer.job.name), rules, vec![invocation], results, properties)
}

/// A log of one run.
fn run_of(
    id: &str,
    rules: Vec<Value>,
    invocations: Vec<Value>,
    results: Vec<Value>,
    properties: Value,
) -> Value {
    let version = env!("CARGO_PKG_VERSION");
    let driver = json!({ "name": "Beeline", "semanticVersion": version, "version": version, "rules": rules });
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver },
            "automationDetails": { "id": id },
            "invocations": invocations,
            "columnKind": "unicodeCodePoints",
            "results": results,
            "properties": properties,
        }],
    })
}

/// Puts logs of several checks together as one log of one run, which is what code review takes for one upload.
pub(crate) fn join(arguments: &SarifArguments) -> Result<u8, String> {
    let output = &arguments.output;
    file::expect_other(output, arguments.logs.iter().map(PathBuf::as_path))
        .map_err(|error| error.to_string())?;
    let (mut rules, mut invocations, mut results) = (BTreeMap::new(), Vec::new(), Vec::new());
    for path in &arguments.logs {
        let log = file::read_bytes(path).map_err(|error| error.to_string())?;
        let log: Value = serde_json::from_slice(&log)
            .map_err(|error| format!("{} is not SARIF: {error}", path.display()))?;
        let runs = log["runs"].as_array().into_iter().flatten();
        for run in runs.filter(|run| run["tool"]["driver"]["name"] == "Beeline") {
            let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
            let of_run = list(&run["tool"]["driver"]["rules"]);
            rules.extend(of_run.into_iter().map(|rule| (rule["id"].to_string(), rule)));
            invocations.extend(list(&run["invocations"]));
            results.extend(list(&run["results"]));
        }
    }
    if invocations.is_empty() {
        return Err("none of these files is a log of `beeline check --sarif`".into());
    }
    let log = run_of(&format!("{CATEGORY}/"), rules.into_values().collect(), invocations, results, json!({}));
    file::write_bytes(output, format!("{log:#}\n").as_bytes()).map_err(|error| error.to_string())?;
    Ok(0)
}

/// The properties that targets are about, as rules.
fn rules(program: &Program, targets: &[TargetAnswer]) -> Vec<Value> {
    let mut names: Vec<&str> =
        targets.iter().filter_map(|known| Some(target(program, known)?.property.as_str())).collect();
    names.sort_unstable();
    names.dedup();
    names.iter().map(|name| json!({ "id": name, "shortDescription": { "text": never(name) } })).collect()
}

/// What a property excludes.
fn never(property: &str) -> &'static str {
    match property {
        "unreach-call" => "An assertion never fails, and no error function is called.",
        "no-overflow" => "No signed integer overflows.",
        "no-unsigned-overflow" => "No unsigned integer overflows.",
        "bounds" => "No access is out of bounds.",
        "null" => "No null pointer is used.",
        "valid-deref" => "Every access is inside of a live object.",
        "valid-free" => "Only live heap objects are freed.",
        "valid-memtrack" => "No heap object leaks.",
        "valid-memcleanup" => "All heap objects are freed at the end.",
        "no-data-race" => "No two threads access the same memory at the same time, one of them writing.",
        "panic" => "The program does not panic.",
        "no-deadlock" => "The threads never all wait for each other.",
        "shift" => "No shift is too wide.",
        "unreachable" => "No unreachable place is reached.",
        _ => "No behaviour is undefined.",
    }
}

fn target<'p>(program: &'p Program, known: &TargetAnswer) -> Option<&'p Target> {
    program.targets.iter().find(|target| target.loc == known.target)
}

/// The result of a target.
fn result(program: &Program, run: &Run, answer: &Answer, known: &TargetAnswer) -> Option<Value> {
    let target = target(program, known)?;
    let path = known.path.map(|path| &run.paths[path]);
    let found = path.and_then(|path| ErrorPath::follow(program, path));
    let (kind, level) = match (known.word(), path) {
        (Word::Unsafe, _) => ("fail", "error"),
        (Word::Unknown, Some(_)) => ("fail", "warning"),
        (Word::Unknown, None) => ("open", "none"),
        (Word::Safe, _) => ("pass", "none"),
    };
    let function = program.source_function(program.function_of(target.loc));
    let mut object = json!({
        "ruleId": target.property,
        "kind": kind,
        "level": level,
        "message": { "text": message(target, known, found.as_ref()) },
        "properties": { "verdict": known.word().name(), "remark": known.remark },
    });
    if let Some(earlier) = &answer.earlier {
        object["baselineState"] = match (known.word(), earlier.was_unsafe(target.loc)) {
            (Word::Unsafe, false) => "new".into(),
            (Word::Unsafe, true) => "unchanged".into(),
            (_, true) => "updated".into(),
            (_, false) => "unchanged".into(),
        };
    }
    let mut location = json!({ "logicalLocations": [{ "name": function, "kind": "function" }] });
    if let Some(span) = at(program, target, found.as_ref()) {
        location["physicalLocation"] = physical(program, span);
    }
    object["locations"] = json!([location]);
    if let (Some(path), Some(found)) = (path, &found) {
        let flow = flow(program, path, found, &mut answer.job.lines());
        object["codeFlows"] = json!([{ "threadFlows": [{ "locations": flow }] }]);
    }
    Some(object)
}

/// The errors of an earlier result that this one does not have.
fn absent(earlier: &Earlier, answer: &Answer) -> Vec<Value> {
    let targets = answer.targets();
    let is_left = |location: u32| {
        targets.iter().any(|known| known.target.as_u32() == location && known.word() != Word::Safe)
    };
    let gone = earlier.errors().iter().filter(|error| !error.location.is_some_and(is_left));
    let result = |error: &EarlierError| {
        let mut object = json!({
            "ruleId": error.property,
            "kind": "fail",
            "level": "error",
            "baselineState": "absent",
            "message": { "text": error.name },
        });
        if let (Some(file), Some(line)) = (&error.file, error.line) {
            let place = json!({ "artifactLocation": { "uri": uri(file) }, "region": { "startLine": line } });
            object["locations"] = json!([{ "physicalLocation": place }]);
        }
        object
    };
    gone.map(result).collect()
}

/// The message on a target, in a line.
fn message(target: &Target, known: &TargetAnswer, found: Option<&ErrorPath>) -> String {
    let what = violation(target, found);
    let mut text = match (known.word(), known.path) {
        (Word::Unsafe, _) => what,
        (Word::Unknown, Some(_)) => format!("perhaps {what}"),
        (Word::Unknown, None) => format!("open whether {what}"),
        (Word::Safe, _) => format!("never: {what}"),
    };
    if let Some(found) = found.filter(|found| !found.values.is_empty()) {
        let _ = write!(text, ", where {}", told(&found.values));
    }
    let _ = write!(text, " ({})", known.remark);
    text
}

/// The steps of a path that matter.
fn flow(program: &Program, path: &RunPath, found: &ErrorPath, sources: &mut Sources) -> Vec<Value> {
    let moments = story::moments(program, &found.executed, path.target, sources, false);
    let steps = moments.iter().filter_map(|moment| {
        let span = moment.span?;
        let mut location = json!({ "physicalLocation": physical(program, span) });
        let text = step_text(program, moment, sources);
        if !text.is_empty() {
            location["message"] = json!({ "text": text });
        }
        let importance = if matches!(moment.kind, Kind::Reached(_)) { "essential" } else { "important" };
        Some(json!({ "location": location, "nestingLevel": moment.depth, "importance": importance }))
    });
    steps.collect()
}

/// What happens at a step.
fn step_text(program: &Program, moment: &Moment, sources: &mut Sources) -> String {
    match &moment.kind {
        Kind::Enter(call) => format!("call {call}"),
        Kind::Thread(name) => format!("{name} goes on"),
        Kind::Reached(name) => format!("reached: {name}"),
        _ if !moment.remarks.is_empty() => moment.remarks.join("; "),
        _ => {
            let line = moment.span.and_then(|span| sources.line(&program.files[span.file], span.line));
            line.unwrap_or_default().to_string()
        }
    }
}

/// A place in a file.
fn physical(program: &Program, span: Span) -> Value {
    let mut region = json!({ "startLine": span.line });
    if span.col > 0 {
        region["startColumn"] = json!(span.col);
    }
    json!({ "artifactLocation": { "uri": uri(&program.files[span.file]) }, "region": region })
}

/// The name of a file as a reference of RFC 3986.
fn uri(file: &str) -> String {
    let mut uri = String::from(if Path::new(file).is_absolute() { "file://" } else { "" });
    for byte in file.trim_start_matches("./").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => {
                uri.push(byte as char)
            }
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_of_files_are_references() {
        assert_eq!(super::uri("./src/a b.c"), "src/a%20b.c");
        assert_eq!(super::uri("/src/ä.c"), "file:///src/%C3%A4.c");
    }
}
