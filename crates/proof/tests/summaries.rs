//! Proofs by summaries: those of the engine are valid, and those that break a rule are not.

mod support {
    pub(crate) mod outcome;
}

use beeline_engine::{Distances, Engine, Metric, Monitor, Summaries, Task};
use beeline_ir::text::{TextError, parse};
use beeline_ir::{EdgeId, FuncId, Program, Value};
use beeline_proof::{Outcome, check};
use beeline_run::names::Names;
use beeline_run::{
    AT_ENTRY, Certificate, RunCall, RunCuts, RunExpr, RunFormula, RunKey, RunProof, RunStack, RunState,
    RunSummaries,
};
use std::time::Duration;

/// The identity by recursion, which counts its calls in a global; and a function that is called through a
/// pointer.
const COUNTED: &str = r#"beeline 1.0
entry main
global calls: i8 := 0
global other: i8 := 7
fn id(n: i8) -> r: i8 at 0x40 {
  calls := calls + 1
  if n == 0 goto zero else more
  zero: r := 0 goto end
  more: r := call id(n - 1)
  r := r + 1
  end: skip
  exit
}
fn main() {
  var n: i8, r: i8
  n := input "n"
  if n <u 100 goto small else done
  small: r := call id(n)
  if r == n goto right else wrong
  wrong: target "r"
  right: if other == 7 goto kept else lost
  lost: target "other"
  kept: skip
  done: skip
  exit
}
"#;

fn parsed(text: &str) -> Program {
    parse(text).unwrap_or_else(|faults| {
        let faults: Vec<String> = faults.iter().map(TextError::to_string).collect();
        panic!("{}", faults.join("\n"))
    })
}

fn proof_of(program: &Program) -> RunSummaries {
    let options =
        beeline_engine::Options { time: Some(Duration::from_secs(60)), ..beeline_engine::Options::default() };
    let mut distances = Distances::new(program, Metric::BasicBlocks);
    let task = Task::new(program, &mut distances, options.nothing_known());
    let outcome = Summaries { options: &options }.run(task, &Monitor::default());
    let run = beeline_engine::outcome::run::record(program, &outcome.verdict, &outcome.statistics);
    match run.proof() {
        Some(Certificate::Summaries(proof)) => proof.clone(),
        _ => panic!("there is no proof by summaries: {:?}", outcome.verdict),
    }
}

fn outcome(program: &Program, proof: &RunSummaries) -> Outcome {
    let certificate = Certificate::Summaries(proof.clone());
    support::outcome::outcome(|options| check(program, &certificate, options))
}

/// The program and its proof, which is valid.
fn counted() -> (Program, RunSummaries) {
    let program = parsed(COUNTED);
    let proof = proof_of(&program);
    assert_eq!(outcome(&program, &proof), Outcome::Valid);
    (program, proof)
}

/// Asserts that the proof with one change is invalid, for this reason.
fn refused(program: &Program, proof: &RunSummaries, said: &str, change: impl FnOnce(&mut RunSummaries)) {
    let mut changed = proof.clone();
    change(&mut changed);
    assert_ne!(changed, *proof, "something was changed");
    match outcome(program, &changed) {
        Outcome::Invalid(fault) => assert!(fault.reason.contains(said), "{said}: {fault:?}"),
        other => panic!("{said}: {other:?}"),
    }
}

/// The first uncovered state at the exit of the function.
fn exit_of(program: &Program, proof: &RunSummaries, name: &str) -> usize {
    let is_exit = |function: &beeline_ir::Function, index: usize| {
        let state = &proof.graph.states[index];
        function.exit == state.loc && state.covered_by.is_none()
    };
    let function = program.functions.values().find(|function| function.name == name).unwrap();
    (0..proof.graph.states.len()).find(|&index| is_exit(function, index)).unwrap()
}

#[test]
fn an_exit_that_says_too_much_is_found() {
    let (program, proof) = counted();
    let exit = exit_of(&program, &proof, "id");
    refused(&program, &proof, "do not include all executions", |proof| {
        proof.graph.states[exit].formula = RunFormula::FALSE;
    });
}

#[test]
fn a_child_after_a_call_that_says_too_much_is_found() {
    let (program, proof) = counted();
    refused(&program, &proof, "", |proof| {
        let child = proof.calls[0].children[0] as usize;
        proof.graph.states[child].formula = RunFormula::FALSE;
    });
    refused(&program, &proof, "do not include the exits of the callee", |proof| {
        proof.calls[0].children.clear()
    });
}

#[test]
fn a_dropped_call_or_context_is_found() {
    let (program, proof) = counted();
    refused(&program, &proof, "has no context in the proof", |proof| drop(proof.calls.remove(0)));
    refused(&program, &proof, "names a function that does not exist", |proof| {
        proof.graph.stacks[1].callee = FuncId::from_u32(99);
    });
}

#[test]
fn no_call_enters_the_context_of_the_start() {
    let text = r#"beeline 1.0
entry main
global g: i8 := 3
fn main() {
  var n: i8
  n := input "n"
  if g == 3 goto kept else lost
  lost: target "g"
  kept: if n == 0 goto again else done
  again: call main()
  done: exit
}
"#;
    let program = parsed(text);
    let proof = proof_of(&program);
    assert_eq!(outcome(&program, &proof), Outcome::Valid);
    refused(&program, &proof, "the context of the start", |proof| proof.calls[0].context = 0);
    // The knowledge at the start does not hold at a call. It happens to hold in this program, but not in the
    // one with the change.
    let changing = parsed(&text.replace("again: call main()", "again: g := 4\n  call main()"));
    assert!(!matches!(outcome(&changing, &proof), Outcome::Valid));
}

#[test]
fn calls_that_the_program_does_not_have_are_found() {
    let (program, proof) = counted();
    refused(&program, &proof, "does not exist in the program", |proof| {
        proof.calls[0].edge = EdgeId::from_u32(0)
    });
    refused(&program, &proof, "names a function that is not called", |proof| {
        proof.calls[0].callee = program.entry
    });
    refused(&program, &proof, "does not follow it", |proof| proof.calls[0].children = vec![0]);
}

#[test]
fn an_entry_that_does_not_include_the_arguments_is_found() {
    let (program, proof) = counted();
    refused(&program, &proof, "does not include its entry", |proof| {
        let entry = proof.entries[proof.calls[0].context as usize];
        proof.graph.states[entry as usize].formula = RunFormula::FALSE;
    });
}

#[test]
fn entry_states_stand_for_nothing_else() {
    let (program, proof) = counted();
    let entry = proof.entries[1];
    refused(&program, &proof, "only describes a start", |proof| {
        let begins = &proof.graph.states[entry as usize];
        let covered = RunState { covered_by: Some(entry), children: vec![], ..begins.clone() };
        proof.graph.states.push(covered);
    });
    refused(&program, &proof, "only describes a start", |proof| {
        proof.graph.states[entry as usize].children.push(entry);
    });
}

#[test]
fn contexts_are_contracts_that_relate_exit_and_entry() {
    let (program, proof) = counted();
    let contracts = beeline_run::contracts::contracts(&proof, &Names { program: Some(&program) });
    let of_id: Vec<_> = contracts.iter().filter(|contract| contract.function == "id").collect();
    assert!(!of_id.is_empty(), "{contracts:?}");
    for contract in of_id {
        assert!(contract.ensures.contains("old(n)") && contract.ensures.contains('r'), "{contract:?}");
        assert!(!contract.requires.contains('r') && !contract.requires.contains("old"), "{contract:?}");
        assert!(contract.to_string().starts_with("id(n): requires "), "{contract}");
    }
}

/// A ghost in the place of a current value: the result is not what it was before the call.
#[test]
fn a_ghost_in_the_place_of_a_variable_is_found() {
    let (program, proof) = counted();
    let is_ghost = |expr: &RunExpr| matches!(expr, RunExpr::Var(_, AT_ENTRY));
    assert!(proof.graph.exprs.iter().any(is_ghost), "the summary speaks of ghosts");
    let mut changed = proof.clone();
    for expr in &mut changed.graph.exprs {
        if let RunExpr::Var(_, level @ AT_ENTRY) = expr {
            *level = 0;
        }
    }
    assert!(matches!(outcome(&program, &changed), Outcome::Invalid(_)));
    // Only parameters and globals have ghosts.
    let result = program.functions.values().find_map(|function| function.ret).unwrap();
    refused(&program, &proof, "which does not exist there", |proof| {
        for expr in &mut proof.graph.exprs {
            if let RunExpr::Var(var, level) = expr
                && *var == result
            {
                *level = AT_ENTRY;
            }
        }
    });
}

/// The same proof is invalid for a program whose callee writes what the caller relies on: the checker itself
/// computes what a call may write.
#[test]
fn what_a_callee_writes_is_not_in_the_frame() {
    let (program, proof) = counted();
    let writing = parsed(&COUNTED.replace("calls := calls + 1", "other := other + 1"));
    assert_eq!(writing.edges.len(), program.edges.len());
    match outcome(&writing, &proof) {
        Outcome::Invalid(fault) => {
            let said = "do not include the exits of the callee";
            assert!(fault.reason.contains(said) || fault.reason.contains("target"), "{fault:?}");
        }
        other => panic!("{other:?}"),
    }
}

/// A function whose contexts know values: of a parameter, of a global and of a cell.
const VALUED: &str = r#"beeline 1.0
entry main
global g: i8 := 2
region a: i8 -> i8 in 0x10+2 := 0x10: 1 * 2
fn f(n: i8) -> r: i8 {
  if n == 0 goto zero else more
  zero: r := g
  a[17] := 9
  g := g + 3 goto end
  more: r := call f(n - 1)
  r := r + 1
  end: skip
  exit
}
fn main() {
  var r: i8
  r := call f(2)
  if r == 4 && g == 5 && a[17] == 9 && a[16] == 1 goto done else bad
  bad: target "wrong"
  done: skip
  exit
}
"#;

/// A contract contains only values that a caller has, not the exit values of the function's variables.
#[test]
fn contracts_are_about_values_that_callers_see() {
    let program = parsed(VALUED);
    let proof = proof_of(&program);
    let said = |program| {
        let contracts = beeline_run::contracts::contracts(&proof, &Names { program });
        contracts.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let with = said(Some(&program));
    let zero =
        with.iter().find(|text| text.starts_with("f(n): requires g = 2 and n = 0")).expect("a context");
    let (_, ensures) = zero.split_once(", ensures ").unwrap();
    assert!(ensures.contains("g = 5") && ensures.contains("result = 2"), "{zero}");
    assert!(ensures.contains("a[0x11] = 9") && !ensures.contains("n ="), "{zero}");
    // The proof does not say which of its states are exits.
    assert!(said(None).iter().all(|text| text.ends_with("unknown without the program")), "{:?}", said(None));
}

/// Each value of an entry, an exit or a state after a call matters: with another value, or where an exit
/// leaves it out, the proof is invalid.
#[test]
fn values_of_contexts_that_are_wrong_are_found() {
    let program = parsed(VALUED);
    let proof = proof_of(&program);
    assert_eq!(outcome(&program, &proof), Outcome::Valid);
    assert!(proof.graph.predicates.is_empty(), "values suffice");
    let changed = |state: usize, key: usize| {
        let mut changed = proof.clone();
        let value = changed.graph.states[state].values[key].1.as_mut().expect("a key with a value");
        *value = Value::bv(8, 77);
        changed
    };
    let is_valued = |state: usize, key: usize| proof.graph.states[state].values[key].1.is_some();
    let keys = |state: usize| 0..proof.graph.states[state].values.len();
    let exit = exit_of(&program, &proof, "f");
    let entries = proof.entries[1..].iter().map(|&entry| entry as usize);
    let behind = proof.calls.iter().flat_map(|call| &call.children).map(|&child| child as usize);
    let mut tried = 0;
    for state in entries.chain(behind).chain([exit]) {
        for key in keys(state).filter(|&key| is_valued(state, key)) {
            let found = outcome(&program, &changed(state, key));
            assert!(matches!(found, Outcome::Invalid(_)), "state {state}, key {key}: {found:?}");
            tried += 1;
        }
    }
    assert!(tried > 20, "{tried}");
}

/// What the callee may write and an exit leaves out is arbitrary: a global, and a cell.
#[test]
fn a_value_that_an_exit_leaves_out_is_not_that_before_the_call() {
    let program = parsed(VALUED);
    let proof = proof_of(&program);
    let global = program.vars.iter().find(|(_, var)| var.name == "g").unwrap().0;
    let region = program.regions.keys().next().unwrap();
    let forgotten = [
        vec![RunKey::Var(global, 0)],
        vec![RunKey::Pristine(region), RunKey::Cell(region, 16), RunKey::Cell(region, 17)],
    ];
    for keys in forgotten {
        for function in program.functions.values().filter(|function| function.name == "f") {
            refused(&program, &proof, "do not include the exits of the callee", |proof| {
                for state in proof.graph.states.iter_mut().filter(|state| state.loc == function.exit) {
                    state.values.retain(|(key, _)| !keys.contains(key));
                }
            });
        }
    }
}

/// A local of one activation is not that of another one: the caller's knowledge of its own says nothing about
/// the callee's. The program has an error, and this proof would be valid if they were the same.
#[test]
fn the_variables_of_a_callee_are_not_those_of_its_caller() {
    let program = parsed(
        r#"beeline 1.0
entry main
fn f(n: i8) {
  var x: i8
  if n == 0 goto zero else more
  zero: if x == 4 goto end else bad
  bad: target "x"
  more: x := 4
  call f(n - 1)
  end: exit
}
fn main() {
  call f(1)
  exit
}
"#,
    );
    let var = |name: &str| program.vars.iter().find(|(_, var)| var.name == name).unwrap().0;
    let (f, function) = program.functions.iter().find(|(_, function)| function.name == "f").unwrap();
    let calls = || program.edges.iter().filter(|(_, edge)| edge.op.as_call().is_some());
    let (inner, outer) = (
        calls().find(|(_, edge)| program.function_of(edge.src) == f).unwrap(),
        calls().find(|(_, edge)| program.function_of(edge.src) != f).unwrap(),
    );
    let (x, n) = (RunKey::Var(var("x"), 0), RunKey::Var(var("n"), AT_ENTRY));
    let state = |loc, stack, mut values: Vec<(RunKey, u64)>, children| {
        values.sort();
        let values = values.into_iter().map(|(key, value)| (key, Some(Value::bv(8, value)))).collect();
        RunState { loc, stack, values, formula: RunFormula::TRUE, children, covered_by: None }
    };
    let call = |state, edge, context| RunCall { state, edge, callee: f, context, children: vec![] };
    let proof = RunSummaries {
        graph: RunProof {
            cuts: RunCuts::At(vec![]),
            stacks: [program.entry, f, f].map(|callee| RunStack { caller: None, callee }).into(),
            exprs: vec![],
            predicates: vec![],
            nodes: vec![],
            states: vec![
                state(outer.1.src, 0, vec![], vec![]),
                state(function.entry(), 1, vec![(n, 1)], vec![2]),
                state(inner.1.src, 1, vec![(x, 4), (n, 1)], vec![]),
                state(function.entry(), 2, vec![(x, 4)], vec![]),
            ],
            ensures: vec![],
        },
        entries: vec![0, 1, 3],
        calls: vec![call(0, outer.0, 1), call(2, inner.0, 2)],
    };
    match outcome(&program, &proof) {
        Outcome::Invalid(fault) => assert!(fault.reason.contains("does not include its entry"), "{fault:?}"),
        other => panic!("{other:?}"),
    }
}
