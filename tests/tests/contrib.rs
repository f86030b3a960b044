//! What `contrib/` has for GitHub and for pre-commit passes what is safe and fails what is not.

use beeline_tests::tools;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const SAFE: &str = "#include <assert.h>\nint main(void) { int n = 3; assert(n > 2); return 0; }\n";
const UNSAFE: &str = "#include <assert.h>\nint main(void) { int n = 3; assert(n > 3); return 0; }\n";

/// A script of `contrib/`, to be run in a folder with one safe and one unsafe program.
fn script(folder: &Path, name: &str) -> Command {
    std::fs::write(folder.join("safe.c"), SAFE).unwrap();
    std::fs::write(folder.join("unsafe.c"), UNSAFE).unwrap();
    let path = format!("{}:{}", tools().unwrap().display(), std::env::var("PATH").unwrap());
    let mut command = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("../contrib").join(name));
    command.current_dir(folder).env("PATH", path);
    command
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_action_fails_on_a_bug_and_leaves_one_run_of_sarif() {
    let folder = TempDir::new().unwrap();
    let action = |files: &str, options: &str, strict: &str| {
        let mut command = script(folder.path(), "github/check");
        let command = command.env("FILES", files).env("OPTIONS", options).env("FAIL_ON_UNKNOWN", strict);
        command.env("SARIF", "out.sarif").output().unwrap()
    };
    let ran = action("safe.c", "--property unreach-call --time-limit 1m", "true");
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    let ran = action("safe.c unsafe.c", "", "false");
    assert_eq!(ran.status.code(), Some(1), "{ran:?}");
    assert!(said(&ran).contains("== unsafe.c\nunsafe.c:2:29: error: the assertion fails"), "{}", said(&ran));
    let text = std::fs::read_to_string(folder.path().join("out.sarif")).unwrap();
    let log: serde_json::Value = serde_json::from_str(&text).unwrap();
    // Code scanning takes one run, and shows each result as something to mend.
    let [run] = &log["runs"].as_array().unwrap()[..] else { panic!("{log}") };
    assert_eq!(run["automationDetails"]["id"], "beeline/");
    assert_eq!(run["invocations"].as_array().unwrap().len(), 2);
    let [bug] = &run["results"].as_array().unwrap()[..] else { panic!("{run}") };
    assert_eq!((&bug["kind"], &bug["level"]), (&"fail".into(), &"error".into()));
    let place = &bug["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "unsafe.c");
    for (strict, code) in [("false", 0), ("true", 1)] {
        let ran = action("safe.c", "--max-states 1", strict);
        assert_eq!(ran.status.code(), Some(code), "{ran:?}");
    }
}

#[test]
fn the_action_checks_the_entries_of_a_project() {
    let folder = TempDir::new().unwrap();
    let entries = "[[entry]]\nfiles = ['safe.c']\n[[entry]]\nfiles = ['unsafe.c']\n";
    std::fs::write(folder.path().join("beeline.toml"), entries).unwrap();
    let mut command = script(folder.path(), "github/check");
    let ran = command.env("FILES", " ").env("SARIF", "out.sarif").output().unwrap();
    assert_eq!(ran.status.code(), Some(1), "{ran:?}");
    assert!(said(&ran).ends_with("2 entries: 1 safe, 1 unsafe\n"), "{}", said(&ran));
    assert!(folder.path().join("out.sarif").is_file() && folder.path().join(".beeline").is_dir());
}

#[test]
fn the_hook_fails_on_a_bug_only_and_says_nothing_of_what_is_safe() {
    let folder = TempDir::new().unwrap();
    let hook = |arguments: &[&str]| {
        script(folder.path(), "pre-commit/beeline-check").args(arguments).output().unwrap()
    };
    let ran = hook(&["--time-limit=1m", "safe.c"]);
    assert_eq!((ran.status.code(), said(&ran).as_str()), (Some(0), ""));
    let ran = hook(&["--max-states=1", "safe.c"]);
    assert_eq!(ran.status.code(), Some(0));
    assert_eq!(said(&ran), "safe.c: verdict: unknown (the limit on states was reached)\n");
    let ran = hook(&["safe.c", "unsafe.c"]);
    assert_eq!(ran.status.code(), Some(1));
    assert!(said(&ran).ends_with("verdict: unsafe (confirmed)\n"), "{}", said(&ran));
}
