//! Isolated processes: work in a process of its own, so that a fault of Z3 ends only that process.
//!
//! Spacer occasionally violates its own assertions, or accesses invalid memory. Its results are only hints,
//! so its end must not be the end of a run.
#![allow(unsafe_code)] // The standard library has no way to split a process in two.

use std::fs::File;
use std::io::{PipeReader, PipeWriter, Read, Write};
use std::os::fd::AsRawFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// The memory limit of Z3 in such a process, in megabytes.
const MEMORY: &str = "2000";

/// The limits of a process.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// The time limit, if there is one.
    pub time: Option<Duration>,
    /// The limit on CPU seconds.
    pub cpu_seconds: u64,
}

/// The text that some work produces in an isolated process; `None` if it produces none, has a fault, or takes
/// too long.
///
/// All other effects of the work stay in that process. The process has no other threads. If it waits for one,
/// which depends on what the threads were doing at the fork, the work is repeated in another process.
pub(crate) fn apart(bounds: &Bounds, work: impl Fn() -> Option<String>) -> Option<String> {
    let deadline = bounds.time.and_then(|time| Instant::now().checked_add(time));
    for _ in 0..MOST_TRIES {
        match try_apart(bounds, deadline, &work) {
            Ended::Text(text) => return Some(text),
            Ended::Nothing => return None,
            Ended::Waiting => {}
        }
    }
    None
}

/// The greatest number of attempts.
const MOST_TRIES: usize = 20;

/// The end of a process.
enum Ended {
    Text(String),
    Nothing,
    /// It waited for something that would not happen.
    Waiting,
}

fn try_apart(bounds: &Bounds, deadline: Option<Instant>, work: impl FnOnce() -> Option<String>) -> Ended {
    let Ok((reader, writer)) = std::io::pipe() else { return Ended::Nothing };
    let parent = std::process::id();
    // SAFETY: the new process has this thread only. It runs the work and ends, without returning to code that
    // may need other threads. Z3 prepares itself for a fork.
    match unsafe { libc::fork() } {
        -1 => Ended::Nothing,
        0 => become_worker(parent, bounds.cpu_seconds, writer, work),
        child => {
            drop(writer);
            let ended = read_until(reader, deadline, child);
            // SAFETY: the process is a child that was not waited for yet, so its number is not reused.
            unsafe {
                libc::kill(child, libc::SIGKILL);
                libc::waitpid(child, std::ptr::null_mut(), 0);
            }
            ended
        }
    }
}

fn become_worker(
    parent: u32,
    cpu_seconds: u64,
    mut writer: PipeWriter,
    work: impl FnOnce() -> Option<String>,
) -> ! {
    crate::exit::forget_last_words();
    // SAFETY: these change this process only.
    unsafe {
        // It ends when the process that wants its answer ends.
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        if std::os::unix::process::parent_id() != parent {
            libc::_exit(0);
        }
        let most = libc::rlimit { rlim_cur: cpu_seconds, rlim_max: cpu_seconds };
        libc::setrlimit(libc::RLIMIT_CPU, &raw const most);
        if let Ok(nowhere) = File::options().read(true).write(true).open("/dev/null") {
            for stream in 0..=2 {
                libc::dup2(nowhere.as_raw_fd(), stream);
            }
        }
    }
    z3::set_global_param("memory_max_size", MEMORY);
    // A final byte distinguishes a complete text from an interrupted one.
    if let Ok(Some(text)) = catch_unwind(AssertUnwindSafe(work)) {
        let _ = writer.write_all(text.as_bytes()).and_then(|()| writer.write_all(b"\0"));
    }
    drop(writer);
    // SAFETY: nothing remains to be done, and exit handlers registered by others are not for this process.
    unsafe { libc::_exit(0) }
}

/// The CPU time of isolated processes.
pub fn cpu_time() -> Duration {
    // SAFETY: the system fills in the structure, for which all zeros is a value.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage);
        usage
    };
    let duration = |time: libc::timeval| {
        Duration::new(time.tv_sec.unsigned_abs(), time.tv_usec.unsigned_abs() as u32 * 1000)
    };
    duration(usage.ru_utime) + duration(usage.ru_stime)
}

/// The complete text that a process writes until a deadline.
fn read_until(mut reader: PipeReader, deadline: Option<Instant>, child: libc::pid_t) -> Ended {
    let mut text = Vec::new();
    let mut buffer = [0; 1 << 16];
    let mut before = None;
    loop {
        let left = deadline.map_or(PERIOD, |end| end.saturating_duration_since(Instant::now()).min(PERIOD));
        let mut wanted = libc::pollfd { fd: reader.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        let milliseconds = i32::try_from(left.as_millis()).unwrap_or(i32::MAX);
        // SAFETY: there is one entry, which outlives the call.
        match unsafe { libc::poll(&raw mut wanted, 1, milliseconds) } {
            0 if deadline.is_some_and(|end| Instant::now() >= end) => return Ended::Nothing,
            0 => {
                let state = state_of(child);
                match state {
                    // Anything written earlier would have arrived by now. Processes that other threads forked
                    // meanwhile may keep this end of the pipe open.
                    State::Gone if before == Some(state) => return Ended::Nothing,
                    State::Asleep(..) if before == Some(state) => return Ended::Waiting,
                    _ => before = Some(state),
                }
                continue;
            }
            // A signal interrupted the call.
            -1 if !left.is_zero() => continue,
            -1 => return Ended::Nothing,
            _ => {}
        }
        match reader.read(&mut buffer) {
            Ok(0) | Err(_) => break,
            Ok(count) => text.extend_from_slice(&buffer[..count]),
        }
        if text.ends_with(b"\0") {
            break;
        }
    }
    let text = text.strip_suffix(b"\0").and_then(|text| String::from_utf8(text.to_vec()).ok());
    text.map_or(Ended::Nothing, Ended::Text)
}

/// The interval of checks whether a process sleeps.
const PERIOD: Duration = Duration::from_millis(100);

/// The state of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// It works, or could work.
    Busy,
    /// It waits, after so much user and system time.
    Asleep(u64, u64),
    /// It has ended.
    Gone,
}

fn state_of(child: libc::pid_t) -> State {
    let line = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
    // The name before this point may contain any characters.
    let Some((_, fields)) = line.rsplit_once(") ") else { return State::Gone };
    let fields: Vec<&str> = fields.split(' ').collect();
    let worked = |index: usize| fields.get(index).and_then(|field| field.parse().ok()).unwrap_or_default();
    match fields[0] {
        "S" => State::Asleep(worked(11), worked(12)),
        "Z" | "X" => State::Gone,
        _ => State::Busy,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_secs(20);

    fn shortly(work: impl Fn() -> Option<String>) -> Option<String> {
        apart(&Bounds { time: Some(SHORT), cpu_seconds: 20 }, work)
    }

    #[test]
    fn text_comes_back_whole() {
        for length in [0, 1, 100, 1_000_000] {
            let text = "x".repeat(length);
            assert_eq!(shortly(|| Some(text.clone())), Some(text.clone()));
        }
        assert_eq!(shortly(|| None), None);
    }

    #[test]
    fn a_fault_ends_the_work_only() {
        let local = std::cell::Cell::new(1);
        assert_eq!(shortly(|| std::process::abort()), None);
        assert_eq!(shortly(|| std::process::exit(3)), None);
        assert_eq!(shortly(|| panic!("this is how it ends")), None);
        let changed = shortly(|| {
            local.set(2);
            Some(local.get().to_string())
        });
        assert_eq!((changed.as_deref(), local.get()), (Some("2"), 1));
    }

    #[test]
    fn its_time_is_counted() {
        let before = cpu_time();
        shortly(|| {
            let start = Instant::now();
            while start.elapsed() < Duration::from_millis(100) {}
            None
        });
        assert!(cpu_time() > before);
    }

    #[test]
    fn endless_work_is_ended() {
        let start = Instant::now();
        let endless = |time, cpu_seconds, work: fn()| {
            apart(&Bounds { time, cpu_seconds }, || {
                loop {
                    work();
                }
            })
        };
        let sleep = || std::thread::sleep(Duration::from_secs(1));
        assert_eq!(endless(Some(Duration::from_millis(100)), 20, sleep), None);
        assert_eq!(endless(None, 1, || {}), None);
        assert!(start.elapsed() < SHORT);
    }

    #[test]
    fn work_that_waits_begins_anew() {
        let (mut told, mut first) = std::io::pipe().unwrap();
        first.write_all(b"wait").unwrap();
        drop(first);
        let text = shortly(|| {
            let mut word = [0; 4];
            match told.try_clone().ok()?.read(&mut word).ok()? {
                0 => Some("again".into()),
                _ => loop {
                    std::thread::park();
                },
            }
        });
        assert_eq!(text.as_deref(), Some("again"));
        assert_eq!(told.read(&mut [0]).unwrap(), 0);
    }
}
