//! Checks of proofs by their kinds.

use crate::checker::{Checker, Claim};
pub use crate::judge::{Certify, Effort};
pub use crate::options::Options;
use crate::options::report;
use crate::outcome::{Outcome, Report};
use crate::{summaries, unrolling};
use beeline_ir::{LocId, Program};
use beeline_run::{Certificate, RunProof};
use std::collections::BTreeSet;

/// Checks that a proof shows a program to be safe.
pub fn check(program: &Program, proof: &Certificate, options: &Options) -> Report {
    check_targets(program, proof, &all_targets(program), options)
}

/// Checks that a graph shows a program to be safe.
pub fn check_graph(program: &Program, proof: &RunProof, options: &Options) -> Report {
    check_states(program, &Claim::of(proof), &all_targets(program), options)
}

/// Checks that a proof shows that no execution reaches one of these targets. Executions end at the other
/// targets.
pub(crate) fn check_targets(
    program: &Program,
    proof: &Certificate,
    targets: &BTreeSet<LocId>,
    options: &Options,
) -> Report {
    match proof {
        Certificate::Graph(graph) => check_states(program, &Claim::of(graph), targets, options),
        Certificate::Unrolling(unrolling) => unrolling::check(program, unrolling, targets, options),
        Certificate::Summaries(proof) => summaries::check(program, proof, targets, options),
        Certificate::Joined(_) => {
            report(options, |_| (Outcome::Unchecked("its parts are missing".into()), 0))
        }
    }
}

/// The targets of a program.
pub(crate) fn all_targets(program: &Program) -> BTreeSet<LocId> {
    program.targets.iter().map(|target| target.loc).collect()
}

/// Checks that a graph shows that no execution reaches one of these targets, but perhaps after an open state.
pub(crate) fn check_states(
    program: &Program,
    claim: &Claim<'_>,
    targets: &BTreeSet<LocId>,
    options: &Options,
) -> Report {
    report(options, |judge| {
        let checker = Checker::of_graph(program, claim, targets, judge);
        let checker = checker.map(|checker| checker.accounting(options.account.as_ref()));
        (Checker::outcome(checker), claim.graph.states.len())
    })
}
