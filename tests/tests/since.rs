//! Results of earlier versions: what does not touch a proof leaves the answer as it was, and no answer differs from that of
//! a fresh run, whatever was kept.

use beeline_tests::driver::{Ran, beeline};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// A loop with an invariant, a table, a message and a helper.
const PROGRAM: &str = "\
#include <assert.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
static int weights[4] = {1, 2, 3, 4};
static int twice(int x) {
  return x + x;
}
static int weight(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += weights[i];
  return sum;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 4) {
    puts(\"out of range\");
    return 0;
  }
  int sum = weight(n);
  int most = 10;
  assert(sum >= 0);
  assert(twice(sum) <= twice(most));
  return 0;
}
";

fn check(folder: &Path, text: &str, options: &[&str]) -> Ran {
    std::fs::write(folder.join("p.c"), text).unwrap();
    beeline(folder, &[&["check", "--time-limit", "30s", "p.c"], options].concat())
}

/// The program with one text in the place of another, which must occur.
fn edited(from: &str, to: &str) -> String {
    assert!(PROGRAM.contains(from), "{from}");
    PROGRAM.replace(from, to)
}

#[test]
fn what_does_not_touch_a_proof_leaves_the_answer_as_it_was() {
    let folder = TempDir::new().unwrap();
    let first = check(folder.path(), PROGRAM, &["--cache", "kept"]);
    assert!(first.verdict().starts_with("verdict: safe"), "{first:?}");
    assert!(first.verdict().contains("proof certified") && !first.out.contains("Since"), "{first:?}");
    for (what, text) in [
        ("nothing", PROGRAM.to_string()),
        ("moved lines", edited("static int weight(", "\n\n/* weighs */\nstatic int weight(")),
        ("renamed local", edited("sum", "total")),
        ("renamed function", edited("weight(", "weigh(")),
        ("renamed table", edited("weights", "table")),
        ("another message", edited("out of range", "this is out of the range")),
        ("unrelated function", edited("int main", "int unrelated(int x) { return x * 3; }\nint main")),
        ("unrelated table", edited("static int weights", "int other[9] = {7};\nstatic int weights")),
        ("other order", {
            let (head, rest) = PROGRAM.split_once("static int twice").unwrap();
            let (twice, rest) = rest.split_once("static int weight(").unwrap();
            let (weight, rest) = rest.split_once("int main").unwrap();
            format!("{head}static int weight({weight}static int twice{twice}int main{rest}")
        }),
        ("extracted constant", edited("int most = 10", "enum { MOST = 10 };\n  int most = MOST")),
    ] {
        let again = check(folder.path(), &text, &["--cache", "kept"]);
        assert!(again.verdict().contains("proof re-checked"), "{what}: {again:?}");
        assert!(again.out.contains("Since the earlier result: still safe."), "{what}: {again:?}");
        assert_eq!(again.code, Some(0), "{what}");
    }
}

#[test]
fn a_changed_program_has_the_verdict_of_a_fresh_run() {
    let folder = TempDir::new().unwrap();
    check(folder.path(), PROGRAM, &["--cache", "kept"]);
    for (from, to) in [
        ("n > 4", "n > 5"),
        ("n > 4", "n > 3"),
        ("sum >= 0", "sum > 0"),
        ("sum = 0", "sum = -1"),
        ("i < n", "i <= n"),
        ("3, 4}", "3, 5}"),
        ("most = 10", "most = 9"),
        ("x + x", "x * x"),
        ("x + x", "x << 1"),
        ("sum += weights[i]", "sum -= weights[i]"),
        ("i = 0;", "i = 1;"),
        ("return sum;", "return sum - n;"),
    ] {
        let text = edited(from, to);
        let (kept, fresh) =
            (check(folder.path(), &text, &["--cache", "kept"]), check(folder.path(), &text, &[]));
        let word = |ran: &Ran| ran.verdict().split(" (").next().unwrap_or_default().to_string();
        assert_eq!((word(&kept), kept.code), (word(&fresh), fresh.code), "{to}: {kept:?} {fresh:?}");
    }
}

#[test]
fn no_kept_file_makes_a_verdict_wrong() {
    let folder = TempDir::new().unwrap();
    let cache = folder.path().join("kept");
    let wrong = edited("most = 10", "most = 9");
    check(folder.path(), PROGRAM, &["--cache", "kept"]);
    let task = std::fs::read_dir(&cache).unwrap().next().unwrap().unwrap().path();
    let names = ["result.run", "program.cfa", "proof.run", "proof.cfa"];
    let good = names.map(|name| std::fs::read(task.join(name)).unwrap());
    let restore = || {
        for (name, bytes) in names.iter().zip(&good) {
            std::fs::write(task.join(name), bytes).unwrap();
        }
    };
    type Damage = Box<dyn Fn(&[u8]) -> Vec<u8>>;
    let mut damages: Vec<Damage> =
        vec![Box::new(|_| b"foreign".to_vec()), Box::new(|file| file[..file.len() / 2].to_vec())];
    for at in [40, 200] {
        damages.push(Box::new(move |file| {
            let mut file = file.to_vec();
            let at = at % file.len();
            file[at] ^= 0x11;
            file
        }));
    }
    for (index, damage) in damages.iter().enumerate() {
        for name in names {
            restore();
            let path = task.join(name);
            std::fs::write(&path, damage(&std::fs::read(&path).unwrap())).unwrap();
            let ran = check(folder.path(), &wrong, &["--cache", "kept"]);
            assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{index} {name}: {ran:?}");
        }
    }
    // The proof of another program, under the name of this task.
    restore();
    let other = TempDir::new().unwrap();
    check(other.path(), "int main(void) { return 0; }\n", &["--cache", "kept"]);
    let foreign = std::fs::read_dir(other.path().join("kept")).unwrap().next().unwrap().unwrap().path();
    for name in names {
        std::fs::copy(foreign.join(name), task.join(name)).unwrap();
    }
    assert_eq!(check(folder.path(), &wrong, &["--cache", "kept"]).verdict(), "verdict: unsafe (confirmed)");
}

#[test]
fn a_proof_outlives_a_version_with_a_bug() {
    let folder = TempDir::new().unwrap();
    check(folder.path(), PROGRAM, &["--cache", "kept"]);
    let wrong = check(folder.path(), &edited("most = 10", "most = 9"), &["--cache", "kept"]);
    assert!(wrong.out.contains("Since the earlier result: was safe, is unsafe."), "{wrong:?}");
    let again = check(folder.path(), &edited("most = 10", "most = 11"), &["--cache", "kept", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&again.out).unwrap();
    assert_eq!(object["since"]["was"], "unsafe", "{again:?}");
    assert_eq!(object["verdict"], "safe");
}

#[test]
fn a_program_compiled_with_other_flags_has_results_of_its_own() {
    let folder = TempDir::new().unwrap();
    let text = edited("most = 10", "most = MOST");
    check(folder.path(), &text, &["--cache", "kept", "--", "-DMOST=10"]);
    let other = check(folder.path(), &text, &["--cache", "kept", "--", "-DMOST=9"]);
    assert!(other.verdict().contains("unsafe") && !other.out.contains("was safe"), "{other:?}");
    let again = check(folder.path(), &text, &["--cache", "kept", "--", "-DMOST=10", "-I", "headers"]);
    assert!(again.out.contains("Since the earlier result: still safe."), "{again:?}");
}

#[test]
fn a_result_that_was_kept_is_taken_by_its_name() {
    let folder = TempDir::new().unwrap();
    check(folder.path(), PROGRAM, &["--keep", "old"]);
    let again = check(folder.path(), &edited("sum", "total"), &["--since", "old/p.run"]);
    assert!(again.verdict().contains("proof re-checked"), "{again:?}");
    std::fs::remove_file(folder.path().join("old/p.cfa")).unwrap();
    let alone = check(folder.path(), PROGRAM, &["--since", "old/p.run"]);
    assert_eq!(alone.code, Some(2));
    assert!(alone.err.contains("old/p.cfa is missing"), "{alone:?}");
}

fn git(folder: &Path, words: &[&str]) {
    let identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
    let status = Command::new("git").current_dir(folder).args(identity).args(words).status().unwrap();
    assert!(status.success(), "{words:?}");
}

#[test]
fn the_entries_of_a_project_are_compared_with_a_revision() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("p.c", PROGRAM);
    write("q.c", "#include <assert.h>\nvoid f(int x) { if (x > 3) assert(x != 3); }\n");
    write(
        "beeline.toml",
        "time-limit = '30s'\n[[entry]]\nfiles = ['p.c']\n[[entry]]\nfiles = 'q.c'\nfunction = 'f'\n",
    );
    git(folder.path(), &["init", "-q", "."]);
    git(folder.path(), &["add", "."]);
    git(folder.path(), &["commit", "-qm", "first"]);
    write("q.c", "#include <assert.h>\nvoid f(int x) { if (x > 2) assert(x != 3); }\n");
    let ran = beeline(folder.path(), &["ci", "--base", "HEAD", "--sarif", "log.sarif"]);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(lines[0].starts_with("p.c  safe") && lines[0].ends_with("; still safe"), "{ran:?}");
    assert!(lines[1].starts_with("f    unsafe") && lines[1].ends_with("; was safe, is unsafe"), "{ran:?}");
    assert_eq!((lines[2], ran.code), ("2 entries: 1 safe, 1 unsafe", Some(1)));
    let log: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.path().join("log.sarif")).unwrap()).unwrap();
    assert_eq!(log["runs"][0]["results"][0]["baselineState"], "new");
    write("q.c", "#include <assert.h>\nvoid f(int x) { if (x > 9) assert(x != 3); }\n");
    let mended = beeline(folder.path(), &["ci", "f", "--sarif", "log.sarif", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&mended.out).unwrap();
    assert_eq!(object["entries"][0]["answer"]["since"]["was"], "unsafe", "{mended:?}");
    let log: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.path().join("log.sarif")).unwrap()).unwrap();
    assert_eq!(log["runs"][0]["results"][0]["baselineState"], "absent");
    assert_eq!(beeline(folder.path(), &["ci", "g"]).code, Some(2));
}
