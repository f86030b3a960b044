//! Casts to integers, for the check of conversions: clang checks implicit conversions, and does not check
//! explicit ones. So `(unsigned char)n` becomes `(unsigned char){(n)}`, which means the same with an implicit
//! conversion.

use crate::token::{Kind, Tokens};
use crate::unit::Function;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The keywords of integer types.
const INTEGERS: [&str; 9] =
    ["char", "short", "int", "long", "signed", "unsigned", "__signed__", "__int128", "__int128_t"];
/// Qualifiers that may stand beside these.
const BESIDE: [&str; 2] = ["const", "volatile"];
/// The first words of other types.
const OTHERS: [&str; 8] =
    ["void", "float", "double", "_Bool", "struct", "union", "enum", "__builtin_va_list"];
/// Words before an operand; after any other word, parentheses hold arguments.
const BEFORE: [&str; 5] = ["return", "case", "else", "do", "__extension__"];
/// Operators before an operand.
const PREFIX: [&str; 8] = ["-", "+", "~", "!", "*", "&", "++", "--"];
/// Words in the place of a type that begin no operand.
const SAID: [&str; 4] = ["__attribute__", "__attribute", "__asm__", "asm"];
/// The keyword of an assertion that holds constants only.
const CONSTANT: &str = "_Static_assert";
/// The greatest number that all integer types have.
const SMALL: u64 = 127;

/// The names of types that a file defines.
#[derive(Debug, Default)]
struct Types {
    all: BTreeSet<String>,
    integers: BTreeSet<String>,
}

/// Rewrites the casts to integers in bodies of functions so that they are checked.
pub(crate) fn look_at(tokens: &mut Tokens, found: &[Function]) {
    let types = Types::read(tokens);
    let bodies: Vec<Range<usize>> = found.iter().filter_map(|function| function.body.clone()).collect();
    for body in bodies {
        let constant = constants(tokens, body.clone());
        // Inner casts are rewritten first, so that they stay inside.
        for at in body.rev().filter(|at| !constant.iter().any(|range| range.contains(at))) {
            let Some(operand) = types.cast_at(tokens, at) else { continue };
            if !is_small(tokens, &operand) {
                tokens.put_before(operand.start, "{(");
                tokens.put_behind(operand.end - 1, ")}");
            }
        }
    }
}

/// The ranges of assertions about constants.
fn constants(tokens: &Tokens, body: Range<usize>) -> Vec<Range<usize>> {
    let asserted = body.filter(|&at| tokens.is(at, CONSTANT));
    asserted.filter_map(|at| Some(at..tokens.closing(tokens.next(at + 1)?)?)).collect()
}

/// Whether an operand is a number that every integer type has.
fn is_small(tokens: &Tokens, operand: &Range<usize>) -> bool {
    let text = tokens.text(operand.clone());
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let number = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hexadecimal) => u64::from_str_radix(hexadecimal, 16),
        None => digits.parse(),
    };
    number.is_ok_and(|number| number <= SMALL)
}

impl Types {
    fn read(tokens: &Tokens) -> Types {
        let mut types = Types::default();
        let mut depth = 0_usize;
        let mut words: Vec<&str> = Vec::new();
        let mut meanings: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for token in tokens.all.iter().filter(|token| token.matters()) {
            match &*token.text {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                ";" if depth == 0 => {
                    if let ["typedef", meaning @ .., name] = &words[..] {
                        meanings.insert(name, meaning.to_vec());
                    }
                    if words.first() == Some(&"typedef") {
                        // A type of functions or arrays has its name inside.
                        types
                            .all
                            .extend(words.iter().filter(|word| is_name(word)).map(|word| word.to_string()));
                    }
                    words.clear();
                }
                text if depth == 0 => words.push(text),
                _ => {}
            }
        }
        // A name is defined by those before it, in any order here.
        let mut is_news = true;
        while is_news {
            let known: Vec<String> = meanings
                .iter()
                .filter(|(name, meaning)| !types.integers.contains(**name) && types.is_integer(meaning))
                .map(|(name, _)| name.to_string())
                .collect();
            is_news = !known.is_empty();
            types.integers.extend(known);
        }
        types
    }

    /// Whether words name an integer type.
    fn is_integer(&self, words: &[&str]) -> bool {
        let is_one = |word: &&str| INTEGERS.contains(word) || self.integers.contains(*word);
        words.iter().any(is_one) && words.iter().all(|word| is_one(word) || BESIDE.contains(word))
    }

    /// The operand of a cast to an integer that begins with the parenthesis at a token.
    fn cast_at(&self, tokens: &Tokens, open: usize) -> Option<Range<usize>> {
        if !tokens.is(open, "(") {
            return None;
        }
        let close = tokens.closing(open)?;
        let inside: Vec<&str> = tokens.all[open + 1..close]
            .iter()
            .filter(|token| token.matters())
            .map(|token| &*token.text)
            .collect();
        let before = tokens.before(open)?;
        let is_called =
            tokens.all[before].kind == Kind::Word && !BEFORE.iter().any(|word| tokens.is(before, word));
        if !self.is_integer(&inside) || is_called {
            return None;
        }
        let first = tokens.next(close + 1)?;
        Some(first..self.operand_end(tokens, first)?)
    }

    /// The end of the operand of a cast that begins with a token.
    fn operand_end(&self, tokens: &Tokens, first: usize) -> Option<usize> {
        let mut at = first;
        loop {
            let token = &tokens.all[at];
            let is_prefix = token.is("sizeof")
                || token.is("__extension__")
                || token.kind == Kind::Mark && PREFIX.contains(&&*token.text);
            let inside = tokens.next(at + 1).filter(|&open| token.is("sizeof") && tokens.is(open, "("));
            if let Some(open) = inside
                && let Some(close) = tokens.closing(open).filter(|&close| self.is_type(tokens, open, close))
            {
                return Some(close + 1);
            }
            if token.is("(") {
                let close = tokens.closing(at)?;
                let behind = tokens.next(close + 1)?;
                match self.is_type(tokens, at, close) {
                    true if tokens.is(behind, "{") => {
                        return Some(postfix_end(tokens, tokens.closing(behind)?));
                    }
                    true if starts_operand(tokens, behind) => at = behind,
                    _ => return Some(postfix_end(tokens, close)),
                }
            } else if is_prefix {
                at = tokens.next(at + 1)?;
            } else {
                let is_operand = matches!(token.kind, Kind::Number | Kind::Text | Kind::Word)
                    && !SAID.contains(&&*token.text);
                return is_operand.then(|| postfix_end(tokens, at));
            }
        }
    }

    /// Whether parentheses hold a type.
    fn is_type(&self, tokens: &Tokens, open: usize, close: usize) -> bool {
        let Some(first) = tokens.next(open + 1).filter(|&first| first < close) else { return false };
        let word = &*tokens.all[first].text;
        INTEGERS.contains(&word)
            || BESIDE.contains(&word)
            || OTHERS.contains(&word)
            || self.all.contains(word) && {
                // A variable may have the name of a type elsewhere, but is not followed by a star alone.
                let rest = tokens.all[first + 1..close].iter().filter(|token| token.matters());
                rest.into_iter().all(|token| token.is("*") || BESIDE.iter().any(|word| token.is(word)))
            }
    }
}

/// Whether a word can be a name.
fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && word != "typedef"
        && !INTEGERS.contains(&word)
        && !BESIDE.contains(&word)
        && !OTHERS.contains(&word)
}

/// Whether an operand can begin with a token.
fn starts_operand(tokens: &Tokens, at: usize) -> bool {
    let token = &tokens.all[at];
    match token.kind {
        Kind::Mark => token.is("(") || PREFIX.contains(&&*token.text),
        Kind::Word => !SAID.contains(&&*token.text),
        Kind::Number | Kind::Text => true,
        Kind::Blank | Kind::End | Kind::Line => false,
    }
}

/// The end of an expression whose first part ends with a token.
fn postfix_end(tokens: &Tokens, last: usize) -> usize {
    let mut last = last;
    while let Some(next) = tokens.next(last + 1) {
        let end = match &*tokens.all[next].text {
            "(" | "[" => tokens.closing(next),
            "." | "->" => tokens.next(next + 1),
            "++" | "--" => Some(next),
            _ => None,
        };
        match end {
            Some(end) => last = end,
            None => break,
        }
    }
    last + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::functions;

    #[test]
    fn casts_to_integers_are_told_from_all_else() {
        let looked_at = |body: &str| {
            let text = format!(
                "typedef unsigned char byte; typedef const byte octet; typedef struct s {{ int m; }} s_t; \
                 typedef int (*call)(int); typedef _Bool truth; void f(void) {{ {body} }}"
            );
            let mut tokens = Tokens::read(&text);
            let found = functions(&tokens);
            look_at(&mut tokens, &found);
            let whole = tokens.whole();
            whole.split_once("void f(void) { ").unwrap().1.trim_end_matches(" }").to_string()
        };
        for (text, expected) in [
            ("x = (byte)n + 1;", "x = (byte){(n)} + 1;"),
            ("return (octet) p->q[3].m++ & 1;", "return (octet) {(p->q[3].m++)} & 1;"),
            ("x = (unsigned int)(short)-n;", "x = (unsigned int){((short){(-n)})};"),
            ("x = (int)(s_t *)p;", "x = (int){((s_t *)p)};"),
            ("x = (int)(p)(1) * 2;", "x = (int){((p)(1))} * 2;"),
            ("x = (int)sizeof(int) - (int) ( a + b );", "x = (int){(sizeof(int))} - (int) {(( a + b ))};"),
            ("x = (byte)300; y = (byte)0x7fU;", "x = (byte){(300)}; y = (byte)0x7fU;"),
        ] {
            assert_eq!(looked_at(text), expected);
        }
        for same in [
            "x = sizeof (byte) * y;",
            "x = (s_t *)p; y = (truth)n; z = (call)p; (void)n;",
            "int (*g)(int); int h(int) __attribute__((pure)); v = f(int), (int){3};",
            "_Static_assert((int)A == 3, \"\");",
            "x = (byte)100;",
        ] {
            assert_eq!(looked_at(same), same);
        }
    }
}
