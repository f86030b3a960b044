//! Proofs that were written for CBMC: their Makefiles, and their dialect of C.
//!
//! `kit` reads the Makefile of a proof folder as the starter kit has it. `dialect` turns preprocessed C with CBMC's
//! extensions into C for clang: `token` and `unit` read it, `quantifier` with `polarity`, `removal`, `statics` and
//! `uninterpreted` change it. What a macro can say is in [`PRELUDE`].

pub mod dialect;
pub mod kit;
pub mod options;
mod polarity;
mod quantifier;
mod removal;
mod statics;
mod token;
mod uninterpreted;
mod unit;

/// The header that clang includes before rewritten files.
pub const PRELUDE: &str = include_str!("prelude.h");
