//! Defaults of a project: the file `beeline.toml` in the folder where a check is started.
//!
//! A key is the long name of an option of `beeline check`; lists repeat an option. `flags` lists flags for clang.
//! What the command line says takes the place of what the file says, but for folders of headers and macros, which
//! add up.

use crate::arguments::Arguments;
use clap::CommandFactory;
use std::ffi::OsString;
use std::io::ErrorKind;
use toml::{Table, Value};

/// The file.
const FILE: &str = "beeline.toml";
/// The word before flags for clang.
const DASHES: &str = "--";
/// The key for those.
const FLAGS: &str = "flags";
/// Options that add up.
const ADDED: [&str; 3] = ["include", "define", "undefine"];

/// The words of a command line, with those that the project's file stands for.
pub(crate) fn words(given: Vec<OsString>) -> Result<Vec<OsString>, String> {
    let given = understood(given);
    if given.get(1).is_none_or(|word| word != "check") {
        return Ok(given);
    }
    match std::fs::read_to_string(FILE) {
        Ok(text) => with_defaults(given, &text),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(given),
        Err(error) => Err(format!("cannot read {FILE}: {error}")),
    }
}

/// Translates `-std=c99`, as compilers write it, to an option with a long name.
fn understood(given: Vec<OsString>) -> Vec<OsString> {
    let end = given.iter().position(|word| word == DASHES).unwrap_or(given.len());
    let dashed = |word: OsString| match word.to_str() {
        Some(text) if text.starts_with("-std=") => format!("-{text}").into(),
        _ => word,
    };
    given.into_iter().enumerate().map(|(at, word)| if at < end { dashed(word) } else { word }).collect()
}

fn with_defaults(mut given: Vec<OsString>, text: &str) -> Result<Vec<OsString>, String> {
    let table: Table = text.parse().map_err(|error| {
        let (line, what) = beeline_options::fault(text, &error);
        format!("{FILE}:{line}: {what}")
    })?;
    let end = given.iter().position(|word| word == DASHES).unwrap_or(given.len());
    let said = |option: &str| {
        let mut words = given[..end].iter().filter_map(|word| word.to_str());
        words
            .any(|word| word == option || word.strip_prefix(option).is_some_and(|rest| rest.starts_with('=')))
    };
    let (mut defaults, mut flags) = (Vec::new(), Vec::new());
    for (key, value) in &table {
        if key == FLAGS {
            flags.extend(texts(key, value)?);
        } else if is_option(key) {
            let option = format!("--{key}");
            if ADDED.contains(&key.as_str()) || !said(&option) {
                defaults.extend(option_words(key, &option, value)?);
            }
        } else {
            return Err(format!("{FILE}: beeline check has no option --{key}"));
        }
    }
    if !flags.is_empty() {
        if end == given.len() {
            given.push(DASHES.into());
        }
        given.splice(end + 1..end + 1, flags.into_iter().map(OsString::from));
    }
    given.splice(2..2, defaults.into_iter().map(OsString::from));
    Ok(given)
}

/// Whether `beeline check` has an option of this name.
fn is_option(name: &str) -> bool {
    let command = Arguments::command();
    let check = command.find_subcommand("check");
    check.is_some_and(|check| check.get_arguments().any(|option| option.get_long() == Some(name)))
}

/// An option with its values, in words.
fn option_words(key: &str, option: &str, value: &Value) -> Result<Vec<String>, String> {
    Ok(match value {
        Value::Boolean(true) => vec![option.into()],
        Value::Boolean(false) => Vec::new(),
        value => texts(key, value)?.into_iter().map(|text| format!("{option}={text}")).collect(),
    })
}

/// The texts or numbers that a value lists.
fn texts(key: &str, value: &Value) -> Result<Vec<String>, String> {
    match value {
        Value::String(text) => Ok(vec![text.clone()]),
        Value::Integer(number) => Ok(vec![number.to_string()]),
        Value::Array(values) => {
            let lists = values.iter().map(|value| texts(key, value)).collect::<Result<Vec<_>, _>>()?;
            Ok(lists.concat())
        }
        _ => Err(format!("{FILE}: {key} takes a string, a number, true, false, or a list of strings")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(given: &str, text: &str) -> Result<String, String> {
        let words = understood(given.split(' ').map(OsString::from).collect());
        let words = with_defaults(words, text)?;
        Ok(words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn the_command_line_goes_before_the_file() {
        let text = "property = ['null', 'bounds']\ntime-limit = '5m'\nevery = true\nfirst = false\ninclude = ['a']\n\
            flags = ['-w']\n";
        assert_eq!(
            line("beeline check a.c", text).unwrap(),
            "beeline check --every --include=a --property=null --property=bounds --time-limit=5m a.c -- -w"
        );
        assert_eq!(
            line("beeline check a.c -Ib --property all --time-limit=1s -std=c99 -- -std=c11", text).unwrap(),
            "beeline check --every --include=a a.c -Ib --property all --time-limit=1s --std=c99 -- -w -std=c11"
        );
    }

    #[test]
    fn what_is_no_option_is_refused() {
        assert_eq!(
            line("beeline check a.c", "proprety = 'null'").unwrap_err(),
            "beeline.toml: beeline check has no option --proprety"
        );
        assert!(line("beeline check a.c", "property = 1.5").unwrap_err().contains("property takes a string"));
        let fault = line("beeline check a.c", "first = true\nproperty = [").unwrap_err();
        assert_eq!(fault, "beeline.toml:2: unclosed array, expected `]`");
    }
}
