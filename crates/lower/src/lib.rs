//! Lowers LLVM modules to the IR of Beeline.

pub mod import;
pub mod llvm;
