//! Calls that are popped: what a function does has been explored from another stack, so that the search goes on behind
//! the call, knowing no more of it than what it cannot write.
//!
//! After Somorjai: states are compared by their topmost calls where the whole stacks tell them apart. A stack
//! below which nothing is open is never compared: programs without calls pay nothing.

use super::Space;
use crate::arg::{NodeId, Top};
use crate::bdd::{Bdd, Bdds, Instead};
use crate::block::Block;
use crate::place::{Place, Step};
use crate::precision::{Knowledge, PredId, Speaks};
use crate::values::ValuesId;
use rustc_hash::FxHashMap;

impl Space<'_, '_> {
    /// May the topmost call of a place be popped at all? Where its function ends, that is no use.
    fn may_pop(&self, place: Place) -> bool {
        let frame = self.control.frame(place.stack);
        frame.caller.is_some()
            && self.control.effects(frame.callee).is_some()
            && place.loc != self.program.functions[frame.callee].exit
    }

    /// What the topmost call of a place sees, if it may be popped.
    pub(super) fn top(
        &mut self,
        place: Place,
        values: ValuesId,
        formula: Bdd,
        known: &Knowledge,
    ) -> Option<Top> {
        // Calls are not popped if their effects are not known.
        self.control.effects(self.program.entry)?;
        let frame = self.control.frame(place.stack);
        let seen = self.pool.get(values).seen_by(self.program, frame.callee, frame.level);
        let seen = self.pool.intern(seen);
        let (program, predicates) = (self.program, &known.predicates);
        let kind = |pred| predicates.kind(program, frame.callee, frame.level, pred);
        let (surely, perhaps) = seen_by_top(&mut self.bdds, formula, &kind);
        Some(Top { values: seen, surely, perhaps })
    }

    /// Pops the topmost call of a state if another one shows what it does inside.
    pub(super) fn pops(&mut self, id: NodeId, known: &Knowledge) -> bool {
        let place = self.arg[id].place;
        let call = self.control.frame(place.stack).caller.map(|(_, call)| call);
        let is_kept = call.is_none_or(|call| known.precision.keeps_stack(call, place.stack));
        if is_kept || !self.may_pop(place) {
            return false;
        }
        let pops = self.arg.cover_top(id, &self.pool, &mut self.bdds);
        self.statistics.pops += u64::from(pops);
        pops
    }

    /// The block that leads from a place behind its topmost call.
    pub(super) fn popping(&self, place: Place) -> Block {
        let (stack, call) = self.control.frame(place.stack).caller.expect("the first call is never popped");
        let behind = Place { loc: self.program.edges[call].dst, stack };
        Block::single(place, Step::Pop(call), behind)
    }

    /// Lets predicates be known of all activations of functions that a block leads to.
    pub(super) fn spread(&self, block: &Block, known: &mut Knowledge) {
        if self.control.effects(self.program.entry).is_none() || known.predicates.is_empty() {
            return;
        }
        for &exit in &block.exits {
            let Place { loc, stack } = block.nodes[exit];
            known.spread(self.program, loc, self.control.frame(stack).level);
        }
    }
}

/// What the topmost call sees of what is known of predicates: what surely holds for something that the calls below may
/// hold, and what holds for all that they may.
fn seen_by_top(bdds: &mut Bdds, formula: Bdd, kind: &impl Fn(PredId) -> Speaks) -> (Bdd, Bdd) {
    let kinds: Vec<(PredId, Speaks)> =
        bdds.support(formula).into_iter().map(|pred| (pred, kind(pred))).collect();
    let kinds_of: FxHashMap<PredId, Speaks> = kinds.iter().copied().collect();
    let replace = |bdds: &mut Bdds, formula, by: &dyn Fn(PredId) -> Instead| {
        bdds.replace(formula, &by, &mut FxHashMap::default())
    };
    let perhaps = replace(bdds, formula, &|pred| match kinds_of[&pred] {
        Speaks::Top(pred) => Instead::Pred(pred),
        Speaks::Below | Speaks::Both => Instead::Either,
    });
    let mut surely = formula;
    for (below, _) in kinds.iter().filter(|(_, kind)| *kind == Speaks::Below) {
        let known =
            |holds| move |pred| if pred == *below { Instead::Known(holds) } else { Instead::Pred(pred) };
        let [no, yes] = [false, true].map(|holds| replace(bdds, surely, &known(holds)));
        surely = if bdds.implies(yes, no) { no } else { yes };
    }
    surely = replace(bdds, surely, &|pred| match kinds_of[&pred] {
        Speaks::Top(pred) => Instead::Pred(pred),
        Speaks::Below | Speaks::Both => Instead::Both,
    });
    (surely, perhaps)
}
