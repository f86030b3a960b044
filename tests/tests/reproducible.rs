//! What a run decides depends on the program and the options, not on the machine: two runs, the second beside four
//! busy loops, leave the same result, byte for byte but for what was measured.

use beeline_ir::file;
use beeline_run::Run;
use beeline_tests::{timed, tool};
use std::hint::spin_loop;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Programs under `tests/file` with options, by what their runs need.
const RUNS: [(&str, &str, &[&str]); 10] = [
    ("values", "verify/counting-loop.cfa", &[]),
    ("values and calls", "verify/recursion.cfa", &[]),
    ("values of a region", "proof/array.cfa", &["--domain", "value"]),
    ("predicates", "verify/lock.cfa", &["--domain", "predicate"]),
    ("predicates of an array", "proof/array.cfa", &["--domain", "predicate", "--block", "lf"]),
    ("an error path of predicates", "verify/branch-on-input.cfa", &["--domain", "predicate"]),
    ("interpolants", "proof/tiny-two-counters.cfa", &["--domain", "predicate", "--refiner", "spacer"]),
    ("invariants", "verify/moving-loop.cfa", &[]),
    ("values given up for invariants", "verify/growing-loop.cfa", &[]),
    (
        "a query that takes about as much as it may",
        "verify/product-of-primes.cfa",
        &["--query-ticks", "2500000"],
    ),
];

const BUSY_LOOPS: usize = 4;

/// No run takes nearly as long, unless load makes it another run.
const LIMIT: Duration = Duration::from_secs(40);

/// The result of a run, without what is measured; nothing if it takes too long.
fn result(verify: &Path, program: &str, options: &[&str]) -> Option<Run> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.run");
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("file").join(program);
    let output = timed(Command::new(verify).arg(&program).args(options).arg("-o").arg(&file), LIMIT)?;
    assert!(output.status.success(), "{}: {}", program.display(), output.status);
    Some(file::read::<Run>(&file).unwrap().body)
}

/// What differs between two results; nothing if they are the same.
fn differences(idle: &Run, busy: &Run) -> Vec<String> {
    let mut found = Vec::new();
    if idle.verdict != busy.verdict {
        found.push(format!("{:?} became {:?}", idle.verdict, busy.verdict));
    }
    for (part, differs) in [
        ("the targets", idle.targets != busy.targets),
        ("the path", idle.paths != busy.paths),
        ("the proof", idle.proofs != busy.proofs),
        ("the operations without a result", idle.undefined != busy.undefined),
    ] {
        found.extend(differs.then(|| part.to_string()));
    }
    let figures = idle.statistics.iter().zip(&busy.statistics).filter(|(idle, busy)| idle != busy);
    found.extend(figures.map(|(idle, busy)| format!("{}: {} became {}", idle.name, idle.value, busy.value)));
    if found.is_empty() && file::to_bytes(idle, None).unwrap() != file::to_bytes(busy, None).unwrap() {
        found.push("the bytes".into());
    }
    found
}

/// Does some work while all processors have something else to do.
fn beside_busy_loops<T>(work: impl FnOnce() -> T) -> T {
    /// Ends the loops, also when the work panics.
    struct End<'a>(&'a AtomicBool);
    impl Drop for End<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..BUSY_LOOPS {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    spin_loop();
                }
            });
        }
        let _end = End(&over);
        work()
    })
}

#[test]
fn a_busy_machine_changes_no_result() {
    let verify = tool("beeline-verify").unwrap();
    let results = || RUNS.map(|(_, program, options)| result(&verify, program, options));
    let (idle, busy) = (results(), beside_busy_loops(results));
    let mut faults = Vec::new();
    for ((what, program, _), results) in RUNS.iter().zip(idle.iter().zip(&busy)) {
        let found = match results {
            (Some(idle), Some(busy)) => differences(idle, busy),
            (idle, busy) => vec![format!("ended in time: {} became {}", idle.is_some(), busy.is_some())],
        };
        if !found.is_empty() {
            faults.push(format!("{what} ({program}): {}", found.join(", ")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
