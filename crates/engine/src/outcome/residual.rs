//! The residual condition of a search without an answer: the graph as far as it claims something, and its
//! open states.
//!
//! A later search tracks in which of these states an execution may be, while this may still exclude
//! something. So a state is open if nothing was shown on any path from it to an open state. A loop that was
//! followed iteration by iteration makes paths to targets longer, and the next search would exclude them
//! iteration by iteration again. So a loop in which something is open is open at its head, and the number of
//! states at one location is limited.

use crate::control::place::{Frame, Place};
use crate::options::ToldApart;
use crate::outcome::run::{after_of, proof_of};
use crate::outcome::verdict::{Reason, States};
use beeline_graph::Loops;
use beeline_ir::{LocId, Program};
use beeline_run::{RunOpen, RunRest};
use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, VecDeque};

/// A graph that is not a proof.
pub(crate) struct Unfinished {
    /// Its states, and the edges that may have no result in them.
    pub states: States,
    /// The open states by index, with the reasons.
    pub open: Vec<(usize, Reason)>,
    /// For each state, whether any target can be reached from its place.
    pub matters: Vec<bool>,
    /// For each state, whether it shows that no execution reaches a target at an exit of its block.
    pub shows: Vec<bool>,
    /// The targets.
    pub targets: BTreeSet<LocId>,
}

impl Unfinished {
    /// The residual condition, which distinguishes at most `most`; `None` if it would say nothing.
    pub(crate) fn rest(mut self, program: &Program, most: ToldApart) -> Option<RunRest> {
        let mut reasons = self.why_open();
        let tells = self.tells(&reasons);
        let mut met: FxHashMap<LocId, usize> = FxHashMap::default();
        let mut open = self.initially_open();
        if !most.iterations {
            self.unfinished_loops(program).into_iter().for_each(|index| open[index] = true);
        }
        for (index, state) in self.states.states.iter().enumerate() {
            if reasons[index].is_none() || state.covered_by.is_some() {
                continue;
            }
            let count = met.entry(state.place.loc).or_default();
            *count += usize::from(tells[index]);
            open[index] |= !tells[index] || *count > most.at_location;
        }
        if open[0] {
            return None;
        }
        let kept = self.within(&open);
        let open = kept.iter().zip(0..).filter(|&(&index, _)| open[index]);
        let open = open.filter_map(|(&index, state)| Some(RunOpen { state, reason: reasons[index].take()? }));
        let open = open.collect();
        self.keep(&kept);
        Some(RunRest {
            targets: self.targets.into_iter().collect(),
            graph: proof_of(&self.states),
            open,
            undefined: self.states.undefined.clone(),
            after: after_of(&self.states),
        })
    }

    fn initially_open(&self) -> Vec<bool> {
        let mut open = vec![false; self.states.states.len()];
        self.open.iter().for_each(|&(index, _)| open[index] = true);
        open
    }

    /// The possible successors of a state, including the state that covers it.
    fn next(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        let state = &self.states.states[index];
        state.children.iter().copied().chain(state.covered_by)
    }

    fn before(&self) -> Vec<Vec<usize>> {
        let mut before = vec![Vec::new(); self.states.states.len()];
        (0..before.len()).for_each(|index| self.next(index).for_each(|next| before[next].push(index)));
        before
    }

    /// For each state that leads to an open one, why the nearest open one is open.
    fn why_open(&self) -> Vec<Option<Reason>> {
        let before = self.before();
        let mut reasons: Vec<Option<Reason>> = vec![None; before.len()];
        let mut work: VecDeque<(usize, Reason)> = self.open.iter().cloned().collect();
        while let Some((index, reason)) = work.pop_front() {
            if reasons[index].is_none() {
                work.extend(before[index].iter().map(|&earlier| (earlier, reason.clone())));
                reasons[index] = Some(reason);
            }
        }
        reasons
    }

    /// For each state, whether a path to an open state passes something that was shown.
    fn tells(&self, reasons: &[Option<Reason>]) -> Vec<bool> {
        let open = self.initially_open();
        let is_shown = |index: usize| reasons[index].is_none() && self.matters[index];
        let before = self.before();
        let mut tells = vec![false; before.len()];
        let leads_on = |index: usize| reasons[index].is_some() && !open[index];
        let passes =
            |&index: &usize| leads_on(index) && (self.shows[index] || self.next(index).any(is_shown));
        let mut work: Vec<usize> = (0..before.len()).filter(passes).collect();
        while let Some(index) = work.pop() {
            if !std::mem::replace(&mut tells[index], true) {
                work.extend(before[index].iter().copied().filter(|&earlier| leads_on(earlier)));
            }
        }
        tells
    }

    /// The heads of loops with open states inside: for each, the state where the path first reached the head.
    fn unfinished_loops(&self, program: &Program) -> Vec<usize> {
        let States { states, stacks, .. } = &self.states;
        let (mut loops, open) = (FxHashMap::default(), self.initially_open());
        let mut heads_around = |place: Place| {
            let (mut loc, mut stack, mut heads) = (place.loc, place.stack, Vec::new());
            loop {
                let Frame { caller, callee, .. } = stacks[stack.index()];
                let loops: &Loops = loops.entry(callee).or_insert_with(|| Loops::new(program, callee));
                heads.extend(loops.around(loc).map(|id| loops.get(id).head));
                let Some((below, call)) = caller else { return heads };
                (loc, stack) = (program.edges[call].src, below);
            }
        };
        let (mut found, mut first_at) = (Vec::new(), FxHashMap::default());
        let mut work = vec![(0, false)];
        while let Some((index, is_left)) = work.pop() {
            let place = states[index].place;
            if is_left {
                first_at.remove(&place.loc);
                continue;
            }
            if let Entry::Vacant(first) = first_at.entry(place.loc) {
                first.insert(index);
                work.push((index, true));
            }
            if open[index] {
                found.extend(heads_around(place).iter().filter_map(|head| first_at.get(head)));
            }
            work.extend(states[index].children.iter().map(|&child| (child, false)));
        }
        found
    }

    /// The states before and including the first open ones.
    fn within(&self, open: &[bool]) -> Vec<usize> {
        let mut met = BTreeSet::from([0]);
        let mut work = vec![0];
        while let Some(index) = work.pop() {
            if !open[index] {
                work.extend(self.next(index).filter(|&next| met.insert(next)));
            }
        }
        met.into_iter().collect()
    }

    /// Removes the other states.
    fn keep(&mut self, kept: &[usize]) {
        let number: FxHashMap<usize, usize> = kept.iter().copied().zip(0..).collect();
        let mut index = 0;
        self.states.states.retain(|_| {
            index += 1;
            number.contains_key(&(index - 1))
        });
        for state in &mut self.states.states {
            let children = state.children.iter().filter_map(|child| number.get(child).copied());
            state.children = children.collect();
            state.covered_by = state.covered_by.and_then(|covering| number.get(&covering).copied());
        }
    }
}
