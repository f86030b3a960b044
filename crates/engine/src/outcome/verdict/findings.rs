//! What is known of each target, and what that says of the program.

use super::{Proof, Reason};
use crate::paths::counterexample::Counterexample;
use beeline_ir::LocId;
use std::collections::BTreeSet;

/// What a run found out of the targets that it was asked for.
#[derive(Debug, Default)]
pub struct Verdict {
    /// The targets that it was asked for.
    pub asked: BTreeSet<LocId>,
    /// What was found of targets, in that order; each is there once at most.
    pub findings: Vec<Finding>,
    /// The proofs that findings name. That of a program without targets is named by none.
    pub proofs: Vec<Proof>,
    /// Why the run ended before something was found of the others, unless one counterexample was enough.
    pub ended: Option<Reason>,
    /// What a search had used when it found its first counterexample.
    pub error_after: Option<u64>,
}

/// What was found of a target.
#[derive(Debug)]
pub struct Finding {
    /// The target.
    pub target: LocId,
    /// What.
    pub found: Found,
}

/// What can be found of a target.
#[derive(Debug)]
pub enum Found {
    /// This execution reaches it.
    Reached(Box<Counterexample>),
    /// This execution does if a guess is right, which the reason names: a native run may tell.
    Possible(Reason, Box<Counterexample>),
    /// No execution does, by a proof; its index.
    Excluded(usize),
    /// It has no answer, for a reason of its own.
    Undecided(Reason),
}

impl Found {
    /// Can no other search find out more?
    fn is_final(&self) -> bool {
        match self {
            Found::Reached(_) | Found::Excluded(_) => true,
            // An execution gets there: no other search will say that none does.
            Found::Undecided(reason) => matches!(reason, Reason::Undefined(..) | Reason::Broken(..)),
            Found::Possible(..) => false,
        }
    }
}

/// What the findings say of the program.
#[derive(Debug, Clone, Copy)]
pub enum Whole<'v> {
    /// No execution reaches a target.
    Safe,
    /// This execution does.
    Unsafe(&'v Counterexample),
    /// This execution does if a guess is right, which the reason names.
    Possible(&'v Reason, &'v Counterexample),
    /// There is no answer.
    Unknown(&'v Reason),
}

/// Why there is no answer where nobody says why.
static NOT_LOOKED_AT: Reason = Reason::NoProgress;

impl Verdict {
    /// Nothing is known of these targets yet.
    pub fn on(asked: BTreeSet<LocId>) -> Verdict {
        Verdict { asked, ..Verdict::default() }
    }

    /// Nothing more will be known of these targets than that some are reached, for a reason.
    pub fn ended(asked: BTreeSet<LocId>, reason: Reason, reached: Vec<Counterexample>) -> Verdict {
        let mut verdict = Verdict { ended: Some(reason), ..Verdict::on(asked) };
        for counterexample in reached {
            verdict.find(counterexample.target, Found::Reached(Box::new(counterexample)));
        }
        verdict
    }

    /// What is known of the program: an error if there is one, then what may be one, then why there is no answer.
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

    /// Does no execution reach any of the targets?
    pub fn is_safe(&self) -> bool {
        let is_excluded = |finding: &&Finding| matches!(finding.found, Found::Excluded(_));
        self.findings.iter().filter(is_excluded).count() == self.asked.len() && !self.proofs.is_empty()
    }

    /// Is there an execution that reaches a target?
    pub fn is_unsafe(&self) -> bool {
        matches!(self.whole(), Whole::Unsafe(_))
    }

    /// Adds what was found of a target.
    pub(crate) fn find(&mut self, target: LocId, found: Found) {
        self.findings.push(Finding { target, found });
    }

    /// Adds a proof that no execution reaches these targets.
    pub(crate) fn exclude(&mut self, targets: impl IntoIterator<Item = LocId>, proof: Proof) {
        let index = self.proofs.len();
        targets.into_iter().for_each(|target| self.find(target, Found::Excluded(index)));
        self.proofs.push(proof);
    }

    /// Takes the proofs back, for a reason.
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

    /// The targets of which another search may find out more.
    pub fn open(&self) -> BTreeSet<LocId> {
        let mut open = self.asked.clone();
        for finding in self.findings.iter().filter(|finding| finding.found.is_final()) {
            open.remove(&finding.target);
        }
        open
    }

    /// Adds what a later search found out of what was open.
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
            // A path that a native run may confirm is more than none.
            if self.findings.iter().all(|finding| finding.target != target) {
                self.find(target, found);
            }
        }
        self.proofs.extend(next.proofs);
        self.ended = next.ended;
    }
}
