//! Executes programs of Beeline's IR: the semantics of `ir-spec/`, as a program.
//!
//! - [`eval`]: the operators on values, as pure functions; the lowering, the engine and the tests of the SMT encoding
//!   compute constants with them
//! - [`float`]: the floating-point ones among them, exact for all formats
//! - `machine`: the [`Machine`] that runs a program; `execution`: a run step by step; `run`: limits and outcomes
//! - [`oracle`]: the source of values that the program does not determine: given, random, all in turn, or those of an
//!   earlier run
//! - [`replay`]: follows a given path, to confirm a counterexample
//! - `snapshot`: what an execution holds at one point, so that others go on from there
//!
//! # How it runs
//! A program is compiled once: variables get places, expressions become instructions on registers (`code`), values of at
//! most 64 bits are machine words (`word`), and wider ones use [`eval`]. Memory consists of pages that are allocated on
//! first use (`memory`). Calls are frames on an explicit stack with a limit, so the interpreter itself does not recurse.
//!
//! # What the program leaves open
//! Inputs, havocs, variables and cells that are read before they are written, and the choice among
//! several enabled edges come from the [`Oracle`] when they are needed, once each, in an order that depends only on the
//! program and the answers. An undefined operation is stuck: it ends the execution, as a failed assumption does, and is
//! reported with its reason.
//!
//! # Example
//! ```
//! use beeline_interp::{Limits, Machine, Outcome, oracle::Given};
//! let program = beeline_ir::text::parse("
//!     beeline 1.0
//!     fn main() {
//!       var x: i8
//!       x := input \"__VERIFIER_nondet_char\"
//!       if x + x == 86 goto bad else good
//!       bad: target \"x is 43 or -85\"
//!       good: exit
//!     }").unwrap();
//! let mut oracle = Given::new(vec![beeline_ir::Value::bv(8, 43)]);
//! let run = Machine::new(&program).run(&mut oracle, &Limits::default());
//! assert!(matches!(run.outcome, Outcome::Target(_)));
//! ```

#![warn(unreachable_pub)]

mod code;
pub mod eval;
mod execution;
pub mod float;
mod machine;
mod memory;
pub mod oracle;
pub mod replay;
mod run;
mod snapshot;
mod state;
mod word;

pub use eval::StuckReason;
pub use execution::Execution;
pub use machine::Machine;
pub use oracle::Oracle;
pub use run::{Limits, Outcome, Run, Source};
pub use snapshot::Snapshot;
