//! Proofs for CBMC: their Makefiles, and their dialect of C.
//!
//! `kit` reads the Makefile of a proof folder of the starter kit. `dialect` translates preprocessed C with
//! CBMC's extensions to C for clang: `token` and `unit` read it, `quantifier` with `polarity`, `removal`,
//! `statics`, `uninterpreted`, `equality`, `cast` and `pragma` change it. Before that, `agreement` applies
//! contracts: `contract` reads them, `wrapper` writes functions that check contracts or stand for functions
//! by their contracts, with `old` for values before the function, `invariant` asserts invariants of loops,
//! and `predicate` handles predicates about memory. [`source`] finds the functions of files that are not preprocessed. [`PRELUDE`] has what macros can express.

mod agreement;
mod cast;
mod contract;
pub mod dialect;
mod equality;
mod invariant;
pub mod kit;
mod old;
pub mod options;
mod parameter;
mod polarity;
mod pragma;
mod predicate;
mod quantifier;
mod removal;
pub mod source;
mod statics;
mod token;
mod uninterpreted;
mod unit;
mod wrapper;

/// The header that clang includes before rewritten files.
pub const PRELUDE: &str = include_str!("prelude.h");
