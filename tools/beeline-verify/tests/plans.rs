//! Plans: searches one after the other.

mod support;

use beeline_ir::file;
use beeline_run::{Run, Statistic};
use std::path::PathBuf;
use support::{BRANCH, folder_with, tool};
use tempfile::TempDir;

/// A loop that values follow for very long; predicates need not.
const LONG: &str = "beeline 1.0
fn main() {
  var x: i64, y: i64
  L0: x, y := 0, 0
  head: while x <u 1000000000000 goto body else after
  body: x := x + 1 goto head
  after: if x <u 5 || y != 0 goto bad else done
  bad: target \"wrong\"
  done: exit
}
";

/// Runs a program by a plan: exit code, standard output, standard error, and the folder with its result.
fn run(text: &str, plan: &str, more: &[&str]) -> (i32, String, String, TempDir) {
    let (folder, program, _) = folder_with(text);
    let file: PathBuf = folder.path().join("plan.toml");
    std::fs::write(&file, plan).unwrap();
    let mut command = tool();
    command.arg(program).arg("-o").arg(folder.path().join("p.run")).arg("--plan").arg(&file).args(more);
    let output = command.output().expect("the tool runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it prints text");
    let (out, err) = (text(output.stdout), text(output.stderr));
    (output.status.code().unwrap_or(-1), out, err, folder)
}

const VALUES: &str = "[[step]]\ndomain = \"value\"\nbudget.time = \"200ms\"\n";
const PREDICATES: &str = "[[step]]\ndomain = \"predicate\"\n";

#[test]
fn a_step_without_an_answer_is_followed_by_the_next_one() {
    let (code, out, err, folder) = run(LONG, &[VALUES, PREDICATES].concat(), &[]);
    assert_eq!((code, out.as_str()), (0, "verdict: safe\n"), "{err}");
    // All that was done is counted.
    let run = file::read::<Run>(folder.path().join("p.run")).unwrap().body;
    assert!(run.figure(Statistic::ValueRefinements) >= Some(1), "{:?}", run.statistics);
    assert!(run.figure(Statistic::PredicateRefinements) >= Some(1), "{:?}", run.statistics);
}

#[test]
fn the_first_answer_is_the_answer() {
    let (_, out, err, folder) = run(BRANCH, &[VALUES, PREDICATES].concat(), &[]);
    assert_eq!(out, "verdict: unsafe\n", "{err}");
    let run = file::read::<Run>(folder.path().join("p.run")).unwrap().body;
    assert_eq!(run.figure(Statistic::PredicateRefinements), Some(0));
}

#[test]
fn a_plan_without_an_answer_says_why_the_last_step_has_none() {
    let (_, out, _, _) = run(LONG, VALUES, &[]);
    assert_eq!(out, "verdict: unknown (the time limit was reached)\n");
}

#[test]
fn what_a_step_learned_is_handed_to_the_next_one() {
    let refinements = |hand: &str| {
        let step = |hand: &str| format!("[[step]]\ndomain = \"value\"\nbudget.ticks = 20000\n{hand}\n");
        let (_, out, err, folder) = run(LONG, &[step(hand), step("")].concat(), &[]);
        assert_eq!(out, "verdict: unknown (the limit on ticks was reached)\n", "{err}");
        let run = file::read::<Run>(folder.path().join("p.run")).unwrap().body;
        assert!(run.figure(Statistic::Ticks) >= Some(40_000), "{:?}", run.statistics);
        run.figure(Statistic::ValueRefinements)
    };
    assert_eq!(refinements(""), Some(2));
    assert_eq!(refinements("hand = [\"precision\"]"), Some(1));
}

#[test]
fn a_step_is_given_only_what_its_domain_uses() {
    let values = "[[step]]\ndomain = \"value\"\nbudget.ticks = 20000\nhand = [\"precision\"]\n";
    let tracked = |plan: &str| {
        let (_, _, _, folder) = run(LONG, plan, &["--ticks", "3000000"]);
        let run = file::read::<Run>(folder.path().join("p.run")).unwrap().body;
        run.figure(Statistic::Tracked)
    };
    assert_eq!(tracked(values), Some(1));
    assert_eq!(tracked(&[values, PREDICATES].concat()), Some(0));
}

#[test]
fn limits_hold_for_all_steps() {
    let plan = ["[[step]]\ndomain = \"value\"\n", PREDICATES].concat();
    let (_, out, _, _) = run(LONG, &plan, &["--time-limit", "300ms"]);
    assert_eq!(out, "verdict: unknown (the time limit was reached)\n");
    let (_, out, _, _) = run(LONG, &plan, &["--ticks", "5000"]);
    assert_eq!(out, "verdict: unknown (the limit on ticks was reached)\n");
    let (_, out, _, _) = run(LONG, &plan, &["--max-states", "100"]);
    assert_eq!(out, "verdict: unknown (the limit on states was reached)\n");
}

#[test]
fn a_wrong_plan_is_refused_with_its_line() {
    let (code, out, err, _) = run(BRANCH, "[[step]]\n\nmetric = \"miles\"\n", &[]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.ends_with("plan.toml:3: unknown value `miles`; choose one of st, bb, lh, lf\n"), "{err}");
    let (code, out, err, _) = run(BRANCH, VALUES, &["--domain", "value"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("'--plan <FILE>' cannot be used with"), "{err}");
}

/// An execution reaches an access that is outside of its region: nothing is known of what comes then.
const OUTSIDE: &str = "beeline 1.0
region m: i64 -> i8 in 0x100+4
fn main() {
  var i: i64
  i := input \"i\"
  assume i <u 5
  m[0x100 + i] := 1
  if i == 20 goto bad else done
  bad: target \"twenty\"
  done: exit
}
";

#[test]
fn no_step_follows_when_an_execution_has_no_defined_course() {
    let step = "[[step]]\nengine = \"bounded\"\n";
    let calls = |plan: &str| {
        let (_, out, err, folder) = run(OUTSIDE, plan, &["--undefined", "stop"]);
        assert!(out.starts_with("verdict: unknown (nothing is known after main:"), "{out}{err}");
        let run = file::read::<Run>(folder.path().join("p.run")).unwrap().body;
        run.figure(Statistic::SolverCalls)
    };
    assert!(calls(step) >= Some(1));
    assert_eq!(calls(step), calls(&step.repeat(2)));
}

/// A program without a loop, and with one question: the factors of a number.
fn factors(number: u64) -> String {
    format!(
        "beeline 1.0
fn main() {{
  var x: i16, y: i16
  x := input \"x\"
  y := input \"y\"
  assume x >u 1 && y >u 1 && x <=u y
  if zext(x, i32) * zext(y, i32) == {number} goto bad else done
  bad: target \"a factor\"
  done: exit
}}
"
    )
}

/// The question takes some 600,000 ticks.
const EASY: u64 = 399_921_007;
/// The question takes some 1.5 million.
const HARD: u64 = 484_520_033;

#[test]
fn where_all_is_unrolled_questions_get_more_than_the_budget() {
    let unrolled = |text: &str, ticks: u64| {
        let plan = format!("[[step]]\nengine = \"bounded\"\nbudget.ticks = {ticks}\n");
        let (_, out, _, folder) = run(text, &plan, &[]);
        let run = file::read::<Run>(folder.path().join("p.run")).unwrap().body;
        (out, run.figure(Statistic::Ticks).unwrap())
    };
    let (out, ticks) = unrolled(&factors(EASY), 300_000);
    assert_eq!(out, "verdict: unsafe\n");
    assert!((300_000..1_200_000).contains(&ticks), "{ticks}");
    let (out, ticks) = unrolled(&factors(HARD), 100_000);
    assert_eq!(out, "verdict: unknown (the limit on ticks was reached)\n");
    assert!((400_000..900_000).contains(&ticks), "{ticks}");
    // A loop goes on: the budget is what it says.
    let (_, ticks) = unrolled(LONG, 100_000);
    assert!(ticks < 150_000, "{ticks}");
}

#[test]
fn where_all_is_unrolled_a_question_is_asked_again_with_more() {
    let plan = "[[step]]\nengine = \"bounded\"\n";
    let asked = |ticks: &str| run(&factors(HARD), plan, &["--query-ticks", ticks]).1;
    assert_eq!(asked("100000"), "verdict: unsafe\n");
    let said = asked("10000");
    assert!(said.starts_with("verdict: unknown (the solver did not decide a path to a target"), "{said}");
}

/// Each call makes two: 2^24 in all, of which unrolling has to make every one.
const LEAVES: &str = "beeline 1.0
fn leaves(height: i32) -> leaves: i32 {
  var left: i32, right: i32
  L0: if height == 0 goto leaf else inner
  leaf: leaves := 1 goto out
  inner: left := call leaves(height - 1)
  right := call leaves(height - 1)
  leaves := left + right
  out: exit
}
fn main() {
  var count: i32
  count := call leaves(24)
  if count == 0x1000000 goto done else bad
  bad: target \"some are missing\"
  done: exit
}
";

#[test]
fn without_a_plan_what_recurs_is_summarised_before_it_is_unrolled() {
    let (folder, program, _) = folder_with(LEAVES);
    let result = folder.path().join("p.run");
    let output = tool().arg(program).arg("-o").arg(&result).output().expect("the tool runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "verdict: safe\n");
    // Unrolling would have used 30 million.
    let run = file::read::<Run>(&result).unwrap().body;
    assert!(run.figure(Statistic::Ticks) < Some(15_000_000), "{:?}", run.statistics);
}
