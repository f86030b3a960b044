//! The queries of an unrolling, and what it leaves for the next one.

use beeline_engine::{
    Bounded, Distances, Engine, Found, Metric, Monitor, Options, Outcome, Reason, Task, Unwind,
};
use beeline_ir::Program;
use beeline_ir::text::parse;

fn program(text: &str) -> Program {
    parse(text).expect("the text is a program")
}

fn unrolled(program: &Program, options: &Options) -> Outcome {
    let mut distances = Distances::new(program, Metric::BasicBlocks);
    let task = Task::new(program, &mut distances, options.nothing_known());
    Bounded { options }.run(task, &Monitor::default())
}

#[test]
fn a_loop_that_begins_again_is_queried_where_it_ended() {
    let program = program(
        "beeline 1.0
        fn main() {
          var n: i8, k: i8, i: i8, j: i8, sum: i8
          n := input \"n\"
          k := input \"k\"
          if n <u 8 goto few else done
          few: if k <u 8 goto begin else done
          begin: i, sum := 0, 0
          outer: if i <u n goto inside else last
          inside: j := 0
          inner: if j <u k goto iteration else next
          iteration: j, sum := j + 1, sum + 1 goto inner
          next: i := i + 1 goto outer
          last: if sum <u 50 goto done else bad
          bad: target \"sum\"
          done: exit
        }",
    );
    // With a bound there is no induction, which has queries of its own.
    let unwind = Unwind { all: Some(8), ..Unwind::default() };
    let outcome = unrolled(&program, &Options { unwind, ..Options::default() });
    assert!(outcome.verdict.is_safe(), "{:?}", outcome.verdict);
    // With a query for each iteration of the inner loop there would be 20.
    let queries = outcome.statistics.solver_calls;
    assert!(queries < 18, "{queries}");
}

#[test]
fn a_loop_that_goes_on_is_not_queried_in_each_iteration() {
    let program = program(
        "beeline 1.0
        fn main() {
          var i: i8, key: i64
          i := 0
          head: if i <u 40 goto iteration else over
          iteration: i := i + 1
          key := input \"key\"
          if key == 0x123456789abcdef goto head else over
          over: if i <=u 40 goto done else bad
          bad: target \"more iterations than there are\"
          done: exit
        }",
    );
    let unwind = Unwind { all: Some(50), ..Unwind::default() };
    let outcome = unrolled(&program, &Options { unwind, ..Options::default() });
    assert!(outcome.verdict.is_safe(), "{:?}", outcome.verdict);
    // No test execution has the key, so each iteration that is asked about is a query.
    let queries = outcome.statistics.solver_calls;
    assert!((5..20).contains(&queries), "{queries}");
}

/// In early iterations the target comes after a product of primes; in a later one, after an input alone.
const PRODUCT_FIRST: &str = "beeline 1.0
    fn main() {
      var n: i64, x: i64, y: i64, z: i64, i: i64
      n := input \"n\"
      x := input \"x\"
      y := input \"y\"
      i := 0
      head: if i <u n goto iteration else done
      iteration: i := i + 1
      if i == 3 goto product else other
      product: if x <=u 1 goto other else second
      second: if y <=u 1 goto other else third
      third: if x <u 0xffffffff goto fourth else other
      fourth: if y <u 0xffffffff goto fifth else other
      fifth: if x * y == 999999866000004473 goto bad else other
      other: if i == 20 goto last else head
      last: z := input \"z\"
      if z == 0 goto bad else head
      bad: target \"bad\"
      done: exit
    }";

/// Unrolls the program with so many ticks for a query.
fn product_first(query_ticks: u64, unwind: Unwind, ticks: u64) -> (Outcome, Option<Reason>) {
    let options = Options { query_ticks, unwind, ticks: Some(ticks), ..Options::default() };
    let outcome = unrolled(&program(PRODUCT_FIRST), &options);
    assert!(outcome.statistics.solver_unknowns > 0, "nothing was left open on the way");
    let ended = outcome.verdict.ended.clone();
    (outcome, ended)
}

#[test]
fn what_one_unrolling_does_not_find_the_next_one_searches() {
    let (outcome, _) = product_first(500_000, Unwind::default(), 240_000_000);
    assert!(outcome.verdict.is_unsafe(), "{:?}", outcome.verdict);
}

#[test]
fn a_bound_is_the_reason_only_if_its_queries_are_answered() {
    // No query about the target is decided with so few ticks.
    let (outcome, ended) = product_first(50_000, Unwind::default(), 20_000_000);
    assert!(!outcome.verdict.is_unsafe() && !outcome.verdict.is_safe());
    assert!(matches!(ended, Some(Reason::Solver(_) | Reason::Ticks)), "{ended:?}");
    let (outcome, _) = product_first(50_000, Unwind { all: Some(8), ..Unwind::default() }, 20_000_000);
    let found: Vec<_> = outcome.verdict.findings.iter().map(|finding| &finding.found).collect();
    assert!(matches!(found[..], [Found::Undecided(Reason::Solver(_))]), "{found:?}");
}
