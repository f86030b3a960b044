//! The callees that a search saw calls through pointers reach: the next search may explore these first.

use beeline_ir::{EdgeId, FuncId};

/// A call with several candidates, and the callees that states of a search saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunCallees {
    /// The call.
    pub edge: EdgeId,
    /// The callees that were seen, in order. Others are possible.
    pub seen: Vec<FuncId>,
    /// The number of candidates.
    pub candidates: u32,
}
beeline_ir::wire_struct!(RunCallees { edge, seen, candidates });

impl RunCallees {
    /// Whether a list of calls has no duplicates, and no call has more callees than candidates.
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
