//! Checks the proofs that programs are safe.
//!
//! A *safe* verdict is a claim about all executions, and its proof in the `.run` file is what supports it:
//! abstract states that are closed under the program's steps. [`check()`] goes through them one by one and
//! asks, in bit-vectors, whether each step from a state leads to another state that includes the result, and
//! whether none leads to a target. How the states were found does not matter; this crate shares no code of
//! the search, only `ir`, `interp`, `run` and `smt`. `ir-spec/proofs.md` says what a valid proof is, also for unrollings, which
//! have no states.
//!
//! # Where to find what
//! - [`check`](mod@check): checks by kinds of proofs; `checker`: the states of a graph one by one. `unrolling`: all executions
//!   at once, if the proof says where they end; `turns`: how it counts iterations. `options`, `outcome`: limits and reports.
//! - `judge`: who decides what is left to decide: Z3, or a solver whose proof is checked.
//! - `result`: which targets the proofs of a result are for, and which results they build on.
//! - `conditional`: residual conditions of earlier searches.
//! - `ensures`: postconditions of functions whose calls are popped; `pops`: states with such calls.
//! - `summaries`, `contexts`: calls in proofs by summaries; `frame`: what a call cannot write.
//! - `place`, `step`: locations with call stacks. `reach`: from where edges lead to targets.
//! - `block`: the acyclic piece of the program between a state and the next ones.
//! - `execute`, `state`, `truth`: such a piece, executed by known values or as formulas. [`fold`]: constant
//!   folding.
//! - `describe`: what the states of the proof say, as formulas.
//!
//! # What is believed
//! The reader of files, the meaning of operators (`beeline-interp`), and this crate; with a certified answer its encoder and the
//! checker of LRAT (`beeline-certify`, `beeline-lrat`), else the encoding (`beeline-smt`) and Z3. The assumptions of the lowering are those of the program, not of its proof.
//!
//! # Why a valid proof shows that a program is safe
//! Every execution starts in the first state. From an uncovered state, an execution ends inside of the block
//! without a target (blocks have no cycle, so it is stuck there or done), or reaches an end of the block.
//! There it is in one of the children; a covered child is included in an uncovered state at the same place.
//! So by induction on the length of the execution no end is ever a target, and targets are always ends. This
//! holds for each set of targets: no edge leaves one, so an execution that reaches another target ends there.

#![warn(unreachable_pub)]

mod block;
pub mod check;
mod checker;
mod conditional;
mod contexts;
mod describe;
mod ensures;
mod execute;
pub mod fold;
mod frame;
mod induction;
mod judge;
mod options;
mod outcome;
mod place;
mod pops;
mod reach;
mod refutation;
mod result;
mod state;
mod step;
mod summaries;
mod truth;
mod turns;
mod unrolling;

pub use check::{Certify, Effort, Options, check, check_graph};
pub use execute::Account;
pub use judge::Certified;
pub use outcome::{Fault, Outcome, Report};
pub use result::{check_chain, check_result};
