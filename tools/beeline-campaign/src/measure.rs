//! Measuring one command: by BenchExec's runexec where cgroups allow it, else by the system's figures for the
//! command and its descendants.
//!
//! The system reports memory as the peak of any child, so each command needs a parent of its own: this tool,
//! started again with the hidden command `measure`.

use crate::description::Measure;
use crate::tree;
use nix::sys::resource::{UsageWho, getrusage};
use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitOptions, kill_process_group, prlimit, set_child_subreaper,
    set_parent_process_death_signal, wait,
};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The time between two checks of the processor time: short compared to limits of seconds, and long compared
/// to the tenth of a millisecond that a check takes.
const LOOKING: Duration = Duration::from_millis(20);

/// The resources that a command used.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Measured {
    /// Time of the processor, in microseconds.
    pub cpu: u64,
    /// Time by the clock, in microseconds.
    pub wall: u64,
    /// Memory, in bytes.
    pub memory: u64,
    /// Its exit code, if it had one.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// Whether a limit on time ended it.
    pub out_of_time: bool,
}

/// The limits of a command.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Time of the processor.
    pub cpu: Duration,
    /// Memory in bytes; 0 for no limit. Only runexec enforces it, else the command does itself.
    pub memory: u64,
}

impl Limits {
    /// The limit on wall-clock time, for commands that wait forever. It is large enough that a run gets its
    /// processor time on a busy machine.
    fn wall(&self) -> Duration {
        self.cpu * 10 + Duration::from_secs(60)
    }
}

/// A meter for commands, one of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meter {
    /// BenchExec's runexec.
    Runexec,
    /// This tool.
    Rusage,
}

impl Meter {
    /// The meter that is asked for, or the best one on this machine.
    pub(crate) fn new(measure: Measure) -> Result<Meter, String> {
        match measure {
            Measure::Rusage => Ok(Meter::Rusage),
            Measure::Auto if !runexec_works() => Ok(Meter::Rusage),
            Measure::Runexec if !runexec_works() => {
                Err("runexec is not on PATH or cannot use cgroups; measure = \"rusage\" needs neither".into())
            }
            Measure::Auto | Measure::Runexec => Ok(Meter::Runexec),
        }
    }

    /// Its name in histories.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Meter::Runexec => "runexec",
            Meter::Rusage => "rusage",
        }
    }

    /// Runs a command and measures it; what it prints goes to a file.
    pub(crate) fn measure(
        self,
        words: &[OsString],
        limits: Limits,
        output: &Path,
    ) -> Result<Measured, String> {
        match self {
            Meter::Runexec => by_runexec(words, limits, output),
            Meter::Rusage => by_child(words, limits, output),
        }
    }
}

/// Whether runexec can measure here.
fn runexec_works() -> bool {
    let mut command = Command::new("runexec");
    command.args(["--no-container", "--output", "/dev/null", "--", "true"]);
    let output = command.stdin(Stdio::null()).output();
    output.is_ok_and(|output| {
        output.status.success() && String::from_utf8_lossy(&output.stdout).contains("memory=")
    })
}

fn by_runexec(words: &[OsString], limits: Limits, output: &Path) -> Result<Measured, String> {
    let mut command = Command::new("runexec");
    command.args(["--no-container", "--quiet", "--output"]).arg(output);
    command.args(["--timelimit".into(), format!("{}s", limits.cpu.as_secs_f64().ceil() + 1.0)]);
    command.args(["--walltimelimit".into(), format!("{}s", limits.wall().as_secs())]);
    if limits.memory > 0 {
        command.args(["--memlimit".into(), format!("{}B", limits.memory)]);
    }
    let printed = command.arg("--").args(words).stdin(Stdio::null()).output();
    let printed = printed.map_err(|error| format!("cannot run runexec: {error}"))?;
    if !printed.status.success() {
        return Err(format!("runexec: {}", String::from_utf8_lossy(&printed.stderr).trim()));
    }
    Ok(of_runexec(&String::from_utf8_lossy(&printed.stdout)))
}

/// Reads the output of runexec: a name and a value on each line.
fn of_runexec(printed: &str) -> Measured {
    let value = |name: &str| printed.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
    let microseconds = |name| {
        let seconds = value(name).and_then(|text| text.trim_end_matches('s').parse::<f64>().ok());
        (seconds.unwrap_or(0.0) * 1e6) as u64
    };
    Measured {
        cpu: microseconds("cputime"),
        wall: microseconds("walltime"),
        memory: value("memory").and_then(|text| text.trim_end_matches('B').parse().ok()).unwrap_or(0),
        code: value("returnvalue").and_then(|code| code.parse().ok()),
        signal: value("exitsignal").and_then(|signal| signal.parse().ok()),
        out_of_time: value("terminationreason").is_some_and(|reason| reason.contains("time")),
    }
}

fn by_child(words: &[OsString], limits: Limits, output: &Path) -> Result<Measured, String> {
    let own = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    let mut command = Command::new(own);
    command.arg("measure").arg(limits.cpu.as_micros().to_string()).arg(output).arg("--").args(words);
    let printed = command.stdin(Stdio::null()).output();
    let printed = printed.map_err(|error| format!("cannot run this program: {error}"))?;
    serde_json::from_slice(&printed.stdout)
        .map_err(|_| format!("no measure: {}", String::from_utf8_lossy(&printed.stderr).trim()))
}

/// Runs a command as the only child of this process, for the hidden command.
pub(crate) fn only_child(cpu: u64, output: &Path, words: &[OsString]) -> Result<Measured, String> {
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    let limits = Limits { cpu: Duration::from_micros(cpu), memory: 0 };
    let [program, words @ ..] = words else { return Err("no command is given".into()) };
    let file = std::fs::File::create(output).map_err(|error| format!("{}: {error}", output.display()))?;
    let errors = file.try_clone().map_err(|error| format!("{}: {error}", output.display()))?;
    // Orphaned processes become children of this one, so that they count.
    let _ = set_child_subreaper(Pid::from_raw(1));
    let start = Instant::now();
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::null()).stdout(file).stderr(errors).process_group(0);
    // No process survives a killed campaign: a driven process ends with its driver.
    command.env("BEELINE_DRIVEN", std::process::id().to_string());
    let mut child = command.spawn().map_err(|error| format!("cannot run {}: {error}", program.display()))?;
    let pid = Pid::from_raw(child.id().cast_signed());
    let seconds = limits.cpu.as_secs_f64().ceil() as u64;
    // The system's limit is in whole seconds and for each process, but beeline-verify runs its solver in
    // separate processes, so the waiting process checks the sum. This bound is for the case that it cannot.
    let bound = Rlimit { current: Some(seconds), maximum: Some(seconds + 1) };
    let _ = prlimit(pid, Resource::Cpu, bound);
    let (status, late) = wait_for(&mut child, start, limits, pid)?;
    let wall = start.elapsed();
    if let Some(pid) = pid {
        let _ = kill_process_group(pid, Signal::KILL);
    }
    while let Ok(Some(_)) = wait(WaitOptions::empty()) {}
    let used = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|error| error.to_string())?;
    let micros = |time: nix::sys::time::TimeVal| (time.tv_sec() * 1_000_000 + time.tv_usec()) as u64;
    let cpu = micros(used.user_time()) + micros(used.system_time());
    Ok(Measured {
        cpu,
        wall: wall.as_micros() as u64,
        memory: used.max_rss() as u64 * 1024,
        code: status.code(),
        signal: status.signal(),
        out_of_time: late
            || status.signal() == Some(Signal::XCPU.as_raw())
            || cpu > limits.cpu.as_micros() as u64,
    })
}

/// Waits for the end of a process, and ends its group at a limit.
fn wait_for(
    child: &mut std::process::Child,
    start: Instant,
    limits: Limits,
    pid: Option<Pid>,
) -> Result<(ExitStatus, bool), String> {
    let mut pause = Duration::from_micros(500);
    let (mut late, mut looked) = (false, start);
    loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return Ok((status, late));
        }
        if !late && looked.elapsed() > LOOKING {
            looked = Instant::now();
            late = start.elapsed() > limits.wall() || tree::used(child.id()) > limits.cpu;
            if let (true, Some(pid)) = (late, pid) {
                let _ = kill_process_group(pid, Signal::KILL);
            }
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runexec_prints_is_read() {
        let measured =
            of_runexec("starttime=2026-01-01\nwalltime=1.25s\ncputime=0.5s\nmemory=4096B\nreturnvalue=3\n");
        assert_eq!((measured.cpu, measured.wall, measured.memory), (500_000, 1_250_000, 4096));
        assert_eq!((measured.code, measured.signal, measured.out_of_time), (Some(3), None, false));
        let late = of_runexec("terminationreason=cputime\nexitsignal=9\n");
        assert!(late.out_of_time && late.signal == Some(9));
    }
}
