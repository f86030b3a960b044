//! Whom calls through pointers were seen to call: what the next search may look at first.

use beeline_ir::{EdgeId, FuncId};

/// A call with several candidates, and whom states that a search made saw it call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunCallees {
    /// The call.
    pub edge: EdgeId,
    /// Those that were seen, in order; others may be called all the same.
    pub seen: Vec<FuncId>,
    /// How many candidates there are.
    pub candidates: u32,
}
beeline_ir::wire_struct!(RunCallees { edge, seen, candidates });

impl RunCallees {
    /// Does a list of calls say each thing once, and no more than can be?
    pub(crate) fn well_formed(list: &[RunCallees]) -> Result<(), String> {
        if !list.is_sorted_by(|one, next| one.edge < next.edge) {
            return Err("the calls through pointers are not sorted".into());
        }
        let is_wrong = |call: &&RunCallees| {
            call.seen.is_empty()
                || call.seen.len() > call.candidates as usize
                || !call.seen.is_sorted_by(|one, next| one < next)
        };
        match list.iter().find(is_wrong) {
            Some(call) => {
                Err(format!("the callees seen at {} are not a sorted subset of its candidates", call.edge))
            }
            None => Ok(()),
        }
    }
}
