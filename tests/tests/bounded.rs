//! The unit proofs and small programs in `tests/bounded`: that they are what they should be, and that the engine
//! decides some of them. `measure/bounded-campaign` measures all, and establishes that each is right or wrong.

use beeline_tests::CLANG;
use beeline_tests::driver::{Ran, beeline};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Programs that are decided with some work at size 4, with their bug; those with 0 are correct.
const DECIDED: [(&str, u32); 19] = [
    ("unit/base64-encode", 0),
    ("unit/base64-encode", 1),
    ("unit/bitmap-clear", 1),
    ("unit/buffer-read", 0),
    ("unit/buffer-read", 1),
    ("unit/chain-filter", 0),
    ("unit/chain-insert", 0),
    ("unit/ring-push", 1),
    ("unit/string-compare", 0),
    ("unit/string-compare", 2),
    ("unit/string-copy", 0),
    ("unit/string-copy", 1),
    ("whole/base64-roundtrip", 2),
    ("whole/ring-model", 0),
    ("whole/ring-model", 2),
    ("whole/runs-roundtrip", 0),
    ("whole/runs-roundtrip", 1),
    ("whole/utf8-roundtrip", 1),
    ("whole/varint-roundtrip", 1),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("bounded")
}

/// The files, by name.
fn programs() -> Vec<PathBuf> {
    let within = |kind: &str| std::fs::read_dir(folder().join(kind)).expect("the folder is there");
    let entries = within("unit").chain(within("whole"));
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "c"));
    files.sort();
    files
}

/// The bugs that the head of a file tells of.
fn bugs(text: &str) -> Vec<u32> {
    let told = text.lines().filter_map(|line| line.strip_prefix("// BUG ")?.split_once(':')?.0.parse().ok());
    told.collect()
}

/// What the compiler complains about.
fn complaints(file: &Path, flags: &[String]) -> String {
    let strict = ["-fsyntax-only", "-Wall", "-Wextra"];
    let output = Command::new(CLANG).args(strict).args(flags).arg(file).output().expect("clang is there");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn programs_have_bugs_and_no_warnings() {
    let files = programs();
    assert!(files.len() >= 30, "the programs are there");
    for file in files {
        let name = file.display();
        let text = std::fs::read_to_string(&file).expect("it can be read");
        assert!(text.contains("#ifndef SIZE\n#define SIZE 4\n#endif\n"), "{name} has a size");
        let bugs = bugs(&text);
        assert!(!bugs.is_empty(), "{name} has a bug");
        for bug in std::iter::once(0).chain(bugs) {
            assert!(
                bug == 0
                    || text.contains(&format!("BUG == {bug}"))
                    || text.contains(&format!("BUG != {bug}"))
            );
            for size in [4, 64] {
                let told = complaints(&file, &[format!("-DSIZE={size}"), format!("-DBUG={bug}")]);
                assert!(told.is_empty(), "{name}, size {size}, bug {bug}: {told}");
            }
        }
        assert!(complaints(&file, &[]).is_empty(), "{name} is correct where no bug is chosen");
    }
    assert_eq!(complaints(&folder().join("truth.c"), &[]), "");
}

/// What suffices for each of them, on a busy machine too.
const WORK: [&str; 5] = ["--first", "--ticks", "12000000", "--time-limit", "12s"];

#[test]
fn some_are_decided() {
    let place = tempfile::tempdir().expect("a folder can be made");
    for (name, bug) in DECIDED {
        let file = folder().join(format!("{name}.c")).display().to_string();
        let flag = format!("-DBUG={bug}");
        let arguments = [&["check", "--json"], &WORK[..], &[&file, "--", "-DSIZE=4", &flag]].concat();
        let Ran { out, err, .. } = beeline(place.path(), &arguments);
        let answer: Value =
            serde_json::from_str(&out).unwrap_or_else(|error| panic!("{name}: {error}: {err}"));
        let truth = if bug == 0 { "safe" } else { "unsafe" };
        assert_eq!(answer["verdict"], truth, "{name}, bug {bug}: {answer:#}");
        // On a busy machine the check of a proof may not end in time, which the answer says.
        let remark = answer["remark"].as_str().unwrap_or_default();
        let late = bug == 0 && (remark.contains("the time limit was reached") || remark.ends_with("timeout"));
        // Programs with a heap rest on it that there is room.
        let proved = bug == 0 && remark.ends_with("proof certified");
        assert!(proved || remark == "confirmed" || late, "{name}, bug {bug}: {answer:#}");
    }
}
