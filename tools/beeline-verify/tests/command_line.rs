//! The tool as its users meet it.

use assert_cmd::Command;
use beeline_ir::file;
use beeline_run::{Run, RunVerdict};

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

const BRANCH: &str = "beeline 1.0
fn main() {
  var x: i32
  L0: x := input \"n\"
  L1: if x == 42 goto bad else done
  bad: target \"the answer\"
  done: exit
}
";

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
fn a_limit_ends_in_a_verdict() {
    let endless = "beeline 1.0
fn main() {
  var x: i32, y: i32
  L0: x := 0
  L1: y := 1
  head: while x != 7 goto body else bad
  body: x := x * x * y + 3
  y := y + 1 goto head
  bad: target \"perhaps\"
  done: exit
}
";
    let (code, out, _) = verify(endless, &["--time-limit", "200ms", "--domain", "value"]);
    assert_eq!((code, out.as_str()), (0, "verdict: unknown (the time limit was reached)\n"));
}

#[test]
fn wrong_input_is_a_sentence_and_exit_code_2() {
    for (text, arguments, message) in [
        ("beeline 1.0\nfn main() {", &[][..], "is not a program"),
        ("", &[][..], "is not a program"),
        (BRANCH, &["--time-limit", "0"][..], "--time-limit takes a positive time"),
        (BRANCH, &["--time-limit", "soon"][..], "not `soon`"),
        (BRANCH, &["--memory-limit", "0G"][..], "--memory-limit takes a positive size"),
        (BRANCH, &["--search", "sideways"][..], "invalid value 'sideways'"),
    ] {
        let (code, out, err) = verify(text, arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}: {err}");
        assert!(err.contains(message) && !err.contains("panicked"), "{arguments:?}: {err}");
    }
    let missing = Command::cargo_bin("beeline-verify")
        .expect("the tool is built")
        .arg("/nonexistent/file")
        .output()
        .expect("the tool runs");
    assert_eq!(missing.status.code(), Some(2));
}

#[test]
fn a_program_without_targets_is_safe_and_says_why() {
    let (code, out, err) = verify("beeline 1.0\nfn main() {\n  L0: exit\n}\n", &[]);
    assert_eq!((code, out.as_str()), (0, "verdict: safe\n"));
    assert!(err.contains("no target"), "{err}");
}

#[test]
fn the_result_goes_to_a_file() {
    let folder = std::env::temp_dir().join(format!("beeline-verify-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let (program, result) = (folder.join("p.cfa"), folder.join("p.run"));
    let parsed = beeline_ir::text::parse(BRANCH).expect("the text is a program");
    let digest = file::write(&program, &parsed, None).expect("the program is written");
    let status = Command::cargo_bin("beeline-verify")
        .expect("the tool is built")
        .args([program.as_os_str(), "-o".as_ref(), result.as_os_str()])
        .output()
        .expect("the tool runs");
    assert_eq!(status.status.code(), Some(0));
    let run = file::read::<Run>(&result).expect("the result is read");
    assert_eq!(run.header.upstream, Some(digest));
    assert_eq!(run.body.verdict, RunVerdict::Unsafe);
    let path = run.body.path.expect("an unsafe program has a path");
    assert_eq!(path.steps.len(), 2);
    assert_eq!(path.choices.len(), 1);

    // A file of another kind is refused.
    let refused = Command::cargo_bin("beeline-verify").expect("the tool is built").arg(&result).output();
    assert_eq!(refused.expect("the tool runs").status.code(), Some(2));
    std::fs::remove_dir_all(&folder).expect("the folder is removed");
}
