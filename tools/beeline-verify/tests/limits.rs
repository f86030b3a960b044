//! Signals, limits, and a terminal: whatever happens, there is a result.

mod support;

use beeline_ir::file;
use beeline_run::{Run, RunVerdict, Statistic, TargetVerdict};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::{ENDLESS, folder_with, names, tool};

/// A run that does not end by itself.
fn endless(program: &Path, result: &Path) -> Command {
    let mut command = tool();
    command.arg(program).arg("-o").arg(result).args(["--domain", "value"]);
    command
}

/// The reason in a result, and the number of states.
fn unknown(result: &Path) -> (String, u64) {
    let run = file::read::<Run>(result).expect("the result is read").body;
    let states = run.figure(Statistic::States).unwrap_or(0);
    match run.verdict {
        RunVerdict::Unknown(reason) => (reason.to_string(), states),
        verdict => panic!("{verdict:?}"),
    }
}

#[test]
fn signals_end_in_a_result_within_a_second() {
    for signal in ["INT", "TERM"] {
        let (folder, program, _) = folder_with(ENDLESS);
        let result = folder.path().join("p.run");
        let child = endless(&program, &result).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let child = child.expect("the tool runs");
        std::thread::sleep(Duration::from_millis(500));
        let killed = Command::new("kill").arg(format!("-{signal}")).arg(child.id().to_string()).status();
        assert!(killed.expect("the signal is sent").success());
        let sent = Instant::now();
        let output = child.wait_with_output().expect("the tool ends");
        assert!(sent.elapsed() < Duration::from_secs(1), "{signal}: {:?}", sent.elapsed());
        assert_eq!(output.status.code(), Some(0), "{signal}");
        let printed = String::from_utf8_lossy(&output.stdout);
        assert_eq!(printed, "verdict: unknown (the run was interrupted)\n", "{signal}");
        let (reason, states) = unknown(&result);
        assert!(reason.contains("interrupted") && states > 100, "{signal}: {reason}, {states} states");
        assert_eq!(names(folder.path()), ["p.cfa", "p.run"], "{signal}");
    }
}

/// Where the system has not even the memory that a search begins with.
#[test]
fn too_little_memory_to_begin_with_is_a_limit() {
    let (folder, program, _) = folder_with(ENDLESS);
    let result = folder.path().join("p.run");
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 350000; exec \"$@\"", "sh"]).arg(tool().get_program());
    let output = command.arg(&program).arg("-o").arg(&result).output().expect("the tool runs");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(printed, "verdict: unknown (the memory limit was reached)\n");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(unknown(&result).0, "the memory limit was reached");
}

#[test]
fn limits_end_in_a_result() {
    for (option, limit, reason) in [
        ("--time-limit", "300ms", "the time limit was reached"),
        ("--memory-limit", "100M", "the memory limit was reached"),
        ("--max-states", "1000", "the limit on states was reached"),
    ] {
        let (folder, program, _) = folder_with(ENDLESS);
        let result = folder.path().join("p.run");
        let start = Instant::now();
        let output = endless(&program, &result).args([option, limit]).output().expect("the tool runs");
        assert_eq!(output.status.code(), Some(0), "{option}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), format!("verdict: unknown ({reason})\n"));
        assert_eq!(unknown(&result).0, reason);
        if option == "--time-limit" {
            assert!(start.elapsed() < Duration::from_millis(1300), "{:?}", start.elapsed());
        }
    }
}

/// A function that calls itself with a counter: each state knows the values of all calls that are open.
const DEEPER: &str = "beeline 1.0
fn main() {
  first: call f(0)
  done: exit
}
fn f(n: i32) {
  var a: i32, b: i32, c: i32, go: bool
  first: a, b, c := n, n + 1, n + 2
  ask: go := input \"go\"
  if go goto on else last
  on: call f(a + 1)
  back: if b == 5 && c == 9 goto bad else last
  bad: target \"both\"
  last: exit
}
";

#[test]
fn memory_stays_within_its_limit_where_each_state_is_larger_than_the_one_before() {
    let (folder, program, _) = folder_with(DEEPER);
    let run = |limit: [&str; 2]| {
        let result = folder.path().join("p.run");
        let mut command = endless(&program, &result);
        let output = command.args(limit).arg("--json").output().expect("the tool runs");
        assert_eq!(output.status.code(), Some(0));
        let printed: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
        let figures = printed["statistics"].as_array().expect("figures are told");
        let peak = figures.iter().find(|figure| figure["name"] == "peak memory");
        let peak = peak.and_then(|figure| figure["value"].as_u64()).expect("the peak is told");
        (unknown(&result).0, peak)
    };
    let (reason, peak) = run(["--memory-limit", "400M"]);
    assert_eq!(reason, "the memory limit was reached");
    assert!(peak < 440 << 20, "{peak}");
    // Ticks count what states hold, too.
    let (reason, peak) = run(["--ticks", "3000000"]);
    assert_eq!(reason, "the limit on ticks was reached");
    assert!(peak < 2 << 30, "{peak}");
}

/// One target is excluded at once, as is an access outside before it; the other one is open as long as it is searched.
const ONE_OF_TWO: &str = "beeline 1.0
region memory: i64 -> i8 in 0x1000+4
fn main() {
  var x: i64, y: i64
  first: x := input \"x\"
  if x <u 4 goto more else start
  more: memory[0x1000 + x] := 1
  if x >s 4 goto never else start
  never: target \"never\"
  start: x, y := 0, 1
  head: while x != 7 goto body else bad
  body: x := x * x * y + 4
  y := y + 2 goto head
  bad: target \"perhaps\"
  done: exit
}
";

/// The results of a run with some options on a program: the number of safe targets, whose proof is valid without
/// assumptions.
fn safe_targets(source: &str, options: &[&str]) -> usize {
    let (folder, program, _) = folder_with(source);
    let result = folder.path().join("p.run");
    let mut command = tool();
    command.arg(&program).arg("-o").arg(&result).args(options);
    assert_eq!(command.output().expect("the tool runs").status.code(), Some(0), "{options:?}");
    let run = file::read::<Run>(&result).expect("the result is read").body;
    assert!(matches!(run.verdict, RunVerdict::Unknown(_)), "{options:?}");
    let program = file::read_program(&program).expect("the program is read").body;
    assert_eq!(run.assumptions(&program).into_iter().collect::<Vec<_>>(), [""; 0], "{options:?}");
    let report = beeline_proof::check_chain(&program, &run, &[], &Default::default());
    assert!(run.proofs.is_empty() || report.outcome == beeline_proof::Outcome::Valid, "{options:?}");
    run.targets.iter().filter(|target| matches!(target.verdict, TargetVerdict::Safe { .. })).count()
}

/// The first graphs exclude one target before the other one is reached. When that one leads to values that are tracked, the
/// next graph does not get beyond the loop before both.
#[test]
fn what_was_shown_before_a_restart_is_safe() {
    let way: String = (0..14).map(|number| format!("  s{number}: z := z + 1\n")).collect();
    let program = format!(
        "beeline 1.0
fn main() {{
  var i: i64, y: i64, z: i64, go: bool
  first: i, y := 0, 1
  head: go := input \"go\"
  if go goto body else out
  body: i, y := (i + 1) & 3, y * 5 + 1 goto head
  out: if i == 5 goto never else later
  never: target \"never\"
  later: z := 0
{way}  if y == 7 goto bad else done
  bad: target \"perhaps\"
  done: exit
}}
"
    );
    for limit in [["--max-states", "1000"], ["--ticks", "100000"]] {
        let search = ["--domain", "value", "--search", "bfs", "--block", "sbe"];
        for calls in ["stack", "summaries"] {
            let options = [&search[..], &["--calls", calls], &limit].concat();
            assert_eq!(safe_targets(&program, &options), 1, "{options:?}");
        }
    }
}

#[test]
fn what_a_step_of_a_plan_showed_outlasts_the_limits_of_later_ones() {
    let (folder, ..) = folder_with(ONE_OF_TWO);
    let plan = folder.path().join("plan.toml");
    for (second, limit) in [
        ("engine = \"bounded\"", ["--ticks", "500000"]),
        ("domain = \"value\"", ["--memory-limit", "200M"]),
        ("domain = \"value\"\ncalls = \"top\"", ["--max-states", "3000"]),
    ] {
        let first = "[[step]]\ndomain = \"value\"\nbudget = { ticks = 100000 }\n";
        std::fs::write(&plan, format!("{first}[[step]]\n{second}\n")).expect("it can be written");
        let plan = plan.display().to_string();
        let options = [&["--plan", &plan, "--every"][..], &limit].concat();
        assert_eq!(safe_targets(ONE_OF_TWO, &options), 1, "{second}");
    }
}

#[test]
fn what_was_shown_before_a_limit_is_safe() {
    let limits = [
        "--domain value --max-states 3000",
        "--domain value --time-limit 500ms",
        "--domain value --memory-limit 250M",
        "--domain value --ticks 200000",
        "--calls top --domain value --max-states 3000",
        "--calls summaries --ticks 300000",
        "--engine bounded --unwind 4",
        "--engine bounded --ticks 3000000",
    ];
    for limit in limits {
        assert_eq!(safe_targets(ONE_OF_TWO, &limit.split(' ').collect::<Vec<_>>()), 1, "{limit:?}");
    }
}

#[test]
fn the_graph_of_an_unfinished_search_is_drawn() {
    let (folder, program, _) = folder_with(ENDLESS);
    let graph = folder.path().join("p.dot");
    let mut search = endless(&program, &folder.path().join("p.run"));
    let output = search.args(["--max-states", "20", "--dump-graph"]).arg(&graph).output();
    assert_eq!(output.expect("the tool runs").status.code(), Some(0));
    let drawn = std::fs::read_to_string(&graph).expect("the graph is drawn");
    assert!(drawn.starts_with("digraph ") && drawn.contains("  s0 -> s1;\n"), "{drawn}");
    assert!(drawn.contains("s1 [label=\"1: main:head\\nx = 0\\ny = 1\\ntrue\"];"), "{drawn}");
    let waiting =
        drawn.lines().filter(|line| line.ends_with("\\nwaits\", style=filled, fillcolor=lightyellow];"));
    assert!(waiting.count() > 0, "{drawn}");
}

#[test]
fn the_graph_of_an_interrupted_search_is_drawn() {
    let (folder, program, _) = folder_with(ENDLESS);
    let graph = folder.path().join("p.dot");
    let mut search = endless(&program, &folder.path().join("p.run"));
    search.arg("--dump-graph").arg(&graph).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = search.spawn().expect("the tool runs");
    std::thread::sleep(Duration::from_millis(300));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("the signal is sent").success() && child.wait().expect("the tool ends").success());
    assert!(std::fs::read_to_string(&graph).expect("the graph is drawn").contains("waits"));
}

#[test]
fn limits_of_zero_and_nonsense_are_refused() {
    let (_folder, program, _) = folder_with(ENDLESS);
    for (option, limit, message) in [
        ("--time-limit", "0", "'--time-limit <TIME>': write a positive time"),
        ("--time-limit", "soon", "invalid value 'soon'"),
        ("--query-ticks", "0", "'0' for '--query-ticks <TICKS>': write a positive number"),
        ("--ticks", "0", "'0' for '--ticks <TICKS>': write a positive number"),
        ("--ticks", "many", "'many' for '--ticks <TICKS>': write a positive number"),
        ("--memory-limit", "0", "'--memory-limit <SIZE>': write a positive size"),
        ("--memory-limit", "2T", "invalid value '2T'"),
        ("--max-states", "0", "'0' for '--max-states <STATES>': write a positive number"),
        ("--search", "sideways", "invalid value 'sideways'"),
        ("--unwind", "0", "write a positive number"),
        ("--unwind", "away.c:7=3", "no loop at away.c:7"),
    ] {
        let output = tool().arg(&program).args([option, limit]).output().expect("the tool runs");
        let printed = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{option} {limit}: {printed}");
        assert!(printed.contains(message) && output.stdout.is_empty(), "{option} {limit}: {printed}");
    }
}

#[test]
fn a_query_that_takes_long_does_not_hold_up_a_signal() {
    // An equation of the third degree: nothing that a solver decides at once.
    let hard = "beeline 1.0
fn main() {
  var p: i128, q: i128
  p := input \"p\"
  q := input \"q\"
  assume p >u 1 && q >u 1 && p <u 0x10000000000 && q <u 0x10000000000
  if p * p * p + q * q * q == 33 + 32 * p * q goto bad else done
  bad: target \"found\"
  done: exit
}
";
    let (folder, program, _) = folder_with(hard);
    let result = folder.path().join("p.run");
    let start = Instant::now();
    let output = tool()
        .arg(&program)
        .args(["--query-ticks", "4000000000", "--time-limit", "700ms", "-o"])
        .arg(&result)
        .output()
        .expect("the tool runs");
    assert!(start.elapsed() < Duration::from_millis(1900), "{:?}", start.elapsed());
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(unknown(&result).0, "the time limit was reached");
}

#[test]
fn a_terminal_shows_progress() {
    let (folder, program, _) = folder_with(ENDLESS);
    let result = folder.path().join("p.run");
    let inner = endless(&program, &result);
    let words = std::iter::once(inner.get_program()).chain(inner.get_args());
    let line: Vec<_> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    // `script` gives it a terminal.
    let output = Command::new("script")
        .args(["-qec", &format!("{} --time-limit 700ms", line.join(" ")), "/dev/null"])
        .stdin(Stdio::null())
        .output()
        .expect("script runs");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains(" waiting, ") && printed.contains("distance 0, "), "{printed:?}");
    let last = printed.trim_end().rsplit(['\r', '\n']).next().unwrap_or_default();
    assert_eq!(last, "verdict: unknown (the time limit was reached)", "{printed:?}");
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let (folder, program, _) = folder_with(support::BRANCH);
    let result = folder.path().join("p.run");
    let line = format!(
        "{{ {} {} -o {}; echo \"code $?\" >&2; }} | true",
        env!("CARGO_BIN_EXE_beeline-verify"),
        program.display(),
        result.display()
    );
    let output = Command::new("sh").args(["-c", &line]).output().expect("sh runs");
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(!printed.contains("panicked"), "{printed}");
    // The reader may have gone before or after the verdict was printed.
    assert!(printed.contains("code 0") || printed.contains("cannot write"), "{printed}");
    assert!(result.exists());
}
