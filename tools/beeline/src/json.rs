//! The answer, for a program.

use crate::answer::{Answer, Check, Word};
use crate::path::ErrorPath;
use crate::property;
use crate::report::{self, shown, violation};
use crate::targets::{Severity, TargetAnswer};
use beeline_ir::{Program, Span};
use beeline_run::{Certificate, Choice, Reason, Run, RunStep};
use beeline_witness::execution::{Place, Step};
use serde_json::{Map, Value, json};

/// The answer as one object.
pub(crate) fn object(answer: &Answer) -> Value {
    let mut object = json!({
        "verdict": answer.word().name(),
        "remark": answer.remark(),
        "property": property::names(&answer.job.properties),
        "checked": answer.is_checked(),
        "steps": answer.commands.iter().map(|(command, time)| json!({
            "command": command,
            "seconds": time.as_secs_f64(),
        })).collect::<Vec<_>>(),
    });
    if let Some(chosen) = &answer.chosen {
        object["plan"] = json!({ "name": chosen.name, "path": chosen.path });
    }
    let Some((program, run)) = &answer.result else { return object };
    let targets = answer.targets();
    object["statistics"] = json!(run.statistics);
    if answer.word() != Word::Unknown || !run.proofs.is_empty() {
        object["assumptions"] = json!(run.assumptions(program));
    }
    // What the verdict is about is told beside it.
    match (targets.first().and_then(|first| first.path), run.proof()) {
        (Some(path), _) => tell(&mut object, answer, program, run, path),
        (None, Some(proof)) if answer.word() == Word::Safe => {
            object["proof"] = match proof {
                Certificate::Graph(graph) => {
                    json!({ "kind": "graph", "states": graph.states.len(), "predicates": graph.predicates.len() })
                }
                Certificate::Summaries(summaries) => {
                    json!({
                        "kind": "summaries",
                        "contexts": summaries.entries.len(),
                        "states": summaries.graph.states.len(),
                        "predicates": summaries.graph.predicates.len(),
                    })
                }
                Certificate::Unrolling(unrolling) => {
                    json!({ "kind": "unrolling", "places": unrolling.places })
                }
            };
        }
        _ => {}
    }
    object["targets"] =
        json!(targets.iter().map(|target| target_object(answer, program, run, target)).collect::<Vec<_>>());
    object
}

/// A target with its verdict.
fn target_object(answer: &Answer, program: &Program, run: &Run, known: &TargetAnswer) -> Value {
    let target = program.targets.iter().find(|target| target.loc == known.target);
    let found = known.path.and_then(|path| ErrorPath::follow(program, &run.paths[path]));
    let span = target.and_then(|target| report::at(target, found.as_ref()));
    let mut object = json!({
        "file": span.map(|span| &program.files[span.file]),
        "line": span.map(|span| span.line),
        "function": program.functions[program.function_of(known.target)].name,
        "name": target.map(|target| &target.name),
        "property": target.map(|target| &target.property),
        "verdict": known.word().name(),
        "remark": known.remark,
    });
    match (known.word(), known.path) {
        (Word::Safe, _) => object["proof_checked"] = json!(answer.proof == Some(Check::Passed)),
        (Word::Unsafe, _) => object["confirmed"] = json!(known.severity == Severity::Confirmed),
        (Word::Unknown, _) => object["cause"] = json!(known.reason.as_ref().map(Reason::name)),
    }
    if let Some(path) = known.path {
        tell(&mut object, answer, program, run, path);
    }
    object
}

/// An error path; one of an unknown verdict is possible only.
fn tell(object: &mut Value, answer: &Answer, program: &Program, run: &Run, index: usize) {
    let path = &run.paths[index];
    if let Some(finding) = answer.replays.get(index).and_then(|replay| replay.finding.as_ref()) {
        object["finding"] = json!(finding);
    }
    let at = |span: Option<Span>| span.map(|span| program.show_span(span));
    let found = ErrorPath::follow(program, path);
    if let Some(target) = program.targets.iter().find(|target| target.loc == path.target) {
        object["error"] = json!({
            "what": violation(target),
            "target": target.name,
            "property": target.property,
            "at": at(report::at(target, found.as_ref())),
            "function": program.functions[program.function_of(target.loc)].name,
            "values": found.as_ref().map(|found| &found.values),
        });
    }
    let steps = found
        .as_ref()
        .map(|found| found.relevant(program).map(|step| moment(program, step)).collect::<Vec<_>>());
    object["path"] = json!(steps);
    object["inputs"] = json!(
        path.choices
            .iter()
            .filter_map(|choice| match choice {
                Choice::Input { edge, var, input: Some(input), value } => Some(json!({
                    "function": program.inputs[*input],
                    "value": shown(program, *var, value),
                    "at": at(program.edges[*edge].span),
                })),
                _ => None,
            })
            .collect::<Vec<_>>()
    );
}

/// A step of an error path.
fn moment(program: &Program, step: &Step) -> Value {
    let edge = &program.edges[step.edge()];
    let changes = step.writes.iter().filter_map(|(place, value)| match *place {
        Place::Global(var) | Place::Local(var, _) => {
            let name = program.vars[var].source.as_ref()?.name.clone();
            Some((name, json!(shown(program, var, value))))
        }
        Place::Cell(..) => None,
    });
    json!({
        "kind": match step.step {
            RunStep::Edge(_) => "edge",
            RunStep::Call(..) => "call",
            RunStep::Return(_) => "return",
        },
        "at": edge.span.map(|span| program.show_span(span)),
        "function": program.functions[program.function_of(edge.src)].name,
        "depth": step.depth,
        "changes": changes.collect::<Map<_, _>>(),
    })
}
