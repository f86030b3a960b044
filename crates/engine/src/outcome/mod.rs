//! What a search leaves: its [`verdict`], a `residual` condition where it has no answer, the precision that the next search may
//! reuse, and all of that as the body of a `.run` file, [`run`].

pub(crate) mod precision_reuse;
mod predicate_table;
pub(crate) mod residual;
pub mod run;
pub mod verdict;
