//! `beeline ci`: checks the entries of a project, each by a `beeline check` that takes over what holds of its last result.

use crate::arguments::{CiArguments, SarifArguments};
use crate::project::{self, Entry};
use crate::{report, sarif};
use beeline_cli::temporary::Folder;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The outcome of an entry.
struct Outcome<'e> {
    entry: &'e Entry,
    /// The object that its check printed.
    answer: Value,
    time: Duration,
}

/// Checks the entries that are asked for.
pub(crate) fn run(arguments: &CiArguments) -> Result<u8, String> {
    let entries = project::entries()?;
    if let Some(name) = arguments.entries.iter().find(|name| entries.iter().all(|entry| entry.name != **name))
    {
        let names: Vec<&str> = entries.iter().map(|entry| &*entry.name).collect();
        return Err(format!("there is no entry {name}; the entries are {}", names.join(", ")));
    }
    let is_asked = |entry: &&Entry| arguments.entries.is_empty() || arguments.entries.contains(&entry.name);
    let entries: Vec<&Entry> = entries.iter().filter(is_asked).collect();
    std::fs::create_dir_all(&arguments.cache)
        .map_err(|error| format!("cannot create the folder {}: {error}", arguments.cache.display()))?;
    let cache = std::path::absolute(&arguments.cache).map_err(|error| error.to_string())?;
    let logs = Folder::new()?;
    if let Some(revision) = &arguments.base {
        at_base(revision, &entries, &cache)?;
    }
    let mut outcomes = Vec::new();
    for (number, &entry) in entries.iter().enumerate() {
        let log = logs.path().join(format!("{number}.sarif"));
        let log = arguments.sarif.as_ref().map(|_| log.as_path());
        outcomes.push(checked(entry, Path::new("."), &cache, log)?);
    }
    if let Some(output) = &arguments.sarif {
        write_log(logs.path(), output)?;
    }
    report::print(&match arguments.json {
        true => format!("{:#}\n", object(&outcomes)),
        false => table(&outcomes),
    })?;
    Ok(code(&outcomes))
}

/// Checks an entry in a folder.
fn checked<'e>(
    entry: &'e Entry,
    folder: &Path,
    cache: &Path,
    log: Option<&Path>,
) -> Result<Outcome<'e>, String> {
    let program = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    let start = Instant::now();
    let mut command = Command::new(program);
    command.arg("check").arg("--json").arg("--cache").arg(cache).args(&entry.options);
    if let Some(log) = log {
        command.arg("--sarif").arg(log);
    }
    command.args(&entry.files).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped());
    let output = command.output().map_err(|error| format!("cannot run beeline check: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let answer = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| json!({ "verdict": "error", "remark": said.trim(), "since": null }));
    Ok(Outcome { entry, answer, time: start.elapsed() })
}

/// Checks entries at a revision, in a work tree of its own, so that their results are in the cache. An entry that is not
/// there has no earlier result.
fn at_base(revision: &str, entries: &[&Entry], cache: &Path) -> Result<(), String> {
    let folder = Folder::new()?;
    let tree = folder.path().join("base");
    let git = |words: &[&str], path: Option<&Path>| {
        let mut command = Command::new("git");
        command.args(words).args(path).stdin(Stdio::null());
        let output = command.output().map_err(|error| format!("cannot run git: {error}"))?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).trim().to_string()),
            false => Err(String::from_utf8_lossy(&output.stderr).trim().to_string()),
        }
    };
    let commit = git(
        &["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{revision}^{{commit}}")],
        None,
    )
    .map_err(|_| format!("--base: git knows no revision {revision} here"))?;
    // Where the project is below the root of the repository.
    let below = git(&["rev-parse", "--show-prefix"], None)?;
    let text = tree.display().to_string();
    git(&["worktree", "add", "--detach", "--quiet", &text, &commit], None)?;
    for entry in entries {
        let outcome = checked(entry, &tree.join(&below), cache, None);
        if let Err(sentence) = outcome {
            git(&["worktree", "remove", "--force"], Some(&tree))?;
            return Err(sentence);
        }
    }
    git(&["worktree", "remove", "--force"], Some(&tree)).map(drop)
}

/// Merges the logs of all entries.
fn write_log(folder: &Path, output: &Path) -> Result<(), String> {
    let files = std::fs::read_dir(folder).map_err(|error| error.to_string())?;
    let logs = files.filter_map(|file| Some(file.ok()?.path()));
    let mut logs: Vec<PathBuf> =
        logs.filter(|log| log.extension().is_some_and(|end| end == "sarif")).collect();
    logs.sort();
    sarif::join(&SarifArguments { logs, output: output.into() }).map(drop)
}

/// The exit code: that of the most severe answer.
fn code(outcomes: &[Outcome<'_>]) -> u8 {
    let is = |verdict: &str| outcomes.iter().any(|outcome| outcome.answer["verdict"] == verdict);
    match () {
        () if is("error") => 2,
        () if is("unsafe") => 1,
        () if is("unknown") => 3,
        () => 0,
    }
}

fn object(outcomes: &[Outcome<'_>]) -> Value {
    let entries = outcomes.iter().map(|outcome| {
        json!({
            "name": outcome.entry.name,
            "seconds": outcome.time.as_secs_f64(),
            "answer": outcome.answer,
        })
    });
    json!({ "entries": entries.collect::<Vec<_>>() })
}

fn table(outcomes: &[Outcome<'_>]) -> String {
    let width = outcomes.iter().map(|outcome| outcome.entry.name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for Outcome { entry, answer, time } in outcomes {
        let word = |value: &Value| value.as_str().unwrap_or_default().to_string();
        let (verdict, remark) = (word(&answer["verdict"]), word(&answer["remark"]));
        let change = match answer["since"]["change"].as_str() {
            Some(change) => format!("; {change}"),
            None => String::new(),
        };
        let seconds = time.as_secs_f64();
        let _ = writeln!(text, "{:width$}  {verdict:7}  {seconds:6.1} s  {remark}{change}", entry.name);
    }
    let count =
        |verdict: &str| outcomes.iter().filter(|outcome| outcome.answer["verdict"] == verdict).count();
    let counted = ["safe", "unsafe", "unknown", "error"].map(|verdict| (count(verdict), verdict));
    let counted = counted.iter().filter(|(number, _)| *number > 0);
    let told: Vec<String> = counted.map(|(number, verdict)| format!("{number} {verdict}")).collect();
    let entries = if outcomes.len() == 1 { "entry" } else { "entries" };
    let _ = writeln!(text, "{} {entries}: {}", outcomes.len(), told.join(", "));
    text
}
