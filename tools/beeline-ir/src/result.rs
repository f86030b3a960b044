//! `beeline-ir dump` of a result: a `.run` file, and its proof as a graph.

use crate::dump::quoted;
use crate::formulas::Formulas;
use crate::names::{Names, value};
use beeline_ir::Value;
use beeline_run::{
    Certificate, Choice, Reason, Run, RunCuts, RunKey, RunPath, RunProof, RunState, RunStep, RunTarget,
    RunVerdict, TargetVerdict,
};
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// All that a result says.
pub fn content(run: &Run, names: &Names<'_>) -> Json {
    let certificates = run.proofs.iter().map(|Certificate::Graph(graph)| proof(graph, names));
    json!({
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

fn proof(proof: &RunProof, names: &Names<'_>) -> Json {
    let formulas = Formulas::new(proof, names);
    let state = |state: &RunState| {
        json!({
            "at": names.location(state.loc),
            "stack": state.stack,
            "values": known(state, names),
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
    json!({
        "kind": "graph",
        "cuts": cuts,
        "stacks": stacks.collect::<Vec<_>>(),
        "predicates": formulas.predicates(),
        "shared": formulas.shared(),
        "states": proof.states.iter().map(state).collect::<Vec<_>>(),
    })
}

/// What a state knows by values, as `name = value`.
fn known(state: &RunState, names: &Names<'_>) -> Vec<String> {
    let shown = |known: &Option<Value>| known.as_ref().map_or("any".into(), value);
    let entries = state.values.iter().map(|(key, known)| match *key {
        RunKey::Var(var, level) => format!("{} = {}", names.variable(var, level), shown(known)),
        RunKey::Pristine(region) => format!("{} as it was", names.region(region)),
        RunKey::Cell(region, addr) => format!("{}[{addr:#x}] = {}", names.region(region), shown(known)),
    });
    entries.collect()
}

/// The states of a proof as a graph for Graphviz: full lines lead to successors, dashed ones to what covers a state.
pub fn dot(proof: &RunProof, names: &Names<'_>) -> String {
    let formulas = Formulas::new(proof, names);
    let mut text = String::from("digraph proof {\n  node [shape=box, fontname=monospace];\n");
    for (index, state) in proof.states.iter().enumerate() {
        let mut lines = vec![format!("{index}: {}", names.location(state.loc))];
        lines.extend(known(state, names));
        lines.push(formulas.text(state.formula));
        let look = if state.covered_by.is_some() { ", style=dashed" } else { "" };
        let _ = writeln!(text, "  s{index} [label={}{look}];", quoted(&lines.join("\n")));
        for child in &state.children {
            let _ = writeln!(text, "  s{index} -> s{child};");
        }
        if let Some(covering) = state.covered_by {
            let _ = writeln!(text, "  s{index} -> s{covering} [style=dashed, constraint=false];");
        }
    }
    text + "}\n"
}
