//! Functions of which nothing is known but that they are functions: the same arguments give the same result.
//!
//! Each gets a table of the calls that were made, with the results that these had. Where the table is full, another call
//! returns anything, which is more than the function may do.

use crate::dialect::Refusal;
use crate::token::{Kind, Tokens};
use crate::unit::Function;
use std::collections::BTreeSet;
use std::ops::Range;

/// How their names begin.
pub(crate) const PREFIX: &str = "__CPROVER_uninterpreted_";
/// So many calls have a line in the table.
const CALLS: usize = 16;

/// Defines those that the file declares.
pub(crate) fn define(tokens: &mut Tokens, found: &[Function]) -> Result<(), Refusal> {
    let mut defined = BTreeSet::new();
    for function in found {
        if !function.name.starts_with(PREFIX) || function.body.is_some() {
            continue;
        }
        // goto-cc takes declarations that differ: the first one counts.
        if !defined.insert(&function.name) {
            tokens.remove(function.all.clone());
            continue;
        }
        let result = tokens.text(function.all.start..function.at).replace("extern", "");
        let params = parameters(tokens, function);
        let types = params.iter().map(|param| type_of(tokens, param.clone())).collect::<Option<Vec<_>>>();
        let types = types
            .ok_or_else(|| Refusal::at(tokens, function.at, format!("a parameter of `{}`", function.name)))?;
        tokens.put_behind(function.all.end - 1, &body(&function.name, result.trim(), &types));
    }
    Ok(())
}

/// The parameters, each as its tokens.
fn parameters(tokens: &Tokens, function: &Function) -> Vec<Range<usize>> {
    let (mut parts, mut start, mut depth) = (Vec::new(), function.params.start + 1, 0);
    for at in function.params.start + 1..function.params.end - 1 {
        match &*tokens.all[at].text {
            "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            "," if depth == 0 => {
                parts.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(start..function.params.end - 1);
    parts.retain(|part| !["", "void"].contains(&tokens.text(part.clone()).as_str()));
    parts
}

/// The type of a parameter, which may have a name.
fn type_of(tokens: &Tokens, param: Range<usize>) -> Option<String> {
    const TYPES: [&str; 12] = [
        "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool", "void", "const",
        "volatile",
    ];
    let matter: Vec<usize> = param.clone().filter(|&at| tokens.all[at].matters()).collect();
    if matter.iter().any(|&at| ["(", "[", "..."].contains(&&*tokens.all[at].text)) {
        return None;
    }
    let &last = matter.last()?;
    // A word behind a type is a name.
    const QUALIFIERS: [&str; 6] = ["const", "volatile", "restrict", "struct", "enum", "union"];
    let is_type =
        |at: &usize| tokens.all[*at].kind == Kind::Word && !QUALIFIERS.contains(&&*tokens.all[*at].text);
    let has_type = matter[..matter.len() - 1].iter().any(is_type);
    let is_name =
        has_type && tokens.all[last].kind == Kind::Word && !TYPES.contains(&&*tokens.all[last].text);
    Some(tokens.text(if is_name { param.start..last } else { param }))
}

/// The definition.
fn body(name: &str, result: &str, types: &[String]) -> String {
    let numbered = |text: &dyn Fn(usize, &String) -> String, between: &str| {
        let parts: Vec<String> = types.iter().enumerate().map(|(index, ty)| text(index, ty)).collect();
        parts.join(between)
    };
    let params =
        if types.is_empty() { "void".into() } else { numbered(&|index, ty| format!("{ty} a{index}"), ", ") };
    let fields = numbered(&|index, ty| format!("__typeof__(({ty})0) a{index}; "), "");
    let same = if types.is_empty() {
        "1".into()
    } else {
        numbered(&|index, _| format!("beeline_{name}[i].a{index} == a{index}"), " && ")
    };
    let keeps =
        numbered(&|index, _| format!("beeline_{name}[beeline_count_{name}].a{index} = a{index}; "), "");
    format!(
        " struct beeline_call_{name} {{ {fields}__typeof__({result}) value; }}; \
         __attribute__((weak)) struct beeline_call_{name} beeline_{name}[{CALLS}]; __attribute__((weak)) unsigned beeline_count_{name}; \
         {result} nondet_{name}(void); \
         __attribute__((weak)) {result} {name}({params}) {{ \
         for (unsigned i = 0; i < beeline_count_{name}; i++) if ({same}) return beeline_{name}[i].value; \
         {result} value = nondet_{name}(); \
         if (beeline_count_{name} < {CALLS}) {{ {keeps}beeline_{name}[beeline_count_{name}++].value = value; }} return value; }}"
    )
}
