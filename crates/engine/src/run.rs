//! A verdict as it goes to a `.run` file.

use crate::place::Step;
use crate::values::Key;
use crate::verdict::{Statistics, Verdict};
use beeline_run::{Run, RunKey, RunPath, RunProof, RunStack, RunState, RunStep, RunVerdict};

/// The result of a run as it goes to a file.
pub fn record(verdict: &Verdict, statistics: &Statistics) -> Run {
    let mut run = Run {
        verdict: RunVerdict::Safe,
        path: None,
        proof: None,
        statistics: statistics.named().into_iter().map(|(name, value)| (name.into(), value)).collect(),
    };
    match verdict {
        Verdict::Safe(proof) => run.proof = Some(proof_of(proof)),
        Verdict::Unknown(reason) => run.verdict = RunVerdict::Unknown(reason.to_string()),
        Verdict::Unsafe(counterexample) => {
            run.verdict = RunVerdict::Unsafe;
            let steps = counterexample.steps.iter().map(|(step, _)| match *step {
                Step::Edge(edge) => RunStep::Edge(edge),
                Step::Call(edge, callee) => RunStep::Call(edge, callee),
                Step::Return(edge) => RunStep::Return(edge),
            });
            run.path = Some(RunPath {
                target: counterexample.target,
                steps: steps.collect(),
                choices: counterexample.choices.clone(),
                assumptions: counterexample.assumptions.iter().map(|&index| index as u32).collect(),
            });
        }
    }
    run
}

fn proof_of(proof: &crate::verdict::Proof) -> RunProof {
    let stacks = proof.stacks.iter().map(|frame| RunStack {
        caller: frame.caller.map(|(caller, edge)| (caller.as_u32(), edge)),
        callee: frame.callee,
    });
    let states = proof.states.iter().map(|state| RunState {
        loc: state.place.loc,
        stack: state.place.stack.as_u32(),
        values: state.values.entries().map(|(key, value)| (run_key(key), value.cloned())).collect(),
        literals: state.literals.iter().map(|literal| (literal.pred.as_u32(), literal.holds)).collect(),
        children: state.children.iter().map(|&child| child as u32).collect(),
        covered_by: state.covered_by.map(|covering| covering as u32),
    });
    RunProof { stacks: stacks.collect(), predicates: proof.predicates.clone(), states: states.collect() }
}

fn run_key(key: Key) -> RunKey {
    match key {
        Key::Var(slot) => RunKey::Var(slot.var, slot.level),
        Key::Pristine(region) => RunKey::Pristine(region),
        Key::Cell(region, addr) => RunKey::Cell(region, addr),
    }
}
