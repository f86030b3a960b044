//! The answer, for a person.

use crate::advice;
use crate::answer::{Answer, Word};
use crate::path::{ErrorPath, shown};
use crate::source::Sources;
use anstyle::{AnsiColor, Style};
use beeline_ir::{Direction, Program, Target};
use beeline_run::{Choice, Run, RunKey, RunPath, RunProof};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;

const BOLD: Style = Style::new().bold();
const RED: Style = AnsiColor::Red.on_default().bold();
const GREEN: Style = AnsiColor::Green.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
const DIM: Style = Style::new().dimmed();

/// Lines of an error path that are shown at its beginning and at its end.
const SHOWN: usize = 20;
/// Assumptions that are shown.
const ASSUMPTIONS: usize = 12;

/// Prints to standard output; a reader who has gone away misses nothing.
pub fn print(text: &str) {
    let mut out = anstream::stdout();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Prints an answer.
pub fn tell(answer: &Answer, whole_path: bool) {
    let mut text = String::new();
    if let Some((program, run)) = &answer.result {
        match (answer.word(), &run.path, &run.proof) {
            (Word::Unsafe, Some(path), _) => text.push_str(&error(program, path, whole_path)),
            (Word::Safe, _, Some(proof)) => text.push_str(&safety(program, proof)),
            _ => {}
        }
    }
    if answer.word() == Word::Unknown
        && let Some(advice) = advice::against(&answer.remark())
    {
        text.push_str(&format!("What may help: {advice}.\n"));
    }
    let style = match answer.word() {
        Word::Safe => GREEN,
        Word::Unsafe => RED,
        Word::Unknown => YELLOW,
    };
    text.push_str(&format!("{style}{}{style:#}\n", answer.line()));
    print(&text);
}

/// What a target is, in words.
pub fn violation(target: &Target) -> String {
    let function = target.name.split(' ').next().unwrap_or_default();
    match target.property.as_str() {
        "unreach-call" if function.starts_with("__assert") || function == "_assert" => "the assertion fails".into(),
        "unreach-call" => format!("{function} is called"),
        "no-overflow" => "a signed integer overflows".into(),
        "bounds" => "an access is out of bounds".into(),
        "null" => "a null pointer is used".into(),
        "shift" => "a shift is too wide".into(),
        "unreachable" => "a place is reached that must not be".into(),
        _ => target.name.clone(),
    }
}

/// An error path.
fn error(program: &Program, path: &RunPath, whole: bool) -> String {
    let mut sources = Sources::new(program);
    let found = ErrorPath::follow(program, path);
    let mut text = String::new();
    if let Some(target) = program.targets.iter().find(|target| target.loc == path.target) {
        let place = target.span.map_or(String::new(), |span| format!("{}: ", program.show_span(span)));
        let _ = writeln!(text, "{BOLD}{place}{BOLD:#}{RED}error:{RED:#} {BOLD}{} in {}{BOLD:#}", violation(target), found.function);
        text.push_str(&target.span.map(|span| sources.marked(span)).unwrap_or_default());
    }
    if !found.here.is_empty() {
        let _ = writeln!(text, "        where {}", found.here.join(", "));
    }
    for (span, function) in &found.callers {
        let Some(span) = *span else { continue };
        let _ = write!(text, "{}: called here in {function}\n{}", program.show_span(span), sources.marked(span));
    }
    text.push_str("\nThe way there:\n");
    text.push_str(&way(program, &found, &mut sources, whole));
    text.push_str(&inputs(program, path));
    if !path.assumptions.is_empty() {
        text.push_str("\nThis rests on assumptions:\n");
        let texts = path.assumptions.iter().filter_map(|&index| program.assumptions.get(index as usize));
        text.push_str(&listed(texts.map(|assumption| assumption.text.clone())));
    }
    text.push('\n');
    text
}

/// The lines of the source on the way, with what happens there.
fn way(program: &Program, found: &ErrorPath, sources: &mut Sources<'_>, whole: bool) -> String {
    let rows: Vec<(String, String, String)> = found
        .moments
        .iter()
        .map(|moment| {
            let place = format!("{}:{}", program.files[moment.span.file], moment.span.line);
            let line = sources.line(moment.span).unwrap_or_default();
            (place, format!("{}{}", "  ".repeat(moment.depth.min(12)), line.trim()), moment.notes.join(", "))
        })
        .collect();
    let skipped = if whole { 0 } else { rows.len().saturating_sub(2 * SHOWN) };
    let width = |index: fn(&(String, String, String)) -> &String, most: usize| {
        rows.iter().map(|row| index(row).chars().count()).max().unwrap_or(0).min(most)
    };
    let (places, lines) = (width(|row| &row.0, 40), width(|row| &row.1, 60));
    let mut text = String::new();
    for (number, (place, line, notes)) in rows.iter().enumerate() {
        if skipped > 0 && number == SHOWN {
            let _ = writeln!(text, "  ... {skipped} more lines; --whole-path shows them ...");
        }
        if skipped > 0 && (SHOWN..SHOWN + skipped).contains(&number) {
            continue;
        }
        let _ = writeln!(text, "  {DIM}{place:places$}{DIM:#}  {line:lines$}  {BOLD}{notes}{BOLD:#}");
    }
    text
}

/// What comes from outside, in the order in which it is asked for.
fn inputs(program: &Program, path: &RunPath) -> String {
    let lines = path.choices.iter().filter_map(|choice| match choice {
        Choice::Input { edge, var, input: Some(input), value } => {
            let ty = program.vars[*var].source.as_ref().map_or("", |source| source.ty.as_str());
            let place = program.edges[*edge].span.map_or(String::new(), |span| format!(", {}", program.show_span(span)));
            Some(format!("{}() returns {}{place}", program.inputs[*input], shown(value, ty)))
        }
        Choice::Unwritten { var, value } => {
            let var = &program.vars[*var];
            let source = var.source.as_ref()?;
            Some(format!("{} is {} from the start", source.name, shown(value, &source.ty)))
        }
        Choice::Input { input: None, .. } | Choice::Cell { .. } => None,
    });
    let lines = listed(lines);
    if lines.is_empty() { lines } else { format!("\nWhat comes from outside, in this order:\n{lines}") }
}

fn listed(lines: impl Iterator<Item = String>) -> String {
    lines.fold(String::new(), |text, line| text + "  " + &line + "\n")
}

/// What is known of a program that is safe.
fn safety(program: &Program, proof: &RunProof) -> String {
    if program.targets.is_empty() {
        return "The program has no target: nothing in it can violate the property.\n".into();
    }
    let mut text = format!("{}\n", proved(program, proof));
    let assumed = assumptions(program);
    if !assumed.is_empty() {
        text.push_str("This rests on assumptions:\n");
        let more = assumed.len().saturating_sub(ASSUMPTIONS);
        text.push_str(&listed(assumed.into_iter().take(ASSUMPTIONS)));
        if more > 0 {
            let _ = writeln!(text, "  and {more} more; --json shows them all");
        }
    }
    text
}

/// How safety was proved, in one line.
fn proved(program: &Program, proof: &RunProof) -> String {
    let mut names = BTreeSet::new();
    for (key, _) in proof.states.iter().flat_map(|state| &state.values) {
        if let RunKey::Var(var, _) = key
            && let Some(source) = &program.vars[*var].source
        {
            names.insert(source.name.as_str());
        }
    }
    let few = |names: Vec<&str>| {
        let more = if names.len() > 4 { format!(" and {} more", names.len() - 4) } else { String::new() };
        format!("{}{more}", names.into_iter().take(4).collect::<Vec<_>>().join(", "))
    };
    let mut parts = vec![counted(proof.states.len(), "abstract state")];
    if !names.is_empty() {
        parts.push(format!("the values of {}", few(names.into_iter().collect())));
    }
    if !proof.predicates.is_empty() {
        let some = proof.predicates.iter().map(String::as_str).collect();
        parts.push(format!("the {} {}", if proof.predicates.len() == 1 { "predicate" } else { "predicates" }, few(some)));
    }
    format!(
        "No execution reaches {}. Proved with {}.",
        match program.targets.len() {
            1 => "the target".into(),
            number => format!("one of {number} targets"),
        },
        parts.join(", ")
    )
}

fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// What a proof rests on.
pub fn assumptions(program: &Program) -> Vec<String> {
    let risky = program.assumptions.iter().filter(|assumption| assumption.direction != Direction::MayInventBug);
    let mut seen = BTreeSet::new();
    risky
        .map(|assumption| match assumption.span {
            Some(span) => format!("{}: {}", program.show_span(span), assumption.text),
            None => assumption.text.clone(),
        })
        .filter(|line| seen.insert(line.clone()))
        .collect()
}

/// All that is known of a run's result, for a reader of JSON; see [`crate::json`].
pub fn statistics(run: &Run) -> impl Iterator<Item = (&str, u64)> {
    run.statistics.iter().map(|(name, number)| (name.as_str(), *number))
}
