//! The tool as its users meet it.

mod support;

use assert_cmd::Command;
use support::BRANCH;

fn verify(text: &str, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("beeline-verify")
        .expect("the tool is built")
        .arg("-")
        .args(arguments)
        .write_stdin(text)
        .output()
        .expect("the tool runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it prints text");
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

#[test]
fn the_last_line_is_the_verdict() {
    let (code, out, err) = verify(BRANCH, &[]);
    assert_eq!((code, out.as_str()), (0, "verdict: unsafe\n"), "{err}");
    assert!(err.contains("x = 42 (n)") && err.contains("\"the answer\""), "{err}");
    let (code, out, _) = verify(&BRANCH.replace("x == 42", "x != x"), &[]);
    assert_eq!((code, out.as_str()), (0, "verdict: safe\n"));
}

#[test]
fn json_is_one_object() {
    let (code, out, _) = verify(BRANCH, &["--json"]);
    let object: serde_json::Value = serde_json::from_str(&out).expect("it is JSON");
    assert_eq!(code, 0);
    assert_eq!(object["verdict"], "unsafe");
    assert_eq!(object["choices"][0]["value"], "42");
    assert_eq!(object["steps"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_program_without_targets_is_safe_and_says_why() {
    let (code, out, err) = verify("beeline 1.0\nfn main() {\n  L0: exit\n}\n", &[]);
    assert_eq!((code, out.as_str()), (0, "verdict: safe\n"));
    assert!(err.contains("no target"), "{err}");
}

#[test]
fn what_a_verdict_rests_on_is_printed() {
    let assumption = "assumption extern-call hides \"may_be_seen does what its model does\"\n";
    let safe = BRANCH.replace("x == 42", "x != x");
    let text = safe.replacen("fn main", &format!("{assumption}fn main"), 1);
    let (code, out, err) = verify(&text, &[]);
    assert_eq!((code, out.as_str()), (0, "verdict: safe\n"), "{err}");
    assert!(err.contains("assuming: may_be_seen"), "{err}");
}

#[test]
fn paranoid_checks_the_proof_of_a_safe_verdict_and_says_so() {
    let safe = BRANCH.replace("x == 42", "x != x");
    let checked = "the proof is valid: ";
    for (text, option, verdict, said) in [
        (safe.as_str(), "--paranoid", "verdict: safe\n", true),
        (safe.as_str(), "--ties=oldest", "verdict: safe\n", false),
        (BRANCH, "--paranoid", "verdict: unsafe\n", false),
    ] {
        let (code, out, err) = verify(text, &[option]);
        assert_eq!((code, out.as_str()), (0, verdict), "{option}: {err}");
        assert_eq!(err.contains(checked), said, "{option}: {err}");
    }
}

#[test]
fn every_option_says_its_default() {
    let (code, out, _) = verify("", &["--help"]);
    assert_eq!(code, 0);
    for option in [
        "--output",
        "--dist",
        "--search",
        "--metric",
        "--ties",
        "--seed",
        "--domain",
        "--block",
        "--arithmetic",
        "--value-threshold",
        "--time-limit",
        "--memory-limit",
        "--max-states",
        "--ticks",
        "--query-ticks",
    ] {
        let (_, described) = out.split_once(option).unwrap_or_else(|| panic!("{option} is not described"));
        let described = described.split("\n  -").next().unwrap_or_default();
        let described = described.split("\n      --").next().unwrap_or_default();
        assert!(described.contains("[default: "), "{option}: {described}");
    }
}

#[test]
fn every_value_of_an_option_works() {
    for (option, values) in [
        ("--search", &["directed", "dfs", "bfs", "random"][..]),
        ("--metric", &["st", "bb", "lh", "lf"]),
        ("--ties", &["newest", "oldest", "rpo", "random"]),
        ("--domain", &["value", "predicate", "value+predicate"]),
        ("--block", &["lh", "lf", "sbe"]),
        ("--arithmetic", &["bv", "auto"]),
    ] {
        for value in values {
            let (code, out, err) = verify(BRANCH, &[option, value]);
            assert_eq!((code, out.as_str()), (0, "verdict: unsafe\n"), "{option} {value}: {err}");
        }
    }
}

#[test]
fn there_is_no_progress_in_a_pipe() {
    let (_, _, err) = verify(support::ENDLESS, &["--time-limit", "600ms", "--domain", "value"]);
    assert!(!err.contains("waiting") && !err.contains('\r') && !err.contains('\x1b'), "{err}");
}

#[test]
fn what_the_engine_cannot_handle_is_a_sentence() {
    let (code, out, err) = verify(&BRANCH.replace("i32", "i20000"), &["--engine", "lazy"]);
    let sentence = "verdict: unknown (the solver cannot express integers of 20000 bits)\n";
    assert_eq!((code, out.as_str()), (0, sentence), "{err}");
}

#[test]
fn the_log_tells_what_is_learned_and_is_the_same_each_time() {
    let (_, _, quiet) = verify(LOOP, &[]);
    assert!(!quiet.contains("INFO"), "{quiet}");
    let told = || {
        let (_, _, err) = verify(LOOP, &["--log", "debug"]);
        err.lines().filter(|line| line.contains("beeline_engine")).collect::<Vec<_>>().join("\n")
    };
    let log = told();
    assert!(log.contains("INFO") && log.contains("values are tracked that exclude a path names=i"), "{log}");
    assert!(log.contains("DEBUG") && log.contains("the graph begins anew"), "{log}");
    assert_eq!(log, told());
    let (code, _, err) = verify(BRANCH, &["--log", "beeline_engine=loud"]);
    assert_eq!((code, err.contains("--log takes error, warn, info, debug or trace")), (2, true), "{err}");
}

const LOOP: &str = "beeline 1.0
fn main() {
  var i: i32
  i := 0
  head: while i <s 4 goto body else after
  body: i := i + 1 goto head
  after: if i != 4 goto bad else done
  bad: target \"bad\"
  done: exit
}
";
