//! The answers on targets, after the check of the answer.

use crate::answer::{Check, Replay, Word};
use beeline_ir::{LocId, Program};
use beeline_run::{Reason, Run, TargetVerdict};

/// The answer on a target.
#[derive(Debug, Clone)]
pub(crate) struct TargetAnswer {
    /// The target.
    pub target: LocId,
    /// Its severity.
    pub severity: Severity,
    /// The text in parentheses after the verdict.
    pub remark: String,
    /// The path to it, by index.
    pub path: Option<usize>,
    /// The reason why there is no answer.
    pub reason: Option<Reason>,
}

/// The severity of an answer on a target, the most severe first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Severity {
    /// It is reached natively, too.
    Confirmed,
    /// The search says that it is reached, and no check was asked for.
    Unsafe,
    /// A possible error: a path that no native run confirms, or that depends on a guess.
    Possible,
    /// A proof was refused.
    Refused,
    /// It is not known.
    Unknown,
    /// It was not searched for after another one was reached.
    Open,
    /// No execution reaches it.
    Safe,
}

impl TargetAnswer {
    /// The verdict.
    pub(crate) fn word(&self) -> Word {
        match self.severity {
            Severity::Confirmed | Severity::Unsafe => Word::Unsafe,
            Severity::Safe => Word::Safe,
            Severity::Possible | Severity::Refused | Severity::Unknown | Severity::Open => Word::Unknown,
        }
    }
}

/// The reason why an answer is not checked if the user does not want it.
const SKIPPED: &str = "--no-check was given";

/// The answers on all targets that were asked for, the most severe first.
pub(crate) fn answers(
    program: &Program,
    run: &Run,
    proof: Option<&Check>,
    replays: &[Replay],
) -> Vec<TargetAnswer> {
    let answer = |target: LocId, verdict: &TargetVerdict| {
        let replay = |path: u32| replays.get(path as usize).map(|replay| &replay.check);
        let (severity, remark, path, reason) = match verdict {
            TargetVerdict::Safe { .. } => {
                let (severity, remark) = of_proof(proof);
                (severity, remark, None, None)
            }
            TargetVerdict::Unsafe { path } => {
                let (severity, remark) = of_replay(replay(*path));
                (severity, remark, Some(*path as usize), None)
            }
            TargetVerdict::Unknown { reason, path } => {
                let (severity, remark) = of_guess(reason, path.and_then(replay), path.is_some());
                (severity, remark, path.map(|path| path as usize), Some(reason.clone()))
            }
            TargetVerdict::Open => (Severity::Open, "not examined further".into(), None, None),
            TargetVerdict::NotAsked => return None,
        };
        Some(TargetAnswer { target, severity, remark, path, reason })
    };
    let mut answers: Vec<TargetAnswer> =
        run.targets.iter().filter_map(|target| answer(target.loc, &target.verdict)).collect();
    let line = |answer: &TargetAnswer| {
        let target = program.targets.iter().find(|target| target.loc == answer.target);
        target.and_then(|target| target.span).map(|span| (span.file, span.line, span.col))
    };
    answers.sort_by_cached_key(|answer| (answer.severity, answer.path, line(answer), answer.target));
    answers
}

/// Whether a remark says that a proof was found valid.
pub(crate) fn is_proved(remark: &str) -> bool {
    matches!(remark, "proof checked" | "proof certified")
}

/// The severity of a target that proofs exclude, after their check.
pub(crate) fn of_proof(check: Option<&Check>) -> (Severity, String) {
    match check {
        Some(Check::Passed) => (Severity::Safe, "proof checked".into()),
        Some(Check::Certified) => (Severity::Safe, "proof certified".into()),
        Some(Check::Open(why)) => (Severity::Safe, format!("proof not checked: {why}")),
        Some(Check::Skipped) => (Severity::Safe, format!("proof not checked: {SKIPPED}")),
        None => (Severity::Safe, "proof not checked".into()),
        Some(Check::Failed(why)) => {
            (Severity::Refused, format!("beeline-check-proof rejects the proof: {why}"))
        }
    }
}

/// The severity of an error path: the error is only possible unless a native run reaches it, whatever kept the run
/// from it. Where the user asked for no check, what the search says stands.
fn of_replay(check: Option<&Check>) -> (Severity, String) {
    match check {
        Some(Check::Passed | Check::Certified) => (Severity::Confirmed, "confirmed".into()),
        Some(Check::Skipped) => (Severity::Unsafe, format!("not confirmed: {SKIPPED}")),
        Some(Check::Open(why) | Check::Failed(why)) => {
            (Severity::Possible, format!("unconfirmed counterexample: {why}"))
        }
        None => (Severity::Possible, "unconfirmed counterexample".into()),
    }
}

/// The severity of a path with a guess: a native run that reaches the error confirms it.
fn of_guess(reason: &Reason, check: Option<&Check>, has_path: bool) -> (Severity, String) {
    match check {
        Some(Check::Passed | Check::Certified) => (Severity::Confirmed, "confirmed".into()),
        Some(Check::Failed(why)) => (Severity::Possible, format!("{reason}; {why}")),
        _ if has_path => (Severity::Possible, reason.to_string()),
        _ => (Severity::Unknown, reason.to_string()),
    }
}
