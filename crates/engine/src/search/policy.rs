//! The policy: all decisions of a search on what to try when. They depend on what was counted, never on the
//! clock.
//!
//! Budgets are in ticks, as [`beeline_smt::Meter`] counts them.

use crate::refine::Effort;
use crate::state::precision::{Abstraction, Care};
use beeline_smt::TICKS_PER_SECOND;

/// The states at a location since the last restart.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Visits {
    /// All states.
    pub made: usize,
    /// The states with successors at different places.
    pub undecided: usize,
    /// The number of states at which their values are examined again.
    pub looked_at_again: usize,
}

/// The fraction of the threshold that counts as many values of a variable where values do not decide
/// branches.
const UNDECIDED: usize = 50;

/// The state pressure of a location: if it has too many states, the least number of values for which a
/// variable loses its tracking.
pub fn under_pressure(visits: Visits, threshold: usize) -> Option<usize> {
    // Where values do not decide branches, nothing suggests that their number is bounded.
    let many = (threshold / UNDECIDED).max(2);
    let least = if visits.made > threshold {
        2
    } else if visits.undecided > 2 * many {
        many
    } else {
        return None;
    };
    (visits.made >= visits.looked_at_again).then_some(least)
}

/// The number of gathered paths, or selections of them, that are tried to be excluded by values. If values
/// exclude none of these, the solver is asked.
pub const VALUE_TRIES: usize = 4;

/// The trust in values, and in predicates where values are no longer tracked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trust {
    /// The number of states at one location from which a variable loses its tracking.
    pub threshold: usize,
    /// The ticks within which predicates have to replace a variable with many values.
    pub patience: u64,
}

impl Trust {
    /// The trust at first.
    pub fn new(threshold: usize) -> Trust {
        Trust { threshold, patience: TICKS_PER_SECOND }
    }

    /// The trust after predicates did not suffice.
    pub fn after_return(self) -> Trust {
        Trust { threshold: self.threshold.saturating_mul(20), patience: self.patience.saturating_mul(3) }
    }
}

/// The effort of predicate abstraction at first.
pub fn first_care(abstraction: Abstraction, most: u64) -> Care {
    Care { abstraction, query_ticks: most.min(TICKS_PER_SECOND) }
}

/// More effort for predicate abstraction, after predicates excluded a path that came back: they may have to
/// be combined, or the solver had too few ticks. `None` at the limit.
pub fn more_care(care: Care, most: u64) -> Option<Care> {
    if care.abstraction == Abstraction::Cartesian {
        Some(Care { abstraction: Abstraction::Boolean, ..care })
    } else if care.query_ticks < most {
        Some(Care { query_ticks: care.query_ticks.saturating_mul(4).min(most), ..care })
    } else {
        None
    }
}

/// The effort of the first interpolation of a path with branches. If it finds nothing, single paths are tried before more effort.
pub const QUICK: Effort = Effort { ticks: TICKS_PER_SECOND / 15, slice: false };

/// The efforts of interpolation: the first one, and the next ones where it finds none.
pub const EFFORTS: [Effort; 4] = [
    Effort { ticks: TICKS_PER_SECOND * 3 / 10, slice: false },
    Effort { ticks: TICKS_PER_SECOND * 3 / 2, slice: true },
    Effort { ticks: TICKS_PER_SECOND * 6, slice: true },
    Effort { ticks: TICKS_PER_SECOND * 24, slice: true },
];

/// How many of a path's own conditions may become predicates, after this many attempts to interpolate it;
/// `None` for later attempts.
pub fn most_conditions(attempt: usize) -> Option<usize> {
    [12, usize::MAX].get(attempt).copied()
}

/// When to compute the invariants of a path program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Invariants {
    /// First.
    First,
    /// After everything else has failed.
    Last,
    /// Never.
    Never,
}

/// The greatest number of blocks of a path program.
const MOST_BLOCKS: usize = 100;
/// How often a path program has to occur before its invariants are computed. The first path is not enough.
pub const FIRST_INVARIANTS: u32 = 2;

/// Whether a path program of so many blocks is small enough.
pub fn has_invariants(blocks: usize) -> bool {
    blocks <= MOST_BLOCKS
}

/// When to compute the invariants of a path program, by the number of its occurrences.
pub fn invariants(times: u32) -> Invariants {
    match times {
        0 => Invariants::Never,
        times if times >= FIRST_INVARIANTS && times.is_power_of_two() => Invariants::First,
        _ => Invariants::Last,
    }
}

/// The ticks for the invariants of a path program, by the number of its occurrences. They grow with each
/// occurrence. Beyond a minimum for each attempt, all attempts together take at most a quarter of the run.
pub fn invariant_ticks(times: u32, used: u64, on_invariants: u64, patience: Option<u64>) -> u64 {
    let (step, least) = (TICKS_PER_SECOND / 8, TICKS_PER_SECOND * 3 / 10);
    let fair = used.saturating_sub(on_invariants.saturating_mul(4)) / 4;
    let times = u64::from(times);
    let ticks = step.saturating_mul(times.saturating_mul(times)).min(fair.max(least));
    patience.map_or(ticks, |patience| ticks.min(patience / 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_states_make_a_variable_lose_its_tracking_sooner_where_values_decide_nothing() {
        let visits = |made, undecided, looked_at_again| Visits { made, undecided, looked_at_again };
        assert_eq!(under_pressure(visits(1000, 0, 0), 1000), None);
        assert_eq!(under_pressure(visits(1001, 0, 0), 1000), Some(2));
        assert_eq!(under_pressure(visits(60, 40, 0), 1000), None);
        assert_eq!(under_pressure(visits(60, 41, 0), 1000), Some(20));
        assert_eq!(under_pressure(visits(60, 41, 61), 1000), None);
        assert_eq!(under_pressure(visits(61, 41, 61), 1000), Some(20));
        assert_eq!(under_pressure(visits(5, 5, 0), 1), Some(2));
    }

    #[test]
    fn care_grows_in_steps_up_to_the_limit() {
        let mut care = first_care(Abstraction::Cartesian, 10 * TICKS_PER_SECOND);
        let mut seen = Vec::new();
        while let Some(more) = more_care(care, 10 * TICKS_PER_SECOND) {
            seen.push((more.abstraction, more.query_ticks / TICKS_PER_SECOND));
            care = more;
        }
        let boolean = Abstraction::Boolean;
        assert_eq!(seen, [(boolean, 1), (boolean, 4), (boolean, 10)]);
        assert_eq!(first_care(boolean, 7).query_ticks, 7);
    }

    #[test]
    fn invariants_come_first_at_powers_of_two_and_get_their_share() {
        let first = (0..10).filter(|&times| invariants(times) == Invariants::First);
        assert_eq!(first.collect::<Vec<_>>(), [2, 4, 8]);
        assert_eq!((invariants(0), invariants(1)), (Invariants::Never, Invariants::Last));
        let second = TICKS_PER_SECOND;
        assert_eq!(invariant_ticks(2, 0, 0, None), second * 3 / 10);
        assert_eq!(invariant_ticks(2, 100 * second, 0, None), second / 2);
        assert_eq!(invariant_ticks(20, 8 * second, second, None), second);
        assert_eq!(invariant_ticks(2, 100 * second, 0, Some(second / 5)), second / 10);
    }

    #[test]
    fn a_return_to_values_raises_their_threshold() {
        let trust = Trust::new(1000).after_return();
        assert_eq!(trust, Trust { threshold: 20_000, patience: 3 * TICKS_PER_SECOND });
    }
}
