//! Proofs that were written for CBMC: their Makefiles, and their dialect of C.
//!
//! `kit` reads the Makefile of a proof folder as the starter kit has it. `dialect` turns preprocessed C with CBMC's
//! extensions into C for clang: `token` and `unit` read it, `quantifier` with `polarity`, `removal`, `statics`,
//! `uninterpreted`, `equality`, `cast` and `pragma` change it. Before that `agreement` puts contracts to use: `contract` reads them, `wrapper` writes functions that
//! check them or stand for others by them, `invariant` asserts what loops keep, and `predicate` knows what they say of memory. What a macro can say is in [`PRELUDE`].

mod agreement;
mod cast;
mod contract;
pub mod dialect;
mod equality;
mod invariant;
pub mod kit;
pub mod options;
mod parameter;
mod polarity;
mod pragma;
mod predicate;
mod quantifier;
mod removal;
mod statics;
mod token;
mod uninterpreted;
mod unit;
mod wrapper;

/// The header that clang includes before rewritten files.
pub const PRELUDE: &str = include_str!("prelude.h");
