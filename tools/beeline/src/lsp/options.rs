//! What the editor and the project say of checks.

use super::place;
use super::worker::Question;
use crate::compilation::Database;
use crate::job::OF_CHECKS;
use crate::project::{self, Entry};
use lsp_types::InitializeParams;
use serde::Deserialize;
use std::path::Path;

/// Options of `beeline check` where neither the editor nor the project says others.
const DEFAULTS: [(&str, &str); 2] = [("property", "all"), ("time-limit", "10s")];
/// Where a compilation database is searched for, from the folder of the project on.
const DATABASES: [&str; 2] = [".", "build"];

/// The options of checks.
#[derive(Debug, Clone)]
pub(super) struct Options {
    /// Options of `beeline check` that the editor gives.
    given: Vec<String>,
}

/// What the editor may say when it starts.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Settings {
    arguments: Vec<String>,
}

impl Options {
    /// Reads what the editor says, and enters the folder of the project.
    pub(super) fn new(given: &InitializeParams) -> Result<Options, String> {
        let settings = match &given.initialization_options {
            Some(options) if !options.is_null() => serde_json::from_value::<Settings>(options.clone())
                .map_err(|error| format!("the options that the editor gives: {error}"))?,
            _ => Settings::default(),
        };
        let folder = given.workspace_folders.iter().flatten().next().map(|folder| &folder.uri);
        #[allow(deprecated, reason = "what older editors say")]
        let root = folder.or(given.root_uri.as_ref()).and_then(place::path);
        if let Some(root) = root {
            std::env::set_current_dir(&root)
                .map_err(|error| format!("cannot enter the folder {}: {error}", root.display()))?;
        }
        Ok(Options { given: settings.arguments })
    }

    /// The options and files of a question on a function: those of the entry of `beeline.toml` that is about it, or its file.
    /// What an entry says goes before what the editor says, and that before the project and the defaults.
    pub(super) fn words(
        &self,
        file: &Path,
        function: &str,
        question: Question,
    ) -> Result<Vec<String>, String> {
        let said = project::said()?;
        let named = format!("--function={function}");
        let is_of_file = |word: &String| Path::new(word).canonicalize().is_ok_and(|path| path == file);
        let is_meant = |entry: &&Entry| entry.options.contains(&named) && entry.files.iter().any(is_of_file);
        let entry = said.entries.iter().find(is_meant);
        let mut words = entry.map_or(vec![named], |entry| entry.options.clone());
        let given = without(&self.given, |name| is_said(&words, name));
        words.extend(given);
        for (name, value) in DEFAULTS {
            if !said.defaults.contains(name) && !is_said(&words, name) {
                words.push(format!("--{name}={value}"));
            }
        }
        if question != Question::Check {
            words = without(&words, |name| OF_CHECKS.iter().any(|(option, _)| *option == name));
        }
        let has =
            |folder: &&&str| Database::read(Path::new(folder)).is_ok_and(|found| found.flags(file).is_ok());
        match entry {
            Some(entry) => words.extend(entry.files.clone()),
            None => {
                let database = DATABASES.iter().find(has);
                words.extend(database.map(|folder| format!("--compile-commands={folder}")));
                words.push(file.display().to_string());
            }
        }
        Ok(words)
    }
}

/// The name of the option that a word begins.
fn option(word: &str) -> Option<&str> {
    word.strip_prefix("--")?.split('=').next()
}

fn is_said(words: &[String], name: &str) -> bool {
    words.iter().any(|word| option(word) == Some(name))
}

/// The words without some options, and without the values that follow these.
fn without(words: &[String], is_left_out: impl Fn(&str) -> bool) -> Vec<String> {
    let mut kept = Vec::new();
    let mut takes_value = false;
    for word in words {
        let is_value = takes_value && !word.starts_with('-');
        takes_value = false;
        match option(word).filter(|name| is_left_out(name)) {
            Some(_) => takes_value = !word.contains('='),
            None if is_value => {}
            None => kept.push(word.clone()),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_is_left_out_with_its_value() {
        let words = ["--every", "--property", "all", "--property=null", "--time-limit", "3s", "-Ia"];
        let words = words.map(String::from);
        let left = without(&words, |name| name == "property");
        assert_eq!(left, ["--every", "--time-limit", "3s", "-Ia"]);
        assert!(is_said(&words, "property") && !is_said(&left, "property"));
    }
}
