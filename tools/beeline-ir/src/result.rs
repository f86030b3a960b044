//! `beeline-ir dump` of a result: a `.run` file.

use beeline_run::contracts::{Contract, contracts, ensured};
use beeline_run::formulas::Formulas;
use beeline_run::names::{Names, value};
use beeline_run::{
    Certificate, Choice, Reason, Run, RunAfter, RunBroken, RunCallees, RunCuts, RunLabel, RunLook, RunPart,
    RunPath, RunPrecision, RunProof, RunRest, RunResting, RunScope, RunState, RunStep, RunSummaries,
    RunTarget, RunTracked, RunUnrolling, RunVerdict, TargetVerdict,
};
use serde_json::{Map, Value as Json, json};

/// The content of a result.
pub(crate) fn content(run: &Run, names: &Names<'_>) -> Json {
    let certificates = run.proofs.iter().map(|certificate| match certificate {
        Certificate::Graph(graph) => proof(graph, names),
        Certificate::Unrolling(proof) => unrolling(proof, names),
        Certificate::Summaries(proof) => summaries(proof, names),
        Certificate::Joined(proof) => json!({ "joined": {
            "run": proof.run.to_string(),
            "rest": proof.rest,
            "parts": proof.parts.iter().map(|part| part.to_string()).collect::<Vec<_>>(),
        } }),
    });
    let mut content = json!({
        "verdict": match &run.verdict {
            RunVerdict::Safe => json!("safe"),
            RunVerdict::Unsafe => json!("unsafe"),
            RunVerdict::Unknown(why) => json!({ "unknown": reason(why) }),
        },
        "targets": run.targets.iter().map(|found| target(found, names)).collect::<Vec<_>>(),
        "paths": run.paths.iter().map(|found| path(found, names)).collect::<Vec<_>>(),
        "proofs": certificates.collect::<Vec<_>>(),
        "statistics": run.statistics,
        "undefined": run.undefined.iter().map(|&edge| names.edge(edge)).collect::<Vec<_>>(),
    });
    let resting = |resting: &RunResting| json!({ "proof": resting.proof, "after": after(&resting.after) });
    if !run.rests.is_empty() {
        content["rests"] = run.rests.iter().map(|left| rest(left, names)).collect();
    }
    if !run.resting.is_empty() {
        content["resting"] = run.resting.iter().map(resting).collect();
    }
    let part = |part: &RunPart| json!({ "run": part.run.to_string(), "rest": part.rest, "only": part.only });
    if !run.parts.is_empty() {
        content["parts"] = run.parts.iter().map(part).collect();
    }
    if let Some(looked) = &run.precision {
        content["precision"] = precision(looked, names);
    }
    let callees = |call: &RunCallees| {
        let seen: Vec<String> = call.seen.iter().map(|&callee| names.function(callee)).collect();
        json!({ "call": names.edge(call.edge), "seen": seen, "candidates": call.candidates })
    };
    let broken = |at: &RunBroken| json!({ "at": at.place, "cause": at.cause });
    if !run.broken.is_empty() {
        content["broken"] = run.broken.iter().map(broken).collect();
    }
    if !run.callees.is_empty() {
        content["callees"] = run.callees.iter().map(callees).collect();
    }
    content
}

/// A precision.
fn precision(precision: &RunPrecision, names: &Names<'_>) -> Json {
    let formulas = Formulas::of_precision(precision, names);
    let look = |look: &RunLook| {
        let scope = match look.scope {
            RunScope::Location(loc) => names.location(loc),
            RunScope::Function(func) => names.function(func),
            RunScope::Program => "everywhere".into(),
        };
        let predicates = look.predicates.iter().map(|&pred| &formulas.predicates()[pred as usize]);
        json!({ "in": scope, "predicates": predicates.collect::<Vec<_>>() })
    };
    let tracked = |what: &RunTracked| match *what {
        RunTracked::Var(var) => names.variable(var, 0),
        RunTracked::Region(region) => names.region(region),
    };
    let shared = formulas.shared().iter().map(|(name, text)| (name.clone(), json!(text)));
    json!({
        "looks": precision.looks.iter().map(look).collect::<Vec<_>>(),
        "shared": shared.collect::<Map<_, _>>(),
        "asked": precision.asked.iter().map(|&loc| names.location(loc)).collect::<Vec<_>>(),
        "tracked": precision.tracked.iter().map(tracked).collect::<Vec<_>>(),
        "given_up": precision.given_up.iter().map(tracked).collect::<Vec<_>>(),
    })
}

fn reason(reason: &Reason) -> Json {
    json!({ "cause": reason.name(), "text": reason.to_string() })
}

fn target(target: &RunTarget, names: &Names<'_>) -> Json {
    let verdict = match &target.verdict {
        TargetVerdict::Safe { proof } => json!({ "safe": { "proof": proof } }),
        TargetVerdict::Unsafe { path } => json!({ "unsafe": { "path": path } }),
        TargetVerdict::Unknown { reason: why, path } => json!({ "unknown": reason(why), "path": path }),
        TargetVerdict::Open => json!("open"),
        TargetVerdict::NotAsked => json!("not asked for"),
    };
    json!({ "at": names.location(target.loc), "verdict": verdict })
}

fn path(path: &RunPath, names: &Names<'_>) -> Json {
    let step = |step: &RunStep| match *step {
        RunStep::Edge(edge) => json!({ "edge": names.edge(edge) }),
        RunStep::Call(edge, callee) => json!({ "call": names.edge(edge), "of": names.function(callee) }),
        RunStep::Return(edge) => json!({ "return": names.edge(edge) }),
    };
    json!({
        "target": names.location(path.target),
        "steps": path.steps.iter().map(step).collect::<Vec<_>>(),
        "choices": path.choices.iter().map(|made| choice(made, names)).collect::<Vec<_>>(),
        "assumptions": path.assumptions,
    })
}

fn choice(choice: &Choice, names: &Names<'_>) -> Json {
    match choice {
        Choice::Input { edge, var, input, value: chosen } => {
            let input =
                input.map(|input| match names.program.and_then(|program| program.inputs.get(input)) {
                    Some(name) => name.clone(),
                    None => format!("input {}", input.as_u32()),
                });
            json!({ "at": names.edge(*edge), "input": input, names.variable(*var, 0): value(chosen) })
        }
        Choice::Unwritten { var, value: chosen } => {
            json!({ "unwritten": names.variable(*var, 0), "value": value(chosen) })
        }
        Choice::Cell { region, addr, value: chosen } => {
            json!({ "unwritten": format!("{}[{addr:#x}]", names.region(*region)), "value": value(chosen) })
        }
    }
}

fn unrolling(proof: &RunUnrolling, names: &Names<'_>) -> Json {
    let contexts = proof.contexts.iter().map(|context| {
        let caller =
            context.caller.map(|(below, edge)| json!({ "context": below, "call": names.edge(edge) }));
        json!({ "function": names.function(context.callee), "caller": caller, "turns": context.counts })
    });
    let ends = proof.ends.iter().map(|end| json!({ "at": names.location(end.loc), "context": end.context }));
    let inductions =
        proof.inductions.iter().map(|of| json!({ "head": names.location(of.head), "turns": of.turns }));
    let formulas = Formulas::of_invariants(&proof.invariants, names);
    let invariants = proof.invariants.list.iter().zip(formulas.predicates());
    let invariants = invariants.map(|(of, holds)| json!({ "head": names.location(of.head), "holds": holds }));
    let shared = formulas.shared().iter().map(|(name, text)| (name.clone(), json!(text)));
    json!({
        "kind": "unrolling",
        "places": proof.places,
        "inductions": inductions.collect::<Vec<_>>(),
        "invariants": invariants.collect::<Vec<_>>(),
        "shared": shared.collect::<Map<_, _>>(),
        "entered": proof.entered.iter().map(|&func| names.function(func)).collect::<Vec<_>>(),
        "contexts": contexts.collect::<Vec<_>>(),
        "ends": ends.collect::<Vec<_>>(),
    })
}

/// The contexts as contracts, and their parts.
fn summaries(summaries: &RunSummaries, names: &Names<'_>) -> Json {
    let contexts = contracts(summaries, names);
    let calls = summaries.calls.iter().map(|call| {
        json!({
            "state": call.state,
            "call": names.edge(call.edge),
            "of": names.function(call.callee),
            "context": call.context,
            "children": call.children,
        })
    });
    let mut content = proof(&summaries.graph, names);
    content["kind"] = json!("summaries");
    content["contexts"] = contexts.iter().map(Contract::to_string).collect();
    content["entries"] = json!(summaries.entries);
    content["calls"] = calls.collect();
    content
}

/// A residual condition.
pub(crate) fn rest(rest: &RunRest, names: &Names<'_>) -> Json {
    let formulas = Formulas::new(&rest.graph, names);
    let open = rest.open.iter().map(|open| {
        let state = &rest.graph.states[open.state as usize];
        json!({
            "state": open.state,
            "at": names.location(state.loc),
            "values": names.known(&state.values),
            "formula": formulas.text(state.formula),
            "reason": open.reason.to_string(),
        })
    });
    let mut content = proof(&rest.graph, names);
    content["kind"] = json!("rest");
    content["targets"] = json!(rest.targets.iter().map(|&loc| names.location(loc)).collect::<Vec<_>>());
    content["open"] = open.collect();
    content["undefined"] = json!(rest.undefined.iter().map(|&edge| names.edge(edge)).collect::<Vec<_>>());
    content["after"] = json!(rest.after.as_ref().map(after));
    content
}

/// The residual conditions that a part relies on.
fn after(after: &RunAfter) -> Json {
    let label = |label: &RunLabel| match label {
        RunLabel::Open => json!("open"),
        RunLabel::Within(states) => json!(states),
    };
    let labels = after.labels.iter().map(|labels| labels.iter().map(label).collect::<Vec<_>>());
    json!({
        "run": after.run.map(|digest| digest.to_string()),
        "rest": after.rest,
        "labels": labels.collect::<Vec<_>>(),
        "of_states": after.of_states,
    })
}

fn proof(proof: &RunProof, names: &Names<'_>) -> Json {
    let formulas = Formulas::new(proof, names);
    let state = |state: &RunState| {
        json!({
            "at": names.location(state.loc),
            "stack": state.stack,
            "values": names.known(&state.values),
            "formula": formulas.text(state.formula),
            "children": state.children,
            "covered_by": state.covered_by,
        })
    };
    let cuts = match &proof.cuts {
        RunCuts::Everywhere => json!("everywhere"),
        RunCuts::At(locs) => json!(locs.iter().map(|&loc| names.location(loc)).collect::<Vec<_>>()),
    };
    let stacks = proof.stacks.iter().map(|stack| {
        let caller = stack.caller.map(|(below, edge)| json!({ "stack": below, "call": names.edge(edge) }));
        json!({ "function": names.function(stack.callee), "caller": caller })
    });
    let shared = formulas.shared().iter().map(|(name, text)| (name.clone(), json!(text)));
    json!({
        "kind": "graph",
        "cuts": cuts,
        "stacks": stacks.collect::<Vec<_>>(),
        "predicates": formulas.predicates(),
        "shared": shared.collect::<Map<_, _>>(),
        "ensures": ensured(proof, names).iter().map(Contract::to_string).collect::<Vec<_>>(),
        "states": proof.states.iter().map(state).collect::<Vec<_>>(),
    })
}
