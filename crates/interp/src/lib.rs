//! Executes programs of Beeline's IR: what `ir-spec/` says in words, this does.
//!
//! - [`eval`]: the operators on values, as pure functions; everything that computes with constants
//!   (the lowering, the engine, the tests of the SMT encoding) uses these
//! - [`float`]: the floating-point ones among them, exact for all formats
//! - [`machine`]: the [`Machine`] that runs a program: calls, memory, nondeterminism
//! - [`oracle`]: where values come from that the program does not determine: given, random, or every
//!   one after the other
//! - [`replay`]: follows a given path, to check a counterexample
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

pub mod eval;
pub mod float;
pub mod machine;
pub mod memory;
pub mod oracle;
pub mod replay;

pub use eval::StuckReason;
pub use machine::{Limits, Machine, Outcome, Run, Source};
pub use oracle::Oracle;
