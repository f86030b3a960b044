//! What is explored next: [`waitlist`] orders states by [`distance`], which learns callees while the search runs; all other decisions on what to
//! try when are in [`policy`].

pub mod distance;
pub mod policy;
pub mod waitlist;
