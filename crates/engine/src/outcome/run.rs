//! The body of a `.run` file: a verdict with its paths, proofs and statistics.

use crate::control::After;
use crate::control::place::{Place, Step};
use crate::control::postconditions::Postconditions;
use crate::outcome::predicate_table::Table;
use crate::outcome::verdict::{
    Context, Finding, Found, Proof, ProofState, States, Statistics, Summaries, SummaryCall, Unrolling,
    Verdict, Whole,
};
use crate::paths::counterexample::Counterexample;
use crate::search::distance::{Seen, candidates};
use crate::state::bdd::{Bdd, Bdds};
use crate::state::precision::Predicates;
use crate::values::Key;
use beeline_ir::{EdgeId, FuncId, LocId, Program};
use beeline_run::{
    Certificate, Run, RunAfter, RunCall, RunCallees, RunContext, RunCuts, RunEnd, RunEnsures, RunFormula,
    RunInduction, RunInvariant, RunInvariants, RunKey, RunLabel, RunNode, RunPath, RunProof, RunResting,
    RunStack, RunState, RunStep, RunSummaries, RunTarget, RunUnrolling, RunVerdict, TargetVerdict,
};
use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The result of a run, for a file.
pub fn record(program: &Program, verdict: &Verdict, statistics: &Statistics) -> Run {
    let mut paths = Vec::new();
    let mut of_targets: BTreeMap<LocId, TargetVerdict> = BTreeMap::new();
    for Finding { target, found } in &verdict.findings {
        let next = paths.len() as u32;
        let (of_target, path) = match found {
            Found::Reached(path) => (TargetVerdict::Unsafe { path: next }, Some(path)),
            Found::Possible(reason, path) => {
                (TargetVerdict::Unknown { reason: reason.clone(), path: Some(next) }, Some(path))
            }
            Found::Excluded(proof) => (TargetVerdict::Safe { proof: *proof as u32 }, None),
            Found::Undecided(reason) => (TargetVerdict::Unknown { reason: reason.clone(), path: None }, None),
        };
        paths.extend(path.map(|path| path_of(path)));
        of_targets.insert(*target, of_target);
    }
    let of_others = |loc: &LocId| match &verdict.ended {
        _ if !verdict.asked.contains(loc) => TargetVerdict::NotAsked,
        Some(reason) => TargetVerdict::Unknown { reason: reason.clone(), path: None },
        None => TargetVerdict::Open,
    };
    let locs: BTreeSet<LocId> = program.targets.iter().map(|target| target.loc).collect();
    let target = |loc| {
        let verdict = of_targets.remove(&loc).unwrap_or_else(|| of_others(&loc));
        RunTarget { loc, verdict }
    };
    let undefined: BTreeSet<EdgeId> =
        verdict.proofs.iter().flat_map(|proof| proof.undefined()).copied().collect();
    let resting = |(index, proof): (usize, &Proof)| {
        let Proof::States(states) = proof else { return None };
        Some(RunResting { proof: index as u32, after: after_of(states)? })
    };
    Run {
        verdict: match verdict.whole() {
            Whole::Safe => RunVerdict::Safe,
            Whole::Unsafe(_) => RunVerdict::Unsafe,
            Whole::Unknown(reason) | Whole::Possible(reason, _) => RunVerdict::Unknown(reason.clone()),
        },
        targets: locs.into_iter().map(target).collect(),
        paths,
        proofs: verdict.proofs.iter().map(certificate).collect(),
        statistics: statistics.figures(),
        undefined: undefined.into_iter().collect(),
        rests: Vec::new(),
        resting: verdict.proofs.iter().enumerate().filter_map(resting).collect(),
        parts: Vec::new(),
        precision: None,
        callees: Vec::new(),
        broken: Vec::new(),
    }
}

/// The callees that calls were seen to have, for a file. Functions that are no candidates are left out.
pub fn callees_of(program: &Program, seen: &Seen) -> Vec<RunCallees> {
    let call = |(&edge, seen): (&EdgeId, &BTreeSet<FuncId>)| {
        let candidates = candidates(program, edge);
        let seen: Vec<FuncId> = seen.iter().copied().filter(|callee| candidates.contains(callee)).collect();
        (!seen.is_empty()).then_some(RunCallees { edge, seen, candidates: candidates.len() as u32 })
    };
    seen.iter().filter_map(call).collect()
}

/// The callees of calls in files, oldest file first. For a call in several files the newest one counts.
pub fn seen_in<'r>(runs: impl Iterator<Item = &'r Run>) -> Seen {
    let calls = runs.flat_map(|run| &run.callees);
    calls.map(|call| (call.edge, call.seen.iter().copied().collect())).collect()
}

fn path_of(counterexample: &Counterexample) -> RunPath {
    let steps = counterexample.trace.steps.iter().map(|(step, _)| match *step {
        Step::Edge(edge) => RunStep::Edge(edge),
        Step::Call(edge, callee) => RunStep::Call(edge, callee),
        // A trace has no pops.
        Step::Return(edge) | Step::Pop(edge) => RunStep::Return(edge),
    });
    RunPath {
        target: counterexample.target,
        steps: steps.collect(),
        choices: counterexample.choices.clone(),
        assumptions: counterexample.assumptions.iter().map(|&index| index as u32).collect(),
    }
}

fn certificate(proof: &Proof) -> Certificate {
    match proof {
        Proof::States(states) => Certificate::Graph(proof_of(states)),
        Proof::Unrolling(unrolling) => Certificate::Unrolling(unrolling_of(unrolling)),
        Proof::Summaries(summaries) => Certificate::Summaries(summaries_of(summaries)),
    }
}

/// Contexts, for a file.
fn summaries_of(summaries: &Summaries) -> RunSummaries {
    let indices = |list: &[usize]| list.iter().map(|&index| index as u32).collect();
    let call = |call: &SummaryCall| RunCall {
        state: call.state as u32,
        edge: call.edge,
        callee: call.callee,
        context: call.context as u32,
        children: indices(&call.children),
    };
    RunSummaries {
        graph: proof_of(&summaries.states),
        entries: indices(&summaries.entries),
        calls: summaries.calls.iter().map(call).collect(),
    }
}

/// An unrolling, for a file: the places where it ends, and their contexts.
fn unrolling_of(unrolling: &Unrolling) -> RunUnrolling {
    let contexts = &unrolling.contexts;
    let mut used = vec![false; contexts.len()];
    for end in &unrolling.ends {
        let mut next = Some(end.stack);
        while let Some(id) = next.filter(|id| !std::mem::replace(&mut used[id.index()], true)) {
            next = contexts[id.index()].frame.caller.map(|(caller, _)| caller);
        }
    }
    let mut index = vec![0; contexts.len()];
    let kept = (0..contexts.len()).filter(|&id| used[id]);
    kept.zip(0..).for_each(|(id, next)| index[id] = next);
    let context = |context: &Context| RunContext {
        caller: context.frame.caller.map(|(caller, edge)| (index[caller.index()], edge)),
        callee: context.frame.callee,
        counts: context.counts.clone(),
    };
    let kept = contexts.iter().zip(&used).filter(|(_, used)| **used);
    let end = |end: &Place| RunEnd { loc: end.loc, context: index[end.stack.index()] };
    let entered: BTreeSet<FuncId> = contexts.iter().map(|context| context.frame.callee).collect();
    let mut table = Table::new(&unrolling.predicates);
    let invariants = unrolling.invariants.iter().map(|&(head, pred)| {
        let pred = table.pred(pred) as usize;
        RunInvariant { head, expr: table.preds[pred] }
    });
    let list = invariants.collect();
    RunUnrolling {
        invariants: RunInvariants { exprs: table.exprs, list },
        contexts: kept.map(|(kept, _)| context(kept)).collect(),
        ends: unrolling.ends.iter().map(end).collect(),
        places: unrolling.places as u64,
        entered: entered.into_iter().collect(),
        inductions: unrolling
            .inductions
            .iter()
            .map(|&(head, iterations)| RunInduction { head, turns: iterations })
            .collect(),
    }
}

/// A graph of abstract states, for a file.
pub fn proof_of(proof: &States) -> RunProof {
    let numbers = Numbers::of(proof);
    let kept = proof.stacks.iter().enumerate().filter(|&(id, _)| numbers.is_plain(id));
    let stacks = kept.map(|(_, frame)| RunStack {
        caller: frame.caller.map(|(caller, edge)| (numbers.of_stack[caller.index()], edge)),
        callee: frame.callee,
    });
    let mut formulas = Formulas::new(&proof.predicates, &proof.bdds);
    let states = proof.states.iter().map(|state| RunState {
        loc: state.place.loc,
        stack: numbers.of_stack[state.place.stack.index()],
        values: state.values.entries().map(|(key, value)| (run_key(key), value.cloned())).collect(),
        formula: formulas.formula(state.formula),
        children: state.children.iter().map(|&child| child as u32).collect(),
        covered_by: state.covered_by.map(|covering| covering as u32),
    });
    let states = states.collect();
    let postconditions = proof
        .postconditions
        .iter()
        .flat_map(|(func, postconditions)| formulas.postconditions(*func, postconditions))
        .collect();
    let Formulas { table: Table { exprs, preds, .. }, nodes, .. } = formulas;
    RunProof {
        ensures: postconditions,
        cuts: proof.cut_points.clone().map_or(RunCuts::Everywhere, RunCuts::At),
        stacks: stacks.collect(),
        exprs,
        predicates: preds,
        nodes,
        states,
    }
}

/// What a graph relies on of an earlier residual condition, if it does.
pub(crate) fn after_of(proof: &States) -> Option<RunAfter> {
    let After { link, stacks } = proof.after.as_ref()?;
    let mut ids: FxHashMap<&[RunLabel], u32> = FxHashMap::default();
    let mut labels: Vec<Vec<RunLabel>> = Vec::new();
    let of_state = |state: &ProofState| {
        let (_, label) = &stacks[state.place.stack.index()];
        *ids.entry(label).or_insert_with(|| {
            labels.push(label.clone());
            labels.len() as u32 - 1
        })
    };
    let of_states = proof.states.iter().map(of_state).collect();
    Some(RunAfter { run: link.run, rest: link.rest, labels, of_states })
}

/// The numbers of stacks in a file, where they have no labels.
struct Numbers<'a> {
    after: Option<&'a After>,
    of_stack: Vec<u32>,
}

impl Numbers<'_> {
    fn of(proof: &States) -> Numbers<'_> {
        let mut numbers = Numbers { after: proof.after.as_ref(), of_stack: Vec::new() };
        let mut next = 0;
        // A stack with labels comes after the one without.
        for id in 0..proof.stacks.len() {
            let plain = numbers.after.map_or(id, |after| after.stacks[id].0.index());
            let number = if plain == id { next } else { numbers.of_stack[plain] };
            next += u32::from(plain == id);
            numbers.of_stack.push(number);
        }
        numbers
    }

    fn is_plain(&self, id: usize) -> bool {
        self.after.is_none_or(|after| after.stacks[id].0.index() == id)
    }
}

/// The tables of a proof under construction.
struct Formulas<'a> {
    table: Table<'a>,
    bdds: &'a Bdds,
    nodes: Vec<RunNode>,
    formulas: FxHashMap<Bdd, RunFormula>,
}

impl<'a> Formulas<'a> {
    fn new(predicates: &'a Predicates, bdds: &'a Bdds) -> Formulas<'a> {
        Formulas { table: Table::new(predicates), bdds, nodes: Vec::new(), formulas: FxHashMap::default() }
    }

    fn formula(&mut self, bdd: Bdd) -> RunFormula {
        let Some(decision) = self.bdds.decision(bdd) else {
            return if bdd == Bdd::TRUE { RunFormula::TRUE } else { RunFormula::FALSE };
        };
        if let Some(&known) = self.formulas.get(&bdd) {
            return known;
        }
        let (no, yes) = (self.formula(decision.no), self.formula(decision.yes));
        let pred = self.table.pred(decision.pred);
        self.nodes.push(RunNode { pred, no, yes });
        let formula = RunFormula::of_node(self.nodes.len() as u32 - 1);
        self.formulas.insert(bdd, formula);
        formula
    }

    fn postconditions(&mut self, func: FuncId, postconditions: &Postconditions) -> Vec<RunEnsures> {
        let Table { exprs, preds, .. } = &mut self.table;
        let first = preds.len() as u32;
        preds.extend(postconditions.predicates(exprs));
        (first..preds.len() as u32).map(|pred| RunEnsures { func, pred }).collect()
    }
}

fn run_key(key: Key) -> RunKey {
    match key {
        Key::Var(slot) => RunKey::Var(slot.var, slot.level),
        Key::Pristine(region) => RunKey::Pristine(region),
        Key::Cell(region, addr) => RunKey::Cell(region, addr),
    }
}
