//! Places with conditions, such as `lock.c:12 if held > 1`: the condition is put into the program's text, so
//! that clang says what it means there.
//!
//! [`crate::copies`] changes the text for clang only.

use crate::copies::{Copies, Edit, Text, Unit, Units, with_stack};
use crate::job::Job;
use crate::statement::{Statement, check, first};
use crate::syntax::Token;
use std::ops::Range;
use std::path::PathBuf;

/// A place with a condition.
struct Place<'a> {
    /// The text of the user.
    text: &'a str,
    /// Its position among the places.
    number: usize,
    file: &'a str,
    line: usize,
    condition: &'a str,
}

impl<'a> Place<'a> {
    /// A place, if it has a condition.
    fn new(number: usize, text: &'a str) -> Option<Result<Place<'a>, String>> {
        let (place, condition) = text.split_once(" if ")?;
        let wrong = || format!("{text} is not a place with a condition; write `FILE:LINE if CONDITION`");
        let place = place.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
        Some(match place {
            Some((file, line)) if !condition.trim().is_empty() && !condition.contains(['\n', '\r']) => {
                Ok(Place { text, number, file, line, condition })
            }
            _ => Err(wrong()),
        })
    }

    fn refused(&self, why: &str) -> String {
        format!("{}: {why}", self.text)
    }
}

/// Adds the conditions of places to the program of a job.
pub(crate) fn put_in(job: &mut Job, places: &[String]) -> Result<(), String> {
    let places = places.iter().enumerate().filter_map(|(number, text)| Place::new(number, text));
    let places = places.collect::<Result<Vec<_>, _>>()?;
    if places.is_empty() {
        return Ok(());
    }
    job.copies = with_stack(|| copies(&Units::new(job)?, &places))?.texts();
    Ok(())
}

/// Determines where the conditions go, and checks that they change nothing else.
fn copies(units: &Units, places: &[Place<'_>]) -> Result<Copies, String> {
    let mut all = Copies::default();
    // Where two places are one, an execution passes the earlier one there and the later one when it comes again.
    for place in places.iter().rev() {
        let (path, edit) = find(units, place)?;
        let copies = units.copies(&path, edit);
        units.expect_unchanged(&copies).map_err(|why| place.refused(&why))?;
        all.extend(copies);
    }
    Ok(all)
}

/// The file of a place, and the edit that inserts its check.
fn find(units: &Units, place: &Place<'_>) -> Result<(PathBuf, Edit), String> {
    for unit in &units.units {
        let Some((statement, text, _)) = statement(unit, place.file, place.line) else { continue };
        let gap = statement
            .gap(&text.bytes)
            .map_err(|why| place.refused(&format!("no condition can be inserted there: {why}")))?;
        return Ok((text.path, gap.edit(check(place.number, &[place.condition]))));
    }
    let late = "; conditions need C files, not bitcode";
    let late = if units.have_bitcode { late } else { "" };
    Err(place.refused(&format!("no statement of a C file begins in that line{late}")))
}

/// The first statement that begins in a line of a file, with the file's text and the positions in the line.
pub(crate) fn statement<'u>(
    unit: &'u Unit,
    file: &str,
    line: usize,
) -> Option<(Statement<'u>, Text, Range<usize>)> {
    let texts = unit.tree.files.iter().map(|name| {
        let text = Text::of(name, file)?;
        let positions = text.line(line)?;
        Some((text, positions))
    });
    let mut texts: Vec<_> = texts.collect();
    let is_there =
        |token: Token| texts[token.file].as_ref().is_some_and(|(_, line)| line.contains(&token.begin));
    let statement = first(&unit.tree, &is_there)?;
    let (text, positions) = texts[statement.file()].take()?;
    Some((statement, text, positions))
}

/// The place of an `if` for executions whose condition has a value there; nothing where the condition cannot be put there.
/// The column is that of the `if`, or that of a condition that decides as a whole.
pub(crate) fn branch(
    units: &Units,
    (file, line, column): (&str, usize, usize),
    taken: bool,
) -> Option<String> {
    let (statement, text, positions) = units.units.iter().find_map(|unit| statement(unit, file, line))?;
    // A column is a character, which is a byte here.
    let before = text.bytes.get(positions.start..)?.get(..column.checked_sub(1)?)?;
    let at = positions.start + before.len();
    let condition = statement.condition().filter(|_| before.is_ascii())?;
    let (first, last) = (condition.begin?, condition.end?);
    let what = &condition.what;
    let decides = what.kind == "BinaryOperator"
        && what.opcode.as_deref().is_some_and(|opcode| !["&&", "||", ","].contains(&opcode));
    if statement.range().start != at && !(decides && first.begin == at) {
        return None;
    }
    let condition = std::str::from_utf8(text.bytes.get(first.begin..last.end)?).ok()?;
    let not = if taken { "" } else { "!" };
    (!condition.contains('\n')).then(|| format!("{file}:{line} if {not}({condition})"))
}
