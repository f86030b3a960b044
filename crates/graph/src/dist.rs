//! A distance: a number of steps, or infinite where there is no path.

use std::fmt;
use std::ops::Add;

/// A distance. Sums of finite distances stay finite: they stop at [`Dist::FAR`], which programs reach if their
/// functions call each other twice, level after level.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dist(u64);

impl Dist {
    /// The distance without a path.
    pub const INFINITE: Dist = Dist(u64::MAX);
    /// The greatest finite distance, chosen so that differences fit an `i64`.
    pub const FAR: Dist = Dist(i64::MAX as u64);
    /// The distance zero.
    pub const ZERO: Dist = Dist(0);

    /// A finite distance.
    pub fn new(steps: u64) -> Dist {
        Dist(steps.min(Dist::FAR.0))
    }

    /// Whether there is a path.
    pub fn is_finite(self) -> bool {
        self != Dist::INFINITE
    }

    /// The number of steps, if there is a path.
    pub fn steps(self) -> Option<u64> {
        self.is_finite().then_some(self.0)
    }

    /// As a number in files: 0 is infinite, all others are one more than the steps.
    pub fn to_code(self) -> u64 {
        self.steps().map_or(0, |steps| steps + 1)
    }

    /// The distance of a number in files, if there is one.
    pub fn from_code(code: u64) -> Option<Dist> {
        match code.checked_sub(1) {
            None => Some(Dist::INFINITE),
            Some(steps) => (steps <= Dist::FAR.0).then_some(Dist(steps)),
        }
    }

    /// The distance moved by a difference, never below zero.
    pub fn shifted(self, difference: i64) -> Dist {
        if self.is_finite() { Dist::new(self.0.saturating_add_signed(difference)) } else { self }
    }
}

impl Add for Dist {
    type Output = Dist;
    fn add(self, other: Dist) -> Dist {
        if self.is_finite() && other.is_finite() { Dist::new(self.0 + other.0) } else { Dist::INFINITE }
    }
}

impl fmt::Display for Dist {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.steps() {
            Some(steps) => write!(f, "{steps}"),
            None => f.write_str("inf"),
        }
    }
}

impl fmt::Debug for Dist {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
