//! Shared parts of all tools' command lines: manual pages and completions, [temporary] folders, limits of [memory], and
//! the tools for other [versions] of LLVM.
//!
//! `TOOL --generate FOLDER` writes manual pages and completions to the folders below a prefix such as `/usr`
//! where shells and `man` look for them. It is for packages, such as those of `scripts/install`, and hidden
//! from the help.

pub mod memory;
pub mod temporary;
pub mod versions;

use clap::{Command, Parser};
use clap_complete::Shell;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

/// Writes a line to standard error. If that fails, the exit code has to suffice.
#[macro_export]
macro_rules! tell {
    ($($argument:tt)*) => {{
        let _ = std::io::Write::write_fmt(&mut std::io::stderr().lock(), format_args!("{}\n", format_args!($($argument)*)));
    }};
}

/// The option, which comes first.
const GENERATE: &str = "--generate";
/// The folder where `man` looks for pages of commands.
const PAGES: &str = "share/man/man1";
/// The folders where shells look for completions.
const COMPLETIONS: [(Shell, &str); 3] = [
    (Shell::Bash, "share/bash-completion/completions"),
    (Shell::Zsh, "share/zsh/site-functions"),
    (Shell::Fish, "share/fish/vendor_completions.d"),
];

/// Parses the arguments of a tool. Ends the process after an option such as `--help`.
pub fn parse<A: Parser>() -> A {
    parse_from(std::env::args_os().collect())
}

/// The same for the words of a command line that the caller has changed.
pub fn parse_from<A: Parser>(words: Vec<OsString>) -> A {
    let folder = match &words[..] {
        [_, option, folder] if option == GENERATE => Path::new(folder),
        _ => return A::parse_from(words),
    };
    let written = generate(A::command(), folder);
    std::process::exit(match written {
        Ok(()) => 0,
        Err(error) => {
            tell!("cannot write manual pages and completions to {}: {error}", folder.display());
            2
        }
    })
}

/// Writes manual pages and completions below a prefix.
fn generate(mut command: Command, prefix: &Path) -> io::Result<()> {
    let name = command.get_name().to_string();
    // Completions add subcommands to the command that need no page.
    let documented = command.clone();
    for (shell, place) in COMPLETIONS {
        let folder = prefix.join(place);
        std::fs::create_dir_all(&folder)?;
        let written = clap_complete::generate_to(shell, &mut command, &name, &folder)?;
        // Bash looks for the file by this name.
        if shell == Shell::Bash && written.file_name() != Some(OsStr::new(&name)) {
            std::fs::rename(written, folder.join(&name))?;
        }
    }
    pages(documented, &prefix.join(PAGES))
}

/// Writes the manual pages of a command and its subcommands into a folder.
pub fn pages(command: Command, folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    clap_mangen::generate_to(command.disable_help_subcommand(true), folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{CommandFactory, Subcommand};

    /// Counts.
    #[derive(Parser)]
    #[command(name = "counter", version)]
    struct Counter {
        #[command(subcommand)]
        action: Action,
    }

    #[derive(Subcommand)]
    enum Action {
        /// Counts to a number
        To {
            /// In which order
            #[arg(long, value_parser = ["up", "down"])]
            order: String,
        },
    }

    #[test]
    fn pages_and_completions_are_where_they_are_looked_for() {
        let prefix = tempfile::tempdir().unwrap();
        generate(Counter::command(), prefix.path()).unwrap();
        let read = |name: &str| std::fs::read_to_string(prefix.path().join("share").join(name)).unwrap();
        for completions in [
            "bash-completion/completions/counter",
            "zsh/site-functions/_counter",
            "fish/vendor_completions.d/counter.fish",
        ] {
            assert!(read(completions).contains("down"), "{completions} has no values");
        }
        assert!(read("man/man1/counter.1").contains("counter\\-to"));
        assert!(!prefix.path().join("share/man/man1/counter-help.1").exists());
        assert!(read("man/man1/counter-to.1").contains("In which order"));
    }
}
