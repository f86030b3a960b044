//! Tasks: C files by patterns of their names, task definitions and sets of SV-COMP.

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A program with its known answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Task {
    /// Its name: the file's with its folder.
    pub name: String,
    /// Its family of similar programs.
    pub family: String,
    /// Whether it is safe, if that is known.
    pub expected: Option<bool>,
    /// The file.
    pub file: PathBuf,
    /// Options for `beeline prepare`.
    pub options: Vec<String>,
}

/// Some tasks, as a description lists them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct TaskList {
    /// Patterns of files: C, bitcode, task definitions (.yml), sets of those (.set).
    files: Vec<String>,
    /// Patterns of files that are left out.
    #[serde(default)]
    without: Vec<String>,
    /// The family of the tasks [default: those in the same folder].
    family: Option<String>,
    /// The known answer for all of them.
    expected: Option<Expected>,
    /// Options for `beeline prepare`.
    #[serde(default)]
    options: Vec<String>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Expected {
    Safe,
    Unsafe,
}

/// The part of a task definition that matters here.
#[derive(Debug, Deserialize)]
struct Definition {
    #[serde(default)]
    properties: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
struct Entry {
    property_file: String,
    #[serde(default)]
    expected_verdict: Option<bool>,
}

impl TaskList {
    /// The tasks; patterns are those of a folder.
    pub(crate) fn tasks(&self, folder: &Path) -> Result<Vec<Task>, String> {
        let without: Vec<PathBuf> = matches(folder, &self.without)?;
        let mut files = Vec::new();
        for pattern in &self.files {
            let found = matches(folder, std::slice::from_ref(pattern))?;
            if found.is_empty() {
                return Err(format!("no file matches {pattern}"));
            }
            for file in found {
                match has_ending(&file, "set") {
                    true => files.extend(set(&file)?),
                    false => files.push(file),
                }
            }
        }
        files.retain(|file| !without.contains(file));
        files.into_iter().map(|file| self.task(&file)).collect()
    }

    fn task(&self, file: &Path) -> Result<Task, String> {
        let file = std::path::absolute(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let family = file.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let mut task = Task {
            name: format!("{family}/{name}"),
            family: self.family.clone().unwrap_or(family.into_owned()),
            expected: self.expected.map(|expected| matches!(expected, Expected::Safe)),
            file: file.clone(),
            options: self.options.clone(),
        };
        if has_ending(&file, "yml") || has_ending(&file, "yaml") {
            let definition = definition(&file)?;
            let is_reach = |entry: &&Entry| entry.property_file.contains("unreach-call");
            let entry = definition.properties.iter().find(is_reach).or(definition.properties.first());
            task.expected = task.expected.or(entry.and_then(|entry| entry.expected_verdict));
        }
        Ok(task)
    }
}

fn definition(file: &Path) -> Result<Definition, String> {
    let shown = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read {shown}: {error}"))?;
    serde_saphyr::from_str(&text)
        .map_err(|error| format!("{shown} is not a task definition: {}", error.without_snippet()))
}

/// The tasks of a set of SV-COMP: a pattern on each line.
fn set(file: &Path) -> Result<Vec<PathBuf>, String> {
    let shown = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read {shown}: {error}"))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let patterns: Vec<String> = lines.map(String::from).collect();
    matches(file.parent().unwrap_or(Path::new("")), &patterns)
}

/// The files that match patterns, in the order of names for each.
fn matches(folder: &Path, patterns: &[String]) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for pattern in patterns {
        let whole = folder.join(pattern);
        let found = glob::glob(&whole.to_string_lossy())
            .map_err(|error| format!("{pattern} is not a file pattern: {error}"))?;
        for file in found {
            files.push(file.map_err(|error| error.to_string())?);
        }
    }
    Ok(files)
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|other| other == ending)
}
