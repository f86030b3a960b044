//! How many of something: a number, or all.

use crate::value::ValueError;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

/// A positive number, `first` for one, or `all`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HowMany {
    /// This number.
    Number(NonZeroUsize),
    /// All.
    All,
}

impl FromStr for HowMany {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<HowMany, ValueError> {
        match text {
            "all" => Ok(HowMany::All),
            "first" => Ok(HowMany::Number(NonZeroUsize::MIN)),
            _ => text.parse().map(HowMany::Number).map_err(|_| ValueError::HowMany),
        }
    }
}

impl fmt::Display for HowMany {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HowMany::Number(number) => write!(f, "{number}"),
            HowMany::All => f.write_str("all"),
        }
    }
}

impl Serialize for HowMany {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for HowMany {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<HowMany, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_as_it_was_written() {
        for text in ["1", "7", "all"] {
            assert_eq!(text.parse::<HowMany>().unwrap().to_string(), text);
        }
        assert_eq!("first".parse::<HowMany>().unwrap().to_string(), "1");
        for text in ["", "0", "-1", "some"] {
            assert_eq!(text.parse::<HowMany>(), Err(ValueError::HowMany), "{text}");
        }
    }
}
