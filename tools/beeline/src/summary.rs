//! What is known of all targets, in a line each.

use crate::path::ErrorPath;
use crate::report::{LISTED, at};
use crate::targets::TargetAnswer;
use beeline_ir::Program;
use beeline_run::Run;
use std::fmt::Write;

/// The targets that were asked for, the most severe first, and how many there are of each verdict.
pub(crate) fn of(program: &Program, run: &Run, targets: &[TargetAnswer]) -> String {
    let mut text = format!("{}:\n", counts(targets));
    let lines: Vec<[String; 3]> =
        targets.iter().take(LISTED).map(|known| line(program, run, known)).collect();
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

/// A target: its verdict, its place, and its property with what the verdict rests on.
fn line(program: &Program, run: &Run, known: &TargetAnswer) -> [String; 3] {
    let target = program.targets.iter().find(|target| target.loc == known.target);
    let found = known.path.and_then(|path| ErrorPath::follow(program, &run.paths[path]));
    let span = target.and_then(|target| at(program, target, found.as_ref()));
    let function = &program.functions[program.function_of(known.target)].name;
    let place =
        span.map_or_else(|| function.clone(), |span| format!("{}:{}", program.files[span.file], span.line));
    let property = target.map_or("", |target| &target.property);
    [known.word().name().into(), place, format!("{property} in {function} ({})", known.remark)]
}
