//! The tool as a person uses it, with right and with wrong input.

use assert_cmd::Command;
use beeline_graph::{Annotation, Distances, Estimate, Features, Graph, Metric, Targets};
use beeline_ir::Program;
use beeline_ir::file::{self, File};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

const COUNT: &str = r#"
beeline 1.0
global limit: i32 := 3
fn main() -> r: i32 {
  var i: i32, x: f32
  L0: i := input "__VERIFIER_nondet_int"
  L1: x := input "__VERIFIER_nondet_float"
  L2: while i <s limit goto L3 else L4
  L3: i := i + 1 goto L2
  L4: if i == 7 && x ==. 1.5 goto bad else L5
  L5: return 10 /s i
  bad: target "i is 7" @"count.c":12:3
  L7: exit
}
"#;

/// A directory with a file of each sort.
struct Files {
    dir: tempfile::TempDir,
}

impl Files {
    fn new() -> Files {
        let files = Files { dir: tempfile::tempdir().expect("a directory") };
        fs::write(files.path("count.txt"), COUNT).expect("written");
        fs::write(files.path("empty"), "").expect("written");
        let done = beeline(&["assemble", &files.name("count.txt"), "-o", &files.name("count.cfa")]);
        assert!(done.status.success(), "{}", stderr(&done));
        let program: File<Program> = file::read(files.path("count.cfa")).expect("a program");
        let features = Features::new(&Graph::new(&program.body));
        file::write(files.path("count.feat"), &features, Some(program.header.digest)).expect("written");
        let mut newer = fs::read(files.path("count.cfa")).expect("read");
        newer[12] = 99;
        fs::write(files.path("newer.cfa"), newer).expect("written");
        files
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn name(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }
}

fn beeline(args: &[&str]) -> Output {
    Command::cargo_bin("beeline-ir").expect("the tool is built").args(args).output().expect("it runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The command fails with exit code 2 and one line that ends like this.
fn refused(args: &[&str], ending: &str) {
    let output = beeline(args);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
    assert!(message.trim_end().ends_with(ending), "{args:?}: {message}");
    assert_eq!(message.lines().count(), 1, "{args:?}: {message}");
    assert!(stdout(&output).is_empty(), "{args:?}");
}

#[test]
fn wrong_files_are_refused_by_every_command() {
    let files = Files::new();
    let name = |file: &str| files.name(file);
    for command in [&["dump"][..], &["dump", "--dot"], &["check"], &["run"]] {
        let refused = |file: String, ending: &str| refused(&[command, &[file.as_str()]].concat(), ending);
        refused(name("none.cfa"), "none.cfa does not exist; check the path");
        refused(name(""), "is a directory; name a file");
        refused(name("empty"), "empty is empty; create it again");
        if command != ["run"] {
            refused(name("count.txt"), "`beeline-ir assemble` converts textual IR");
        }
        if command != ["check"] && command != ["dump"] {
            refused(
                name("count.feat"),
                "a .feat file (features), but a .cfa file (a program) is needed here",
            );
        }
        refused(name("newer.cfa"), "this program reads only up to 1.x; update Beeline");
    }
    let out = name("out.cfa");
    let assemble = |file: &str, ending| refused(&["assemble", &name(file), "-o", &out], ending);
    assemble("none.txt", "none.txt does not exist; check the path");
    assemble("", "is a directory; name a file");
    assemble("empty", "empty is empty; create it again");
    assemble("count.cfa", "`beeline-ir dump` converts a .cfa file");
    assemble("count.feat", "`beeline-ir dump` converts a .cfa file");
    assert!(!Path::new(&out).exists());
    refused(&["assemble", &name("count.txt"), "-o", &name("")], "is a directory; name a file");
    refused(
        &["run", &name("count.cfa"), "--values-file", &name("none")],
        "none does not exist; check the path",
    );
    refused(
        &["dump", &name("count.cfa"), "--function", "nobody"],
        "has no function nobody; `dump` without --function shows all",
    );
}

#[test]
fn faults_of_a_text_are_shown_where_they_are() {
    let files = Files::new();
    fs::write(files.path("bad.txt"), "beeline 1.0\nfn main() {\n  L0: x := 1\n  L1: exit\n}\n")
        .expect("written");
    let output = beeline(&["assemble", &files.name("bad.txt"), "-o", "-"]);
    assert_eq!(output.status.code(), Some(2));
    let message = stderr(&output);
    assert!(
        message.contains("bad.txt:3:7: unknown variable `x`\n3 |   L0: x := 1\n  |       ^"),
        "{message}"
    );
}

#[test]
fn a_program_goes_through_pipes_and_comes_out_the_same() {
    let files = Files::new();
    let text = stdout(&beeline(&["dump", &files.name("count.cfa")]));
    let mut assemble = Command::cargo_bin("beeline-ir").expect("the tool is built");
    let bytes =
        assemble.args(["assemble", "-", "-o", "-"]).write_stdin(text).output().expect("it runs").stdout;
    assert_eq!(bytes, fs::read(files.path("count.cfa")).expect("read"));
    let mut run = Command::cargo_bin("beeline-ir").expect("the tool is built");
    let ended = run.args(["run", "-", "--value", "2"]).write_stdin(bytes).output().expect("it runs");
    assert_eq!(stdout(&ended), "returned 3\n");
}

#[test]
fn a_run_tells_how_it_ends() {
    let files = Files::new();
    let program = files.name("count.cfa");
    let run = |args: &[&str]| {
        let output = beeline(&[&["run", &program], args].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    assert_eq!(run(&["--value", "5", "--value", "0.5"]), "returned 2\n");
    assert_eq!(
        run(&["--value", "0x7", "--value", "1.5"]),
        "target \"i is 7\" reached at main:bad (count.c:12:3)\n"
    );
    assert_eq!(run(&["--value", "-9", "--steps", "4"]), "out of steps; --steps allows more\n");
    fs::write(files.path("values"), "7\n1.5\n").expect("written");
    let traced = run(&["--values-file", &files.name("values"), "--trace"]);
    assert!(traced.starts_with("main:L0 -> L1: i := input \"__VERIFIER_nondet_int\"\n"), "{traced}");
    assert_eq!(
        run(&["--seed", "3", "--trace", "--steps", "99"]),
        run(&["--seed", "3", "--trace", "--steps", "99"])
    );
    let json: serde_json::Value = serde_json::from_str(&run(&["--json", "--value", "5"])).expect("JSON");
    assert_eq!((&json["outcome"], &json["inputs"][0]["value"]), (&"returned".into(), &"5".into()));
    assert_eq!(beeline(&["run", &program, "--value", "x"]).status.code(), Some(2));
}

#[test]
fn dumps_have_many_forms() {
    let files = Files::new();
    let program = files.name("count.cfa");
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&beeline(&["dump", "--json", &program]))).expect("JSON");
    assert_eq!(json["sizes"]["edges"], 8);
    assert_eq!(json["functions"][0]["edges"][0]["op"], "i := input \"__VERIFIER_nondet_int\"");
    let dot = stdout(&beeline(&["dump", "--dot", &program]));
    assert!(dot.starts_with("digraph") && dot.contains("l3 -> l2 [label=\"i := i + 1\"];"), "{dot}");
    let function = stdout(&beeline(&["dump", "--function", "main", &program]));
    assert!(function.starts_with("fn main() -> r: i32 {"), "{function}");
    let stats = stdout(&beeline(&["dump", "--stats", &program]));
    assert!(stats.contains("\nlocations: 8\nedges: 8\n"), "{stats}");
    let features = stdout(&beeline(&["dump", &files.name("count.feat")]));
    assert!(features.starts_with("kind: feat (features)\nversion: 1.0\n"), "{features}");
    assert!(features.contains("  LOCS: 8.0\n"), "{features}");
    assert!(stdout(&beeline(&["check", &program])).ends_with("count.cfa: a valid program\n"));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let files = Files::new();
    let mut body = String::from("beeline 1.0\nfn main() {\n");
    (0..20_000).for_each(|index| body.push_str(&format!("  L{index}: skip\n")));
    body.push_str("  end: exit\n}\n");
    fs::write(files.path("long.txt"), body).expect("written");
    let long = files.name("long.cfa");
    assert!(beeline(&["assemble", &files.name("long.txt"), "-o", &long]).status.success());
    let tool = assert_cmd::cargo::cargo_bin("beeline-ir");
    let mut child = std::process::Command::new(tool)
        .args(["dump", &long])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
}

#[test]
fn distances_are_shown_next_to_their_program_only() {
    let files = Files::new();
    let program: File<Program> = file::read(files.path("count.cfa")).expect("a program");
    let graph = Graph::new(&program.body);
    let targets = Targets::all(&program.body);
    let distances = Distances::of_metrics(&graph, &[Metric::Statements], Estimate::Efca, &targets);
    let annotation = Annotation { distances };
    let write = |name: &str, upstream| file::write(files.path(name), &annotation, upstream).expect("written");
    write("count.dist", Some(program.header.digest));
    write("foreign.dist", None);
    let dump = |name: &str, form: &[&str]| {
        let (distances, program) = (files.name(name), files.name("count.cfa"));
        beeline(&[&["dump", "--distances", &distances, &program], form].concat())
    };
    let text = stdout(&dump("count.dist", &[]));
    assert!(text.contains("4 (5)  L0: i := input"), "{text}");
    assert!(text.contains("0 (inf)  bad:"), "{text}");
    let dot = stdout(&dump("count.dist", &["--dot"]));
    assert!(dot.contains("label=\"bad\\n0 (inf)\", style=filled, fillcolor=salmon, style=filled, fillcolor=\"0.000 1.000 1.000\""), "{dot}");
    let refused = dump("foreign.dist", &[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("beeline-annotate"), "{}", stderr(&refused));
}
