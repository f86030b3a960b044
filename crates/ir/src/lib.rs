//! The control-flow-automaton IR of Beeline.
//!
//! Every tool of Beeline works on a [`Program`]: functions as graphs of locations and edges, an operation on each edge,
//! expressions without side effects, memory in regions. This crate has the syntax of programs; their semantics is in
//! `ir-spec/` and, executable, in the crate `beeline-interp`.
//!
//! # Where to find what
//! - [`program`]: the model. Everything has a typed index ([`LocId`], [`EdgeId`], [`VarId`] ...) into an
//!   arena of the [`Program`].
//! - [`expr`]: expressions, each stored once in the [`ExprPool`]; [`operator`]: the table of operators; [`simplify`]:
//!   constructors that fold; [`walk`]: the parts of expressions, and copies of them.
//! - [`bits`], [`value`], [`types`]: bit-vectors of any width, values, types.
//! - [`build`]: the [`ProgramBuilder`], for tests and for the lowering.
//! - [`Outlined`]: loops that are functions, and the steps that outlining added.
//! - [`ranges`]: functions that fill or copy a range of memory, recognised by their form.
//! - [`validate`](mod@validate): the rules of valid programs.
//! - [`text`]: the textual form, [`text::parse`] and [`text::print`].
//! - [`file`](mod@file): files of every kind, [`file::read`] and [`file::write`].
//!
//! # Invariants
//! A `Program` that came out of the builder, the parser or a file is valid, its functions' locations
//! are consecutive, its edges are in the order of their sources, and its expressions are numbered by
//! their first use: two programs with the same text are equal.
//!
//! # Example
//! ```
//! let program = beeline_ir::text::parse("
//!     beeline 1.0
//!     fn main() {
//!       var i: i32
//!       L0: i := 0
//!       L1: while i <u 10 goto L2 else L3
//!       L2: i := i + 1 goto L1
//!       L3: return
//!       L4: exit
//!     }").unwrap();
//! assert_eq!(program.edges.len(), 5);
//! ```

#![warn(unreachable_pub)]

pub mod bits;
pub mod build;
mod canonical;
pub mod cells;
pub mod expr;
pub mod file;
pub mod operator;
mod outlined;
mod plain;
pub mod program;
#[cfg(feature = "random")]
pub mod random;
pub mod ranges;
#[cfg(feature = "random")]
pub mod samples;
pub mod simplify;
pub mod text;
mod turn;
pub mod types;
pub mod validate;
pub mod value;
pub mod walk;

pub use bits::Bits;
pub use build::ProgramBuilder;
pub use cells::{NamedCells, Repeat};
pub use expr::{ConstId, Expr, ExprId, ExprPool, RegionId, VarId, cells_of};
pub use operator::{BinOp, CastOp, UnOp};
pub use outlined::{Outlined, copied_function, copy_for_call, copy_for_thread};
pub use program::*;
pub use ranges::{Range, RangeSource};
pub use turn::{Does, SCHEDULE, Turn};
pub use types::{FloatKind, MAX_WIDTH, Type};
pub use validate::{Fault, validate};
pub use value::Value;
