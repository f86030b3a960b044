//! The answer, for a program.

use crate::answer::{Answer, Check, Word};
use crate::path::ErrorPath;
use crate::report::{self, shown, violation};
use beeline_ir::{Program, Span};
use beeline_run::{Certificate, Choice, RunPath, RunStep};
use beeline_witness::execution::{Place, Step};
use serde_json::{Map, Value, json};

/// The answer as one object.
pub(crate) fn object(answer: &Answer) -> Value {
    let mut object = json!({
        "verdict": answer.word().name(),
        "remark": answer.remark(),
        "property": answer.job.property.name(),
        "checked": matches!(answer.check, Some(Check::Passed)),
        "steps": answer.commands.iter().map(|(command, time)| json!({
            "command": command,
            "seconds": time.as_secs_f64(),
        })).collect::<Vec<_>>(),
    });
    let Some((program, run)) = &answer.result else { return object };
    object["targets"] = json!(program.targets.iter().map(|target| &target.name).collect::<Vec<_>>());
    object["statistics"] = json!(run.statistics);
    if let Some(finding) = &answer.finding {
        object["finding"] = json!(finding);
    }
    if answer.word() != Word::Unknown {
        object["assumptions"] = json!(run.assumptions(program));
    }
    match (answer.word(), run.path(), run.proof()) {
        (Word::Unsafe | Word::Unknown, Some(path), _) => error(&mut object, program, path),
        (Word::Safe, _, Some(proof)) => {
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
    object
}

/// An error path; one of an unknown verdict is possible only.
fn error(object: &mut Value, program: &Program, path: &RunPath) {
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
    let steps =
        found.as_ref().map(|found| found.relevant().map(|step| moment(program, step)).collect::<Vec<_>>());
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
