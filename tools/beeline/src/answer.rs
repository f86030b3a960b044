//! The answer of a run.

use crate::choice::Chosen;
use crate::job::Job;
use crate::nothing::{self, Removed};
use crate::property;
use crate::since::Earlier;
use crate::targets::{Severity, TargetAnswer, answers, of_proof};
use beeline_ir::{Program, Target};
use beeline_run::{Run, RunVerdict, TargetVerdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// The outcome of the check of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Check {
    /// The check confirmed it.
    Passed,
    /// The check confirmed it, and believed no solver.
    Certified,
    /// The user asked for no check.
    Skipped,
    /// It could not be checked, or the check was not decided, for a reason.
    Open(String),
    /// The check refuted it, for a reason.
    Failed(String),
}

impl Check {
    /// Whether the check confirmed it.
    pub(crate) fn is_passed(&self) -> bool {
        matches!(self, Check::Passed | Check::Certified)
    }
}

/// How many answers of solvers the check of a proof rests on, and how many of them were certified.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Certified {
    /// The number of answers.
    pub obligations: u64,
    /// The number of certified ones.
    pub certified: u64,
    /// Why the others are not, and how many of them.
    pub open: BTreeMap<String, u64>,
}

impl Certified {
    /// Whether no solver is believed.
    pub(crate) fn is_complete(&self) -> bool {
        self.certified == self.obligations
    }

    /// The sentence about what is not certified.
    pub(crate) fn shortfall(&self) -> String {
        let why: Vec<String> = self.open.iter().map(|(why, count)| format!("{why} ({count})")).collect();
        let (left, all) = (self.obligations - self.certified.min(self.obligations), self.obligations);
        format!("{left} of {all} answers of the solver are not certified: {}", why.join(", "))
    }
}

/// A native run of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Replay {
    /// Whether it reaches the error.
    pub check: Check,
    /// Its finding about the error.
    pub finding: Option<String>,
    /// The marks that it passed, by number.
    pub passed: Vec<u32>,
    /// Its inputs, in order.
    pub inputs: Vec<Input>,
    /// The contents of memory at the start of the program.
    pub memory: Vec<Memory>,
    /// Its environment, if it was started as a command.
    pub world: Option<World>,
    /// What of a proof was certified, if that was wanted.
    pub certified: Option<Certified>,
}

/// The environment of a command.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct World {
    /// Its arguments.
    pub arguments: Vec<Vec<u8>>,
    /// Its standard input.
    pub stdin: Vec<u8>,
    /// The files that it read.
    pub files: Vec<WorldFile>,
}

/// A file that a command read.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct WorldFile {
    /// Its name, as the command asked for it.
    pub name: Vec<u8>,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl Replay {
    /// No run, with what is known instead of its outcome.
    pub(crate) fn none(check: Check) -> Replay {
        Replay {
            check,
            finding: None,
            passed: Vec::new(),
            inputs: Vec::new(),
            memory: Vec::new(),
            world: None,
            certified: None,
        }
    }
}

/// Memory that a native run was started with.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Memory {
    /// Its name in the source: `argv[1]`, `*name`.
    pub name: String,
    /// Its content as readable text.
    pub value: String,
}

/// A value that a native run was given.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Input {
    /// The function that returned it.
    pub function: String,
    /// The value as C text.
    pub value: String,
}

/// The verdict with its basis.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The job.
    pub job: Job,
    /// The plan that was chosen, if one was.
    pub chosen: Option<Chosen>,
    /// The program and the result, if there are any.
    pub result: Option<(Program, Run)>,
    /// The reason why there is no result, or why it cannot be used.
    pub reason: Option<String>,
    /// The check of the proofs.
    pub proof: Option<Check>,
    /// What of them was certified, if that was wanted.
    pub certified: Option<Certified>,
    /// The native runs of the paths, in their order.
    pub replays: Vec<Replay>,
    /// What was taken over of an earlier result.
    pub earlier: Option<Earlier>,
    /// The checks that compiler flags removed from a program without targets.
    pub removed: Option<Removed>,
    /// The contract of the entry function, if it is known that no arguments meet it.
    pub unmet: Option<String>,
    /// The commands with the time that each took.
    pub commands: Vec<(String, Duration)>,
}

/// The three verdicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    /// No execution reaches an error.
    Safe,
    /// An execution reaches an error.
    Unsafe,
    /// It is not known.
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

/// Whether undefined behaviour that was not asked for may end executions before the targets that were.
fn passes_others(program: &Program, run: &Run) -> bool {
    let is_other = |target: &&Target| {
        run.targets.iter().any(|it| it.loc == target.loc && it.verdict == TargetVerdict::NotAsked)
    };
    program.targets.iter().filter(is_other).any(|target| property::is_undefined_behaviour(&target.property))
}

impl Answer {
    /// The answers on all targets, the most severe first.
    pub(crate) fn targets(&self) -> Vec<TargetAnswer> {
        let Some((program, run)) = &self.result else { return Vec::new() };
        answers(program, run, self.proof.as_ref(), &self.replays)
    }

    /// The answer on the most severe target.
    pub(crate) fn first(&self) -> Option<TargetAnswer> {
        self.targets().into_iter().next()
    }

    /// The verdict: that on the most severe target.
    pub(crate) fn word(&self) -> Word {
        let Some((_, run)) = self.result.as_ref().filter(|_| self.reason.is_none()) else {
            return Word::Unknown;
        };
        match (self.first(), &run.verdict, &self.proof) {
            (Some(first), ..) => first.word(),
            // A program without a target.
            (None, _, Some(Check::Failed(_))) | (None, RunVerdict::Unknown(_) | RunVerdict::Unsafe, _) => {
                Word::Unknown
            }
            (None, RunVerdict::Safe, _) => Word::Safe,
        }
    }

    /// Whether the answer was checked.
    pub(crate) fn is_checked(&self) -> bool {
        match self.word() {
            Word::Safe => self.proof.as_ref().is_some_and(Check::is_passed),
            Word::Unsafe => self.first().is_some_and(|first| first.severity == Severity::Confirmed),
            Word::Unknown => false,
        }
    }

    /// The text in parentheses in the verdict's line.
    pub(crate) fn remark(&self) -> String {
        if let Some(reason) = &self.reason {
            return reason.clone();
        }
        let Some((program, run)) = &self.result else { return "there is no result".into() };
        let remark = match (self.first(), &run.verdict) {
            (Some(first), _) => first.remark,
            (None, RunVerdict::Unknown(reason)) => reason.to_string(),
            (None, _) => match of_proof(self.proof.as_ref()) {
                (Severity::Safe, _) if program.targets.is_empty() => match &self.removed {
                    Some(removed) => format!("nothing to check: {} left nothing of it", removed.by),
                    None => nothing::of_threads(&self.job.properties).unwrap_or("nothing to check").into(),
                },
                (_, remark) => remark,
            },
        };
        let remark = match &self.earlier {
            Some(earlier) if earlier.is_rechecked() => remark
                .replace("proof checked", "proof re-checked")
                .replace("proof certified", "proof re-checked"),
            _ => remark,
        };
        // Undefined executions are mentioned first.
        let defined = match () {
            () if !run.broken.is_empty() => "for executions that are defined, ",
            () if passes_others(program, run) => "for executions without an error at other targets, ",
            () => "",
        };
        let hollow = if self.unmet.is_some() { "hollow: no arguments meet the contract, " } else { "" };
        let paths = if self.job.paths.is_empty() { "" } else { "on the paths that are assumed, " };
        match (self.word(), run.assumptions(program).len()) {
            (Word::Safe, 0) => format!("{hollow}{defined}{paths}{remark}"),
            (Word::Safe, 1) => format!("{hollow}{defined}{paths}under 1 assumption, {remark}"),
            (Word::Safe, number @ 2..) => {
                format!("{hollow}{defined}{paths}under {number} assumptions, {remark}")
            }
            _ => remark,
        }
    }

    /// The text about the proofs.
    pub(crate) fn proof_remark(&self) -> String {
        of_proof(self.proof.as_ref()).1
    }

    /// The last line.
    pub(crate) fn line(&self) -> String {
        format!("verdict: {} ({})", self.word().name(), self.remark())
    }
}
