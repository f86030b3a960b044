//! What a result says, for people and for other verifiers.
//!
//! A `.run` file holds a counterexample as edges and values, or a proof as abstract states. This crate
//! turns both into something that can be read next to the C program.
//!
//! - [`execution`]: executes a counterexample in the interpreter; each step with what it reads and
//!   writes, and the earlier steps that it depends on
//! - [`depths`](mod@depths): how many calls are active at its steps
//! - [`slice`](mod@slice): the steps that matter for the error, and those that explain it
//! - [`story`]: the counterexample as a person reads it, with the lines of the source
//! - [`c_text`], `expression`: values and expressions as C writes them; [`show`]: values and places with the names
//!   that the source has for them
//! - [`violation`], [`correctness`] with its `alternatives` and `contracts`: what witnesses tell, the latter where a proof is about all
//!   executions, see `explored`; [`graphml`], [`yaml`]: how the formats of
//!   SV-COMP write it; [`task`]: what they tell of the verification task
//! - [`command`]: what a counterexample gives a program that starts as a command
//! - [`source`], [`unit`](mod@unit): the lines of source files; [`given`]: reading results with their programs

#![warn(unreachable_pub)]

mod alternatives;
pub mod c_text;
pub mod command;
mod contracts;
pub mod correctness;
pub mod depths;
pub mod execution;
mod explored;
pub mod expression;
pub mod given;
pub mod graphml;
pub mod show;
pub mod slice;
pub mod source;
pub mod story;
pub mod task;
pub mod unit;
mod untaken;
pub mod violation;
pub mod yaml;
