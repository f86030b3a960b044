//! Proofs by induction over the iterations of loops: those of the engine are valid, and mutants of them are
//! not.

mod support {
    pub(crate) mod engine;
    pub(crate) mod outcome;
}

use beeline_ir::text::parse;
use beeline_ir::{LocId, Program};
use beeline_proof::Outcome;
use beeline_run::{RunInduction, RunInvariants, RunUnrolling};
use support::engine::{outcome, proof};

/// A shift register: its last cell holds what entered three iterations ago. What enters is even, which no order says.
const REGISTER: &str = "beeline 1.0
    fn main() {
      var n: i32, i: i32, a: i8, b: i8, c: i8, d: i8
      n := input \"n\"
      i, a, b, c := 0, 0, 0, START
      head: while i <u n goto any else after
      any: d := input \"d\"
      body: i, a, b, c := i + 1, b, c, d * 2
      look: if (a & 1) == 0 goto head else bad
      after: if (a & 1) == 0 goto done else bad
      bad: target \"odd\"
      done: exit
    }";

/// A counter in memory, incremented by a callee. It reaches every number that it is not kept from.
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

/// A nested loop. The inner one has the property to prove.
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

/// A counter that is checked only after the loop.
const PASSED: &str = "beeline 1.0
    fn main() {
      var n: i32, i: i32, x: i8
      n := input \"n\"
      i, x := 0, 0
      head: while i <u n goto body else after
      body: i, x := i + 1, (x + 2) & MASK goto head
      after: if x <=u 20 goto done else bad
      bad: target \"too many\"
      done: exit
    }";

/// A counter that a callee checks.
const LOOKED_AT: &str = "beeline 1.0
    entry main
    fn look(x: i8) {
      again: if x <=u 20 goto end else bad
      bad: target \"too many\"
      end: exit
    }
    fn main() {
      var n: i32, i: i32, x: i8
      n := input \"n\"
      i, x := 0, 0
      head: while i <u n goto body else done
      body: if x == LAST goto anew else more
      anew: x := 0 goto check
      more: x := x + 1 goto check
      check: call look(x)
      next: i := i + 1 goto head
      done: exit
    }";

/// A counter of all iterations of a loop, incremented by a callee. The loop calls its own function.
const RECURSIVE: &str = "beeline 1.0
    entry main
    global c: i8 := 0
    fn count() {
      again: if c == LAST goto anew else more
      anew: c := 0 goto end
      more: c := c + 1 goto end
      end: exit
    }
    fn walk(depth: i8, n: i32) {
      var i: i32
      i := 0
      head: while i <u n goto body else end
      body: if depth == 0 goto one else deeper
      deeper: call walk(depth - 1, n)
      one: call count()
      look: if c <=u 20 goto next else bad
      next: i := i + 1 goto head
      bad: target \"too many\"
      end: exit
    }
    fn main() {
      var n: i32
      n := input \"n\"
      call walk(1, n)
      done: exit
    }";

fn program(text: &str, what: &str, with: &str) -> Program {
    parse(&text.replace(what, with)).unwrap_or_else(|faults| panic!("{}", faults[0]))
}

/// The engine's proof by induction that a program is safe.
#[track_caller]
fn by_induction(program: &Program) -> RunUnrolling {
    let proof = proof(program);
    assert!(!proof.inductions.is_empty(), "{proof:?}");
    proof
}

#[track_caller]
fn assert_invalid(program: &Program, proof: &RunUnrolling) {
    let outcome = outcome(program, proof);
    assert!(matches!(outcome, Outcome::Invalid(_)), "{outcome:?}");
}

#[test]
fn proofs_of_the_engine_are_valid() {
    let programs = [
        (REGISTER, "START", "0"),
        (COUNTER, "LAST", "40"),
        (NESTED, "MASK", "1"),
        (PASSED, "MASK", "15"),
        (LOOKED_AT, "LAST", "20"),
        (RECURSIVE, "LAST", "20"),
    ];
    for (text, what, with) in programs {
        let program = program(text, what, with);
        assert_eq!(outcome(&program, &by_induction(&program)), Outcome::Valid, "{text}");
    }
}

#[test]
fn too_few_iterations_show_nothing() {
    let program = program(REGISTER, "START", "0");
    let mut changed = by_induction(&program);
    assert_eq!(changed.inductions[0].turns, 3);
    changed.inductions[0].turns = 1;
    assert_invalid(&program, &changed);
}

#[test]
fn the_first_iterations_are_checked() {
    let safe = by_induction(&program(REGISTER, "START", "0"));
    assert_invalid(&program(REGISTER, "START", "5"), &safe);
}

/// What is far from the first iterations is found only if everything that an iteration may write is havocked,
/// in callees and in memory.
#[test]
fn an_error_after_many_iterations_is_found() {
    let safe = by_induction(&program(COUNTER, "LAST", "40"));
    assert_invalid(&program(COUNTER, "LAST", "41"), &safe);
}

#[test]
fn an_error_after_the_loop_is_found() {
    let safe = by_induction(&program(PASSED, "MASK", "15"));
    assert_invalid(&program(PASSED, "MASK", "63"), &safe);
}

#[test]
fn targets_in_callees_are_found() {
    let safe = by_induction(&program(LOOKED_AT, "LAST", "20"));
    assert_invalid(&program(LOOKED_AT, "LAST", "21"), &safe);
}

#[test]
fn an_error_in_a_loop_that_calls_its_function_is_found() {
    let safe = by_induction(&program(RECURSIVE, "LAST", "20"));
    assert_invalid(&program(RECURSIVE, "LAST", "21"), &safe);
}

#[test]
fn the_iterations_of_inner_loops_are_checked() {
    let safe = by_induction(&program(NESTED, "MASK", "1"));
    assert!(safe.inductions.len() == 2, "{safe:?}");
    assert_invalid(&program(NESTED, "MASK", "64"), &safe);
}

#[test]
fn a_loop_without_an_induction_is_not_skipped() {
    let program = program(NESTED, "MASK", "1");
    let mut changed = by_induction(&program);
    changed.inductions.pop();
    assert_ne!(outcome(&program, &changed), Outcome::Valid);
}

#[test]
fn inductions_about_something_else_are_refused() {
    let program = program(REGISTER, "START", "0");
    let proof = by_induction(&program);
    let first = proof.inductions[0];
    let zero = RunInduction { turns: 0, ..first };
    let nowhere = RunInduction { head: LocId::from_u32(999), ..first };
    let no_head = RunInduction { head: program.targets[0].loc, ..first };
    let endless = RunInduction { turns: u32::MAX, ..first };
    for inductions in [vec![first, first], vec![zero], vec![nowhere], vec![no_head], vec![endless]] {
        assert_invalid(&program, &RunUnrolling { inductions, ..proof.clone() });
    }
}

/// A loop that is entered elsewhere than at its head has iterations that do not begin where the induction
/// assumes.
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
        let (contexts, ends, entered, invariants) = (vec![], vec![], vec![], RunInvariants::default());
        let proof = RunUnrolling { contexts, ends, places: 0, entered, inductions, invariants };
        assert_invalid(&program, &proof);
    }
}
