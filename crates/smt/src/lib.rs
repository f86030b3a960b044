//! SMT terms of IR expressions, and Z3 with a limit on every query.
//!
//! Beeline uses the solver through this crate only. Types of Z3 leave it only inside the opaque [`Term`], [`Formula`] and
//! [`Memory`].
//!
//! # Where to find what
//! - `term`: terms, constants of every type, values as terms.
//! - `encode`: [`Encoder`], the term of an expression. An expression of the IR can be *stuck* (a division by zero, a load
//!   outside of every object); the encoder also returns the condition under which it is not.
//! - `float`: the operations of IEEE floats that Z3 lacks or leaves unspecified.
//! - [`memory`]: regions as arrays, values of several cells, initial contents, extents.
//! - [`flat`]: scalarised memory, regions as single cells; [`ranges`]: range operations on bytes.
//! - [`limits`]: limits of queries, in ticks.
//! - [`solver`]: [`Query`]: satisfiability under limits; `model`: [`Answer`], models as IR values; `known`: queries
//!   that follow each other.
//! - [`core`](mod@core): unsatisfiable cores of very many formulas.
//! - [`parts`]: formulas as plain data, for who decides them without Z3.
//! - `questions`: [`Questions`] along a path, answered incrementally.
//! - `divisions`: divisions by constants as products and remainders.
//! - `samples`: the model cache, valuations that are tried before the solver is asked.
//! - `sat`: circuits of terms, and the SAT solvers CaDiCaL and Kissat.
//! - `substitute`: substitution of constants by terms.
//! - [`decode`]: from formulas of Z3 back to IR expressions.
//! - [`exit`]: what happens when Z3 ends the process; [`apart`](mod@apart): isolated processes for Spacer.
//! - [`interpolate`]: interpolants and invariants through Spacer; `linear`, `sums`: unbounded integers for them.
//!
//! # What is exact
//! Machine integers are bit-vectors; floats are IEEE floats with one NaN (x87 as 15 exponent and 64
//! significand bits); every term has the value that `beeline-interp` computes, which the tests check
//! on random expressions and values. What has no encoding is an [`Unsupported`] error, never an approximation.
//!
//! Z3 objects live in a context of their thread: terms do not travel between threads, nor into or out of
//! [`in_own_context`].

#![warn(unreachable_pub)]

pub mod apart;
mod ast;
mod context;
pub mod core;
pub mod decode;
mod divisions;
mod encode;
pub mod exit;
pub mod flat;
mod float;
mod instances;
pub mod interpolate;
mod known;
mod leaves;
pub mod limits;
mod linear;
pub mod memory;
mod model;
pub mod parts;
mod questions;
#[cfg(test)]
mod random;
pub mod ranges;
mod samples;
mod sat;
mod shape;
pub mod solver;
mod substitute;
mod sums;
mod term;
mod words;

pub use context::in_own_context;
pub use encode::{Encoded, Encoder, Stored, Valuation};
pub use instances::Instances;
pub use limits::{Meter, QueryLimits, TICKS_PER_SECOND};
pub use memory::Memory;
pub use model::{Answer, Model};
pub use questions::{Questions, Source};
pub use solver::Query;
pub use substitute::{Constant, Substitution};
pub use term::{Formula, Term, Unsupported};
