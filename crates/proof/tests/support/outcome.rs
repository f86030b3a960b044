//! The outcome of checking a proof, which is the same whether a solver is believed or not.

use beeline_proof::{Certify, Options, Outcome, Report};
use std::mem::discriminant;
use std::time::Duration;

/// The outcome of a check, after a comparison of both.
pub(crate) fn outcome(check: impl Fn(&Options) -> Report) -> Outcome {
    let options =
        Options { query_ticks: 15_000_000, time: Some(Duration::from_secs(30)), ..Options::default() };
    let outcome = check(&options).outcome;
    let certified = check(&Options { certify: Some(Certify::default()), ..options }).outcome;
    assert_eq!(
        discriminant(&certified),
        discriminant(&outcome),
        "{certified:?} without a solver, {outcome:?}"
    );
    outcome
}
