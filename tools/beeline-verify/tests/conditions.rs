//! Runs that go on where others ended.

mod support;

use beeline_ir::{Program, file};
use beeline_run::{Excess, Reason, Run, RunVerdict, Statistic, TargetVerdict};
use std::path::{Path, PathBuf};
use support::{BRANCH, folder_with, tool};

/// A loop that values follow to its end, and another one that they do not.
const TWO: &str = "beeline 1.0
fn main() {
  var n: i32, i: i32, s: i32, x: i32, y: i32
  n := input \"n\"
  i, s := 0, 0
  if n == 0 goto easy else hard
  easy: while i <u 50 goto turn else ended
  turn: i, s := i + 1, s + 2 goto easy
  ended: if s != 100 goto bad else done
  bad: target \"easy\"
  hard: x, y := 0, 0
  head: while x <u n goto body else after
  body: x, y := x + 1, y + 1 goto head
  after: if x != y goto worse else done
  worse: target \"hard\"
  done: exit
}
";

struct Said {
    code: i32,
    out: String,
    err: String,
}

/// Runs the tool, which writes a result beside the program.
fn run(program: &Path, result: &str, more: &[&str]) -> (Said, PathBuf) {
    let path = program.with_file_name(result);
    let output = tool().arg(program).arg("-o").arg(&path).args(more).output().expect("the tool runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it prints text");
    let code = output.status.code().unwrap_or(-1);
    (Said { code, out: text(output.stdout), err: text(output.stderr) }, path)
}

fn read(path: &Path) -> Run {
    file::read::<Run>(path).expect("a result was written").body
}

/// The residual condition of a search with values: the loop that they do not follow to its end.
const VALUES: [&str; 4] = ["--domain", "value", "--ticks", "100000"];

#[test]
fn a_run_knows_whom_calls_were_seen_to_call() {
    let called = TWO
        .replace("beeline 1.0\n", "beeline 1.0\nentry main\nglobal to: i64\nfn one() at 16 {\n  exit\n}\nfn two() at 32 {\n  exit\n}\n")
        .replace("hard: x, y := 0, 0\n", "hard: to := 32\n  call (to)() among one, two\n  x, y := 0, 0\n");
    let (_folder, program, _) = folder_with(&called);
    // Each location is a state, so that some are inside of what is called.
    let pfsm = ["--estimate", "pfsm", "--block", "sbe"];
    let (said, first) = run(&program, "first.run", &[&VALUES[..], &pfsm].concat());
    let left = read(&first);
    assert_eq!(left.callees.len(), 1, "{}{}", said.out, said.err);
    let call = &left.callees[0];
    // The target of the pointer does not matter, so its value is not tracked.
    assert_eq!((call.seen.len(), call.candidates), (2, 2));
    let resolutions = |run: &Run| run.figure(Statistic::Resolutions);
    assert!(resolutions(&left) >= Some(2));
    let condition = ["--condition", first.to_str().expect("it is UTF-8")];
    let (said, second) = run(&program, "second.run", &[&condition[..], &pfsm].concat());
    assert_eq!(said.out, "verdict: safe\n", "{}", said.err);
    let second = read(&second);
    // The one that is called was seen before, and now it is known that the other one is not.
    assert_eq!((&second.callees[0].seen[..], resolutions(&second)), (&call.seen[1..], Some(0)));
    // A search without progress hands on what it was given.
    let (_, third) = run(&program, "third.run", &[&condition[..], &["--ticks", "1"]].concat());
    assert_eq!(read(&third).callees, left.callees);
}

#[test]
fn a_run_goes_on_with_what_another_one_left() {
    let (_folder, program, _) = folder_with(TWO);
    let (said, first) = run(&program, "first.run", &VALUES);
    assert_eq!(said.out, "verdict: unknown (the limit on ticks was reached)\n", "{}", said.err);
    assert_eq!(read(&first).rests.len(), 1);
    // The open loop blocks itself and the target after it.
    assert!(
        said.err.contains("verified: 8 of 12 locations, 3 of 5 branches, 1 of 2 targets\n"),
        "{}",
        said.err
    );
    assert!(said.err.contains("open: "), "{}", said.err);
    let condition = ["--condition", first.to_str().unwrap()];
    let last = [&condition[..], &["--domain", "predicate", "--paranoid"]].concat();
    let (said, last) = run(&program, "last.run", &last);
    assert_eq!(said.out, "verdict: safe\n", "{}", said.err);
    let last = read(&last);
    let link = last.resting[0].after.run;
    assert_eq!(link, Some(file::peek(&first).unwrap().digest), "it names what it rests on");
}

/// What predicates found of one loop is initially known by who goes on with the other.
#[test]
fn predicates_need_not_be_found_again() {
    let (_folder, program, _) = folder_with(&TWO.replace("<u 50", "<u 5").replace("!= 100", "!= 10"));
    let refined = |path: &Path| {
        let run = read(path);
        let figure = run.statistics.iter().find(|figure| figure.name == "predicate refinements");
        figure.map_or(0, |figure| figure.value)
    };
    let search = ["--domain", "predicate", "--paranoid"];
    let (said, whole) = run(&program, "whole.run", &search);
    assert_eq!(said.out, "verdict: safe\n", "{}", said.err);
    let (_, first) = run(&program, "first.run", &["--domain", "predicate", "--skip", "loop-iterations=2"]);
    assert_eq!(read(&first).rests.len(), 1);
    let condition = ["--condition", first.to_str().unwrap()];
    let (said, last) = run(&program, "last.run", &[&condition[..], &search].concat());
    assert_eq!(said.out, "verdict: safe\n", "{}", said.err);
    assert!(refined(&last) * 2 < refined(&whole), "{} {}", refined(&last), refined(&whole));
}

/// Values follow the second loop turn by turn, which says nothing of use: what is left is as small as if it had not been
/// entered, and predicates find what they would find without the first loop.
#[test]
fn a_loop_that_is_open_is_not_told_turn_by_turn() {
    let (_folder, program, _) = folder_with(TWO);
    let (_, first) = run(&program, "first.run", &VALUES);
    let rest = &read(&first).rests[0];
    let is_open = |&index: &usize| rest.is_open(index);
    let [open] = (0..rest.graph.states.len()).filter(is_open).collect::<Vec<_>>()[..] else {
        panic!("{:?}", rest.open)
    };
    let at_head = rest.graph.states.iter().filter(|state| state.loc == rest.graph.states[open].loc);
    assert_eq!(at_head.count(), 1, "its head is open");
}

#[test]
fn three_runs_make_a_chain() {
    let (_folder, program, _) = folder_with(TWO);
    let (_, first) = run(&program, "first.run", &VALUES);
    let first = first.to_str().unwrap();
    let soon = [&["--condition", first][..], &VALUES].concat();
    let (said, second) = run(&program, "second.run", &soon);
    assert_eq!(said.out, "verdict: unknown (the limit on ticks was reached)\n", "{}", said.err);
    let second = second.to_str().unwrap();
    let (said, _) = run(&program, "last.run", &["--condition", second]);
    assert_eq!((said.code, said.out.as_str()), (2, ""));
    assert!(said.err.contains("it builds on the result ") && said.err.contains("missing"), "{}", said.err);
    let both = ["--condition", second, "--condition", first, "--domain", "predicate", "--paranoid"];
    let (said, last) = run(&program, "last.run", &both);
    assert_eq!(said.out, "verdict: safe\n", "{}", said.err);
    assert!(!said.err.contains("is not needed"), "{}", said.err);
    assert_eq!(read(&last).resting[0].after.labels[0].len(), 2);
    // Vice versa, the second one is not explored.
    let (said, _) = run(&program, "last.run", &["--condition", first, "--condition", second, "--ticks", "1"]);
    assert!(said.err.contains(&format!("{second} is not needed: no other given result")), "{}", said.err);
}

#[test]
fn who_left_nothing_is_passed_over() {
    let (_folder, program, _) = folder_with(TWO);
    let (_, first) = run(&program, "first.run", &VALUES);
    let condition = ["--condition", first.to_str().unwrap(), "--ticks", "1"];
    let (said, second) = run(&program, "second.run", &condition);
    assert_eq!(said.out, "verdict: unknown (the limit on ticks was reached)\n", "{}", said.err);
    assert!(read(&second).rests.is_empty());
    let [second, first] = [&second, &first].map(|path| path.to_str().unwrap());
    let both = ["--condition", second, "--condition", first, "--domain", "predicate", "--paranoid"];
    let (said, last) = run(&program, "last.run", &both);
    assert_eq!(said.out, "verdict: safe\n", "{}", said.err);
    assert_eq!(read(&last).resting.len(), 1);
}

#[test]
fn steps_of_a_plan_hand_on_what_they_left() {
    let (_folder, program, _) = folder_with(TWO);
    let plan = program.with_file_name("plan.toml");
    let steps = "[[step]]\ndomain = \"value\"\nbudget.ticks = 100000\nhand = [\"condition\"]\n\n\
                 [[step]]\ndomain = \"predicate\"\n";
    std::fs::write(&plan, steps).unwrap();
    let (said, path) = run(&program, "p.run", &["--plan", plan.to_str().unwrap(), "--paranoid"]);
    assert_eq!(said.out, "verdict: safe\n", "{}", said.err);
    let run = read(&path);
    assert_eq!((run.rests.len(), run.resting[0].after.run), (1, None));
}

/// A search that skips a part reports it and leaves it open; all else is shown.
#[test]
fn parts_that_are_given_up_are_left_to_the_next_run() {
    let (_folder, program, _) = folder_with(TWO);
    for (part, what) in [
        ("location-states=100", "states at a location"),
        ("place-states=100", "states at a location with the same call stack"),
        ("loop-iterations=100", "iterations of a loop on a path"),
        ("path-steps=1000", "steps on a path"),
        ("path-conditions=150", "conditions on a path"),
    ] {
        let (said, first) = run(&program, "first.run", &["--domain", "value", "--skip", part]);
        let most = part.split_once('=').unwrap().1;
        let verdict = format!("verdict: unknown (the search skipped parts with more than {most} {what})\n");
        assert_eq!(said.out, verdict, "{}", said.err);
        assert!(said.err.contains("1 of 2 targets\n"), "{part}: {}", said.err);
        let first = read(&first);
        let safe = first.targets.iter().filter(|target| matches!(target.verdict, TargetVerdict::Safe { .. }));
        assert_eq!(safe.count(), 1, "{part}: the loop that was followed to its end is done");
        let condition = program.with_file_name("first.run");
        let last = ["--condition", condition.to_str().unwrap(), "--domain", "predicate", "--paranoid"];
        let (said, _) = run(&program, "last.run", &last);
        assert_eq!(said.out, "verdict: safe\n", "{part}: {}", said.err);
    }
}

/// A step that gives parts up ends early; the next one is given these.
#[test]
fn steps_of_a_plan_hand_on_what_they_gave_up() {
    let (_folder, program, _) = folder_with(TWO);
    let plan = program.with_file_name("plan.toml");
    let steps = "[[step]]\ndomain = \"value\"\nskip = [\"loop-iterations=60\"]\nhand = [\"condition\"]\n\n\
                 [[step]]\ndomain = \"predicate\"\n";
    std::fs::write(&plan, steps).unwrap();
    let (said, path) = run(&program, "p.run", &["--plan", plan.to_str().unwrap(), "--paranoid"]);
    assert_eq!(said.out, "verdict: safe\n", "{}", said.err);
    let run = read(&path);
    let is_part = |open: &beeline_run::RunOpen| matches!(open.reason, Reason::GivenUp(Excess::LoopTurns, 60));
    assert!(run.rests[0].open.iter().all(is_part) && !run.rests[0].open.is_empty());
}

/// What a search for predicates that is too long leaves is its path.
#[test]
fn paths_that_take_too_long_to_exclude_are_given_up() {
    let (_folder, program, _) = folder_with(TWO);
    let (said, _) = run(&program, "p.run", &["--domain", "predicate", "--skip", "refinement-ticks=1"]);
    let verdict = "verdict: unknown (the search skipped parts with more than 1 ticks to exclude a path)\n";
    assert_eq!(said.out, verdict, "{}", said.err);
}

/// So is what takes too long to decide or to make, or of which too much is known; the next run goes on there.
#[test]
fn costly_parts_are_left_to_the_next_run() {
    let (_folder, program, _) = folder_with(TWO);
    for (domain, part, what) in [
        ("predicate", "post-ticks=1", "ticks for the successors of a state"),
        ("predicate", "state-size=1", "facts in a state"),
        ("value", "state-size=1", "facts in a state"),
        ("predicate", "path-state-ticks=1", "ticks for the states on a path"),
    ] {
        let (said, first) = run(&program, "first.run", &["--domain", domain, "--skip", part]);
        let most = part.split_once('=').unwrap().1;
        let verdict = format!("verdict: unknown (the search skipped parts with more than {most} {what})\n");
        assert_eq!(said.out, verdict, "{part}: {}", said.err);
        // Abstraction decides it; the built-in plan would unroll the loop that has no end before.
        let last = ["--condition", first.to_str().unwrap(), "--engine", "lazy", "--paranoid"];
        let (said, _) = run(&program, "last.run", &last);
        assert_eq!(said.out, "verdict: safe\n", "{part}: {}", said.err);
    }
}

/// A path that takes too long to decide is no answer, nor is one whose formula is too large to ask a solver about; the next
/// run decides it.
#[test]
fn paths_that_take_too_much_to_decide_are_given_up() {
    let product = "beeline 1.0
fn main() {
  var a: i32, b: i32
  a := input \"a\"
  b := input \"b\"
  if a * b == 77778 goto more else done
  more: if a >u 5 goto bad else done
  bad: target \"product\"
  done: exit
}
";
    let (_folder, program, _) = folder_with(product);
    for (part, what) in
        [("path-ticks=1", "1 ticks to decide a path"), ("formula-size=4", "4 terms in the formula of a path")]
    {
        let (said, first) = run(&program, "first.run", &["--domain", "predicate", "--skip", part]);
        let verdict = format!("verdict: unknown (the search skipped parts with more than {what})\n");
        assert_eq!(said.out, verdict, "{}", said.err);
        let last = ["--condition", first.to_str().unwrap(), "--domain", "predicate"];
        let (said, _) = run(&program, "last.run", &last);
        assert_eq!(said.out, "verdict: unsafe\n", "{part}: {}", said.err);
    }
    // A limit that is not exceeded skips nothing.
    let enough = ["path-ticks", "formula-size", "post-ticks", "path-state-ticks", "state-size"];
    let enough: Vec<String> = enough.iter().map(|part| format!("--skip={part}=100000000")).collect();
    let words: Vec<&str> = enough.iter().map(String::as_str).chain(["--domain", "predicate"]).collect();
    let (said, _) = run(&program, "p.run", &words);
    assert_eq!(said.out, "verdict: unsafe\n", "{}", said.err);
}

/// Decided targets are taken over, and not searched for again.
#[test]
fn targets_that_are_decided_stay_so() {
    let wrong = TWO.replace("if x != y", "if x == 7");
    let (_folder, program, _) = folder_with(&wrong);
    let (said, first) = run(&program, "first.run", &["--target", "hard"]);
    assert_eq!(said.out, "verdict: unsafe\n", "{}", said.err);
    let (said, last) = run(&program, "last.run", &["--condition", first.to_str().unwrap()]);
    assert_eq!(said.out, "verdict: unsafe\n", "{}", said.err);
    let last = read(&last);
    assert_eq!((last.verdict.clone(), last.paths.len(), last.proofs.len()), (RunVerdict::Unsafe, 1, 1));
    let is_safe = |target: &beeline_run::RunTarget| matches!(target.verdict, TargetVerdict::Safe { .. });
    assert_eq!(last.targets.iter().filter(|target| is_safe(target)).count(), 1);
}

#[test]
fn what_is_left_of_another_program_is_refused() {
    let (_folder, program, _) = folder_with(TWO);
    let (_, first) = run(&program, "first.run", &VALUES);
    let (_other_folder, other, _) = folder_with(BRANCH);
    let (said, _) = run(&other, "last.run", &["--condition", first.to_str().unwrap()]);
    assert_eq!((said.code, said.out.as_str()), (2, ""));
    assert!(said.err.contains("first.run"), "{}", said.err);
    let (said, _) = run(&program, "last.run", &["--condition", program.to_str().unwrap()]);
    assert_eq!(said.code, 2, "{}", said.err);
}

/// A program with an assumption in a function that the first run goes through.
const ASSUMED: &str = "beeline 1.0
fn main() {
  var n: i32, x: i32, y: i32
  n := input \"n\"
  if n == 0 goto first else hard
  first: call easy() goto done
  hard: x, y := 0, 0
  head: while x <u n goto body else after
  body: x, y := x + 1, y + 1 goto head
  after: if x != y goto worse else done
  worse: target \"hard\"
  done: exit
}

fn easy() {
  var i: i32
  entry: i := 0
  turn: while i <u 5 goto body else end
  body: i := i + 1 goto turn
  end: call deep() goto done
  done: exit
}

fn deep() {
  entry: skip goto done
  done: exit
}

assumption extern-call hides \"other writes nothing\" at deep:entry@0
";

#[test]
fn what_an_earlier_run_assumed_is_told() {
    let (_folder, program, _) = folder_with(ASSUMED);
    let (said, first) = run(&program, "first.run", &VALUES);
    assert_eq!(said.out, "verdict: unknown (the limit on ticks was reached)\n", "{}", said.err);
    let last = ["--condition", first.to_str().unwrap(), "--domain", "predicate"];
    let (said, last) = run(&program, "last.run", &last);
    assert_eq!(said.out, "verdict: safe\n", "{}", said.err);
    let program = file::read::<Program>(&program).expect("it is a program").body;
    let told: Vec<String> = read(&last).assumptions(&program).into_iter().collect();
    assert_eq!(told, ["other writes nothing"]);
}

/// Two loops that values follow to their ends, the second one again when a target behind it needs one more value.
const AGAIN: &str = "beeline 1.0
fn main() {
  var n: i32, i: i32, s: i32, k: i32, z: i32
  n := input \"n\"
  z, i, s, k := 0, 0, 0, 0
  if n == 0 goto easy else hard
  easy: while i <u 1000 goto turn else ended
  turn: i, s := i + 1, s + 2 goto easy
  ended: if s != 2000 goto bad else done
  bad: target \"easy\"
  hard: while k <u 2000 goto body else after
  body: k := k + 1 goto hard
  after: if z != 0 goto worse else done
  worse: target \"hard\"
  done: exit
}
";

/// Who begins anew does not leave less than nothing: what the graph before showed is left, until the next one shows something.
#[test]
fn more_work_leaves_no_less() {
    let (_folder, program, _) = folder_with(AGAIN);
    let (mut first_left, mut again) = (None, 0);
    for ticks in (5..200).map(|step| step * 100) {
        let search = ["--domain", "value", "--ticks", &ticks.to_string()];
        let (said, path) = run(&program, "p.run", &search);
        if said.out == "verdict: safe\n" {
            break;
        }
        let rests = read(&path).rests.len();
        assert!(rests == 1 || first_left.is_none(), "{ticks}: {}", said.err);
        if rests == 1 {
            first_left.get_or_insert(ticks);
            again += 1;
        }
    }
    assert!(first_left.is_some() && again > 5);
}
