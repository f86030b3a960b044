//! Parts of what a rest leaves, so that several runs can share it.
//!
//! An execution that gets to a target of a rest is in an open state before. So those executions can be told apart by the
//! open state that they are in first. A run *of a part* is about executions for which that is one of some: all that it
//! says, it says of these alone, and its verdict is never *safe*. What runs of parts say of a target that together are about
//! all open states is a proof: [`RunJoined`]. `ir-spec/conditions.md` says why.

use crate::rest::RunRest;
pub use crate::resting::only;
use beeline_ir::file::Digest;

/// Which executions a result is about: those that are in one of these open states first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunPart {
    /// The file that has the rest, by the digest of its body.
    pub run: Digest,
    /// The rest, by index.
    pub rest: u32,
    /// The open states, in order.
    pub only: Vec<u32>,
}
beeline_ir::wire_struct!(RunPart { run, rest, only });

/// A proof that consists of what other results say, each of a part of what a rest leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunJoined {
    /// The file that has the rest, by the digest of its body.
    pub run: Digest,
    /// The rest, by index.
    pub rest: u32,
    /// The results, by the digests of their bodies.
    pub parts: Vec<Digest>,
}
beeline_ir::wire_struct!(RunJoined { run, rest, parts });

/// A rest, or the part of one that a result is about.
#[derive(Debug, Clone, Copy)]
pub struct Remaining<'r> {
    /// The rest.
    pub rest: &'r RunRest,
    /// The open states that the result is about; all if there is none.
    pub only: Option<&'r [u32]>,
}

impl<'r> Remaining<'r> {
    /// A whole rest.
    pub fn whole(rest: &'r RunRest) -> Remaining<'r> {
        Remaining { rest, only: None }
    }

    /// Is the state open, and one that the result is about?
    pub fn is_open(&self, state: usize) -> bool {
        self.rest.is_open(state) && self.has(state)
    }

    /// Is the state open, but others are about it?
    pub fn is_of_others(&self, state: usize) -> bool {
        self.rest.is_open(state) && !self.has(state)
    }

    fn has(&self, state: usize) -> bool {
        self.only.is_none_or(|only| only.binary_search(&(state as u32)).is_ok())
    }
}

/// Says what is wrong with the parts that a result is about.
pub(crate) fn well_formed(parts: &[RunPart]) -> Result<(), String> {
    for (index, part) in parts.iter().enumerate() {
        if !part.only.is_sorted_by(|a, b| a < b) {
            return Err("the open states of a part are not sorted".into());
        }
        if parts[..index].iter().any(|other| other.run == part.run && other.rest == part.rest) {
            return Err("it covers two parts of one residual condition".into());
        }
    }
    Ok(())
}
