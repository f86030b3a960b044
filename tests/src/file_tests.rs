//! File tests: programs under `tests/file`, each with comments that say what to run on it and what comes out.
//!
//! ```text
//! beeline 1.0
//! fn main() {
//!   var x: i8
//!   x := input "x"
//!   if x == 7 goto bad else done
//!   bad: target "seven"
//!   done: exit
//! }
//! // run: verify --domain {value,predicate}
//! // verdict: unsafe
//! // check: x = 7
//!
//! // change: goto bad => goto done
//! // run: verify
//! // verdict: safe
//! ```
//!
//! Directives are comments on a line of their own whose first word is followed by a colon.
//!
//! | directive | says |
//! | --- | --- |
//! | `run: COMMAND OPTIONS` | what is run, see [`command::COMMANDS`]; words in braces are tried one after the other |
//! | `change: OLD => NEW` | the next run is of the program with this change |
//! | `verdict: VERDICT` | what `verify` prints after `verdict:`; the reason in parentheses may be left out |
//! | `check: TEXT` | the output contains this text, after that of the `check` before |
//! | `absent: TEXT` | the output does not contain this text |
//! | `> LINE` | a line of the whole output |
//!
//! Programs are texts of the IR (`.cfa`) or C files (`.c`), which are compiled and lowered first. With
//! `BEELINE_FILES=write` the lines of whole outputs are made anew, and added to a run of which nothing is expected.
//! What `verify` and `execute` have to say is written by a person.

pub mod command;
mod directives;

use command::Place;
use directives::{FileTest, Run};
use similar::TextDiff;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What to do about outputs that differ from those in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The test fails.
    Compare,
    /// The file is changed.
    Write,
}

/// The mode that the environment asks for.
pub fn mode() -> Result<Mode, String> {
    match std::env::var_os("BEELINE_FILES") {
        None => Ok(Mode::Compare),
        Some(word) if word == "write" => Ok(Mode::Write),
        Some(word) => Err(format!("BEELINE_FILES is `write` or not set, not `{}`", word.display())),
    }
}

/// The files under a folder, in order.
pub fn files_under(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(files_under(&path)?);
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Runs what a file asks for; `Err` tells all that was not as expected.
pub fn check(path: &Path, mode: Mode) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let test = FileTest::parse(&text)?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let (mut faults, mut outputs) = (Vec::new(), BTreeMap::new());
    for run in &test.runs {
        let renews = mode == Mode::Write && run.may_be_written();
        let place = test.program(run).and_then(|program| Place::new(&name, &program));
        for options in run.combinations() {
            let output =
                place.as_ref().map_err(String::clone).and_then(|place| place.run(run.command, &options));
            match output {
                Ok(output) if renews => drop(outputs.insert(run.line, output)),
                output => {
                    let compared = output.and_then(|output| compare(run, &output));
                    faults.extend(compared.err().map(|fault| {
                        let words = [&[run.command.name.to_string()], &options[..]].concat().join(" ");
                        format!("{name}:{}: {words}\n{fault}", run.line)
                    }));
                }
            }
        }
    }
    if !outputs.is_empty() {
        std::fs::write(path, directives::renewed(&text, &outputs)).map_err(|error| error.to_string())?;
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

/// Holds what came out against what is expected.
fn compare(run: &Run, output: &str) -> Result<(), String> {
    if run.expects_nothing() {
        return Err("nothing is expected of it".into());
    }
    if let Some(verdict) = &run.verdict {
        let rest = output
            .lines()
            .last()
            .and_then(|last| last.strip_prefix("verdict: ")?.strip_prefix(verdict.as_str()));
        if !rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(" (")) {
            return Err(format!("the verdict is not `{verdict}`:\n{output}"));
        }
    }
    let mut rest = output;
    for text in &run.checks {
        let Some(at) = rest.find(text.as_str()) else {
            return Err(format!("`{text}` is not there, or not after what is checked before:\n{output}"));
        };
        rest = &rest[at + text.len()..];
    }
    if let Some(text) = run.absent.iter().find(|text| output.contains(text.as_str())) {
        return Err(format!("`{text}` is there:\n{output}"));
    }
    match &run.output {
        Some(expected) if expected != output => {
            let diff = TextDiff::from_lines(expected.as_str(), output);
            Err(format!(
                "the output is another one; BEELINE_FILES=write puts it into the file:\n{}",
                diff.unified_diff().header("expected", "came out")
            ))
        }
        _ => Ok(()),
    }
}
