//! The memory of a process: its use, its limit, and the end of the process at the limit.
//!
//! A limit of the system (`ulimit -v`) ends a process abruptly. With this one, it can still report what it
//! knows.

use std::fs;
use std::time::Duration;

/// The greatest default limit.
const MOST: u64 = 8 << 30;
/// The time between two checks of the memory in use: a process can allocate some 5 GB in a second.
pub const PERIOD: Duration = Duration::from_millis(5);
/// The exit code of tools that do not handle the case themselves.
const OUT_OF_MEMORY: i32 = 3;
/// The files with the limits of containers that the process may be in.
const OF_CONTAINERS: [&str; 2] = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];

/// The limit if none is given: half of the machine's memory, at most 8 GB.
pub fn default_limit() -> u64 {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| figure(&text, "MemTotal:"));
    let containers =
        OF_CONTAINERS.iter().filter_map(|file| fs::read_to_string(file).ok()?.trim().parse().ok());
    let there_is = containers.chain(machine).min();
    there_is.map_or(MOST, |bytes| MOST.min(bytes / 2))
}

/// The memory in use, in bytes, if the system reports it.
pub fn used() -> Option<u64> {
    of_this_process("VmRSS:")
}

/// The peak of the memory in use, in bytes, if the system reports it.
pub fn peak() -> Option<u64> {
    of_this_process("VmHWM:")
}

/// Calls a function, once, when more memory is in use than the limit.
pub fn watch(limit: u64, exceeded: impl FnOnce() + Send + 'static) {
    std::thread::spawn(move || {
        while used().is_none_or(|used| used <= limit) {
            std::thread::sleep(PERIOD);
        }
        exceeded();
    });
}

/// Ends the process with a sentence and the exit code 3 when more memory is in use than the limit or, without one, than
/// the default.
pub fn confine(tool: &'static str, limit: Option<u64>) {
    watch(limit.unwrap_or_else(default_limit), move || {
        crate::tell!("{tool}: the memory limit was reached");
        std::process::exit(OUT_OF_MEMORY);
    });
}

fn of_this_process(name: &str) -> Option<u64> {
    figure(&fs::read_to_string("/proc/self/status").ok()?, name)
}

/// A figure in a report of the system, in bytes.
fn figure(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn the_default_is_half_of_the_memory_and_no_more_than_eight_gigabytes() {
        let limit = default_limit();
        assert!(limit > 1 << 20 && limit <= 8 << 30, "{limit}");
        assert_eq!(figure("VmPeak: 1 kB\nMemTotal:   2048 kB\n", "MemTotal:"), Some(2 << 20));
    }

    #[test]
    fn what_exceeds_a_limit_is_noticed_soon() {
        let (sender, receiver) = channel();
        let before = used().expect("the system tells how much memory is used");
        watch(before + (64 << 20), move || sender.send(used()).expect("the test waits"));
        assert!(receiver.recv_timeout(PERIOD * 10).is_err());
        let block = vec![1u8; 128 << 20];
        let seen = receiver.recv_timeout(Duration::from_secs(10)).expect("the limit is noticed");
        assert!(seen > Some(before + (64 << 20)) && block.iter().all(|&byte| byte == 1));
    }
}
