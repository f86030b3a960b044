//! Old values: the values that expressions in contracts have before the function.

use crate::token::{Kind, Tokens};
use std::ops::Range;

/// The name of the predicate.
const OLD: &str = "__CPROVER_old";

/// An old value in a condition.
pub(crate) struct Old {
    /// The token where it begins.
    pub at: usize,
    /// The token behind it.
    pub end: usize,
    /// The variable that has it.
    pub variable: String,
    /// The statements that store it.
    pub stored: String,
}

/// The old values in a condition.
pub(crate) fn values(tokens: &Tokens, range: Range<usize>) -> Vec<Old> {
    range.filter(|&at| tokens.is(at, OLD)).filter_map(|at| value(tokens, at)).collect()
}

fn value(tokens: &Tokens, at: usize) -> Option<Old> {
    let open = tokens.next(at + 1)?;
    let close = tokens.closing(open)?;
    let old = tokens.text(open + 1..close);
    let pointers = dereferenced(tokens, open + 1..close).unwrap_or_default();
    let (variable, stored) = if old.starts_with("* (") && old.contains(" ( * ) [") {
        // An array that a pointer points to is copied, as arrays cannot be assigned.
        let variable = format!("beeline_old_{at}");
        let copy =
            format!("__builtin_memcpy((void *){variable}, (const void *)({old}), sizeof({variable}));");
        (variable.clone(), format!("__typeof__({old}) {variable}; {copy}"))
    } else if pointers.is_empty() {
        let variable = format!("beeline_old_{at}");
        (variable.clone(), format!("__typeof__({old}) {variable} = {old};"))
    } else {
        // What cannot be read has any value. The comma drops qualifiers of the type.
        let variable = format!("beeline_any_{at}");
        let valid = pointers.iter().map(|pointer| {
            format!("({pointer}) != 0 && (__CPROVER_r_ok)(({pointer}), sizeof(*({pointer})))")
        });
        let valid = valid.collect::<Vec<_>>().join(" && ");
        let declared = format!("__typeof__(((void)0, ({old}))) {variable};");
        (variable.clone(), format!("{declared} if ({valid}) {variable} = {old};"))
    };
    Some(Old { at, end: close + 1, variable, stored })
}

/// The pointers whose objects an expression reads, inner ones first; `None` unless it is a name with members, elements and
/// what pointers lead to.
fn dereferenced(tokens: &Tokens, range: Range<usize>) -> Option<Vec<String>> {
    let matter: Vec<usize> = range.filter(|&at| tokens.all[at].matters()).collect();
    let (&first, &last) = (matter.first()?, matter.last()?);
    if tokens.is(first, "*") {
        let mut pointers = dereferenced(tokens, first + 1..last + 1)?;
        pointers.push(tokens.text(first + 1..last + 1));
        return Some(pointers);
    }
    let (mut pointers, mut at) = match tokens.is(first, "(") {
        true => {
            let close = tokens.closing(first)?;
            (dereferenced(tokens, first + 1..close)?, close + 1)
        }
        false => (Vec::new(), Some(first + 1).filter(|_| tokens.all[first].kind == Kind::Word)?),
    };
    while let Some(mark) = tokens.next(at).filter(|&mark| mark <= last) {
        at = match &*tokens.all[mark].text {
            "[" => {
                let close = tokens.closing(mark)?;
                pointers.push(format!("&{}", tokens.text(first..close + 1)));
                close + 1
            }
            text @ ("." | "->") => {
                pointers.extend((text == "->").then(|| tokens.text(first..mark)));
                tokens.next(mark + 1)? + 1
            }
            _ => return None,
        };
    }
    Some(pointers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_that_are_followed() {
        let found = |text: &str| {
            let tokens = Tokens::read(text);
            dereferenced(&tokens, 0..tokens.all.len())
        };
        assert_eq!(found("x.y"), Some(vec![]));
        assert_eq!(found("* p").unwrap(), ["p"]);
        assert_eq!(found("**p").unwrap(), ["p", "* p"]);
        assert_eq!(found("(*p)->a.b[i + 1]").unwrap(), ["p", "( * p )", "&( * p ) -> a . b [ i + 1 ]"]);
        assert_eq!(found("*p + 1"), None);
        assert_eq!(found("f(x)"), None);
    }
}
