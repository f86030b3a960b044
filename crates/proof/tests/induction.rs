//! Proofs by induction over the turns of loops: those that the engine finds are valid, and mutants of them are not.

use beeline_engine::{Bounded, Distances, Engine, Metric, Monitor, Task};
use beeline_ir::text::parse;
use beeline_ir::{LocId, Program};
use beeline_proof::{Options, Outcome, check};
use beeline_run::{Certificate, RunInduction, RunUnrolling};
use std::time::Duration;

/// What is three turns old is what was there three turns ago.
const REGISTER: &str = "beeline 1.0
    fn main() {
      var n: i32, i: i32, a: i8, b: i8, c: i8
      n := input \"n\"
      i, a, b, c := 0, 0, 0, START
      head: while i <u n goto body else after
      body: i, a, b, c := i + 1, b, c, 0
      look: if a == 0 goto head else bad
      after: if a == 0 goto done else bad
      bad: target \"not zero\"
      done: exit
    }";

/// A counter in memory, which a callee counts: it gets to any number that it is not kept from.
const COUNTER: &str = "beeline 1.0
    entry main
    region m: i64 -> i8 in 0x100+2
    fn count() {
      again: if m[0x100] <u LAST goto more else anew
      more: m[0x100] := m[0x100] + 1 goto end
      anew: m[0x100] := 0 goto end
      end: exit
    }
    fn main() {
      var n: i32, i: i32
      n := input \"n\"
      i := 0
      m[0x100] := 0
      head: while i <u n goto body else after
      body: call count()
      next: i := i + 1 goto head
      after: if m[0x100] <=u 40 goto done else bad
      bad: target \"too many\"
      done: exit
    }";

/// A loop in a loop, the inner one with what is to be seen.
const NESTED: &str = "beeline 1.0
    fn main() {
      var n: i32, k: i32, i: i32, j: i32, s: i8
      n := input \"n\"
      k := input \"k\"
      i, s := 0, 0
      outer: while i <u n goto begin else done
      begin: j := 0
      inner: while j <u k goto body else next
      body: s, j := s + 2, j + 1
      look: if (s & MASK) == 0 goto inner else bad
      next: i := i + 1 goto outer
      bad: target \"odd\"
      done: exit
    }";

fn program(text: &str, what: &str, with: &str) -> Program {
    parse(&text.replace(what, with)).unwrap_or_else(|faults| panic!("{}", faults[0]))
}

/// The engine's proof that a program is safe.
fn proof(program: &Program) -> RunUnrolling {
    let options = beeline_engine::Options {
        time: Some(Duration::from_secs(30)),
        query_ticks: 30_000_000,
        ..beeline_engine::Options::default()
    };
    let mut distances = Distances::new(program, Metric::BasicBlocks);
    let task = Task::new(program, &mut distances, options.nothing_known());
    let outcome = Bounded { options: &options }.run(task, &Monitor::default());
    let run = beeline_engine::run::record(program, &outcome.verdict, &outcome.statistics);
    match run.proof() {
        Some(Certificate::Unrolling(proof)) if !proof.inductions.is_empty() => proof.clone(),
        other => panic!("{:?} with {other:?}", outcome.verdict),
    }
}

fn outcome(program: &Program, proof: &RunUnrolling) -> Outcome {
    let options = Options { query_ticks: 15_000_000, time: Some(Duration::from_secs(20)) };
    check(program, &Certificate::Unrolling(proof.clone()), &options).outcome
}

#[track_caller]
fn assert_invalid(program: &Program, proof: &RunUnrolling) {
    let outcome = outcome(program, proof);
    assert!(matches!(outcome, Outcome::Invalid(_)), "{outcome:?}");
}

#[test]
fn proofs_of_the_engine_are_valid() {
    for (text, what, with) in [(REGISTER, "START", "0"), (COUNTER, "LAST", "40"), (NESTED, "MASK", "1")] {
        let program = program(text, what, with);
        assert_eq!(outcome(&program, &proof(&program)), Outcome::Valid, "{text}");
    }
}

#[test]
fn fewer_turns_than_it_takes_show_nothing() {
    let program = program(REGISTER, "START", "0");
    let mut changed = proof(&program);
    assert_eq!(changed.inductions[0].turns, 3);
    changed.inductions[0].turns = 1;
    assert_invalid(&program, &changed);
}

#[test]
fn the_first_turns_are_looked_at() {
    let safe = proof(&program(REGISTER, "START", "0"));
    assert_invalid(&program(REGISTER, "START", "5"), &safe);
}

/// What is far from the first turns is seen only if all that a turn may write is forgotten, in callees and in memory.
#[test]
fn what_takes_many_turns_is_seen() {
    let safe = proof(&program(COUNTER, "LAST", "40"));
    assert_invalid(&program(COUNTER, "LAST", "41"), &safe);
}

#[test]
fn the_turns_of_loops_inside_are_looked_at() {
    let safe = proof(&program(NESTED, "MASK", "1"));
    assert!(safe.inductions.len() == 2, "{safe:?}");
    assert_invalid(&program(NESTED, "MASK", "64"), &safe);
}

#[test]
fn a_loop_that_is_left_out_is_not_passed_over() {
    let program = program(NESTED, "MASK", "1");
    let mut changed = proof(&program);
    changed.inductions.pop();
    assert_ne!(outcome(&program, &changed), Outcome::Valid);
}

#[test]
fn inductions_about_something_else_are_refused() {
    let program = program(REGISTER, "START", "0");
    let proof = proof(&program);
    let first = proof.inductions[0];
    let zero = RunInduction { turns: 0, ..first };
    let nowhere = RunInduction { head: LocId::from_u32(999), ..first };
    let no_head = RunInduction { head: program.targets[0].loc, ..first };
    let endless = RunInduction { turns: u32::MAX, ..first };
    for inductions in [vec![first, first], vec![zero], vec![nowhere], vec![no_head], vec![endless]] {
        assert_invalid(&program, &RunUnrolling { inductions, ..proof.clone() });
    }
}

/// A loop that is entered beside its head begins a turn of which the induction knows no begin.
#[test]
fn a_loop_with_two_entries_is_refused() {
    let text = "beeline 1.0
        fn main() {
          var n: i32, x: i8
          n := input \"n\"
          x := 0
          choose: if n == 0 goto one else two
          one: x := 1 goto two
          two: x := x & 1
          look: if x <u 2 goto more else bad
          more: if n == 7 goto done else one
          bad: target \"two\"
          done: exit
        }";
    let program = program(text, "", "");
    for loc in (0..program.num_locs() as u32).map(LocId::from_u32) {
        let inductions = vec![RunInduction { head: loc, turns: 1 }];
        let proof = RunUnrolling { contexts: vec![], ends: vec![], places: 0, entered: vec![], inductions };
        assert_invalid(&program, &proof);
    }
}
