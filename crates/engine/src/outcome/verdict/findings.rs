//! Findings: what is known of each target, and the verdict for the program.

use super::{Proof, Reason};
use crate::paths::counterexample::Counterexample;
use beeline_ir::LocId;
use std::collections::BTreeSet;

/// What a run found out about the targets it was asked for.
#[derive(Debug, Default)]
pub struct Verdict {
    /// The targets that it was asked for.
    pub asked: BTreeSet<LocId>,
    /// What was found, in order; at most one finding for each target.
    pub findings: Vec<Finding>,
    /// The proofs that findings refer to. No finding refers to the proof of a program without targets.
    pub proofs: Vec<Proof>,
    /// Why the run ended before the other targets were decided, unless one counterexample was enough.
    pub ended: Option<Reason>,
    /// The ticks used when the first counterexample was found.
    pub error_after: Option<u64>,
}

/// A finding about a target.
#[derive(Debug)]
pub struct Finding {
    /// The target.
    pub target: LocId,
    /// The finding itself.
    pub found: Found,
}

/// A kind of finding.
#[derive(Debug)]
pub enum Found {
    /// An execution reaches it.
    Reached(Box<Counterexample>),
    /// An execution reaches it if a guess is right, which the reason names. A native run may tell.
    Possible(Reason, Box<Counterexample>),
    /// No execution reaches it, by the proof with this index.
    Excluded(usize),
    /// It has no answer, for a reason of its own.
    Undecided(Reason),
}

impl Found {
    /// Whether no other search can find out more.
    fn is_final(&self) -> bool {
        match self {
            Found::Reached(_) | Found::Excluded(_) => true,
            // An execution reaches this operation: no other search will show that none does.
            Found::Undecided(reason) => matches!(reason, Reason::Undefined(..) | Reason::Broken(..)),
            Found::Possible(..) => false,
        }
    }
}

/// The verdict for the whole program.
#[derive(Debug, Clone, Copy)]
pub enum Whole<'v> {
    /// No execution reaches a target.
    Safe,
    /// An execution reaches a target.
    Unsafe(&'v Counterexample),
    /// An execution reaches a target if a guess is right, which the reason names.
    Possible(&'v Reason, &'v Counterexample),
    /// There is no answer.
    Unknown(&'v Reason),
}

/// The reason of a missing answer that has no other one.
static NOT_LOOKED_AT: Reason = Reason::NoProgress;

impl Verdict {
    /// A verdict without findings for these targets.
    pub fn on(asked: BTreeSet<LocId>) -> Verdict {
        Verdict { asked, ..Verdict::default() }
    }

    /// The verdict of a run that ended for a reason, with the targets that it reached.
    pub fn ended(asked: BTreeSet<LocId>, reason: Reason, reached: Vec<Counterexample>) -> Verdict {
        let mut verdict = Verdict { ended: Some(reason), ..Verdict::on(asked) };
        for counterexample in reached {
            verdict.find(counterexample.target, Found::Reached(Box::new(counterexample)));
        }
        verdict
    }

    /// The verdict for the program: an error if there is one, then a possible error, then safety, then the
    /// reason why there is no answer.
    pub fn whole(&self) -> Whole<'_> {
        let found = || self.findings.iter().map(|finding| &finding.found);
        let reached = found().find_map(|found| match found {
            Found::Reached(path) => Some(Whole::Unsafe(path)),
            _ => None,
        });
        let possible = || {
            found().find_map(|found| match found {
                Found::Possible(reason, path) => Some(Whole::Possible(reason, path)),
                _ => None,
            })
        };
        let undecided = || {
            found().find_map(|found| match found {
                Found::Undecided(reason) => Some(reason),
                _ => None,
            })
        };
        let safe = || self.is_safe().then_some(Whole::Safe);
        let unknown = || Whole::Unknown(self.ended.as_ref().or_else(undecided).unwrap_or(&NOT_LOOKED_AT));
        reached.or_else(possible).or_else(safe).unwrap_or_else(unknown)
    }

    /// Whether no execution reaches any of the targets.
    pub fn is_safe(&self) -> bool {
        let is_excluded = |finding: &&Finding| matches!(finding.found, Found::Excluded(_));
        self.findings.iter().filter(is_excluded).count() == self.asked.len() && !self.proofs.is_empty()
    }

    /// Whether an execution reaches a target.
    pub fn is_unsafe(&self) -> bool {
        matches!(self.whole(), Whole::Unsafe(_))
    }

    /// The executions that reach targets.
    pub fn reached(&self) -> impl Iterator<Item = &Counterexample> {
        self.findings.iter().filter_map(|finding| match &finding.found {
            Found::Reached(found) => Some(&**found),
            _ => None,
        })
    }

    /// Takes another execution in the place of the one that reaches the same target.
    pub fn replace_reached(&mut self, other: Box<Counterexample>) {
        for finding in &mut self.findings {
            if let Found::Reached(found) = &mut finding.found
                && found.target == other.target
            {
                *found = other;
                return;
            }
        }
    }

    /// Adds a finding about a target.
    pub(crate) fn find(&mut self, target: LocId, found: Found) {
        self.findings.push(Finding { target, found });
    }

    /// Adds a proof that no execution reaches these targets.
    pub(crate) fn exclude(&mut self, targets: impl IntoIterator<Item = LocId>, proof: Proof) {
        let index = self.proofs.len();
        targets.into_iter().for_each(|target| self.find(target, Found::Excluded(index)));
        self.proofs.push(proof);
    }

    /// Withdraws all proofs, for a reason.
    pub fn withdraw_proofs(&mut self, reason: &Reason) {
        self.proofs.clear();
        for finding in &mut self.findings {
            if matches!(finding.found, Found::Excluded(_)) {
                finding.found = Found::Undecided(reason.clone());
            }
        }
        if self.asked.is_empty() {
            self.ended = Some(reason.clone());
        }
    }

    /// The targets about which another search may find out more.
    pub fn open(&self) -> BTreeSet<LocId> {
        let mut open = self.asked.clone();
        for finding in self.findings.iter().filter(|finding| finding.found.is_final()) {
            open.remove(&finding.target);
        }
        open
    }

    /// Adds the findings of a later search about open targets.
    pub fn join(&mut self, next: Verdict) {
        let first = self.proofs.len();
        let better: BTreeSet<LocId> = next
            .findings
            .iter()
            .filter(|finding| !matches!(finding.found, Found::Undecided(_)))
            .map(|finding| finding.target)
            .collect();
        self.findings.retain(|finding| match finding.found {
            Found::Undecided(_) => !next.asked.contains(&finding.target),
            _ => !better.contains(&finding.target),
        });
        for Finding { target, found } in next.findings {
            let found = match found {
                Found::Excluded(index) => Found::Excluded(first + index),
                found => found,
            };
            // A path that a native run may confirm is more than no path.
            if self.findings.iter().all(|finding| finding.target != target) {
                self.find(target, found);
            }
        }
        self.proofs.extend(next.proofs);
        self.ended = next.ended;
    }
}
