//! Work in a process of its own, so that a fault of Z3 ends that and nothing else.
//!
//! Spacer violates its own assertions now and then, or reads where it must not. Nobody depends on what it
//! finds, so that its end must not be the end of a run.
#![allow(unsafe_code)] // The standard library has no way to split a process in two.

use std::fs::File;
use std::io::{PipeReader, PipeWriter, Read, Write};
use std::os::fd::AsRawFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Memory that Z3 may use there, in megabytes.
const MEMORY: &str = "2000";

/// The text that some work makes in another process; nothing if it makes none, has a fault, or takes too long.
///
/// Whatever else the work does happens in the other process only. That has no other threads: if it waits for
/// one, it is ended when its time is over.
pub(crate) fn apart(time: Duration, work: impl FnOnce() -> Option<String>) -> Option<String> {
    let deadline = Instant::now().checked_add(time);
    let (reader, writer) = std::io::pipe().ok()?;
    let parent = std::process::id();
    // SAFETY: the new process has this thread only. It runs the work and ends, without going back into code
    // that other threads might be needed for; Z3 prepares itself for being split.
    match unsafe { libc::fork() } {
        -1 => None,
        0 => become_worker(parent, writer, work),
        child => {
            drop(writer);
            let text = read_until(reader, deadline);
            // SAFETY: the process is a child that nobody has waited for yet, so that its number is its own.
            unsafe {
                libc::kill(child, libc::SIGKILL);
                libc::waitpid(child, std::ptr::null_mut(), 0);
            }
            text
        }
    }
}

fn become_worker(parent: u32, mut writer: PipeWriter, work: impl FnOnce() -> Option<String>) -> ! {
    crate::exit::forget_last_words();
    // SAFETY: these change this process only.
    unsafe {
        // It ends when the process does that wants its answer.
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        if std::os::unix::process::parent_id() != parent {
            libc::_exit(0);
        }
        if let Ok(nowhere) = File::options().read(true).write(true).open("/dev/null") {
            for stream in 0..=2 {
                libc::dup2(nowhere.as_raw_fd(), stream);
            }
        }
    }
    z3::set_global_param("memory_max_size", MEMORY);
    // One byte at the end tells a whole text from one that broke off.
    if let Ok(Some(text)) = catch_unwind(AssertUnwindSafe(work)) {
        let _ = writer.write_all(text.as_bytes()).and_then(|()| writer.write_all(b"\0"));
    }
    drop(writer);
    // SAFETY: nothing is left to do, and what others registered for the end of the process is not for this one.
    unsafe { libc::_exit(0) }
}

/// The time that the processors spent on work apart.
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

/// What is written until a time, if it is whole.
fn read_until(mut reader: PipeReader, deadline: Option<Instant>) -> Option<String> {
    let mut text = Vec::new();
    let mut buffer = [0; 1 << 16];
    loop {
        let left = deadline
            .map_or(Duration::from_secs(1 << 20), |end| end.saturating_duration_since(Instant::now()));
        let mut wanted = libc::pollfd { fd: reader.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        let milliseconds = i32::try_from(left.as_millis()).unwrap_or(i32::MAX);
        // SAFETY: there is one entry, which outlives the call.
        match unsafe { libc::poll(&raw mut wanted, 1, milliseconds) } {
            0 => return None,
            // A signal came in between.
            -1 if !left.is_zero() => continue,
            -1 => return None,
            _ => {}
        }
        match reader.read(&mut buffer) {
            Ok(0) | Err(_) => break,
            Ok(count) => text.extend_from_slice(&buffer[..count]),
        }
    }
    let text = text.strip_suffix(b"\0")?;
    String::from_utf8(text.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_secs(20);

    #[test]
    fn text_comes_back_whole() {
        for length in [0, 1, 100, 1_000_000] {
            let text = "x".repeat(length);
            assert_eq!(apart(SHORT, || Some(text.clone())), Some(text.clone()));
        }
        assert_eq!(apart(SHORT, || None), None);
    }

    #[test]
    fn a_fault_ends_the_work_only() {
        let mut local = 1;
        assert_eq!(apart(SHORT, || std::process::abort()), None);
        assert_eq!(apart(SHORT, || std::process::exit(3)), None);
        assert_eq!(apart(SHORT, || panic!("this is how it ends")), None);
        let changed = apart(SHORT, || {
            local = 2;
            Some(local.to_string())
        });
        assert_eq!((changed.as_deref(), local), (Some("2"), 1));
    }

    #[test]
    fn its_time_is_counted() {
        let before = cpu_time();
        apart(SHORT, || {
            let start = Instant::now();
            while start.elapsed() < Duration::from_millis(100) {}
            None
        });
        assert!(cpu_time() > before);
    }

    #[test]
    fn endless_work_is_ended() {
        let start = Instant::now();
        let endless = apart(Duration::from_millis(100), || {
            loop {
                std::thread::sleep(Duration::from_secs(1));
            }
        });
        assert_eq!(endless, None);
        assert!(start.elapsed() < SHORT);
    }
}
