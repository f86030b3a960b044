//! Unwindings of loops, as options.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

/// The number of iterations that are followed, of all loops or of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Unwind {
    /// The loop or the recursive function: `FILE:LINE`, or a function's name; `None` for all.
    pub of: Option<String>,
    /// The number of iterations.
    pub turns: NonZeroU32,
}

/// The reason why an unwinding is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnwindError {
    /// It is not a positive number.
    #[error("`{0}` is not a number of iterations; write a positive number, such as `8`")]
    Turns(String),
    /// No loop is named before the number.
    #[error("name a loop before `=`: by file and line, as in `main.c:12=8`, or by the recursive function")]
    Loop,
}

impl FromStr for Unwind {
    type Err = UnwindError;

    fn from_str(text: &str) -> Result<Unwind, UnwindError> {
        let (of, turns) = text.rsplit_once('=').map_or((None, text), |(of, turns)| (Some(of), turns));
        if of.is_some_and(str::is_empty) {
            return Err(UnwindError::Loop);
        }
        let number = turns.parse().map_err(|_| UnwindError::Turns(turns.into()))?;
        Ok(Unwind { of: of.map(str::to_string), turns: number })
    }
}

impl fmt::Display for Unwind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.of {
            Some(of) => write!(f, "{of}={}", self.turns),
            None => write!(f, "{}", self.turns),
        }
    }
}

impl TryFrom<String> for Unwind {
    type Error = UnwindError;

    fn try_from(text: String) -> Result<Unwind, UnwindError> {
        text.parse()
    }
}

impl From<Unwind> for String {
    fn from(unwind: Unwind) -> String {
        unwind.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_read_as_they_are_written() {
        for text in ["8", "a.c:3=12", "fac=4"] {
            assert_eq!(text.parse::<Unwind>().map(|unwind| unwind.to_string()), Ok(text.into()));
        }
        for text in ["0", "", "x", "a.c:3=", "a.c:3=0", "-1", "=3"] {
            assert!(text.parse::<Unwind>().is_err(), "{text}");
        }
    }
}
