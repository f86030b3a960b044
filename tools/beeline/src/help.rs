//! Help in sizes: `-h` is one screen, `--help` all but the options of a search, `--help-search` those.

use crate::arguments::Arguments;
use clap::{Arg, Command, CommandFactory};
use std::ffi::OsString;

/// The commands that search.
const SEARCHING: [&str; 4] = ["check", "cover", "reach", "prepare"];
/// The option for the third size.
const OF_SEARCH: &str = "--help-search";
/// The headings of options for comparing searches.
const RESEARCH: [&str; 5] = ["Search", "Abstraction", "Refinement", "Unrolling", "Parts"];
/// Options below these that everybody may need.
const EVERYDAY: [&str; 3] = ["plan", "engine", "unwind"];
/// Options that are on one screen, with what is said of them there, or nothing where that is what is said elsewhere; positional
/// arguments and what is a command's own are as well.
const SHORT: [(&str, &str); 19] = [
    ("function", "The entry function; its arguments have any values"),
    (
        "property",
        "The properties to check: unreach-call [default], no-overflow, null, bounds, memory-safety, all, ...",
    ),
    ("input", "Functions without a body whose results are inputs, as a name pattern"),
    ("target", "Check this target only: FILE:LINE, or a pattern for a function, a property or a name"),
    ("first", "Stop at the first bug"),
    ("every", "Continue after a bug until every target is decided"),
    ("engine", "The engine that searches for bugs and proofs [default: all in turn]"),
    ("unwind", "The unwinding of loops: N, FILE:LINE=N or FUNCTION=N"),
    ("time-limit", "Such as 30s or 5m [default: none]"),
    ("memory-limit", "Such as 500M or 4G [default: half of the machine's memory, at most 8G]"),
    ("include", ""),
    ("define", ""),
    ("std", "The standard of C, such as c99 or gnu17"),
    ("compile-commands", ""),
    ("json", ""),
    ("sarif", "Write the bugs for editors and code review"),
    ("html", "Write a page for browsers"),
    ("test", "Write a C program that fails with the inputs of the bug"),
    ("keep", ""),
];
/// Options of single commands, which are on one screen as well.
const OWN: [&str; 5] = ["of", "tests", "lcov", "to", "warnings"];

/// The command line, with help in sizes.
pub(crate) fn command() -> Command {
    SEARCHING.iter().fold(Arguments::command(), |command, name| {
        command.mut_subcommand(name, |command| {
            let command = command.mut_args(|option| {
                let (short, long) = (is_short(&option), !is_research(&option));
                let told =
                    SHORT.iter().find(|(name, told)| option.get_long() == Some(name) && !told.is_empty());
                let option = match told {
                    // The text of --help stays.
                    Some((_, told)) => {
                        let whole = option.get_help().cloned().unwrap_or_default();
                        option.long_help(whole).help(*told)
                    }
                    None => option,
                };
                option.hide_short_help(!short).hide_long_help(!long)
            });
            let more = Arg::new("help-search").long("help-search").action(clap::ArgAction::SetTrue);
            command.arg(more.help("Print the options of the search").help_heading(None))
        })
    })
}

/// Prints the options of the search, if a command line asks for them.
pub(crate) fn of_search(words: &[OsString]) -> Option<String> {
    let asked = words.iter().take_while(|word| *word != "--").any(|word| word == OF_SEARCH);
    let name = words.get(1).filter(|_| asked)?.to_str().filter(|name| SEARCHING.contains(name))?;
    let mut whole = Arguments::command();
    whole.build();
    let command = whole.find_subcommand(name)?.clone();
    let command = command.mut_args(|option| {
        let is_shown = option.get_help_heading().is_some_and(|heading| heading != "Compilation");
        option.hide(!is_shown)
    });
    let command =
        command.about("The options of the search").long_about(None).after_help("").disable_help_flag(true);
    Some(command.clone().render_long_help().to_string())
}

fn is_research(option: &Arg) -> bool {
    option.get_help_heading().is_some_and(|heading| RESEARCH.contains(&heading))
        && !option.get_long().is_some_and(|name| EVERYDAY.contains(&name))
}

fn is_short(option: &Arg) -> bool {
    option.is_positional()
        || option
            .get_long()
            .is_some_and(|name| SHORT.iter().any(|(short, _)| *short == name) || OWN.contains(&name))
}
