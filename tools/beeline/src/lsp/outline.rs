//! What an editor shows at functions: commands above them, and hovers.

use super::document::Document;
use super::worker::Outcome;
use super::{CHECK, COVER, REACH, place};
use beeline_cbmc::source::Definition;
use lsp_types::{CodeLens, Command, Hover, HoverContents, MarkupContent, MarkupKind, Position, Range};
use serde_json::{Value, json};
use std::fmt::Write;

/// The commands above each function. The one that checks it says what is known.
pub(super) fn lenses<'k>(document: &Document, known: impl Fn(&str) -> Option<&'k Outcome>) -> Vec<CodeLens> {
    let mut lenses = Vec::new();
    for function in document.functions() {
        let title = match known(&function.name) {
            Some(outcome) if is_current(document, outcome) => format!("check: {}", outcome.verdict()),
            _ => "check".into(),
        };
        let at = Position::new(function.line.saturating_sub(1) as u32, 0);
        let arguments = || vec![json!(document.uri()), json!(function.name)];
        for (title, command) in [(title, CHECK), ("cover".into(), COVER)] {
            let command = Command::new(title, command.into(), Some(arguments()));
            lenses.push(CodeLens { range: Range::new(at, at), command: Some(command), data: None });
        }
    }
    lenses
}

/// Whether an answer is about the text of the document.
fn is_current(document: &Document, outcome: &Outcome) -> bool {
    document.digests().get(&outcome.task.function) == Some(&outcome.task.digest)
}

/// The commands at a line, from 0 on.
pub(super) fn actions(document: &Document, line: u32) -> Vec<Command> {
    let Some(Definition { name, .. }) = document.function_at(line) else { return Vec::new() };
    let arguments = |more: Option<Value>| {
        let all = [json!(document.uri()), json!(name)].into_iter().chain(more);
        Some(all.collect::<Vec<_>>())
    };
    vec![
        Command::new(format!("Beeline: check {name}"), CHECK.into(), arguments(None)),
        Command::new(format!("Beeline: cover {name}"), COVER.into(), arguments(None)),
        Command::new("Beeline: reach this line".into(), REACH.into(), arguments(Some(json!(line + 1)))),
    ]
}

/// What is known at a position: of the function whose name is there, and of the loop that begins at the line.
pub(super) fn hover<'k>(
    document: &Document,
    position: Position,
    known: impl Fn(&str) -> Option<&'k Outcome>,
) -> Option<Hover> {
    let mut text = String::new();
    let named = place::word(document.text(), position)
        .filter(|word| document.functions().iter().any(|function| function.name == *word));
    if let Some(outcome) = named.and_then(&known) {
        text.push_str(&of_function(outcome, is_current(document, outcome)));
    }
    if let Some(outcome) = document.function_at(position.line).and_then(|function| known(&function.name))
        && is_current(document, outcome)
    {
        for fact in &outcome.facts {
            if fact.line == position.line + 1 && fact.file == outcome.task.file {
                let _ = writeln!(text, "loop invariant: `{}`\n", fact.text);
            }
        }
    }
    let value = text.trim_end().to_string();
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    (!text.is_empty()).then_some(Hover { contents, range: None })
}

/// The answer on a function.
fn of_function(outcome: &Outcome, is_current: bool) -> String {
    let mut text = format!("**{}**: {}", outcome.task.function, outcome.verdict());
    if let Some(property) = outcome.answer["property"].as_str() {
        let _ = write!(text, ", property `{property}`");
    }
    text.push_str(if is_current { "\n\n" } else { "; the text has changed since\n\n" });
    let assumptions = outcome.answer["assumptions"].as_array().into_iter().flatten();
    let assumptions: Vec<&str> = assumptions.filter_map(Value::as_str).collect();
    for (title, lines) in [("Assumptions", &assumptions), ("Contracts", &contracts(outcome))] {
        if !lines.is_empty() {
            let _ = writeln!(text, "{title}:\n");
            lines.iter().for_each(|line| text.push_str(&format!("- `{line}`\n")));
            text.push('\n');
        }
    }
    text
}

fn contracts(outcome: &Outcome) -> Vec<&str> {
    outcome.contracts.iter().map(String::as_str).collect()
}
