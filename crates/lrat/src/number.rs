//! Numbers in texts.

use crate::refused::Refused;
use std::str::FromStr;

/// The number that a word is.
pub(crate) fn number<T: FromStr>(word: &str) -> Result<T, Refused> {
    word.parse().map_err(|_| Refused(format!("{word} is no number that can be meant here")))
}
