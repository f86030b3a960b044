//! Inductive loops: what is havocked where an induction begins, and which steps are assumed.

use super::unrolled::Unrolled;
use crate::control::Control;
use crate::control::place::{Place, Slot, Step};
use beeline_graph::{EffectMap, Graph};
use beeline_ir::{LocId, Op, Program, RegionId, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The loops that are proved by induction.
#[derive(Debug, Default)]
pub(super) struct InductiveLoops {
    iterations: u32,
    /// What an iteration of each loop may write, by its head.
    of: FxHashMap<LocId, Written>,
}

/// What an iteration may write.
#[derive(Debug, Default)]
pub(super) struct Written {
    pub vars: BTreeSet<VarId>,
    pub regions: BTreeSet<RegionId>,
}

impl InductiveLoops {
    pub(super) fn new(
        program: &Program,
        control: &Unrolled,
        heads: &BTreeSet<LocId>,
        iterations: u32,
    ) -> InductiveLoops {
        let graph = Graph::new(program);
        let effects = EffectMap::new(&graph);
        let written = |head: LocId| {
            let mut written = Written::default();
            for edge in program.edges.values().filter(|edge| control.heads(edge.src).contains(&head)) {
                written.vars.extend(edge.op.writes());
                match &edge.op {
                    Op::Store { region, .. } | Op::HavocRegion(region) => {
                        written.regions.insert(*region);
                    }
                    Op::Call(call) => {
                        for effects in
                            call.callee.functions().iter().map(|&callee| effects.of(&graph, callee))
                        {
                            written.vars.extend(&effects.writes);
                            written.regions.extend(&effects.region_writes);
                        }
                    }
                    _ => {}
                }
            }
            written
        };
        InductiveLoops { iterations, of: heads.iter().map(|&head| (head, written(head))).collect() }
    }

    /// Their heads, in order.
    pub(super) fn heads(&self) -> BTreeSet<LocId> {
        self.of.keys().copied().collect()
    }

    /// What an iteration of a loop may write.
    pub(super) fn written(&self, head: LocId) -> &Written {
        &self.of[&head]
    }

    /// The number of iterations of one of these loops before a place at its head, up to the first one of the induction.
    pub(super) fn iteration(&self, control: &Unrolled, place: Place) -> Option<u32> {
        if !self.are_about(place.loc) {
            return None;
        }
        let count = control.counts(place.stack).last().copied()?;
        (count <= self.iterations + 1).then_some(count)
    }

    /// Whether the location is the head of one of these loops.
    pub(super) fn are_about(&self, head: LocId) -> bool {
        self.of.contains_key(&head)
    }

    /// The slots and regions to havoc at a place.
    pub(super) fn forgets(
        &self,
        program: &Program,
        control: &Unrolled,
        place: Place,
    ) -> Option<(Vec<Slot>, &BTreeSet<RegionId>)> {
        let written = self.of.get(&place.loc)?;
        let is_begin = control.counts(place.stack).last() == Some(&self.iterations);
        let slot = |&var: &VarId| control.slot(program, place.stack, var);
        is_begin.then(|| (written.vars.iter().map(slot).collect(), &written.regions))
    }

    /// Whether the place begins the iteration after the last one. The step to it belongs to the last
    /// iteration, and undefined operations of that step count.
    pub(super) fn is_over(&self, control: &Unrolled, place: Place) -> bool {
        self.are_about(place.loc)
            && control.counts(place.stack).last().is_some_and(|&count| count > 2 * self.iterations)
    }

    /// Whether a step is followed. An assumed iteration neither leaves its loop nor reaches a target.
    pub(super) fn follow(
        &self,
        program: &Program,
        control: &Unrolled,
        place: Place,
        taken: (Step, Place),
    ) -> bool {
        if self.of.is_empty() {
            return true;
        }
        let (step, next) = taken;
        let from = match step {
            Step::Call(..) => None,
            Step::Edge(edge) => Some((edge, place.stack)),
            Step::Return(edge) | Step::Pop(edge) => {
                control.frame(place.stack).caller.map(|(below, _)| (edge, below))
            }
        };
        let after = control.heads(next.loc);
        let leaves = from.is_some_and(|(edge, stack)| {
            let before = control.heads(program.edges[edge].src).iter().zip(control.counts(stack)).enumerate();
            before
                .into_iter()
                .any(|(depth, (head, count))| self.assumes(*head, count) && after.get(depth) != Some(head))
        });
        let is_target = program.targets.iter().any(|target| target.loc == next.loc);
        !(leaves || is_target && self.assume(program, control, place))
    }

    /// Whether a place is in an assumed iteration of a loop around it or around an open call.
    pub(super) fn assume(&self, program: &Program, control: &Unrolled, place: Place) -> bool {
        let mut next = Some((place.loc, place.stack));
        while let Some((loc, stack)) = next {
            if control
                .heads(loc)
                .iter()
                .zip(control.counts(stack))
                .any(|(head, count)| self.assumes(*head, count))
            {
                return true;
            }
            next = control.frame(stack).caller.map(|(below, edge)| (program.edges[edge].src, below));
        }
        false
    }

    fn assumes(&self, head: LocId, count: u32) -> bool {
        self.are_about(head) && (self.iterations..2 * self.iterations).contains(&count)
    }
}
