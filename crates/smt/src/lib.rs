//! SMT terms of IR expressions, and Z3 with a limit on every query.
//!
//! All other crates use the solver through this crate only. No type of Z3 leaves it, except inside of the
//! opaque [`Term`], [`Formula`] and [`Memory`].
//!
//! # Where to find what
//! - `term`: terms, constants of every type, values as terms.
//! - `encode`: [`Encoder`], the term of an expression. An expression of the IR can be *stuck* (division by
//!   zero, a load outside every object); the encoder returns the term with the condition under which the
//!   expression is not stuck, and the caller decides what to do with it.
//! - `float`: the operations of IEEE floats that Z3 lacks or leaves unspecified.
//! - [`memory`]: regions as arrays, values of several cells, initial contents, extents.
//! - [`flat`]: scalarised memory, regions as single cells; [`ranges`]: range operations.
//! - [`limits`]: the limits of queries, counted in ticks.
//! - [`solver`]: [`Query`] and [`Answer`]: satisfiability under limits, models as IR values.
//! - [`core`](mod@core): unsatisfiable cores of very many formulas.
//! - `questions`: [`Questions`], incremental queries during an execution.
//! - `divisions`: divisions by constants as products and remainders.
//! - `samples`: the model cache. `shape`: normalisation of terms. `words`: machine words.
//! - `sat`: the SAT solvers CaDiCaL and Kissat for queries of bit-vectors that are hard for Z3.
//! - `substitute`: substitution for constants.
//! - [`decode`]: Z3 formulas as IR expressions.
//! - [`exit`]: handling of faults with which Z3 ends the process; [`apart`](mod@apart): isolated processes
//!   for Spacer.
//! - [`interpolate`]: interpolants and invariants through Spacer; `linear`, `sums`: unbounded integers and
//!   linear sums for them.
//!
//! # What is exact
//! Machine integers are bit-vectors; floats are IEEE floats with one NaN (x87 as 15 exponent and 64
//! significand bits); every term has the value that `beeline-interp` computes, which the tests check on
//! random expressions and values. What cannot be encoded is an [`Unsupported`] error, never an approximation.
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
pub mod interpolate;
mod leaves;
pub mod limits;
mod linear;
pub mod memory;
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
pub use limits::{Meter, QueryLimits, TICKS_PER_SECOND};
pub use memory::Memory;
pub use questions::{Questions, Source};
pub use solver::{Answer, Model, Query};
pub use substitute::{Constant, Substitution};
pub use term::{Formula, Term, Unsupported};
