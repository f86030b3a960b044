//! Witnesses in the YAML format 2.0 of SV-COMP.

use crate::correctness::Correctness;
use crate::task::{Task, uuid};
use crate::violation::{Point, Violation};
use serde_json::{Map, Value, json};

/// A violation: the calls that return inputs, and the target.
pub fn violation(task: &Task, violation: &Violation) -> String {
    let waypoint = |kind: &str, point: &Point, constraint: Option<Value>| {
        let mut waypoint = json!({ "type": kind, "action": "follow", "location": location(task, point) });
        if let Some(constraint) = constraint {
            waypoint["constraint"] = constraint;
        }
        json!({ "segment": [{ "waypoint": waypoint }] })
    };
    let mut content = Vec::new();
    for input in &violation.inputs {
        let text = format!("\\result == {}", input.value);
        let constraint = json!({ "value": text, "format": "acsl_expression" });
        content.push(waypoint("function_return", &input.point, Some(constraint)));
    }
    content.extend(violation.target.as_ref().map(|point| waypoint("target", point, None)));
    entry("violation_sequence", task, content)
}

/// A proof: the invariants of loops.
pub fn correctness(task: &Task, correctness: &Correctness) -> String {
    let invariant = |point: &Point, text: &str| {
        json!({ "invariant": {
            "type": "loop_invariant",
            "location": location(task, point),
            "value": text,
            "format": "c_expression",
        }})
    };
    let invariants = correctness.invariants.iter();
    entry("invariant_set", task, invariants.map(|it| invariant(&it.point, &it.text)).collect())
}

fn location(task: &Task, point: &Point) -> Value {
    let mut location = json!({ "file_name": task.file, "line": point.line, "function": point.function });
    if let Some(column) = point.column {
        location["column"] = json!(column);
    }
    location
}

fn entry(kind: &str, task: &Task, content: Vec<Value>) -> String {
    let mut hashes = Map::new();
    hashes.insert(task.file.clone(), json!(task.hash));
    let entry = json!([{
        "entry_type": kind,
        "metadata": {
            "format_version": "2.0",
            "uuid": uuid(),
            "creation_time": task.time,
            "producer": { "name": "Beeline", "version": task.version },
            "task": {
                "input_files": [task.file],
                "input_file_hashes": hashes,
                "specification": task.specification,
                "data_model": if task.pointer_width == 32 { "ILP32" } else { "LP64" },
                "language": "C",
            },
        },
        "content": content,
    }]);
    let mut text = String::new();
    write(&entry, 0, &mut text);
    text
}

/// Writes a value in YAML's block style; texts are quoted as in JSON, which YAML takes.
fn write(value: &Value, indent: usize, out: &mut String) {
    let margin = " ".repeat(indent);
    match value {
        Value::Array(items) if !items.is_empty() => {
            for item in items {
                let mut inner = String::new();
                write(item, indent + 2, &mut inner);
                // The dash takes the place of the first line's margin.
                out.push_str(&format!("{margin}- {}", inner.trim_start()));
            }
        }
        Value::Object(fields) if !fields.is_empty() => {
            for (key, value) in fields {
                let nested = matches!(value, Value::Array(items) if !items.is_empty()) || value.is_object();
                let key = Value::from(key.as_str());
                if nested {
                    out.push_str(&format!("{margin}{key}:\n"));
                    write(value, indent + 2, out);
                } else {
                    out.push_str(&format!("{margin}{key}: {value}\n"));
                }
            }
        }
        simple => out.push_str(&format!("{margin}{simple}\n")),
    }
}
