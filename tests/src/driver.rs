//! Running `beeline` as a user does.

use crate::{CLANG, schema, tools};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

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

/// The command `beeline` in a folder, with the clang of the other tests.
///
/// # Panics
/// If the tools cannot be built.
pub fn command(folder: &Path) -> Command {
    let tools = tools().unwrap_or_else(|error| panic!("the tools cannot be built: {error}"));
    let mut command = Command::new(tools.join("beeline"));
    command.current_dir(folder).env("XDG_CACHE_HOME", tools.join("cache"));
    // Columns and messages depend on the version.
    if std::env::var_os("BEELINE_CLANG").is_none() {
        command.env("BEELINE_CLANG", CLANG);
    }
    command
}

/// Puts an executable file with a content at a path.
///
/// A process of its own writes it: a file that this one has open for writing is also open in what
/// another thread starts at that moment, and cannot be executed ("text file busy").
///
/// # Panics
/// If it cannot be written.
pub fn install(content: &[u8], path: &Path) {
    let mut command = Command::new("install");
    command.args(["-m", "755", "/dev/stdin"]).arg(path).stdin(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("install cannot be run: {error}"));
    let written = child.stdin.take().map(|mut input| input.write_all(content));
    assert!(matches!(written, Some(Ok(()))), "{}: {written:?}", path.display());
    assert!(child.wait().is_ok_and(|status| status.success()), "{} is not written", path.display());
}

/// The seconds after which a run hangs. It fails its own test then, instead of keeping all others from running.
const HANGS: &str = "900";

/// Runs `beeline` in a folder. An answer in JSON is held against the schema.
///
/// # Panics
/// If it cannot be run, or prints what the schema excludes.
pub fn beeline(folder: &Path, arguments: &[&str]) -> Ran {
    let alone = command(folder);
    let mut command = Command::new("timeout");
    command.arg(HANGS).arg(alone.get_program()).args(arguments).current_dir(folder);
    command.envs(alone.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = command.output();
    let ran: Ran = output.unwrap_or_else(|error| panic!("beeline cannot be run: {error}")).into();
    let answers = ["check", "reach"].contains(arguments.first().unwrap_or(&""));
    if answers && arguments.contains(&"--json") && !arguments.contains(&"--witness") {
        let faults = schema::faults_of_answer(&ran.out);
        assert!(faults.is_empty(), "{faults:?}: {arguments:?}\n{}{}", ran.out, ran.err);
    }
    ran
}
