//! What a user of the tool meets.

use assert_cmd::Command;
use beeline_engine::{
    Condition, Distances, Domain, Earlier, Engine, Lazy, Link, Metric, Monitor, Options, Task, verify,
};
use beeline_ir::file::{self, Digest};
use beeline_ir::{Program, Value};
use beeline_run::{Certificate, Reason, Run, RunKey, RunPath, RunTarget, RunVerdict, TargetVerdict};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const SAFE: &str = "beeline 1.0
    file \"count.c\"
    fn main() in \"count.c\" {
      var i: i8
      i := 0
      head: while i <u 10 goto body else after @3
      body: i := i + 2 goto head @4
      after: if i != 10 goto bad else done @6
      bad: target \"odd\"
      done: exit
    }";

struct Case {
    folder: tempfile::TempDir,
    program: Program,
    digest: Digest,
    run: Run,
}

impl Case {
    fn new(text: &str) -> Case {
        let folder = tempfile::tempdir().unwrap();
        let program = beeline_ir::text::parse(text).unwrap();
        let digest = file::write(folder.path().join("p.cfa"), &program, None).unwrap();
        let mut distances = Distances::new(&program, Metric::BasicBlocks);
        let (verdict, statistics) =
            verify(&program, &Options::default(), &mut distances, &Monitor::default());
        let run = beeline_engine::outcome::run::record(&program, &verdict, &statistics);
        Case { folder, program, digest, run }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Exit code, standard output and standard error of a check of the result.
    fn check(&self, more: &[&str]) -> (i32, String, String) {
        file::write(self.path("p.run"), &self.run, Some(self.digest)).unwrap();
        said(&[&[self.path("p.run").to_str().unwrap(), self.path("p.cfa").to_str().unwrap()], more].concat())
    }
}

fn said(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("beeline-check-proof").unwrap().args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_proof_of_the_engine_is_valid() {
    let case = Case::new(SAFE);
    let (code, out, _) = case.check(&[]);
    assert_eq!((code, out.as_str()), (0, "valid\n"));
    let (code, out, _) = case.check(&["--json", "--time-limit", "20s"]);
    assert!(code == 0 && out.contains("\"proof\":\"valid\""), "{out}");
}

#[test]
fn a_changed_proof_is_invalid_with_the_way_and_the_values() {
    let mut case = Case::new(SAFE);
    let var = case.program.vars.keys().next().unwrap();
    let Certificate::Graph(proof) = &mut case.run.proofs[0] else { panic!("the proof is a graph") };
    let mut changed = false;
    for (key, value) in proof.states.iter_mut().flat_map(|state| &mut state.values) {
        if *key == RunKey::Var(var, 0) && *value == Some(Value::bv(8, 4)) {
            *value = Some(Value::bv(8, 5));
            changed = true;
        }
    }
    assert!(changed, "the proof knows i");
    let (code, out, _) = case.check(&[]);
    assert_eq!(code, 1, "{out}");
    assert!(out.lines().last().unwrap().starts_with("invalid: state "), "{out}");
    assert!(out.contains("main, count.c:4: i := i + 2"), "{out}");
    assert!(out.contains("i = 2") && out.contains("i = 4"), "{out}");
    let (code, out, _) = case.check(&["--json"]);
    assert!(code == 1 && out.contains("\"after\":{\"i\":\"4\"}"), "{out}");
}

#[test]
fn what_is_no_proof_of_the_program_is_refused() {
    let case = Case::new(SAFE);
    let other = Case::new(&SAFE.replace("i + 2", "i + 1"));
    case.check(&[]);
    let (run, cfa) = (case.path("p.run"), other.path("p.cfa"));
    let refused = |arguments: &[&Path], what: &str| {
        let arguments: Vec<&str> = arguments.iter().map(|path| path.to_str().unwrap()).collect();
        let (code, out, err) = said(&arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        assert!(err.contains(what) && err.lines().count() <= 3, "{err}");
    };
    refused(&[&run, &cfa], "p.cfa");
    refused(&[&run, &case.path("none.cfa")], "none.cfa");
    refused(&[&cfa, &cfa], "p.cfa");
    let mut bytes = std::fs::read(&run).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(case.path("damaged.run"), bytes).unwrap();
    refused(&[&case.path("damaged.run"), &case.path("p.cfa")], "damaged");
}

#[test]
fn other_verdicts_have_no_proof() {
    let mut case = Case::new(SAFE);
    (case.run.targets, case.run.proofs) = (vec![], vec![]);
    assert_eq!(case.check(&[]).0, 2);
    let target = RunTarget { loc: case.program.targets[0].loc, verdict: TargetVerdict::Unsafe { path: 0 } };
    let path = RunPath { target: target.loc, steps: vec![], choices: vec![], assumptions: vec![] };
    let unsafe_run =
        Run { verdict: RunVerdict::Unsafe, targets: vec![target], paths: vec![path], ..case.run.clone() };
    let unknown = Run { verdict: RunVerdict::Unknown(Reason::Time), ..case.run.clone() };
    for run in [unsafe_run, unknown] {
        case.run = run;
        let (code, _, err) = case.check(&[]);
        assert!(code == 2 && err.contains("no proof to check"), "{err}");
    }
}

#[test]
fn a_check_without_time_is_neither_valid_nor_invalid() {
    let case = Case::new(SAFE);
    let (code, out, _) = case.check(&["--time-limit", "0.000001ms"]);
    assert_eq!((code, out.as_str()), (3, "unchecked: the time limit was reached\n"));
    let (code, _, err) = case.check(&["--time-limit", "soon"]);
    assert!(code == 2 && err.contains("--time-limit"), "{err}");
    let (code, _, err) = case.check(&["--query-ticks", "0"]);
    assert!(code == 2 && err.contains("write a positive number"), "{err}");
}

/// A loop that is followed to its end before another one.
const TWO: &str = "beeline 1.0
    fn main() {
      var n: i8, i: i8, x: i8
      n := input \"n\"
      i, x := 0, 0
      if n == 0 goto easy else hard
      easy: while i <u 9 goto turn else ended
      turn: i := i + 1 goto easy
      ended: if i != 9 goto bad else done
      bad: target \"bad\"
      hard: while x <u n goto body else after
      body: x := x + 1 goto hard
      after: if x == 200 goto bad else done
      done: exit
    }";

#[test]
fn a_proof_that_rests_on_another_result_is_checked_with_it() {
    let mut case = Case::new(&TWO.replace("n := input \"n\"", "n := 7"));
    let mut distances = Distances::new(&case.program, Metric::BasicBlocks);
    let options = Options { domain: Domain::Values, max_states: 14, ..Options::default() };
    let task = Task::new(&case.program, &mut distances, options.nothing_known());
    let first = Lazy { options: &options }.run(task, &Monitor::default());
    let Condition::Rest(rest) = first.condition else { panic!("something is left: {first:?}") };
    let left = Run {
        rests: vec![(*rest).clone()],
        ..beeline_engine::outcome::run::record(&case.program, &first.verdict, &first.statistics)
    };
    let path = case.path("first.run");
    let digest = file::write(&path, &left, Some(case.digest)).unwrap();
    let earlier =
        vec![Earlier { link: Link { run: Some(digest), rest: 0 }, rest: Arc::new(*rest), only: None }];
    let options = Options::default();
    let task = Task::new(&case.program, &mut distances, options.nothing_known());
    let last = Lazy { options: &options }.run(Task { earlier, ..task }, &Monitor::default());
    case.run = beeline_engine::outcome::run::record(&case.program, &last.verdict, &last.statistics);
    let after = ["--after", path.to_str().unwrap()];
    assert_eq!(case.check(&after).1, "valid\n");
    let (code, out, _) = case.check(&[]);
    assert_eq!((code, out), (3, format!("unchecked: it builds on the result {digest}, which is missing\n")));
    // Another one is not the one that it names.
    let forged = Run { statistics: vec![], ..left };
    file::write(&path, &forged, Some(case.digest)).unwrap();
    assert_eq!(case.check(&after).0, 3);
}

/// A program whose proof leaves one question.
const ASKED: &str = "beeline 1.0
    fn main() {
      var x: i8
      var y: i8
      x := input \"x\"
      y := x + 5
      if x <u 10 && y <u 5 goto bad else done
      bad: target \"wrapped around\"
      done: exit
    }";

#[test]
fn a_certificate_is_the_same_each_time_and_any_checker_accepts_it() {
    let case = Case::new(ASKED);
    let folder = |name: &str| case.path(name).to_str().unwrap().to_string();
    let (code, out, err) = case.check(&["--trust", "nothing", "--certificate", &folder("first")]);
    assert_eq!((code, out.as_str()), (0, "valid\n"), "{err}");
    assert!(err.contains("1 of 1 answers certified\n"), "{err}");
    case.check(&["--trust", "nothing", "--certificate", &folder("second")]);
    let read = |folder: &str, name: &str| std::fs::read_to_string(case.path(folder).join(name)).unwrap();
    for name in ["00001.cnf", "00001.lrat"] {
        assert_eq!(read("first", name), read("second", name));
    }
    let formula = beeline_lrat::Cnf::read(&read("first", "00001.cnf")).unwrap();
    let proof = read("first", "00001.lrat");
    assert_eq!(beeline_lrat::text::check(&formula, &proof), Ok(()));
    assert!(!formula.is_empty() && beeline_lrat::text::check(&formula, "").is_err(), "the proof is needed");
}

#[test]
fn what_is_certified_is_counted() {
    let case = Case::new(ASKED);
    for trust in [&["--trust", "nothing"][..], &[]] {
        let (code, out, _) = case.check(&[trust, &["--json"]].concat());
        let object: serde_json::Value = serde_json::from_str(&out).unwrap();
        let certified = serde_json::json!({ "obligations": 1, "certified": 1, "open": {} });
        assert_eq!((code, &object["proof"], &object["certified"]), (0, &"valid".into(), &certified));
    }
    let (_, out, _) = case.check(&["--trust", "z3", "--json"]);
    assert!(!out.contains("certified"), "{out}");
    let (code, _, err) = case.check(&["--trust", "z3", "--certificate", "x"]);
    assert_eq!(code, 2);
    assert!(err.contains("--certificate contradicts --trust z3"), "{err}");
}

#[test]
fn a_fault_is_found_without_a_solver_too() {
    let case = Case::new(ASKED);
    let wrong = beeline_ir::text::parse(&ASKED.replace("x + 5", "x - 5")).unwrap();
    let report = beeline_proof::check_result(
        &wrong,
        &case.run,
        &beeline_proof::Options { certify: Some(Default::default()), ..Default::default() },
    );
    assert!(matches!(report.outcome, beeline_proof::Outcome::Invalid(_)), "{report:?}");
}
