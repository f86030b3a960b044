//! The file `beeline.toml` of a project, in the folder where a check is started: defaults, and the entries of `beeline ci`.
//!
//! A key is the long name of an option of `beeline check`; lists repeat an option. `flags` lists flags for clang.
//! `beeline cover` and `beeline reach` take the same defaults, but for options that checks alone have. What the command line says takes the place of what the file says, but for folders of headers and macros, which
//! add up. Each `[[entry]]` has the same keys, the `files` to check, and perhaps a `name`.

use crate::arguments::Arguments;
use crate::job::OF_CHECKS;
use clap::CommandFactory;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::ErrorKind;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

/// The file.
const FILE: &str = "beeline.toml";
/// The commands that take its defaults.
const COMMANDS: [&str; 3] = ["check", "cover", "reach"];
/// The word before flags for clang.
const DASHES: &str = "--";
/// The key for those.
const FLAGS: &str = "flags";
/// The key for tables with one check each.
const ENTRY: &str = "entry";
/// The key for requirements.
const REQUIRES: &str = "requires";
/// Options that add up.
const ADDED: [&str; 3] = ["include", "define", "undefine"];

/// The words of a command line, with those that the project's file stands for.
pub(crate) fn words(given: Vec<OsString>) -> Result<Vec<OsString>, String> {
    let given = understood(given);
    let Some(command) = given.get(1).and_then(|word| COMMANDS.into_iter().find(|command| word == command))
    else {
        return Ok(given);
    };
    match std::fs::read_to_string(FILE) {
        Ok(text) => with_defaults(command, given, &text),
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

/// Whether a default is for this command: each has the options of checks but for some.
fn is_for(command: &str, key: &str) -> bool {
    match command {
        "check" => true,
        "reach" if key == "html" => false,
        _ => OF_CHECKS.iter().all(|(option, _)| *option != key),
    }
}

fn with_defaults(command: &str, mut given: Vec<OsString>, text: &str) -> Result<Vec<OsString>, String> {
    let table = table(text)?;
    let end = given.iter().position(|word| word == DASHES).unwrap_or(given.len());
    let said = |option: &str| {
        let mut words = given[..end].iter().filter_map(|word| word.to_str());
        words
            .any(|word| word == option || word.strip_prefix(option).is_some_and(|rest| rest.starts_with('=')))
    };
    let (mut defaults, mut flags) = (Vec::new(), Vec::new());
    for (key, value) in table.iter().filter(|(key, _)| *key != ENTRY) {
        if key == FLAGS {
            flags.extend(texts(key, value)?);
        } else if is_option(key) {
            let option = format!("--{key}");
            if is_for(command, key) && (ADDED.contains(&key.as_str()) || !said(&option)) {
                defaults.extend(option_words(key, &option, value)?);
                if key == REQUIRES {
                    defaults.extend(places(text, None));
                }
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

fn table(text: &str) -> Result<Table, String> {
    text.parse().map_err(|error| {
        let (line, what) = beeline_options::fault(text, &error);
        format!("{FILE}:{line}: {what}")
    })
}

/// An entry: one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Its name, unique in the project.
    pub name: String,
    /// The options of its check.
    pub options: Vec<String>,
    /// Its files, and flags for clang.
    pub files: Vec<String>,
}

/// What the file says, if there is one.
#[derive(Default)]
pub(crate) struct Said {
    /// The names of options that it has for each check.
    pub defaults: BTreeSet<String>,
    /// Its entries.
    pub entries: Vec<Entry>,
}

/// Reads what the file says of checks.
pub(crate) fn said() -> Result<Said, String> {
    let text = match std::fs::read_to_string(FILE) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Said::default()),
        Err(error) => return Err(format!("cannot read {FILE}: {error}")),
    };
    Ok(Said { defaults: table(&text)?.keys().cloned().collect(), entries: entries_of(&text)? })
}

/// The entries of the project.
pub(crate) fn entries() -> Result<Vec<Entry>, String> {
    let text = std::fs::read_to_string(FILE).map_err(|error| format!("cannot read {FILE}: {error}"))?;
    let entries = entries_of(&text)?;
    match entries.is_empty() {
        true => Err(format!(
            "{FILE} has no [[entry]]: each names the `files` of one check, and options as `function`"
        )),
        false => Ok(entries),
    }
}

fn entries_of(text: &str) -> Result<Vec<Entry>, String> {
    let table = table(text)?;
    let mut entries: Vec<Entry> = Vec::new();
    for (index, value) in table.get(ENTRY).and_then(Value::as_array).into_iter().flatten().enumerate() {
        let Value::Table(table) = value else { return Err(format!("{FILE}: {ENTRY} is a table")) };
        let mut entry = Entry::new(table)?;
        entry.options.extend(places(text, Some(index)));
        if entries.iter().any(|other| other.name == entry.name) {
            return Err(format!("{FILE}: two entries have the name {}", entry.name));
        }
        entries.push(entry);
    }
    Ok(entries)
}

impl Entry {
    fn new(table: &Table) -> Result<Entry, String> {
        let list = |key: &str| table.get(key).map_or(Ok(Vec::new()), |value| texts(key, value));
        let (mut files, flags) = (list("files")?, list(FLAGS)?);
        if files.is_empty() {
            return Err(format!("{FILE}: an entry has no files"));
        }
        let function = table.get("function").and_then(Value::as_str);
        let name = match (table.get("name").and_then(Value::as_str), function) {
            (Some(name), _) => name.to_string(),
            (None, Some(function)) => function.to_string(),
            (None, None) => files[0].clone(),
        };
        let mut options = Vec::new();
        for (key, value) in table {
            match key.as_str() {
                "name" | "files" | FLAGS => {}
                // These are the project's.
                "cache" | "since" | "json" | "sarif" => {
                    return Err(format!("{FILE}: an entry has no option {key}; it is one of `beeline ci`"));
                }
                key if is_option(key) => options.extend(option_words(key, &format!("--{key}"), value)?),
                key => return Err(format!("{FILE}: beeline check has no option --{key}")),
            }
        }
        if !flags.is_empty() {
            files.push(DASHES.into());
            files.extend(flags);
        }
        Ok(Entry { name, options, files })
    }
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

/// Options that say where the requirements are written: those for all checks, or those of an entry.
fn places(text: &str, entry: Option<usize>) -> Vec<String> {
    let Ok(table) = DeTable::parse(text) else { return Vec::new() };
    let table = match entry {
        None => Some(table.get_ref()),
        Some(index) => {
            let entries = table.get_ref().get(ENTRY).and_then(|value| value.get_ref().as_array());
            entries.and_then(|entries| entries.get(index)?.get_ref().as_table())
        }
    };
    let mut values: Vec<&Spanned<DeValue<'_>>> =
        table.and_then(|table| table.get(REQUIRES)).into_iter().collect();
    if let Some(list) = values.first().and_then(|value| value.get_ref().as_array()) {
        values = list.iter().collect();
    }
    let line = |at: usize| text.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
    values.iter().map(|value| format!("--requires-at={FILE}:{}", line(value.span().start))).collect()
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
        let command = words[1].to_string_lossy().into_owned();
        let words = with_defaults(&command, words, text)?;
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
    fn other_commands_take_what_is_not_of_checks_alone() {
        let text = "property = 'null'\ninclude = ['a']\nhtml = 'a.html'\nflags = ['-w']\n";
        assert_eq!(
            line("beeline cover a.c", text).unwrap(),
            "beeline cover --html=a.html --include=a a.c -- -w"
        );
        assert_eq!(line("beeline reach a.c", text).unwrap(), "beeline reach --include=a a.c -- -w");
        assert!(line("beeline cover a.c", "proprety = 'null'").is_err());
    }

    #[test]
    fn entries_are_checks_of_their_own_and_no_defaults() {
        let text = "time-limit = '9s'\n[[entry]]\nfiles = ['a.c', 'b.c']\nfunction = 'f'\nrequires = ['n < 3']\n\
            flags = ['-w']\n[[entry]]\nname = 'all'\nfiles = 'a.c'\n";
        let entries = entries_of(text).unwrap();
        let words =
            |entry: &Entry| format!("{}: {} {}", entry.name, entry.options.join(" "), entry.files.join(" "));
        let told: Vec<String> = entries.iter().map(words).collect();
        assert_eq!(
            told,
            ["f: --function=f --requires=n < 3 --requires-at=beeline.toml:5 a.c b.c -- -w", "all:  a.c"]
        );
        let lists =
            "requires = 'm'\n[[entry]]\nfiles = 'a.c'\n[[entry]]\nfiles = 'b.c'\nrequires = [\n'a',\n'b']\n";
        assert_eq!(places(lists, None), ["--requires-at=beeline.toml:1"]);
        assert_eq!(places(lists, Some(0)), [""; 0]);
        assert_eq!(places(lists, Some(1)), ["--requires-at=beeline.toml:7", "--requires-at=beeline.toml:8"]);
        assert_eq!(line("beeline check a.c", text).unwrap(), "beeline check --time-limit=9s a.c");
        for (text, fault) in [
            ("[[entry]]\nfunction = 'f'", "an entry has no files"),
            ("[[entry]]\nfiles = 'a.c'\nproprety = 'null'", "no option --proprety"),
            ("[[entry]]\nfiles = 'a.c'\n[[entry]]\nfiles = 'a.c'", "two entries have the name a.c"),
            ("[[entry]]\nfiles = 'a.c'\ncache = 'd'", "it is one of `beeline ci`"),
        ] {
            assert!(entries_of(text).unwrap_err().contains(fault), "{text}");
        }
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
