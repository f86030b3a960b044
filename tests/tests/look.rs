//! Answers to look at: a result explained in the terms of the source, and as a page for browsers.

use beeline_tests::driver::{Ran, beeline};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Safe by `i <= n`, which predicates find.
const COUNT: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  if (n < 0)
    return 0;
  while (i < n)
    i++;
  if (i > n)
    reach_error();
  return 0;
}
";

/// Unsafe for 7; what it prints would be markup.
const SEVEN: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  char *text = \"</script><b>\";
  if (n == 7 && text)
    reach_error();
  return 0;
}
";

fn checked(folder: &Path, text: &str, arguments: &[&str]) -> Ran {
    std::fs::write(folder.join("a.c"), text).unwrap();
    beeline(folder, &[&["check", "a.c", "--keep", "kept", "--html", "a.html"], arguments].concat())
}

/// The page, and the steps of its paths.
fn page(folder: &Path) -> (String, Value) {
    let page = std::fs::read_to_string(folder.join("a.html")).unwrap();
    let (_, data) = page.split_once("<script type=\"application/json\" id=\"paths\">").unwrap();
    let paths = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    (page, paths)
}

#[test]
fn a_proof_is_told_by_its_invariants() {
    let folder = TempDir::new().unwrap();
    let ran = checked(folder.path(), COUNT, &["--domain", "predicate"]);
    assert_eq!((ran.code, ran.verdict()), (Some(0), "verdict: safe (proof certified)"), "{ran:?}");
    let told = beeline(folder.path(), &["explain", "kept/a.run"]);
    assert_eq!((told.code, told.err.as_str()), (Some(0), ""));
    let first = "safe: a.c:10:5 in main: never: reach_error is called (by proof 1)\n\nProof 1: Proved with ";
    assert!(told.out.starts_with(first), "{}", told.out);
    let (_, always) = told.out.split_once("  a.c:7: loop invariant: ").expect(&told.out);
    assert!(always.contains("i") && always.contains("n"), "{always}");
    let (page, paths) = page(folder.path());
    assert_eq!(paths, serde_json::json!([]));
    let always =
        always.lines().next().unwrap().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    assert!(page.contains(&format!("always: {always}</span>")), "{page}");
}

#[test]
fn what_a_step_leaves_open_is_no_assumption_of_the_next_one() {
    // Values do not show that the state is within the table, predicates do.
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("examples/dispatch.c");
    let folder = TempDir::new().unwrap();
    let ran = checked(folder.path(), &std::fs::read_to_string(example).unwrap(), &[]);
    assert_eq!(ran.verdict(), "verdict: safe (proof certified)", "{ran:?}");
}

/// The drawing in a page that is opened at a name.
fn drawing<'p>(page: &'p str, name: &str) -> &'p str {
    let (_, rest) = page.split_once(&format!("<summary>{name}</summary>")).expect(page);
    rest.split_once("</details>").unwrap().0
}

#[test]
fn a_page_draws_the_automata_with_their_verdicts_and_the_path() {
    let folder = TempDir::new().unwrap();
    checked(folder.path(), SEVEN, &[]);
    let (page, _) = page(folder.path());
    let main = drawing(&page, "main");
    // The boxes and conditions of the path are marked, its target is red and leads to its line.
    let (_, target) = main.split_once("class=\"unsafe taken\">").expect(main);
    let target = target.split_once("</g>").unwrap().0;
    assert!(target.contains("<a href=\"#f") && target.contains("reach_error is called"), "{target}");
    assert!(main.contains(">[n == 7]<"), "{main}");
    assert!(main.contains("class=\"condition taken\""), "{main}");
    // What the path does not take is there, unmarked.
    assert!(main.contains(">[n != 7]<") && main.contains("class=\"condition\""), "{main}");
    assert!(!page.contains("Abstract graph"), "{page}");
}

#[test]
fn a_page_draws_the_abstract_graph_of_a_proof() {
    let folder = TempDir::new().unwrap();
    let ran = checked(folder.path(), COUNT, &["--domain", "predicate"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let mut dump = Command::new(beeline_tests::tool("beeline-ir").unwrap());
    dump.current_dir(folder.path()).args(["dump", "--dot", "--program", "kept/a.cfa", "kept/a.run"]);
    let dumped = String::from_utf8(dump.output().unwrap().stdout).unwrap();
    let states = dumped.matches("[label=").count();
    assert!(states > 1, "{dumped}");
    let (page, _) = page(folder.path());
    let graph = drawing(&page, &format!("{states} states"));
    assert_eq!(graph.matches("<rect").count(), states, "{graph}");
    // A covered state says by which one, and a dashed arrow leads there.
    assert_eq!(graph.matches(">covered by ").count(), graph.matches("class=\"arrow dashed\"").count());
    assert_eq!(graph.matches(">covered by ").count(), dumped.matches("style=dashed, constraint").count());
    assert!(graph.contains(">covered by "), "{graph}");
    assert!(drawing(&page, "main").contains("class=\"safe\""), "{page}");
}

#[test]
fn what_is_too_large_to_be_drawn_is_told() {
    let folder = TempDir::new().unwrap();
    let cases: String = (0..200).map(|case| format!("case {}: y = {case}; break;\n", 3 * case)).collect();
    let text = COUNT
        .replace("i = 0;", &format!("i = 0, y = 0; switch (n) {{ {cases} }}"))
        .replace("i > n", "y > 200");
    checked(folder.path(), &text, &[]);
    let (page, _) = page(folder.path());
    assert!(page.contains("Functions that are too large to be drawn here: 1. "), "{page}");
}

#[test]
fn a_proof_by_contracts_is_told_as_in_c() {
    let folder = TempDir::new().unwrap();
    let text = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int down(int n) {
  if (n <= 0)
    return n;
  return down(n - 1);
}
int main(void) {
  if (down(__VERIFIER_nondet_int()) > 0)
    reach_error();
  return 0;
}
";
    let ran = checked(folder.path(), text, &["--calls", "summaries", "--domain", "predicate"]);
    assert_eq!(ran.verdict(), "verdict: safe (proof certified)", "{ran:?}");
    let told = beeline(folder.path(), &["explain", "kept/a.run"]).out;
    let (_, contract) = told.split_once("\n  down(n)\n    requires ").expect(&told);
    // Which of these two the predicates say is theirs to choose.
    let ensures = contract.lines().nth(1).and_then(|line| line.strip_prefix("    ensures  "));
    assert!(matches!(ensures, Some("result < 1" | "result <= 0")), "{told}");
}

#[test]
fn an_error_is_told_by_its_path() {
    let folder = TempDir::new().unwrap();
    let ran = checked(folder.path(), SEVEN, &[]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let told = beeline(folder.path(), &["explain", "kept/a.run"]);
    let first = "unsafe: a.c:7:5 in main: reach_error is called (by path 1)\n\nPath 1:\n  main()\n";
    assert!(told.out.starts_with(first) && told.out.contains("// n = 7"), "{}", told.out);
    let (page, paths) = page(folder.path());
    let steps = paths[0].as_array().unwrap();
    assert!(steps.iter().any(|step| step["remark"] == "n = 7"), "{steps:?}");
    for line in steps.iter().filter_map(|step| step["line"].as_str()) {
        assert!(page.contains(&format!("<tr id=\"{line}\">")), "there is no line {line}");
    }
    assert!(page.contains("<span class=\"note unsafe\">unsafe: reach_error is called</span>"), "{page}");
    // It is one file, and nothing of the program is markup.
    assert!(!page.contains("://") && !page.contains("<link") && !page.contains(" src="), "{page}");
    assert!(page.contains("&lt;/script&gt;&lt;b&gt;"), "{page}");
    assert_eq!(page.matches("</script>").count(), 2);
}

#[test]
fn what_is_read_from_outside_is_told_where_it_is_read() {
    let folder = tempfile::tempdir().expect("there is room");
    let text = "#include <assert.h>
#include <stdio.h>
struct point { int x; unsigned y; };
int main(void) {
  struct point p;
  if (scanf(\"%d %u\", &p.x, &p.y) != 2)
    return 0;
  int n = 1;
  if (scanf(\"%d\", &n) < 1)
    return 0;
  if (p.x == 42 && p.y == 3000000001u)
    assert(n != -7);
  return 0;
}
";
    let ran = checked(folder.path(), text, &[]);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{}", ran.out);
    for told in [
        "// scanf() returns 2; p.x = 42; p.y = 3000000001",
        "// scanf() returns 1; n = -7",
        "// p.x == 42; p.y == 3000000001U",
        "// n == -7",
    ] {
        assert!(ran.out.contains(told), "{told}: {}", ran.out);
    }
}

/// Clang makes a branch of each part of a condition, and asks at once whether a pointer is null and whether it is aligned.
#[test]
fn an_error_is_told_with_all_that_its_condition_reads() {
    let folder = TempDir::new().unwrap();
    let both =
        SEVEN.replace("n == 7 && text", "n == 7 && m > 0").replace("char *text", "int m = n + 1; char *text");
    let ran = checked(folder.path(), &both, &[]);
    assert!(ran.out.contains("\n        = where n = 7, m = 8\n"), "{}", ran.out);
    let pointer = "int f(long a) { int *p = (int *)a;\n  return p ? *p : 0;\n}\n";
    let ran = checked(folder.path(), pointer, &["--property", "all", "--function", "f"]);
    let first = "a.c:2:14: error: a null or misaligned pointer is used in f\n";
    assert!(ran.out.starts_with(first), "{}", ran.out);
}

#[test]
fn what_is_safe_behind_an_error_is_said_to_be() {
    let folder = TempDir::new().unwrap();
    // Every execution writes outside at line 4, so that none comes to line 5.
    let text = "int table[2];\nint main(void) {\n  for (int i = 0; i <= 2; i++)\n    table[i] = 1;\n  return table[3];\n}\n";
    std::fs::write(folder.path().join("a.c"), text).unwrap();
    let check = |more: &[&str]| {
        beeline(folder.path(), &[&["check", "--property", "memory-safety", "a.c"], more].concat())
    };
    let all = check(&["--every"]);
    assert!(
        all.out.contains("\nSafe targets are safe for executions without an earlier error.\n"),
        "{all:?}"
    );
    assert!(all.out.contains("safe    a.c:5"), "{all:?}");
    let behind = check(&["--target", "a.c:5"]);
    let verdict = "verdict: safe (for executions without an error at other targets, proof certified)";
    assert_eq!((behind.code, behind.verdict()), (Some(0), verdict));
    let first = check(&["--target", "a.c:4"]);
    assert_eq!(first.verdict(), "verdict: unsafe (confirmed)");
    // An assertion that fails ends an execution as C means it.
    let text = "#include <assert.h>\nint main(int n, char **v) {\n  assert(n < 9);\n  assert(n < 10);\n  return 0;\n}\n";
    std::fs::write(folder.path().join("a.c"), text).unwrap();
    let ran = beeline(folder.path(), &["check", "a.c", "--target", "a.c:4"]);
    assert!(!ran.verdict().contains("other targets") && ran.code == Some(0), "{ran:?}");
}

#[test]
fn what_is_said_of_many_targets_is_said_once() {
    let folder = TempDir::new().unwrap();
    let line = "    if (n == 7) reach_error();\n";
    let told = |lines: usize, arguments: &[&str]| {
        checked(folder.path(), &SEVEN.replace("    reach_error();\n", &line.repeat(lines)), arguments).out
    };
    let stopped = ["--max-states", "1"];
    let many = told(4, &stopped);
    let once = "4 targets, 4 unknown:\n  unknown  a.c:7  unreach-call in main and 3 more \
                (the limit on states was reached)\n  --json shows them all\n";
    assert!(many.contains(once), "{many}");
    let few = told(3, &stopped);
    for number in 7..10 {
        let line =
            format!("\n  unknown  a.c:{number}  unreach-call in main (the limit on states was reached)\n");
        assert!(few.contains(&line), "{few}");
    }
    // An error has a line of its own.
    let errors = told(4, &[]);
    assert!(errors.contains("\n  unsafe  a.c:7   unreach-call in main (confirmed)\n"), "{errors}");
}

#[test]
fn what_cannot_be_explained_or_overwritten_is_refused() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("a.c"), SEVEN).unwrap();
    let ran = beeline(folder.path(), &["check", "a.c", "--html", "a.c"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
    assert_eq!(std::fs::read_to_string(folder.path().join("a.c")).unwrap(), SEVEN);
    let ran = beeline(folder.path(), &["cover", "a.c", "--html", "a.c"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
    assert_eq!(std::fs::read_to_string(folder.path().join("a.c")).unwrap(), SEVEN);
    let ran = beeline(folder.path(), &["reach", "a.c", "--to", "a.c:7", "--html", "a.html"]);
    assert_eq!(ran.err, "beeline: --html shows verdicts; use it with `beeline check` or `beeline cover`\n");
    let ran = beeline(folder.path(), &["explain", "a.c"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
}

#[test]
fn a_page_shows_what_is_covered_and_what_is_dead() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("a.c"), COUNT).unwrap();
    let ran = beeline(folder.path(), &["cover", "a.c", "--html", "a.html"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let page = std::fs::read_to_string(folder.path().join("a.html")).unwrap();
    // `i > n` never holds; the others of six ways are covered, and named at their lines.
    assert!(page.contains("of 6 branches, 5 covered by"), "{page}");
    let line = |number: u32| {
        let (_, row) = page.split_once(&format!("<td class=\"number\">{number}<")).unwrap();
        row.split_once("</tr>").unwrap().0.to_string()
    };
    assert!(line(9).contains("dead: the condition holds (proof certified)"), "{}", line(9));
    assert!(line(9).contains("covered: the condition does not hold (test "), "{}", line(9));
    assert_eq!(line(7).matches("note covered").count(), 2, "{}", line(7));
    assert!(!line(8).contains("note"), "{}", line(8));
    // Each link leads to a line.
    let (_, link) = page.split_once("href=\"#").unwrap();
    let target = link.split_once('"').unwrap().0;
    assert!(page.contains(&format!("<tr id=\"{target}\">")), "{target}");
}
