//! Executes programs of Beeline's IR, as `ir-spec/` specifies them.
//!
//! - [`eval`]: the operators on values, as pure functions; everything that computes with constants (the
//!   lowering, the engine, the tests of the SMT encoding) uses these
//! - [`float`]: the floating-point ones among them, exact for all formats
//! - `machine`: the [`Machine`] that runs a program; `execution`: the same step by step; `run`: the limits
//!   and results of a run
//! - [`oracle`]: the source of values that the program does not determine: given, random, enumerated, or
//!   those of an earlier run
//! - [`replay`]: follows a given path, to check a counterexample
//!
//! # How a program runs
//! A program is compiled once: variables get places, expressions become instructions on registers (`code`),
//! values of at most 64 bits are machine words (`word`), the others go through [`eval`]. Memory is in pages
//! that are allocated when they are used (`memory`). The machine does not recurse where the program does:
//! calls are frames on a stack of their own, with a limit.
//!
//! # What the program leaves open
//! Inputs, havocs, variables and cells that are read before they are written, and the choice among several
//! enabled edges are determined by the [`Oracle`] when they are needed, once each. The order depends only on
//! the program and on the answers. An edge that is stuck ends the execution, as an assumption that fails
//! does, but is reported with its reason.
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
mod state;
mod word;

pub use eval::StuckReason;
pub use execution::Execution;
pub use machine::Machine;
pub use oracle::Oracle;
pub use run::{Limits, Outcome, Run, Source};
