//! What is taken out: bodies that a proof does not want, declarations of the system that differ from the proof's own
//! definitions, contracts, pragmas.

use crate::token::{Kind, Tokens};
use crate::unit::Function;
use std::collections::{BTreeMap, BTreeSet};

/// How builtins of compilers begin: nobody can define them, but CBMC's users do.
const BUILTIN: &str = "__builtin_";

/// Takes the bodies of some functions out: these are then functions that return anything.
pub(crate) fn bodies(tokens: &mut Tokens, found: &[Function], removed: &BTreeSet<String>) {
    for function in found {
        if let Some(body) = function.body.clone().filter(|_| is_named(tokens, function, removed)) {
            tokens.remove(body.clone());
            tokens.all[body.start].text = ";".into();
            // Another file may define it.
            for at in function.all.start..function.at {
                if tokens.is(at, "static") || tokens.is(at, "inline") || tokens.is(at, "__inline") {
                    tokens.remove(at..at + 1);
                }
            }
        }
    }
}

/// Is a function among these, by its name or the one that other files have for it?
fn is_named(tokens: &Tokens, function: &Function, names: &BTreeSet<String>) -> bool {
    let elsewhere = || crate::statics::name_elsewhere(tokens, function);
    names.contains(&function.name) || function.is_static && names.contains(&elsewhere())
}

/// Takes out what headers say of functions that the file defines itself, where the types may differ: always in headers of the
/// system, in others where the results or the numbers of parameters do.
pub(crate) fn headers(tokens: &mut Tokens, found: &[Function]) {
    let is_system = |tokens: &Tokens, function: &Function| tokens.files[tokens.all[function.at].file].system;
    let own: BTreeMap<&str, (String, usize)> = found
        .iter()
        .filter(|function| function.body.is_some() && !is_system(tokens, function))
        .map(|function| (function.name.as_str(), shape(tokens, function)))
        .collect();
    for function in found.iter().filter(|function| function.body.is_none()) {
        let Some(defined) = own.get(function.name.as_str()) else { continue };
        if is_system(tokens, function) || shape(tokens, function) != *defined {
            tokens.remove(function.all.clone());
        }
    }
}

/// The result of a function, and how many parameters it has.
fn shape(tokens: &Tokens, function: &Function) -> (String, usize) {
    const OTHER: [&str; 5] = ["extern", "static", "inline", "__inline", "__inline__"];
    let words = (function.all.start..function.at).filter(|&at| tokens.all[at].matters());
    let words = words.map(|at| &*tokens.all[at].text).filter(|word| !OTHER.contains(word));
    let inside = function.params.start + 1..function.params.end.saturating_sub(1);
    let commas = inside.filter(|&at| tokens.is(at, ",")).count();
    (words.collect::<Vec<_>>().join(" "), commas)
}

/// Clauses of contracts, of functions and of loops.
pub(crate) const CLAUSES: [&str; 7] = [
    "__CPROVER_requires",
    "__CPROVER_ensures",
    "__CPROVER_assigns",
    "__CPROVER_frees",
    "__CPROVER_loop_invariant",
    "__CPROVER_invariant",
    "__CPROVER_decreases",
];

/// Takes contracts out: those of functions are neither checked nor used, those of loops are not needed.
pub(crate) fn contracts(tokens: &mut Tokens) {
    for at in 0..tokens.all.len() {
        let is_clause = CLAUSES.iter().any(|clause| tokens.is(at, clause));
        let open = tokens.next(at + 1).filter(|&open| is_clause && tokens.is(open, "("));
        if let Some(close) = open.and_then(|open| tokens.closing(open)) {
            tokens.remove(at..close + 1);
        }
    }
}

/// Takes out pragmas that only CBMC knows.
pub(crate) fn pragmas(tokens: &mut Tokens) {
    for token in &mut tokens.all {
        let mut words = token.text.split_whitespace();
        if token.kind == Kind::Line && words.next() == Some("#pragma") && words.next() == Some("CPROVER") {
            token.text = "".into();
        }
    }
}

/// Gives builtins that the file defines the names that the C library has for them.
pub(crate) fn builtins(tokens: &mut Tokens, found: &[Function]) {
    for function in found.iter().filter(|function| function.body.is_some()) {
        if let Some(plain) = function.name.strip_prefix(BUILTIN) {
            tokens.all[function.at].text = plain.to_string().into();
        }
    }
}
