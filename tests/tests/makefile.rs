//! The example's Makefile: a tool that fails is no answer, and what changed is made anew.

use beeline_tests::driver::install;
use beeline_tests::tools;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A copy of the example, and a folder with tools that may be replaced.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        let place = TempDir::new().unwrap();
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
        assert!(Command::new("cp").arg("-r").arg(examples).arg(place.path()).status().unwrap().success());
        std::fs::create_dir(place.path().join("tools")).unwrap();
        let place = Place(place);
        place.make(&["clean"]);
        for tool in ["lower", "annotate", "verify", "check-proof", "replay"] {
            let name = format!("beeline-{tool}");
            symlink(tools().unwrap().join(&name), place.tool(&name)).unwrap();
        }
        place
    }

    fn tool(&self, name: &str) -> PathBuf {
        self.0.path().join("tools").join(name)
    }

    /// Puts a script in the place of a tool.
    fn replace(&self, name: &str, script: &str) {
        install(format!("#!/bin/sh\n{script}\n").as_bytes(), &self.tool(name));
    }

    fn make(&self, words: &[&str]) -> Output {
        let tools = format!("BEELINE={}", self.0.path().join("tools").display());
        let folder = self.0.path().join("examples/makefile");
        Command::new("make").arg("-C").arg(folder).arg(tools).args(words).output().unwrap()
    }

    fn verdicts(&self) -> Vec<String> {
        let folder = std::fs::read_dir(self.0.path().join("examples/makefile")).unwrap();
        let names = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.ends_with(".verdict")).collect()
    }
}

fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn a_tool_that_fails_is_no_answer() {
    for (tool, program) in [
        ("lower", "lock"),
        ("annotate", "lock"),
        ("verify", "lock"),
        ("check-proof", "lock"),
        ("replay", "scheduler"),
    ] {
        let place = Place::new();
        let programs = format!("PROGRAMS={program}");
        // It writes what looks like a result, as a tool that dies late may.
        place.replace(
            &format!("beeline-{tool}"),
            "for last; do :; done; touch \"$last\"; echo verdict; exit 2",
        );
        let output = place.make(&[&programs]);
        assert!(!output.status.success(), "{tool}: {}", String::from_utf8_lossy(&output.stdout));
        assert_eq!(place.verdicts(), [""; 0], "{tool}");
        // What it left does not stand in the way of the right one.
        let name = format!("beeline-{tool}");
        std::fs::remove_file(place.tool(&name)).unwrap();
        symlink(tools().unwrap().join(&name), place.tool(&name)).unwrap();
        assert!(printed(&place.make(&[&programs])).contains(&format!("{program}: ")), "{tool}");
    }
}

#[test]
fn a_proof_that_is_refused_is_said_to_be() {
    let place = Place::new();
    place.replace("beeline-check-proof", "echo invalid; exit 1");
    assert!(printed(&place.make(&["PROGRAMS=lock"])).contains("lock: safe, proof invalid\n"));
}

#[test]
fn flags_and_properties_are_passed_on() {
    let place = Place::new();
    let said = printed(&place.make(&["PROGRAMS=average", "PROPERTY=no-overflow", "CFLAGS=-DNDEBUG"]));
    assert!(said.contains(" -DNDEBUG ") && said.contains("average: unsafe, confirmed\n"), "{said}");
}

#[test]
fn a_header_that_changes_is_a_change() {
    let place = Place::new();
    let examples = place.0.path().join("examples");
    let program = |limit: &str| {
        std::fs::write(examples.join("limit.h"), format!("#define LIMIT {limit}\n")).unwrap();
    };
    program("3");
    let source = "#include \"limit.h\"\n#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
        int main(void) {\n  int n = __VERIFIER_nondet_int() % LIMIT;\n  assert(n < 3);\n  return 0;\n}\n";
    std::fs::write(examples.join("remainder.c"), source).unwrap();
    assert!(printed(&place.make(&["PROGRAMS=remainder"])).contains("remainder: safe, proof valid\n"));
    program("4");
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(2);
    std::fs::File::options().write(true).open(examples.join("limit.h")).unwrap().set_modified(later).unwrap();
    assert!(printed(&place.make(&["PROGRAMS=remainder"])).contains("remainder: unsafe, confirmed\n"));
}
