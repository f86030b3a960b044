//! Uninterpreted functions: nothing is known of them but that equal arguments give equal results.
//!
//! Each gets a table of its calls with their results. When the table is full, a further call returns an
//! arbitrary value, which over-approximates the function.

use crate::dialect::Refusal;
use crate::parameter::typed;
use crate::token::Tokens;
use crate::unit::Function;
use std::collections::BTreeSet;

/// The prefix of their names.
pub(crate) const PREFIX: &str = "__CPROVER_uninterpreted_";
/// The number of lines of the table.
const CALLS: usize = 16;

/// Defines the uninterpreted functions that the file declares.
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
        let types: Vec<String> = typed(tokens, function)?.into_iter().map(|param| param.ty).collect();
        tokens.put_behind(function.all.end - 1, &body(&function.name, result.trim(), &types));
    }
    Ok(())
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
