//! Lines of source files, for people.

use beeline_ir::{FileId, Program, Span};
use rustc_hash::FxHashMap;

/// The source files of a program, each read once.
pub struct Sources<'a> {
    program: &'a Program,
    lines: FxHashMap<FileId, Option<Vec<String>>>,
}

/// A tabulator is shown as so many blanks.
const TABULATOR: &str = "        ";

impl<'a> Sources<'a> {
    /// The sources of a program.
    pub fn new(program: &'a Program) -> Sources<'a> {
        Sources { program, lines: FxHashMap::default() }
    }

    /// The line of a place, if its file can be read.
    pub fn line(&mut self, span: Span) -> Option<String> {
        let name = &self.program.files[span.file];
        let lines = self.lines.entry(span.file).or_insert_with(|| {
            let bytes = std::fs::read(name).ok()?;
            Some(String::from_utf8_lossy(&bytes).lines().map(String::from).collect())
        });
        lines.as_ref()?.get((span.line as usize).checked_sub(1)?).cloned()
    }

    /// The line of a place with a mark below it, or nothing.
    pub fn marked(&mut self, span: Span) -> String {
        let Some(line) = self.line(span) else { return String::new() };
        let number = span.line;
        let before: String = line.chars().take((span.col.max(1) - 1) as usize).collect();
        let blanks: String =
            before.replace('\t', TABULATOR).chars().map(|_| ' ').collect();
        let mark = if span.col == 0 { String::new() } else { format!("\n{:7} | {blanks}^", "") };
        format!("{number:7} | {}{mark}\n", line.replace('\t', TABULATOR).trim_end())
    }
}
