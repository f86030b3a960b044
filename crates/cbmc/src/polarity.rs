//! Polarity of quantifiers in assertions: where an assertion needs the quantifier to be true, one number
//! stands for all.
//!
//! An assertion of `forall i: p(i)`, or of that and something else, or of that or something else, fails if it
//! fails for some number. So its condition is checked for an arbitrary number, without a loop. That is not
//! possible where a true quantifier may make the assertion false, as after `!`.

use crate::token::{Kind, Tokens};

/// Functions whose first argument is asserted.
const ASSERTIONS: [&str; 4] =
    ["__CPROVER_assert", "__CPROVER_precondition", "__CPROVER_postcondition", "__CPROVER_check"];

/// Whether the tokens between two tokens are a part of an asserted condition with positive polarity: their
/// truth cannot make it false.
pub(crate) fn is_asserted(tokens: &Tokens, first: usize, last: usize) -> bool {
    let (Some(before), Some(behind)) = (tokens.before(first), tokens.next(last + 1)) else { return false };
    let is_one_of = |at: usize, texts: &[&str]| texts.iter().any(|text| tokens.is(at, text));
    if !is_one_of(before, &["(", "&&", "||", "==>"]) || !is_one_of(behind, &[")", "&&", "||", ","]) {
        return false;
    }
    let Some((open, close)) = around(tokens, first) else { return false };
    let Some(end) = plain_level(tokens, open, close, last) else { return false };
    let word = tokens.before(open).filter(|&word| tokens.all[word].kind == Kind::Word);
    match word {
        Some(word) => end && is_one_of(word, &ASSERTIONS),
        // Parentheses around a part of the condition.
        None => !end_is_comma(tokens, open, close) && is_asserted(tokens, open, close),
    }
}

/// The parentheses around a token.
fn around(tokens: &Tokens, at: usize) -> Option<(usize, usize)> {
    let mut next = tokens.before(at);
    while let Some(index) = next {
        let token = &tokens.all[index];
        let mut start = index;
        if token.kind == Kind::Mark {
            match &*token.text {
                "(" => return Some((index, tokens.closing(index)?)),
                "{" | "[" => return None,
                ")" | "}" | "]" => start = tokens.opening(index)?,
                _ => {}
            }
        }
        next = tokens.before(start);
    }
    None
}

/// Whether a token is in the first of the parts between commas, unless an operator binds weaker than `||` there.
fn plain_level(tokens: &Tokens, open: usize, close: usize, last: usize) -> Option<bool> {
    let mut is_first = true;
    let mut next = tokens.next(open + 1);
    while let Some(at) = next.filter(|&at| at < close) {
        let token = &tokens.all[at];
        let mut end = at;
        if token.kind == Kind::Mark {
            match &*token.text {
                "(" | "[" | "{" => end = tokens.closing(at)?,
                "," if at < last => is_first = false,
                "," => return Some(is_first),
                "==>" if at < last => {}
                "?" | ":" | ";" | "==>" | "<==>" => return None,
                text if text.ends_with('=') && !["==", "!=", "<=", ">="].contains(&text) => return None,
                _ => {}
            }
        }
        next = tokens.next(end + 1);
    }
    Some(is_first)
}

/// Whether there is a comma between parentheses.
fn end_is_comma(tokens: &Tokens, open: usize, close: usize) -> bool {
    let mut next = tokens.next(open + 1);
    while let Some(at) = next.filter(|&at| at < close) {
        if tokens.is(at, ",") {
            return true;
        }
        let opens = ["(", "[", "{"].iter().any(|bracket| tokens.is(at, bracket));
        let end = if opens { tokens.closing(at).unwrap_or(close) } else { at };
        next = tokens.next(end + 1);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_stands_for_all_only_where_truth_helps() {
        let asserted = |text: &str| {
            let tokens = Tokens::read(text);
            let at = tokens.all.iter().position(|token| token.is("Q")).unwrap();
            is_asserted(&tokens, at, at)
        };
        for text in [
            "__CPROVER_assert(Q, 0);",
            "__CPROVER_precondition((Q || f(x, y == 2)) && b, \"\");",
            "__CPROVER_assert(a ? b : c, 0); __CPROVER_assert((a && (a == 1 || (Q))), 0);",
            "__CPROVER_assert(a ==> Q, 0);",
        ] {
            assert!(asserted(text), "{text}");
        }
        for text in [
            "__CPROVER_assert(!Q, 0);",
            "__CPROVER_assert(!(a && Q), 0);",
            "__CPROVER_assert(Q ==> a, 0);",
            "__CPROVER_assert(Q || b ==> a, 0);",
            "__CPROVER_assert((Q && b) ==> a, 0);",
            "__CPROVER_assert(a || Q ? b : c, 0);",
            "__CPROVER_assert((Q) == 0, 0);",
            "__CPROVER_assert(f(Q), 0);",
            "__CPROVER_assert((Q, a), 0);",
            "__CPROVER_assert(x = a && Q, 0);",
            "__CPROVER_assert(({ a && Q; }), 0);",
            "__CPROVER_assert(a, Q);",
            "__CPROVER_assume(Q);",
            "f(Q && a);",
            "if (Q || a) g();",
        ] {
            assert!(!asserted(text), "{text}");
        }
    }
}
