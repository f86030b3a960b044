//! The outcome of a search: its [`verdict`], a `residual` condition where it has no answer, the precision
//! that the next search may reuse, and all of these as the body of a `.run` file, [`run`].

pub(crate) mod precision_reuse;
mod predicate_table;
pub(crate) mod residual;
pub mod run;
pub mod verdict;
