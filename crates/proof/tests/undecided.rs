//! A proof that the solver does not decide in time is not valid.

use beeline_ir::text::parse;
use beeline_proof::{Options, Outcome, check_graph as check};
use beeline_run::{RunCuts, RunFormula, RunProof, RunStack, RunState};

/// Two targets that are reached if a prime is a product.
const HARD: &str = "beeline 1.0
    fn main() {
      var x: i24, y: i24
      x := input \"x\"
      y := input \"y\"
      assume x >u 1 && y >u 1
      if zext(x, i48) * zext(y, i48) == 140737488355213 goto one else next
      one: target \"a factor\"
      next: if zext(x, i48) * zext(y, i48) == 1099511627689 goto two else done
      two: target \"another factor\"
      done: exit
    }";

#[test]
fn several_hard_queries_are_made_at_once_and_one_by_one() {
    let program = parse(HARD).expect("the text is a program");
    let start = RunState {
        loc: program.functions[program.entry].entry(),
        stack: 0,
        values: Vec::new(),
        formula: RunFormula::TRUE,
        children: Vec::new(),
        covered_by: None,
    };
    let proof = RunProof {
        cuts: RunCuts::At(Vec::new()),
        stacks: vec![RunStack { caller: None, callee: program.entry }],
        exprs: Vec::new(),
        predicates: Vec::new(),
        nodes: Vec::new(),
        states: vec![start],
        ensures: Vec::new(),
    };
    let options = Options { query_ticks: 3_000, ..Options::default() };
    let report = check(&program, &proof, &options);
    assert!(matches!(&report.outcome, Outcome::Unchecked(why) if why.contains("state 0")), "{report:?}");
    assert_eq!(report.queries, 3);
}
