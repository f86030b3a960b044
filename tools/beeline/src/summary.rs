//! The summary of all targets, in a line each.

use crate::answer::Word;
use crate::path::ErrorPath;
use crate::property;
use crate::report::{LISTED, at};
use crate::targets::{Severity, TargetAnswer};
use beeline_ir::{Program, Span, Target};
use beeline_run::Run;
use std::collections::BTreeMap;
use std::fmt::Write;

/// So many targets of which the same is said have a line each.
const ALIKE: usize = 3;

/// The targets that were asked for, the most severe first, and how many there are of each verdict.
pub(crate) fn of(program: &Program, run: &Run, targets: &[TargetAnswer]) -> String {
    let mut text = format!("{}:\n", counts(program, targets));
    let at_line = at_lines(program, run, targets);
    let groups = groups(targets);
    let (shown, more) = groups.split_at(groups.len().min(LISTED));
    let lines: Vec<[String; 3]> = shown.iter().map(|group| line(program, run, group, &at_line)).collect();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let (verdicts, places) = (width(0), width(1));
    for [verdict, place, rest] in &lines {
        let _ = writeln!(text, "  {verdict:verdicts$}  {place:places$}  {rest}");
    }
    let more: usize = more.iter().map(Vec::len).sum();
    if more > 0 {
        let _ = writeln!(text, "  and {more} more; --json shows them all");
    } else if shown.iter().any(|group| group.len() > 1) {
        let _ = writeln!(text, "  --json shows them all");
    }
    text.push('\n');
    if let Some(note) = of_earlier_errors(program, targets) {
        let _ = writeln!(text, "{note}\n");
    }
    text
}

/// A sentence about what safe targets are safe for, where undefined behaviour may end executions before them.
pub(crate) fn of_earlier_errors(program: &Program, targets: &[TargetAnswer]) -> Option<&'static str> {
    let is_undefined = |known: &TargetAnswer| {
        target(program, known).is_some_and(|target| property::is_undefined_behaviour(&target.property))
    };
    let (safe, others): (Vec<_>, Vec<_>) = targets.iter().partition(|known| known.word() == Word::Safe);
    let is_open = others.into_iter().any(is_undefined);
    (is_open && !safe.is_empty()).then_some("Safe targets are safe for executions without an earlier error.")
}

/// The groups of targets with a line each: a target, or many open ones with the same text.
fn groups(targets: &[TargetAnswer]) -> Vec<Vec<&TargetAnswer>> {
    let mut alike: BTreeMap<&str, Vec<&TargetAnswer>> = BTreeMap::new();
    let is_open = |known: &TargetAnswer| matches!(known.severity, Severity::Unknown | Severity::Open);
    for known in targets.iter().filter(|known| is_open(known)) {
        alike.entry(&known.remark).or_default().push(known);
    }
    let mut groups = Vec::new();
    for known in targets {
        match alike.get_mut(known.remark.as_str()).filter(|_| is_open(known)) {
            Some(all) if all.len() > ALIKE => groups.push(std::mem::take(all)),
            Some(all) if all.is_empty() => {}
            _ => groups.push(vec![known]),
        }
    }
    groups
}

fn target<'p>(program: &'p Program, known: &TargetAnswer) -> Option<&'p Target> {
    program.targets.iter().find(|target| target.loc == known.target)
}

/// The verdict on a target; a place to reach is no error.
fn word(target: Option<&Target>, known: &TargetAnswer) -> &'static str {
    match known.word() {
        Word::Unsafe if target.is_some_and(|target| target.property == property::REACH) => "reachable",
        Word::Safe if target.is_some_and(|target| target.property == property::REACH) => "unreachable",
        word => word.name(),
    }
}

/// The number of targets with each verdict.
fn counts(program: &Program, targets: &[TargetAnswer]) -> String {
    let mut text = match targets.len() {
        1 => "1 target".into(),
        number => format!("{number} targets"),
    };
    let words: Vec<&str> = targets.iter().map(|known| word(target(program, known), known)).collect();
    let mut kinds = words.clone();
    kinds.dedup();
    for word in kinds {
        let number = words.iter().filter(|other| **other == word).count();
        let _ = write!(text, ", {number} {word}");
    }
    text
}

/// The number of targets at each line.
type AtLine = BTreeMap<String, usize>;

fn at_lines(program: &Program, run: &Run, targets: &[TargetAnswer]) -> AtLine {
    let mut at_line = AtLine::new();
    for (_, span) in targets.iter().map(|known| place(program, run, known)) {
        *at_line.entry(span.map_or(String::new(), |span| shown_line(program, span))).or_default() += 1;
    }
    at_line
}

fn shown_line(program: &Program, span: Span) -> String {
    format!("{}:{}", program.files[span.file], span.line)
}

/// A target, and where it is for the user.
fn place<'p>(program: &'p Program, run: &Run, known: &TargetAnswer) -> (Option<&'p Target>, Option<Span>) {
    let target = target(program, known);
    // One in a function of the library is where the path calls that.
    let path = known.path.filter(|_| target.is_some_and(|target| target.span.is_none()));
    let found = path.and_then(|path| ErrorPath::follow(program, &run.paths[path]));
    (target, target.and_then(|target| at(program, target, found.as_ref())))
}

/// A target: its verdict, its place, and its property with the basis of the verdict. The column distinguishes
/// those at one line. Of many, this is the first.
fn line(program: &Program, run: &Run, group: &[&TargetAnswer], at_line: &AtLine) -> [String; 3] {
    let known = group[0];
    let (target, span) = place(program, run, known);
    let function = program.source_function(program.function_of(known.target));
    let place = span.map_or_else(
        || function.to_string(),
        |span| match shown_line(program, span) {
            line if at_line.get(&line).is_some_and(|number| *number > 1) => program.show_span(span),
            line => line,
        },
    );
    let property = target.map_or("", |target| &target.property);
    // Several races may have one place in common.
    let places = target.and_then(|target| target.name.strip_prefix("data-race ")).unwrap_or_default();
    let places = if places.is_empty() { String::new() } else { format!(" {places}") };
    let others = match group.len() - 1 {
        0 => String::new(),
        others => format!(" and {others} more"),
    };
    [
        word(target, known).into(),
        place,
        format!("{property}{places} in {function}{others} ({})", known.remark),
    ]
}
