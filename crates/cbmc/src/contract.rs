//! Contracts of functions: the clauses after their parameters.

use crate::dialect::Refusal;
use crate::quantifier::{bare, split};
use crate::token::{Kind, Tokens};
use crate::unit::Function;
use std::ops::Range;

/// The kind of a clause of a contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum About {
    /// The precondition.
    Requires,
    /// The postcondition.
    Ensures,
    /// What it may assign.
    Assigns,
    /// What it may free.
    Frees,
}

/// The clauses by their names.
const NAMES: [(&str, About); 4] = [
    ("__CPROVER_requires", About::Requires),
    ("__CPROVER_ensures", About::Ensures),
    ("__CPROVER_assigns", About::Assigns),
    ("__CPROVER_frees", About::Frees),
];

/// A clause.
#[derive(Debug, Clone)]
pub(crate) struct Clause {
    /// Its kind.
    pub about: About,
    /// The token of its name.
    pub at: usize,
    /// The tokens between its parentheses.
    pub inside: Range<usize>,
}

/// A target: memory that a function may assign or free.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    /// The condition of the target, if it has one.
    pub condition: Option<Range<usize>>,
    /// The memory.
    pub what: What,
}

/// Memory, or a pointer to an object that may be freed.
#[derive(Debug, Clone)]
pub(crate) enum What {
    /// The lvalue of an expression.
    Named(Range<usize>),
    /// The whole object that a pointer points into.
    Whole(Range<usize>),
    /// The object from a pointer on.
    From(Range<usize>),
    /// A number of bytes from a pointer on.
    UpTo(Range<usize>, Range<usize>),
}

/// The clauses of a function's declaration or definition.
pub(crate) fn clauses(tokens: &Tokens, function: &Function) -> Vec<Clause> {
    let end = function.body.as_ref().map_or(function.all.end, |body| body.start);
    let clause = |at: usize| {
        let (_, about) = NAMES.iter().find(|(name, _)| tokens.is(at, name))?;
        let open = tokens.next(at + 1).filter(|&open| tokens.is(open, "("))?;
        Some(Clause { about: *about, at, inside: open + 1..tokens.closing(open)? })
    };
    (function.params.end..end).filter_map(clause).collect()
}

/// The targets of a clause of assignments or frees.
pub(crate) fn targets(tokens: &Tokens, clause: &Clause) -> Result<Vec<Target>, Refusal> {
    let mut found = Vec::new();
    for group in split(tokens, clause.inside.clone(), ";") {
        let (condition, list) = match conditional(tokens, group.clone()) {
            Some(colon) => (Some(group.start..colon), colon + 1..group.end),
            None => (None, group),
        };
        for part in split(tokens, list, ",") {
            if let Some(first) = tokens.next(part.start).filter(|&first| first < part.end) {
                let what = what(tokens, first, part)?;
                found.push(Target { condition: condition.clone(), what });
            }
        }
    }
    Ok(found)
}

/// The colon after the condition of some targets, which is not part of a conditional expression.
fn conditional(tokens: &Tokens, group: Range<usize>) -> Option<usize> {
    let (mut choices, mut at) = (0_usize, group.start);
    while at < group.end {
        match &*tokens.all[at].text {
            "(" | "[" | "{" => at = tokens.closing(at)?,
            "?" => choices += 1,
            ":" if choices == 0 => return Some(at),
            ":" => choices -= 1,
            _ => {}
        }
        at += 1;
    }
    None
}

fn what(tokens: &Tokens, first: usize, part: Range<usize>) -> Result<What, Refusal> {
    let open = tokens.next(first + 1).filter(|&open| open < part.end && tokens.is(open, "("));
    let Some(open) = open.filter(|_| tokens.all[first].kind == Kind::Word) else {
        return Ok(What::Named(part));
    };
    let arguments = split(tokens, open + 1..tokens.closing(open).unwrap_or(part.end), ",");
    match (&*tokens.all[first].text, &arguments[..]) {
        ("__CPROVER_object_whole" | "__CPROVER_POINTER_OBJECT", [object]) => Ok(What::Whole(object.clone())),
        ("__CPROVER_object_from", [start]) => Ok(What::From(start.clone())),
        ("__CPROVER_object_upto", [start, size]) => Ok(What::UpTo(start.clone(), size.clone())),
        ("__CPROVER_typed_target", [named]) => Ok(What::Named(named.clone())),
        (name, _) => {
            Err(Refusal::at(tokens, first, format!("`{name}` in a list of what a function assigns or frees")))
        }
    }
}

/// The calls on which a condition depends when they are evaluated: if such a call is false, so is the
/// condition.
pub(crate) fn needed(tokens: &Tokens, range: Range<usize>) -> Vec<usize> {
    let range = bare(tokens, range);
    let last = |operator: &str| {
        let parts = split(tokens, range.clone(), operator);
        (parts.len() > 1).then(|| parts.into_iter().next_back().unwrap_or(0..0))
    };
    if let Some(part) = last(",") {
        return needed(tokens, part);
    }
    if let Some(question) =
        split(tokens, range.clone(), "?").first().map(|part| part.end).filter(|&end| end < range.end)
    {
        let colon = conditional(tokens, question + 1..range.end);
        let ways = colon.map(|colon| {
            [needed(tokens, question + 1..colon), needed(tokens, colon + 1..range.end)].concat()
        });
        return ways.unwrap_or_default();
    }
    if last("<==>").is_some() {
        return Vec::new();
    }
    if let Some(part) = last("==>").or_else(|| last("||")) {
        return needed(tokens, part);
    }
    for operator in ["&&", "|", "^", "&"] {
        let parts = split(tokens, range.clone(), operator);
        let is_binary = parts.iter().all(|part| !tokens.text(part.clone()).is_empty());
        match (parts.len(), operator) {
            (..2, _) => {}
            (_, "&&" | "&") if is_binary => {
                return parts.into_iter().flat_map(|part| needed(tokens, part)).collect();
            }
            _ => return Vec::new(),
        }
    }
    let first =
        tokens.next(range.start).filter(|&first| first < range.end && tokens.all[first].kind == Kind::Word);
    let call = first.filter(|&first| {
        let open = tokens.next(first + 1).filter(|&open| tokens.is(open, "("));
        let close = open.and_then(|open| tokens.closing(open));
        close.is_some() && close == tokens.before(range.end)
    });
    call.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::functions;

    fn needed_in(text: &str) -> Vec<String> {
        let tokens = Tokens::read(text);
        needed(&tokens, 0..tokens.all.len()).into_iter().map(|at| tokens.all[at].text.to_string()).collect()
    }

    #[test]
    fn only_what_a_condition_cannot_do_without_is_needed() {
        assert_eq!(needed_in("(0 < n) & a(p) && (b(q, f(1)) & c(r))"), ["a", "b", "c"]);
        assert_eq!(needed_in("p == 0 || a(p)"), ["a"]);
        assert_eq!(needed_in("p ? a(p) : q ? b(q) : c(q)"), ["a", "b", "c"]);
        assert_eq!(needed_in("p ==> a(p)"), ["a"]);
        assert_eq!(needed_in("((p != 0 ? ((n == 0 && p == 0) || a(p)) : 1))"), ["a"]);
        assert_eq!(needed_in("a(p) || b(p)"), ["b"]);
        for none in [
            "!a(p)",
            "a(p) == b(p)",
            "a(p) | b(p)",
            "a(p) ^ b(p)",
            "a(p) ==> q",
            "a(p) ? q : r",
            "(bool)a(p)",
            "1 - a(p)",
            "a(p) <==> b(p)",
        ] {
            assert!(needed_in(none).is_empty(), "{none}");
        }
    }

    #[test]
    fn lists_name_memory_and_conditions() {
        let source = "void f(int *p, char *q)\n__CPROVER_assigns(*p, s.m; p != 0 && (q ? 1 : 0): __CPROVER_object_upto(q, n + 1), __CPROVER_object_whole(p); a ? b : c: g)\n__CPROVER_frees() { }";
        let tokens = Tokens::read(source);
        let clauses = clauses(&tokens, &functions(&tokens)[0]);
        assert_eq!(
            clauses.iter().map(|clause| clause.about).collect::<Vec<_>>(),
            [About::Assigns, About::Frees]
        );
        let shown: Vec<String> = targets(&tokens, &clauses[0])
            .unwrap()
            .into_iter()
            .map(|target| {
                let what = match target.what {
                    What::Named(named) => tokens.text(named),
                    What::Whole(object) => format!("whole {}", tokens.text(object)),
                    What::From(start) => format!("from {}", tokens.text(start)),
                    What::UpTo(start, size) => format!("{} up to {}", tokens.text(start), tokens.text(size)),
                };
                format!(
                    "{what} if {}",
                    target.condition.map_or("1".into(), |condition| tokens.text(condition))
                )
            })
            .collect();
        let condition = "p != 0 && ( q ? 1 : 0 )";
        assert_eq!(
            shown,
            [
                "* p if 1".to_string(),
                "s . m if 1".into(),
                format!("q up to n + 1 if {condition}"),
                format!("whole p if {condition}"),
                "g if a ? b : c".into()
            ]
        );
        assert!(targets(&tokens, &clauses[1]).unwrap().is_empty());
        let tokens = Tokens::read("void f(void) __CPROVER_assigns(mine(p));");
        let found = super::clauses(&tokens, &functions(&tokens)[0]);
        assert!(targets(&tokens, &found[0]).is_err());
    }
}
