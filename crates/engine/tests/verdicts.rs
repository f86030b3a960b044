//! Small programs with known answers, under every configuration.

use beeline_engine::{
    BlockOperator, Distances, Domain, Metric, Monitor, Options, Order, PredicateSource, Reason, TieBreak,
    Verdict, verify,
};
use beeline_ir::text::{TextError, parse};
use beeline_ir::{Assumption, Direction, Op, Program};
use std::time::Duration;

fn parsed(text: &str) -> Program {
    parse(text).unwrap_or_else(|faults| {
        let faults: Vec<String> = faults.iter().map(TextError::to_string).collect();
        panic!("{}", faults.join("\n"))
    })
}

const BLOCKS: [BlockOperator; 3] =
    [BlockOperator::LoopHeads, BlockOperator::LoopHeadsAndFunctions, BlockOperator::Single];

fn answer(program: &Program, domain: Domain, blocks: BlockOperator, order: Order) -> Verdict {
    let options =
        Options { domain, blocks, order, time: Some(Duration::from_secs(20)), ..Options::default() };
    verify(program, &options, &mut Distances::new(program, Metric::BasicBlocks), &Monitor::default()).0
}

/// Checks the answer of the configurations of some domains.
fn expect(text: &str, domains: &[Domain], safe: bool) {
    let program = parsed(text);
    for &domain in domains {
        for blocks in BLOCKS {
            for order in [Order::Directed(TieBreak::Oldest), Order::BreadthFirst, Order::Random(7)] {
                let verdict = answer(&program, domain, blocks, order);
                let right = match verdict {
                    Verdict::Safe(_) => safe,
                    Verdict::Unsafe(_) => !safe,
                    Verdict::Possible(..) | Verdict::Unknown(_) => false,
                };
                assert!(right, "{domain:?} {blocks:?} {order:?}: {verdict:?}");
            }
        }
    }
}

const ALL: [Domain; 3] = [Domain::Values, Domain::Predicates, Domain::Both];

#[test]
fn a_program_without_targets_is_safe() {
    expect("beeline 1.0\nfn main() {\n L0: exit\n}", &ALL, true);
}

#[test]
fn a_branch_on_an_input_reaches_its_target() {
    let text = "beeline 1.0
        fn main() {
          var x: i32
          x := input \"n\"
          if x * x == 49 && x <s 0 goto bad else done
          bad: target \"minus seven\"
          done: exit
        }";
    expect(text, &ALL, false);
}

#[test]
fn an_infeasible_branch_is_safe() {
    let text = "beeline 1.0
        fn main() {
          var x: i8, y: i8
          x := input \"n\"
          y := x + 1
          if y == x goto bad else done
          bad: target \"wrong\"
          done: exit
        }";
    expect(text, &[Domain::Predicates, Domain::Both], true);
}

/// A loop whose end is known.
const COUNTING: &str = "beeline 1.0
    fn main() {
      var i: i32
      i := 0
      head: while i <u 10 goto body else after
      body: i := i + 1 goto head
      after: if i == 10 goto done else bad
      bad: target \"wrong\"
      done: exit
    }";

#[test]
fn a_counting_loop_ends_where_it_should() {
    expect(COUNTING, &ALL, true);
}

/// What one variable loses another one gains: no bound on the loop, no finite number of values.
const MOVING: &str = "beeline 1.0
    fn main() {
      var n: i32, x: i32, y: i32
      n := input \"n\"
      x, y := n, 0
      head: while x != 0 goto body else after
      body: x, y := x - 1, y + 1 goto head
      after: if y == n goto done else bad
      bad: target \"something is lost\"
      done: exit
    }";

/// The loop keeps to its bounds only because nothing overflows: that has to be found out too.
const GROWING: &str = "beeline 1.0
    fn main() {
      var n: i32, i: i32, j: i32, step: i32
      n := input \"n\"
      if n <s 0 || 100000 <s n goto done else start
      start: i, j := 0, 0
      head: while i <s n goto body else after
      body: step := input \"step\"
      i, j := i + 1, j + (step == 0 ? 2 : 3) goto head
      after: if 2 * n <=s j && j <=s 3 * n goto done else bad
      bad: target \"too far\"
      done: exit
    }";

#[test]
fn loops_that_could_be_unrolled_for_ever_get_invariants() {
    let answer = |text: &str| {
        let program = parsed(text);
        let options =
            Options { time: Some(Duration::from_secs(120)), max_states: 1000, ..Options::default() };
        let mut distances = Distances::new(&program, Metric::BasicBlocks);
        verify(&program, &options, &mut distances, &Monitor::default()).0
    };
    for text in [MOVING, GROWING] {
        let verdict = answer(text);
        assert!(matches!(verdict, Verdict::Safe(_)), "{verdict:?}");
    }
    let options = Options { refiner: PredicateSource::Conditions, max_states: 60, ..Options::default() };
    let program = parsed(MOVING);
    let mut distances = Distances::new(&program, Metric::BasicBlocks);
    let (verdict, _) = verify(&program, &options, &mut distances, &Monitor::default());
    assert!(matches!(verdict, Verdict::Unknown(Reason::States)), "{verdict:?}");
    let verdict = answer(&MOVING.replace("y + 1", "y + 2"));
    assert!(matches!(verdict, Verdict::Unsafe(_)), "{verdict:?}");
}

#[test]
fn a_condition_is_tracked_before_values_are_given_up() {
    // That the sum differs from the formula is excluded by values of `i` and `sum`; only `n` ends the loop.
    let text = "beeline 1.0
        fn main() {
          var n: i32, i: i32, sum: i32
          n, i, sum := 3240, 0, 0
          head: while sum <s n goto body else after
          body: i := i + 1
          sum := sum + i goto head
          after: if sum == i * (i + 1) /s 2 goto done else bad
          bad: target \"a wrong sum\"
          done: exit
        }";
    let program = parsed(text);
    let options = Options { value_threshold: 100, max_states: 500, ..Options::default() };
    let mut distances = Distances::new(&program, Metric::BasicBlocks);
    let (verdict, statistics) = verify(&program, &options, &mut distances, &Monitor::default());
    assert!(matches!(verdict, Verdict::Safe(_)), "{verdict:?}");
    assert!(statistics.predicates == 0 && statistics.tracked == 3, "{statistics:?}");
}

/// More steps without a loop than a small block has.
fn long_way(last: &str) -> String {
    let step = |index: u32| {
        format!(
            "s{index}: if x == {index} goto more{index} else less{index}
             more{index}: y := y + 2 goto s{next}
             less{index}: y := y + 4 goto s{next}
            ",
            next = index + 1
        )
    };
    let steps: String = (0..150).map(step).collect();
    format!(
        "beeline 1.0
        fn main() {{
          var x: i32, y: i32
          x := input \"x\"
          y := 0
          {steps}
          s150: if {last} goto bad else done
          bad: target \"wrong\"
          done: exit
        }}"
    )
}

#[test]
fn blocks_grow_when_the_solver_is_needed() {
    for (last, safe) in [("y %u 2 == 1", true), ("y == 598", false), ("y <u 598", true), ("y == 600", false)]
    {
        let program = parsed(&long_way(last));
        let order = Order::Directed(TieBreak::Oldest);
        let verdict = answer(&program, Domain::Both, BlockOperator::LoopHeads, order);
        let reached = !matches!(verdict, Verdict::Safe(_));
        assert_eq!((reached, matches!(verdict, Verdict::Unknown(_))), (!safe, false), "{last}: {verdict:?}");
    }
}

#[test]
fn a_lock_protocol_is_kept() {
    let text = "beeline 1.0
        global lock: i1 := 0
        fn acquire() {
          if lock == 0 goto ok else bad
          bad: target \"locked twice\"
          ok: lock := 1
          exit
        }
        fn release() {
          lock := 0
          exit
        }
        fn main() {
          var n: i32
          head: n := input \"n\"
          while n != 0 goto body else done
          body: call acquire()
          call release() goto head
          done: exit
        }";
    expect(text, &ALL, true);
    expect(&text.replace("lock := 0\n", "skip\n"), &ALL, false);
}

#[test]
fn recursion_keeps_the_activations_apart() {
    let text = "beeline 1.0
        fn f(n: i8) -> r: i8 {
          var s: i8
          if n == 0 goto zero else more
          zero: r := 0 goto done
          more: s := call f(n - 1)
          r := s + n
          done: exit
        }
        fn main() {
          var x: i8
          x := call f(4)
          if x == 10 goto ok else bad
          bad: target \"wrong sum\"
          ok: exit
        }";
    expect(text, &[Domain::Values, Domain::Both], true);
    expect(&text.replace("x == 10", "x == 9"), &[Domain::Values, Domain::Both], false);
}

#[test]
fn one_way_does_not_hide_another() {
    for wanted in [1, 2, 3] {
        let text = format!(
            "beeline 1.0
            fn main() {{
              var x: i8
              start: x := 1 goto join
              | x := 2 goto join
              | x := 3 goto join
              join: if x == {wanted} goto bad else done
              bad: target \"reached\"
              done: exit
            }}"
        );
        expect(&text, &ALL, false);
    }
}

#[test]
fn uninitialised_variables_and_memory_have_any_value() {
    let text = "beeline 1.0
        region m: i64 -> i8 in 0x100+4
        fn f() -> r: i8 {
          var y: i8
          r := y
          exit
        }
        fn main() {
          var x: i8, z: i8
          x := call f()
          z := call f()
          if x == 5 && z == 6 && m[0x102] == 7 && m[0x101, i16] == 0x709 goto bad else done
          bad: target \"reached\"
          done: exit
        }";
    expect(text, &[Domain::Predicates, Domain::Both], false);
    // One read of a cell is like the other.
    expect(&text.replace("0x709", "0x809"), &[Domain::Predicates, Domain::Both], true);
}

#[test]
fn stuck_executions_end() {
    let text = "beeline 1.0
        region m: i64 -> i8 in 0x100+4
        fn main() {
          var x: i8, p: i64
          x := input \"n\"
          p := input \"p\"
          x := 10 /u x
          m[p] := x
          if x == 0 || p <u 0x100 goto bad else done
          bad: target \"reached\"
          done: exit
        }";
    // The quotient is zero for large inputs.
    expect(text, &[Domain::Predicates, Domain::Both], false);
    let inside = text
        .replace("x == 0 ||", "x >u 10 ||")
        .replace("m[p]", "m[0x100 + (p & 3)]")
        .replace("p <u 0x100", "p != p");
    expect(&inside, &[Domain::Predicates, Domain::Both], true);
}

const GUESSES: &str = "beeline 1.0
    fn main() {
      var x: i32, y: i32
      first: x := input \"unknown\"
      head: y := input \"n\"
      if COND goto bad else done
      bad: target \"reached\"
      done: exit
    }
    assumption extern-call hides-or-invents \"unknown returns anything\" at main:first@0";

#[test]
fn a_guess_makes_no_counterexample() {
    let program = parsed(&GUESSES.replace("COND", "x == 5 && y == 3"));
    for domain in ALL {
        for blocks in BLOCKS {
            let verdict = answer(&program, domain, blocks, Order::DepthFirst);
            assert!(
                matches!(verdict, Verdict::Possible(Reason::Guess(_), _)),
                "{domain:?} {blocks:?}: {verdict:?}"
            );
        }
    }
    // A guess that excludes no execution is none that matters.
    expect(&GUESSES.replace("COND", "y == 3"), &ALL, false);
    // There may be another way, without the guess.
    expect(
        &GUESSES.replace("COND", "y == 3").replace(
            "x := input \"unknown\"",
            "x := input \"unknown\" goto test\n | skip goto head\n test: if x == 7 goto head else done",
        ),
        &ALL,
        false,
    );
}

/// A program whose target is behind a condition that never holds, and behind some line.
fn behind(line: &str) -> String {
    format!(
        "beeline 1.0
        region m: i64 -> i8 in 0x10000+4
        fn main() {{
          var x: i8, i: i64
          i := input \"index\"
          if i <u 8 goto go else done
          go: {line}
          x := input \"n\"
          if x != x goto bad else done
          bad: target \"wrong\"
          done: exit
        }}"
    )
}

/// The verdict of each domain, by the default search.
fn verdicts(text: &str) -> Vec<Verdict> {
    let program = parsed(text);
    let order = Order::Directed(TieBreak::Oldest);
    ALL.iter().map(|&domain| answer(&program, domain, BlockOperator::LoopHeads, order)).collect()
}

#[test]
fn behind_an_access_outside_of_objects_nothing_is_safe() {
    let lines = [
        "m[0x10000 + i] := 1",
        "x := m[0x10000 + i]",
        "x := m[0x10004]",
        "m[0x10004] := 1",
        // Nor where no object ever is.
        "x := m[i - i]",
        "m[i - i] := 1",
        "x := i == 3 ? m[3] : 0",
    ];
    for line in lines {
        for verdict in &verdicts(&behind(line))[1..] {
            let Verdict::Unknown(Reason::Undefined(place, _)) = verdict else {
                panic!("{line}: {verdict:?}")
            };
            assert_eq!(place, "main:go", "{line}");
        }
    }
}

#[test]
fn what_may_have_no_result_is_told_of_a_safe_program() {
    // A division by zero ends real executions too.
    let partial = [
        "x := 7 /u trunc(i, i8)",
        "x := 7 %s trunc(i, i8)",
        // The right side decides, if the left one has a result.
        "x := (7i8 /u trunc(i, i8) == 1i8 && 2i8 <s 1i8) ? 1 : 0",
        // It depends on the left side or the condition whether the other is looked at.
        "x := (i == 3 && 7i8 /u trunc(i - 3, i8) == 1i8) ? 1 : 0",
        "x := i == 3 ? 7 /u trunc(i - 3, i8) : 0",
    ];
    let total = ["m[0x10000 + (i & 3)] := 1", "x := m[0x10003]", "x := trunc(i, i8) /u 7", "skip"];
    for (lines, count) in [(&partial[..], 1), (&total[..], 0)] {
        for line in lines {
            for verdict in &verdicts(&behind(line))[1..] {
                let Verdict::Safe(proof) = verdict else { panic!("{line}: {verdict:?}") };
                assert_eq!(proof.undefined.len(), count, "{line}");
            }
        }
    }
}

#[test]
fn what_lies_behind_the_last_way_to_a_target_does_not_matter() {
    let text = behind("skip").replace("done: exit", "done: x := m[0x10004] goto end\n end: exit");
    for verdict in &verdicts(&text)[1..] {
        let Verdict::Safe(proof) = verdict else { panic!("{verdict:?}") };
        assert!(proof.undefined.is_empty());
    }
}

#[test]
fn conditions_of_paths_prove_what_needs_no_invariant() {
    // What `y` has to be at the loop follows from conditions behind it and assignments before it.
    let text = |last: &str| {
        format!(
            "beeline 1.0
            fn main() {{
              var x: i32, y: i32, n: i32
              x := input \"x\"
              y := x + 7
              head: n := input \"more\"
              if n != 0 goto body else after
              body: if y - 7 == {last} goto head else bad
              after: exit
              bad: target \"wrong\"
            }}"
        )
    };
    for (last, safe) in [("x", true), ("x + 1", false)] {
        let program = parsed(&text(last));
        let options = Options {
            domain: Domain::Predicates,
            refiner: PredicateSource::Conditions,
            time: Some(Duration::from_secs(20)),
            ..Options::default()
        };
        let mut distances = Distances::new(&program, Metric::BasicBlocks);
        let (verdict, statistics) = verify(&program, &options, &mut distances, &Monitor::default());
        assert_eq!(matches!(verdict, Verdict::Safe(_)), safe, "{verdict:?}");
        assert_eq!(matches!(verdict, Verdict::Unsafe(_)), !safe, "{verdict:?}");
        assert_eq!(statistics.predicates > 0, safe, "conditions become predicates");
    }
}

#[test]
fn where_values_suffice_the_solver_is_not_asked() {
    let program = parsed(COUNTING);
    let mut distances = Distances::new(&program, Metric::BasicBlocks);
    let (verdict, statistics) = verify(&program, &Options::default(), &mut distances, &Monitor::default());
    assert!(matches!(verdict, Verdict::Safe(_)), "{verdict:?}");
    assert_eq!(statistics.solver_calls, 0);
}

#[test]
fn an_access_outside_that_rests_on_a_guess_is_an_assumption() {
    let guess = "assumption extern-call invents \"helper returns anything\" edge";
    for guessed in [false, true] {
        let text = behind("x := m[0x10000 + i]");
        let mut program = parsed(&text);
        if guessed {
            let edge = program.edges.iter().find(|(_, edge)| matches!(edge.op, Op::Havoc(..))).unwrap().0;
            program.assumptions.push(Assumption {
                kind: "extern-call".into(),
                direction: Direction::MayInventBug,
                text: guess.into(),
                span: None,
                edge: Some(edge),
            });
        }
        let verdict =
            answer(&program, Domain::Both, BlockOperator::LoopHeads, Order::Directed(TieBreak::Oldest));
        match verdict {
            Verdict::Safe(proof) if guessed => assert_eq!(proof.undefined.len(), 1),
            Verdict::Unknown(Reason::Undefined(..)) if !guessed => {}
            other => panic!("guessed: {guessed}: {other:?}"),
        }
    }
}

#[test]
fn a_target_where_the_program_starts_is_reached() {
    expect("beeline 1.0\nfn main() {\n bad: target \"at once\"\n exit\n}", &ALL, false);
}
