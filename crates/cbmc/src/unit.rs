//! The outermost declarations of a preprocessed file: which functions are declared, and which are defined.

use crate::removal::CLAUSES;
use crate::token::{Kind, Tokens};
use std::ops::Range;

/// A function that a file declares or defines. All numbers are indices of tokens.
#[derive(Debug, Clone)]
pub(crate) struct Function {
    /// Its name.
    pub name: String,
    /// The token of its name.
    pub at: usize,
    /// All its tokens, with the semicolon or the body.
    pub all: Range<usize>,
    /// Its parameters with their parentheses.
    pub params: Range<usize>,
    /// Its body with its braces.
    pub body: Option<Range<usize>>,
    /// Whether it is visible in its file only.
    pub is_static: bool,
}

/// Words with parentheses after them that are not functions.
const NOT_FUNCTIONS: [&str; 12] = [
    "__attribute__",
    "__attribute",
    "__asm__",
    "__asm",
    "asm",
    "__typeof__",
    "__typeof",
    "typeof",
    "_Alignas",
    "_Static_assert",
    "__declspec",
    "_Atomic",
];

/// The functions that a file declares or defines.
pub(crate) fn functions(tokens: &Tokens) -> Vec<Function> {
    let mut found = Vec::new();
    let mut start = tokens.next(0);
    while let Some(from) = start {
        let (function, end) = item(tokens, from);
        found.extend(function);
        start = tokens.next(end);
    }
    found
}

/// The function that begins at a token, if one does, and the token where the next item may begin.
fn item(tokens: &Tokens, from: usize) -> (Option<Function>, usize) {
    let mut declarator: Option<(usize, Range<usize>)> = None;
    let (mut is_static, mut open) = (false, true);
    let is_typedef = tokens.is(from, "typedef");
    let function = |declarator: Option<(usize, Range<usize>)>, is_static, body: Option<Range<usize>>, end| {
        let (at, params) = declarator.filter(|_| !is_typedef)?;
        let name = tokens.all[at].text.to_string();
        Some(Function { name, at, all: from..end, params, body, is_static })
    };
    let mut next = Some(from);
    while let Some(at) = next {
        let token = &tokens.all[at];
        let mut end = at + 1;
        match &*token.text {
            ";" => return (function(declarator, is_static, None, end), end),
            "{" => {
                let Some(close) = tokens.closing(at) else { return (None, tokens.all.len()) };
                // After parameters comes a body; other braces hold the members of a type or an initialiser.
                if declarator.is_some() && open {
                    return (function(declarator, is_static, Some(at..close + 1), close + 1), close + 1);
                }
                end = close + 1;
            }
            "(" | "[" => {
                let Some(close) = tokens.closing(at) else { return (None, tokens.all.len()) };
                let word =
                    tokens.before(at).filter(|&word| word >= from && tokens.all[word].kind == Kind::Word);
                if let Some(word) = word.filter(|_| token.is("(")) {
                    let name = &*tokens.all[word].text;
                    if declarator.is_none()
                        && open
                        && !NOT_FUNCTIONS.contains(&name)
                        && !CLAUSES.contains(&name)
                        && !tokens.next(at + 1).is_some_and(|inner| tokens.is(inner, "*"))
                    {
                        declarator = Some((word, at..close + 1));
                    }
                }
                end = close + 1;
            }
            // An initialised item is a variable.
            "=" => open = false,
            "static" => is_static = true,
            "}" | ")" | "]" => return (None, end),
            _ => {}
        }
        next = tokens.next(end);
    }
    (None, tokens.all.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_told_from_all_else() {
        let source = "typedef int (*callback)(int);
struct __attribute__((packed)) s { int (*f)(void); } v;
static int table[] = { sizeof(int) };
int (*pointer)(int) = 0;
static inline __attribute__((noinline)) struct s *get(int n, int (*f)(int)) { if (n) { return 0; } return &v; }
extern int away(const char *, ...) __attribute__((format(printf, 1, 2)));
int kept(int *p) __CPROVER_requires(*p > 0) __CPROVER_ensures(__CPROVER_return_value == 1);
enum e { A, B };
int last(void) { return 1; }
";
        let tokens = Tokens::read(source);
        let found = functions(&tokens);
        let names: Vec<&str> = found.iter().map(|function| function.name.as_str()).collect();
        assert_eq!(names, ["get", "away", "kept", "last"]);
        assert!(found[0].is_static && found[0].body.is_some() && found[1].body.is_none());
        assert_eq!(tokens.text(found[3].all.clone()), "int last ( void ) { return 1 ; }");
    }
}
