//! How much an unrolling asks, and what it leaves for the next one.

use beeline_engine::{Bounded, Distances, Engine, Metric, Monitor, Options, Outcome, Task};
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
fn a_loop_that_begins_again_is_asked_about_where_it_ended() {
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
          inner: if j <u k goto turn else next
          turn: j, sum := j + 1, sum + 1 goto inner
          next: i := i + 1 goto outer
          last: if sum <u 50 goto done else bad
          bad: target \"sum\"
          done: exit
        }",
    );
    let outcome = unrolled(&program, &Options::default());
    assert!(outcome.verdict.is_safe(), "{:?}", outcome.verdict);
    // Where it is asked about each turn of the loop inside, there are 20.
    let queries = outcome.statistics.solver_calls;
    assert!(queries < 18, "{queries}");
}
