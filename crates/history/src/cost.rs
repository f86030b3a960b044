//! The costs of runs.

use crate::{Certificate, History, Outcome, Row};

impl History {
    /// The limit on the time of the processor for a run, in seconds.
    pub fn limit(&self, row: &Row) -> f64 {
        seconds(self.settings[row.setting as usize].cpu_limit)
    }

    /// Whether the run gave an answer that neither the known answer nor the check refutes.
    pub fn is_solved(&self, row: &Row) -> bool {
        let claim = match row.outcome {
            Outcome::Safe => true,
            Outcome::Unsafe => false,
            Outcome::Unknown(_) | Outcome::Failed(_) => return false,
        };
        let within = row.cpu <= self.settings[row.setting as usize].cpu_limit;
        let expected = self.programs[row.program as usize].expected;
        within && row.certificate != Certificate::Refused && expected.is_none_or(|expected| expected == claim)
    }

    /// Whether the answer differs from the known one.
    pub fn is_wrong(&self, row: &Row) -> bool {
        let expected = self.programs[row.program as usize].expected;
        match row.outcome {
            Outcome::Safe => expected == Some(false),
            Outcome::Unsafe => expected == Some(true),
            Outcome::Unknown(_) | Outcome::Failed(_) => false,
        }
    }

    /// The cost in seconds: the time of the processor, or twice the limit if the program is not solved.
    pub fn par2(&self, row: &Row) -> f64 {
        if self.is_solved(row) { seconds(row.cpu) } else { 2.0 * self.limit(row) }
    }
}

/// Microseconds as seconds.
pub(crate) fn seconds(microseconds: u64) -> f64 {
    microseconds as f64 / 1e6
}
