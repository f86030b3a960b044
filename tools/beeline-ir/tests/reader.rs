//! The reader of `ir-spec/`, written in Python from the specification, sees in a file what the tool sees.

use beeline_ir::{file, random};
use std::path::Path;
use std::process::{Command, Output};

fn reader(path: &Path) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ir-spec/reader.py");
    Command::new("python3").arg(script).arg(path).output().expect("python3 runs")
}

fn stats(path: &Path) -> Output {
    let tool = assert_cmd::cargo::cargo_bin("beeline-ir");
    Command::new(tool).args(["dump", "--stats"]).arg(path).output().expect("the tool runs")
}

#[test]
fn the_reader_agrees_with_the_tool() {
    let dir = tempfile::tempdir().expect("a directory");
    let golden =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/ir/tests/golden/everything-1.0.cfa");
    let mut paths = vec![golden];
    for seed in 0..25 {
        let path = dir.path().join(format!("{seed}.cfa"));
        file::write(&path, &random::program(seed), None).expect("it is written");
        paths.push(path);
    }
    for path in paths {
        let (read, shown) = (reader(&path), stats(&path));
        assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
        assert!(!shown.stdout.is_empty());
        assert_eq!(String::from_utf8_lossy(&read.stdout), String::from_utf8_lossy(&shown.stdout));
    }
}

#[test]
fn the_reader_refuses_damage() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("a.cfa");
    let mut bytes = file::to_bytes(&random::program(1), None).expect("bytes");
    *bytes.last_mut().expect("a byte") ^= 1;
    std::fs::write(&path, bytes).expect("it is written");
    let read = reader(&path);
    assert!(!read.status.success());
    assert!(String::from_utf8_lossy(&read.stderr).ends_with("a.cfa: it is damaged\n"));
}
