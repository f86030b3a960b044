//! What is known of an abstract state besides its values, and the graph that these states make.
//!
//! [`precision`] says what is looked at; [`abstraction`] finds which predicates hold after a block, and [`bdd`] holds what is
//! known of them. [`arg`](mod@arg) is the graph. [`pressure`] is about locations with too many states.

pub mod abstraction;
pub mod arg;
pub mod bdd;
pub mod precision;
pub(crate) mod pressure;
