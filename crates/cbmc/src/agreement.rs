//! The application of contracts. A function whose contract is checked is renamed, and one whose contract
//! stands for it loses its body. In both cases a function that [`crate::wrapper`] writes takes the name.

use crate::contract::clauses;
use crate::dialect::{Refusal, Request};
use crate::invariant;
use crate::predicate::Predicates;
use crate::statics::{name_elsewhere, show};
use crate::token::Tokens;
use crate::unit::{Function, functions};
use crate::wrapper::{REAL, Wrapper, prototype};
use std::collections::{BTreeMap, BTreeSet};

/// The text of a file after the requested contracts are applied.
pub(crate) fn apply(source: &str, request: &Request) -> Result<String, Refusal> {
    let mut tokens = Tokens::read(source);
    let others: Vec<Tokens> = request.others.iter().map(|text| Tokens::read(text)).collect();
    let files: Vec<&Tokens> = std::iter::once(&tokens).chain(&others).collect();
    expect_complete(&files, request)?;
    let predicates = Predicates::read(&files, &request.checked, &request.replaced);
    let found = functions(&tokens);
    let mut added = predicates.twins(&tokens, &found)?;
    let written = wrappers(&tokens, &predicates, &found, request)?;
    let wrapped: BTreeSet<String> = written.iter().map(|(name, ..)| name.clone()).collect();
    added.extend(written.into_iter().map(|(_, at, text)| (at, text)));
    for (at, text) in &added {
        let back = tokens.marker(*at);
        tokens.put_behind(*at, &format!("{text}{back}"));
    }
    for function in found.iter().filter(|function| function.body.is_some()) {
        if let Some(name) = named(&tokens, function, &request.checked) {
            rename(&mut tokens, function, &name);
        }
        if let Some(name) = named(&tokens, function, &request.replaced) {
            take_body(&mut tokens, function, wrapped.contains(&name));
        }
    }
    if request.invariants {
        invariant::assert_all(&mut tokens);
    }
    Ok(tokens.whole())
}

/// The name under which a function is in a set, if it is: other files have a longer name for a static
/// function.
fn named(tokens: &Tokens, function: &Function, names: &BTreeSet<String>) -> Option<String> {
    let elsewhere = || function.is_static.then(|| name_elsewhere(tokens, function));
    let all = std::iter::once(function.name.clone()).chain(elsewhere());
    all.into_iter().find(|name| names.contains(name))
}

/// Refuses to use contracts that no file has, and to check functions that no file defines.
fn expect_complete(files: &[&Tokens], request: &Request) -> Result<(), Refusal> {
    let mut said = BTreeSet::new();
    let mut defined = BTreeSet::new();
    for tokens in files {
        for function in functions(tokens) {
            if !clauses(tokens, &function).is_empty() {
                said.insert(function.name.clone());
            }
            defined.extend(function.body.as_ref().and_then(|_| named(tokens, &function, &request.checked)));
        }
    }
    let without = |names: &BTreeSet<String>, have: &BTreeSet<String>| names.difference(have).next().cloned();
    if let Some(name) = without(&request.checked, &said).or_else(|| without(&request.replaced, &said)) {
        return Err(Refusal::of(format!("no file has a contract of `{name}`, which the proof asks for")));
    }
    match without(&request.checked, &defined) {
        Some(name) => Err(Refusal::of(format!("no file defines `{name}`, whose contract is to be checked"))),
        None => Ok(()),
    }
}

/// The functions that take the names, each with the token after which it belongs.
fn wrappers(
    tokens: &Tokens,
    predicates: &Predicates,
    found: &[Function],
    request: &Request,
) -> Result<Vec<(String, usize, String)>, Refusal> {
    let mut written = Vec::new();
    let mut contracts: BTreeMap<&str, String> = BTreeMap::new();
    for function in found {
        let clauses = clauses(tokens, function);
        let (checked, replaced) =
            (request.checked.contains(&function.name), request.replaced.contains(&function.name));
        if clauses.is_empty() || !checked && !replaced {
            continue;
        }
        let end = function.body.as_ref().map_or(function.all.end, |body| body.start);
        let text = tokens.text(function.params.start..end);
        let text = text.trim_end_matches([';', ' ']).to_string();
        if let Some(known) = contracts.get(&*function.name) {
            if *known != text {
                return Err(Refusal::at(
                    tokens,
                    function.at,
                    format!("a second contract of `{}`", function.name),
                ));
            }
            continue;
        }
        let wrapper = Wrapper::new(tokens, predicates, function)?;
        let wrapper = if checked { wrapper.checking()? } else { wrapper.replacing()? };
        contracts.insert(&function.name, text);
        written.push((function.name.clone(), function.all.end - 1, wrapper));
    }
    Ok(written)
}

/// Renames a function, so that calls reach the one that checks its contract.
fn rename(tokens: &mut Tokens, function: &Function, name: &str) {
    let declared = prototype(tokens, function, &function.name);
    let marker = tokens.marker(function.all.start);
    tokens.put_before(function.all.start, &format!("{declared};{marker}"));
    tokens.all[function.at].text = format!("{REAL}{name}").into();
    if name != function.name {
        show(tokens, function);
    }
}

/// Removes the body of a function. If its contract is in another file, the function has to be visible from
/// there.
fn take_body(tokens: &mut Tokens, function: &Function, is_here: bool) {
    let Some(body) = function.body.clone() else { return };
    // Text that was put after the body stays.
    let behind = body.end - 1;
    tokens.remove(body.start..behind);
    tokens.all[behind].text = ";".into();
    if !is_here {
        show(tokens, function);
    }
}
