//! Invariants of loops: each is asserted at the start of an iteration of its loop. So it is checked, not
//! assumed, and a search for a proof gets a hint.

use crate::token::Tokens;
use std::ops::Range;

/// Clauses that give an invariant.
const INVARIANTS: [&str; 2] = ["__CPROVER_loop_invariant", "__CPROVER_invariant"];
/// The value of an expression before the loop, which is not supported.
const ENTRY: &str = "__CPROVER_loop_entry";

/// Asserts invariants of `for` and `while` loops whose bodies are blocks. Others are left out.
pub(crate) fn assert_all(tokens: &mut Tokens) {
    let found: Vec<(usize, Range<usize>, usize)> =
        (0..tokens.all.len()).filter_map(|at| invariant(tokens, at)).collect();
    for (at, inside, body) in found {
        let condition = tokens.text(inside);
        let (there, back) = (tokens.marker(at), tokens.marker(body));
        tokens.put_behind(body, &format!("{there}__CPROVER_assert({condition}, \"loop invariant\");{back}"));
    }
}

/// The invariant that begins with a token: its tokens, and the brace that opens the body of its loop.
fn invariant(tokens: &Tokens, at: usize) -> Option<(usize, Range<usize>, usize)> {
    let is_clause = |at: usize| tokens.all[at].text.starts_with("__CPROVER_");
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
    (is_loop && tokens.is(body, "{")).then_some((at, inside, body))
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
        for left in [
            "while (a) __CPROVER_loop_invariant(i >= __CPROVER_loop_entry(i)) { f(); }",
            "while (a) __CPROVER_loop_invariant(a) f();",
            "do { f(); } while (a) __CPROVER_loop_invariant(a);",
            "int f(int a) __CPROVER_loop_invariant(a) { }",
        ] {
            assert_eq!(asserted(left), left);
        }
    }
}
