//! A step of a run: one command, as it is executed, shown, and written into a Makefile.

use crate::job::file_name;
use crate::tools;
use beeline_options::GivenOption;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A word of a command.
#[derive(Debug, Clone)]
pub(crate) enum Word {
    /// An option, or anything that is no file.
    Text(String),
    /// A file that the user named, as it is seen from where the run was started.
    Given(PathBuf),
    /// A file in the folder of the run.
    Made(String),
}

impl Word {
    /// Its name as part of another file's: without folder and ending, of characters that no tool takes amiss.
    pub(crate) fn stem(&self) -> String {
        match self {
            Word::Given(path) => file_name(path),
            Word::Text(name) | Word::Made(name) => file_name(Path::new(name)),
        }
    }
}

/// One command.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    /// Its description for the progress display.
    pub title: &'static str,
    /// The program.
    pub program: PathBuf,
    /// The arguments.
    pub words: Vec<Word>,
    /// The file that it makes in the folder of the run.
    pub makes: Option<String>,
    /// Whether its answer is read from one JSON object. A user who repeats the command gets readable text.
    pub answers: bool,
}

impl Step {
    /// A step without words.
    pub(crate) fn new(title: &'static str, program: PathBuf) -> Step {
        Step { title, program, words: Vec::new(), makes: None, answers: false }
    }

    /// Adds a word that is no file.
    pub(crate) fn text(mut self, text: impl Into<String>) -> Step {
        self.words.push(Word::Text(text.into()));
        self
    }

    /// Adds words that are no files.
    pub(crate) fn texts(self, texts: impl IntoIterator<Item = impl Into<String>>) -> Step {
        texts.into_iter().fold(self, Step::text)
    }

    /// Adds options that the user gave.
    pub(crate) fn options(self, options: &[GivenOption]) -> Step {
        options.iter().fold(self, |step, GivenOption { name, value, is_path }| match value {
            None => step.text(name),
            Some(value) if *is_path => step.text(name).reads(&Word::Given(value.into())),
            Some(value) => step.text(name).text(value.to_string_lossy()),
        })
    }

    /// Adds a file that is read.
    pub(crate) fn reads(mut self, file: &Word) -> Step {
        self.words.push(file.clone());
        self
    }

    /// Adds `-o` and the file that is made.
    pub(crate) fn makes(mut self, name: &str) -> Step {
        self.makes = Some(name.into());
        self.words.extend([Word::Text("-o".into()), Word::Made(name.into())]);
        self
    }

    /// Has the answer given as one JSON object.
    pub(crate) fn answers(mut self) -> Step {
        self.answers = true;
        self
    }

    /// The name of the program without its folder.
    pub(crate) fn tool(&self) -> String {
        self.program.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The command, for a folder.
    pub(crate) fn command(&self, folder: &Path) -> Command {
        let mut command = Command::new(&self.program);
        // The search ends with its driver, however that ends.
        command.env("BEELINE_DRIVEN", std::process::id().to_string());
        // What is made of bitcode is compiled by what made the bitcode.
        command.envs(tools::chosen().map(|clang| (tools::CLANG_VARIABLE, clang)));
        for word in &self.words {
            match word {
                Word::Text(text) => command.arg(text),
                Word::Given(path) => command.arg(path),
                Word::Made(name) => command.arg(folder.join(name)),
            };
        }
        if self.answers {
            command.arg("--json");
        }
        command
    }

    /// The command as one types it into a shell, for a folder.
    pub(crate) fn shown(&self, folder: &Path) -> String {
        let words = self.words.iter().map(|word| match word {
            Word::Text(text) => text.clone(),
            Word::Given(path) => path.display().to_string(),
            Word::Made(name) => folder.join(name).display().to_string(),
        });
        let words: Vec<String> = std::iter::once(self.tool()).chain(words).collect();
        quoted(&words)
    }
}

/// Words as a shell takes them; one that no shell can take is left out.
pub(crate) fn quoted(words: &[String]) -> String {
    let quoted = words.iter().filter_map(|word| shlex::try_quote(word).ok());
    quoted.collect::<Vec<_>>().join(" ")
}
