//! Counterexamples without a verifier: of programs whose inputs are known to lead to a target.

use beeline_interp::oracle::Given;
use beeline_interp::{Limits, Machine, Oracle, Outcome, Run as Execution, Source};
use beeline_ir::{EdgeId, FuncId, Op, Program, Value};
use beeline_run::{Choice, Run, RunPath, RunStep, RunTarget, RunVerdict, TargetVerdict};

/// The result that a verifier would write for an execution with these inputs; nothing if it does not
/// reach a target.
pub fn counterexample(program: &Program, inputs: Vec<Value>) -> Option<Run> {
    counterexample_of(program, &mut Given::new(inputs))
}

/// The same for an execution in which an oracle decides what the program leaves open.
pub fn counterexample_of(program: &Program, oracle: &mut dyn Oracle) -> Option<Run> {
    let limits = Limits { trace: true, record: true, ..Limits::default() };
    let machine = Machine::new(program);
    let execution = machine.run(oracle, &limits);
    let Outcome::Target(target) = execution.outcome else { return None };
    let path = RunPath {
        target: program.targets[target].loc,
        steps: steps(program, &execution.trace),
        choices: choices(program, &execution),
        assumptions: Vec::new(),
    };
    Some(Run {
        verdict: RunVerdict::Unsafe,
        targets: vec![RunTarget { loc: path.target, verdict: TargetVerdict::Unsafe { path: 0 } }],
        paths: vec![path],
        proofs: Vec::new(),
        statistics: Vec::new(),
        undefined: Vec::new(),
        rests: Vec::new(),
        resting: Vec::new(),
        parts: Vec::new(),
        precision: None,
        callees: Vec::new(),
        broken: Vec::new(),
    })
}

/// The steps of an execution that takes some edges.
fn steps(program: &Program, edges: &[EdgeId]) -> Vec<RunStep> {
    let mut steps = Vec::new();
    let mut calls: Vec<EdgeId> = Vec::new();
    let mut loc = program.functions[program.entry].entry();
    let is_exit = |loc| program.functions[program.function_of(loc)].exit == loc;
    for (index, &edge) in edges.iter().enumerate() {
        while program.edges[edge].src != loc && is_exit(loc) {
            let call = calls.pop().expect("the entry function does not return before a target");
            steps.push(RunStep::Return(call));
            loc = program.edges[call].dst;
        }
        match &program.edges[edge].op {
            Op::Call(call) => {
                let callee = callee(program, call.callee.functions(), edges.get(index + 1));
                calls.push(edge);
                steps.push(RunStep::Call(edge, callee));
                loc = program.functions[callee].entry();
            }
            _ => {
                steps.push(RunStep::Edge(edge));
                loc = program.edges[edge].dst;
            }
        }
    }
    steps
}

/// The candidate whose body the next edge is in.
fn callee(program: &Program, candidates: &[FuncId], next: Option<&EdgeId>) -> FuncId {
    let at = next.map(|&next| program.function_of(program.edges[next].src));
    let found = candidates.iter().copied().find(|&candidate| Some(candidate) == at);
    found.unwrap_or(candidates[0])
}

fn choices(program: &Program, execution: &Execution) -> Vec<Choice> {
    let choice = |(source, value): &(Source, Value)| {
        let value = value.clone();
        let set = |edge: EdgeId| program.edges[edge].op.writes()[0];
        match *source {
            Source::Input { input, edge } => {
                Choice::Input { edge, var: set(edge), input: Some(input), value }
            }
            Source::Havoc { edge } => Choice::Input { edge, var: set(edge), input: None, value },
            Source::Variable(var) => Choice::Unwritten { var, value },
            Source::Cell(region, addr) => Choice::Cell { region, addr, value },
        }
    };
    execution.values.iter().map(choice).collect()
}
