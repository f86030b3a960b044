//! Witnesses in the YAML format 2.0 of SV-COMP, 2.1 where functions have contracts, and 2.2 where there are threads.

use crate::correctness::{Contract, Correctness};
use crate::point::Point;
use crate::schedule::{Action, Event, Schedule};
use crate::task::{Task, uuid};
use crate::violation::{Input, Violation};
use std::fmt::Write;

/// The version of the format that suffices where functions have no contracts.
const FIRST: &str = "2.0";
const WITH_CONTRACTS: &str = "2.1";
const WITH_THREADS: &str = "2.2";

/// A part of a document, in the order in which it is written.
enum Node {
    Text(String),
    Number(u32),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

/// A map with these fields.
fn map<const N: usize>(fields: [(&str, Node); N]) -> Node {
    Node::Map(fields.into_iter().map(|(key, node)| (key.to_string(), node)).collect())
}

fn text(text: &str) -> Node {
    Node::Text(text.to_string())
}

/// A violation: the calls that return inputs, and the target.
pub fn violation(task: &Task, violation: &Violation) -> String {
    let waypoint = |kind: &str, point: &Point, thread: Option<u32>, constraint: Option<Node>| {
        let mut fields = vec![
            ("type".to_string(), text(kind)),
            ("action".into(), text("follow")),
            ("location".into(), location(task, point)),
        ];
        fields.extend(thread.map(|thread| ("thread_id".into(), Node::Number(thread))));
        fields.extend(constraint.map(|constraint| ("constraint".into(), constraint)));
        map([("waypoint", Node::Map(fields))])
    };
    let segment = |waypoints: Vec<Node>| map([("segment", Node::List(waypoints))]);
    let of_input = |input: &Input, thread| {
        let value = Node::Text(format!("\\result == {}", input.value));
        let constraint = map([("value", value), ("format", text("acsl_expression"))]);
        waypoint("function_return", &input.point, thread, Some(constraint))
    };
    let Some(Schedule { events, targets }) = &violation.schedule else {
        let inputs = violation.inputs.iter().map(|input| of_input(input, None));
        let target = violation.target.as_ref().map(|point| waypoint("target", point, None, None));
        let content = inputs.chain(target).map(|waypoint| segment(vec![waypoint]));
        return entry("violation_sequence", FIRST, task, content.collect());
    };
    let of_event = |event: &Event| match &event.does {
        Action::Input(index) => of_input(&violation.inputs[*index], Some(event.thread)),
        Action::Creates(point) => waypoint("function_enter", point, Some(event.thread), None),
        // That a thread gets to a line is an assumption that holds whatever the values are.
        Action::Continues(point) => {
            let holds = map([("value", text("1")), ("format", text("c_expression"))]);
            waypoint("assumption", point, Some(event.thread), Some(holds))
        }
    };
    let mut content: Vec<Node> = events.iter().map(|event| segment(vec![of_event(event)])).collect();
    // The accesses of a race have no order: they are one segment.
    let ends = targets.iter().map(|(thread, point)| waypoint("target", point, Some(*thread), None));
    content.push(segment(ends.collect()));
    entry("violation_sequence", WITH_THREADS, task, content)
}

/// A proof: the invariants of loops, and the contracts of functions.
pub fn correctness(task: &Task, correctness: &Correctness) -> String {
    let invariant = |point: &Point, value: &str| {
        map([(
            "invariant",
            map([
                ("type", text("loop_invariant")),
                ("location", location(task, point)),
                ("value", text(value)),
                ("format", text("c_expression")),
            ]),
        )])
    };
    let invariants = correctness.invariants.iter().map(|it| invariant(&it.point, &it.text));
    let contracts = correctness.contracts.iter().map(|it| contract(task, it));
    let version = if correctness.contracts.is_empty() { FIRST } else { WITH_CONTRACTS };
    entry("invariant_set", version, task, invariants.chain(contracts).collect())
}

fn contract(task: &Task, contract: &Contract) -> Node {
    let mut fields = vec![
        ("type".to_string(), text("function_contract")),
        ("location".into(), location(task, &contract.point)),
    ];
    let clauses = [("requires", &contract.requires), ("ensures", &contract.ensures)];
    fields.extend(clauses.into_iter().filter_map(|(key, clause)| Some((key.into(), text(clause.as_ref()?)))));
    fields.push(("format".into(), text("acsl_expression")));
    map([("invariant", Node::Map(fields))])
}

fn location(task: &Task, point: &Point) -> Node {
    let mut fields =
        vec![("file_name".to_string(), text(&task.file)), ("line".into(), Node::Number(point.line))];
    fields.extend(point.column.map(|column| ("column".into(), Node::Number(column))));
    fields.extend(point.function.as_ref().map(|function| ("function".into(), text(function))));
    Node::Map(fields)
}

fn entry(kind: &str, version: &str, task: &Task, content: Vec<Node>) -> String {
    let data_model = if task.pointer_width == 32 { "ILP32" } else { "LP64" };
    let described = map([
        ("input_files", Node::List(vec![text(&task.file)])),
        ("input_file_hashes", Node::Map(vec![(task.file.clone(), text(&task.hash))])),
        ("specification", text(&task.specification)),
        ("data_model", text(data_model)),
        ("language", text("C")),
    ]);
    let metadata = map([
        ("format_version", text(version)),
        ("uuid", Node::Text(uuid())),
        ("creation_time", text(&task.time)),
        ("producer", map([("name", text("Beeline")), ("version", text(&task.version))])),
        ("task", described),
    ]);
    let entry = map([("entry_type", text(kind)), ("metadata", metadata), ("content", Node::List(content))]);
    let mut out = String::new();
    write(&Node::List(vec![entry]), 0, &mut out);
    out
}

/// Writes a node in block style.
fn write(node: &Node, indent: usize, out: &mut String) {
    let margin = " ".repeat(indent);
    match node {
        Node::List(items) => {
            for item in items {
                let mut inner = String::new();
                write(item, indent + 2, &mut inner);
                // The dash takes the place of the first line's margin.
                let _ = write!(out, "{margin}- {}", inner.trim_start());
            }
        }
        Node::Map(fields) => {
            for (key, value) in fields {
                let is_name = key.chars().all(|c| c.is_ascii_lowercase() || c == '_');
                let key = if is_name { key.clone() } else { quoted(key) };
                let _ = match value {
                    Node::List(items) if items.is_empty() => writeln!(out, "{margin}{key}: []"),
                    Node::List(_) | Node::Map(_) => {
                        let _ = writeln!(out, "{margin}{key}:");
                        write(value, indent + 2, out);
                        Ok(())
                    }
                    Node::Text(value) => writeln!(out, "{margin}{key}: {}", quoted(value)),
                    Node::Number(value) => writeln!(out, "{margin}{key}: {value}"),
                };
            }
        }
        Node::Text(value) => out.push_str(&format!("{margin}{}\n", quoted(value))),
        Node::Number(value) => out.push_str(&format!("{margin}{value}\n")),
    }
}

/// A text in double quotes: strings of JSON are strings of YAML.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
