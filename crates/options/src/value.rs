//! Values of options: times, sizes, positive numbers, and choices by their names.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A positive time, such as `30`, `30s`, `500ms` or `5m`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Time(pub Duration);

/// A positive number of bytes, such as `500M` or `4G`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size(pub u64);

/// The reason why a text is not a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    /// It is not a time.
    #[error("write a positive time, such as 30s or 5m")]
    Time,
    /// It is not a size.
    #[error("write a positive size, such as 500M or 4G")]
    Size,
    /// It is neither a number nor a word for one.
    #[error("write a positive number, `first` or `all`")]
    HowMany,
    /// It is not a positive number.
    #[error("write a positive number")]
    Number,
}

/// Parses a number of a type without zero, such as `NonZeroU64`. The type's own message about zero is for
/// programmers.
pub fn positive<N: FromStr>(text: &str) -> Result<N, ValueError> {
    text.parse().map_err(|_| ValueError::Number)
}

impl FromStr for Time {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Time, ValueError> {
        let (digits, unit) = split(text);
        let seconds = match unit {
            "ms" => 0.001,
            "" | "s" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            _ => return Err(ValueError::Time),
        };
        let value = digits.parse::<f64>().map_err(|_| ValueError::Time)? * seconds;
        let possible = value > 0.0 && value < 1e9;
        if possible { Ok(Time(Duration::from_secs_f64(value))) } else { Err(ValueError::Time) }
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}s", self.0.as_secs_f64())
    }
}

impl FromStr for Size {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Size, ValueError> {
        let (digits, unit) = split(text);
        let factor = match unit {
            "" => 1,
            "K" | "k" => 1 << 10,
            "M" | "m" => 1 << 20,
            "G" | "g" => 1 << 30,
            _ => return Err(ValueError::Size),
        };
        let bytes = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
        bytes.filter(|&bytes| bytes > 0).map(Size).ok_or(ValueError::Size)
    }
}

/// A number and its unit.
fn split(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len()))
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Time, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// The choices of an option in plans, by their names on command lines.
pub(crate) mod by_name {
    use clap::ValueEnum;
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    fn name<T: ValueEnum>(choice: &T) -> String {
        choice.to_possible_value().map_or(String::new(), |value| value.get_name().into())
    }

    pub(crate) fn serialize<T: ValueEnum, S: Serializer>(
        choice: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&name(choice))
    }

    pub(crate) fn deserialize<'de, T: ValueEnum, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        let given = String::deserialize(deserializer)?;
        T::from_str(&given, false).map_err(|_| {
            let names: Vec<String> = T::value_variants().iter().map(name).collect();
            D::Error::custom(format!("unknown value `{given}`; choose one of {}", names.join(", ")))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroU64;

    #[test]
    fn times_and_sizes_have_units() {
        let time = |text: &str| text.parse::<Time>().map(|time| time.0.as_millis());
        assert_eq!(
            [time("30"), time("1.5s"), time("20ms"), time("2m")].map(Result::unwrap),
            [30_000, 1500, 20, 120_000]
        );
        assert_eq!(time("2h"), Ok(7_200_000));
        for text in ["", "0", "-1s", "soon", "1e3", "3 s", "9999999999h", "s"] {
            assert_eq!(time(text), Err(ValueError::Time), "{text}");
        }
        let size = |text: &str| text.parse::<Size>().map(|size| size.0);
        assert_eq!(
            [size("7"), size("1K"), size("2M"), size("3G")].map(Result::unwrap),
            [7, 1 << 10, 2 << 20, 3 << 30]
        );
        for text in ["", "0", "2T", "1.5G", "99999999999999G"] {
            assert_eq!(size(text), Err(ValueError::Size), "{text}");
        }
    }

    #[test]
    fn numbers_are_positive() {
        assert_eq!(positive("7"), NonZeroU64::new(7).ok_or(ValueError::Number));
        for text in ["", "0", "-1", "many", "99999999999999999999"] {
            assert_eq!(positive::<NonZeroU64>(text), Err(ValueError::Number), "{text}");
        }
    }

    #[test]
    fn a_time_is_read_as_it_was_written() {
        for text in ["30s", "0.25s", "90m", "1ms"] {
            let time: Time = text.parse().unwrap();
            assert_eq!(time.to_string().parse(), Ok(time));
        }
    }
}
