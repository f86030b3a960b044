//! Places: documents of an editor are files, columns of clang are bytes, those of an editor units of UTF-16.

use lsp_types::{Position, Range, Uri};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

const SCHEME: &str = "file://";
/// The characters that are encoded in a path.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The file of a document, by the path that has no links.
pub(super) fn path(uri: &Uri) -> Option<PathBuf> {
    let path = uri.as_str().strip_prefix(SCHEME)?;
    let path = path.strip_prefix("localhost").unwrap_or(path);
    let path = PathBuf::from(OsString::from_vec(percent_decode_str(path).collect()));
    path.is_absolute().then(|| path.canonicalize().unwrap_or(path))
}

/// The document of a file.
pub(super) fn uri(path: &Path) -> Option<Uri> {
    format!("{SCHEME}{}", percent_encode(path.as_os_str().as_bytes(), ENCODED)).parse().ok()
}

/// The range of what begins at a column of a line, both from 1 on: the word there, or what is left of the line. Without a
/// column, the line without its indentation.
pub(super) fn range(content: &str, line: u32, column: Option<u32>) -> Range {
    let number = line.saturating_sub(1);
    let indentation = content.len() - content.trim_start().len();
    let begin = column.map_or(indentation, |column| column.saturating_sub(1) as usize);
    let begin = if content.is_char_boundary(begin) { begin } else { content.len() };
    let rest = &content[begin..];
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let word = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
    let length = if column.is_none() || word == 0 { rest.trim_end().len() } else { word };
    let at = |byte: usize| Position::new(number, units(&content[..byte]));
    Range::new(at(begin), at(begin + length))
}

/// The word of a line at a position.
pub(super) fn word(text: &str, position: Position) -> Option<&str> {
    let line = text.lines().nth(position.line as usize)?;
    let words = line.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let at = |word: &str| units(&line[..word.as_ptr() as usize - line.as_ptr() as usize]);
    words
        .filter(|word| !word.is_empty())
        .find(|word| (at(word)..=at(word) + units(word)).contains(&position.character))
}

/// The length of a text in units of UTF-16.
fn units(text: &str) -> u32 {
    text.encode_utf16().count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_documents_are_translated_both_ways() {
        let file = Path::new("/a b/ü%20.c");
        let document = uri(file).unwrap();
        assert_eq!(document.as_str(), "file:///a%20b/%C3%BC%2520.c");
        assert_eq!(path(&document).unwrap(), file);
        assert_eq!(path(&"untitled:Untitled-1".parse().unwrap()), None);
    }

    #[test]
    fn columns_are_bytes_here_and_units_of_utf_16_there() {
        let text = "\n  s = \"ü𝄞\"; f(x1);\n";
        let line = text.lines().nth(1).unwrap();
        let column = line.find("x1").unwrap() as u32 + 1;
        let found = range(line, 2, Some(column));
        // ü is two bytes and one unit, the clef four bytes and two units.
        assert_eq!(found, Range::new(Position::new(1, column - 1 - 3), Position::new(1, column + 1 - 3)));
        assert_eq!(range(line, 2, None).start.character, 2);
        assert_eq!(word(text, found.start), Some("x1"));
        assert_eq!(word(text, Position::new(1, 2)), Some("s"));
        assert_eq!(word(text, Position::new(1, 0)), None);
        // What is beyond the text has no length.
        assert_eq!(range("", 9, Some(4)), Range::new(Position::new(8, 0), Position::new(8, 0)));
    }
}
