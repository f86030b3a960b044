//! `beeline`: one command from a C program to a verdict.
//!
//! `beeline check` runs the single tools as processes, one after the other: clang, `beeline-lower`,
//! `beeline-verify`, and then `beeline-replay` or `beeline-check-proof`. They talk through files only; what a
//! person reads in the end is made from those files.
//!
//! In order: [`arguments`], [`project`], [`compilation`] and [`task`] say what is wanted, [`job`] makes it definite,
//! [`tools`] finds the programs, [`pipeline`] lists the [`step`]s, [`check`] runs them, [`answer`] is what comes out,
//! [`report`] tells it to a person, with [`proof`] for proofs, [`html`] as a page, [`json`] and [`sarif`] to a program.
//! [`advice`] says what may help where there is none, [`nothing`] why there is nothing to check, [`uncompiled`] why a program does
//! not compile; [`mod@test_case`] makes a C program of a bug, [`help`] the pages of options.
//! [`cbmc`] runs proofs that were written for CBMC, [`lsp`] serves editors. [`explain`] tells a result that was left by an earlier run, [`parts`] shares what such a result leaves.

mod advice;
mod answer;
mod arguments;
mod as_command;
mod assume_paths;
mod beginning;
mod build;
mod cbmc;
mod check;
mod choice;
mod ci;
mod compilation;
mod conditions;
mod copies;
mod cover;
mod cover_page;
mod entry;
mod explain;
mod export;
mod help;
mod hollow;
mod html;
mod job;
mod json;
mod keep;
mod lsp;
mod marks;
mod nearest;
mod nothing;
mod parts;
mod path;
mod pipeline;
mod plist;
mod prepare;
mod project;
mod proof;
mod property;
mod reach;
mod report;
mod sarif;
mod since;
mod statement;
mod step;
mod summarise;
mod summary;
mod syntax;
mod targets;
mod task;
mod test_case;
mod tools;
mod uncompiled;
mod warnings;
mod witness;

use arguments::{Action, Arguments};
use clap::{CommandFactory, FromArgMatches, Parser};
use std::ffi::OsString;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

/// The exit code for wrong input and wrong usage.
const WRONG: u8 = 2;

fn main() -> ExitCode {
    let given: Vec<OsString> = std::env::args_os().collect();
    if let Some(page) = help::of_search(&given) {
        return report::print(&page).map_or(ExitCode::from(WRONG), |()| ExitCode::SUCCESS);
    }
    let wants_json = wants_json(&given);
    // A compiler in a build takes any words, those that would be our own, too.
    let stands_in = cbmc::stand_in::run(given.get(1..).unwrap_or_default());
    let outcome = match given.get(1).filter(|word| *word == build::COMPILE) {
        Some(_) => build::compile(&given[2..]),
        None if let Some(outcome) = stands_in => outcome,
        None => project::words(given).and_then(|words| {
            if wants_json && let Err(error) = Arguments::try_parse_from(&words) {
                usage(&error);
            }
            done(parsed(words))
        }),
    };
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(sentence) => {
            let _ = writeln!(anstream::stderr(), "beeline: {sentence}");
            if wants_json && !report::has_printed() {
                // If nothing can be printed, the exit code has to suffice.
                let _ = report::print(&format!("{:#}\n", json::wrong(&sentence)));
            }
            ExitCode::from(WRONG)
        }
    }
}

/// The arguments. Ends the process where there is something else to do, as `--help` does.
fn parsed(words: Vec<OsString>) -> Arguments {
    if words.get(1).is_some_and(|word| word == "--generate") {
        return beeline_cli::parse_from(words);
    }
    let matches = help::command().get_matches_from(words);
    Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

/// Whether a command line asks for the answer of a check as one JSON object.
fn wants_json(words: &[OsString]) -> bool {
    let answers = words.get(1).is_some_and(|word| word == "check" || word == "reach");
    answers && words.iter().take_while(|word| *word != "--").any(|word| word == "--json")
}

/// Prints an object for programs after wrong usage, before the sentence for users ends the process.
fn usage(error: &clap::Error) {
    if error.use_stderr() {
        let text = error.to_string();
        let sentence = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
        let _ = report::print(&format!("{:#}\n", json::wrong(sentence)));
    }
}

/// Does what is asked, and returns the exit code.
fn done(arguments: Arguments) -> Result<u8, String> {
    match arguments.action {
        Action::Check(arguments) => check::run(&arguments),
        Action::Cbmc(arguments) => cbmc::run(&arguments),
        Action::Cover(arguments) => cover::run(&arguments),
        Action::Reach(arguments) => reach::run(&arguments),
        Action::Ci(arguments) => ci::run(&arguments),
        Action::Build(arguments) => build::run(&arguments),
        Action::Prepare(arguments) => prepare::run(&arguments),
        Action::Explain(arguments) => explain::run(&arguments),
        Action::Split(arguments) => parts::share(&arguments),
        Action::Join(arguments) => parts::put_together(&arguments),
        Action::Sarif(arguments) => sarif::join(&arguments),
        Action::Plan(arguments) => choice::plan(&arguments),
        Action::Choose(arguments) => choice::run(&arguments),
        Action::Lsp { .. } => lsp::run(),
        Action::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "beeline", &mut script);
            report::print(&String::from_utf8_lossy(&script)).map(|()| 0)
        }
        Action::Man { folder } => manual(&folder).map(|()| 0),
    }
}

/// Writes the manual pages into a folder.
fn manual(folder: &Path) -> Result<(), String> {
    beeline_cli::pages(Arguments::command(), folder)
        .map_err(|error| format!("cannot write manual pages to {}: {error}", folder.display()))
}
