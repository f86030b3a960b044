//! Counterexample-guided abstraction refinement, straight towards the target.
//!
//! [`verify`] takes a program and says whether an execution reaches one of its targets. It explores
//! *abstract* states, each of which stands for many: where (a location with its open calls), which variables
//! have known values, which predicates hold. When an abstract path reaches a target, it is checked: by values
//! alone, then exactly in bit-vectors. A feasible one becomes a [`Counterexample`] after its concrete
//! execution; an infeasible one says what has to be known so that it disappears.
//!
//! # Where to find what
//! Each folder is a room, and uses only rooms above it in this list; `docs/glossary.md` explains the terms.
//!
//! | room | subject |
//! | --- | --- |
//! | [`control`] | where an execution is and where it can go: places, call strings, blocks; under the condition that an earlier search left |
//! | [`values`] | explicit values and how steps change them |
//! | [`formula`] | blocks as formulas: symbolic execution with joins |
//! | [`state`] | abstract states: precision, predicate abstraction, the abstract reachability graph |
//! | `stack_abstraction` | call strings whose topmost call may be popped; postconditions of recursive functions |
//! | [`paths`] | paths through the graph; which of them are feasible, and these as [`Counterexample`]s |
//! | [`refine`] | what excludes an infeasible path: values, interpolants, unsat cores, invariants of path programs |
//! | [`search`] | which state is next: waitlist, distances, and the policy for all other choices |
//! | [`outcome`] | what a search leaves: verdict, residual condition, precision, the body of a `.run` file |
//! | [`undefined`] | operations without a result, where executions end that a machine might continue |
//! | `lazy`, `summaries`, `bounded`, `concrete` | the engines: lazy abstraction, functions on their own, unrolling, random executions |
//!
//! [`engine`] says what an engine is given and leaves, [`options`] what can be chosen, [`monitor`] how far a
//! run is.
//!
//! # Why the answers hold
//! - An abstract state has every execution state that a step from its predecessors can lead to. Values and
//!   predicates only ever leave out what is surely impossible; what the solver does not decide, or what has
//!   no encoding, stays possible. Precision decides how much is known, never what is true.
//! - A state is covered when a state with successors at the same place includes it. When the covering state
//!   is removed, the covered one is explored after all.
//! - A counterexample was executed step by step before it is reported.
//! - Paths that no check could decide make the verdict unknown, not safe.
//! - So does an execution that ends at an access outside of every object where a machine would go on. Other
//!   operations that may have no result are listed with the proof.
//!
//! # What is not here yet
//! - Refinement by values restarts the search each time, and tracks variables everywhere.

mod bounded;
mod concrete;
pub mod control;
pub mod engine;
pub mod formula;
mod lazy;
pub mod monitor;
pub mod options;
pub mod outcome;
pub mod paths;
pub mod refine;
pub mod search;
mod stack_abstraction;
pub mod state;
mod summaries;
pub mod undefined;
pub mod values;

pub use beeline_run::{Choice, Excess};
pub use beeline_smt::TICKS_PER_SECOND;
pub use beeline_smt::apart::cpu_time as cpu_time_apart;
pub use beeline_smt::exit::before_exit;
pub use bounded::Bounded;
pub use concrete::Concrete;
pub use control::Link;
pub use control::block::BlockOperator;
pub use control::conditional::{Conditional, Earlier};
pub use engine::{Condition, Engine, Outcome, Task};
pub use lazy::{Lazy, verify};
pub use monitor::{Monitor, Progress};
pub use options::{
    AfterError, Arithmetics, Calls, Domain, OnUndefined, Options, PredicateSource, Rank, Select, ToldApart,
    Unwind, as_long_as,
};
pub use outcome::verdict::{Finding, Found, Graph, Proof, Reason, Statistics, Verdict, Whole};
pub use paths::counterexample::Counterexample;
pub use paths::nearest::{is_access, nearest};
pub use search::distance::{Distances, Estimate, Metric, Seen, Unfit};
pub use search::waitlist::{Order, TieBreak};
pub use state::precision::{Abstraction, Knowledge, Scope};
pub use summaries::Summaries;
