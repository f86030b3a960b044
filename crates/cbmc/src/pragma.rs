//! Pragmas of CBMC that disable checks, for functions and for parts of them.
//!
//! Between functions, the pragmas become pragmas for clang's sanitizers. Inside of a function that is not
//! possible: the lines are written into a variable of the program, and `beeline-mark` removes the checks of
//! these lines. Pragmas that are not supported disable nothing: a check too many does no harm.

use crate::token::{Kind, Tokens};

/// Checks of CBMC that a sanitizer of clang makes, each as the sanitizer's name.
const SANITIZERS: [(&str, &str); 7] = [
    ("\"bounds\"", "array-bounds"),
    ("\"unsigned-overflow\"", "unsigned-integer-overflow"),
    ("\"signed-overflow\"", "signed-integer-overflow"),
    ("\"div-by-zero\"", "integer-divide-by-zero"),
    ("\"undefined-shift\"", "shift"),
    ("\"conversion\"", "implicit-conversion"),
    ("\"conversion\"", "float-cast-overflow"),
];

/// The name prefix of the variable with the lines: items `FILE:FIRST:LAST:CHECK`, with `\n` between them.
const UNCHECKED: &str = "beeline_unchecked";

/// The pragma that ends attributes for [`SANITIZERS`].
const POP: &str = "#pragma clang attribute pop";

/// A pragma about checks.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Said {
    Push,
    Pop,
    Disable(String),
    Enable(String),
}

/// Applies the pragmas and removes them.
pub(crate) fn obey(tokens: &mut Tokens) {
    let mut between = vec![Vec::new()];
    let mut inside: Vec<Vec<(String, usize)>> = Vec::new();
    let (mut depth, mut regions) = (0_usize, Vec::new());
    for at in 0..tokens.all.len() {
        let token = &tokens.all[at];
        match &*token.text {
            "{" if token.kind == Kind::Mark => depth += 1,
            "}" if token.kind == Kind::Mark => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            inside.clear();
        }
        let Some(said) = said(tokens, at) else { continue };
        let text = match depth {
            0 => told(&mut between, said),
            _ => {
                regions.extend(
                    ended(&mut inside, said, at).filter_map(|(check, from)| region(tokens, &check, from, at)),
                );
                String::new()
            }
        };
        tokens.all[at].text = text.into();
    }
    if let (false, Some(last)) = (regions.is_empty(), tokens.all.len().checked_sub(1)) {
        let text = regions.join("\\n");
        let variable = format!("\n__attribute__((used)) static const char {UNCHECKED}[] = \"{text}\";\n");
        tokens.put_behind(last, &variable);
    }
}

/// The meaning of a token, if it is such a pragma.
fn said(tokens: &Tokens, at: usize) -> Option<Said> {
    let token = &tokens.all[at];
    let words: Vec<&str> = token.text.split_whitespace().collect();
    match (token.kind, &words[..]) {
        (Kind::Line, ["#pragma", "CPROVER", "check", rest @ ..]) => match rest {
            ["push"] => Some(Said::Push),
            ["pop"] => Some(Said::Pop),
            ["disable", check] => Some(Said::Disable(check.to_string())),
            ["enable", check] => Some(Said::Enable(check.to_string())),
            _ => Some(Said::Enable(String::new())),
        },
        _ => None,
    }
}

/// The pragma for clang between functions.
fn told(pushed: &mut Vec<Vec<&'static str>>, said: Said) -> String {
    match said {
        Said::Push => {
            pushed.push(Vec::new());
            String::new()
        }
        Said::Pop if pushed.len() > 1 => {
            let ended = pushed.pop().unwrap_or_default();
            vec![POP; ended.len()].join("\n")
        }
        Said::Pop => String::new(),
        Said::Disable(check) => {
            let kinds = SANITIZERS.iter().filter(|(name, _)| *name == check).map(|(_, kind)| *kind);
            let kinds: Vec<&str> = kinds.collect();
            pushed.last_mut().into_iter().for_each(|level| level.extend(&kinds));
            let push = |kind: &&str| {
                format!(
                    "#pragma clang attribute push(__attribute__((no_sanitize(\"{kind}\"))), apply_to = function)"
                )
            };
            kinds.iter().map(push).collect::<Vec<_>>().join("\n")
        }
        // The check that was disabled last is enabled again, and with it those that were disabled before it.
        Said::Enable(_) => {
            let level = pushed.last_mut().map(std::mem::take).unwrap_or_default();
            vec![POP; level.len()].join("\n")
        }
    }
}

/// The checks that a pragma inside of a function enables again, each with the pragma that disabled it.
fn ended(
    levels: &mut Vec<Vec<(String, usize)>>,
    said: Said,
    at: usize,
) -> impl Iterator<Item = (String, usize)> + use<> {
    let ended = match said {
        Said::Push => {
            levels.push(Vec::new());
            Vec::new()
        }
        Said::Pop => levels.pop().unwrap_or_default(),
        Said::Disable(check) => {
            levels.last_mut().into_iter().for_each(|level| level.push((check.clone(), at)));
            Vec::new()
        }
        Said::Enable(_) => levels.last_mut().map(std::mem::take).unwrap_or_default(),
    };
    ended.into_iter()
}

/// The lines between two pragmas, for the variable.
fn region(tokens: &Tokens, check: &str, from: usize, to: usize) -> Option<String> {
    let (first, last) = (&tokens.all[from], &tokens.all[to]);
    let file = &tokens.files[first.file].name;
    let check = check.trim_matches('"');
    let is_plain = !file.contains(['"', '\\', '\n']) && !check.contains(['"', '\\', ':']);
    (first.file == last.file && is_plain).then(|| format!("{file}:{}:{}:{check}", first.line, last.line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_between_pragmas_inside_of_functions_are_written_down() {
        let source = "# 1 \"a.c\"\nvoid f(void) {\n#pragma CPROVER check push\n#pragma CPROVER check disable \"conversion\"
  a = b;\n#pragma CPROVER check pop\n}\nvoid g(void) {\n#pragma CPROVER check disable \"conversion\"\n  a = b;\n}\n";
        let mut tokens = Tokens::read(source);
        obey(&mut tokens);
        let text = tokens.whole();
        assert!(text.contains("beeline_unchecked[] = \"a.c:3:5:conversion\";"), "{text}");
        assert!(!text.contains("CPROVER"), "{text}");
        // Lines keep their numbers.
        assert_eq!(text.lines().nth(5), source.lines().nth(5).map(|_| ""));
        assert_eq!(text.lines().nth(6), Some("}"));
    }

    #[test]
    fn clang_is_told_between_functions() {
        let source = "#pragma CPROVER check push\n#pragma CPROVER check disable \"conversion\"\nvoid f(void) { }\n#pragma CPROVER check pop\nvoid g(void) { }\n";
        let mut tokens = Tokens::read(source);
        obey(&mut tokens);
        let text = tokens.whole();
        assert_eq!(text.matches("attribute push").count(), 2, "{text}");
        assert!(text.find("attribute pop").unwrap() > text.find("void f").unwrap(), "{text}");
        assert_eq!(text.matches("attribute pop").count(), 2, "{text}");
    }
}
