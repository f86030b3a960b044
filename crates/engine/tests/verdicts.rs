//! What file tests under `tests/file/verify` cannot say of answers: long programs, and figures that are not printed.

use beeline_engine::{Distances, Metric, Monitor, Options, Statistics, Verdict, Whole, verify};
use beeline_ir::text::{TextError, parse};

fn answer(text: &str, options: &Options) -> (Verdict, Statistics) {
    let program = parse(text).unwrap_or_else(|faults| {
        let faults: Vec<String> = faults.iter().map(TextError::to_string).collect();
        panic!("{}", faults.join("\n"))
    });
    verify(&program, options, &mut Distances::new(&program, Metric::BasicBlocks), &Monitor::default())
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
    let options = Options { value_threshold: 100, max_states: 500, ..Options::default() };
    let (verdict, statistics) = answer(text, &options);
    assert!(verdict.is_safe(), "{verdict:?}");
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
        let (verdict, _) = answer(&long_way(last), &Options::default());
        let reached = !verdict.is_safe();
        assert_eq!(
            (reached, matches!(verdict.whole(), Whole::Unknown(_))),
            (!safe, false),
            "{last}: {verdict:?}"
        );
    }
}
