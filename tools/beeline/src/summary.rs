//! What is known of all targets, in a line each.

use crate::path::ErrorPath;
use crate::report::{LISTED, at};
use crate::targets::TargetAnswer;
use beeline_ir::{Program, Span, Target};
use beeline_run::Run;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The targets that were asked for, the most severe first, and how many there are of each verdict.
pub(crate) fn of(program: &Program, run: &Run, targets: &[TargetAnswer]) -> String {
    let mut text = format!("{}:\n", counts(targets));
    let at_line = at_lines(program, run, targets);
    let lines: Vec<[String; 3]> =
        targets.iter().take(LISTED).map(|known| line(program, run, known, &at_line)).collect();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let (verdicts, places) = (width(0), width(1));
    for [verdict, place, rest] in &lines {
        let _ = writeln!(text, "  {verdict:verdicts$}  {place:places$}  {rest}");
    }
    let more = targets.len().saturating_sub(LISTED);
    if more > 0 {
        let _ = writeln!(text, "  and {more} more; --json shows them all");
    }
    text.push('\n');
    text
}

/// How many targets there are of each verdict.
fn counts(targets: &[TargetAnswer]) -> String {
    let mut text = format!("{} targets", targets.len());
    let mut words: Vec<&str> = targets.iter().map(|known| known.word().name()).collect();
    words.dedup();
    for word in words {
        let number = targets.iter().filter(|known| known.word().name() == word).count();
        let _ = write!(text, ", {number} {word}");
    }
    text
}

/// How many targets there are at a line.
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
    let target = program.targets.iter().find(|target| target.loc == known.target);
    // One in a function of the library is where the path calls that.
    let path = known.path.filter(|_| target.is_some_and(|target| target.span.is_none()));
    let found = path.and_then(|path| ErrorPath::follow(program, &run.paths[path]));
    (target, target.and_then(|target| at(program, target, found.as_ref())))
}

/// A target: its verdict, its place, and its property with what the verdict rests on. The column tells those at one line apart.
fn line(program: &Program, run: &Run, known: &TargetAnswer, at_line: &AtLine) -> [String; 3] {
    let (target, span) = place(program, run, known);
    let function = &program.functions[program.function_of(known.target)].name;
    let place = span.map_or_else(
        || function.clone(),
        |span| match shown_line(program, span) {
            line if at_line.get(&line).is_some_and(|number| *number > 1) => program.show_span(span),
            line => line,
        },
    );
    let property = target.map_or("", |target| &target.property);
    [known.word().name().into(), place, format!("{property} in {function} ({})", known.remark)]
}
