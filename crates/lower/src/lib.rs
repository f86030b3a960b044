//! Lowers LLVM modules to the IR of Beeline.

pub mod llvm;
