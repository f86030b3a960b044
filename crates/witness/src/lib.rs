//! Results as readable text and as witnesses for other verifiers.
//!
//! A `.run` file has a counterexample as edges and values, or a proof as abstract states. This crate
//! translates both to the terms of the C program.
//!
//! - [`execution`]: executes a counterexample in the interpreter, and records of each step what it reads and
//!   writes and which earlier steps it depends on
//! - [`depths`](mod@depths): the number of open calls at its steps
//! - [`slice`](mod@slice): the steps that the error depends on, and those that explain it
//! - [`story`]: the counterexample as readable text, with the lines of the source
//! - [`c_text`], `expression`: values and expressions as C text; [`show`]: values and places with their names
//!   in the source
//! - [`violation`]: violation witnesses, with the turns of threads ([`schedule`]), and [places](point) in both; [`correctness`] with `facts`, `alternatives` and `contracts`:
//!   correctness witnesses, for loops and functions that a proof is wholly about (`explored`); [`graphml`],
//!   [`yaml`]: the formats of SV-COMP
//!   [`task`]: the verification task in witnesses
//! - [`command`]: the arguments and files of a program that starts as a command
//! - [`source`], [`unit`](mod@unit): the lines of source files; [`given`]: reading results with their
//!   programs

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
mod facts;
pub mod given;
pub mod graphml;
pub mod point;
pub mod schedule;
pub mod show;
pub mod slice;
pub mod source;
pub mod story;
pub mod task;
pub mod unit;
mod untaken;
pub mod violation;
pub mod yaml;
