//! Conditions that a person writes about executions, with `--only` and `--assume-paths`: what they leave out is not checked and
//! is an assumption, what they do not leave out is checked as ever.

use beeline_tests::driver::{Ran, beeline};
use std::path::Path;
use tempfile::TempDir;

/// `weight` returns 2 * n, up to 8; `open` may be called twice, with any numbers, before `use`.
const PROGRAM: &str = "\
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct box { int n; };
static int held;
static void open(int by) {
  held += by;
}
static int weight(int n, struct box *box) {
  int sum = 0;
  for (int i = 0; i < n && i < 4; i++)
    sum += 2;
  if (box) box->n = sum;
  return sum;
}
static void use(void) {
  assert(held != 5);
}
int main(void) {
  int n = __VERIFIER_nondet_int(), first = __VERIFIER_nondet_int(), second = __VERIFIER_nondet_int();
  struct box box = {0};
  if (first > 0 && first < 4)
    open(first);
  if (second > 0 && second < 4)
    open(second);
  assert(weight(n, n > 9 ? 0 : &box) != 8);
  use();
  return 0;
}
";

/// How a verdict about some executions begins, and how it ends where a proof was found.
const SAFE: [&str; 2] = ["verdict: safe (on the paths that are assumed, under ", ", proof certified)"];
const UNSAFE: &str = "verdict: unsafe (confirmed)";

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("p.c"), PROGRAM).unwrap();
    folder
}

fn check(folder: &Path, options: &[&str]) -> Ran {
    beeline(folder, &[&["check", "--time-limit", "60s", "p.c"], options].concat())
}

/// The line of a program's first occurrence of a text.
fn line(text: &str) -> usize {
    let at = PROGRAM.find(text).expect(text);
    PROGRAM[..at].matches('\n').count() + 1
}

/// Checks the program with an automaton.
fn with_automaton(folder: &Path, text: &str) -> Ran {
    std::fs::write(folder.join("paths.toml"), text).unwrap();
    check(folder, &["--assume-paths", "paths.toml"])
}

/// Is the program safe on the paths that are assumed, or unsafe?
fn is_safe(ran: &Ran, expected: bool, what: &str) {
    let verdict = ran.verdict();
    let is_safe = verdict.starts_with(SAFE[0]) && verdict.ends_with(SAFE[1]);
    assert!(if expected { is_safe } else { verdict == UNSAFE }, "{what}: {}{}", ran.out, ran.err);
}

#[test]
fn only_what_satisfies_the_conditions_is_checked() {
    let folder = folder();
    let not_four = "function weight if n < 4";
    let place = |text: &str, condition: &str| format!("p.c:{} if {condition}", line(text));
    let cases: &[(&[&str], bool)] = &[
        (&[], false),
        (&[not_four], false),
        (&["function use if 0"], false),
        (&[not_four, "function use if held != 5"], true),
        // Each time that a function begins: the second call has held > 0.
        (&[not_four, "function open if held == 0"], true),
        (&[not_four, "function open if held <= 2 || by == 1"], false),
        (&["function weight if n < 5", "function use if 0"], false),
        (&["function main if 0"], true),
        // In the callee's places and at statements.
        (&[&place("return sum", "sum < 8"), &place("assert(held", "held < 5")], true),
        (&[&place("return sum", "sum < 8"), &place("assert(held", "held < 6")], false),
        (&[&place("sum += 2", "i < 3"), "function use if 0"], true),
        (&[&place("sum += 2", "i < 4"), "function use if 0"], false),
    ];
    for (only, expected) in cases {
        let words: Vec<&str> = only.iter().flat_map(|text| ["--only", text]).collect();
        let ran = check(folder.path(), &words);
        is_safe(&ran, *expected, &format!("{only:?}"));
    }
}

#[test]
fn what_is_left_out_is_an_assumption_wherever_the_answer_is_told() {
    let folder = folder();
    let only = ["--only", "function main if held > 0"];
    let ran = check(folder.path(), &[&only[..], &["--keep", "kept"]].concat());
    let told = "only executions are checked for which held > 0 holds where main begins";
    is_safe(&ran, true, "kept");
    assert!(ran.out.contains(told), "{ran:?}");
    let ran = check(folder.path(), &[&only[..], &["--json"]].concat());
    let object: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert!(object["assumptions"].to_string().contains(told), "{ran:?}");
    let explained = beeline(folder.path(), &["explain", "kept/p.run"]);
    assert!(explained.out.contains(told), "{explained:?}");
    // Without an assertion there is no proof, and still no plain verdict.
    std::fs::write(folder.path().join("q.c"), "int main(void) { return 0; }\n").unwrap();
    let ran = beeline(folder.path(), &["check", "q.c", "--only", "function main if 1"]);
    assert!(ran.verdict().starts_with("verdict: safe (on the paths that are assumed, under"), "{ran:?}");
}

#[test]
fn an_answer_about_some_executions_is_none_about_all() {
    let folder = folder();
    let only = ["--only", "function main if 0"];
    let first = check(folder.path(), &[&only[..], &["--cache", "c", "--keep", "kept"]].concat());
    is_safe(&first, true, "first");
    let again = check(folder.path(), &[&only[..], &["--cache", "c"]].concat());
    assert!(
        again.verdict().contains("paths that are assumed, under 1 assumption, proof re-checked"),
        "{again:?}"
    );
    for options in [&["--cache", "c"][..], &["--since", "kept/p.run"]] {
        let all = check(folder.path(), options);
        assert_eq!(all.verdict(), UNSAFE, "{options:?}: {all:?}");
    }
}

#[test]
fn an_automaton_follows_executions() {
    let folder = folder();
    let weight = "[[step]]\nat = 'function weight'\nif = 'n >= 4'\nleave = true\n";
    let opened = |rest: &str| format!("start = 'none'\n{weight}{rest}");
    let step = |from: &str, at: &str, condition: &str, then: &str| {
        format!("[[step]]\nfrom = {from}\nat = '{at}'\nif = '{condition}'\n{then}\n")
    };
    let once = step("['none']", "function open", "1", "to = 'once'");
    let twice = step("['once']", "function open", "by != 1", "leave = true");
    for (steps, expected) in [
        // The second call opens by 1 only: 4 + 1.
        (opened(&format!("{once}{twice}")), true),
        // An execution takes the first step that fits where it is, and no second one.
        (opened(&format!("{once}{}", step("['once']", "function open", "by == 2", "leave = true"))), false),
        (
            opened(&format!(
                "{once}{}",
                step("['none', 'once']", "function use", "held == 5", "leave = true")
            )),
            true,
        ),
        (opened(&format!("{once}{}", step("['none']", "function use", "1", "leave = true"))), false),
        // Earlier steps come first.
        (
            opened(&format!(
                "{}{}",
                step("[]", "function use", "held > 0", "to = 'none'"),
                step("[]", "function use", "1", "leave = true")
            )),
            false,
        ),
        (
            opened(&format!(
                "{}{}",
                step("[]", "function use", "1", "leave = true"),
                step("[]", "function use", "held > 0", "to = 'none'")
            )),
            true,
        ),
    ] {
        let ran = with_automaton(folder.path(), &steps);
        is_safe(&ran, expected, &steps);
    }
}

#[test]
fn what_is_not_there_or_no_condition_is_refused_by_name() {
    let folder = folder();
    for (only, said) in [
        ("function close if 1", "no C file of the program defines close"),
        ("function open if missing > 2", "use of undeclared identifier 'missing'"),
        ("function open if by >", "clang rejects the condition: expected expression"),
        ("function open if by) || (by", "is not a condition"),
        ("function open if by = 2", "the condition may have side effects"),
        ("function open if __VERIFIER_nondet_int() > by", "the condition may have side effects"),
        ("function open", "write `function NAME if CONDITION`"),
        ("open if by", "open is not a place"),
        ("p.c:999 if 1", "no statement of a C file begins in that line"),
        ("q.c:6 if 1", "no statement of a C file begins in that line"),
    ] {
        let ran = check(folder.path(), &["--only", only]);
        assert_eq!(ran.code, Some(2), "{only}: {ran:?}");
        assert!(
            ran.err.contains(&format!("--only '{only}': ")) && ran.err.contains(said),
            "{only}: {}",
            ran.err
        );
    }
    let ran = with_automaton(folder.path(), "start = 's'\n\n[[step]]\nat = 'function close'\nleave = true\n");
    assert!(ran.err.contains("paths.toml:3: no C file of the program defines close"), "{ran:?}");
    let ran = check(folder.path(), &["--assume-paths", "missing.toml"]);
    assert!(ran.code == Some(2) && ran.err.contains("cannot read missing.toml"), "{ran:?}");
}

#[test]
fn an_error_in_a_condition_is_none_of_the_program() {
    let folder = folder();
    let memory = ["--property", "memory-safety,no-overflow"];
    let undefined =
        check(folder.path(), &[&memory[..], &["--only", "function weight if box->n == 0"]].concat());
    assert_eq!(undefined.code, Some(2), "{undefined:?}");
    assert!(undefined.err.contains("is undefined in an execution"), "{undefined:?}");
    let defined =
        check(folder.path(), &[&memory[..], &["--only", "function weight if !box || box->n == 0"]].concat());
    assert!(defined.verdict().starts_with("verdict: safe (on the paths"), "{defined:?}");
}

#[test]
fn contracts_and_conditions_go_together() {
    let folder = TempDir::new().unwrap();
    let text = "static int at(const int *p, int i) { return p[i]; }\n\
        int sum(const int *p, int n) {\n  int all = 0;\n  for (int i = 0; i <= n; i++)\n    all ^= at(p, i);\n  return all;\n}\n";
    std::fs::write(folder.path().join("p.c"), text).unwrap();
    let given =
        ["--property", "memory-safety", "--function", "sum", "--requires", "n >= 0 && n <= 3 && fresh(p, n)"];
    assert_eq!(check(folder.path(), &given).verdict(), UNSAFE);
    let ran = check(
        folder.path(),
        &[&given[..], &["--only", "function at if i < 1", "--only", "function sum if n > 0"]].concat(),
    );
    assert!(ran.verdict().starts_with("verdict: safe (on the paths that are assumed, under "), "{ran:?}");
}
