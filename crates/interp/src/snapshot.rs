//! Snapshots of executions, from which others go on, and which tell whether two executions are in the same state.

use crate::code::Size;
use crate::machine::Machine;
use crate::state::Contents;
use beeline_ir::{EdgeId, FuncId, LocId, VarId};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// An active call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    pub func: FuncId,
    /// The edge of the call; `None` for the entry function.
    pub call: Option<EdgeId>,
    /// The start of the caller's locals.
    pub caller: Size,
}

/// What an execution holds: its location, its calls, and the values of variables and memory.
#[derive(Debug, Clone)]
pub struct Snapshot<'m> {
    pub(crate) loc: LocId,
    pub(crate) frames: Vec<Frame>,
    pub(crate) contents: Contents<'m>,
}

impl Snapshot<'_> {
    /// The approximate size in bytes.
    pub fn bytes(&self) -> usize {
        self.contents.memory.used + self.contents.globals.bytes() + self.contents.locals.bytes()
    }

    /// A hash of everything but the locals that do not matter: `live` tells which of them matter where an active
    /// function goes on.
    pub fn digest<L: AsRef<[VarId]>>(&self, machine: &Machine<'_>, mut live: impl FnMut(LocId) -> L) -> u64 {
        let mut hasher = FxHasher::default();
        let Contents { globals, locals, base, memory } = &self.contents;
        let slot = |var: VarId| machine.layout.slots[var].place;
        for (var, _) in machine.program.globals() {
            globals.at(Size::default(), slot(var)).hash(&mut hasher);
        }
        let (mut loc, mut base, mut result) = (self.loc, *base, None);
        for frame in self.frames.iter().rev() {
            loc.hash(&mut hasher);
            // The call that is left will write its result.
            let live = live(loc);
            let unwritten = live.as_ref().iter().filter(|&&var| Some(var) != result);
            unwritten.for_each(|&var| locals.at(base, slot(var)).hash(&mut hasher));
            base = frame.caller;
            let Some(edge) = frame.call.map(|call| &machine.program.edges[call]) else { break };
            (loc, result) = (edge.dst, edge.op.as_call().and_then(|call| call.ret));
        }
        memory.digest().hash(&mut hasher);
        hasher.finish()
    }
}
