//! The tool from outside.

use assert_cmd::Command;
use beeline_graph::{Annotation, Dist, Metric};
use beeline_ir::{Program, file, text};
use std::path::PathBuf;

const FIGURE_3_1: &str = include_str!("../../../tests/file/graph/figure-3-1.cfa");

/// A directory with the program of Figure 3.1.
fn directory() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("p.cfa");
    let program: Program = text::parse(FIGURE_3_1).expect("a program");
    file::write(&path, &program, None).expect("the file is written");
    (directory, path)
}

fn annotate() -> Command {
    Command::cargo_bin("beeline-annotate").expect("the tool is built")
}

#[test]
fn writes_distances_that_belong_to_the_program() {
    let (_directory, path) = directory();
    annotate().arg(&path).assert().code(0);
    let written = file::read::<Annotation>(path.with_extension("dist")).expect("a file");
    let upstream = file::peek(&path).expect("a header");
    assert_eq!(written.header.upstream, Some(upstream.digest));
    let program = file::read::<Program>(&path).expect("a program").body;
    let entry = program.functions[program.entry].entry();
    let st = written.body.in_metric(Metric::Statements).expect("measured");
    assert_eq!(st.dist(0, entry, Dist::INFINITE), Dist::new(5));
    assert_eq!(written.body.distances.len(), 4);
}

#[test]
fn takes_a_sequence_and_one_metric() {
    let (directory, path) = directory();
    let output = directory.path().join("other.dist");
    let done = annotate()
        .args([
            "--metric",
            "st",
            "--estimate",
            "pfsm",
            "--sequence",
            "--json",
            "--targets",
            "main:L6,abort",
            "-o",
        ])
        .args([&output, &path])
        .assert()
        .code(0);
    let printed = String::from_utf8_lossy(&done.get_output().stdout).into_owned();
    assert!(printed.replace([' ', '\n'], "").contains("\"st\":[4,5]"), "{printed}");
    assert_eq!(file::read::<Annotation>(&output).expect("a file").body.distances.len(), 1);
}

#[test]
fn says_what_is_wrong() {
    let (_directory, path) = directory();
    let done = annotate().arg(&path).args(["--targets", "nowhere"]).assert().code(2);
    let said = String::from_utf8_lossy(&done.get_output().stderr).into_owned();
    assert!(said.contains("nowhere") && said.contains("abort"), "{said}");
    annotate().arg(path.with_extension("none")).assert().code(2);
    annotate().arg(&path).args(["--metric", "xy"]).assert().code(2);
}

#[test]
fn takes_text_and_keeps_it() {
    let (directory, path) = directory();
    annotate().arg(&path).assert().code(0);
    let textual = directory.path().join("p.txt");
    std::fs::write(&textual, FIGURE_3_1).expect("the text is written");
    annotate().arg(&textual).args(["-o"]).arg(directory.path().join("t.dist")).assert().code(0);
    let bytes = |name: &str| std::fs::read(directory.path().join(name)).expect("a file");
    assert_eq!(bytes("t.dist"), bytes("p.dist"));
    annotate().arg(&textual).args(["-o"]).arg(&textual).assert().code(2);
    assert_eq!(std::fs::read_to_string(&textual).expect("the text"), FIGURE_3_1);
}
