//! The check of proofs before a verdict.

use crate::plan::Found;
use crate::report;
use beeline_engine::Reason;
use beeline_engine::outcome::run::record;
use beeline_ir::Program;
use beeline_proof::{Outcome, Report};
use beeline_run::Run;
use beeline_run::rest::Filed;
use std::time::Duration;

/// The reason against a verdict: its proofs are not found valid in the remaining time.
pub(crate) fn objection(
    program: &Program,
    found: &Found,
    earlier: &[Filed<'_>],
    time: Option<Duration>,
) -> Option<Reason> {
    let run = Run { rests: found.rests.clone(), ..record(program, &found.verdict, &found.statistics) };
    run.proof()?;
    let limits = beeline_proof::Options { time, ..Default::default() };
    let report = beeline_proof::check_chain(program, &run, earlier, &limits);
    let reason = reason(&report.outcome);
    if reason.is_none() {
        report::complain(&checked(&report));
    }
    reason
}

/// The reason why a proof is not confirmed by its check.
fn reason(outcome: &Outcome) -> Option<Reason> {
    match outcome {
        Outcome::Valid => None,
        Outcome::Invalid(fault) => Some(Reason::Proof(format!("it is invalid: {}", fault.reason))),
        Outcome::Unchecked(why) => Some(Reason::Proof(why.clone())),
    }
}

/// The report of the check as readable text.
fn checked(report: &Report) -> String {
    format!(
        "the proof is valid: {} states, {} solver queries, {:.2} s",
        report.states,
        report.queries,
        report.time.as_secs_f64()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::adding;
    use beeline_engine::{Distances, Metric, Monitor, Options, Seen, verify};

    fn verified(program: &Program) -> Found {
        let mut distances = Distances::new(program, Metric::BasicBlocks);
        let (verdict, statistics) = verify(program, &Options::default(), &mut distances, &Monitor::default());
        Found {
            verdict,
            statistics,
            rests: Vec::new(),
            looked: None,
            seen: Seen::new(),
            broken: Vec::new(),
            graph: None,
        }
    }

    /// The reason why a verdict on one program is unknown for another.
    fn said(program: &Program, found: &Found, time: Option<Duration>) -> String {
        objection(program, found, &[], time).expect("the verdict is not given").to_string()
    }

    #[test]
    fn a_valid_proof_leaves_the_verdict_safe() {
        let program = adding("1");
        let found = verified(&program);
        assert!(found.verdict.is_safe());
        assert!(objection(&program, &found, &[], None).is_none());
    }

    #[test]
    fn a_proof_that_does_not_fit_the_program_makes_the_verdict_unknown() {
        let verified = verified(&adding("1"));
        assert!(verified.verdict.is_safe());
        let said = said(&adding("2"), &verified, None);
        assert!(said.starts_with("the proof is not valid: it is invalid: state "), "{said}");
    }

    #[test]
    fn a_check_without_time_makes_the_verdict_unknown() {
        let program = adding("1");
        let said = said(&program, &verified(&program), Some(Duration::ZERO));
        assert_eq!(said, "the proof is not valid: the time limit was reached");
    }

    #[test]
    fn other_verdicts_stay_as_they_are() {
        let program = adding("2");
        let found = verified(&program);
        assert!(found.verdict.is_unsafe());
        assert!(objection(&program, &found, &[], None).is_none());
    }
}
