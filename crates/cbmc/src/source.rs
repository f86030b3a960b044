//! C as people write it, with comments and directives: which functions a file defines, without a preprocessor.

use crate::token::{Tokens, quoted};
use crate::unit::functions;
use std::ops::RangeInclusive;

/// What a file defines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// Its functions, in order.
    pub functions: Vec<Definition>,
    /// The tokens outside of functions, and all directives.
    pub outside: Vec<String>,
}

/// A function that a file defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// The line of its name.
    pub line: usize,
    /// Its lines, from the first word of the definition to the end of its body.
    pub lines: RangeInclusive<usize>,
    /// Its words, numbers, strings and operators, in order.
    pub tokens: Vec<String>,
}

/// What a file defines, as far as that can be seen without its headers and macros.
pub fn outline(text: &str) -> Outline {
    let (code, mut outside) = code(text);
    let tokens = Tokens::read(&code);
    let mut defined = Vec::new();
    let mut from = 0;
    for function in functions(&tokens).into_iter().filter(|function| function.body.is_some()) {
        outside.extend(tokens.words(from..function.all.start));
        from = function.all.end;
        defined.push(Definition {
            name: function.name,
            line: tokens.all[function.at].line,
            lines: tokens.all[function.all.start].line..=tokens.all[from - 1].line,
            tokens: tokens.words(function.all),
        });
    }
    outside.extend(tokens.words(from..tokens.all.len()));
    Outline { functions: defined, outside }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_in_text_that_is_not_preprocessed() {
        let text = "#include <a.h>\n// int no(void) {}\n#define M(x) { \\\n  x\n\
            /* int no(int n) { */ static int low(int n)\n{\n  return '{' + n; // }\n}\n\
            #if 0\nint out(void) {\n#else\nint high(int n) {\n#endif\n  return low(n);\n}\n\
            #ifdef A\nint one(char *s) {\n#elif B\nint two(char *s) {\n#else\nint three(char *s) {\n#endif\n\
            \u{20} return s[0] == '\"' || s[1] == '\\'';\n}\nint v = 3;\n";
        let found = outline(text);
        let lines: Vec<_> =
            found.functions.iter().map(|it| (it.name.as_str(), it.line, it.lines.clone())).collect();
        assert_eq!(lines, [("low", 5, 5..=8), ("high", 12, 12..=15), ("one", 17, 17..=24)]);
        assert_eq!(found.functions[0].tokens.join(" "), "static int low ( int n ) { return '{' + n ; }");
        assert!(
            found.outside.contains(&"#elif B".to_string())
                && found.outside.ends_with(&["3", ";"].map(String::from))
        );
    }
}
