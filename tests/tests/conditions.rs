//! `beeline reach` to places with conditions: the answers are known, and native runs of all inputs agree.

use beeline_tests::all_inputs::passed;
use beeline_tests::driver::{Ran, beeline};
use std::path::Path;

/// Runs `beeline reach` to places of `guarded.c`, and keeps its files.
fn reach(folder: &Path, places: &[&str]) -> Ran {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("cover/guarded.c").display().to_string();
    let mut words = vec!["reach", &source, "--keep", "kept"];
    places.iter().for_each(|place| words.extend(["--to", place]));
    beeline(folder, &words)
}

/// Is a sequence of places answered like this, and do native runs of all inputs agree?
fn is_reachable(places: &[&str], expected: bool) {
    let folder = tempfile::tempdir().expect("there is room");
    let ran = reach(folder.path(), places);
    let verdict =
        if expected { "verdict: reachable (confirmed)" } else { "verdict: unreachable (proof certified)" };
    assert_eq!((ran.verdict(), ran.code), (verdict, Some(i32::from(expected))), "{places:?}: {}", ran.err);
    let passed = passed(folder.path(), &folder.path().join("kept/guarded.marked.bc"));
    assert_eq!(!passed.is_empty(), expected, "{places:?}: all inputs");
}

fn each_is_reachable(expected: &[(&str, bool)]) {
    for (place, expected) in expected {
        is_reachable(&[&format!("guarded.{place}")], *expected);
    }
}

/// What is said of a place that is refused.
fn refused(place: &str) -> String {
    let folder = tempfile::tempdir().expect("there is room");
    let ran = reach(folder.path(), &[place]);
    assert_eq!(ran.code, Some(2), "{place}: {}", ran.out);
    ran.err
}

#[test]
fn before_branches_and_loops_without_braces() {
    each_is_reachable(&[
        ("c:12 if a == 7 && b == 255", true),
        ("c:12 if a == 8", false),
        ("c:13 if a == 4", true),
        ("c:13 if a < 4", false),
        ("c:14 if a == 3", true),
        ("c:14 if a > 3", false),
        ("c:18 if sum == 3", true),
        ("c:18 if sum == 8", false),
        ("c:19 if i == 1", true),
        ("c:19 if i == 2", false),
        ("c:20 if i * j == 2", true),
        ("c:20 if i * j == 3", false),
        ("c:22 if a == 1", true),
        ("c:22 if a == 2", false),
        ("c:24 if sum == 4", true),
        ("c:24 if sum == 3", false),
        ("c:26 if a == 2", true),
        ("c:26 if a == 0", false),
        ("c:28 if b == 1", true),
        ("c:28 if b == 0", false),
        ("c:30 if !b", true),
        ("c:30 if b", false),
        ("c:31 if sum == 1", true),
        ("c:31 if sum == 3", false),
    ]);
}

#[test]
fn before_labels_and_declarations() {
    each_is_reachable(&[
        ("c:36 if kind == 3", true),
        ("c:38 if kind == 0", true),
        ("c:38 if kind == 1", false),
        ("c:39 if got == 1", true),
        ("c:39 if kind == 3", false),
        ("c:40 if kind == 2", true),
        ("c:42 if got == 3", true),
        ("c:42 if got == 1", false),
        ("c:43 if kind == 3", true),
        ("c:43 if kind == 0", false),
        ("c:45 if b == 8", true),
        ("c:45 if b == 7", false),
        ("c:47 if got == 9", true),
        ("c:47 if got == 0", false),
        ("c:49 if round == 1", true),
        ("c:49 if got == 0", false),
        ("c:50 if pair.two == 9 && round", true),
        ("c:50 if pair.one > 1", false),
        ("c:53 if got == 0", true),
        ("c:53 if kind == 0 && got == 0", false),
    ]);
}

#[test]
fn before_macros_in_headers_and_at_entries() {
    each_is_reachable(&[
        ("c:15 if b == 251", true),
        ("c:15 if b == 250", false),
        ("c:17 if b == 250", true),
        ("c:17 if b > 250", false),
        ("c:51 if round == 1", true),
        ("c:51 if pair.two == 0", false),
        ("h:4 if b == 7", true),
        ("h:4 if a == 1", false),
        ("h:2 if a == 2", true),
        ("h:2 if a == 0", false),
        ("c:35 if kind == 3", true),
        ("c:35 if kind == 4", false),
        ("c:64 if first == 7", true),
        ("c:64 if first == 1", false),
    ]);
}

#[test]
fn in_sequences() {
    let first = "guarded.c:22 if a == 0";
    let second = "guarded.c:22 if a == 1";
    is_reachable(&[first, second], true);
    is_reachable(&[second, first], false);
    // One visit passes one place.
    is_reachable(&[second, second], false);
    is_reachable(&[second, "guarded.c:22 if a < 2"], false);
    // One statement ends where the next one begins.
    is_reachable(&["guarded.c:30 if !b", "guarded.c:31 if sum == 2"], true);
    is_reachable(&["guarded.c:30 if !b", "guarded.c:31 if sum == 1"], false);
    is_reachable(&["guarded.c:38 if b > 7", "guarded.c:41", "guarded.c:57 if kind == 0"], true);
    is_reachable(&["guarded.c:38 if b > 7", "guarded.c:41", "guarded.c:57 if kind"], false);
}

#[test]
fn what_cannot_be_a_condition_is_refused() {
    for line in [1, 29, 25, 46, 99] {
        let said = refused(&format!("guarded.c:{line} if 1"));
        assert!(said.contains("no statement of a C file begins in that line\n"), "{line}: {said}");
    }
    assert!(refused("guarded.c:36 if got").contains("undeclared identifier 'got'"));
    assert!(refused("guarded.c:12 if a +").contains("rejects the condition: expected expression"));
    for condition in ["a = 4", "a++", "a += 1", "twice(a)", "watched", "({ a; })"] {
        let said = refused(&format!("guarded.c:12 if {condition}"));
        assert!(said.contains("the condition may have side effects"), "{condition}: {said}");
    }
    let two = refused("guarded.c:12 if 1)); b = 0; beeline_condition(0, !!(1");
    assert!(two.contains("write one expression"), "{two}");
    // What a macro makes is more than the statement that is meant.
    assert!(refused("guarded.c:56 if b").contains("that is not in a macro"));
    assert!(refused("guarded.c if b").contains("write `FILE:LINE if CONDITION`"));
    assert!(refused("guarded.c:12 if ").contains("write `FILE:LINE if CONDITION`"));
}

#[test]
fn bitcode_is_compiled_already() {
    let folder = tempfile::tempdir().expect("there is room");
    reach(folder.path(), &["guarded.c:12"]);
    let ran = beeline(folder.path(), &["reach", "kept/guarded.bc", "--to", "guarded.c:12 if a"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("conditions need C files, not bitcode"), "{}", ran.err);
}

#[test]
fn the_files_that_are_left_make_the_same_run() {
    let folder = tempfile::tempdir().expect("there is room");
    reach(folder.path(), &["guarded.h:4 if b == 7"]);
    let kept = folder.path().join("kept");
    std::fs::remove_file(kept.join("guarded.bc")).expect("it is there");
    let made = std::process::Command::new("make").arg("-C").arg(&kept).arg("guarded.bc").output();
    assert!(made.is_ok_and(|made| made.status.success()));
    assert!(kept.join("guarded.bc").is_file());
}
