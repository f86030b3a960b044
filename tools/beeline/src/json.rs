//! The answer, for a program.

use crate::answer::{Answer, Check, Word};
use crate::path::{ErrorPath, shown};
use crate::report::{assumptions, statistics, violation};
use beeline_ir::Program;
use beeline_run::{Choice, RunPath};
use serde_json::{Map, Value, json};

/// The answer as one object.
pub fn object(answer: &Answer) -> Value {
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
    object["statistics"] = statistics(run).map(|(name, number)| (name.to_string(), json!(number))).collect::<Map<_, _>>().into();
    match (answer.word(), &run.path, &run.proof) {
        (Word::Unsafe, Some(path), _) => error(&mut object, program, path),
        (Word::Safe, _, Some(proof)) => {
            object["assumptions"] = json!(assumptions(program));
            object["proof"] = json!({ "states": proof.states.len(), "predicates": proof.predicates });
        }
        _ => {}
    }
    object
}

fn error(object: &mut Value, program: &Program, path: &RunPath) {
    let found = ErrorPath::follow(program, path);
    if let Some(target) = program.targets.iter().find(|target| target.loc == path.target) {
        object["error"] = json!({
            "what": violation(target),
            "target": target.name,
            "property": target.property,
            "at": target.span.map(|span| program.show_span(span)),
            "function": found.function,
            "values": found.here,
        });
    }
    object["path"] = json!(found.moments.iter().map(|moment| json!({
        "at": program.show_span(moment.span),
        "depth": moment.depth,
        "notes": moment.notes,
    })).collect::<Vec<_>>());
    object["inputs"] = json!(path.choices.iter().filter_map(|choice| match choice {
        Choice::Input { edge, input: Some(input), value, .. } => Some(json!({
            "function": program.inputs[*input],
            "value": shown(value, ""),
            "at": program.edges[*edge].span.map(|span| program.show_span(span)),
        })),
        _ => None,
    }).collect::<Vec<_>>());
    let texts = path.assumptions.iter().filter_map(|&index| program.assumptions.get(index as usize));
    object["assumptions"] = json!(texts.map(|assumption| &assumption.text).collect::<Vec<_>>());
}
