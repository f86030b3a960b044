//! Abstract states beyond their values, and the graph of these states.
//!
//! [`precision`] says which values and predicates are tracked. [`abstraction`] computes which predicates hold
//! after a block, and [`bdd`] represents them. [`arg`](mod@arg) is the graph. `pressure` is about locations
//! with too many states.

pub mod abstraction;
pub mod arg;
pub mod bdd;
pub mod precision;
pub(crate) mod pressure;
