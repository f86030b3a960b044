//! A run as others see it: its progress, and a way to stop it.

use crate::paths::counterexample::Counterexample;
use beeline_ir::EdgeId;
use beeline_run::RunBroken;
use rustc_hash::FxHashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The state that a run shares with its observers.
#[derive(Debug, Default)]
pub struct Monitor {
    /// Set from outside: ends the run with an unknown verdict.
    pub stop: Arc<AtomicBool>,
    /// Set from outside: there is no memory left for a result with all explored states.
    pub short_of_memory: AtomicBool,
    states: AtomicU64,
    waiting: AtomicU64,
    refinements: AtomicU64,
    /// The executions to targets found so far.
    reached: Mutex<Vec<Counterexample>>,
    /// The places where executions break rules of C.
    broken: Mutex<Vec<RunBroken>>,
    /// The edges that test executions took with a defined result.
    taken: OnceLock<FxHashSet<EdgeId>>,
    /// The smallest distance reached, plus one; 0 before any state is reached.
    nearest: AtomicU64,
}

/// The progress of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Abstract states made.
    pub states: u64,
    /// States that wait for exploration.
    pub waiting: u64,
    /// Refinements.
    pub refinements: u64,
    /// Targets reached.
    pub targets: u64,
    /// The smallest distance from a target that was reached.
    pub nearest: Option<u64>,
}

impl Monitor {
    /// The progress of the run.
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

    /// The executions to targets found so far. They stay, however the run ends.
    pub fn found(&self) -> Vec<Counterexample> {
        self.reached.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reports an execution to a target.
    pub(crate) fn find(&self, counterexample: &Counterexample) {
        self.reached.lock().unwrap_or_else(PoisonError::into_inner).push(counterexample.clone());
    }

    /// The places where executions were seen to break rules of C.
    pub fn broken(&self) -> Vec<RunBroken> {
        self.broken.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The edges that test executions took with a defined result. They are computed once.
    pub(crate) fn taken(&self, find: impl FnOnce() -> FxHashSet<EdgeId>) -> &FxHashSet<EdgeId> {
        self.taken.get_or_init(find)
    }

    /// Reports that an execution breaks a rule of C.
    pub(crate) fn breaks(&self, at: RunBroken) {
        let mut known = self.broken.lock().unwrap_or_else(PoisonError::into_inner);
        if known.iter().all(|other| other.place != at.place) {
            known.push(at);
        }
    }

    /// Reports the progress of the run.
    pub(crate) fn show(&self, states: u64, waiting: u64, refinements: u64) {
        self.states.store(states, Ordering::Relaxed);
        self.waiting.store(waiting, Ordering::Relaxed);
        self.refinements.store(refinements, Ordering::Relaxed);
    }

    /// Reports that a distance was reached.
    pub(crate) fn reached(&self, distance: u64) {
        let shown = self.nearest.load(Ordering::Relaxed);
        if shown == 0 || distance < shown - 1 {
            self.nearest.store(distance.saturating_add(1), Ordering::Relaxed);
        }
    }
}
