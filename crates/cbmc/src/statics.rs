//! Functions that are renamed: static functions, which CBMC exports to other files by a longer name (`s_swap`
//! of `queue.c` is `__CPROVER_file_local_queue_c_s_swap`), and functions that clang replaces by intrinsics
//! unless it does not know their names.

use crate::token::{Kind, Tokens};
use crate::unit::Function;
use std::collections::BTreeSet;

/// The prefix of these names.
pub const PREFIX: &str = "__CPROVER_file_local_";

/// Functions for which clang has intrinsics: it also uses these for copies of structures, which are not
/// calls.
pub const OF_CLANG: [&str; 3] = ["memcpy", "memmove", "memset"];

/// Redirects calls of functions with intrinsics to those that the proof defines.
pub(crate) fn call_own(tokens: &mut Tokens, own: &BTreeSet<String>) {
    for token in &mut tokens.all {
        if token.kind == Kind::Word && own.contains(&*token.text) {
            token.text = format!("beeline_own_{}", token.text).into();
        }
    }
}

/// Exports functions that are static in their definition but not in an earlier declaration: goto-cc accepts
/// that, and proofs call such functions.
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

/// Removes the `static` of a function.
pub(crate) fn show(tokens: &mut Tokens, function: &Function) {
    for at in function.all.start..function.at {
        if ["static", "inline", "__inline", "__inline__"].iter().any(|word| tokens.is(at, word)) {
            tokens.remove(at..at + 1);
        }
    }
}

/// The name of a static function in other files.
pub(crate) fn name_elsewhere(tokens: &Tokens, function: &Function) -> String {
    let path = &tokens.files[tokens.all[function.at].file].name;
    let file = path.rsplit('/').next().unwrap_or_default();
    let plain: String = file.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    format!("{PREFIX}{plain}_{}", function.name)
}

/// Renames static functions of this file that other files mention to their names there.
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
