//! From preprocessed C with CBMC's extensions to C for clang.

pub use crate::statics::{OF_CLANG, PREFIX as STATIC};
use crate::token::{Kind, Tokens};
use crate::unit::functions;
use crate::{quantifier, removal, statics, uninterpreted};
use std::collections::BTreeSet;
use thiserror::Error;

/// What is to be done to a file.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// Functions whose bodies are taken out.
    pub removed: BTreeSet<String>,
    /// Names of functions in one file as CBMC gives them for others, that the proof mentions.
    pub exported: BTreeSet<String>,
    /// Functions that some file of the proof defines.
    pub own: BTreeSet<String>,
}

/// A construct that is not understood.
#[derive(Debug, Error)]
#[error("{place}: {what} is not supported")]
pub struct Refusal {
    place: String,
    what: String,
}

impl Refusal {
    pub(crate) fn at(tokens: &Tokens, index: usize, what: impl Into<String>) -> Refusal {
        Refusal { place: tokens.place(index), what: what.into() }
    }
}

/// The name that CBMC's users give labels which hide a function from traces.
const HIDE: &str = "__CPROVER_HIDE";

/// Turns a preprocessed file into C for clang. Lines stay where they were.
pub fn rewrite(source: &str, request: &Request) -> Result<String, Refusal> {
    let mut tokens = Tokens::read(source);
    expect_known(&tokens)?;
    quantifier::rewrite(&mut tokens)?;
    let found = functions(&tokens);
    removal::bodies(&mut tokens, &found, &request.removed);
    removal::headers(&mut tokens, &found);
    removal::contracts(&mut tokens);
    removal::pragmas(&mut tokens);
    removal::builtins(&mut tokens, &found);
    uninterpreted::define(&mut tokens, &found)?;
    statics::export(&mut tokens, &found, &request.exported);
    statics::call_own(&mut tokens, &request.own);
    Ok(tokens.whole())
}

/// The functions that a file defines, which need not be preprocessed.
pub fn definitions(source: &str) -> BTreeSet<String> {
    let found = functions(&Tokens::read(source));
    found.into_iter().filter(|function| function.body.is_some()).map(|function| function.name).collect()
}

/// The names that a proof's files have for functions which one file keeps to itself.
pub fn mentions_of_statics(source: &str) -> BTreeSet<String> {
    let tokens = Tokens::read(source);
    let words = tokens.all.iter().filter(|token| token.kind == Kind::Word);
    words
        .filter(|token| token.text.starts_with(statics::PREFIX))
        .map(|token| token.text.to_string())
        .collect()
}

/// Refuses words of the dialect that nobody understands.
fn expect_known(tokens: &Tokens) -> Result<(), Refusal> {
    let prelude = Tokens::read(crate::PRELUDE);
    let macros = prelude.all.iter().filter(|token| token.kind == Kind::Line);
    let macros = macros.filter_map(|line| line.text.strip_prefix("#define ")?.split(['(', ' ']).next());
    let words = prelude.all.iter().filter(|token| token.kind == Kind::Word).map(|token| &*token.text);
    let understood: BTreeSet<&str> =
        macros.chain(words).chain(removal::CLAUSES).chain(quantifier::NAMES).chain([HIDE]).collect();
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
