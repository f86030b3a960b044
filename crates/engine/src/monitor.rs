//! A run as others see it while it goes on: how far it is, and a way to stop it.

use crate::paths::counterexample::Counterexample;
use beeline_ir::EdgeId;
use beeline_run::RunBroken;
use rustc_hash::FxHashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// What a run and those who watch it share.
#[derive(Debug, Default)]
pub struct Monitor {
    /// Set from outside, it ends the run with an unknown verdict.
    pub stop: Arc<AtomicBool>,
    /// Set from outside, it says that there is no memory left for a result with all that was explored.
    pub short_of_memory: AtomicBool,
    states: AtomicU64,
    waiting: AtomicU64,
    refinements: AtomicU64,
    /// The executions to targets that were found.
    reached: Mutex<Vec<Counterexample>>,
    /// Where executions break rules of C.
    broken: Mutex<Vec<RunBroken>>,
    /// The edges that a few executions took with a result.
    taken: OnceLock<FxHashSet<EdgeId>>,
    /// One more than the smallest distance that was reached; 0 as long as there is none.
    nearest: AtomicU64,
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Abstract states made.
    pub states: u64,
    /// States that wait for exploration.
    pub waiting: u64,
    /// Refinements.
    pub refinements: u64,
    /// Targets that were reached.
    pub targets: u64,
    /// The smallest distance from the targets that was reached.
    pub nearest: Option<u64>,
}

impl Monitor {
    /// How far the run is.
    pub fn progress(&self) -> Progress {
        let get = |number: &AtomicU64| number.load(Ordering::Relaxed);
        Progress {
            states: get(&self.states),
            waiting: get(&self.waiting),
            refinements: get(&self.refinements),
            targets: self.reached.lock().unwrap_or_else(PoisonError::into_inner).len() as u64,
            nearest: get(&self.nearest).checked_sub(1),
        }
    }

    /// The executions to targets that were found: they stay, however the run ends.
    pub fn found(&self) -> Vec<Counterexample> {
        self.reached.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Shows an execution to a target.
    pub(crate) fn find(&self, counterexample: &Counterexample) {
        self.reached.lock().unwrap_or_else(PoisonError::into_inner).push(counterexample.clone());
    }

    /// Where executions were seen to break rules of C.
    pub fn broken(&self) -> Vec<RunBroken> {
        self.broken.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The edges that a few executions took with a result, which are found once.
    pub(crate) fn taken(&self, find: impl FnOnce() -> FxHashSet<EdgeId>) -> &FxHashSet<EdgeId> {
        self.taken.get_or_init(find)
    }

    /// Shows that an execution breaks a rule of C.
    pub(crate) fn breaks(&self, at: RunBroken) {
        let mut known = self.broken.lock().unwrap_or_else(PoisonError::into_inner);
        if known.iter().all(|other| other.place != at.place) {
            known.push(at);
        }
    }

    /// Shows how far the run is.
    pub(crate) fn show(&self, states: u64, waiting: u64, refinements: u64) {
        self.states.store(states, Ordering::Relaxed);
        self.waiting.store(waiting, Ordering::Relaxed);
        self.refinements.store(refinements, Ordering::Relaxed);
    }

    /// Shows that a distance was reached.
    pub(crate) fn reached(&self, distance: u64) {
        let shown = self.nearest.load(Ordering::Relaxed);
        if shown == 0 || distance < shown - 1 {
            self.nearest.store(distance.saturating_add(1), Ordering::Relaxed);
        }
    }
}
