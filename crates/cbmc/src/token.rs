//! Preprocessed C as tokens that keep every character, so that unchanged text stays where it was.

use std::borrow::Cow;

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Blanks, but no end of a line.
    Blank,
    /// The end of a line.
    End,
    /// A line of the preprocessor: a marker for the origin of the next lines, or a pragma.
    Line,
    /// A name or a keyword.
    Word,
    /// A number.
    Number,
    /// A string or a character.
    Text,
    /// An operator or a bracket.
    Mark,
}

/// A token.
#[derive(Debug, Clone)]
pub(crate) struct Token<'s> {
    /// Its kind.
    pub kind: Kind,
    /// Its characters, or their replacement.
    pub text: Cow<'s, str>,
    /// Text that was put before it.
    before: String,
    /// Text that was put after it.
    behind: String,
    /// Its file, as an index into [`Tokens::files`].
    pub file: usize,
    /// Its line in that file.
    pub line: usize,
}

/// A file that tokens come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct File {
    /// Its name.
    pub name: String,
    /// Whether it is a header of the system.
    pub system: bool,
}

/// All tokens of a preprocessed file.
#[derive(Debug)]
pub(crate) struct Tokens<'s> {
    /// The tokens.
    pub all: Vec<Token<'s>>,
    /// The files that they come from.
    pub files: Vec<File>,
}

/// Operators of more than one character, longer ones first.
const OPERATORS: [&str; 23] = [
    "<==>", "...", "<<=", ">>=", "==>", "==", "!=", "<=", ">=", "&&", "||", "++", "--", "->", "<<", ">>",
    "+=", "-=", "*=", "/=", "%=", "&=", "|=",
];

impl Token<'_> {
    /// Whether it is this operator, bracket or word.
    pub(crate) fn is(&self, text: &str) -> bool {
        matches!(self.kind, Kind::Word | Kind::Mark) && self.text == text
    }

    /// Whether it matters to the compiler.
    pub(crate) fn matters(&self) -> bool {
        self.is_code() && !self.text.is_empty()
    }

    /// Whether it is, or was before its removal, a part of the program.
    fn is_code(&self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Number | Kind::Text | Kind::Mark)
    }
}

impl<'s> Tokens<'s> {
    /// Reads a preprocessed file.
    pub(crate) fn read(source: &'s str) -> Tokens<'s> {
        let mut tokens = Tokens { all: Vec::new(), files: vec![File { name: String::new(), system: false }] };
        let (mut file, mut line, mut begins) = (0, 1, true);
        let mut rest = source;
        while !rest.is_empty() {
            let (kind, length) = next(rest, begins);
            let text = &rest[..length];
            tokens.all.push(Token {
                kind,
                text: Cow::Borrowed(text),
                before: String::new(),
                behind: String::new(),
                file,
                line,
            });
            match kind {
                Kind::End => line += 1,
                Kind::Line => {
                    if let Some((number, name, system)) = line_marker(text) {
                        file = tokens.file(name, system);
                        // The end of this line comes next.
                        line = number.saturating_sub(1);
                    }
                }
                _ => line += text.matches('\n').count(),
            }
            begins = kind == Kind::End || begins && kind == Kind::Blank;
            rest = &rest[length..];
        }
        tokens
    }

    fn file(&mut self, name: String, system: bool) -> usize {
        let file = File { name, system };
        self.files.iter().position(|known| *known == file).unwrap_or_else(|| {
            self.files.push(file);
            self.files.len() - 1
        })
    }

    /// The next token that matters, from an index on.
    pub(crate) fn next(&self, from: usize) -> Option<usize> {
        (from..self.all.len()).find(|&index| self.all[index].matters())
    }

    /// The last token that matters before an index.
    pub(crate) fn before(&self, index: usize) -> Option<usize> {
        (0..index).rev().find(|&index| self.all[index].matters())
    }

    /// Whether the token at an index is this one.
    pub(crate) fn is(&self, index: usize, text: &str) -> bool {
        self.all.get(index).is_some_and(|token| token.is(text))
    }

    /// The bracket that closes the one at an index.
    pub(crate) fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for index in open..self.all.len() {
            let token = &self.all[index];
            if token.kind != Kind::Mark {
                continue;
            }
            match &*token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(index);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The bracket that the one at an index closes.
    pub(crate) fn opening(&self, close: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for index in (0..=close).rev() {
            let token = &self.all[index];
            if token.kind != Kind::Mark {
                continue;
            }
            match &*token.text {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(index);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Removes tokens, with what was put in the place of others; the ends of lines stay.
    pub(crate) fn remove(&mut self, range: std::ops::Range<usize>) {
        for token in &mut self.all[range] {
            if token.is_code() {
                token.text = Cow::Borrowed("");
                token.before.clear();
                token.behind.clear();
            }
        }
    }

    /// Puts text before a token.
    pub(crate) fn put_before(&mut self, index: usize, text: &str) {
        self.all[index].before.insert_str(0, text);
    }

    /// Puts text after a token.
    pub(crate) fn put_behind(&mut self, index: usize, text: &str) {
        self.all[index].behind.push_str(text);
    }

    /// The text of some tokens in one line.
    pub(crate) fn text(&self, range: std::ops::Range<usize>) -> String {
        let code = self.all[range].iter().filter(|token| token.is_code());
        let words = code.flat_map(|token| [token.before.as_str(), &token.text, &token.behind]);
        words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// The code among some tokens.
    pub(crate) fn words(&self, range: std::ops::Range<usize>) -> Vec<String> {
        let code = self.all[range].iter().filter(|token| token.is_code());
        code.map(|token| token.text.to_string()).collect()
    }

    /// The place of a token as readable text.
    pub(crate) fn place(&self, index: usize) -> String {
        let token = &self.all[index];
        format!("{}:{}", self.files[token.file].name, token.line)
    }

    /// A line marker with the place of a token, as a line of its own.
    pub(crate) fn marker(&self, index: usize) -> String {
        let token = &self.all[index];
        let file = &self.files[token.file];
        let system = if file.system { " 3" } else { "" };
        format!("\n# {} \"{}\"{system}\n", token.line, file.name)
    }

    /// The text of all tokens.
    pub(crate) fn whole(&self) -> String {
        self.all.iter().flat_map(|token| [token.before.as_str(), &token.text, &token.behind]).collect()
    }
}

/// The kind and the length of the token that a text begins with.
fn next(rest: &str, begins: bool) -> (Kind, usize) {
    let first = rest.chars().next().unwrap_or(' ');
    let while_is = |is: &dyn Fn(char) -> bool| rest.find(|c| !is(c)).unwrap_or(rest.len());
    match first {
        '\n' => (Kind::End, 1),
        '#' if begins => (Kind::Line, rest.find('\n').unwrap_or(rest.len())),
        c if c.is_whitespace() => (Kind::Blank, while_is(&|c| c != '\n' && c.is_whitespace())),
        '"' | '\'' => (Kind::Text, quoted(rest, first)),
        c if c.is_alphabetic() || c == '_' || c == '$' => {
            let length = while_is(&|c| c.is_alphanumeric() || c == '_' || c == '$');
            match rest[length..].chars().next() {
                Some(quote @ ('"' | '\'')) if matches!(&rest[..length], "L" | "u" | "U" | "u8") => {
                    (Kind::Text, length + quoted(&rest[length..], quote))
                }
                _ => (Kind::Word, length),
            }
        }
        c if c.is_ascii_digit() => (Kind::Number, number(rest)),
        '.' if rest[1..].starts_with(|c: char| c.is_ascii_digit()) => (Kind::Number, number(rest)),
        c => {
            let operator = OPERATORS.iter().find(|operator| rest.starts_with(**operator));
            (Kind::Mark, operator.map_or(c.len_utf8(), |operator| operator.len()))
        }
    }
}

/// The length of a string or character with its quotes.
pub(crate) fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return at,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The length of a number: an exponent may have a sign.
fn number(rest: &str) -> usize {
    let mut last = ' ';
    for (at, c) in rest.char_indices() {
        let signs = matches!(c, '+' | '-') && matches!(last, 'e' | 'E' | 'p' | 'P');
        if !(c.is_alphanumeric() || c == '.' || c == '_' || signs) {
            return at;
        }
        last = c;
    }
    rest.len()
}

/// The line, the file, and whether it is a header of the system, if a line of the preprocessor is a line
/// marker.
fn line_marker(text: &str) -> Option<(usize, String, bool)> {
    let rest = text.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let (number, rest) = rest.split_once(' ')?;
    let (name, flags) = rest.trim_start().strip_prefix('"')?.rsplit_once('"')?;
    Some((number.parse().ok()?, name.into(), flags.split(' ').any(|flag| flag == "3")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_is_kept() {
        let source = "# 1 \"a b.c\"\nint x = 0x1p-3 + '\\'' ;\n# 7 \"s.h\" 1 3\nchar *s = L\"a\\\"b\"; a ==> b <==> c...\n  \u{e9}";
        let tokens = Tokens::read(source);
        assert_eq!(tokens.whole(), source);
        let implies = tokens.all.iter().position(|token| token.is("==>")).unwrap();
        assert_eq!(tokens.place(implies), "s.h:7");
        assert!(tokens.files[tokens.all[implies].file].system);
        assert!(tokens.all.iter().any(|token| token.kind == Kind::Number && token.text == "0x1p-3"));
        assert!(tokens.all.iter().any(|token| token.kind == Kind::Text && token.text == "'\\''"));
    }

    #[test]
    fn what_is_taken_out_leaves_its_lines() {
        let mut tokens = Tokens::read("int f(void)\n{\n  return 1;\n}\nint g;\n");
        let open = tokens.all.iter().position(|token| token.is("{")).unwrap();
        let close = tokens.closing(open).unwrap();
        assert_eq!(tokens.opening(close), Some(open));
        tokens.remove(open..close + 1);
        assert_eq!(tokens.whole().lines().nth(4), Some("int g;"));
        // What was put in the place of a token goes with it.
        tokens.put_behind(close, "int h;");
        assert!(tokens.text(open..close + 1) == "int h;" && tokens.whole().contains("int h;"));
        tokens.remove(open..close + 1);
        assert!(!tokens.whole().contains("int h;"));
    }
}
