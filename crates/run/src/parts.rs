//! Parts of a residual condition, so that several runs can share the work.
//!
//! An execution that reaches a target of a residual condition is in an open state before. So these executions
//! are distinguished by the open state that they are in first. A run *of a part* is about the executions that
//! are first in one of some open states: its answers hold for these alone, and its verdict is never *safe*.
//! The answers of runs for a target, whose parts together contain all open states, are a proof:
//! [`RunJoined`]. `ir-spec/conditions.md` says why.

use crate::rest::RunRest;
pub use crate::resting::only;
use beeline_ir::file::Digest;

/// The executions that a result is about: those that are first in one of these open states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunPart {
    /// The file with the residual condition, by the digest of its body.
    pub run: Digest,
    /// The residual condition, by index.
    pub rest: u32,
    /// The open states, in order.
    pub only: Vec<u32>,
}
beeline_ir::wire_struct!(RunPart { run, rest, only });

/// A proof that consists of the answers of other results, each for a part of a residual condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunJoined {
    /// The file with the residual condition, by the digest of its body.
    pub run: Digest,
    /// The residual condition, by index.
    pub rest: u32,
    /// The results, by the digests of their bodies.
    pub parts: Vec<Digest>,
}
beeline_ir::wire_struct!(RunJoined { run, rest, parts });

/// A residual condition, or the part of one that a result is about.
#[derive(Debug, Clone, Copy)]
pub struct Remaining<'r> {
    /// The residual condition.
    pub rest: &'r RunRest,
    /// The open states that the result is about; `None` if it is about all.
    pub only: Option<&'r [u32]>,
}

impl<'r> Remaining<'r> {
    /// A whole residual condition.
    pub fn whole(rest: &'r RunRest) -> Remaining<'r> {
        Remaining { rest, only: None }
    }

    /// Whether the state is open and the result is about it.
    pub fn is_open(&self, state: usize) -> bool {
        self.rest.is_open(state) && self.has(state)
    }

    /// Whether the state is open but belongs to another part.
    pub fn is_of_others(&self, state: usize) -> bool {
        self.rest.is_open(state) && !self.has(state)
    }

    fn has(&self, state: usize) -> bool {
        self.only.is_none_or(|only| only.binary_search(&(state as u32)).is_ok())
    }
}

/// Reports a fault of the parts that a result is about.
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
