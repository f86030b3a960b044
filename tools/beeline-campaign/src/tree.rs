//! The processor time of a process and all its descendants so far, from `/proc`.
//!
//! The system's own sum includes descendants only after they have ended, which is too late to end them.

use std::fs;
use std::path::Path;
use std::time::Duration;

/// The time of a process, of its running descendants, and of those that were waited for. Zero if it has
/// ended.
pub(crate) fn used(process: u32) -> Duration {
    let mut ticks = 0;
    let mut open = vec![process];
    while let Some(process) = open.pop() {
        let folder = format!("/proc/{process}");
        ticks += fs::read_to_string(format!("{folder}/stat")).map_or(0, |stat| of_stat(&stat));
        open.extend(children(Path::new(&folder)));
    }
    Duration::from_secs_f64(ticks as f64 / rustix::param::clock_ticks_per_second() as f64)
}

/// The clock ticks of a process and its ended children.
fn of_stat(stat: &str) -> u64 {
    // The second field is the name of the program, which may hold anything.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    fields.split_whitespace().skip(11).take(4).filter_map(|field| field.parse::<u64>().ok()).sum()
}

/// The running children of all threads of a process.
fn children(folder: &Path) -> Vec<u32> {
    let threads = fs::read_dir(folder.join("task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<u32>>())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};
    use std::time::Instant;

    #[test]
    fn a_name_with_brackets_does_not_matter() {
        let stat = "7 (a) b) (c) S 1 7 7 0 -1 4194304 10 0 0 0 30 4 200 1000 20 0 1 0 5 0 0";
        assert_eq!(of_stat(stat), 1234);
        assert_eq!(of_stat("no line of this kind"), 0);
    }

    #[test]
    fn the_work_of_a_grandchild_counts() {
        let script = "sh -c 'while :; do :; done' & wait";
        let mut child = Command::new("sh").args(["-c", script]).stdin(Stdio::null()).spawn().unwrap();
        let start = Instant::now();
        while used(child.id()) < Duration::from_millis(50) && start.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let seen = used(child.id());
        let below: Vec<u32> = children(Path::new(&format!("/proc/{}", child.id())));
        for process in below {
            let _ = Command::new("kill").arg(process.to_string()).status();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(seen >= Duration::from_millis(50), "{seen:?}");
        assert_eq!(used(child.id()), Duration::ZERO);
    }
}
