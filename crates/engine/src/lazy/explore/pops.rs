//! Popped calls: where the inside of a call was explored from another stack, the search goes on after the
//! call. There it knows only what the callee cannot write, and the callee's postconditions.
//!
//! After Somorjai: states are compared by their topmost call where whole stacks would distinguish them. The
//! outermost function has no call to pop and is never compared, so programs without calls pay nothing.

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

/// The ticks of a query about postconditions: those of about a fifth of a second.
const TICKS_OF_A_QUESTION: u64 = 600_000;
/// The ticks of all these queries together.
const TICKS_TO_STUDY: u64 = 3_000_000;

impl Space<'_, '_> {
    /// Infers postconditions, if calls may be popped.
    pub(crate) fn infer_postconditions(&mut self) {
        let limits = QueryLimits::of(TICKS_OF_A_QUESTION, Rc::clone(&self.meter)).within(TICKS_TO_STUDY);
        self.control.infer_postconditions(self.program, &limits);
        self.statistics.add_queries(&limits);
    }

    /// Whether the topmost call of a place may be popped. At the exit of its function that would be useless.
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
        // A call is not popped if its effects are unknown.
        self.control.effects(self.program.entry)?;
        let frame = self.control.frame(place.stack);
        let seen = self.pool.get(values).seen_by(self.program, frame.callee, frame.level);
        let seen = self.pool.intern(seen);
        let (program, predicates) = (self.program, &known.predicates);
        let kind = |pred| predicates.kind(program, frame.callee, frame.level, pred);
        let (surely, perhaps) = seen_by_top(&mut self.bdds, formula, &kind);
        Some(Top { values: seen, surely, perhaps })
    }

    /// Pops the topmost call of a state if another state covers what this call sees.
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

    /// The block from a place to the location after its topmost call.
    pub(super) fn popping(&self, place: Place) -> Block {
        let (stack, call) = self.control.frame(place.stack).caller.expect("the first call is never popped");
        let behind = Place { loc: self.program.edges[call].dst, stack };
        Block::single(place, Step::Pop(call), behind)
    }

    /// The path with the first call popped whose function has postconditions, if the path returns from it.
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

    /// Makes predicates known for all activations of functions that a block leads to.
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

/// What the topmost call sees of a diagram of predicates: what holds for all values of the calls below, and
/// what holds for some.
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
