//! Removals: bodies that a proof removes, declarations of system headers that differ from the proof's own
//! definitions, and contracts.

use crate::token::Tokens;
use crate::unit::Function;
use std::collections::BTreeSet;
use std::ops::Range;

/// The prefix of compiler builtins: C does not allow their definition, but proofs for CBMC define them.
const BUILTIN: &str = "__builtin_";

/// Removes the bodies of some functions, which return arbitrary values then.
pub(crate) fn bodies(tokens: &mut Tokens, found: &[Function], removed: &BTreeSet<String>) {
    for function in found {
        if let Some(body) = function.body.clone().filter(|_| is_named(tokens, function, removed)) {
            tokens.remove(body.clone());
            tokens.all[body.start].text = ";".into();
            // Another file may define it.
            for at in function.all.start..function.at {
                if tokens.is(at, "static") || tokens.is(at, "inline") || tokens.is(at, "__inline") {
                    tokens.remove(at..at + 1);
                }
            }
        }
    }
}

/// Whether a function is in a set, by its name or by the one that other files have for it.
fn is_named(tokens: &Tokens, function: &Function, names: &BTreeSet<String>) -> bool {
    let elsewhere = || crate::statics::name_elsewhere(tokens, function);
    names.contains(&function.name) || function.is_static && names.contains(&elsewhere())
}

/// Removes declarations in headers of functions that the file defines itself: the types may differ. In
/// headers of the project, a declaration stays if it is needed before the definition.
pub(crate) fn headers(tokens: &mut Tokens, found: &[Function]) {
    let file = |function: &Function| tokens.all[function.at].file;
    let mut taken = Vec::new();
    for own in found.iter().filter(|own| own.body.is_some() && !tokens.files[file(own)].system) {
        for function in found.iter().filter(|function| function.body.is_none() && function.name == own.name) {
            let is_needed = || is_mentioned(tokens, found, &own.name, function.all.end..own.all.start);
            let is_elsewhere = file(function) != file(own) && !function.is_static;
            if tokens.files[file(function)].system || is_elsewhere && !is_needed() {
                taken.push(function.all.clone());
            }
        }
    }
    taken.into_iter().for_each(|all| tokens.remove(all));
}

/// Whether tokens mention a name other than in a declaration of it.
fn is_mentioned(tokens: &Tokens, found: &[Function], name: &str, range: Range<usize>) -> bool {
    let declares = |at: usize| found.iter().any(|function| function.at == at);
    range.into_iter().any(|at| tokens.is(at, name) && !declares(at))
}

/// Removes the `const` of members, since goto-cc assigns structures that have such members. What pointers lead to
/// stays constant.
pub(crate) fn constant_members(tokens: &mut Tokens) {
    let is_type = |tokens: &Tokens, at: usize| tokens.is(at, "struct") || tokens.is(at, "union");
    for at in (0..tokens.all.len()).filter(|&at| is_type(tokens, at)).collect::<Vec<_>>() {
        // A name may stand between the keyword and the members.
        let next = tokens.next(at + 1);
        let open = match next.filter(|&next| !tokens.is(next, "{")) {
            Some(name) => tokens.next(name + 1),
            None => next,
        };
        let Some(open) = open.filter(|&open| tokens.is(open, "{")) else { continue };
        let Some(close) = tokens.closing(open) else { continue };
        for member in crate::quantifier::split(tokens, open + 1..close, ";") {
            let has = |text: &str| member.clone().any(|at| tokens.is(at, text));
            if has("(") || has("{") {
                continue;
            }
            let last = member.clone().rev().find(|&at| tokens.is(at, "*"));
            for at in last.unwrap_or(member.start)..member.end {
                if tokens.is(at, "const") {
                    tokens.remove(at..at + 1);
                }
            }
        }
    }
}

/// Clauses of contracts, of functions and of loops.
pub(crate) const CLAUSES: [&str; 7] = [
    "__CPROVER_requires",
    "__CPROVER_ensures",
    "__CPROVER_assigns",
    "__CPROVER_frees",
    "__CPROVER_loop_invariant",
    "__CPROVER_invariant",
    "__CPROVER_decreases",
];

/// Removes contracts: those of functions are neither checked nor used, those of loops are not needed.
pub(crate) fn contracts(tokens: &mut Tokens) {
    for at in 0..tokens.all.len() {
        let is_clause = CLAUSES.iter().any(|clause| tokens.is(at, clause));
        let open = tokens.next(at + 1).filter(|&open| is_clause && tokens.is(open, "("));
        if let Some(close) = open.and_then(|open| tokens.closing(open)) {
            tokens.remove(at..close + 1);
        }
    }
}

/// Renames builtins that the file defines to their names in the C library.
pub(crate) fn builtins(tokens: &mut Tokens, found: &[Function]) {
    for function in found.iter().filter(|function| function.body.is_some()) {
        if let Some(plain) = function.name.strip_prefix(BUILTIN) {
            tokens.all[function.at].text = plain.to_string().into();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::functions;

    #[test]
    fn members_can_be_assigned_and_what_they_point_to_cannot() {
        let source = "const int n; struct s { const int a; const char *b; char const *const c; void (*d)(const char *); \
            union { const int e; } f; }; struct s const g;";
        let mut tokens = Tokens::read(source);
        constant_members(&mut tokens);
        let left = tokens.whole().split_whitespace().collect::<Vec<_>>().join(" ");
        let expected = "const int n; struct s { int a; const char *b; char const * c; void (*d)(const char *); \
            union { int e; } f; }; struct s const g;";
        assert_eq!(left, expected.split_whitespace().collect::<Vec<_>>().join(" "));
    }

    #[test]
    fn declarations_that_nobody_needs_give_way_to_definitions() {
        let source = "# 1 \"own.h\" 1\nint one(long); int two(long); static int three(void);
# 1 \"system.h\" 1 3\nint four(long);\n# 1 \"own.c\" 2
int one(int a) { return 1; }\nint x = sizeof(two(1));\nint two(int a) { return 2; }
int three(void) { return 3; }\nint five(void) { return four(1); }\nint four(int a) { return 4; }\n";
        let mut tokens = Tokens::read(source);
        let found = functions(&tokens);
        headers(&mut tokens, &found);
        let left = tokens.whole();
        assert!(
            !left.contains("one(long)") && left.contains("int two(long); static int three(void);"),
            "{left}"
        );
        assert!(!left.contains("four(long)"), "{left}");
    }
}
