//! Running `beeline` as a user does.

use crate::tools;
use std::path::Path;
use std::process::{Command, Output};

/// What a run of `beeline` left.
#[derive(Debug)]
pub struct Ran {
    /// The exit code; none after a signal.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Ran {
    /// The last line on standard output.
    pub fn verdict(&self) -> &str {
        self.out.lines().last().unwrap_or("")
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// The command `beeline` in a folder.
///
/// # Panics
/// If the tools cannot be built.
pub fn command(folder: &Path) -> Command {
    let tools = tools().unwrap_or_else(|error| panic!("the tools cannot be built: {error}"));
    let mut command = Command::new(tools.join("beeline"));
    command.current_dir(folder);
    command
}

/// Runs `beeline` in a folder.
///
/// # Panics
/// If it cannot be run.
pub fn beeline(folder: &Path, arguments: &[&str]) -> Ran {
    let output = command(folder).args(arguments).output();
    output.unwrap_or_else(|error| panic!("beeline cannot be run: {error}")).into()
}
