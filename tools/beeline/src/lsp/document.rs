//! A C file in an editor: its functions, and what of them changed.

use beeline_cbmc::dialect::{Definition, outline};
use lsp_types::Uri;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::path::Path;

/// A document that is open.
pub(super) struct Document {
    uri: Uri,
    text: String,
    content: Content,
    /// What was saved last.
    saved: Content,
}

/// The functions of a text.
#[derive(Clone, Default)]
struct Content {
    functions: Vec<Definition>,
    /// For each function, a number that changes with its text and its contract.
    own: BTreeMap<String, u64>,
    /// One that changes as well with functions which it calls, and with what is outside of functions.
    digests: BTreeMap<String, u64>,
}

impl Document {
    /// A document with the text that it was opened with, which is taken for what is saved.
    pub(super) fn new(uri: Uri, text: String) -> Document {
        let content = Content::new(&text);
        Document { uri, text, saved: content.clone(), content }
    }

    pub(super) fn change(&mut self, text: String) {
        self.content = Content::new(&text);
        self.text = text;
    }

    /// Takes the text for what is saved. Returns the functions whose own text changed since the last time.
    pub(super) fn save(&mut self) -> Vec<String> {
        let before = std::mem::replace(&mut self.saved, self.content.clone());
        let names = self.content.functions.iter().map(|function| function.name.clone());
        names.filter(|name| before.own.get(name) != self.content.own.get(name)).collect()
    }

    pub(super) fn uri(&self) -> &Uri {
        &self.uri
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn functions(&self) -> &[Definition] {
        &self.content.functions
    }

    /// The function at a line, from 0 on.
    pub(super) fn function_at(&self, line: u32) -> Option<&Definition> {
        self.functions().iter().find(|function| function.lines.contains(&(line as usize + 1)))
    }

    /// For each function of the text, a number that stands for all of the text that its verdict may depend on.
    pub(super) fn digests(&self) -> &BTreeMap<String, u64> {
        &self.content.digests
    }

    /// The same for what was saved last.
    pub(super) fn saved_digests(&self) -> &BTreeMap<String, u64> {
        &self.saved.digests
    }
}

impl Content {
    fn new(text: &str) -> Content {
        let (code, directives) = code(text);
        let (functions, outside) = outline(&code);
        let tokens: BTreeMap<&str, &[String]> =
            functions.iter().map(|function| (function.name.as_str(), &function.tokens[..])).collect();
        let contracts = contracts(text, &functions);
        let own: BTreeMap<String, u64> = functions
            .iter()
            .map(|function| {
                let name = function.name.as_str();
                (function.name.clone(), digest(&(&function.tokens, contracts.get(name))))
            })
            .collect();
        let of_all = |name: &str| {
            let called: Vec<u64> = called(name, &tokens).into_iter().map(|name| own[name]).collect();
            digest(&(called, &outside, &directives))
        };
        let digests = own.keys().map(|name| (name.clone(), of_all(name))).collect();
        Content { functions, digests, own }
    }
}

/// The lines of comments that say a contract, by the function which they stand above.
fn contracts<'t>(text: &'t str, functions: &'t [Definition]) -> BTreeMap<&'t str, Vec<&'t str>> {
    let lines: Vec<&str> = text.lines().collect();
    let mut from = 0;
    let mut contracts = BTreeMap::new();
    for function in functions {
        let above = lines.get(from..function.lines.start() - 1).unwrap_or_default();
        contracts.insert(
            function.name.as_str(),
            above.iter().copied().filter(|line| line.contains("beeline:")).collect(),
        );
        from = *function.lines.end();
    }
    contracts
}

/// A function and those of the file that it may call, by their names.
fn called<'t>(name: &'t str, tokens: &BTreeMap<&'t str, &'t [String]>) -> BTreeSet<&'t str> {
    let mut found = BTreeSet::from([name]);
    let mut left = vec![name];
    while let Some(name) = left.pop() {
        for token in tokens[name] {
            if let Some((&called, _)) = tokens.get_key_value(token.as_str())
                && found.insert(called)
            {
                left.push(called);
            }
        }
    }
    found
}

fn digest(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// Whether functions of a file are checked: it is no header.
pub(super) fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "c" || end == "i")
}

/// The text of a file without comments and directives, and with only the first part of each conditional; what stays is in the
/// lines where it was. Beside it, the directives.
fn code(text: &str) -> (String, Vec<String>) {
    let plain = without_comments(text);
    let (mut code, mut directives) = (String::with_capacity(plain.len()), Vec::new());
    let mut conditionals = Vec::new();
    let mut goes_on = false;
    for line in plain.lines() {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start).filter(|_| !goes_on);
        if let Some(directive) = directive {
            note(&mut conditionals, directive);
        }
        if directive.is_some() || goes_on {
            directives.push(line.to_string());
            goes_on = line.ends_with('\\');
        } else if conditionals.iter().all(|conditional| conditional.is_shown) {
            code.push_str(line);
        }
        code.push('\n');
    }
    (code, directives)
}

/// A conditional of the preprocessor, in a part of it.
struct Conditional {
    /// Whether the part is the one that is looked at.
    is_shown: bool,
    /// Whether that is this part or an earlier one.
    was_shown: bool,
}

/// Notes what a directive, without its `#`, begins or ends.
fn note(conditionals: &mut Vec<Conditional>, directive: &str) {
    let word = directive.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    match (word, conditionals.last_mut()) {
        ("if" | "ifdef" | "ifndef", _) => {
            let is_shown = word != "if" || directive[word.len()..].trim() != "0";
            conditionals.push(Conditional { is_shown, was_shown: is_shown });
        }
        ("else" | "elif" | "elifdef" | "elifndef", Some(last)) => {
            last.is_shown = !last.was_shown;
            last.was_shown = true;
        }
        ("endif", Some(_)) => drop(conditionals.pop()),
        _ => {}
    }
}

/// The text with blanks in the place of comments.
fn without_comments(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (length, is_comment) = match c {
            '/' if rest.starts_with("//") => (rest.find('\n').unwrap_or(rest.len()), true),
            '/' if rest.starts_with("/*") => (rest[2..].find("*/").map_or(rest.len(), |end| end + 4), true),
            '"' | '\'' => (quoted(rest, c), false),
            c => (c.len_utf8(), false),
        };
        match is_comment {
            true => plain.extend(rest[..length].chars().map(|c| if c == '\n' { c } else { ' ' })),
            false => plain.push_str(&rest[..length]),
        }
        rest = &rest[length..];
    }
    plain
}

/// The length of a string or a character with its quotes, on one line.
fn quoted(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' if !is_escaped => return at,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "#include <a.h>\n// int no(void) {}\n#define M(x) { \\\n  x\n\
        /* beeline: requires n > 0 */\nstatic int low(int n)\n{\n  return '{' + n; // }\n}\n\
        #if 0\nint out(void) {\n#else\nint high(int n) {\n#endif\n  return low(n);\n}\n\
        #ifdef A\nint one(char *s) {\n#elif B\nint two(char *s) {\n#else\nint three(char *s) {\n#endif\n  return s[0] == '\"';\n}\n";

    fn document(text: &str) -> Document {
        Document::new("file:///a.c".parse().unwrap(), text.into())
    }

    #[test]
    fn functions_are_found_in_text_that_is_not_preprocessed() {
        let document = document(TEXT);
        let found: Vec<_> = document
            .functions()
            .iter()
            .map(|function| (function.name.as_str(), function.line, function.lines.clone()))
            .collect();
        assert_eq!(found, [("low", 6, 6..=9), ("high", 13, 13..=16), ("one", 18, 18..=25)]);
        assert_eq!(document.function_at(14).unwrap().name, "high");
        assert!(document.function_at(9).is_none());
    }

    #[test]
    fn an_answer_may_change_with_functions_that_are_called() {
        let saved = |from: &str, to: &str| {
            let mut document = document(TEXT);
            assert!(TEXT.contains(from));
            let before = document.digests().clone();
            document.change(TEXT.replace(from, to));
            let changed = document.save();
            let names = before.keys().filter(|name| before.get(*name) != document.digests().get(*name));
            (changed.join(" "), names.cloned().collect::<Vec<_>>().join(" "))
        };
        let both = |names: &str| (names.to_string(), names.to_string());
        assert_eq!(saved("'{' + n", "n"), ("low".into(), "high low".into()));
        assert_eq!(saved("low(n);", "low(n)+1;"), both("high"));
        assert_eq!(saved("n > 0", "n > 1"), ("low".into(), "high low".into()));
        // Blanks and comments are no change.
        assert_eq!(saved("  return low(n);", "\n /* low */ return low( n );"), both(""));
        // What is outside of functions may change each of them.
        assert_eq!(saved("M(x) {", "M(x) }"), (String::new(), "high low one".into()));
    }
}
