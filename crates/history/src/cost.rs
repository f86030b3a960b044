//! What a run cost.

use crate::{Certificate, History, Outcome, Row};

impl History {
    /// The limit on the time of the processor for a run, in seconds.
    pub fn limit(&self, row: &Row) -> f64 {
        seconds(self.settings[row.setting as usize].cpu_limit)
    }

    /// Did the run give an answer that nobody refutes: neither what is known of the program nor the check?
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

    /// Is the answer another one than is known to be right?
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
