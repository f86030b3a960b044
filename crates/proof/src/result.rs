//! Checking what a result says: which targets its proofs are for.
//!
//! Executions end at targets, so that a proof may be about some of them: those that the result says to be safe by
//! this proof. The others are places where executions end. So a proof is checked against what is claimed of it and
//! nothing else, and what is claimed without a proof is a fault.

use crate::check::{Options, all_targets, check_targets};
use crate::outcome::{Fault, Outcome, Report};
use beeline_ir::{LocId, Program};
use beeline_run::{Run, RunVerdict};
use std::collections::BTreeSet;
use std::time::Instant;

/// Checks that a result's proofs show of each target that it says to be safe that no execution reaches it.
pub fn check_result(program: &Program, run: &Run, options: &Options) -> Report {
    let start = Instant::now();
    let mut report = Report { outcome: Outcome::Valid, states: 0, queries: 0, time: start.elapsed() };
    if let Err(reason) = is_about(program, run) {
        report.outcome = Outcome::Invalid(Box::new(Fault::of_form(reason)));
        return report;
    }
    // Files of version 3 do not tell of targets: they were all meant.
    let all = run.targets.is_empty().then(|| all_targets(program));
    for (index, proof) in run.proofs.iter().enumerate() {
        let claimed = all.clone().unwrap_or_else(|| run.proved(index));
        let left = options.time.map(|time| time.saturating_sub(start.elapsed()));
        let options = Options { time: left, ..options.clone() };
        let Report { outcome, states, queries, .. } = check_targets(program, proof, &claimed, &options);
        report.states += states;
        report.queries += queries;
        report.time = start.elapsed();
        match outcome {
            Outcome::Valid => {}
            Outcome::Invalid(_) => {
                report.outcome = outcome;
                return report;
            }
            Outcome::Unchecked(_) => report.outcome = outcome,
        }
    }
    report
}

/// Does a result say something of each target of a program, and nothing that no proof could show?
fn is_about(program: &Program, run: &Run) -> Result<(), String> {
    run.well_formed()?;
    let told: BTreeSet<LocId> = run.targets.iter().map(|target| target.loc).collect();
    if !told.is_empty() && told != all_targets(program) {
        return Err("its targets are not those of the program".into());
    }
    if run.verdict == RunVerdict::Safe && run.proofs.is_empty() {
        return Err("it has the verdict safe but no proof".into());
    }
    Ok(())
}
