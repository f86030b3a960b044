//! What comes out of a run.

use crate::job::Job;
use beeline_ir::Program;
use beeline_run::{Run, RunVerdict};
use std::time::Duration;

/// Whether the answer withstood its check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Check {
    /// It did.
    Passed,
    /// It was not checked, or the check came to nothing, for a reason.
    Open(String),
    /// It did not, for a reason.
    Failed(String),
}

/// The verdict with what it rests on.
#[derive(Debug)]
pub(crate) struct Answer {
    /// What was asked.
    pub job: Job,
    /// The program and the result, if there are any.
    pub result: Option<(Program, Run)>,
    /// Why there is no result, or no use of it.
    pub reason: Option<String>,
    /// Whether it was checked.
    pub check: Option<Check>,
    /// What a native run found out of the error.
    pub finding: Option<String>,
    /// The commands with the time that each took.
    pub commands: Vec<(String, Duration)>,
}

/// The three verdicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    /// No execution reaches an error.
    Safe,
    /// One does.
    Unsafe,
    /// Nobody knows.
    Unknown,
}

impl Word {
    /// As it is printed.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Word::Safe => "safe",
            Word::Unsafe => "unsafe",
            Word::Unknown => "unknown",
        }
    }

    /// The exit code.
    pub(crate) fn code(self) -> u8 {
        match self {
            Word::Safe => 0,
            Word::Unsafe => 1,
            Word::Unknown => 3,
        }
    }
}

impl Answer {
    /// The verdict: that of the search, unless its check says otherwise. A native run that does not get to
    /// the error takes an error path back; one that does makes an error path of one that rests on a guess.
    pub(crate) fn word(&self) -> Word {
        if self.reason.is_some() {
            return Word::Unknown;
        }
        match (self.result.as_ref().map(|(_, run)| &run.verdict), &self.check) {
            (Some(RunVerdict::Safe | RunVerdict::Unsafe), Some(Check::Failed(_))) => Word::Unknown,
            (Some(RunVerdict::Safe), _) => Word::Safe,
            (Some(RunVerdict::Unsafe), _) | (Some(RunVerdict::Unknown(_)), Some(Check::Passed)) => {
                Word::Unsafe
            }
            _ => Word::Unknown,
        }
    }

    /// What the verdict's line says in parentheses.
    pub(crate) fn remark(&self) -> String {
        if let Some(reason) = &self.reason {
            return reason.clone();
        }
        let Some((program, run)) = &self.result else { return "there is no result".into() };
        match (&run.verdict, &self.check) {
            (RunVerdict::Unknown(_) | RunVerdict::Unsafe, Some(Check::Passed)) => "confirmed".into(),
            (RunVerdict::Unknown(reason), Some(Check::Failed(why))) => format!("{reason}; {why}"),
            (RunVerdict::Unknown(reason), _) => reason.to_string(),
            (RunVerdict::Safe, Some(Check::Failed(why))) => {
                format!("a proof was found, but beeline-check-proof refuses it: {why}")
            }
            (RunVerdict::Safe, check) => {
                let checked = match check {
                    Some(Check::Passed) => "proof checked".into(),
                    Some(Check::Open(why)) => format!("proof not checked: {why}"),
                    _ => "proof not checked".into(),
                };
                match run.assumptions(program).len() {
                    0 => checked,
                    1 => format!("under 1 assumption, {checked}"),
                    number => format!("under {number} assumptions, {checked}"),
                }
            }
            (RunVerdict::Unsafe, Some(Check::Failed(why))) => {
                format!("a possible bug was found that natively does not happen: {why}")
            }
            (RunVerdict::Unsafe, Some(Check::Open(why))) => format!("not confirmed: {why}"),
            (RunVerdict::Unsafe, None) => "not confirmed".into(),
        }
    }

    /// The last line.
    pub(crate) fn line(&self) -> String {
        format!("verdict: {} ({})", self.word().name(), self.remark())
    }
}
