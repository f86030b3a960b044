//! The programs of all families have the verdicts that they were made for.

use beeline_interp::oracle::Given;
use beeline_interp::{Limits, Machine, Outcome};
use beeline_ir::{Program, file};
use beeline_run::{Choice, Run, RunPath, RunVerdict};
use beeline_tests::families::{FAMILIES, Family};
use beeline_tests::{lower_to, timed, tool};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const SIZES: [u32; 2] = [1, 3];

/// Does the path's input lead to its target?
fn reached(program: &Program, path: &RunPath) -> bool {
    let inputs = path.choices.iter().filter_map(|choice| match choice {
        Choice::Input { value, .. } => Some(value.clone()),
        _ => None,
    });
    let run = Machine::new(program).run(&mut Given::new(inputs), &Limits::default());
    matches!(run.outcome, Outcome::Target(index) if program.targets[index].loc == path.target)
}

fn check(family: Family, size: u32, bug: Option<u32>, verify: &Path, search: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (program, result) = (folder.path().join("p.cfa"), folder.path().join("p.run"));
    let name = format!("{} of size {size}, bug {bug:?}, {search}", family.name);
    let lowered =
        lower_to(&family.source(size, bug), &program).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut command = Command::new(verify);
    command.arg(&program).arg("-o").arg(&result).args(["--search", search, "--time-limit", "20s"]);
    timed(&mut command, Duration::from_secs(30)).unwrap_or_else(|| panic!("{name} takes too long"));
    let run = file::read::<Run>(&result).expect("the result is read").body;
    match (&run.verdict, bug) {
        (RunVerdict::Safe, None) => {}
        (RunVerdict::Unsafe, Some(_)) => {
            let path = run.path().expect("an unsafe program has a path");
            assert!(reached(&lowered, path), "{name}: the interpreter does not get to the target");
        }
        (verdict, _) => panic!("{name}: {verdict:?}"),
    }
}

/// All programs of some families, each with one of the searches.
fn check_all(names: &[&str]) {
    let verify = tool("beeline-verify").expect("the tool is built");
    let mut searches = ["directed", "dfs", "bfs", "random"].into_iter().cycle();
    for family in FAMILIES.into_iter().filter(|family| names.contains(&family.name)) {
        for size in SIZES {
            for bug in std::iter::once(None).chain((1..=size).map(Some)) {
                check(family, size, bug, &verify, searches.next().unwrap_or("directed"));
            }
        }
    }
}

#[test]
fn loops() {
    check_all(&["scheduler", "plugins", "nested"]);
}

#[test]
fn protocols() {
    check_all(&["locks", "client-server"]);
}

#[test]
fn calls() {
    check_all(&["calls", "dispatch"]);
}

#[test]
fn data() {
    check_all(&["arrays", "lists"]);
}

#[test]
fn the_text_depends_on_size_and_bug_only() {
    for family in FAMILIES {
        let (safe, buggy) = (family.source(4, None), family.source(4, Some(2)));
        assert_eq!(buggy, family.source(4, Some(2)), "{}", family.name);
        assert!(safe != buggy && !safe.contains('$') && !buggy.contains('$'), "{}", family.name);
        assert_ne!(buggy, family.source(4, Some(3)), "{}", family.name);
    }
}
