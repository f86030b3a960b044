//! From LLVM modules to plain data, and changes of modules. All unsafe code for LLVM is in this crate.
//!
//! # Where to find what
//! - [`import`](mod@import): reads bitcode or textual IR. [`beeline_module`]: the result.
//! - [`native`](mod@native): instruments a module for a native run that reports its path.
//! - [`mark`](mod@mark): instruments a module to report which branches, lines or functions an execution reaches.
//! - [`checks`](mod@checks): instruments a module with assertions that no sanitizer of clang has.
//! - [`cut`](mod@cut): ends paths at branch edges, and removes the code after them.
//! - [`statics`](mod@statics): gives variables with static lifetime any values at the start of a function.
//! - `raw`: safe handles to LLVM's objects, with the only unsafe code.

#![warn(unreachable_pub)]

#[cfg(not(feature = "llvm-22"))]
extern crate llvm_sys_19 as llvm_sys;
#[cfg(feature = "llvm-22")]
extern crate llvm_sys_22 as llvm_sys;

/// The newest version of LLVM whose files are read.
pub const LLVM: u32 = raw::LLVM;

pub mod checks;
pub mod cut;
pub mod import;
pub mod mark;
pub mod native;
mod raw;
mod read;
pub mod statics;
mod unchecked;
