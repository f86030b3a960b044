//! Places in the source, as witnesses name them.

/// A place in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    /// The function; none in programs with threads, which are one automaton.
    pub function: Option<String>,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, where it is known.
    pub column: Option<u32>,
}

/// The column of the parenthesis that opens the arguments of a call, where the source shows the call as it is.
pub(crate) fn start_of_call(line: &str, col: u32, called: &str) -> Option<u32> {
    let rest = line.get((col as usize).checked_sub(1)?..)?.strip_prefix(called)?;
    let blanks = rest.len() - rest.trim_start().len();
    rest.trim_start().starts_with('(').then_some(col + u32::try_from(called.len() + blanks).ok()?)
}

/// The column of the parenthesis that closes a call, where the source shows the call as it is.
pub(crate) fn end_of_call(line: &str, col: u32, called: &str) -> Option<u32> {
    let start = start_of_call(line, col, called)? as usize;
    let arguments = line.get(start..)?;
    let mut depth = 1;
    for (at, c) in arguments.char_indices() {
        depth += match c {
            '(' => 1,
            ')' => -1,
            '"' | '\'' => return None,
            _ => 0,
        };
        if depth == 0 {
            let column = start + at + 1;
            return u32::try_from(column).ok();
        }
    }
    None
}
