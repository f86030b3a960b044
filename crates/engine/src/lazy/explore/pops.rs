//! Calls that are popped: what a function does has been explored from another stack, so that the search goes on behind
//! the call, knowing no more of it than what it cannot write.
//!
//! After Somorjai: states are compared by their topmost calls where the whole stacks tell them apart. A stack
//! below which nothing is open is never compared: programs without calls pay nothing.

use super::Space;
use crate::control::block::Block;
use crate::control::place::{Place, Step};
use crate::paths::Shortcut;
use crate::state::arg::{NodeId, Top};
use crate::state::bdd::{Bdd, Bdds, Instead};
use crate::state::precision::{Knowledge, PredId, Speaks};
use crate::values::ValuesId;
use beeline_smt::QueryLimits;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What a question may use about what functions ensure: a fifth of a second or so.
const TICKS_OF_A_QUESTION: u64 = 600_000;
/// What all these questions may use together.
const TICKS_TO_STUDY: u64 = 3_000_000;

impl Space<'_, '_> {
    /// Finds what functions ensure, if calls may be popped.
    pub(crate) fn infer_postconditions(&mut self) {
        let limits = QueryLimits::of(TICKS_OF_A_QUESTION, Rc::clone(&self.meter)).within(TICKS_TO_STUDY);
        self.control.infer_postconditions(self.program, &limits);
        self.statistics.add_queries(&limits);
    }

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

    /// A path where the first call is popped of which it is known what its function ensures, if the path leaves it again.
    pub(super) fn shortcut(&mut self, states: &[NodeId], blocks: &[(Rc<Block>, usize)]) -> Option<Shortcut> {
        let place = |id: &NodeId| self.arg[*id].place;
        let is_entered = |id: &NodeId| {
            let Place { loc, stack } = place(id);
            let frame = self.control.frame(stack);
            frame.caller.is_some()
                && self.control.postconditions(frame.callee).is_some()
                && loc == self.program.functions[frame.callee].entry()
        };
        let begin = states.iter().position(is_entered)?;
        let depth = |id: &NodeId| self.control.frame(place(id).stack).depth;
        let inside = depth(&states[begin]);
        let end = begin + states[begin..].iter().position(|id| depth(id) < inside)?;
        let (entered, left) = (place(&states[begin]), place(&states[end]));
        let popping = self.popping(entered);
        let behind = popping.nodes[1];
        let onwards = self.block(behind);
        let exit = onwards.exits.iter().copied().find(|&exit| onwards.nodes[exit] == left)?;
        let (_, call) = self.control.frame(entered.stack).caller?;
        let result = self.program.edges[call].op.as_call()?.ret;
        let result = result.map(|var| self.control.slot(self.program, behind.stack, var));
        let blocks = [&blocks[..begin], &[(Rc::new(popping), 1), (onwards, exit)], &blocks[end..]].concat();
        Some(Shortcut { blocks, begin, end, result })
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
