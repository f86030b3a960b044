//! What a file asks for: its directives.

use super::command::{COMMANDS, Command};
use std::collections::BTreeMap;
use std::mem::take;

/// A program and what is expected of it.
pub(super) struct FileTest {
    /// The text without directives, each an empty line.
    text: String,
    pub(super) runs: Vec<Run>,
}

/// A run of a tool, and what is expected of it.
pub(super) struct Run {
    /// The number of the line that asks for it.
    pub(super) line: usize,
    pub(super) command: &'static Command,
    options: Vec<String>,
    changes: Vec<(String, String)>,
    pub(super) verdict: Option<String>,
    pub(super) checks: Vec<String>,
    pub(super) absent: Vec<String>,
    /// The whole output.
    pub(super) output: Option<String>,
}

/// What a line is.
enum Line<'a> {
    /// `// > text`
    Output(&'a str),
    /// `// word: rest`
    Directive(&'a str, &'a str),
    Program,
}

fn classify(line: &str) -> Line<'_> {
    let Some(comment) = line.trim_start().strip_prefix("//").map(str::trim) else { return Line::Program };
    if let Some(text) = comment.strip_prefix('>') {
        return Line::Output(text.strip_prefix(' ').unwrap_or(text));
    }
    match comment.split_once(':') {
        Some((word, rest)) if !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase()) => {
            Line::Directive(word, rest.trim())
        }
        _ => Line::Program,
    }
}

impl FileTest {
    pub(super) fn parse(text: &str) -> Result<FileTest, String> {
        let mut test = FileTest { text: String::new(), runs: Vec::new() };
        let mut changes = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let number = index + 1;
            let said = match classify(line) {
                Line::Program => {
                    test.text.push_str(line);
                    Ok(())
                }
                Line::Directive("run", rest) => {
                    Run::parse(number, rest, take(&mut changes)).map(|run| test.runs.push(run))
                }
                Line::Directive("change", rest) => match rest.split_once(" => ") {
                    Some((old, new)) => {
                        changes.push((old.trim().to_string(), new.trim().to_string()));
                        Ok(())
                    }
                    None => Err("a change is written `OLD => NEW`".into()),
                },
                expectation if changes.is_empty() => match test.runs.last_mut() {
                    Some(run) => run.expect(&expectation),
                    None => Err("there is no `run` before".into()),
                },
                _ => Err("between `change` and `run` nothing else stands".into()),
            };
            said.map_err(|fault: String| format!("line {number}: {fault}"))?;
            test.text.push('\n');
        }
        match (test.runs.is_empty(), changes.is_empty()) {
            (true, _) => Err("there is no `run` in it".into()),
            (_, false) => Err("the last `change` has no `run` after it".into()),
            _ => Ok(test),
        }
    }

    /// The program with a run's changes.
    pub(super) fn program(&self, run: &Run) -> Result<String, String> {
        let mut text = self.text.clone();
        for (old, new) in &run.changes {
            if !text.contains(old.as_str()) {
                return Err(format!("`{old}`, which is to be changed, is not in the program"));
            }
            text = text.replace(old.as_str(), new);
        }
        Ok(text)
    }
}

impl Run {
    fn parse(line: usize, text: &str, changes: Vec<(String, String)>) -> Result<Run, String> {
        let mut words = text.split_whitespace();
        let name = words.next().unwrap_or_default();
        let command = COMMANDS.iter().find(|command| command.name == name).ok_or_else(|| {
            let names: Vec<&str> = COMMANDS.iter().map(|command| command.name).collect();
            format!("there is nothing to run with the name `{name}`, but {}", names.join(", "))
        })?;
        let options = words.map(String::from).collect();
        let (checks, absent) = (Vec::new(), Vec::new());
        Ok(Run { line, command, options, changes, verdict: None, checks, absent, output: None })
    }

    fn expect(&mut self, expectation: &Line<'_>) -> Result<(), String> {
        match *expectation {
            Line::Output(_) if !self.command.dumps => {
                return Err(format!("`{}` takes no whole output, but checks", self.command.name));
            }
            Line::Output(text) => *self.output.get_or_insert_default() += &format!("{text}\n"),
            Line::Directive("check" | "absent", "") => return Err("a text is missing".into()),
            Line::Directive("check", text) => self.checks.push(text.into()),
            Line::Directive("absent", text) => self.absent.push(text.into()),
            Line::Directive("verdict", text) if self.verdict.is_none() => self.verdict = Some(text.into()),
            Line::Directive("verdict", _) => return Err("a second verdict".into()),
            Line::Directive(word, _) => {
                return Err(format!(
                    "there is no directive `{word}`, but run, change, verdict, check, absent"
                ));
            }
            Line::Program => {}
        }
        Ok(())
    }

    /// The options, with one of the words in each pair of braces.
    pub(super) fn combinations(&self) -> Vec<Vec<String>> {
        let mut combinations = vec![Vec::new()];
        for option in &self.options {
            let words = match option.strip_prefix('{').and_then(|inner| inner.strip_suffix('}')) {
                Some(inner) => inner.split(',').collect(),
                None => vec![option.as_str()],
            };
            let with = |word: &str| {
                combinations
                    .iter()
                    .map(|first: &Vec<String>| [&first[..], &[word.to_string()]].concat())
                    .collect()
            };
            combinations = words.into_iter().flat_map(|word| -> Vec<Vec<String>> { with(word) }).collect();
        }
        combinations
    }

    pub(super) fn expects_nothing(&self) -> bool {
        self.verdict.is_none() && self.checks.is_empty() && self.absent.is_empty() && self.output.is_none()
    }

    /// Whether its output may be put into the file as it is.
    pub(super) fn may_be_written(&self) -> bool {
        self.command.dumps && (self.output.is_some() || self.expects_nothing())
    }
}

/// A file with other outputs of the runs in some lines.
pub(super) fn renewed(text: &str, outputs: &BTreeMap<usize, String>) -> String {
    let mut result = String::new();
    let mut renews = false;
    for (index, line) in text.lines().enumerate() {
        match classify(line) {
            Line::Output(_) if renews => continue,
            Line::Directive("run", _) => renews = outputs.contains_key(&(index + 1)),
            _ => {}
        }
        result += &format!("{line}\n");
        for line in outputs.get(&(index + 1)).into_iter().flat_map(|output| output.lines()) {
            result += format!("// > {line}").trim_end();
            result.push('\n');
        }
    }
    result
}
