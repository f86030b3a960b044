//! Comparisons of structures, which C does not have: `old == new` compares two whole variables of one
//! `struct` type.

use crate::token::{Kind, Tokens};
use crate::unit::Function;
use std::collections::BTreeMap;
use std::ops::Range;

/// Tokens before or after a name that is a part of something else.
const PARTS: [&str; 6] = [".", "->", "[", "(", "++", "--"];

/// Translates comparisons of structures to C.
pub(crate) fn compare(tokens: &mut Tokens, found: &[Function]) {
    let bodies: Vec<Range<usize>> =
        found.iter().filter_map(|function| Some(function.params.start..function.body.clone()?.end)).collect();
    for body in bodies {
        let structures = structures(tokens, body.clone());
        for at in body.filter(|&at| tokens.is(at, "==") || tokens.is(at, "!=")).collect::<Vec<_>>() {
            let Some((left, right)) = operands(tokens, at, &structures) else { continue };
            let [one, other] = [left, right].map(|name| tokens.all[name].text.to_string());
            let operator = tokens.all[at].text.to_string();
            tokens.remove(left..right + 1);
            tokens.put_behind(
                right,
                &format!("(__builtin_memcmp(&{one}, &{other}, sizeof({one})) {operator} 0)"),
            );
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::functions;

    #[test]
    fn structures_are_compared_as_wholes() {
        let compared = |body: &str| {
            let text = format!("void f(struct s a, struct s *p) {{ struct s b = a; struct t c; {body} }}");
            let mut tokens = Tokens::read(&text);
            let found = functions(&tokens);
            compare(&mut tokens, &found);
            let whole = tokens.whole();
            whole.split_once("c; ").unwrap().1.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(compared("x = a == b;"), "x = (__builtin_memcmp(&a, &b, sizeof(a)) == 0); }");
        assert_eq!(compared("if (b != a)"), "if ( (__builtin_memcmp(&b, &a, sizeof(b)) != 0)) }");
        for same in [
            "x = a.n == b.n;",
            "x = a == c;",
            "x = p == p;",
            "x = q.a == b;",
            "x = p->a == b;",
            "x = &a == &b;",
        ] {
            assert_eq!(compared(same), format!("{same} }}"));
        }
    }
}
