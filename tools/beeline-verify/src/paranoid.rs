//! Checking the proof of a safe verdict before it is given.

use crate::report;
use beeline_engine::run::record;
use beeline_engine::{Reason, Statistics, Verdict};
use beeline_ir::Program;
use beeline_proof::{Outcome, Report};
use std::time::Duration;

/// The verdict; a safe one only if its proof is found valid in the time that is left.
pub fn settle(
    program: &Program,
    verdict: Verdict,
    statistics: &Statistics,
    time: Option<Duration>,
) -> Verdict {
    let run = record(program, &verdict, statistics);
    let Some(proof) = run.proof() else { return verdict };
    let limits = beeline_proof::Options { time, ..Default::default() };
    let report = beeline_proof::check(program, proof, &limits);
    match doubt(&report.outcome) {
        None => {
            report::complain(&checked(&report));
            verdict
        }
        Some(reason) => Verdict::Unknown(reason),
    }
}

/// Why a proof is not to be believed after its check.
fn doubt(outcome: &Outcome) -> Option<Reason> {
    match outcome {
        Outcome::Valid => None,
        Outcome::Invalid(fault) => Some(Reason::Proof(format!("it is invalid: {}", fault.reason))),
        Outcome::Unchecked(why) => Some(Reason::Proof(why.clone())),
    }
}

/// What was done, for a person.
fn checked(report: &Report) -> String {
    format!(
        "the proof was checked and is valid: {} states, {} questions to the solver, {:.2} s",
        report.states,
        report.queries,
        report.time.as_secs_f64()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_engine::{Distances, Metric, Monitor, Options, verify};

    /// A program that is safe if what is added is 1.
    fn adding(step: &str) -> Program {
        let text = "beeline 1.0
            fn main() {
              var x: i8, y: i8, n: i8
              n := input \"n\"
              assume n <u 5
              x, y := 0, 0
              head: while x <u n goto body else after
              body: x, y := x + 1, y + STEP goto head
              after: if x != y goto bad else done
              bad: target \"differ\"
              done: exit
            }";
        beeline_ir::text::parse(&text.replace("STEP", step)).expect("the text is a program")
    }

    fn verified(program: &Program) -> (Verdict, Statistics) {
        let mut distances = Distances::new(program, Metric::BasicBlocks);
        verify(program, &Options::default(), &mut distances, &Monitor::default())
    }

    fn reason(verdict: Verdict) -> String {
        match verdict {
            Verdict::Unknown(reason) => reason.to_string(),
            other => panic!("the verdict is {other:?}"),
        }
    }

    #[test]
    fn a_valid_proof_leaves_the_verdict_safe() {
        let program = adding("1");
        let (verdict, statistics) = verified(&program);
        assert!(matches!(settle(&program, verdict, &statistics, None), Verdict::Safe(_)));
    }

    #[test]
    fn a_proof_that_does_not_fit_the_program_makes_the_verdict_unknown() {
        let (verdict, statistics) = verified(&adding("1"));
        assert!(matches!(verdict, Verdict::Safe(_)));
        let said = reason(settle(&adding("2"), verdict, &statistics, None));
        assert!(said.starts_with("the proof of safety was not found valid: it is invalid: state "), "{said}");
    }

    #[test]
    fn a_check_without_time_makes_the_verdict_unknown() {
        let program = adding("1");
        let (verdict, statistics) = verified(&program);
        let said = reason(settle(&program, verdict, &statistics, Some(Duration::ZERO)));
        assert_eq!(said, "the proof of safety was not found valid: the time limit was reached");
    }

    #[test]
    fn other_verdicts_stay_as_they_are() {
        let program = adding("2");
        let (verdict, statistics) = verified(&program);
        assert!(matches!(settle(&program, verdict, &statistics, None), Verdict::Unsafe(_)));
    }
}
