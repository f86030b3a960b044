//! The check of a result: which targets its proofs are for, and which residual conditions they rely on.
//!
//! A proof may be about some targets only: those that the result declares safe by this proof. Executions end
//! at the others. So a proof is checked against exactly what is claimed of it, and a claim without a proof is
//! a fault.
//!
//! A proof may rely on the *residual condition* of an earlier search, in the same file or in another one.
//! That is checked like a proof, except for its open states. It has to be about the same targets, and may
//! rely on another residual condition.

use crate::check::{all_targets, check_states, check_targets};
use crate::checker::Claim;
use crate::judge::Certify;
use crate::options::Options;
use crate::outcome::{Fault, Outcome, Report};
use beeline_ir::file::Digest;
use beeline_ir::{LocId, Program};
use beeline_run::rest::{self, Broken, Filed, RestId};
use beeline_run::{Certificate, Run, RunAfter, RunJoined, RunProof, RunVerdict};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::time::Instant;

/// Checks that the proofs of a result show that no execution reaches a target that the result declares safe.
pub fn check_result(program: &Program, run: &Run, options: &Options) -> Report {
    check_chain(program, run, &[], options)
}

/// Checks the same for a result whose proofs may rely on earlier results. Without a proof, checks the
/// residual conditions of the result.
pub fn check_chain(program: &Program, run: &Run, earlier: &[Filed<'_>], options: &Options) -> Report {
    let mut check = Check::new(program, run, earlier, options);
    let end = check.all().err().or(check.unchecked.take());
    Report { outcome: end.unwrap_or(Outcome::Valid), time: check.start.elapsed(), ..check.report }
}

struct Check<'a> {
    program: &'a Program,
    /// The results. The last one is the one to check.
    results: Vec<Filed<'a>>,
    options: &'a Options,
    start: Instant,
    report: Report,
    /// The last outcome that was not decided.
    unchecked: Option<Outcome>,
    /// The residual conditions that are checked already.
    checked: FxHashSet<RestId>,
}

impl<'a> Check<'a> {
    fn new(program: &'a Program, run: &'a Run, earlier: &[Filed<'a>], options: &'a Options) -> Check<'a> {
        let start = Instant::now();
        let results = earlier.iter().copied().chain([Filed { digest: None, run }]).collect();
        let report =
            Report { outcome: Outcome::Valid, states: 0, queries: 0, time: start.elapsed(), certified: None };
        let checked = FxHashSet::default();
        Check { program, results, options, start, report, unchecked: None, checked }
    }

    /// Checks all proofs of the last result. A fault is an error.
    fn all(&mut self) -> Result<(), Outcome> {
        let own = self.results.len() - 1;
        let run = self.results[own].run;
        is_about(self.program, run).map_err(invalid)?;
        self.results.iter().try_for_each(|filed| filed.run.well_formed()).map_err(invalid)?;
        // Files of version 3 do not list targets: they are about all targets.
        let all = run.targets.is_empty().then(|| all_targets(self.program));
        for (index, proof) in run.proofs.iter().enumerate() {
            let claimed = all.clone().unwrap_or_else(|| run.proved(index));
            self.proof((own, index), proof, &claimed)?;
        }
        if run.proofs.is_empty() {
            (0..run.rests.len() as u32).try_for_each(|rest| self.rest(RestId { run: own, rest }))?;
        }
        Ok(())
    }

    /// Checks a proof of a result for some targets.
    fn proof(
        &mut self,
        (run, index): (usize, usize),
        proof: &'a Certificate,
        claimed: &BTreeSet<LocId>,
    ) -> Result<(), Outcome> {
        let resting = self.results[run].run.resting.iter().find(|resting| resting.proof as usize == index);
        match (proof, resting) {
            (Certificate::Graph(graph), Some(resting)) => {
                self.graph((run, graph), None, Some(&resting.after), claimed)
            }
            (Certificate::Joined(joined), _) => self.joined(run, joined, claimed),
            _ => {
                let report = check_targets(self.program, proof, claimed, &self.limited());
                self.add(report)
            }
        }
    }

    /// Checks that results about parts of a residual condition exclude some targets, and that there is a part
    /// for each open state.
    fn joined(
        &mut self,
        run: usize,
        joined: &'a RunJoined,
        claimed: &BTreeSet<LocId>,
    ) -> Result<(), Outcome> {
        let id = RestId { run: self.given(joined.run)?, rest: joined.rest };
        let rest = self.results[id.run].run.rests.get(id.rest as usize);
        let rest = rest.ok_or_else(|| broken(Broken::NoSuchRest))?;
        if !claimed.iter().all(|target| rest.targets.contains(target)) {
            return Err(invalid(
                "the residual condition that was split does not cover all of its targets".into(),
            ));
        }
        self.about_the_same(run, id)?;
        self.rest(id)?;
        let mut covered: BTreeSet<u32> = BTreeSet::new();
        for &digest in &joined.parts {
            let part = self.given(digest)?;
            let (of, within) = (self.results[part].run, self.results[run].run);
            let [outer @ .., last] = &of.parts[..] else {
                return Err(invalid("one of its parts is a result about all executions".into()));
            };
            if outer != &within.parts[..] || (last.run, last.rest) != (joined.run, joined.rest) {
                return Err(invalid("one of its parts belongs to another result".into()));
            }
            covered.extend(&last.only);
            is_about(self.program, of).map_err(invalid)?;
            let mut left = claimed.clone();
            for (index, proof) in of.proofs.iter().enumerate() {
                let proved: BTreeSet<LocId> = of.proved(index).intersection(&left).copied().collect();
                if !proved.is_empty() {
                    self.proof((part, index), proof, &proved)?;
                    left.retain(|target| !proved.contains(target));
                }
            }
            if !left.is_empty() {
                return Err(invalid("a part does not prove all of its targets".into()));
            }
        }
        match rest.open.iter().find(|open| !covered.contains(&open.state)) {
            Some(open) => Err(invalid(format!("no part covers the open state {}", open.state))),
            None => Ok(()),
        }
    }

    /// Checks that a residual condition is about all executions that a result is about.
    fn about_the_same(&self, run: usize, id: RestId) -> Result<(), Outcome> {
        rest::chain(&self.results, run, id).map(|_| ()).map_err(broken)
    }

    /// The result with a digest.
    fn given(&self, digest: Digest) -> Result<usize, Outcome> {
        let found = self.results.iter().position(|filed| filed.digest == Some(digest));
        found.ok_or_else(|| broken(Broken::NotGiven(digest)))
    }

    /// Checks a residual condition, and those before it.
    fn rest(&mut self, id: RestId) -> Result<(), Outcome> {
        if !self.checked.insert(id) {
            return Ok(());
        }
        let rest = &self.results[id.run].run.rests[id.rest as usize];
        let targets: BTreeSet<LocId> = rest.targets.iter().copied().collect();
        if !targets.is_subset(&all_targets(self.program)) {
            return Err(invalid("an earlier result has targets that the program does not have".into()));
        }
        let open: Vec<u32> = rest.open.iter().map(|open| open.state).collect();
        self.graph((id.run, &rest.graph), Some(&open), rest.after.as_ref(), &targets)
    }

    /// Checks a graph of a result for some targets, and what it relies on. A residual condition has open
    /// states.
    fn graph(
        &mut self,
        (run, graph): (usize, &'a RunProof),
        open: Option<&[u32]>,
        after: Option<&'a RunAfter>,
        targets: &BTreeSet<LocId>,
    ) -> Result<(), Outcome> {
        let last = after.map(|after| rest::found(&self.results, run, after)).transpose().map_err(broken)?;
        let chain = last.map(|last| rest::chain(&self.results, run, last)).transpose().map_err(broken)?;
        let chain = chain.unwrap_or_default();
        if let Some((id, left)) = chain.last() {
            if !targets.iter().all(|target| left.rest.targets.contains(target)) {
                return Err(invalid("an earlier result does not cover all of its targets".into()));
            }
            self.rest(*id)?;
        }
        let is_rest = open.is_some();
        let open = open.into_iter().flatten().copied().collect();
        let rests = chain.into_iter().map(|(_, left)| left).collect();
        let claim = Claim { graph, open, rests, after, is_rest };
        let report = check_states(self.program, &claim, targets, &self.limited());
        self.add(report)
    }

    /// The limits of the next check.
    fn limited(&self) -> Options {
        let left = self.options.time.map(|time| time.saturating_sub(self.start.elapsed()));
        let kept = self.report.certified.as_ref().map_or(0, |certified| certified.certified);
        let certify = self.options.certify.clone().map(|certify| Certify { kept, ..certify });
        Options { time: left, certify, ..self.options.clone() }
    }

    /// Adds the report of a check. A fault is an error.
    fn add(&mut self, report: Report) -> Result<(), Outcome> {
        self.report.states += report.states;
        self.report.queries += report.queries;
        if let Some(certified) = report.certified {
            self.report.certified.get_or_insert_default().add(certified);
        }
        match report.outcome {
            Outcome::Valid => Ok(()),
            Outcome::Invalid(_) => Err(report.outcome),
            Outcome::Unchecked(_) => {
                self.unchecked = Some(report.outcome);
                Ok(())
            }
        }
    }
}

/// The outcome for a result that relies on something wrong or missing. If it is only missing, the result may
/// be right.
fn broken(why: Broken) -> Outcome {
    match why {
        Broken::NotGiven(_) => Outcome::Unchecked(why.to_string()),
        Broken::NoSuchRest | Broken::Circle | Broken::OtherPart => invalid(why.to_string()),
    }
}

fn invalid(reason: String) -> Outcome {
    Outcome::Invalid(Box::new(Fault::of_form(reason)))
}

/// Checks that a result says something of each target of a program, and nothing that no proof could show.
fn is_about(program: &Program, run: &Run) -> Result<(), String> {
    run.well_formed()?;
    let told: BTreeSet<LocId> = run.targets.iter().map(|target| target.loc).collect();
    if !told.is_empty() && told != all_targets(program) {
        return Err("its targets are not the targets of the program".into());
    }
    if run.verdict == RunVerdict::Safe && run.proofs.is_empty() {
        return Err("it has the verdict safe but no proof".into());
    }
    Ok(())
}
