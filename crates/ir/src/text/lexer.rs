//! Lexing: characters to tokens.

use super::Located;
use crate::plain::{in_name, starts_name};
use crate::types::{FloatKind, Type};
use num_bigint::BigUint;

/// The kind of a token.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Tok {
    /// A name; quoted ones are never keywords.
    Ident {
        name: String,
        quoted: bool,
    },
    /// An integer with its type, if it is written.
    Int(BigUint, Option<Type>),
    /// A decimal float with its type, if it is written.
    Float(String, Option<Type>),
    /// A text in quotes.
    Str(String),
    /// Punctuation or an operator.
    Punct(&'static str),
    Newline,
    End,
}

impl Tok {
    /// Its name in a message.
    pub(super) fn describe(&self) -> String {
        match self {
            Tok::Ident { name, .. } => format!("`{name}`"),
            Tok::Int(value, _) => format!("`{value}`"),
            Tok::Float(text, _) => format!("`{text}`"),
            Tok::Str(text) => format!("{text:?}"),
            Tok::Punct(text) => format!("`{text}`"),
            Tok::Newline => "the end of the line".into(),
            Tok::End => "the end of the text".into(),
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct Token {
    pub tok: Tok,
    pub pos: usize,
}

/// Longer ones come first where one begins another.
const PUNCTUATION: [&str; 58] = [
    "==.", "!=.", "<=.", ">=.", "<=u", ">=u", "<=s", ">=s", ">>u", ">>s", ":=", "->", "==", "!=", "<u", ">u",
    "<s", ">s", "<.", ">.", "<<", "&&", "||", "+.", "-.", "*.", "/.", "%.", "/u", "/s", "%u", "%s", "(", ")",
    "[", "]", "{", "}", ",", ";", ":", "?", "!", "~", "-", "+", "*", "&", "|", "^", "@", "#", "=", ".", "<",
    ">", "/", "%",
];

/// A type by its name.
pub(super) fn type_named(name: &str) -> Option<Type> {
    if name == "bool" {
        return Some(Type::Bool);
    }
    if let Some(kind) = FloatKind::ALL.into_iter().find(|kind| kind.name() == name) {
        return Some(Type::Float(kind));
    }
    let digits = name.strip_prefix('i')?;
    let canonical = !digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit());
    digits.parse().ok().filter(|_| canonical).map(Type::Bv)
}

pub(super) fn lex(text: &str) -> Result<Vec<Token>, Vec<Located>> {
    let mut lexer = Lexer { text, pos: 0, tokens: Vec::new(), faults: Vec::new() };
    while lexer.pos < text.len() {
        lexer.token();
    }
    lexer.push(Tok::Newline, text.len());
    lexer.push(Tok::End, text.len());
    if lexer.faults.is_empty() { Ok(lexer.tokens) } else { Err(lexer.faults) }
}

struct Lexer<'a> {
    text: &'a str,
    pos: usize,
    tokens: Vec<Token>,
    faults: Vec<Located>,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.pos..]
    }

    fn push(&mut self, tok: Tok, pos: usize) {
        self.tokens.push(Token { tok, pos });
    }

    fn fault(&mut self, pos: usize, message: impl Into<String>) {
        self.faults.push(Located { pos, message: message.into() });
    }

    /// Takes characters as long as the condition holds.
    fn take_while(&mut self, condition: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !condition(c)).unwrap_or(rest.len());
        self.pos += end;
        &rest[..end]
    }

    fn token(&mut self) {
        let start = self.pos;
        let rest = self.rest();
        let Some(c) = rest.chars().next() else { return };
        if c == '\n' {
            self.pos += 1;
            self.push(Tok::Newline, start);
        } else if c.is_whitespace() {
            self.pos += c.len_utf8();
        } else if rest.starts_with("//") {
            self.take_while(|c| c != '\n');
        } else if starts_name(c) {
            let name = self.take_while(in_name).to_string();
            self.push(Tok::Ident { name, quoted: false }, start);
        } else if c == '`' {
            self.quoted_name();
        } else if c == '"' {
            self.string();
        } else if c.is_ascii_digit() {
            self.number();
        } else {
            self.punctuation(c);
        }
    }

    fn punctuation(&mut self, c: char) {
        let start = self.pos;
        let rest = self.rest();
        let found = PUNCTUATION.iter().find(|text| {
            // `<s` is an operator, but not at the start of `<size`.
            let letter = text.ends_with(['s', 'u']);
            rest.starts_with(**text) && !(letter && rest[text.len()..].starts_with(in_name))
        });
        match found {
            Some(text) => {
                self.pos += text.len();
                self.push(Tok::Punct(text), start);
            }
            None => {
                self.pos += c.len_utf8();
                self.fault(start, format!("the character {c:?} has no meaning here"));
            }
        }
    }

    fn quoted_name(&mut self) {
        let start = self.pos;
        self.pos += 1;
        let name = self.take_while(|c| c != '`' && c != '\n').to_string();
        if self.rest().starts_with('`') {
            self.pos += 1;
            self.push(Tok::Ident { name, quoted: true }, start);
        } else {
            self.fault(start, "this name has no closing backtick");
        }
    }

    fn string(&mut self) {
        let start = self.pos;
        let mut value = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.pos = start + at + 1;
                    return self.push(Tok::Str(value), start);
                }
                '\n' => break,
                '\\' => match chars.next() {
                    Some((_, 'n')) => value.push('\n'),
                    Some((_, 't')) => value.push('\t'),
                    Some((_, 'r')) => value.push('\r'),
                    Some((_, c @ ('"' | '\\'))) => value.push(c),
                    Some((_, 'u')) => {
                        let code: String = chars
                            .by_ref()
                            .skip(1)
                            .map(|(_, c)| c)
                            .take_while(|&c| c != '}')
                            .take(8)
                            .collect();
                        match u32::from_str_radix(&code, 16).ok().and_then(char::from_u32) {
                            Some(c) => value.push(c),
                            None => self.fault(start + at, "`\\u{...}` wants the number of a character"),
                        }
                    }
                    _ => self.fault(start + at, "after `\\` comes n, t, r, u{...}, a quote or a backslash"),
                },
                c => value.push(c),
            }
        }
        self.take_while(|c| c != '\n');
        self.fault(start, "this text has no closing quote");
    }

    fn number(&mut self) {
        let start = self.pos;
        if self.rest().starts_with("0x") {
            self.pos += 2;
            let digits = self.take_while(|c| c.is_ascii_hexdigit());
            let Some(value) = BigUint::parse_bytes(digits.as_bytes(), 16) else {
                return self.fault(start, "after `0x` come hexadecimal digits");
            };
            let suffix = self.suffix();
            return self.push(Tok::Int(value, suffix), start);
        }
        self.take_while(|c| c.is_ascii_digit());
        let mut float = false;
        let rest = self.rest().as_bytes();
        if rest.first() == Some(&b'.') && rest.get(1).is_some_and(u8::is_ascii_digit) {
            float = true;
            self.pos += 1;
            self.take_while(|c| c.is_ascii_digit());
        }
        if self.rest().starts_with('e') {
            float = true;
            self.pos += 1;
            if self.rest().starts_with(['-', '+']) {
                self.pos += 1;
            }
            self.take_while(|c| c.is_ascii_digit());
        }
        let digits = &self.text[start..self.pos];
        let suffix = self.suffix();
        if float {
            self.push(Tok::Float(digits.into(), suffix), start);
        } else {
            let value = BigUint::parse_bytes(digits.as_bytes(), 10).unwrap_or_default();
            self.push(Tok::Int(value, suffix), start);
        }
    }

    fn suffix(&mut self) -> Option<Type> {
        let start = self.pos;
        let name = self.take_while(in_name);
        if name.is_empty() {
            return None;
        }
        let ty = type_named(name);
        if ty.is_none() {
            self.fault(start, format!("`{name}` is no type for a number"));
        }
        ty
    }
}
