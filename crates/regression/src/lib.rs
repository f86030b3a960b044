//! Moves a result from one version of a program to the next, so that an answer survives a change.
//!
//! [`Alignment`] matches the parts of two programs: functions, locations, edges, variables, regions and objects. [`moved`]
//! renames all ids of a result by it. Nothing here is believed: a moved proof is a proof only if `beeline-check-proof`
//! finds it valid for the new program, with its account of undefined operations. Where parts of the proof have no match,
//! the checker will refuse it, and [`precision`] is what a new search can begin with.
//!
//! - `shape`: what a location does, without names, places in the source and addresses
//! - `alignment`: functions, locations and edges; `symbols`: variables, regions and objects
//! - `result`: results; `precision`: what a search tracked

mod alignment;
mod precision;
mod result;
mod shape;
mod symbols;

pub use alignment::Alignment;
pub use precision::precision;
pub use result::moved;
