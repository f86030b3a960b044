//! Proofs in which calls are popped: those that the engine finds are valid, and those in which a rule is broken are not.

use beeline_engine::run::record;
use beeline_engine::{Calls, Distances, Domain, Metric, Monitor, verify};
use beeline_ir::text::parse;
use beeline_ir::{Program, Value};
use beeline_proof::{Options, Outcome, check_graph};
use beeline_run::{Certificate, RunKey, RunProof};
use std::time::Duration;

/// Recursion without bounds that counts its calls, and in which it matters what the topmost call holds.
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
    let program = parse(COUNTED).unwrap_or_else(|faults| panic!("{faults:?}"));
    let options = beeline_engine::Options {
        time: Some(Duration::from_secs(60)),
        calls: Calls::Tops,
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
    let options = Options { query_ticks: 15_000_000, time: Some(Duration::from_secs(20)) };
    check_graph(program, proof, &options).outcome
}

/// A state whose topmost call is popped.
fn popped(proof: &RunProof) -> usize {
    let is_popped = |index: &usize| {
        let state = &proof.states[*index];
        state.covered_by.is_some_and(|covering| proof.states[covering as usize].stack != state.stack)
    };
    (0..proof.states.len()).find(is_popped).expect("a call is popped")
}

/// The proof with one change is not valid, for this reason.
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
fn a_missing_child_behind_the_call_is_found() {
    refused("behind the call that is popped", |_, proof, popped| proof.states[popped].children.clear());
}

#[test]
fn a_global_that_the_call_writes_is_not_kept() {
    refused("behind the call that is popped", |program, proof, popped| {
        let behind = proof.states[popped].children[0] as usize;
        proof.states[behind].values.insert(0, (global(program, "calls"), Some(Value::bv(32, 1))));
    });
}

#[test]
fn what_the_topmost_call_sees_is_compared() {
    refused("its topmost call sees", |program, proof, popped| {
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
