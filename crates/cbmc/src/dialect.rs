//! The translation of preprocessed C with CBMC's extensions to C for clang.

pub use crate::statics::{OF_CLANG, PREFIX as STATIC};
use crate::token::{Kind, Tokens};
use crate::unit::functions;
use crate::{agreement, cast, equality, pragma, quantifier, removal, statics, uninterpreted};
use std::collections::BTreeSet;
use thiserror::Error;

/// The request for the translation of a file.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// Functions whose bodies are removed.
    pub removed: BTreeSet<String>,
    /// CBMC's names for static functions of one file in others, as far as the proof mentions them.
    pub exported: BTreeSet<String>,
    /// Functions that a file of the proof defines.
    pub own: BTreeSet<String>,
    /// Functions whose contracts are checked.
    pub checked: BTreeSet<String>,
    /// Functions whose contracts stand for them.
    pub replaced: BTreeSet<String>,
    /// Whether invariants of loops are checked.
    pub invariants: bool,
    /// Whether conversions are checked, including casts.
    pub conversions: bool,
    /// The other files of the proof, preprocessed, where contracts are used.
    pub others: Vec<String>,
}

/// A construct that is not supported.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct Refusal(String);

impl Refusal {
    /// A refusal with the place of a token.
    pub(crate) fn at(tokens: &Tokens, index: usize, what: impl std::fmt::Display) -> Refusal {
        Refusal(format!("{}: {what} is not supported", tokens.place(index)))
    }

    /// A refusal without a place, as a sentence.
    pub(crate) fn of(sentence: String) -> Refusal {
        Refusal(sentence)
    }
}

/// The conventional name of labels that hide a function from traces.
const HIDE: &str = "__CPROVER_HIDE";
/// The name of a function's result in contracts, which parameters of their predicates may also have.
pub(crate) const RESULT: &str = "__CPROVER_return_value";

/// The header of wrappers, with their operations on memory.
const CONTRACTS: &str = include_str!("contracts.h");

/// Translates a preprocessed file to C for clang. Lines keep their numbers.
pub fn rewrite(source: &str, request: &Request) -> Result<String, Refusal> {
    let has_contracts = !request.checked.is_empty() || !request.replaced.is_empty();
    if !has_contracts && !request.invariants {
        return plain(source, request, &[crate::PRELUDE]);
    }
    let agreed = agreement::apply(source, request)?;
    let text = plain(&agreed, request, &[crate::PRELUDE, CONTRACTS])?;
    Ok(format!("# 1 \"contracts.h\" 3\n{CONTRACTS}{text}"))
}

/// Translates a file to C for clang without its contracts, and refuses words of the dialect that neither C, some
/// headers nor this crate define.
fn plain(source: &str, request: &Request, headers: &[&str]) -> Result<String, Refusal> {
    let mut tokens = Tokens::read(source);
    removal::contracts(&mut tokens);
    expect_known(&tokens, headers)?;
    quantifier::rewrite(&mut tokens)?;
    let found = functions(&tokens);
    equality::compare(&mut tokens, &found);
    if request.conversions {
        cast::look_at(&mut tokens, &found);
    }
    removal::bodies(&mut tokens, &found, &request.removed);
    removal::headers(&mut tokens, &found);
    removal::constant_members(&mut tokens);
    pragma::obey(&mut tokens);
    removal::builtins(&mut tokens, &found);
    uninterpreted::define(&mut tokens, &found)?;
    statics::agree(&mut tokens, &found);
    statics::export(&mut tokens, &found, &request.exported);
    statics::call_own(&mut tokens, &request.own);
    Ok(tokens.whole())
}

/// The functions that a file defines, which need not be preprocessed.
pub fn definitions(source: &str) -> BTreeSet<String> {
    let found = functions(&Tokens::read(source));
    found.into_iter().filter(|function| function.body.is_some()).map(|function| function.name).collect()
}

/// The last line of a function that a file defines, which need not be preprocessed.
pub fn last_line(source: &str, name: &str) -> Option<usize> {
    let tokens = Tokens::read(source);
    let body = functions(&tokens)
        .into_iter()
        .filter(|function| function.name == name)
        .find_map(|function| function.body)?;
    Some(tokens.all[body.end - 1].line)
}

/// The names in a proof's files for static functions of other files.
pub fn mentions_of_statics(source: &str) -> BTreeSet<String> {
    let tokens = Tokens::read(source);
    let words = tokens.all.iter().filter(|token| token.kind == Kind::Word);
    words
        .filter(|token| token.text.starts_with(statics::PREFIX))
        .map(|token| token.text.to_string())
        .collect()
}

/// Refuses words of the dialect that are not supported.
fn expect_known(tokens: &Tokens, headers: &[&str]) -> Result<(), Refusal> {
    let headers: Vec<Tokens> = headers.iter().map(|header| Tokens::read(header)).collect();
    let all = || headers.iter().flat_map(|header| &header.all);
    let macros = all().filter(|token| token.kind == Kind::Line);
    let macros = macros.filter_map(|line| line.text.strip_prefix("#define ")?.split(['(', ' ']).next());
    let words = all().filter(|token| token.kind == Kind::Word).map(|token| &*token.text);
    let understood: BTreeSet<&str> =
        macros.chain(words).chain(quantifier::NAMES).chain([HIDE, RESULT]).collect();
    let is_known = |word: &str| {
        let prefixes = [statics::PREFIX, uninterpreted::PREFIX];
        understood.contains(word) || prefixes.iter().any(|prefix| word.starts_with(prefix))
    };
    let ours = |token: &crate::token::Token| token.kind == Kind::Word && token.text.starts_with("__CPROVER_");
    match (0..tokens.all.len()).find(|&at| ours(&tokens.all[at]) && !is_known(&tokens.all[at].text)) {
        Some(at) => Err(Refusal::at(tokens, at, format!("`{}`", tokens.all[at].text))),
        None => Ok(()),
    }
}
