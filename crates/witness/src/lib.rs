//! What a result says, for people and for other verifiers.
//!
//! A `.run` file holds a counterexample as edges and values, or a proof as abstract states. This crate
//! turns both into something that can be read next to the C program.
//!
//! - [`execution`]: executes a counterexample in the interpreter; each step with what it reads and
//!   writes, and the earlier steps that it depends on
//! - [`slice`]: the steps that matter for the error
//! - [`story`]: the counterexample as a person reads it, with the lines of the source
//! - [`c_text`], [`expression`]: values and expressions as C writes them
//! - [`source`]: the lines of source files

pub mod c_text;
pub mod execution;
pub mod expression;
mod postdominators;
pub mod slice;
pub mod source;
pub mod story;
