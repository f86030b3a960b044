//! Counterexample-guided abstraction refinement, straight towards the target.
//!
//! [`verify`] takes a program and says whether an execution reaches one of its targets. It explores
//! *abstract* states, each of which stands for many: where (a location with its open calls), which
//! variables have known values, which predicates hold. When an abstract path reaches a target, it is
//! checked: by values alone, then exactly in bit-vectors. A feasible one becomes a [`Counterexample`]
//! after its concrete execution; an infeasible one says what has to be known so that it disappears.
//!
//! # Where to find what
//! - [`engine`]: what an engine is given and leaves. [`options`]: what one may choose. `lazy`: the engine that
//!   stands, a loop of exploring, checking and refining; `bounded`: the engine that unrolls; `concrete`: the one that executes programs with random inputs;
//!   `blocks`: the one that explores functions on their own; `explore`: the states and how one leads to the next;
//!   [`policy`]: all decisions on what to try when.
//! - [`arg`](mod@arg): the graph of abstract states. [`search`], [`distance`]: which one is next.
//! - [`control`]: how places stand for open calls; [`call_strings`]: by all of them; `tops`: so
//!   that the topmost one may be popped. [`conditional`]: and for what
//!   earlier searches showed; `rest`: what a search without an answer leaves for that. [`place`]: places and the
//!   steps between them. [`block`]: the acyclic pieces between cut points. [`path`](mod@path): paths.
//! - [`values`], [`transfer`], [`eval`]: explicit values. [`abstraction`], [`precision`], [`bdd`]: predicates.
//! - [`symbolic`], [`symbolic_state`]: blocks as formulas. [`counterexample`]: feasible paths.
//!   [`refiner`]: what learns from infeasible ones, by [`refine`], [`newton`], [`split_path`], [`path_program`].
//! - `ahead`: what lies ahead of a place. [`undefined`]: where executions end that a machine might continue.
//! - [`monitor`]: how far a run is. [`verdict`]: what comes out. [`run`]: as the body of a `.run` file.
//!
//! # Why the answers hold
//! - An abstract state has every execution state that a step from its predecessors can lead to. Values
//!   and predicates only ever leave out what is surely impossible; what the solver does not decide, or
//!   what has no encoding, stays possible. Precision decides how much is known, never what is true.
//! - A state is left alone when a state with successors at the same place includes it. When that one is
//!   removed, the covered one is explored after all.
//! - A counterexample was executed step by step before it is reported.
//! - Paths that nobody could decide make the verdict unknown, not safe.
//! - So does an execution that ends at an access outside of every object where a machine would go on;
//!   operations that may have no result otherwise are listed with the proof.
//!
//! # What is not here yet
//! - Refinement by values begins the graph anew each time, and tracks variables everywhere.

pub mod abstraction;
mod ahead;
pub mod arg;
pub mod bdd;
pub mod block;
mod blocks;
mod bounded;
pub mod call_strings;
mod concrete;
pub mod conditional;
pub mod control;
pub mod counterexample;
mod crowd;
pub mod distance;
pub mod engine;
pub mod ensures;
pub mod eval;
mod explore;
pub mod layered;
mod lazy;
pub mod maybe_stuck;
pub mod monitor;
pub mod newton;
pub mod options;
pub mod path;
pub mod path_program;
pub mod place;
pub mod policy;
pub mod precision;
mod recall;
pub mod refine;
pub mod refiner;
mod rest;
pub mod run;
pub mod search;
pub mod split_path;
pub mod symbolic;
pub mod symbolic_state;
mod table;
pub(crate) mod through;
mod tops;
pub mod transfer;
mod trial;
pub mod undefined;
pub mod values;
pub mod verdict;

pub use beeline_run::{Choice, Excess};
pub use beeline_smt::TICKS_PER_SECOND;
pub use beeline_smt::apart::cpu_time as cpu_time_apart;
pub use beeline_smt::exit::before_exit;
pub use block::BlockOperator;
pub use blocks::Blocks;
pub use bounded::Bounded;
pub use concrete::Concrete;
pub use conditional::{Conditional, Earlier, Link};
pub use counterexample::Counterexample;
pub use distance::{Distances, Estimate, Metric, Seen, Unfit};
pub use engine::{Condition, Engine, Outcome, Task};
pub use lazy::{Lazy, verify};
pub use monitor::{Monitor, Progress};
pub use options::{
    AfterError, Arithmetics, Calls, Domain, OnUndefined, Options, PredicateSource, Rank, Select, ToldApart,
    Unwind, as_long_as,
};
pub use precision::{Abstraction, Knowledge, Scope};
pub use search::{Order, TieBreak};
pub use verdict::{Finding, Found, Graph, Proof, Reason, Statistics, Verdict, Whole};
