//! Runs of untrusted programs: in a folder of their own, with limits.
//!
//! The limits are set by `prlimit` and `timeout`, which every Linux has (util-linux, coreutils).

use beeline_witness::command;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Error;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The limits of a program.
#[derive(Debug)]
pub(crate) struct Limits {
    /// Time.
    pub time: Duration,
    /// Bytes of memory.
    pub memory: u64,
}

/// The end of a program.
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
/// Threads and processes that a program may have, beside those of the user that there are already.
const PROCESSES: u64 = 128;

/// Runs a program in a folder, with an environment. One that has a sanitizer reserves more addresses than any
/// machine has memory, and limits its memory itself. The environment of a command is in the folder.
pub(crate) fn run(
    program: &Path,
    folder: &Path,
    limits: &Limits,
    environment: &[(String, String)],
    world: Option<World>,
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
        format!("--nproc={}", processes() + PROCESSES),
        format!("--stack={STACK}"),
        "--core=0".into(),
    ]);
    command.arg("--").arg(program).current_dir(folder).env_clear();
    // The path where `timeout` looks for `prlimit`.
    command.env("PATH", "/usr/local/bin:/usr/bin:/bin");
    command.envs(environment.iter().map(|(name, value)| (name, value)));
    // The data that is read has a length, which a sanitizer sees.
    let input = if environment.is_empty() { None } else { File::open("/dev/zero").ok() };
    let input = match world {
        Some(world) => {
            command.args(world.command.arguments.iter().map(|argument| OsStr::from_bytes(argument)));
            Some(laid_out(&world, folder).map_err(|error| format!("cannot write files: {error}"))?)
        }
        None => input,
    };
    command.stdin(input.map_or_else(Stdio::null, Stdio::from)).stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.status();
    let status = status.map_err(|error| format!("cannot run timeout (of coreutils): {error}"))?;
    let killed = status.signal().or(status.code().filter(|&code| code > 128).map(|code| code - 128));
    Ok(match (killed, status.code()) {
        _ if start.elapsed() >= limits.time => Ended::TimeOut,
        (Some(signal), _) => Ended::Signal(signal),
        (None, Some(126 | 127)) => return Err("prlimit (of util-linux) is missing".into()),
        (None, code) => Ended::Code(code.unwrap_or(0)),
    })
}

/// The threads of the machine, at least as many as those of the user, whom the system counts as a whole.
fn processes() -> u64 {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split([' ', '/']).nth(4).and_then(|count| count.parse().ok()).unwrap_or_default()
}

/// What a native program of a command finds.
#[derive(Clone, Copy)]
pub(crate) struct World<'a> {
    pub(crate) command: &'a command::Command,
    /// The files that are there from the start: names, and which of the command's files each is. Without a list, files are
    /// made when the program opens them.
    pub(crate) files: Option<&'a [(Vec<u8>, usize)]>,
}

/// Writes the environment of a command for the harness (`command.c`), and opens its standard input.
fn laid_out(world: &World, folder: &Path) -> Result<File, Error> {
    let command = world.command;
    let opened: Vec<u8> = command.opened.iter().map(|is_there| if *is_there { b'1' } else { b'0' }).collect();
    std::fs::write(folder.join("opened"), opened)?;
    for (number, bytes) in command.files.iter().enumerate() {
        std::fs::write(folder.join(format!("file{}", number + 1)), bytes)?;
    }
    let inside = folder.join("world");
    std::fs::create_dir(&inside)?;
    if let Some(files) = world.files {
        std::fs::write(folder.join("complete"), [])?;
        // A name that was made twice has what it was made with first.
        for (name, number) in files.iter().rev() {
            let path = inside.join(OsStr::from_bytes(name));
            std::fs::create_dir_all(path.parent().unwrap_or(&inside))?;
            std::fs::write(path, command.files.get(*number).map_or(&[][..], Vec::as_slice))?;
        }
    }
    std::fs::write(folder.join("stdin"), &command.stdin)?;
    File::open(folder.join("stdin"))
}
