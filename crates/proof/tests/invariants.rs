//! Proofs by induction with invariants of loops: those of the engine are valid, and mutants of them are not.

mod support {
    pub(crate) mod engine;
    pub(crate) mod outcome;
}

use beeline_ir::text::parse;
use beeline_ir::{BinOp, LocId, Program, Value, VarId};
use beeline_proof::Outcome;
use beeline_run::{AT_ENTRY, RunExpr, RunInvariant, RunInvariants, RunUnrolling};
use support::engine::{outcome, proof};

/// A search from some index on, which ends no earlier, and not beyond the size unless it began there.
const SEARCH: &str = "beeline 1.0
    fn main() {
      var n: i16, s: i16, i: i16, c: i8
      n := input \"n\"
      s := input \"s\"
      i := s
      head: while i <u n goto body else after
      body: c := input \"c\"
      look: if c == 0 goto after else next
      next: i := NEXT goto head
      after: if s <=u i && (i <=u n || i == s) goto done else bad
      bad: target \"outside\"
      done: exit
    }";

/// A shift register: its last cell holds what entered three iterations ago.
const REGISTER: &str = "beeline 1.0
    fn main() {
      var n: i32, i: i32, a: i8, b: i8, c: i8
      n := input \"n\"
      i, a, b, c := 0, 0, 0, NEXT
      head: while i <u n goto body else after
      body: i, a, b, c := i + 1, b, c, 0
      look: if a == 0 goto head else bad
      after: if a == 0 goto done else bad
      bad: target \"not zero\"
      done: exit
    }";

/// A search in a search. Both move the same index.
const NESTED: &str = "beeline 1.0
    fn main() {
      var n: i8, s: i8, i: i8, c: i8
      n := input \"n\"
      s := input \"s\"
      i := s
      outer: while i <u n goto begin else after
      begin: c := input \"c\"
      first: if c == 1 goto after else one
      one: i := i + 1
      inner: while i <u n goto body else outer
      body: c := input \"c\"
      look: if c == 0 goto outer else next
      next: i := i + 1 goto inner
      after: if s <=u i && (i <=u n || i == s) goto done else bad
      bad: target \"outside\"
      done: exit
    }";

/// A search in a function that is called twice.
const CALLED: &str = "beeline 1.0
    entry main
    fn search(s: i16, n: i16) -> i: i16 {
      var c: i8
      i := s
      head: while i <u n goto body else done
      body: c := input \"c\"
      look: if c == 0 goto done else next
      next: i := i + 1 goto head
      done: exit
    }
    fn main() {
      var n: i16, s: i16, t: i16, u: i16
      n := input \"n\"
      s := input \"s\"
      t := call search(s, n)
      u := call search(t, n)
      after: if s <=u t && t <=u u goto done else bad
      bad: target \"before\"
      done: exit
    }";

fn program(text: &str, next: &str) -> Program {
    parse(&text.replace("NEXT", next)).unwrap_or_else(|faults| panic!("{}", faults[0]))
}

/// The engine's proof by induction with invariants that a program is safe.
#[track_caller]
fn with_invariants(program: &Program) -> RunUnrolling {
    let proof = proof(program);
    assert!(!proof.invariants.list.is_empty(), "{proof:?}");
    proof
}

#[track_caller]
fn refused(program: &Program, proof: &RunUnrolling, why: &str) {
    match outcome(program, proof) {
        Outcome::Invalid(fault) => assert!(fault.reason.contains(why), "{fault:?}"),
        other => panic!("{other:?}"),
    }
}

fn var(program: &Program, name: &str) -> VarId {
    let (id, _) =
        program.vars.iter().find(|(_, var)| var.name == name).expect("the program has the variable");
    id
}

/// The proof with another invariant beside its own: an order of a variable and its ghost.
fn with_order(proof: &RunUnrolling, var: VarId, op: BinOp, swapped: bool) -> RunUnrolling {
    let mut changed = proof.clone();
    let RunInvariants { exprs, list } = &mut changed.invariants;
    let then = exprs.len() as u32;
    let (a, b) = if swapped { (then + 1, then) } else { (then, then + 1) };
    exprs.extend([RunExpr::Var(var, AT_ENTRY), RunExpr::Var(var, 0), RunExpr::Binary(op, a, b)]);
    list.push(RunInvariant { expr: then + 2, ..list[0] });
    changed
}

#[test]
fn proofs_of_the_engine_are_valid() {
    for text in [SEARCH, NESTED, CALLED] {
        let program = program(text, "i + 1");
        assert_eq!(outcome(&program, &with_invariants(&program)), Outcome::Valid, "{text}");
    }
}

#[test]
fn without_its_invariants_an_induction_shows_nothing() {
    let program = program(SEARCH, "i + 1");
    let proof = RunUnrolling { invariants: RunInvariants::default(), ..with_invariants(&program) };
    refused(&program, &proof, "an execution reaches a target");
}

/// The iteration has to keep what is assumed.
#[test]
fn an_invariant_that_an_iteration_does_not_keep_is_refused() {
    let program = program(SEARCH, "i + 1");
    let proof = with_invariants(&program);
    let index = var(&program, "i");
    assert_eq!(outcome(&program, &with_order(&proof, index, BinOp::Ule, false)), Outcome::Valid);
    refused(&program, &with_order(&proof, index, BinOp::Ule, true), "breaks an invariant");
}

/// That the index moved by one at most holds before the induction begins, but not after another iteration.
#[test]
fn an_invariant_of_the_first_iterations_alone_is_refused() {
    let program = program(SEARCH, "i + 1");
    let mut changed = with_order(&with_invariants(&program), var(&program, "i"), BinOp::Ule, false);
    let RunInvariants { exprs, list } = &mut changed.invariants;
    let then = exprs.len() as u32 - 3;
    exprs.truncate(exprs.len() - 1);
    let (moved, one) = (RunExpr::Binary(BinOp::Sub, then + 1, then), RunExpr::Value(Value::bv(16, 1)));
    exprs.extend([moved, one, RunExpr::Binary(BinOp::Ule, then + 2, then + 3)]);
    list.last_mut().unwrap().expr = then + 4;
    refused(&program, &changed, "breaks an invariant");
}

/// Each iteration keeps a strict order, but at first the index is its ghost.
#[test]
fn an_invariant_that_does_not_hold_at_first_is_refused() {
    let program = program(SEARCH, "i + 1");
    let proof = with_invariants(&program);
    refused(&program, &with_order(&proof, var(&program, "i"), BinOp::Ult, false), "breaks an invariant");
}

#[test]
fn invariants_of_another_program_are_refused() {
    let proof = with_invariants(&program(SEARCH, "i + 1"));
    for next in ["i - 1", "n + 1"] {
        refused(&program(SEARCH, next), &proof, "an execution");
    }
}

/// What holds from the first iteration of the induction on says nothing about those before.
#[test]
fn an_error_in_the_second_iteration_is_found() {
    let safe = with_invariants(&program(REGISTER, "0"));
    refused(&program(REGISTER, "5"), &safe, "an execution");
}

#[test]
fn invariants_about_something_else_are_refused() {
    let program = program(CALLED, "");
    let proof = with_invariants(&program);
    let [elsewhere, local] = ["t", "c"].map(|name| var(&program, name));
    refused(&program, &with_order(&proof, elsewhere, BinOp::Ule, false), "its loop does not see");
    assert!(outcome(&program, &with_order(&proof, local, BinOp::Ule, false)) != Outcome::Valid);
    for nowhere in [0, 999] {
        let mut changed = proof.clone();
        changed.invariants.list[0].head = LocId::from_u32(nowhere);
        refused(&program, &changed, "not of a loop that is proved by induction");
    }
    let mut changed = proof.clone();
    for expr in &mut changed.invariants.exprs {
        if let RunExpr::Var(_, level) = expr {
            *level = 1;
        }
    }
    refused(&program, &changed, "its loop does not see");
    let mut changed = proof;
    changed.inductions.clear();
    refused(&program, &changed, "not of a loop that is proved by induction");
}
