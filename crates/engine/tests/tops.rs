//! Stack abstraction: calls are popped, no answer is wrong, and what cannot be shown that way is found.

use beeline_engine::outcome::run::record;
use beeline_engine::{
    Calls, Distances, Domain, Metric, Monitor, Options, Order, Statistics, Verdict, verify,
};
use beeline_ir::Program;
use beeline_ir::text::parse;
use beeline_proof::{Outcome, check_result};
use std::time::Duration;

const DOMAINS: [Domain; 3] = [Domain::Values, Domain::Predicates, Domain::Both];

fn parsed(text: &str) -> Program {
    parse(text).unwrap_or_else(|faults| panic!("{faults:?}\n{text}"))
}

fn searched(program: &Program, options: &Options) -> (Verdict, Statistics) {
    let options = Options { time: Some(Duration::from_secs(20)), ..options.clone() };
    verify(program, &options, &mut Distances::new(program, Metric::BasicBlocks), &Monitor::default())
}

fn tops(program: &Program, domain: Domain) -> (Verdict, Statistics) {
    // If everything is explored before a path is checked, most calls are popped.
    let (order, targets_per_round) = (Order::BreadthFirst, usize::MAX);
    searched(program, &Options { calls: Calls::Top, domain, order, targets_per_round, ..Options::default() })
}

/// A program that reads after a call what the callee only writes a few levels deeper.
fn deep(write: &str, read: &str) -> Program {
    parsed(&format!(
        "beeline 1.0
region m: i8 -> i8 in 0x10+2 := 0x10: 0
global g: i8 := 0
entry main
fn f(d: i8) -> r: i8 {{
  r := 0
  if d == 0 goto set else deeper
  set: {write} goto last
  deeper: r := call f(d - 1)
  last: exit
}}
fn main() {{
  var d: i8, r: i8
  d := input \"deep\"
  if d <u 3 goto fine else go
  go: g := 0
  m[0x10i8] := 0
  r := call f(d)
  if {read} goto bad else fine
  bad: target \"deep\"
  fine: exit
}}
"
    ))
}

#[test]
fn what_a_popped_call_does_is_not_lost() {
    for (write, read) in [("g := 7", "g == 7"), ("m[0x10i8] := 7", "m[0x10i8] == 7"), ("r := 7", "r == 7")] {
        let program = deep(write, read);
        for domain in DOMAINS {
            let (verdict, statistics) = tops(&program, domain);
            assert!(verdict.is_unsafe(), "{write}, {domain:?}: {verdict:?}");
            assert!(statistics.pops > 0, "{write}, {domain:?}: a call is popped on the way");
            assert!(statistics.kept_stacks > 0, "{write}, {domain:?}: some calls have to be followed");
        }
    }
}

/// Recursion without bounds, in which the variables of the topmost call matter.
const INSIDE: &str = "beeline 1.0
global g: i8 := 1
fn f(n: i32, m: i32) -> r: i32 {
  if n <s 0 goto bad else fine
  bad: target \"inside\"
  fine: if n == 0 goto end else deeper
  end: r := m goto last
  deeper: r := call f(n - 1, m + 1)
  last: exit
}
entry main
fn main() {
  var n: i32, r: i32, k: i32
  n := input \"n\"
  k := 5
  if n <s 0 goto done else go
  go: r := call f(n, 0)
  if k != 5 goto worse else done
  worse: target \"outside\"
  done: exit
}
";

#[test]
fn recursion_without_bounds_is_proved() {
    let program = parsed(INSIDE);
    for domain in [Domain::Predicates, Domain::Both] {
        let (verdict, statistics) = tops(&program, domain);
        assert!(verdict.is_safe(), "{domain:?}: {verdict:?}");
        assert!(statistics.pops > 0, "{domain:?}");
        let run = record(&program, &verdict, &statistics);
        let checked = check_result(&program, &run, &beeline_proof::Options::default());
        assert_eq!(checked.outcome, Outcome::Valid, "{domain:?}");
    }
}

#[test]
fn programs_without_calls_are_explored_as_without_pops() {
    let program = parsed(
        "beeline 1.0
entry main
fn main() {
  var n: i32, i: i32
  n := input \"n\"
  i := 0
  head: while i <u n goto body else done
  body: if i == n goto bad else next
  next: i := i + 1 goto head
  bad: target \"never\"
  done: exit
}
",
    );
    for domain in DOMAINS {
        let (_, with) = tops(&program, domain);
        let (order, targets_per_round) = (Order::BreadthFirst, usize::MAX);
        let options = Options { domain, order, targets_per_round, ..Options::default() };
        let (_, without) = searched(&program, &options);
        let counts =
            |statistics: &Statistics| (statistics.states, statistics.coverage_checks, statistics.pops);
        assert_eq!(counts(&with), counts(&without), "{domain:?}");
    }
}
