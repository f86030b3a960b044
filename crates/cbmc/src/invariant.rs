//! Invariants of loops: each is asserted at the start of an iteration of its loop. So it is checked, not
//! assumed, and a search for a proof gets a hint.

use crate::removal::CLAUSES;
use crate::token::Tokens;
use std::collections::BTreeSet;
use std::ops::Range;

/// Clauses that give an invariant.
const INVARIANTS: [&str; 2] = ["__CPROVER_loop_invariant", "__CPROVER_invariant"];
/// The value of an expression before the loop, which is not supported.
const ENTRY: &str = "__CPROVER_loop_entry";

/// Words that begin a statement with statements in it.
const COMPOUND: [&str; 8] = ["if", "for", "while", "do", "switch", "case", "default", "else"];

/// An invariant of a loop.
struct Invariant {
    /// The token of its name.
    at: usize,
    /// Its condition.
    inside: Range<usize>,
    /// The first and the last token of the loop's body.
    body: (usize, usize),
}

/// Asserts invariants of `for` and `while` loops whose bodies are blocks or simple statements. Others are left out.
pub(crate) fn assert_all(tokens: &mut Tokens) {
    let found: Vec<Invariant> = (0..tokens.all.len()).filter_map(|at| invariant(tokens, at)).collect();
    let mut wrapped = BTreeSet::new();
    for Invariant { at, inside, body: (first, last) } in found {
        let condition = tokens.text(inside);
        let (there, back) = (tokens.marker(at), tokens.marker(first));
        let text = format!("{there}__CPROVER_assert({condition}, \"loop invariant\");{back}");
        if tokens.is(first, "{") {
            tokens.put_behind(first, &text);
            continue;
        }
        tokens.put_before(first, &text);
        if wrapped.insert(first) {
            tokens.put_behind(last, "}");
        }
    }
    wrapped.into_iter().for_each(|first| tokens.put_before(first, "{"));
}

/// The invariant that begins with a token, if it can be asserted.
fn invariant(tokens: &Tokens, at: usize) -> Option<Invariant> {
    let is_clause = |at: usize| CLAUSES.iter().any(|name| tokens.is(at, name));
    let end = |clause: usize| tokens.closing(tokens.next(clause + 1).filter(|&open| tokens.is(open, "("))?);
    let inside = Some(at).filter(|&at| INVARIANTS.iter().any(|name| tokens.is(at, name)))?;
    let inside = tokens.next(inside + 1)? + 1..end(at)?;
    if inside.clone().any(|at| tokens.is(at, ENTRY)) {
        return None;
    }
    // Other clauses may stand before and after it.
    let mut body = tokens.next(end(at)? + 1)?;
    while is_clause(body) {
        body = tokens.next(end(body)? + 1)?;
    }
    let mut before = tokens.before(at)?;
    let mut head = tokens.before(tokens.opening(before)?)?;
    while is_clause(head) {
        before = tokens.before(head)?;
        head = tokens.before(tokens.opening(before)?)?;
    }
    let is_loop = ["for", "while"].iter().any(|word| tokens.is(head, word));
    let is_end_of_do = tokens.is(head, "while") && tokens.before(head).is_some_and(|at| ends_do(tokens, at));
    let last = last_of_statement(tokens, body).filter(|_| is_loop && !is_end_of_do)?;
    Some(Invariant { at, inside, body: (body, last) })
}

/// Whether the `while` behind a token ends a `do` loop: a block that `do` begins, or a simple statement behind it.
fn ends_do(tokens: &Tokens, last: usize) -> bool {
    let opens = |at: usize| tokens.opening(at).and_then(|open| tokens.before(open));
    match &*tokens.all[last].text {
        "}" => opens(last).is_some_and(|before| tokens.is(before, "do")),
        ";" => {
            let mut at = last;
            while let Some(before) = tokens.before(at) {
                match &*tokens.all[before].text {
                    "do" => return true,
                    ")" | "]" => at = tokens.opening(before).unwrap_or(0),
                    "{" | "}" | ";" => return false,
                    _ => at = before,
                }
            }
            false
        }
        _ => false,
    }
}

/// The last token of a block or a simple statement.
fn last_of_statement(tokens: &Tokens, first: usize) -> Option<usize> {
    if tokens.is(first, "{") {
        return tokens.closing(first);
    }
    let mut at = first;
    loop {
        let text = &*tokens.all[at].text;
        match text {
            ";" => return Some(at),
            "(" | "[" | "{" => at = tokens.closing(at)?,
            "}" | ":" => return None,
            _ if COMPOUND.contains(&text) => return None,
            _ => {}
        }
        at = tokens.next(at + 1)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invariants_are_asserted_in_their_loops() {
        let asserted = |text: &str| {
            let mut tokens = Tokens::read(text);
            assert_all(&mut tokens);
            tokens.whole().replace('\n', " ")
        };
        let text = asserted(
            "for (i = 0; i < n; i++) __CPROVER_assigns(i) __CPROVER_loop_invariant(i <= n) __CPROVER_decreases(n - i) { f(); }",
        );
        assert!(
            text.contains("{ # 1 \"\" __CPROVER_assert(i <= n, \"loop invariant\"); # 1 \"\"  f(); }"),
            "{text}"
        );
        let text =
            asserted("while (a) __CPROVER_invariant(a > 1) __CPROVER_invariant(b) a = f((int){1}); g();");
        for part in ["{ # 1", "assert(a > 1,", "assert(b,", "a = f((int){1});} g();"] {
            assert!(text.contains(part), "{text}");
        }
        assert!(
            asserted("while (a) __CPROVER_loop_invariant(a) __CPROVER_assume(a); g();")
                .contains("__CPROVER_assume(a);} g();")
        );
        for left in [
            "while (a) __CPROVER_loop_invariant(i >= __CPROVER_loop_entry(i)) { f(); }",
            "while (a) __CPROVER_loop_invariant(a) if (b) f();",
            "do { f(); } while (a) __CPROVER_loop_invariant(a);",
            "do f(b[1]); while (a) __CPROVER_loop_invariant(a);",
            "int f(int a) __CPROVER_loop_invariant(a) { }",
        ] {
            assert_eq!(asserted(left), left);
        }
    }
}
