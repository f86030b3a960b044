//! Proofs with popped calls: those of the engine are valid, and those that break a rule are not.

mod support {
    pub(crate) mod outcome;
}

use beeline_engine::outcome::run::record;
use beeline_engine::{Calls, Distances, Domain, Metric, Monitor, verify};
use beeline_ir::text::parse;
use beeline_ir::{BinOp, FuncId, Program, Value};
use beeline_proof::{Outcome, check_graph};
use beeline_run::{AT_ENTRY, Certificate, RunEnsures, RunExpr, RunKey, RunProof};
use std::time::Duration;

/// Recursion without bounds that counts its calls, and in which the variables of the topmost call matter.
const COUNTED: &str = "beeline 1.0
global calls: i32 := 0
global other: i32 := 0
fn f(n: i32) -> r: i32 {
  calls := calls + 1
  if n <s 0 goto bad else fine
  bad: target \"inside\"
  fine: if n == 0 goto end else deeper
  end: r := n goto last
  deeper: r := call f(n - 1)
  last: exit
}
entry main
fn main() {
  var n: i32, r: i32
  n := input \"n\"
  if n <s 0 goto done else go
  go: r := call f(n)
  if other != 0 goto worse else done
  worse: target \"outside\"
  done: exit
}
";

/// The program and its proof, which is valid.
fn counted() -> (Program, RunProof) {
    proved(COUNTED)
}

fn proved(text: &str) -> (Program, RunProof) {
    let program = parse(text).unwrap_or_else(|faults| panic!("{faults:?}"));
    let options = beeline_engine::Options {
        time: Some(Duration::from_secs(60)),
        calls: Calls::Top,
        domain: Domain::Predicates,
        ..beeline_engine::Options::default()
    };
    let mut distances = Distances::new(&program, Metric::BasicBlocks);
    let (verdict, statistics) = verify(&program, &options, &mut distances, &Monitor::default());
    let run = record(&program, &verdict, &statistics);
    let Some(Certificate::Graph(proof)) = run.proof() else { panic!("there is no proof: {verdict:?}") };
    assert_eq!(outcome(&program, proof), Outcome::Valid);
    (program, proof.clone())
}

fn outcome(program: &Program, proof: &RunProof) -> Outcome {
    support::outcome::outcome(|options| check_graph(program, proof, options))
}

/// A state whose topmost call is popped.
fn popped(proof: &RunProof) -> usize {
    let is_popped = |index: &usize| {
        let state = &proof.states[*index];
        state.covered_by.is_some_and(|covering| proof.states[covering as usize].stack != state.stack)
    };
    (0..proof.states.len()).find(is_popped).expect("a call is popped")
}

/// Asserts that the proof with one change is invalid, for this reason.
fn refused(said: &str, change: impl FnOnce(&Program, &mut RunProof, usize)) {
    let (program, proof) = counted();
    let mut changed = proof.clone();
    change(&program, &mut changed, popped(&proof));
    assert_ne!(changed, proof, "something was changed");
    match outcome(&program, &changed) {
        Outcome::Invalid(fault) => assert!(fault.reason.contains(said), "{fault:?}"),
        other => panic!("{said}: {other:?}"),
    }
}

fn global(program: &Program, name: &str) -> RunKey {
    let (var, _) = program.globals().find(|(_, var)| var.name == name).expect("there is such a global");
    RunKey::Var(var, 0)
}

#[test]
fn a_missing_child_after_the_call_is_found() {
    refused("the states after the popped call", |_, proof, popped| proof.states[popped].children.clear());
}

#[test]
fn a_global_that_the_call_writes_is_not_kept() {
    refused("the states after the popped call", |program, proof, popped| {
        let behind = proof.states[popped].children[0] as usize;
        proof.states[behind].values.insert(0, (global(program, "calls"), Some(Value::bv(32, 1))));
    });
}

#[test]
fn what_the_topmost_call_sees_is_compared() {
    refused("the top of the stack", |program, proof, popped| {
        let covering = proof.states[popped].covered_by.expect("it is covered") as usize;
        let mut narrower = proof.states[covering].clone();
        narrower.values.insert(0, (global(program, "calls"), Some(Value::bv(32, 77))));
        proof.states[popped].covered_by = Some(proof.states.len() as u32);
        proof.states.push(narrower);
    });
}

#[test]
fn only_a_state_at_the_same_location_shows_what_a_call_does() {
    refused("elsewhere", |_, proof, popped| {
        let elsewhere = |index: &usize| {
            let state = &proof.states[*index];
            *index > 0 && state.covered_by.is_none() && state.loc != proof.states[popped].loc
        };
        let other = (0..proof.states.len()).find(elsewhere).expect("there is a state elsewhere");
        proof.states[popped].covered_by = Some(other as u32);
    });
}

/// Recursion whose result is its argument and that leaves a global unchanged, both of which matter after the
/// call.
const COPIED: &str = "beeline 1.0
global held: i32 := 0
fn copy(n: i32) -> r: i32 {
  var m: i32
  if n == 0 goto end else deeper
  end: r := 0 goto last
  deeper: held := held + 1
  held := held - 1
  m := call copy(n - 1)
  r := m + 1
  last: exit
}
entry main
fn main() {
  var n: i32, r: i32
  held := 1
  n := input \"n\"
  r := call copy(n)
  if r != n goto bad else then
  bad: target \"copy\"
  then: if held != 1 goto worse else done
  worse: target \"held\"
  done: exit
}
";

/// The claimed postconditions, as the expressions of their predicates.
fn ensured(proof: &RunProof) -> Vec<(FuncId, RunExpr)> {
    let expr = |ensures: &RunEnsures| proof.exprs[proof.predicates[ensures.pred as usize] as usize].clone();
    proof.ensures.iter().map(|ensures| (ensures.func, expr(ensures))).collect()
}

#[test]
fn postconditions_of_recursion_are_inferred_and_checked() {
    let (program, proof) = proved(COPIED);
    assert_eq!(ensured(&proof).len(), 2, "the result, and what is held");
    assert!(proof.states.len() < 10, "nothing is unrolled: {}", proof.states.len());
    let mut without = proof.clone();
    without.ensures.clear();
    assert!(matches!(outcome(&program, &without), Outcome::Invalid(_)));
    for one in 0..2 {
        let mut without = proof.clone();
        without.ensures.remove(one);
        assert!(matches!(outcome(&program, &without), Outcome::Invalid(_)), "{one}");
    }
}

/// The outcome of checking the proof of a program with an added postcondition.
fn ensures_too_much(text: &str, predicate: impl FnOnce(&Program, &mut Vec<RunExpr>) -> RunExpr) -> Outcome {
    let (program, mut proof) = proved(text);
    let func = program.functions.iter().find(|(_, function)| function.name != "main").expect("another one").0;
    let made = predicate(&program, &mut proof.exprs);
    proof.exprs.push(made);
    proof.predicates.push(proof.exprs.len() as u32 - 1);
    proof.ensures.push(RunEnsures { func, pred: proof.predicates.len() as u32 - 1 });
    outcome(&program, &proof)
}

fn var(program: &Program, name: &str) -> beeline_ir::VarId {
    program.vars.iter().find(|(_, var)| var.name == name).expect("there is such a variable").0
}

/// The predicate that a variable of an activation is a number.
fn is_number(
    program: &Program,
    exprs: &mut Vec<RunExpr>,
    (name, level): (&str, u32),
    number: u64,
) -> RunExpr {
    exprs.extend([RunExpr::Var(var(program, name), level), RunExpr::Value(Value::bv(32, number))]);
    RunExpr::Binary(BinOp::Eq, exprs.len() as u32 - 2, exprs.len() as u32 - 1)
}

#[test]
fn wrong_postconditions_are_found() {
    let does_not = |outcome: Outcome| {
        assert!(
            matches!(&outcome, Outcome::Invalid(fault) if fault.reason.contains("the postcondition of copy does not hold")),
            "{outcome:?}"
        );
    };
    // The argument may be anything.
    does_not(ensures_too_much(COPIED, |program, exprs| is_number(program, exprs, ("n", AT_ENTRY), 3)));
    // It holds of the first calls only.
    does_not(ensures_too_much(COPIED, |program, exprs| is_number(program, exprs, ("r", 0), 0)));
    does_not(ensures_too_much(COPIED, |program, exprs| is_number(program, exprs, ("held", 0), 1)));
    does_not(ensures_too_much(COPIED, |program, exprs| is_number(program, exprs, ("held", AT_ENTRY), 1)));
    // A variable of an activation that never exists may hold anything.
    does_not(ensures_too_much(COPIED, |program, exprs| is_number(program, exprs, ("n", 7), 0)));
}

#[test]
fn a_postcondition_of_a_missing_function_is_refused() {
    let (program, mut proof) = proved(COPIED);
    proof.ensures[0].func = FuncId::from_u32(9);
    assert!(matches!(outcome(&program, &proof), Outcome::Invalid(_)));
}

/// Asserts that a proof is invalid for a program in which something changes that its postconditions rely on.
fn rests_on_what_changes(from: &str, to: &str) {
    let (_, proof) = proved(COPIED);
    let changed = COPIED.replace(from, to);
    assert_ne!(changed, COPIED);
    let program = parse(&changed).unwrap_or_else(|faults| panic!("{faults:?}"));
    assert!(matches!(outcome(&program, &proof), Outcome::Invalid(_)), "{to}");
}

/// These programs all have the locations and variables of the program of the proof.
#[test]
fn postconditions_relate_exit_and_entry() {
    // A parameter is written, so it no longer has its entry value.
    rests_on_what_changes("r := 0 goto last", "n := 0 goto last");
    rests_on_what_changes("r := m + 1", "n := m + 1");
    // The global no longer has its entry value.
    rests_on_what_changes("held := held - 1", "held := held - 2");
    // Another result.
    rests_on_what_changes("r := m + 1", "r := m + 2");
    rests_on_what_changes("copy(n - 1)", "copy(n - 2)");
}

/// Two functions that call each other, one of which has no postconditions.
#[test]
fn a_recursive_function_may_have_no_postconditions() {
    let other = "fn other(n: i32) -> r: i32 {
  r := input \"any\"
  if r == 0 goto again else last
  again: r := call copy(n)
  r := r * r
  last: exit
}
entry main";
    let text = COPIED
        .replace("entry main", other)
        .replace("held := held - 1\n", "held := held - 1\n  m := call other(n)\n");
    assert_ne!(text.len(), COPIED.len() + other.len(), "it is called");
    let (_, proof) = proved(&text);
    assert_eq!(ensured(&proof).len(), 3, "the result, and what is held behind both");
}

/// Asserts that the proof of a program with an added, correct postcondition is invalid for the program with
/// another condition. The proof would be valid only if the checker broke the rule that the program is about.
fn does_not_follow(text: &str, never: &str, sometimes: &str, forge: impl FnOnce(&Program, &mut RunProof)) {
    let (program, mut proof) = proved(text);
    forge(&program, &mut proof);
    assert_eq!(outcome(&program, &proof), Outcome::Valid, "what is added is ensured");
    let changed = parse(&text.replace(never, sometimes)).unwrap_or_else(|faults| panic!("{faults:?}"));
    match outcome(&changed, &proof) {
        Outcome::Invalid(fault) => assert!(!fault.reason.contains("ensure"), "{fault:?}"),
        other => panic!("{other:?}"),
    }
}

/// Adds the postcondition that the exit value of a variable is the entry value of another one.
fn add_equal(program: &Program, proof: &mut RunProof, (after, before): (&str, &str)) {
    let func = program.functions.iter().find(|(_, function)| function.name != "main").expect("another one").0;
    let exprs = &mut proof.exprs;
    let first = exprs.len() as u32;
    let (after, before) = (var(program, after), var(program, before));
    exprs.extend([RunExpr::Var(after, 0), RunExpr::Var(before, AT_ENTRY)]);
    exprs.push(RunExpr::Binary(BinOp::Eq, first, first + 1));
    proof.predicates.push(first + 2);
    proof.ensures.push(RunEnsures { func, pred: proof.predicates.len() as u32 - 1 });
}

#[test]
fn a_written_parameter_no_longer_has_its_entry_value() {
    let text = "beeline 1.0
fn same(n: i32) -> q: i32 {
  var m: i32, t: i32
  m := n
  n := 5
  if m == 0 goto end else deeper
  end: q := m goto last
  deeper: t := call same(m - 1)
  q := m
  last: exit
}
entry main
fn main() {
  var r: i32
  r := call same(3i32)
  if r != r goto bad else done
  bad: target \"given\"
  done: exit
}
";
    does_not_follow(text, "if r != r", "if r == 3", |program, proof| {
        add_equal(program, proof, ("q", "n"));
        let outermost = (RunKey::Var(var(program, "n"), 0), Some(Value::bv(32, 5)));
        let popped = popped(proof);
        for state in proof.states[popped].children.clone().into_iter().chain([popped as u32]) {
            proof.states[state as usize].values = vec![outermost.clone()];
        }
    });
}

#[test]
fn an_argument_is_evaluated_before_the_call() {
    let text = "beeline 1.0
global g: i32 := 0
fn same(n: i32) -> q: i32 {
  var t: i32
  g := 7
  if n == 0 goto end else deeper
  end: q := 0 goto last
  deeper: t := call same(n - 1)
  g := 7
  q := t + 1
  last: exit
}
entry main
fn main() {
  var r: i32
  g := 3
  r := call same(g)
  if r != r goto bad else done
  bad: target \"given\"
  done: exit
}
";
    does_not_follow(text, "if r != r", "if r == 3", |program, proof| {
        proof.ensures.clear();
        add_equal(program, proof, ("q", "n"));
    });
}

/// A call is popped after its entry, where the global no longer has its entry value.
#[test]
fn a_global_has_its_entry_value_only_at_the_entry() {
    let text = "beeline 1.0
global held: i32 := 0
fn f(n: i32) {
  var s: i32
  s := held
  held := 5
  later: if n == 0 goto end else deeper
  deeper: held := 6
  call f(n - 1)
  if held != held goto bad else end
  bad: target \"held\"
  end: held := s
  exit
}
entry main
fn main() {
  var n: i32
  n := input \"n\"
  call f(n)
  exit
}
";
    let (program, mut proof) = proved(text);
    let forge = |program: &Program, proof: &mut RunProof| {
        proof.ensures.clear();
        add_equal(program, proof, ("held", "held"));
        let index = popped(proof);
        let outer = proof.states[index].covered_by.expect("it is covered") as usize;
        let later = |loc: beeline_ir::LocId| {
            let edge = program.out_edges(loc).next().expect("an edge goes on");
            program.edges[edge].dst
        };
        let later = later(later(proof.states[index].loc));
        if let beeline_run::RunCuts::At(cuts) = &mut proof.cuts {
            cuts.push(later);
        }
        // The outer activation has a state there. The inner one is popped there and nowhere else.
        let at = |state: &beeline_run::RunState| beeline_run::RunState { loc: later, ..state.clone() };
        let next = proof.states.len() as u32;
        let (mut above, mut inner) = (at(&proof.states[outer]), at(&proof.states[index]));
        above.values.clear();
        inner.values = vec![(global(program, "held"), Some(Value::bv(32, 5)))];
        inner.covered_by = Some(next);
        proof.states[outer].children = vec![next];
        proof.states[index].covered_by = None;
        proof.states[index].children = vec![next + 1];
        for behind in inner.children.clone() {
            proof.states[behind as usize].values = inner.values.clone();
        }
        proof.states.extend([above, inner]);
    };
    forge(&program, &mut proof);
    let program = parse(&text.replace("if held != held", "if held == 6")).expect("it is a program");
    match outcome(&program, &proof) {
        Outcome::Invalid(fault) => assert!(fault.reason.contains("after the popped call"), "{fault:?}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_global_that_receives_the_result_loses_its_exit_value() {
    let text = "beeline 1.0
global g: i32 := 0
fn f(n: i32) -> r: i32 {
  var s: i32
  if n == 0 goto end else deeper
  end: r := 0
  g := 7 goto last
  deeper: s := call f(n - 1)
  if g == 7 goto fine else bad
  bad: target \"result\"
  fine: r := 0
  g := 7
  last: exit
}
entry main
fn main() {
  var n: i32, r: i32
  n := input \"n\"
  r := call f(n)
  exit
}
";
    does_not_follow(text, "s := call", "g := call", |program, proof| {
        let left = vec![(global(program, "g"), Some(Value::bv(32, 7)))];
        for child in proof.states[popped(proof)].children.clone() {
            proof.states[child as usize].values = left.clone();
        }
    });
}
