//! Lowers LLVM modules to the IR of Beeline.

mod cfg;
pub mod flow;
mod graph;
pub mod import;
pub mod libc;
pub mod llvm;
pub mod lower;
pub mod memory;
pub mod models;
pub mod options;
pub mod points_to;
pub mod prepare;
pub mod promote;
pub mod reach;
pub mod shape;
mod translate;

pub use lower::lower;
pub use options::{LowerError, Options, Property};
