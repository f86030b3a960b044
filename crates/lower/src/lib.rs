//! Lowers LLVM modules of C programs to the IR of Beeline.
//!
//! # From a module to a program
//!
//! | step | where |
//! |---|---|
//! | LLVM reads and checks the module, models of library functions are linked in, all becomes plain data | the crate `beeline-llvm`, [`models`] (`models/libc.c`) |
//! | rewrites that simplify later steps: copies of structures passed by value, bodies for library functions that are called through pointers, thread-local variables | `prepare`, `rewrite` |
//! | calls that print or read by a constant format become one call for each piece of it | `formats` |
//! | what the entry reaches, and what is recursive | `analyse::reach` |
//! | objects whose address does not escape become variables, cell by cell | `analyse::promote` |
//! | which pointers may point into the same memory | `analyse::points_to` (nodes, offsets, merging), `analyse::flow` (what each instruction does to them) |
//! | each object gets an address, each group of accesses that overlap a region | `analyse::memory`, `analyse::shape` (types as scalar leaves, constants as bytes) |
//! | function by function, instructions become edges and expressions | `translate` |
//! | the automata of several threads become one automaton | `threads` |
//!
//! [`Sides`] map edges back to the branch edges of the module. [`Lowering`] has the options of command lines.
//!
//! The first lines of `analyse` and `translate` say which file does what. [`lower()`] runs all of it, [`Options`] are
//! what a user can choose, and [`libc`] knows what functions without a body do.
//!
//! # Why the result is sound
//!
//! - A load or store of the program is a load or store of the region that the points-to analysis gives its address. So
//!   two accesses that can meet must get one region: the analysis follows every value that may hold a pointer, also as
//!   an integer, in parts, or in memory of another type. Where it loses track, a read gives any value, and an
//!   assumption says so. An instruction that passes pointers on and is not known to `flow` is the mistake to look for;
//!   `--memory flat` has one array of bytes instead, and tests compare the two.
//! - A variable stands for a part of an object only if no access goes through a pointer that is not known
//!   exactly, and none cuts a cell.
//! - An expression is evaluated where its edge is. What it reads may not change before: `emit` saves pending
//!   values that an edge would change.
//! - Every access lies in a live object: `analyse::bounds` says what a pointer may lead to, and the translation checks
//!   it before the access unless that is seen (`ir-spec/objects.md`).
//! - What LLVM leaves undefined has a row in [`undefined`]: a result is any value (`havoc`), an execution is stuck and
//!   counted, or the machine or the dialect of C defines what happens. No constant stands for it. What the C library
//!   leaves open, such as the number that `strcmp` returns, is any that the standard allows.
//!
//! # What is not exact
//!
//! Everything that is not exact has an assumption in the program, with its place and whether it may hide or
//! invent errors ([`Direction`](beeline_ir::Direction)). The common ones: functions without a body and
//! without a model return anything and write nothing, unless [`Externals::Havoc`] lets them do anything, and pointers
//! that they return lead to memory of their own; addresses are of Beeline's choice; volatile memory is plain memory;
//! assembly that is more than one known instruction gives anything. Other stacks and assembly that names functions are refused.
//!
//! Not said in each program: floats are computed in their own
//! format (32-bit x87 code without SSE2 has more digits), and `qsort` and `bsearch` treat equal elements in one
//! order.
//!
//! # Passes of LLVM
//!
//! None runs unless [`beeline_module::options::Options::passes`] (`--passes`) names it: locals are promoted here, and
//! what the optimiser removes is no longer seen, undefined behaviour first of all. These keep the program
//! close to its source and may help: `inline` or `always-inline` for small functions, `sroa` and `mem2reg`
//! (they make undefined what was never written), `simplifycfg`, `lower-switch`,
//! `lower-expect`, `scalarizer`. Loop passes and `instcombine` change what a trace shows.
//!
//! # Tests
//!
//! `tests/golden` has a small function for each kind of instruction with its program; the package
//! `beeline-tests` compares C programs and csmith's with their native runs. A new construct needs both.

#![warn(unreachable_pub)]

mod analyse;
mod arguments;
mod around;
mod copies;
mod formats;
mod instruction;
mod jumps;
pub mod libc;
mod lower;
pub mod models;
mod names;
mod options;
mod own_functions;
mod prepare;
mod rewrite;
mod sides;
mod threads;
mod translate;
pub mod undefined;

pub use analyse::bounds::{HEAP_NEXT, LIVES};
pub use arguments::Lowering;
pub use lower::{Lowered, lower, lower_traced};
pub use options::{
    ACCESS_TARGET, DIVISION_TARGET, Externals, FREE_TARGET, Fault, LEAK_TARGET, LowerError, MARK_PROPERTY,
    Options, Property, SHIFT_TARGET,
};
pub use sides::Sides;
pub use threads::NOWHERE;
pub use translate::Accesses;
pub use translate::activation::Begun;
pub use translate::allocate::REFUSAL;
pub use translate::entry::{MOST_ARGUMENTS, is_in_list, is_text_of_argument, text_of_argument};
pub use translate::world::WORLD;
