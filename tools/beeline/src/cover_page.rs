//! Coverage as one page for browsers: the source with what is covered, dead and open at its lines.

use crate::cover::counts::{Count, files, uncalled};
use crate::cover::{Coverage, place, what};
use crate::html::{document, escaped, table};
use crate::marks::Reached;
use beeline_witness::source::Sources;
use std::collections::BTreeMap;

/// The notes at the lines of a file: kind and text.
type Notes = BTreeMap<u32, Vec<(&'static str, String)>>;

/// The page.
pub(crate) fn page(name: &str, coverage: &Coverage, assumptions: &[String], sources: &Sources) -> String {
    let mut files: BTreeMap<&str, Notes> = BTreeMap::new();
    let mut missed = String::new();
    for (mark, reached) in coverage.places() {
        let (word, why) = match reached {
            Reached::Covered(path) => ("covered", format!("test {}", coverage.test(*path))),
            Reached::Dead(why) => ("dead", why.clone()),
            Reached::Open(why) => ("open", why.clone()),
            Reached::Uncalled => continue,
        };
        let text = format!("{} ({why})", what(mark));
        if word != "covered" {
            let at =
                format!("<a href=\"#{}\">{}</a>", id(mark.file.as_deref(), mark.line), escaped(&place(mark)));
            missed += &format!("<li><b class=\"{word}\">{word}</b> {at}: {}</li>\n", escaped(&text));
        }
        if let (Some(file), Some(line)) = (&mark.file, mark.line) {
            files.entry(file).or_default().entry(line).or_default().push((word, format!("{word}: {text}")));
        }
    }
    let mut side = format!("<h1>{}</h1>\n{}", escaped(&coverage.line()), counts(coverage));
    if !missed.is_empty() {
        side += &format!("<h2>Not covered</h2>\n<ul class=\"targets\">\n{missed}</ul>\n");
    }
    if !assumptions.is_empty() {
        let items: String = assumptions.iter().map(|text| format!("<li>{}</li>\n", escaped(text))).collect();
        side += &format!("<h2>Assumptions behind dead code</h2>\n<ul>\n{items}</ul>\n");
    }
    let bodies = files.iter().filter_map(|(file, notes)| {
        let of_line = |line| notes.get(&line).map(Vec::as_slice).unwrap_or_default();
        Some(table(file, &sources.content(file)?, |line| id(Some(file), Some(line)), of_line))
    });
    document(&format!("{name}: coverage"), &side, &bodies.collect::<String>(), "")
}

/// The numbers of each file and its functions, as a table, and the functions that nothing calls.
fn counts(coverage: &Coverage) -> String {
    let row = |count: &Count| {
        let (all, Count { covered, dead, open }) = (count.all(), count);
        let share = count.share().map_or(String::new(), |share| format!("{share}\u{a0}%"));
        format!("<td>{covered} of {all}<td>{share}<td>{dead} dead<td>{open} open</tr>\n")
    };
    let rows = files(coverage).into_iter().map(|(file, counted)| {
        let functions = counted
            .functions
            .iter()
            .map(|(name, count)| format!("<tr><td class=\"function\">{}{}", escaped(name), row(count)));
        format!("<tr><th>{}{}{}", escaped(file), row(&counted.all), functions.collect::<String>())
    });
    let rows: String = rows.collect();
    let mut text = if rows.is_empty() { rows } else { format!("<table class=\"counts\">\n{rows}</table>\n") };
    if let Some(line) = uncalled(coverage) {
        text += &format!("<p>{}</p>\n", escaped(&line));
    }
    text
}

/// The name of a line in the page.
fn id(file: Option<&str>, line: Option<u32>) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_string() } else { format!("-{:x}-", c as u32) };
    let file: String = file.unwrap_or_default().chars().map(plain).collect();
    format!("{file}_{}", line.unwrap_or(0))
}
