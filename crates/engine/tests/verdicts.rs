//! Properties of answers that file tests under `tests/file/verify` cannot check: long programs, and figures
//! that are not printed.

use beeline_engine::{Distances, Domain, Metric, Monitor, Options, Statistics, Verdict, Whole, verify};
use beeline_ir::text::{TextError, parse};

fn answer(text: &str, options: &Options) -> (Verdict, Statistics) {
    let program = parse(text).unwrap_or_else(|faults| {
        let faults: Vec<String> = faults.iter().map(TextError::to_string).collect();
        panic!("{}", faults.join("\n"))
    });
    verify(&program, options, &mut Distances::new(&program, Metric::BasicBlocks), &Monitor::default())
}

#[test]
fn conditions_are_tracked_before_values_lose_their_tracking() {
    // Values of `i` and `sum` exclude that the sum differs from the formula; only `n` ends the loop.
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

/// Eight choices make more states than are followed along a path; the one variable that matters is found all
/// the same.
#[test]
fn few_values_exclude_a_path_with_many_states() {
    let names: Vec<String> = (0..8).map(|number| format!("n{number}")).collect();
    let choices: String = names
        .iter()
        .map(|n| format!("  x := input \"x\"\n  if x == 0 goto {n}a else {n}b\n  {n}a: {n} := 1 goto {n}c\n  {n}b: {n} := 2\n  {n}c: skip\n"))
        .collect();
    let text = format!(
        "beeline 1.0
fn main() {{
  var x: i32
  var {}: i32
  var i: i32
  var flag: i32
  first: i, flag := 0, 4
{choices}
  head: while i <s 3 goto body else after
  body: i := i + 1 goto head
  after: if flag == 5 goto bad else done
  bad: target \"bad\"
  done: exit
}}
",
        names.join(": i32\n  var ")
    );
    let (verdict, statistics) = answer(&text, &Options { domain: Domain::Values, ..Options::default() });
    assert!(verdict.is_safe(), "{verdict:?}");
    assert!(statistics.tracked <= 2, "{statistics:?}");
}

#[test]
fn a_program_may_start_at_its_target() {
    let text = "beeline 1.0\nfn main() {\n  bad: target \"bad\"\n  done: exit\n}\n";
    for domain in [Domain::Values, Domain::Predicates, Domain::Both] {
        let (verdict, _) = answer(text, &Options { domain, ..Options::default() });
        assert!(verdict.is_unsafe(), "{domain:?}: {verdict:?}");
    }
}
