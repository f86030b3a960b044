//! A file test that says nothing, or says it wrong, fails; so does one whose program does something else.

use beeline_tests::file_tests::{Mode, check};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

const PROGRAM: &str = "// A branch: on an input.
beeline 1.0
fn main() {
  var x: i8
  L0: x := input \"n\"
  if x == 7 goto bad else done
  bad: target \"seven\"
  done: exit
}
";

fn file(name: &str, directives: &str) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, format!("{PROGRAM}{directives}")).unwrap();
    (folder, path)
}

/// What is wrong with the program and some directives.
fn fault(directives: &str) -> String {
    let (_folder, path) = file("p.cfa", directives);
    check(&path, Mode::Compare).expect_err(directives)
}

#[test]
fn what_is_expected_comes_out() {
    let directives = "// run: verify --domain {value,predicate}\n// verdict: unsafe\n// check: x = 7\n\
        // check: reached\n// absent: assuming\n\
        // change: == 7 => != x\n// run: verify\n// verdict: safe\n\
        // run: execute --value 7\n// check: seven\n\
        // run: distances --metric st\n// check: bad:\n";
    let (_folder, path) = file("p.cfa", directives);
    assert_eq!(check(&path, Mode::Compare), Ok(()));
}

#[test]
fn a_file_that_expects_nothing_fails() {
    for (directives, said) in [
        ("", "there is no `run` in it"),
        ("// run: verify\n", "nothing is expected"),
        ("// run: dump\n", "nothing is expected"),
        ("// run: verify\n// verdict: unsafe\n// run: execute\n", "p.cfa:12: execute"),
        ("// run: verify\n// verdict: unsafe\n// change: 7 => 8\n", "the last `change` has no `run`"),
    ] {
        let fault = fault(directives);
        assert!(fault.contains(said), "{directives}: {fault}");
    }
}

#[test]
fn what_is_written_wrong_is_refused_with_its_line() {
    for (directives, said) in [
        ("// runs: verify\n", "line 10: there is no `run` before"),
        ("// run: verify\n// verdicts: safe\n", "line 11: there is no directive `verdicts`"),
        ("// run: prove\n", "line 10: there is nothing to run with the name `prove`, but dump, "),
        ("// verdict: unsafe\n// run: verify\n", "line 10: there is no `run` before"),
        ("// run: verify\n// verdict: unsafe\n// verdict: safe\n", "line 12: a second verdict"),
        ("// run: verify\n// check:\n", "line 11: a text is missing"),
        ("// run: verify\n// > verdict: unsafe\n", "line 11: `verify` takes no whole output"),
        ("// change: 7 8\n// run: verify\n", "line 10: a change is written"),
        ("// run: verify\n// change: 7 => 8\n// verdict: safe\n", "line 12: between `change` and `run`"),
        ("// change: 9 => 8\n// run: verify\n// verdict: safe\n", "`9`, which is to be changed"),
    ] {
        let fault = fault(directives);
        assert!(fault.contains(said), "{directives}: {fault}");
    }
}

#[test]
fn another_outcome_fails() {
    for (directives, said) in [
        ("// run: verify\n// verdict: safe\n", "the verdict is not `safe`"),
        // A verdict is a whole word.
        ("// run: verify\n// verdict: un\n", "the verdict is not `un`"),
        ("// run: verify\n// verdict: unsafe\n// check: x = 8\n", "`x = 8` is not there"),
        ("// run: verify\n// check: reached\n// check: x = 7\n", "`x = 7` is not there, or not after"),
        ("// run: verify\n// absent: x = 7\n", "`x = 7` is there"),
        ("// run: distances\n// > fn main\n", "+       0 (inf)"),
        (
            "// run: verify --domain {value,all}\n// verdict: unsafe\n",
            "p.cfa:10: verify --domain all\nit fails:\n",
        ),
        ("// change: x == 7 => y == 7\n// run: verify\n// verdict: unsafe\n", "program.txt:6:6"),
    ] {
        let fault = fault(directives);
        assert!(fault.contains(said), "{directives}: {fault}");
    }
    // The other word in the braces is fine.
    assert!(!fault("// run: verify --domain {value,all}\n// verdict: unsafe\n").contains("--domain value\n"));
}

#[test]
fn outputs_are_written_and_verdicts_are_not() {
    let directives = "// run: distances --metric bb\n// > something else\n// run: dump\n\
        // run: verify\n// verdict: unsafe\n";
    let (_folder, path) = file("p.cfa", directives);
    assert_eq!(check(&path, Mode::Write), Ok(()));
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with(PROGRAM) && !text.contains("something else"), "{text}");
    assert!(text.contains("// run: dump\n// > beeline 1.0\n") && text.contains("bb\n// >"), "{text}");
    assert_eq!(check(&path, Mode::Compare), Ok(()));
    assert_eq!(check(&path, Mode::Write), Ok(()));
    assert_eq!(fs::read_to_string(&path).unwrap(), text);

    let (_folder, path) = file("p.cfa", "// run: verify\n// verdict: safe\n// run: execute\n");
    let before = fs::read_to_string(&path).unwrap();
    let fault = check(&path, Mode::Write).unwrap_err();
    assert!(fault.contains("is not `safe`") && fault.contains("nothing is expected"), "{fault}");
    assert_eq!(fs::read_to_string(&path).unwrap(), before);
}

#[test]
fn other_files_are_no_tests() {
    let (_folder, path) = file("p.txt", "// run: verify\n// verdict: unsafe\n");
    assert!(check(&path, Mode::Compare).unwrap_err().contains("end in .cfa or .c"));
}
