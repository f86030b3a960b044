//! `beeline check --summarise both`: loops are functions for the search, and nothing that people read tells of them.

use beeline_tests::driver::{Ran, beeline};
use beeline_tests::tools;
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Rows of columns, with a call in the inner loop and a return out of both.
const ROWS: &str = "\
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int filled;
static int weight(int n) {
  return n % 3;
}
static int fill(int rows, int limit) {
  int sum = 0;
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < 4; j++) {
      sum += weight(j);
      if (sum > limit)
        return -1;
      filled++;
      assert(filled != BAD);
    }
  }
  return sum;
}
int main(void) {
  int limit = __VERIFIER_nondet_int();
  int sum = fill(3, limit);
  assert(sum == -1 || filled == 12);
  return 0;
}
";

const SUMMARIES: [&str; 4] = ["--calls", "summaries", "--domain", "value"];

/// Checks the program in which so many fields must not be filled.
fn check(bad: &str, options: &[&str]) -> (TempDir, Ran) {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("rows.c"), ROWS.replace("BAD", bad)).unwrap();
    let ran = beeline(folder.path(), &[&["check", "rows.c"], &SUMMARIES[..], options].concat());
    (folder, ran)
}

/// The witness of what a check left in a folder `kept`.
fn witness(folder: &Path) -> String {
    let mut tool = Command::new(tools().unwrap().join("beeline-witness"));
    let words = ["kept/rows.run", "--source", "rows.c", "-o", "witness.yml"];
    assert!(tool.current_dir(folder).args(words).status().unwrap().success());
    std::fs::read_to_string(folder.join("witness.yml")).unwrap()
}

#[test]
fn summarised_loops_are_proved_and_the_witness_is_of_the_source() {
    let (folder, ran) = check("13", &["--summarise", "both", "--keep", "kept"]);
    assert!(ran.out.ends_with("verdict: safe (proof certified)\n"), "{}{}", ran.out, ran.err);
    assert!(!ran.out.contains(".loop"), "{}", ran.out);
    let witness = witness(folder.path());
    for line in [9, 10] {
        assert!(witness.contains(&format!("line: {line}\n")), "{witness}");
    }
    assert!(witness.contains("function: \"fill\"") && !witness.contains("loop1"), "{witness}");
    // What the loop inside knows of its own counter is told, and nothing of the one around, which it is not given.
    assert!(witness.contains("j == 0") && witness.contains("i == 0"), "{witness}");
}

#[test]
fn an_error_in_a_loop_is_told_as_it_is_without_blocks_of_loops() {
    let (_, functions) = check("7", &[]);
    let (folder, both) = check("7", &["--summarise", "both", "--keep", "kept"]);
    assert!(both.out.contains("rows.c:15:7: error: the assertion fails in fill"), "{}{}", both.out, both.err);
    assert!(both.out.contains("called from main") && both.out.contains("filled = 7"), "{}", both.out);
    assert!(
        both.out.ends_with("verdict: unsafe (confirmed)\n") && !both.out.contains(".loop"),
        "{}",
        both.out
    );
    let without_inputs =
        |out: &str| out.split("Inputs, in this order").next().unwrap_or_default().to_string();
    assert_eq!(without_inputs(&functions.out), without_inputs(&both.out));
    let witness = witness(folder.path());
    assert!(witness.contains("function: \"fill\"") && !witness.contains("loop"), "{witness}");
}

#[test]
fn json_counts_calls_of_the_source_and_names_its_functions() {
    let (_, ran) = check("7", &["--summarise", "both", "--json"]);
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    let target =
        answer["targets"].as_array().unwrap().iter().find(|target| target["verdict"] == "unsafe").unwrap();
    assert_eq!(target["function"], "fill");
    let steps = target["path"].as_array().unwrap();
    let deepest = steps.iter().filter_map(|step| step["depth"].as_u64()).max();
    assert_eq!(deepest, Some(2), "weight, in fill, in main");
    let functions = steps.iter().filter_map(|step| step["function"].as_str());
    assert!(functions.clone().all(|name| ["main", "fill", "weight"].contains(&name)), "{steps:?}");
}

#[test]
fn what_does_not_go_together_is_refused() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("rows.c"), ROWS.replace("BAD", "13")).unwrap();
    let both = ["check", "rows.c", "--summarise", "both"];
    let refused = |options: &[&str], sentence: &str| {
        let ran = beeline(folder.path(), &[&both[..], options].concat());
        assert!(ran.code == Some(2) && ran.err.contains(sentence), "{}{}", ran.out, ran.err);
    };
    refused(&[], "--summarise both needs --calls summaries");
    refused(&["--calls", "stack"], "--summarise both needs --calls summaries");
    let residual = ["--calls", "summaries", "--residual", "rest.bc"];
    refused(&residual, "--residual cannot be combined with --summarise both");
}

#[test]
fn a_result_of_one_kind_of_blocks_is_no_condition_for_the_other() {
    let (folder, _) = check("13", &["--keep", "functions"]);
    let both = [&["check", "rows.c"], &SUMMARIES[..], &["--summarise", "both", "--keep", "both"]].concat();
    beeline(folder.path(), &both);
    let mut verify = Command::new(tools().unwrap().join("beeline-verify"));
    let output = verify
        .current_dir(folder.path())
        .args([
            "both/rows.cfa",
            "--condition",
            "functions/rows.run",
            "--calls",
            "summaries",
            "-o",
            "again.run",
        ])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("was not made from both/rows.cfa"), "{said}");
}
