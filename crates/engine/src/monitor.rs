//! A run as others see it while it goes on: how far it is, and a way to stop it.

use crate::counterexample::Counterexample;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What a run and those who watch it share.
#[derive(Debug, Default)]
pub struct Monitor {
    /// Set from outside, it ends the run with an unknown verdict.
    pub stop: Arc<AtomicBool>,
    states: AtomicU64,
    waiting: AtomicU64,
    refinements: AtomicU64,
    /// The executions to targets that were found.
    reached: Mutex<Vec<Counterexample>>,
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
