//! SMT terms of IR expressions, and Z3 with a limit on every query.
//!
//! The rest of Beeline speaks to the solver through this crate only, and no type of Z3 leaves it
//! except inside the opaque [`Term`], [`Formula`] and [`Memory`].
//!
//! # Where to find what
//! - `term`: terms, constants of every type, values as terms.
//! - `encode`: [`Encoder`], the term of an expression. An expression of the IR can be *stuck*
//!   (division by zero, a load outside every object); the encoder returns next to the term the
//!   condition under which it is not, and the caller decides what to do with it.
//! - `float`: the operations of IEEE floats that Z3 lacks or leaves unspecified.
//! - [`memory`]: regions as arrays, values of several cells, initial contents, extents.
//! - [`flat`]: regions as single cells; [`ranges`]: bytes that are filled or copied in one step.
//! - [`limits`]: what queries may use, counted in ticks.
//! - [`solver`]: [`Query`] and [`Answer`]: satisfiability under limits, models as IR values.
//! - [`core`](mod@core): contradictions among very many formulas.
//! - `questions`: [`Questions`] on the way of an execution: whether this or that may happen.
//! - `divisions`: divisions by numbers as products and rests.
//! - `samples`: valuations that are tried before.
//! - `sat`: the SAT solvers CaDiCaL and Kissat for queries of bit-vectors that are not easy for Z3.
//! - `substitute`: other terms in the place of constants.
//! - [`decode`]: from formulas of Z3 back to IR expressions.
//! - [`exit`]: what happens when Z3 ends the process; [`apart`](mod@apart): how Spacer ends its own only.
//! - [`interpolate`]: interpolants and invariants through Spacer; `linear`, `sums`: unbounded integers for them.
//!
//! # What is exact
//! Machine integers are bit-vectors; floats are IEEE floats with one NaN (x87 as 15 exponent and 64
//! significand bits); every term has the value that `beeline-interp` computes, which the tests check
//! on random expressions and values. What cannot be encoded is an [`Unsupported`] error, never an
//! approximation.
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
