//! The tool from outside.

use assert_cmd::Command;
use beeline_graph::Features;
use beeline_ir::{Program, file, text};
use std::path::PathBuf;

const FIGURE_7_5: &str = include_str!("../../../tests/file/graph/figure-7-5.cfa");

fn directory() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("p.cfa");
    let program: Program = text::parse(FIGURE_7_5).expect("a program");
    file::write(&path, &program, None).expect("the file is written");
    (directory, path)
}

fn features() -> Command {
    Command::cargo_bin("beeline-features").expect("the tool is built")
}

#[test]
fn writes_the_features_of_figure_7_5() {
    let (_directory, path) = directory();
    features().arg(&path).assert().code(0);
    let written = file::read::<Features>(path.with_extension("feat")).expect("a file");
    assert_eq!(written.body.get("SDLOFN"), Some(3.5));
    assert_eq!(written.header.upstream, Some(file::peek(&path).expect("a header").digest));
}

#[test]
fn prints_a_table_of_many_programs() {
    let (_directory, path) = directory();
    let done = features().arg("--csv").args([&path, &path]).assert().code(0);
    let printed = String::from_utf8_lossy(&done.get_output().stdout).into_owned();
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), 3, "{printed}");
    assert!(lines[0].starts_with("program,LOCS,MXLOFN,"), "{printed}");
    assert!(
        lines[1].ends_with("p.cfa,17,12,8.5,3.5,21,13,9.5,3.5,2,2,1,1,2,2,1,1,5,5,3,2,0,3,6,3,0"),
        "{printed}"
    );
    assert!(!path.with_extension("feat").exists());
}

#[test]
fn prints_json_and_says_what_is_wrong() {
    let (_directory, path) = directory();
    let done = features().arg("--json").arg(&path).assert().code(0);
    let printed = String::from_utf8_lossy(&done.get_output().stdout).into_owned();
    assert!(printed.contains("\"MXLOFN\": 12.0"), "{printed}");
    features().arg(path.with_extension("none")).assert().code(2);
    features().args([&path, &path]).args(["-o", "x.feat"]).assert().code(2);
    features().assert().code(2);
}
