//! Results of the unrolling engine, and the check of their proofs.

use beeline_engine::{Bounded, Distances, Engine, Metric, Monitor, Task, Verdict};
use beeline_ir::Program;
use beeline_proof::{Outcome, check};
use beeline_run::{Certificate, RunUnrolling};
use std::time::Duration;

/// The engine's verdict on a program, with its proof if that is `safe`.
pub(crate) fn unrolled(program: &Program) -> (Verdict, Option<RunUnrolling>) {
    let options = beeline_engine::Options {
        time: Some(Duration::from_secs(30)),
        query_ticks: 30_000_000,
        ..beeline_engine::Options::default()
    };
    let mut distances = Distances::new(program, Metric::BasicBlocks);
    let task = Task::new(program, &mut distances, options.nothing_known());
    let outcome = Bounded { options: &options }.run(task, &Monitor::default());
    let run = beeline_engine::outcome::run::record(program, &outcome.verdict, &outcome.statistics);
    let proof = match run.proof() {
        Some(Certificate::Unrolling(proof)) => Some(proof.clone()),
        _ => None,
    };
    (outcome.verdict, proof)
}

/// The engine's proof that a program is safe.
#[track_caller]
pub(crate) fn proof(program: &Program) -> RunUnrolling {
    let (verdict, proof) = unrolled(program);
    proof.unwrap_or_else(|| panic!("{verdict:?}"))
}

/// The outcome of checking a proof.
pub(crate) fn outcome(program: &Program, proof: &RunUnrolling) -> Outcome {
    let certificate = Certificate::Unrolling(proof.clone());
    super::outcome::outcome(|options| check(program, &certificate, options))
}
