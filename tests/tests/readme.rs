//! README.md and the pages of `docs/` do what they say: their commands run, and print what they show.
//!
//! Blocks marked `sh` are run in order, in one shell, in a copy of what they need. Blocks marked `console`
//! hold commands behind `$` with what they print, but for numbers.

use beeline_tests::tools;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A folder in which the page's commands can be run, with the tools where `make` leaves them.
fn place() -> TempDir {
    let place = TempDir::new().unwrap();
    let copied = Command::new("cp").arg("-r").arg(root().join("examples")).arg(place.path()).status();
    assert!(copied.unwrap().success());
    for name in ["Makefile", "scripts"] {
        symlink(root().canonicalize().unwrap().join(name), place.path().join(name)).unwrap();
    }
    std::fs::create_dir(place.path().join("target")).unwrap();
    symlink(tools().unwrap(), place.path().join("target/release")).unwrap();
    // Products of somebody's own run of the example.
    let mut make = Command::new("make");
    let cleaned = make.args(["-C", "examples/makefile", "clean"]).current_dir(place.path()).output();
    assert!(cleaned.unwrap().status.success());
    place
}

/// The blocks of a page with a mark.
fn blocks(page: &str, mark: &str) -> Vec<String> {
    let page = std::fs::read_to_string(root().join(page)).unwrap();
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(found) = line.strip_prefix("```") {
            let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            if found == mark {
                blocks.push(body.join("\n") + "\n");
            } else {
                assert!(["sh", "console"].contains(&found), "a block is marked `{found}`: nobody runs it");
            }
        }
    }
    blocks
}

#[test]
fn its_commands_run() {
    let place = place();
    let pages = ["README.md", "docs/guide.md", "docs/tools.md", "docs/searches.md"];
    let script: String = pages.iter().flat_map(|page| blocks(page, "sh")).collect();
    // What sets the machine up and runs this very test is only planned.
    let script = ["demo", "test", "install", "dist"].iter().fold(script, |script, target| {
        script.replace(&format!("make {target}"), &format!("make -n {target}"))
    });
    assert!(script.matches("make -n").count() == 4 && script.matches("beeline check").count() >= 20);
    let mut shell = Command::new("bash");
    let output = shell.args(["-euo", "pipefail", "-c", &script]).current_dir(place.path()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{printed}\n{said}");
    assert!(printed.contains("\nlock: safe, proof valid\nscheduler: unsafe, confirmed\n"), "{printed}");
    // Only of what the optimiser took away there is nothing to check.
    let nothing: Vec<&str> = printed.lines().filter(|line| line.contains("nothing to check")).collect();
    assert!(nothing.len() == 1 && nothing[0].contains("-O2 left nothing of it"), "{nothing:?}");
}

#[test]
fn the_commands_of_the_tutorial_run() {
    let place = place();
    let path = format!("{}:{}", tools().unwrap().display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("bash");
    let script = blocks("docs/tutorial.md", "sh").concat();
    shell.args(["-euo", "pipefail", "-c", &script]).env("PATH", path).current_dir(place.path());
    let output = shell.output().unwrap();
    let (printed, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{printed}\n{said}");
    let verdicts: Vec<&str> = printed.lines().filter(|line| line.starts_with("verdict: ")).collect();
    let [first, all, fixed, reached] = verdicts[..] else { panic!("{verdicts:?}") };
    assert_eq!(
        [first, all, fixed],
        ["verdict: unsafe (confirmed)", "verdict: unsafe (confirmed)", "verdict: safe (proof certified)",]
    );
    assert_eq!(reached, "verdict: reachable (confirmed)");
    assert!(printed.contains("loop invariant: ") && printed.contains("\ncover: of "), "{printed}");
}

#[test]
fn it_shows_what_is_printed() {
    let place = place();
    let path = format!("{}:{}", tools().unwrap().display(), std::env::var("PATH").unwrap());
    let blocks = blocks("README.md", "console");
    assert!(!blocks.is_empty());
    for block in blocks {
        let mut actual = String::new();
        for command in block.lines().filter_map(|line| line.strip_prefix("$ ")) {
            let mut shell = Command::new("bash");
            let output = shell.args(["-c", command]).env("PATH", &path).current_dir(place.path()).output();
            actual += &format!("$ {command}\n{}", String::from_utf8_lossy(&output.unwrap().stdout));
        }
        assert_eq!(without_numbers(&actual), without_numbers(&block));
    }
}

/// Numbers of states, and values that are one of many, are another engine's and another day's.
fn without_numbers(text: &str) -> String {
    let mut result = String::new();
    for c in text.chars() {
        match (c.is_ascii_digit(), result.ends_with('#')) {
            (true, true) => {}
            (true, false) => result.push('#'),
            (false, _) => result.push(c),
        }
    }
    result
}
