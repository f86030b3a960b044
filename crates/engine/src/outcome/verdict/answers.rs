//! The answers of a search while it runs, target by target.

use super::{Found, Proof, Reason, Verdict};
use crate::options::{AfterError, as_long_as};
use crate::paths::counterexample::Counterexample;
use beeline_ir::LocId;
use beeline_smt::Meter;
use cranelift_entity::EntitySet;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What a search has found, and its open targets.
#[derive(Debug)]
pub(crate) struct Answers {
    /// The targets that are searched now.
    open: BTreeSet<LocId>,
    /// Counterexamples that depend on guesses, by target. At the end, these targets are searched again
    /// without guesses.
    guesses: BTreeMap<LocId, (Reason, Box<Counterexample>)>,
    without_guesses: bool,
    after_error: AfterError,
    /// The meter of the search.
    meter: Rc<Meter>,
    verdict: Verdict,
}

impl Answers {
    /// No answers yet, for these targets.
    pub(crate) fn new(targets: BTreeSet<LocId>, after_error: AfterError, meter: Rc<Meter>) -> Answers {
        Answers {
            open: targets.clone(),
            guesses: BTreeMap::new(),
            without_guesses: false,
            after_error,
            meter,
            verdict: Verdict::on(targets),
        }
    }

    /// The targets that are searched now.
    pub(crate) fn open(&self) -> &BTreeSet<LocId> {
        &self.open
    }

    /// Whether no target remains to be searched now.
    pub(crate) fn are_complete(&self) -> bool {
        let is_proved = !self.verdict.asked.is_empty() || !self.verdict.proofs.is_empty();
        self.open.is_empty() && is_proved || self.after_error == AfterError::Stop && self.verdict.is_unsafe()
    }

    /// Searches only for these open targets from now on. Returns the others, of which nothing is recorded.
    pub(crate) fn turn_to(&mut self, targets: BTreeSet<LocId>) -> BTreeSet<LocId> {
        let others = self.open.difference(&targets).copied().collect();
        self.open = targets;
        others
    }

    /// Records that a target is reached.
    pub(crate) fn reached(&mut self, counterexample: Box<Counterexample>) {
        if !self.verdict.is_unsafe() {
            let used = self.meter.used();
            self.verdict.error_after = Some(used);
            if self.after_error == AfterError::AsLong {
                self.meter.allow(as_long_as(used));
            }
        }
        let target = counterexample.target;
        self.open.remove(&target);
        self.guesses.remove(&target);
        self.verdict.find(target, Found::Reached(counterexample));
    }

    /// Records that a target is reached if a guess is right.
    pub(crate) fn guessed(&mut self, reason: Reason, counterexample: Box<Counterexample>) {
        self.open.remove(&counterexample.target);
        self.guesses.insert(counterexample.target, (reason, counterexample));
    }

    /// Records that an open target has no answer, for a reason of its own.
    pub(crate) fn undecided(&mut self, target: LocId, reason: Reason) {
        if self.open.remove(&target) && !self.guesses.contains_key(&target) {
            self.verdict.find(target, Found::Undecided(reason));
        }
    }

    /// Records that the open targets among some locations have no answer, for a common reason. If none of
    /// them is open, all open targets have none.
    pub(crate) fn undecided_among(&mut self, among: &EntitySet<LocId>, reason: &Reason) {
        let open = std::mem::take(&mut self.open);
        let all = open.iter().all(|&target| !among.contains(target));
        let (undecided, open) = open.into_iter().partition(|&target| all || among.contains(target));
        self.open = open;
        let undecided: BTreeSet<LocId> = undecided;
        for target in undecided {
            self.verdict.find(target, Found::Undecided(reason.clone()));
        }
    }

    /// Records that no execution reaches an open target, by a proof.
    pub(crate) fn open_excluded(&mut self, proof: Proof) {
        self.verdict.exclude(std::mem::take(&mut self.open), proof);
    }

    /// Whether a counterexample was found.
    pub(crate) fn have_error(&self) -> bool {
        self.verdict.is_unsafe()
    }

    /// Whether a proof was found.
    pub(crate) fn have_proof(&self) -> bool {
        !self.verdict.proofs.is_empty()
    }

    /// Whether the search excludes guesses. The explored graph is then not a proof.
    pub(crate) fn without_guesses(&self) -> bool {
        self.without_guesses
    }

    /// Excludes guesses from now on, to find counterexamples without guesses for targets that have none.
    /// Returns whether there are such targets.
    pub(crate) fn look_without_guesses(&mut self) -> bool {
        let enough = self.after_error == AfterError::Stop && self.verdict.is_unsafe();
        if self.without_guesses || self.guesses.is_empty() || enough {
            return false;
        }
        self.without_guesses = true;
        self.open = self.guesses.keys().copied().collect();
        true
    }

    /// The final verdict, with the limit that ended the search if there was one.
    pub(crate) fn end(mut self, reason: Option<Reason>) -> Verdict {
        for (target, (reason, path)) in self.guesses {
            self.verdict.find(target, Found::Possible(reason, path));
        }
        // A search that ends because an error was found gives no reason of its own.
        let is_enough = self.after_error == AfterError::AsLong && self.verdict.is_unsafe();
        let reason = reason.filter(|reason| !(is_enough && *reason == Reason::Ticks));
        Verdict { ended: reason, ..self.verdict }
    }
}
