//! Functions that go by another name here: those that a file keeps to itself, and that CBMC lets other files have by a longer
//! name (`s_swap` of `queue.c` is `__CPROVER_file_local_queue_c_s_swap`), and those that clang writes itself unless they have a
//! name that it does not know.

use crate::token::{Kind, Tokens};
use crate::unit::Function;
use std::collections::BTreeSet;

/// How these names begin.
pub const PREFIX: &str = "__CPROVER_file_local_";

/// Functions for which clang has intrinsics: copies of structures are those as well, and no calls.
pub const OF_CLANG: [&str; 3] = ["memcpy", "memmove", "memset"];

/// Has calls of functions that clang writes itself be calls of those that the proof defines.
pub(crate) fn call_own(tokens: &mut Tokens, own: &BTreeSet<String>) {
    for token in &mut tokens.all {
        if token.kind == Kind::Word && own.contains(&*token.text) {
            token.text = format!("beeline_own_{}", token.text).into();
        }
    }
}

/// Lets files see functions that are static where they are defined, but not where they were declared before: goto-cc takes that, and
/// proofs call such functions.
pub(crate) fn agree(tokens: &mut Tokens, found: &[Function]) {
    let is_seen = |function: &Function| {
        found.iter().any(|other| {
            let is_before = other.at < function.at && !tokens.files[tokens.all[other.at].file].system;
            is_before && other.name == function.name && !other.is_static && other.body.is_none()
        })
    };
    let hidden: Vec<&Function> =
        found.iter().filter(|function| function.is_static && is_seen(function)).collect();
    for function in hidden {
        show(tokens, function);
    }
}

/// Takes away what keeps a function to its file.
pub(crate) fn show(tokens: &mut Tokens, function: &Function) {
    for at in function.all.start..function.at {
        if ["static", "inline", "__inline", "__inline__"].iter().any(|word| tokens.is(at, word)) {
            tokens.remove(at..at + 1);
        }
    }
}

/// The name that other files have for a function.
pub(crate) fn name_elsewhere(tokens: &Tokens, function: &Function) -> String {
    let path = &tokens.files[tokens.all[function.at].file].name;
    let file = path.rsplit('/').next().unwrap_or_default();
    let plain: String = file.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    format!("{PREFIX}{plain}_{}", function.name)
}

/// Has functions of this file that others mention go by the name that these have for them.
pub(crate) fn export(tokens: &mut Tokens, found: &[Function], wanted: &BTreeSet<String>) {
    for function in found.iter().filter(|function| function.is_static) {
        let elsewhere = name_elsewhere(tokens, function);
        if !wanted.contains(&elsewhere) {
            continue;
        }
        for at in 0..tokens.all.len() {
            if tokens.all[at].kind == Kind::Word && tokens.all[at].text == function.name {
                tokens.all[at].text = elsewhere.clone().into();
            }
        }
        for other in found.iter().filter(|other| other.name == function.name) {
            show(tokens, other);
        }
    }
}
