//! Limits of monitors: when a search skips a part of a program and continues with the others.

use crate::value::positive;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

/// A limit: a part that exceeds it is skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Skip {
    /// What the limit counts.
    pub of: Excess,
    /// The limit.
    pub most: NonZeroU64,
}

/// What a part of a program can have too many of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Excess {
    /// States at a location
    LocationStates,
    /// States at a location with the same call stack
    PlaceStates,
    /// Iterations of a loop, or of a recursion, on a path
    #[value(alias = "loop-turns")]
    LoopIterations,
    /// Steps on a path
    PathSteps,
    /// Conditions on a path
    PathConditions,
    /// Ticks for predicates that exclude a path
    RefinementTicks,
    /// Ticks to decide whether a path is feasible
    PathTicks,
    /// Ticks to make the successors of a state
    PostTicks,
    /// Values and predicates in a state
    StateSize,
    /// Terms of the formula of a path, before a solver is asked
    FormulaSize,
    /// Ticks to make all states on a path
    #[value(alias = "way-ticks")]
    PathStateTicks,
}

/// The reason why a limit is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SkipError {
    /// Nothing that can be counted has this name.
    #[error("unknown value `{what}`; choose one of {}", names().join(", "))]
    What {
        /// What was given.
        what: String,
    },
    /// No positive number follows.
    #[error("write a positive number after `{0}=`")]
    Number(String),
}

fn name(excess: Excess) -> String {
    excess.to_possible_value().map_or(String::new(), |value| value.get_name().into())
}

fn names() -> Vec<String> {
    Excess::value_variants().iter().copied().map(name).collect()
}

impl FromStr for Skip {
    type Err = SkipError;

    fn from_str(text: &str) -> Result<Skip, SkipError> {
        let (what, most) = text.split_once('=').unwrap_or((text, ""));
        let of = Excess::from_str(what, false).map_err(|_| SkipError::What { what: what.into() })?;
        let most = positive(most).map_err(|_| SkipError::Number(what.into()))?;
        Ok(Skip { of, most })
    }
}

impl fmt::Display for Skip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", name(self.of), self.most)
    }
}

impl TryFrom<String> for Skip {
    type Error = SkipError;

    fn try_from(text: String) -> Result<Skip, SkipError> {
        text.parse()
    }
}

impl From<Skip> for String {
    fn from(skip: Skip) -> String {
        skip.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_read_as_they_are_written() {
        for name in names() {
            let text = format!("{name}=7");
            assert_eq!(text.parse::<Skip>().map(|skip| skip.to_string()), Ok(text));
        }
        for text in [
            "",
            "7",
            "loop-iterations",
            "loop-iterations=",
            "loop-iterations=0",
            "loop-iterations=-1",
            "path=3",
        ] {
            assert!(text.parse::<Skip>().is_err(), "{text}");
        }
        for (old, name) in [("loop-turns=3", "loop-iterations=3"), ("way-ticks=9", "path-state-ticks=9")] {
            assert_eq!(old.parse::<Skip>().map(|skip| skip.to_string()), Ok(name.into()));
        }
        let error = "salt=3".parse::<Skip>().unwrap_err().to_string();
        assert!(error.starts_with("unknown value `salt`; choose one of location-states, "), "{error}");
    }
}
