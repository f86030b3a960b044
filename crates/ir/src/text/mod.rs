//! The textual form of programs: [`parse`] reads it, [`print()`] writes it.
//!
//! `parse(print(p))` is `p`, and `print` writes the same text again after parsing. The grammar is in `ir-spec/`.

mod ast;
mod elaborate;
mod lexer;
mod operators;
mod parser;
mod printer;

pub use printer::{Printer, print, print_expr, print_op};

use crate::program::Program;
use std::fmt;

/// A fault in a text, with its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub col: usize,
    /// A description of the fault.
    pub message: String,
    /// The text of the line.
    pub source: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}:{}: {}", self.line, self.col, self.message)?;
        let number = self.line.to_string();
        writeln!(f, "{number} | {}", self.source)?;
        let pad: String =
            self.source.chars().take(self.col - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        write!(f, "{} | {pad}^", " ".repeat(number.len()))
    }
}

impl std::error::Error for TextError {}

/// Reads a program; on failure, the faults found, in the order of the text.
pub fn parse(text: &str) -> Result<Program, Vec<TextError>> {
    let report = |mut faults: Vec<Located>| {
        faults.sort_by_key(|fault| fault.pos);
        faults.truncate(20);
        faults.into_iter().map(|fault| fault.show(text)).collect::<Vec<_>>()
    };
    let tokens = lexer::lex(text).map_err(report)?;
    let file = parser::parse(&tokens).map_err(report)?;
    elaborate::elaborate(&file).map_err(report)
}

/// A fault with its byte offset.
#[derive(Debug, Clone)]
struct Located {
    pos: usize,
    message: String,
}

impl Located {
    fn show(&self, text: &str) -> TextError {
        let mut pos = self.pos.min(text.len());
        while !text.is_char_boundary(pos) {
            pos -= 1;
        }
        let start = text[..pos].rfind('\n').map_or(0, |newline| newline + 1);
        let end = text[pos..].find('\n').map_or(text.len(), |newline| pos + newline);
        TextError {
            line: text[..pos].matches('\n').count() + 1,
            col: text[start..pos].chars().count() + 1,
            message: self.message.clone(),
            source: text[start..end].trim_end().to_string(),
        }
    }
}
