//! The files that the tool reads and writes.

mod support;

use beeline_graph::{Annotation, Distances, Estimate, Graph, Metric, Targets};
use beeline_ir::file::{self, Digest};
use beeline_run::{Run, RunVerdict, Statistic, Unit};
use std::fs;
use std::path::Path;
use support::{BRANCH, folder_with, names, tool, write_program};

/// Runs the tool: exit code, standard output, standard error.
fn run(arguments: &[&Path]) -> (i32, String, String) {
    let output = tool().args(arguments).output().expect("the tool runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it prints text");
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

/// Whether the run is refused with one sentence.
fn refused(arguments: &[&Path], message: &str) {
    let (code, out, err) = run(arguments);
    assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}: {err}");
    assert!(err.contains(message) && err.trim_end().lines().count() == 1, "{arguments:?}: {err}");
}

fn write_distances(path: &Path, text: &str, upstream: Digest, metrics: &[Metric]) {
    let program = beeline_ir::text::parse(text).expect("the text is a program");
    let graph = Graph::new(&program);
    let targets = Targets::all(&program);
    let distances = Distances::of_metrics(&graph, metrics, Estimate::Efca, &targets);
    file::write(path, &Annotation { distances }, Some(upstream)).expect("the distances are written");
}

#[test]
fn the_result_goes_to_a_file() {
    let (folder, program, digest) = folder_with(BRANCH);
    let result = folder.path().join("p.run");
    let (code, _, err) = run(&[&program, "-o".as_ref(), &result]);
    assert_eq!(code, 0, "{err}");
    let run = file::read::<Run>(&result).expect("the result is read");
    assert_eq!(run.header.upstream, Some(digest));
    assert_eq!(run.body.verdict, RunVerdict::Unsafe);
    let path = run.body.path().expect("an unsafe program has a path");
    assert_eq!(path.steps.len(), 2);
    assert_eq!(path.choices.len(), 1);
    // What is measured differs from run to run.
    for &statistic in Statistic::ALL {
        assert_eq!(run.body.figure(statistic).is_some(), statistic.unit() == Unit::Count, "{statistic:?}");
    }
    assert!(run.body.figure(Statistic::States) >= Some(2));
    let told = tool().arg(&program).arg("--json").output().expect("the tool runs").stdout;
    let object: serde_json::Value = serde_json::from_slice(&told).expect("it prints an object");
    let told = object["statistics"].as_array().expect("figures");
    let memory = told.iter().find(|figure| figure["name"] == Statistic::PeakMemory.name());
    assert!(memory.and_then(|figure| figure["value"].as_u64()) > Some(1 << 20), "{told:?}");
    // Nothing else is left behind.
    assert_eq!(names(folder.path()), ["p.cfa", "p.run"]);
}

#[test]
fn the_graph_of_any_verdict_is_drawn() {
    for (text, verdict) in [(BRANCH, "unsafe"), (&*BRANCH.replace("x == 42", "false"), "safe")] {
        let (folder, program, _) = folder_with(text);
        let graph = folder.path().join("p.dot");
        let (code, out, err) = run(&[&program, "--dump-graph".as_ref(), &graph]);
        assert_eq!((code, out), (0, format!("verdict: {verdict}\n")), "{err}");
        let drawn = fs::read_to_string(&graph).expect("the graph is drawn");
        assert!(drawn.contains("s0 [label=\"0: main:L0") && !drawn.contains("waits"), "{drawn}");
    }
}

#[test]
fn a_result_that_cannot_be_written_is_said_before_the_work() {
    let (folder, program, _) = folder_with(BRANCH);
    let nowhere = folder.path().join("missing").join("p.run");
    refused(&[&program, "-o".as_ref(), &nowhere], "its directory does not exist");
    refused(&[&program, "--dump-graph".as_ref(), &nowhere], "its directory does not exist");
    refused(&[&program, "-o".as_ref(), folder.path()], "is a directory");
    assert_eq!(names(folder.path()), ["p.cfa"]);
}

#[test]
fn wrong_programs_are_refused() {
    let (folder, program, _) = folder_with(BRANCH);
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("the file is written");
        path
    };
    let bytes = fs::read(&program).expect("the program is read");
    refused(&[&folder.path().join("missing.cfa")], "does not exist");
    refused(&[folder.path()], "is a directory");
    refused(&[&file("empty.cfa", b"")], "is empty");
    refused(&[&file("noise.cfa", &[0, 159, 146, 150])], "is not a file of Beeline");
    refused(&[&file("short.cfa", &bytes[..20])], "ends within its header");
    refused(&[&file("cut.cfa", &bytes[..bytes.len() - 1])], "is damaged");
    // The version comes after the magic number and the kind.
    let at = bytes.windows(4).position(|window| window == b"cfa\0").expect("it has a kind") + 4;
    let mut newer = bytes.clone();
    newer[at] = 99;
    refused(&[&file("newer.cfa", &newer)], "has version 99.");
    let result = folder.path().join("p.run");
    assert_eq!(run(&[&program, "-o".as_ref(), &result]).0, 0);
    refused(&[&result], "is a .run file");
    let (code, out, err) = run(&[&file("text", b"beeline 1.0\nfn main() {")]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("is not a program") && !err.contains("panicked"), "{err}");
}

#[test]
fn unreadable_files_are_refused() {
    // Reading it fails even for those who may read everything.
    refused(&[Path::new("/proc/self/mem")], "cannot read");
}

#[test]
fn distances_guide_the_search() {
    let (folder, program, digest) = folder_with(BRANCH);
    let dist = folder.path().join("p.dist");
    write_distances(&dist, BRANCH, digest, &Metric::ALL);
    let (code, out, err) = run(&[&program, "--dist".as_ref(), &dist]);
    assert_eq!((code, out.as_str()), (0, "verdict: unsafe\n"), "{err}");
}

#[test]
fn distances_of_something_else_are_refused() {
    let (folder, program, digest) = folder_with(BRANCH);
    let other = BRANCH.replace("42", "43");
    let other_program = folder.path().join("other.cfa");
    let other_digest = write_program(&other_program, &other);
    let dist = folder.path().join("p.dist");
    let refused = |program: &Path, message: &str| refused(&[program, "--dist".as_ref(), &dist], message);
    // As many locations, but not the same program.
    write_distances(&dist, &other, other_digest, &Metric::ALL);
    refused(&program, "was not made from");
    // It claims to be of this program, but has other locations.
    write_distances(&dist, "beeline 1.0\nfn main() {\n exit\n}", digest, &Metric::ALL);
    refused(&program, "of another program");
    write_distances(&dist, BRANCH, digest, &[Metric::Statements, Metric::LoopHeads]);
    refused(&program, "has distances in st, lh, not in bb");
    // The text is the program that it is assembled to, and the text of another program is another one.
    let text = folder.path().join("p.txt");
    fs::write(&text, BRANCH).expect("the text is written");
    refused(&text, "has distances in st, lh, not in bb");
    fs::write(&text, &other).expect("the text is written");
    refused(&text, "was not made from");
    fs::write(&dist, "").expect("the file is written");
    refused(&program, "is empty");
    fs::copy(&program, &dist).expect("the file is copied");
    refused(&program, "is a .cfa file");
    fs::remove_file(&dist).expect("the file is removed");
    refused(&program, "does not exist");
}
