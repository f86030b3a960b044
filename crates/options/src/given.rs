//! Options that are passed on to another program.

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches, ValueHint};
use std::ffi::OsString;

/// Options, with a list of those that the command line gave.
#[derive(Debug, Clone)]
pub struct Given<A> {
    /// The options.
    pub options: A,
    /// The options that were given.
    pub given: Vec<GivenOption>,
}

/// An option that was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenOption {
    /// Its name, with dashes.
    pub name: String,
    /// Its value; `None` if it takes none.
    pub value: Option<OsString>,
    /// Whether the value is a path.
    pub is_path: bool,
}

impl<A: Args> FromArgMatches for Given<A> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Given<A>, Error> {
        Ok(Given { given: given::<A>(matches), options: A::from_arg_matches(matches)? })
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Given<A>, Error> {
        Ok(Given { given: given::<A>(matches), options: A::from_arg_matches_mut(matches)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Given::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<A: Args> Args for Given<A> {
    fn augment_args(command: Command) -> Command {
        A::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        A::augment_args_for_update(command)
    }
}

fn given<A: Args>(matches: &ArgMatches) -> Vec<GivenOption> {
    let command = A::augment_args(Command::new("options"));
    let mut given = Vec::new();
    for option in command.get_arguments() {
        let id = option.get_id().as_str();
        let Some(name) = option.get_long() else { continue };
        if matches.value_source(id) != Some(ValueSource::CommandLine) {
            continue;
        }
        if !option.get_action().takes_values() {
            given.push(GivenOption { name: format!("--{name}"), value: None, is_path: false });
            continue;
        }
        let is_path = option.get_value_hint() == ValueHint::FilePath;
        let values = matches.get_raw(id).into_iter().flatten();
        given.extend(values.map(|value| GivenOption {
            name: format!("--{name}"),
            value: Some(value.into()),
            is_path,
        }));
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SearchOptions, Time};

    #[test]
    fn what_was_given_is_handed_on_and_nothing_else() {
        let command = Given::<SearchOptions>::augment_args(Command::new("p"));
        let words = ["p", "--domain=value", "--first", "--time-limit", "5m", "--value-threshold", "1000"];
        let mut matches = command.try_get_matches_from(words).unwrap();
        let read = Given::<SearchOptions>::from_arg_matches_mut(&mut matches).unwrap();
        let shown = |given: &GivenOption| {
            let value = given.value.iter().map(|value| format!(" {}", value.display()));
            value.fold(given.name.clone(), |name, value| name + &value)
        };
        let given: Vec<String> = read.given.iter().map(shown).collect();
        assert_eq!(given, ["--domain value", "--value-threshold 1000", "--first", "--time-limit 5m"]);
        assert_eq!(read.options.limits.time_limit.map(|time: Time| time.0.as_secs()), Some(300));
    }

    #[test]
    fn a_plan_is_a_path_and_leaves_no_room_for_options_of_a_step() {
        let command = || Given::<SearchOptions>::augment_args(Command::new("p"));
        let matches =
            command().try_get_matches_from(["p", "--plan", "a.toml", "--time-limit", "5m"]).unwrap();
        let read = Given::<SearchOptions>::from_arg_matches(&matches).unwrap();
        let paths: Vec<bool> = read.given.iter().map(|given| given.is_path).collect();
        assert_eq!(paths, [true, false]);
        assert!(command().try_get_matches_from(["p", "--plan", "a.toml", "--ties", "oldest"]).is_err());
    }
}
