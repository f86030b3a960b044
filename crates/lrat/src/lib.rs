//! Checks LRAT proofs that formulas in conjunctive normal form have no model.
//!
//! An LRAT proof is a list of clauses that follow from the formula, the last one empty. Each comes with *hints*, the clauses
//! from which it follows by unit propagation alone: if its literals are false, then each hint in turn has one literal left,
//! which must be true, until a hint has none. So a clause is checked without any search, and what is accepted follows from
//! the formula. Clauses that are no longer needed are deleted.
//!
//! This crate is what a certified proof rests on. It has no dependencies, no unsafe code and no options, and it allocates no
//! more than the formula and the clauses that are alive.
//!
//! # Where to find what
//! - [`Cnf`]: formulas, from and to the DIMACS format.
//! - [`Checker`]: the check, one step at a time, so that no proof has to be stored.
//! - [`text`]: proofs as text, [`binary`]: as the bytes that CaDiCaL writes with `--lrat`.
//!
//! # What is refused
//! Steps without a justification by unit propagation: the resolution asymmetric tautologies (RAT) of LRAT, whose hints have
//! negative numbers, are refused with a sentence. CaDiCaL writes none.

#![warn(unreachable_pub)]

pub mod binary;
mod checker;
mod cnf;
mod number;
mod refused;
pub mod text;

pub use checker::{Checker, Id};
pub use cnf::{Cnf, Literal};
pub use refused::Refused;
