//! Parameters and arguments of functions.

use crate::dialect::Refusal;
use crate::quantifier::split;
use crate::token::{Kind, Tokens};
use crate::unit::Function;
use std::ops::Range;

/// Words that are types: after another one, such a word is not a name.
const TYPES: [&str; 14] = [
    "char",
    "short",
    "int",
    "long",
    "float",
    "double",
    "signed",
    "unsigned",
    "_Bool",
    "void",
    "const",
    "volatile",
    "restrict",
    "__restrict",
];
/// Words that need another one after them to be a type.
const QUALIFIERS: [&str; 8] =
    ["const", "volatile", "restrict", "__restrict", "register", "struct", "enum", "union"];

/// A parameter whose type is written before its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parameter {
    /// Its type.
    pub ty: String,
    /// Its name, if it has one.
    pub name: Option<String>,
}

/// The parts between commas in the parentheses that open at a token.
pub(crate) fn arguments(tokens: &Tokens, open: usize) -> Vec<Range<usize>> {
    let Some(close) = tokens.closing(open) else { return Vec::new() };
    let mut parts = split(tokens, open + 1..close, ",");
    parts.retain(|part| !tokens.text(part.clone()).is_empty());
    parts
}

/// The parameters, each as its tokens.
pub(crate) fn parameters(tokens: &Tokens, function: &Function) -> Vec<Range<usize>> {
    let mut parts = arguments(tokens, function.params.start);
    parts.retain(|part| tokens.text(part.clone()) != "void");
    parts
}

/// The type and the name of all parameters.
pub(crate) fn typed(tokens: &Tokens, function: &Function) -> Result<Vec<Parameter>, Refusal> {
    let typed = |part: Range<usize>| {
        parameter(tokens, part)
            .ok_or_else(|| Refusal::at(tokens, function.at, format!("a parameter of `{}`", function.name)))
    };
    parameters(tokens, function).into_iter().map(typed).collect()
}

/// The type and the name of a parameter.
fn parameter(tokens: &Tokens, part: Range<usize>) -> Option<Parameter> {
    let mut matter: Vec<usize> = part.clone().filter(|&at| tokens.all[at].matters()).collect();
    // Attributes of a parameter come after it.
    if let Some(end) = matter.iter().position(|&at| tokens.is(at, "__attribute__")) {
        matter.truncate(end);
    }
    // An array is a pointer, one of arrays a pointer to such an array.
    let array = matter.iter().position(|&at| tokens.is(at, "["));
    let mut inner = String::new();
    if let Some(open) = array {
        let (first, last) = (tokens.closing(matter[open])?, *matter.last()?);
        if first < last {
            inner = tokens.text(first + 1..last + 1);
        }
        matter.truncate(if inner.is_empty() || inner.starts_with('[') { open } else { return None });
    }
    if matter.iter().any(|&at| ["(", "[", "..."].contains(&&*tokens.all[at].text)) {
        return None;
    }
    let &last = matter.last()?;
    // A word after a type is a name.
    let is_type =
        |at: &usize| tokens.all[*at].kind == Kind::Word && !QUALIFIERS.contains(&&*tokens.all[*at].text);
    let of_tag = matter
        .iter()
        .rev()
        .nth(1)
        .is_some_and(|&at| ["struct", "enum", "union"].contains(&&*tokens.all[at].text));
    let has_type = matter[..matter.len() - 1].iter().any(is_type);
    let is_name = has_type
        && !of_tag
        && tokens.all[last].kind == Kind::Word
        && !TYPES.contains(&&*tokens.all[last].text);
    let end = if is_name { last } else { last + 1 };
    let ty = tokens.text(part.start..end);
    let ty = match (array, inner.is_empty()) {
        (None, _) => ty,
        (Some(_), true) => ty + " *",
        (Some(_), false) => format!("__typeof__({ty} (*){inner})"),
    };
    Some(Parameter { ty, name: is_name.then(|| tokens.all[last].text.to_string()) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::functions;

    #[test]
    fn types_and_names_are_told_apart() {
        let source = "void f(const struct s *p, unsigned, size_t n __attribute__((unused)), char name[4], struct t, \
                      struct t u, unsigned long v, T *const w, T, int m[2][3 + 1]);";
        let tokens = Tokens::read(source);
        let found = typed(&tokens, &functions(&tokens)[0]).unwrap();
        let found: Vec<(&str, Option<&str>)> =
            found.iter().map(|parameter| (parameter.ty.as_str(), parameter.name.as_deref())).collect();
        let expected = [
            ("const struct s *", Some("p")),
            ("unsigned", None),
            ("size_t", Some("n")),
            ("char *", Some("name")),
            ("struct t", None),
            ("struct t", Some("u")),
            ("unsigned long", Some("v")),
            ("T * const", Some("w")),
            ("T", None),
            ("__typeof__(int (*)[ 3 + 1 ])", Some("m")),
        ];
        assert_eq!(found, expected);
        let tokens = Tokens::read("void f(void); void g(void (*h)(int)); void v(int n, ...);");
        let found = functions(&tokens);
        assert!(typed(&tokens, &found[0]).unwrap().is_empty());
        assert!(typed(&tokens, &found[1]).is_err() && typed(&tokens, &found[2]).is_err());
    }
}
