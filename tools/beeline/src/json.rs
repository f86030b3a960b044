//! The answer, for a program: `docs/answer.schema.json` is its schema. Every object has all keys, those that say nothing
//! with null or nothing in them.

use crate::answer::{Answer, Check, Word};
use crate::path::ErrorPath;
use crate::property;
use crate::report::{self, violation};
use crate::targets::{Severity, TargetAnswer};
use beeline_ir::{Op, Program, Span, Value as Datum, VarId};
use beeline_run::{Certificate, Choice, Reason, Run, RunStep};
use beeline_witness::execution::Step;
use beeline_witness::show::{Named, called, input_type, shown};
use beeline_witness::story::Conditions;
use serde_json::{Map, Value, json};

/// The version of the format. A new key makes a new minor one; whatever else changes makes a new major one.
const VERSION: &str = "1.3";

/// An object with all keys, which says a verdict and no more.
fn blank(verdict: &str, remark: &str) -> Value {
    json!({
        "version": VERSION,
        "verdict": verdict,
        "remark": remark,
        "property": null,
        "checked": false,
        "steps": [],
        "plan": null,
        "since": null,
        "statistics": null,
        "assumptions": [],
        "hollow": null,
        "proof": null,
        "certified": null,
        "finding": null,
        "error": null,
        "path": null,
        "memory": [],
        "inputs": [],
        "targets": [],
    })
}

/// That there is no answer, as the input or the usage is wrong.
pub(crate) fn wrong(sentence: &str) -> Value {
    blank("error", sentence)
}

/// The answer as one object.
pub(crate) fn object(answer: &Answer) -> Value {
    let mut object = blank(answer.word().name(), &answer.remark());
    object["property"] = property::names(&answer.job.properties).into();
    object["checked"] = answer.is_checked().into();
    let steps = answer.commands.iter();
    let steps = steps.map(|(command, time)| json!({ "command": command, "seconds": time.as_secs_f64() }));
    object["steps"] = steps.collect::<Vec<_>>().into();
    if let Some(chosen) = &answer.chosen {
        object["plan"] = json!({ "name": chosen.name, "path": chosen.path });
    }
    object["hollow"] = json!(answer.unmet);
    object["certified"] = json!(answer.certified);
    object["since"] = json!(answer.earlier.as_ref().map(|earlier| earlier.object(answer.word())));
    let Some((program, run)) = &answer.result else { return object };
    let targets = answer.targets();
    object["statistics"] = json!(run.statistics);
    // What nothing was found out of rests on nothing.
    if answer.word() != Word::Unknown || !run.proofs.is_empty() {
        object["assumptions"] = json!(run.assumptions(program));
    }
    // The target of the verdict is given beside it.
    match (targets.first().and_then(|first| first.path), run.proof()) {
        (Some(path), _) => tell(&mut object, answer, program, run, path),
        (None, Some(certificate)) if answer.word() == Word::Safe => object["proof"] = proof(certificate),
        _ => {}
    }
    object["targets"] =
        json!(targets.iter().map(|target| target_object(answer, program, run, target)).collect::<Vec<_>>());
    object
}

/// The kind and the size of a proof.
fn proof(certificate: &Certificate) -> Value {
    match certificate {
        Certificate::Graph(graph) => {
            json!({ "kind": "graph", "states": graph.states.len(), "predicates": graph.predicates.len() })
        }
        Certificate::Summaries(summaries) => json!({
            "kind": "summaries",
            "contexts": summaries.entries.len(),
            "states": summaries.graph.states.len(),
            "predicates": summaries.graph.predicates.len(),
        }),
        Certificate::Joined(joined) => json!({ "kind": "joined", "parts": joined.parts.len() }),
        Certificate::Unrolling(unrolling) => json!({ "kind": "unrolling", "places": unrolling.places }),
    }
}

/// A target with its verdict.
fn target_object(answer: &Answer, program: &Program, run: &Run, known: &TargetAnswer) -> Value {
    let target = program.targets.iter().find(|target| target.loc == known.target);
    let found = known.path.and_then(|path| ErrorPath::follow(program, &run.paths[path]));
    let span = target.and_then(|target| report::at(program, target, found.as_ref()));
    let mut object = json!({
        "file": span.map(|span| &program.files[span.file]),
        "line": span.map(|span| span.line),
        "column": span.map(|span| span.col).filter(|column| *column > 0),
        "function": program.source_function(program.function_of(known.target)),
        "name": target.map(|target| &target.name),
        "property": target.map(|target| &target.property),
        "verdict": known.word().name(),
        "remark": known.remark,
        "proof_checked": null,
        "confirmed": null,
        "cause": null,
        "finding": null,
        "error": null,
        "path": null,
        "memory": [],
        "inputs": [],
    });
    match (known.word(), known.path) {
        (Word::Safe, _) => {
            object["proof_checked"] = json!(answer.proof.as_ref().is_some_and(Check::is_passed))
        }
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
    let at = |span: Option<Span>| span.map(|span| place(program, span));
    let found = ErrorPath::follow(program, path);
    if let Some(target) = program.targets.iter().find(|target| target.loc == path.target) {
        object["error"] = json!({
            "what": violation(target, found.as_ref()),
            "target": target.name,
            "property": target.property,
            "at": at(report::at(program, target, found.as_ref())),
            "function": program.source_function(program.function_of(target.loc)),
            "values": found.as_ref().map(|found| found.values.iter().map(value).collect::<Vec<_>>()),
        });
    }
    let mut conditions = Conditions::new(program);
    let steps = found.as_ref().map(|found| {
        let steps = found.relevant(program);
        steps.map(|(step, depth)| moment(program, step, depth, &mut conditions)).collect::<Vec<_>>()
    });
    object["path"] = json!(steps);
    let memory = answer.replays.get(index).map_or(&[][..], |replay| &replay.memory);
    object["memory"] = memory
        .iter()
        .map(|held| json!({ "name": held.name, "value": held.value }))
        .collect::<Vec<_>>()
        .into();
    object["inputs"] = json!(
        path.choices
            .iter()
            .filter_map(|choice| match choice {
                Choice::Input { edge, var, input: Some(input), value } => Some(json!({
                    "function": program.inputs[*input],
                    "value": input_value(program, *var, &program.inputs[*input], value),
                    "at": at(program.edges[*edge].span),
                })),
                _ => None,
            })
            .collect::<Vec<_>>()
    );
}

/// A step of an error path.
fn moment(program: &Program, step: &Step, depth: usize, conditions: &mut Conditions) -> Value {
    let edge = &program.edges[step.edge()];
    let condition = match edge.op {
        Op::Assume(cond, _) => conditions.text(edge.src, cond),
        _ => None,
    };
    let changes = step.writes.iter().filter_map(|(place, given)| {
        let called = called(program, *place, given)?;
        let value = typed(called.ty, &called.value, &called.shown);
        Some((called.name, value))
    });
    json!({
        "kind": match step.step {
            RunStep::Edge(_) => "edge",
            RunStep::Call(..) => "call",
            RunStep::Return(_) => "return",
        },
        "at": edge.span.map(|span| place(program, span)),
        "function": program.source_function(program.function_of(edge.src)),
        "depth": depth,
        "condition": condition,
        "changes": changes.collect::<Map<_, _>>(),
    })
}

/// A place in the source.
fn place(program: &Program, span: Span) -> Value {
    json!({ "file": program.files[span.file], "line": span.line, "column": Some(span.col).filter(|col| *col > 0) })
}

/// The value of an input.
fn input_value(program: &Program, var: VarId, function: &str, given: &Datum) -> Value {
    let ty = input_type(program, var, function);
    typed(ty, given, &shown(program, ty, given))
}

/// A place with its value.
fn value(named: &Named) -> Value {
    let mut object = typed(named.ty, &named.value, &named.shown);
    object["name"] = json!(named.name);
    object
}

/// A value with its type in the source: a number where it is one of at most 64 bits, else a text as C writes it.
fn typed(ty: &str, given: &Datum, shown: &str) -> Value {
    // A character is shown beside its number: `65 ('A')`.
    let plain = shown.split(" (").next().unwrap_or(shown);
    let number = plain.parse::<i64>().map(Value::from).or_else(|_| plain.parse::<u64>().map(Value::from));
    let value = match (given, shown) {
        (Datum::Float(..), _) => json!(shown),
        (_, "true" | "false") => json!(shown == "true"),
        _ => number.unwrap_or_else(|_| json!(shown)),
    };
    json!({ "value": value, "type": Some(ty).filter(|ty| !ty.is_empty()) })
}
