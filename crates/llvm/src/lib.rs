//! LLVM modules as plain data. All that is unsafe about LLVM is behind this crate.
//!
//! # Where to find what
//! - [`import`](mod@import): reads bitcode or textual IR. [`module`]: what comes out.
//! - [`native`](mod@native): makes a module ready to run and to report what it does.
//! - [`mark`](mod@mark): makes a module tell which branches, lines or functions an execution gets to.
//! - [`checks`](mod@checks): makes a module assert what no sanitizer of clang looks at.
//! - [`cut`](mod@cut): ends ways through a module, and removes what lies behind them.
//! - [`statics`](mod@statics): has variables with static lifetime hold anything where a function begins.
//! - [`sanitizer`]: the checks that clang builds into a module.
//! - `raw`: safe handles to LLVM's objects, with the only unsafe code.

#![warn(unreachable_pub)]

pub mod checks;
pub mod cut;
pub mod import;
pub mod mark;
pub mod module;
pub mod native;
mod raw;
mod read;
pub mod sanitizer;
pub mod statics;
mod unchecked;
