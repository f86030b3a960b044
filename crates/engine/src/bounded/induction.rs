//! Induction over the turns of loops, within one unrolling.
//!
//! A loop goes on for `k` turns as in the program. Where it begins anew for the `k`-th time, what it may write is
//! forgotten; `k` turns follow of which nothing is asked and that do not leave the loop; the one after these is the
//! last. If nothing is found in the turns before and in the last one, there is nothing in any: see `ir-spec/proofs.md`.

use super::explore::{Bounds, Reached, Setting, Unrolling};
use super::unrolled::Unrolled;
use super::{FIRST, Search, TICKS_OF_A_GATE};
use crate::control::Control;
use crate::place::{Place, Slot, Step};
use crate::verdict::{self, Proof};
use beeline_graph::{EffectMap, Graph};
use beeline_ir::{LocId, Op, Program, RegionId, VarId};
use beeline_smt::solver::{decide_once, gates};
use beeline_smt::{Formula, QueryLimits, TICKS_PER_SECOND};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use tracing::info;

/// Over how many turns inductions go.
const TURNS: [u32; 2] = [1, 3];
/// What they may use where what was used up to now is less.
const LEAST: u64 = TICKS_PER_SECOND / 2;

impl Search<'_, '_> {
    /// Shows by induction over the turns of some loops, and of those that turn out to go on beside them, that no open
    /// target is reached. That may use as much as was used up to now, or a little.
    pub(super) fn induct(&mut self, heads: &BTreeSet<LocId>) -> bool {
        let most = self.meter.used().max(LEAST);
        let until = self.meter.used().saturating_add(most);
        let limits = QueryLimits::of(self.options.query_ticks, Rc::clone(&self.meter)).within(most);
        let shown = TURNS.into_iter().any(|turns| {
            let mut heads = heads.clone();
            while !heads.is_empty()
                && heads.iter().all(|&head| is_entered_at(self.program, self.control, head))
            {
                let before = heads.len();
                match self.induction(&heads, turns, (&limits, until)) {
                    Some(Attempt::Shown(proof)) => {
                        info!(turns, loops = before, "no target is reached, by induction");
                        self.answers.open_excluded(Proof::Unrolling(Box::new(proof)));
                        return true;
                    }
                    Some(Attempt::GoesOn(more)) => heads.extend(more),
                    None => return false,
                }
                if heads.len() == before {
                    return false;
                }
            }
            false
        });
        self.statistics.add_queries(&limits);
        shown
    }

    fn induction(
        &mut self,
        heads: &BTreeSet<LocId>,
        turns: u32,
        (limits, until): (&QueryLimits, u64),
    ) -> Option<Attempt> {
        let program = self.program;
        let inductions = Inductions::new(program, self.control, heads, turns);
        let bounds = Bounds { turns: FIRST, of: FxHashMap::default(), forced: FIRST };
        let setting = Setting {
            program,
            control: self.control,
            meter: &self.meter,
            until,
            monitor: self.monitor,
            query_ticks: self.options.query_ticks,
            bounds: &bounds,
            inductions: &inductions,
            left_out: &self.left_out,
        };
        let mut unrolling = Unrolling::new(setting, self.distances);
        unrolling.run().ok()?;
        let ends = unrolling.ends();
        let Unrolling { executor, block, done, reached, parked, .. } = unrolling;
        if !parked.is_empty() {
            return Some(Attempt::GoesOn(parked.iter().map(|at| block.nodes[at.node].loc).collect()));
        }
        // An operation without a result ends an execution as a target does.
        let source = |edge: usize| block.nodes[block.edges[edge].src];
        let undefined = done.undefined.iter();
        let undefined =
            undefined.filter(|(edge, _)| !inductions.assume(program, self.control, source(**edge)));
        let met = reached.into_iter().map(|Reached { guard, .. }| guard);
        let mut formulas = executor.facts;
        formulas.push(Formula::any(met.chain(undefined.map(|(_, when)| when.formula()))));
        let made = gates(&formulas) * TICKS_OF_A_GATE;
        if self.meter.used().saturating_add(made) > until {
            return None;
        }
        self.meter.charge(made);
        decide_once(&formulas, limits).is_unsat().then(|| {
            let inductions = heads.iter().map(|&head| (head, turns)).collect();
            let (contexts, places) = (self.control.contexts(), block.nodes.len());
            Attempt::Shown(verdict::Unrolling { contexts, ends, places, inductions, undefined: Vec::new() })
        })
    }
}

/// What came of an unrolling with inductions.
enum Attempt {
    /// No target is reached.
    Shown(verdict::Unrolling),
    /// These loops or recursions go on.
    GoesOn(BTreeSet<LocId>),
}

/// The loops that are argued about by induction.
#[derive(Debug, Default)]
pub(super) struct Inductions {
    turns: u32,
    /// What a turn of each may write, by head.
    of: FxHashMap<LocId, Written>,
}

/// What a turn may write.
#[derive(Debug, Default)]
pub(super) struct Written {
    pub vars: BTreeSet<VarId>,
    pub regions: BTreeSet<RegionId>,
}

impl Inductions {
    fn new(program: &Program, control: &Unrolled, heads: &BTreeSet<LocId>, turns: u32) -> Inductions {
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
        Inductions { turns, of: heads.iter().map(|&head| (head, written(head))).collect() }
    }

    /// Is the location the head of one of them?
    pub(super) fn are_about(&self, head: LocId) -> bool {
        self.of.contains_key(&head)
    }

    /// The slots and regions that are forgotten where an execution gets to a place.
    pub(super) fn forgets(
        &self,
        program: &Program,
        control: &Unrolled,
        place: Place,
    ) -> Option<(Vec<Slot>, &BTreeSet<RegionId>)> {
        let written = self.of.get(&place.loc)?;
        let is_begin = control.counts(place.stack).last() == Some(&self.turns);
        let slot = |&var: &VarId| control.slot(program, place.stack, var);
        is_begin.then(|| (written.vars.iter().map(slot).collect(), &written.regions))
    }

    /// Does a turn begin at the place that comes after the last one? The step to it belongs to the last turn, and what
    /// that has no result for counts.
    pub(super) fn is_over(&self, control: &Unrolled, place: Place) -> bool {
        self.are_about(place.loc)
            && control.counts(place.stack).last().is_some_and(|&count| count > 2 * self.turns)
    }

    /// Does a step count? No turn that is assumed leaves its loop or gets to a target.
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

    /// Is a place in a turn that is assumed, of a loop around it or around a call that is open?
    fn assume(&self, program: &Program, control: &Unrolled, place: Place) -> bool {
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
        self.are_about(head) && (self.turns..2 * self.turns).contains(&count)
    }
}

/// Is the location the head of a loop to which each way into the loop leads?
fn is_entered_at(program: &Program, control: &Unrolled, head: LocId) -> bool {
    let is_inside = |loc: LocId| control.heads(loc).contains(&head);
    let begins = |entry: LocId| is_inside(entry) && entry != head;
    let enters = |src: LocId, dst: LocId| dst != head && is_inside(dst) && !is_inside(src);
    control.is_head(head)
        && !program.functions.values().any(|function| begins(function.entry()))
        && !program.edges.values().any(|edge| enters(edge.src, edge.dst))
}
