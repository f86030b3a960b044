//! The programs under `tests/adversary`, which are written to deceive a verifier: each says in its first lines what
//! is true of it, and an answer is held against that.

use crate::driver::Ran;
use crate::two_at_a_time;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program with its truth.
#[derive(Debug, Clone)]
pub struct Deceiver {
    /// Its file.
    pub file: PathBuf,
    /// What it is about.
    pub category: String,
    /// `safe`, `unsafe`, or `ub` where undefined behaviour decides.
    pub truth: String,
    /// What the verifier is given besides the file; flags for clang are behind `--`.
    pub arguments: Vec<String>,
}

/// How an answer compares with the truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// It is right.
    Right,
    /// There is none.
    Unknown,
    /// It is wrong, but an assumption may say why.
    WrongUnderAssumptions,
    /// It is wrong.
    Wrong,
    /// The verifier failed.
    Failed,
}

impl Deceiver {
    /// The programs in a folder, by name.
    ///
    /// # Panics
    /// If one cannot be read.
    pub fn all(folder: &Path) -> Vec<Deceiver> {
        let entries = std::fs::read_dir(folder).expect("the folder is there");
        let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.retain(|file| file.extension().is_some_and(|ending| ending == "c"));
        files.sort();
        files.into_iter().map(Deceiver::read).collect()
    }

    fn read(file: PathBuf) -> Deceiver {
        let text = std::fs::read_to_string(&file).expect("it can be read");
        let head = |key: &str| {
            let prefix = format!("// {key}:");
            let line = text.lines().find_map(|line| line.strip_prefix(&prefix));
            line.unwrap_or_default().trim().to_string()
        };
        let arguments = head("ARGS").split_whitespace().map(String::from).collect();
        Deceiver { category: head("CAT"), truth: head("TRUTH"), arguments, file }
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.file.file_stem().map_or(String::new(), |name| name.to_string_lossy().into_owned())
    }

    /// What a verifier says within some limits, which are options, and how that compares.
    pub fn judge(&self, beeline: &Path, limits: &[&str]) -> (State, String) {
        let flags = self.arguments.iter().position(|argument| argument == "--");
        let (own, flags) = self.arguments.split_at(flags.unwrap_or(self.arguments.len()));
        let mut command = Command::new(beeline);
        command.arg("check").args(limits).args(own).arg(&self.file).args(flags);
        let Ok(output) = command.output() else { return (State::Failed, "it cannot be run".into()) };
        let ran = Ran::from(output);
        let verdict = ran.verdict().to_string();
        let word = verdict.split(' ').nth(1).unwrap_or_default();
        let listed = verdict.contains("assumption");
        let state = match (self.truth.as_str(), word) {
            _ if !matches!(ran.code, Some(0 | 1 | 3)) => State::Failed,
            (_, "unknown") => State::Unknown,
            ("ub", "unsafe") => State::Right,
            ("ub", _) if listed => State::Right,
            (truth, word) if truth == word => State::Right,
            (_, "safe") if listed => State::WrongUnderAssumptions,
            _ => State::Wrong,
        };
        (state, if state == State::Failed { ran.err } else { verdict })
    }
}

/// Judges programs, two at a time.
///
/// # Panics
/// If a thread does.
pub fn judge_all(programs: &[Deceiver], beeline: &Path, limits: &[&str]) -> Vec<(Deceiver, State, String)> {
    let mut judged = two_at_a_time(programs, |program| {
        let (state, verdict) = program.judge(beeline, limits);
        (program.clone(), state, verdict)
    });
    judged.sort_by(|a, b| a.0.file.cmp(&b.0.file));
    judged
}
