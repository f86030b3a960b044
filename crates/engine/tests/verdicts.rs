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

/// The choice matters until it is checked; at the head of the loop it is written before it is read again.
#[test]
fn dead_values_distinguish_no_states() {
    let choices: String = (0..8)
        .map(|n| format!("  x := input \"x\"\n  if x == {n} goto a{n} else b{n}\n  a{n}: choice := {n} goto check\n  b{n}: skip\n"))
        .collect();
    let text = format!(
        "beeline 1.0
fn main() {{
  var x: i32
  var choice: i32
  first: skip
  head: skip
  choice := 8
{choices}
  check: if choice == 99 goto bad else again
  again: x := input \"x\"
  if x == 0 goto head else done
  bad: target \"bad\"
  done: exit
}}
"
    );
    let (verdict, statistics) = answer(&text, &Options { domain: Domain::Values, ..Options::default() });
    assert!(verdict.is_safe(), "{verdict:?}");
    assert!(statistics.states <= 8, "{statistics:?}");
}

/// A machine goes through states by way of a variable for the next one. Whether it gets to the last state depends
/// on an input, which only predicates relate; they are few where the machine's state stays known.
#[test]
fn values_that_are_copied_to_tracked_ones_are_tracked() {
    let text = "beeline 1.0
fn main() {
  var state: i32, next: i32
  var input1: i32
  var seen: i32
  first: input1 := input \"input\"
  state, next, seen := 1, 1, 0
  head: skip
  if state == 1 goto one else not1
  not1: if state == 2 goto two else not2
  not2: if state == 3 goto three else done
  one: if input1 >s 5 goto up else low
  up: seen := 1 goto first2
  low: seen := 2 goto first2
  first2: next := 2 goto step
  two: if seen == 1 goto check else second
  check: if input1 >s 5 goto second else bad
  second: next := 3 goto step
  three: if state == 4 goto bad else third
  third: next := 1 goto step
  step: state := next goto head
  bad: target \"bad\"
  done: exit
}
";
    let (verdict, statistics) = answer(text, &Options::default());
    assert!(verdict.is_safe(), "{verdict:?}");
    // The state, and the next one.
    assert_eq!(statistics.tracked, 2, "{statistics:?}");
}

#[test]
fn a_program_may_start_at_its_target() {
    let text = "beeline 1.0\nfn main() {\n  bad: target \"bad\"\n  done: exit\n}\n";
    for domain in [Domain::Values, Domain::Predicates, Domain::Both] {
        let (verdict, _) = answer(text, &Options { domain, ..Options::default() });
        assert!(verdict.is_unsafe(), "{domain:?}: {verdict:?}");
    }
}

/// The first loop makes many states, from which one target is excluded at once where the search begins anew. What the
/// graph has lost then is no reason to exclude the others, one of which the second loop reaches late.
#[test]
fn a_graph_that_has_lost_states_excludes_no_other_target() {
    let text = "beeline 1.0
        fn main() {
          var i: i32, j: i32, k: i32
          i, j, k := 0, 0, 77
          head: while i <s 1200 goto body else between
          body: if i == 5000 goto first else next
          first: target \"never\"
          next: i, k := i + 1, 78 goto head
          between: if k == 77 goto second else turns
          second: target \"never either\"
          turns: while j <s 90000 goto more else last
          more: j := j + 1 goto turns
          last: if k == 78 goto third else done
          third: target \"late\"
          done: exit
        }";
    let options = Options { value_threshold: 1 << 30, max_states: 3000, ..Options::default() };
    let (verdict, statistics) = answer(text, &options);
    assert!(matches!(verdict.whole(), Whole::Unknown(_)), "{verdict:?}");
    assert!(statistics.restarts > 1 && statistics.states > 3000, "{statistics:?}");
}
