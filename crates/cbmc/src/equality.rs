//! Comparisons of structures, which C does not have: `old == new`, `*p == a->member`.
//!
//! Two variables that are declared as structures are compared at once. What the type of any other place is,
//! like that of a member, only the compiler knows: such comparisons become a macro of the prelude.

use crate::token::{Kind, Tokens};
use crate::unit::Function;
use std::collections::BTreeMap;
use std::ops::Range;

/// Tokens before or after a name that is a part of something else.
const PARTS: [&str; 6] = [".", "->", "[", "(", "++", "--"];
/// Tokens before a whole operand.
const BEFORE: [&str; 11] = ["(", ",", ";", "{", "}", "?", ":", "=", "&&", "||", "return"];
/// Tokens after a whole operand.
const AFTER: [&str; 8] = [")", ",", ";", "}", "?", ":", "&&", "||"];

/// Translates comparisons of structures to C.
pub(crate) fn compare(tokens: &mut Tokens, found: &[Function]) {
    let is_of_system = |function: &Function| tokens.files[tokens.all[function.at].file].system;
    let own = found.iter().filter(|function| !is_of_system(function));
    let bodies: Vec<Range<usize>> =
        own.filter_map(|function| Some(function.params.start..function.body.clone()?.end)).collect();
    for body in bodies {
        let structures = structures(tokens, body.clone());
        for at in body.filter(|&at| tokens.is(at, "==") || tokens.is(at, "!=")).collect::<Vec<_>>() {
            let operator = tokens.all[at].text.to_string();
            if let Some((left, right)) = operands(tokens, at, &structures) {
                let [one, other] = [left, right].map(|name| tokens.all[name].text.to_string());
                let text = format!("(__builtin_memcmp(&{one}, &{other}, sizeof({one})) {operator} 0)");
                tokens.remove(left..right + 1);
                tokens.put_behind(right, &text);
            } else if let Some((left, right)) = places(tokens, at) {
                let [one, other] = [left.clone(), right.clone()].map(|place| tokens.text(place));
                let not = if operator == "!=" { "!" } else { "" };
                tokens.remove(left.start..right.end);
                tokens.put_behind(right.end - 1, &format!("{not}BEELINE_SAME({one}, {other})"));
            }
        }
    }
}

/// Variables of structure types that are declared among some tokens, each with its type's name.
fn structures(tokens: &Tokens, range: Range<usize>) -> BTreeMap<String, String> {
    let declared = |at: usize| {
        let ty = tokens.next(at + 1)?;
        let name = tokens.next(ty + 1)?;
        let is_word = |at: usize| tokens.all[at].kind == Kind::Word && !tokens.is(at, "const");
        let ends = [";", "=", ",", ")"]
            .iter()
            .any(|end| tokens.next(name + 1).is_some_and(|next| tokens.is(next, end)));
        (is_word(ty) && is_word(name) && ends)
            .then(|| (tokens.all[name].text.to_string(), tokens.all[ty].text.to_string()))
    };
    range.filter(|&at| tokens.is(at, "struct")).filter_map(declared).collect()
}

/// The names on both sides of an operator, if they are variables of one structure type.
fn operands(tokens: &Tokens, at: usize, structures: &BTreeMap<String, String>) -> Option<(usize, usize)> {
    let (left, right) = (tokens.before(at)?, tokens.next(at + 1)?);
    let is_part = |at: usize, all: &[&str]| all.iter().any(|part| tokens.is(at, part));
    let ty =
        |name: usize| structures.get(&*tokens.all[name].text).filter(|_| tokens.all[name].kind == Kind::Word);
    let is_whole =
        !is_part(tokens.before(left)?, &[".", "->", "*", "&"]) && !is_part(tokens.next(right + 1)?, &PARTS);
    (is_whole && ty(left)? == ty(right)?).then_some((left, right))
}

/// The places on both sides of an operator: members, elements, what pointers lead to, and variables that are
/// compared with such.
fn places(tokens: &Tokens, at: usize) -> Option<(Range<usize>, Range<usize>)> {
    let is_one_of = |at: usize, all: &[&str]| all.iter().any(|token| tokens.is(at, token));
    let is_first = |at: usize| tokens.before(at).is_some_and(|before| is_one_of(before, &BEFORE));
    let start = (0..at)
        .rev()
        .take_while(|&at| !is_one_of(at, &["{", "}", ";"]))
        .filter(|&start| tokens.all[start].matters())
        .find(|&start| place(tokens, start) == Some(at) && is_first(start))?;
    let right = tokens.next(at + 1)?;
    let end = place(tokens, right)?;
    let is_whole = is_one_of(end, &AFTER);
    let is_name = |from: usize, to: usize| tokens.next(from + 1) == Some(to);
    let is_plain = is_name(start, at) && is_name(right, end);
    let last = |end: usize| tokens.before(end).map(|last| last + 1);
    (is_whole && !is_plain).then_some((start..last(at)?, right..last(end)?))
}

/// The token behind the place that begins at a token.
fn place(tokens: &Tokens, at: usize) -> Option<usize> {
    let behind = |at: usize| tokens.next(at + 1);
    if tokens.is(at, "*") {
        return place(tokens, behind(at)?);
    }
    let mut end = if tokens.is(at, "(") {
        let close = tokens.closing(at)?;
        Some(place(tokens, behind(at)?)?).filter(|&end| end == close)?;
        behind(close)?
    } else {
        Some(at).filter(|&at| tokens.all[at].kind == Kind::Word && !tokens.is(at, "sizeof"))?;
        behind(at)?
    };
    loop {
        end = if tokens.is(end, ".") || tokens.is(end, "->") {
            behind(behind(end)?)?
        } else if tokens.is(end, "[") {
            behind(tokens.closing(end)?)?
        } else {
            return Some(end);
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::functions;

    fn compared(body: &str) -> String {
        let text = format!("void f(struct s a, struct s *p) {{ struct s b = a; struct t c; {body} }}");
        let mut tokens = Tokens::read(&text);
        let found = functions(&tokens);
        compare(&mut tokens, &found);
        let whole = tokens.whole();
        whole.split_once("c; ").unwrap().1.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn structures_are_compared_as_wholes() {
        assert_eq!(compared("x = a == b;"), "x = (__builtin_memcmp(&a, &b, sizeof(a)) == 0); }");
        assert_eq!(compared("if (b != a)"), "if ( (__builtin_memcmp(&b, &a, sizeof(b)) != 0)) }");
        for same in ["x = a == c;", "x = p == p;", "x = &a == &b;"] {
            assert_eq!(compared(same), format!("{same} }}"));
        }
    }

    #[test]
    fn places_are_compared_by_what_the_compiler_knows_of_them() {
        assert_eq!(compared("x = *p == a;"), "x = BEELINE_SAME(* p, a); }");
        assert_eq!(
            compared("g(q->r.s != t[i + 1] && y);"),
            "g( !BEELINE_SAME(q -> r . s, t [ i + 1 ]) && y); }"
        );
        assert_eq!(compared("x = (*(q)) == (p)->s;"), "x = BEELINE_SAME(( * ( q ) ), ( p ) -> s); }");
        for same in [
            "x = 1 + q->r == s->t;",
            "x = q->r == s->t + 1;",
            "x = (int) q->r == s->t;",
            "x = !q->r == s->t;",
            "x = g(a) == s->t;",
            "x = s->t == g(a);",
            "x = sizeof *p == s->t;",
            "x = s->t == 0;",
        ] {
            assert_eq!(compared(same), format!("{same} }}"));
        }
    }
}
