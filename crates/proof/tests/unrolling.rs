//! Proofs by unrolling: those of the engine are valid, and none is valid that ends at a place that an
//! execution reaches.

mod support {
    pub(crate) mod engine;
    pub(crate) mod outcome;
}

use beeline_ir::Program;
use beeline_ir::text::{TextError, parse};
use beeline_proof::Outcome;
use beeline_run::{RunEnd, RunUnrolling};
use support::engine::{outcome, proof, unrolled};

/// Programs, each with a limit that makes it safe and one that does not.
const PROGRAMS: [(&str, &str, [&str; 2]); 7] = [
    (
        "a loop in a loop",
        "beeline 1.0
        fn main() {
          var n: i8, i: i8, j: i8, s: i8
          n := input \"n\"
          assume n <u 4
          i, s := 0, 0
          outer: while i <u n goto begin else after
          begin: j := 0
          inner: while j <u i goto body else next
          body: s, j := s + 1, j + 1 goto inner
          next: i := i + 1 goto outer
          after: if s <u LIMIT goto done else bad
          bad: target \"too many\"
          done: exit
        }",
        ["4", "3"],
    ),
    (
        "a loop that constants decide on",
        "beeline 1.0
        fn main() {
          var x: i8, i: i8
          x := input \"x\"
          i := 0
          head: while i <u 20 goto body else after
          body: i, x := i + 1, x | 1 goto head
          after: if x != LIMIT goto done else bad
          bad: target \"even\"
          done: exit
        }",
        ["2", "3"],
    ),
    (
        "recursion",
        "beeline 1.0
        entry main
        fn down(n: i8) -> r: i8 {
          var s: i8
          r := 0
          again: if n == 0 goto end else more
          more: s := call down(n - 1)
          r := s + 2
          end: exit
        }
        fn main() {
          var n: i8, s: i8
          n := input \"n\"
          assume n <u 5
          s := call down(n)
          after: if s == LIMIT goto bad else done
          bad: target \"reached\"
          done: exit
        }",
        ["7", "6"],
    ),
    (
        "memory at an unknown address",
        "beeline 1.0
        region m: i64 -> i8 in 0x100+4, 0x200+4
        fn main() {
          var i: i64, j: i64, x: i8
          i := input \"i\"
          assume i <u 4
          j := input \"j\"
          assume j <u 4
          m[0x100 + i] := 7
          m[0x200 + j] := LIMIT
          x := m[0x100 + i]
          look: if x == 7 goto good else bad
          good: if m[0x200 + j] == 9 goto bad else done
          bad: target \"changed\"
          done: exit
        }",
        ["8", "9"],
    ),
    (
        "a range that is filled",
        "beeline 1.0
        entry main
        region m: i64 -> i8 in 0x100+8, 0x200+4 := 0x100: 1 * 8
        fn main() {
          var n: i64, to: i64
          n := input \"n\"
          to := input \"to\"
          assume 0x100 <=u to && to <u 0x106 && n <u LIMIT
          call fill(to, 7i8, n)
          look: if m[0x107] == 7 goto bad else done
          bad: target \"too far\"
          done: exit
        }
        fn fill(to: i64, from: i8, size: i64) {
          var i: i64
          i := 0
          more: while i + 1 <=u size goto body else done
          body: m[to + i] := from
          i := i + 1 goto more
          done: exit
        }",
        ["3", "4"],
    ),
    (
        "a range that is known",
        "beeline 1.0
        entry main
        region m: i64 -> i8 in 0x100+8 := 0x100: 1 * 8
        fn main() {
          var n: i64
          n := input \"n\"
          m[0x100] := trunc(n, i8)
          call fill(0x101, 7i8, LIMIT)
          look: if m[0x104] == 7 || m[0x100] != trunc(n, i8) goto bad else done
          bad: target \"too far\"
          done: exit
        }
        fn fill(to: i64, from: i8, size: i64) {
          var i: i64
          i := 0
          more: while i + 1 <=u size goto body else done
          body: m[to + i] := from
          i := i + 1 goto more
          done: exit
        }",
        ["3", "4"],
    ),
    (
        "a range that is copied onto itself",
        "beeline 1.0
        entry main
        region m: i64 -> i8 in 0x100+8 := 0x100: 1, 2, 3, 4, 5, 6, 7, 8
        fn main() {
          var n: i64, k: i64
          n := input \"n\"
          k := input \"k\"
          assume k <u 4 && n <u 5
          call copy(0x100 + k, 0x100, n)
          look: if k == 1 && n == LIMIT && m[0x103] == 4 goto bad else done
          bad: target \"not moved\"
          done: exit
        }
        fn copy(to: i64, from: i64, size: i64) {
          var i: i64
          if to <=u from goto up else down
          up: i := 0
          upwards: while i + 1 <=u size goto next else done
          next: m[to + i] := m[from + i]
          i := i + 1 goto upwards
          down: i := size
          downwards: while 0 <u i goto last else done
          last: i := i - 1
          m[to + i] := m[from + i] goto downwards
          done: exit
        }",
        ["3", "2"],
    ),
];

fn program(index: usize, limit: &str) -> Program {
    let text = PROGRAMS[index].1.replace("LIMIT", limit);
    parse(&text).unwrap_or_else(|faults| {
        let faults: Vec<String> = faults.iter().map(TextError::to_string).collect();
        panic!("{}: {}", PROGRAMS[index].0, faults.join("\n"))
    })
}

fn safe(index: usize) -> (Program, RunUnrolling) {
    let program = program(index, PROGRAMS[index].2[0]);
    let proof = proof(&program);
    (program, proof)
}

#[test]
fn proofs_of_the_engine_are_valid() {
    for (index, (name, ..)) in PROGRAMS.iter().enumerate() {
        let (program, proof) = safe(index);
        assert_eq!(outcome(&program, &proof), Outcome::Valid, "{name}");
    }
}

#[test]
fn a_proof_of_one_program_is_none_of_an_unsafe_one() {
    for (index, (name, _, [_, wrong])) in PROGRAMS.iter().enumerate() {
        let (_, proof) = safe(index);
        let wrong = program(index, wrong);
        assert!(unrolled(&wrong).0.is_unsafe(), "{name}");
        assert!(matches!(outcome(&wrong, &proof), Outcome::Invalid(_)), "{name}");
    }
}

/// An unrolling may end only where no execution arrives. A loop that ends an iteration earlier, anywhere,
/// ends too early, unless no execution takes the iteration before either.
#[test]
fn ends_that_come_too_early_are_found() {
    let (mut early, mut late) = (0, 0);
    for (index, (name, ..)) in PROGRAMS.iter().enumerate() {
        let (program, proof) = safe(index);
        for end in 0..proof.ends.len() {
            let context = &proof.contexts[proof.ends[end].context as usize];
            for turn in 0..context.counts.len() {
                let mut changed = proof.clone();
                let mut other = context.clone();
                let Some(count) = other.counts[turn].checked_sub(1) else { continue };
                other.counts[turn] = count;
                changed.contexts.push(other);
                changed.ends[end].context = changed.contexts.len() as u32 - 1;
                match outcome(&program, &changed) {
                    Outcome::Invalid(fault) if fault.reason.contains("goes on beyond the unwinding") => {
                        early += 1
                    }
                    // Without the end that was moved, unrolling may go on forever, or reach places that are
                    // unreachable anyway.
                    Outcome::Unchecked(_) | Outcome::Valid => late += 1,
                    Outcome::Invalid(fault) => panic!("{name}: {fault:?}"),
                }
            }
        }
    }
    assert!(early >= 4, "{early} early, {late} late");
}

#[test]
fn no_proof_ends_where_the_program_goes_on() {
    for (index, (name, ..)) in PROGRAMS.iter().enumerate() {
        let (program, proof) = safe(index);
        let main = &program.functions[program.entry];
        let entered: Vec<_> = main.locs.clone().map(beeline_ir::LocId::from_u32).collect();
        let mut refused = 0;
        for loc in entered {
            let mut changed = proof.clone();
            changed.contexts.push(beeline_run::RunContext {
                caller: None,
                callee: program.entry,
                counts: Vec::new(),
            });
            changed.ends.push(RunEnd { loc, context: changed.contexts.len() as u32 - 1 });
            match outcome(&program, &changed) {
                Outcome::Invalid(_) => refused += 1,
                Outcome::Valid => {}
                Outcome::Unchecked(why) => panic!("{name}: {why}"),
            }
        }
        assert!(refused >= 2, "{name}");
    }
}

#[test]
fn references_that_lead_nowhere_are_refused() {
    let (program, proof) = safe(2);
    let mut changed = proof.clone();
    changed.ends[0].context = proof.contexts.len() as u32;
    assert!(matches!(outcome(&program, &changed), Outcome::Invalid(_)));
    let mut changed = proof.clone();
    changed.contexts[0].caller = Some((0, program.edges.keys().next().expect("there are edges")));
    assert!(matches!(outcome(&program, &changed), Outcome::Invalid(_)));
    let mut changed = proof;
    for context in &mut changed.contexts {
        context.callee = beeline_ir::FuncId::from_u32(9);
    }
    assert!(matches!(outcome(&program, &changed), Outcome::Invalid(_)));
}
