//! The C file that a program was compiled from, as a verifier is given it.
//!
//! A preprocessed file has markers for the file and the line that come next, and the program's places refer
//! to those. Witnesses refer to lines of the file itself.

use beeline_ir::{Program, Span};
use rustc_hash::FxHashMap;

/// A C file, with the lines for a program's places.
#[derive(Debug)]
pub struct Unit {
    lines: Vec<String>,
    /// For each place, the number of a line, from 1; the first one if there are several.
    numbers: FxHashMap<(String, u32), u32>,
}

impl Unit {
    /// A file with its name in the program, which applies if it has no markers.
    pub fn new(name: &str, content: &[u8]) -> Unit {
        let lines: Vec<String> = String::from_utf8_lossy(content).lines().map(String::from).collect();
        let mut numbers = FxHashMap::default();
        let (mut file, mut next) = (name.to_string(), 1);
        for (number, line) in (1..).zip(&lines) {
            if let Some((of, line)) = marker(line) {
                (file, next) = (of.unwrap_or(file), line);
            } else {
                numbers.entry((file.clone(), next)).or_insert(number);
                next += 1;
            }
        }
        Unit { lines, numbers }
    }

    /// The line of the file that a place is in, if it is in the file.
    pub fn number(&self, program: &Program, span: Span) -> Option<u32> {
        self.numbers.get(&(program.files[span.file].clone(), span.line)).copied()
    }

    /// A line of the file, counted from 1.
    pub fn line(&self, number: u32) -> Option<&str> {
        self.lines.get((number as usize).checked_sub(1)?).map(String::as_str)
    }
}

/// The file and the line in a marker, which come next: `# 5 "a.c" 2`, `#line 5`.
fn marker(line: &str) -> Option<(Option<String>, u32)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number = rest[..digits].parse().ok()?;
    let file = rest[digits..].trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next());
    Some((file.map(String::from), number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_behind_markers() {
        let text =
            "# 1 \"a.c\"\n# 7 \"b.h\" 1\nint b;\n# 2 \"a.c\" 2\nint a;\n#pragma once\n#line 9\nint c;\n";
        let unit = Unit::new("a.i", text.as_bytes());
        let number = |file: &str, line| unit.numbers.get(&(file.to_string(), line)).copied();
        assert_eq!(number("b.h", 7), Some(3));
        assert_eq!((number("a.c", 2), number("a.c", 3), number("a.c", 9)), (Some(5), Some(6), Some(8)));
        assert_eq!((number("a.c", 1), number("a.i", 1)), (None, None));
        assert_eq!(unit.line(8), Some("int c;"));
        assert_eq!((unit.line(0), unit.line(9)), (None, None));
    }

    #[test]
    fn a_file_without_markers_is_itself() {
        let unit = Unit::new("a.c", b"int a;\nint b;\n");
        assert_eq!(unit.numbers.get(&("a.c".to_string(), 2)), Some(&2));
    }
}
