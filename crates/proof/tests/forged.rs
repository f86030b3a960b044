//! Forged results that no search would produce. Each would be valid without one rule, and the program has an
//! error.

use beeline_ir::text::parse;
use beeline_ir::{EdgeId, FuncId, LocId, Program, Value, VarId};
use beeline_proof::{Options, Outcome, check_result};
use beeline_run::{
    Certificate, Reason, Run, RunAfter, RunCuts, RunFormula, RunKey, RunLabel, RunOpen, RunProof, RunRest,
    RunResting, RunStack, RunState, RunTarget, RunVerdict, TargetVerdict,
};

fn parsed(text: &str) -> Program {
    parse(text).unwrap_or_else(|faults| panic!("{faults:?}"))
}

fn function(program: &Program, name: &str) -> FuncId {
    program.functions.iter().find(|(_, function)| function.name == name).expect("there is such a function").0
}

fn var(program: &Program, name: &str) -> VarId {
    program.vars.iter().find(|(_, var)| var.name == name).expect("there is such a variable").0
}

fn call_in(program: &Program, func: FuncId) -> EdgeId {
    let is_call =
        |edge: &beeline_ir::Edge| edge.op.as_call().is_some() && program.function_of(edge.src) == func;
    program.edges.iter().find(|(_, edge)| is_call(edge)).expect("it calls").0
}

/// The source of the first edge to a location.
fn before(program: &Program, loc: LocId) -> LocId {
    program.edges.values().find(|edge| edge.dst == loc).expect("an edge leads there").src
}

fn state(loc: LocId, stack: u32, values: &[(RunKey, u64)], children: &[u32]) -> RunState {
    let values = values.iter().map(|&(key, value)| (key, Some(Value::bv(8, value)))).collect();
    let (children, formula) = (children.to_vec(), RunFormula::TRUE);
    RunState { loc, stack, values, formula, children, covered_by: None }
}

/// A graph without predicates. Its stacks have one more call each: the first one of the function, the others
/// inside of it.
fn graph(program: &Program, func: FuncId, depth: u32, cuts: &[LocId], states: Vec<RunState>) -> RunProof {
    let caller = |below: u32| if below == 0 { program.entry } else { func };
    let stack =
        |below: u32| RunStack { caller: Some((below, call_in(program, caller(below)))), callee: func };
    let first = RunStack { caller: None, callee: program.entry };
    RunProof {
        cuts: RunCuts::At(cuts.to_vec()),
        stacks: std::iter::once(first).chain((0..depth).map(stack)).collect(),
        exprs: vec![],
        predicates: vec![],
        nodes: vec![],
        states,
        ensures: vec![],
    }
}

/// A residual condition is about whole stacks: a popped call in it would lose the executions inside.
#[test]
fn no_call_is_popped_in_a_residual_condition() {
    let program = parsed(
        "beeline 1.0
fn f(n: i8, depth: i8) {
  if n == 0 goto leaf else deeper
  leaf: if depth == 2 goto bad else last
  bad: target \"inside\"
  deeper: call f(n - 1, depth + 1)
  last: exit
}
entry main
fn main() {
  var n: i8
  n := input \"n\"
  call f(n, 1)
  exit
}
",
    );
    let (f, bad) = (function(&program, "f"), program.targets[0].loc);
    let [start, entry] = [program.entry, f].map(|func| program.functions[func].entry());
    let leaf = before(&program, bad);
    let cuts = [entry, leaf];
    // The inner call is claimed to be like the outer one, in which the leaf is left open.
    let inner = RunState { covered_by: Some(1), ..state(entry, 2, &[], &[]) };
    let left = [state(start, 0, &[], &[1]), state(entry, 1, &[], &[2, 3]), inner, state(leaf, 1, &[], &[])];
    let rest = RunRest {
        targets: vec![bad],
        graph: graph(&program, f, 2, &cuts, left.to_vec()),
        open: vec![RunOpen { state: 3, reason: Reason::States }],
        undefined: vec![],
        after: None,
    };
    // That leaf is not an error. The leaf inside of the inner call is one, and is never checked.
    let depth = |level| RunKey::Var(var(&program, "depth"), level);
    let states = [
        state(start, 0, &[], &[1]),
        state(entry, 1, &[(depth(0), 1)], &[2, 3]),
        state(leaf, 1, &[(depth(0), 1)], &[]),
        state(entry, 2, &[(depth(1), 2)], &[]),
    ];
    let proof = graph(&program, f, 2, &cuts, states.to_vec());
    let within = |state| vec![RunLabel::Within(vec![state])];
    let labels = vec![within(0), within(1), vec![RunLabel::Open]];
    let after = RunAfter { run: None, rest: 0, labels, of_states: vec![0, 1, 2, 1] };
    let run = Run {
        verdict: RunVerdict::Safe,
        targets: vec![RunTarget { loc: bad, verdict: TargetVerdict::Safe { proof: 0 } }],
        paths: vec![],
        proofs: vec![Certificate::Graph(proof)],
        statistics: vec![],
        undefined: vec![],
        rests: vec![rest],
        resting: vec![RunResting { proof: 0, after }],
        parts: vec![],
        precision: None,
        callees: vec![],
        broken: vec![],
    };
    match check_result(&program, &run, &Options::default()).outcome {
        Outcome::Invalid(fault) => assert!(fault.reason.contains("pops no calls"), "{fault:?}"),
        other => panic!("{other:?}"),
    }
}
