//! A C file in an editor: its functions, and what of them changed.

use beeline_cbmc::source::{Definition, Outline, outline};
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

    /// Whether a file has the text. Editors have no mark of the order of bytes in it, and replace what is no UTF-8.
    pub(super) fn is_saved_in(&self, path: &Path) -> bool {
        let saved = std::fs::read(path).unwrap_or_default();
        String::from_utf8_lossy(&saved).trim_start_matches('\u{feff}') == self.text
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
        let Outline { functions, outside } = outline(text);
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
            digest(&(called, &outside))
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

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "#define M(x) { \\\n  x\n/* beeline: requires n > 0 */\nstatic int low(int n)\n{\n  return 4 + n; // }\n}\n\
        int high(int n) {\n  return low(n);\n}\nint one(char *s) {\n  return s[0];\n}\n";

    fn document(text: &str) -> Document {
        Document::new("file:///a.c".parse().unwrap(), text.into())
    }

    #[test]
    fn a_line_belongs_to_a_function() {
        let document = document(TEXT);
        assert_eq!(document.function_at(5).unwrap().name, "low");
        assert!(document.function_at(0).is_none());
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
        assert_eq!(saved("4 + n", "n"), ("low".into(), "high low".into()));
        assert_eq!(saved("low(n);", "low(n)+1;"), both("high"));
        assert_eq!(saved("n > 0", "n > 1"), ("low".into(), "high low".into()));
        // Blanks and comments are no change.
        assert_eq!(saved("  return low(n);", "\n /* low */ return low( n );"), both(""));
        // What is outside of functions may change each of them.
        assert_eq!(saved("M(x) {", "M(x) }"), (String::new(), "high low one".into()));
    }
}
