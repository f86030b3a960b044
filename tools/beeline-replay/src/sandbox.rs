//! Runs a program that nobody trusts: in a folder of its own, with limits.
//!
//! The limits are set by `prlimit` and `timeout`, which every Linux has (util-linux, coreutils).

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a program may use.
#[derive(Debug)]
pub(crate) struct Limits {
    /// Time.
    pub time: Duration,
    /// Bytes of memory.
    pub memory: u64,
}

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ended {
    /// With an exit code.
    Code(i32),
    /// By a signal.
    Signal(i32),
    /// It took too long.
    TimeOut,
}

/// Bytes that a file may have, which a program that prints without end reaches.
const FILE_SIZE: u64 = 16 << 20;
/// Bytes of stack, as code that is not optimised needs much.
const STACK: u64 = 512 << 20;
/// Processes of the user, among them the program's own.
const PROCESSES: u64 = 32;

/// Runs a program in a folder, with an environment. One that has a sanitizer reserves more addresses than any
/// machine has memory, and limits its memory itself.
pub(crate) fn run(
    program: &Path,
    folder: &Path,
    limits: &Limits,
    environment: &[(String, String)],
) -> Result<Ended, String> {
    let start = Instant::now();
    let seconds = limits.time.as_secs_f64().to_string();
    let mut command = Command::new("timeout");
    command.args(["--signal=KILL", &seconds, "prlimit"]).args([
        match environment.is_empty() {
            true => format!("--as={}", limits.memory),
            false => "--as=unlimited".into(),
        },
        format!("--cpu={}", limits.time.as_secs() + 2),
        format!("--fsize={FILE_SIZE}"),
        format!("--nproc={PROCESSES}"),
        format!("--stack={STACK}"),
        "--core=0".into(),
    ]);
    command.arg("--").arg(program).current_dir(folder).env_clear();
    // Where `timeout` looks for `prlimit`.
    command.env("PATH", "/usr/local/bin:/usr/bin:/bin");
    command.envs(environment.iter().map(|(name, value)| (name, value)));
    // What is read has some length, which a sanitizer sees.
    let input = if environment.is_empty() { None } else { std::fs::File::open("/dev/zero").ok() };
    command.stdin(input.map_or_else(Stdio::null, Stdio::from)).stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.status();
    let status = status.map_err(|error| format!("timeout (of coreutils) cannot be run: {error}"))?;
    let killed = status.signal().or(status.code().filter(|&code| code > 128).map(|code| code - 128));
    Ok(match (killed, status.code()) {
        _ if start.elapsed() >= limits.time => Ended::TimeOut,
        (Some(signal), _) => Ended::Signal(signal),
        (None, Some(126 | 127)) => return Err("prlimit (of util-linux) is needed and is missing".into()),
        (None, code) => Ended::Code(code.unwrap_or(0)),
    })
}
