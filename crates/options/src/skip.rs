//! When a search gives up a part of a program, and goes on with the others.

use crate::value::positive;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

/// A part is given up that has more than so many of something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct GiveUp {
    /// Of what.
    pub of: Excess,
    /// So many.
    pub most: NonZeroU64,
}

/// What a part of a program can have too many of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Excess {
    /// States at a location
    LocationStates,
    /// States at a location with the same calls open
    PlaceStates,
    /// Turns of a loop, or of a recursion, on a path
    LoopTurns,
    /// Steps on a path
    PathSteps,
    /// Conditions on a path
    PathConditions,
    /// Ticks for predicates that exclude a path
    RefinementTicks,
    /// Ticks to decide whether a path can be taken
    PathTicks,
    /// Ticks to make the states behind another one
    PostTicks,
    /// Values and predicates known of a state
    StateSize,
    /// Terms of the formula of a path, before a solver is asked
    FormulaSize,
    /// Ticks to make all states on a path
    WayTicks,
}

/// Why a bound makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GiveUpError {
    /// There is no such thing.
    #[error("there is no `{what}` here, but {}", names().join(", "))]
    What {
        /// What was given.
        what: String,
    },
    /// No positive number follows.
    #[error("a positive number is needed behind `{0}=`")]
    Number(String),
}

fn name(excess: Excess) -> String {
    excess.to_possible_value().map_or(String::new(), |value| value.get_name().into())
}

fn names() -> Vec<String> {
    Excess::value_variants().iter().copied().map(name).collect()
}

impl FromStr for GiveUp {
    type Err = GiveUpError;

    fn from_str(text: &str) -> Result<GiveUp, GiveUpError> {
        let (what, most) = text.split_once('=').unwrap_or((text, ""));
        let of = Excess::from_str(what, false).map_err(|_| GiveUpError::What { what: what.into() })?;
        let most = positive(most).map_err(|_| GiveUpError::Number(what.into()))?;
        Ok(GiveUp { of, most })
    }
}

impl fmt::Display for GiveUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", name(self.of), self.most)
    }
}

impl TryFrom<String> for GiveUp {
    type Error = GiveUpError;

    fn try_from(text: String) -> Result<GiveUp, GiveUpError> {
        text.parse()
    }
}

impl From<GiveUp> for String {
    fn from(give_up: GiveUp) -> String {
        give_up.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_read_as_they_are_written() {
        for name in names() {
            let text = format!("{name}=7");
            assert_eq!(text.parse::<GiveUp>().map(|give_up| give_up.to_string()), Ok(text));
        }
        for text in ["", "7", "loop-turns", "loop-turns=", "loop-turns=0", "loop-turns=-1", "path=3"] {
            assert!(text.parse::<GiveUp>().is_err(), "{text}");
        }
        let error = "salt=3".parse::<GiveUp>().unwrap_err().to_string();
        assert!(error.starts_with("there is no `salt` here, but location-states, "), "{error}");
    }
}
