//! The order of a search: [`waitlist`] orders states by [`distance`], which learns callees while the search
//! runs. [`policy`] has all other decisions on what to try when.

pub mod distance;
pub mod policy;
pub mod waitlist;
