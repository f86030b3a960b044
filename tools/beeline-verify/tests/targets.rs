//! The selection of targets, and the answer on each.

mod support;

use beeline_ir::file;
use beeline_run::{Run, Statistic, TargetVerdict};
use support::{folder_with, tool};

const THREE: &str = "beeline 1.0
file \"a.c\"
fn check(x: i32) in \"a.c\" {
  L0: if x == 42 goto bad else done
  bad: target \"__assert_fail in check\" \"unreach-call\" @4
  done: exit
}
fn main() in \"a.c\" {
  var x: i32
  L0: x := input \"n\"
  L1: call check(x)
  L2: if x == 43 goto bad else next
  bad: target \"reach_error in main\" \"no-overflow\" @9
  next: if x == 42 goto never else done
  never: target \"abort in main\" \"unreach-call\" @12
  done: exit
}
";

/// The words for the verdicts on the targets, in their order, and what is printed.
fn verdicts(text: &str, arguments: &[&str]) -> (String, String) {
    let (folder, program, _) = folder_with(text);
    let result = folder.path().join("p.run");
    let output = tool().arg(&program).arg("-o").arg(&result).args(arguments).output().expect("the tool runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        return (String::new(), said.replace(&folder.path().display().to_string(), ""));
    }
    let run = file::read::<Run>(&result).unwrap().body;
    let word = |verdict: &TargetVerdict| match verdict {
        TargetVerdict::Safe { .. } => "safe",
        TargetVerdict::Unsafe { .. } => "unsafe",
        TargetVerdict::Unknown { .. } => "unknown",
        TargetVerdict::Open => "open",
        TargetVerdict::NotAsked => "-",
    };
    let words: Vec<&str> = run.targets.iter().map(|target| word(&target.verdict)).collect();
    (words.join(" "), said)
}

#[test]
fn every_target_has_a_verdict() {
    for plan in [
        &[][..],
        &["--engine", "lazy"],
        &["--engine", "bounded"],
        &["--targets-per-round", "all", "--select", "all"],
    ] {
        let (words, said) = verdicts(THREE, plan);
        assert_eq!(words, "unsafe unsafe safe", "{plan:?}");
        assert!(said.contains("3 targets: 2 unsafe, 1 safe, 0 open"), "{said}");
    }
}

/// A loop with so many targets that no execution reaches.
fn loop_with(targets: u32) -> String {
    let checks = (0..targets).map(|n| {
        let next = if n + 1 == targets { "head".into() } else { format!("c{}", n + 1) };
        format!("  c{n}: if y >s x + {n} goto t{n} else {next}\n  t{n}: target \"t{n}\" \"unreach-call\"\n")
    });
    format!(
        "beeline 1.0\nfn main() {{\n  var x: i32\n  var y: i32\n  x, y := 0, 0\n  head: if x <s 100 goto more else done\n  \
         more: x, y := x + 1, y + 1\n{}  done: exit\n}}\n",
        checks.collect::<String>()
    )
}

#[test]
fn targets_at_the_end_of_a_block_are_one_question() {
    let questions = |targets: u32| {
        let (folder, program, _) = folder_with(&loop_with(targets));
        let result = folder.path().join("p.run");
        let search = ["--engine", "lazy", "--domain", "predicate"];
        let output =
            tool().arg(&program).arg("-o").arg(&result).args(search).output().expect("the tool runs");
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(said, "verdict: safe\n", "{}", String::from_utf8_lossy(&output.stderr));
        file::read::<Run>(&result).unwrap().body.figure(Statistic::SolverCalls).expect("it is counted")
    };
    let (few, many) = (questions(2), questions(12));
    assert!(many < 2 * few, "{few} questions for 2 targets, {many} for 12");
}

#[test]
fn the_first_counterexample_is_enough_if_that_is_asked_for() {
    for plan in [&["--first"][..], &["--first", "--engine", "bounded"]] {
        let (words, _) = verdicts(THREE, plan);
        assert!(["unsafe open open", "open unsafe open"].contains(&words.as_str()), "{plan:?} {words}");
    }
}

#[test]
fn targets_are_asked_for_by_line_function_property_or_pattern() {
    for (which, expected) in [
        ("a.c:9", "- unsafe -"),
        ("check", "unsafe - -"),
        ("no-*", "- unsafe -"),
        ("unreach-call", "unsafe - safe"),
        ("*ort", "- - safe"),
    ] {
        let (words, _) = verdicts(THREE, &["--target", which]);
        assert_eq!(words, expected, "{which}");
    }
    assert_eq!(verdicts(THREE, &["--target", "a.c:12", "--target", "check"]).0, "unsafe - safe");
}

#[test]
fn a_target_that_there_is_not_names_the_nearest_ones() {
    let (_, said) = verdicts(THREE, &["--target", "a.c:13"]);
    assert!(said.contains("a.c:13 is no target: the nearest are a.c:12 in main"), "{said}");
    let none = "beeline 1.0\nfn main() {\n  L0: exit\n}\n";
    let (_, said) = verdicts(none, &["--target", "main"]);
    assert!(said.contains("main is no target: the program has none"), "{said}");
}

/// Values decide the first target at once and the second never; predicates decide that.
const FAR: &str = "beeline 1.0
fn main() {
  var x: i64, y: i64
  L0: y := input \"y\"
  x := 0
  if y == 3 goto early else clear
  early: target \"early\"
  clear: y := 0
  head: while x <u 1000000000000 goto body else after
  body: x := x + 1 goto head
  after: if x <u 5 || y != 0 goto bad else done
  bad: target \"wrong\"
  done: exit
}
";

/// What a run of a plan says of it.
fn searched(steps: &[&str], more: &[&str]) -> Run {
    let (folder, program, _) = folder_with(FAR);
    let (plan, result) = (folder.path().join("plan.toml"), folder.path().join("p.run"));
    std::fs::write(&plan, steps.concat()).unwrap();
    let mut command = tool();
    command.arg(&program).arg("-o").arg(&result).arg("--plan").arg(&plan).args(more);
    let output = command.output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "verdict: unsafe\n");
    file::read::<Run>(&result).unwrap().body
}

const VALUES: &str = "[[step]]\ndomain = \"value\"\nbudget.ticks = 100000\n";
const ENDLESS_VALUES: &str = "[[step]]\ndomain = \"value\"\n";
const PREDICATES: &str = "[[step]]\ndomain = \"predicate\"\n";

#[test]
fn a_later_step_works_on_what_is_open() {
    for more in [&[][..], &["--every"]] {
        let run = searched(&[VALUES, PREDICATES], more);
        assert_eq!((run.paths.len(), run.proofs.len()), (1, 1), "{more:?}");
        assert_eq!(run.targets[0].verdict, TargetVerdict::Unsafe { path: 0 }, "{more:?}");
        assert_eq!(run.targets[1].verdict, TargetVerdict::Safe { proof: 0 }, "{more:?}");
    }
    assert_eq!(searched(&[VALUES, PREDICATES], &["--first"]).targets[1].verdict, TargetVerdict::Open);
}

#[test]
fn later_steps_go_on_for_a_second_after_an_early_error() {
    let run = searched(&[VALUES, ENDLESS_VALUES, PREDICATES], &[]);
    assert_eq!(run.targets[1].verdict, TargetVerdict::Open);
    let ticks = run.figure(Statistic::Ticks).unwrap();
    assert!((3_000_000..4_000_000).contains(&ticks), "{ticks}");
}
