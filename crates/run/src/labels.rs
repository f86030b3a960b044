//! Labels of residual conditions, and how they change along the steps of an execution. A search that
//! continues from residual conditions uses them.
//!
//! Labels follow from the residual conditions alone, as `ir-spec/conditions.md` says. The checker of proofs
//! computes the same ones on its own.

use crate::parts::Remaining;
use crate::proof::RunCuts;
use crate::rest::{RunLabel, RunRest};
use beeline_ir::{EdgeId, FuncId, LocId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::BTreeSet;
use std::hash::Hash;

/// A label, stored once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LabelId(u32);

const OPEN: LabelId = LabelId(0);
const SHOWN: LabelId = LabelId(1);

/// One label for each residual condition, in their order.
pub type Labels = SmallVec<[LabelId; 2]>;

/// Whether the residual conditions exclude nothing.
pub fn all_open(labels: &Labels) -> bool {
    labels.iter().all(|&label| label == OPEN)
}

/// The labels of an execution of which the residual conditions exclude nothing any more.
pub fn open_labels(labels: &Labels) -> Labels {
    labels.iter().map(|_| OPEN).collect()
}

/// The position of an execution in a residual condition: a location, a call string, and labels for the
/// residual conditions before it.
type Position<S> = (LocId, S, Labels);

/// Labels, each stored once.
#[derive(Debug)]
struct LabelPool {
    labels: Vec<RunLabel>,
    ids: FxHashMap<RunLabel, LabelId>,
}

impl LabelPool {
    fn new() -> LabelPool {
        let mut pool = LabelPool { labels: Vec::new(), ids: FxHashMap::default() };
        pool.id(RunLabel::Open);
        pool.id(RunLabel::Within(Vec::new()));
        pool
    }

    fn id(&mut self, label: RunLabel) -> LabelId {
        if let Some(&id) = self.ids.get(&label) {
            return id;
        }
        let id = LabelId(self.labels.len() as u32);
        self.labels.push(label.clone());
        self.ids.insert(label, id);
        id
    }

    fn within(&mut self, states: BTreeSet<u32>) -> LabelId {
        self.id(RunLabel::Within(states.into_iter().collect()))
    }

    fn label(&self, id: LabelId) -> &RunLabel {
        &self.labels[id.0 as usize]
    }
}

/// The automata of a chain of residual conditions: how labels change. `S` is the type of call strings.
#[derive(Debug)]
pub struct Automata<S> {
    automata: Vec<Automaton<S>>,
    pool: LabelPool,
}

impl<S: Copy + Eq + Hash> Automata<S> {
    /// The automata of residual conditions, each of which relies on those before it. `root` is the call
    /// string of the entry function; `push` adds a call to a call string.
    pub fn new<'r>(
        rests: impl IntoIterator<Item = Remaining<'r>>,
        root: S,
        mut push: impl FnMut(S, EdgeId, FuncId) -> S,
    ) -> Automata<S> {
        let mut all = Automata { automata: Vec::new(), pool: LabelPool::new() };
        for rest in rests {
            let positions = all.positions(rest.rest, root, &mut push);
            let automaton = Automaton::new(rest, &positions, &mut all.pool);
            all.automata.push(automaton);
        }
        all
    }

    /// The positions of the states of a residual condition.
    fn positions(
        &mut self,
        rest: &RunRest,
        root: S,
        push: &mut impl FnMut(S, EdgeId, FuncId) -> S,
    ) -> Vec<Position<S>> {
        let mut strings: Vec<S> = Vec::with_capacity(rest.graph.stacks.len());
        for stack in &rest.graph.stacks {
            strings.push(match stack.caller {
                None => root,
                Some((caller, edge)) => push(strings[caller as usize], edge, stack.callee),
            });
        }
        let mut position = |index: usize| {
            let state = &rest.graph.states[index];
            let after = rest.after.as_ref();
            let labels = after.map_or(&[][..], |after| &after.labels[after.of_states[index] as usize]);
            let labels = labels.iter().map(|label| self.pool.id(label.clone())).collect();
            (state.loc, strings[state.stack as usize], labels)
        };
        (0..rest.graph.states.len()).map(&mut position).collect()
    }

    /// The labels at the start of the program.
    pub fn first(&self) -> Labels {
        self.automata.iter().map(|automaton| automaton.first).collect()
    }

    /// The labels after a step to a place; `None` if no target is reached from there.
    pub fn step(&mut self, labels: &Labels, loc: LocId, string: S) -> Option<Labels> {
        let mut position = (loc, string, Labels::new());
        for (automaton, &label) in self.automata.iter().zip(labels) {
            let label = automaton.step(label, &position, &mut self.pool);
            if label == SHOWN {
                return None;
            }
            position.2.push(label);
        }
        Some(position.2)
    }

    /// Labels in the form of files.
    pub fn described(&self, labels: &Labels) -> Vec<RunLabel> {
        labels.iter().map(|&label| self.pool.label(label).clone()).collect()
    }
}

/// The automaton of a residual condition: how its labels change.
#[derive(Debug)]
struct Automaton<S> {
    /// Where blocks end besides targets; `None` if everywhere.
    cuts: Option<FxHashSet<LocId>>,
    targets: FxHashSet<LocId>,
    first: LabelId,
    /// For each state, the label where its block ends in a child.
    next: Vec<FxHashMap<Position<S>, LabelId>>,
}

impl<S: Copy + Eq + Hash> Automaton<S> {
    /// The automaton of a residual condition whose states are at these positions.
    fn new(left: Remaining<'_>, positions: &[Position<S>], pool: &mut LabelPool) -> Automaton<S> {
        let (rest, states) = (left.rest, Standing::of(left));
        let mut next = Vec::with_capacity(positions.len());
        for state in &rest.graph.states {
            let mut by_position: FxHashMap<Position<S>, Vec<u32>> = FxHashMap::default();
            for &child in &state.children {
                by_position.entry(positions[child as usize].clone()).or_default().push(child);
            }
            let labelled = by_position.into_iter().map(|(at, children)| (at, states.label(&children, pool)));
            next.push(labelled.collect());
        }
        let cuts = match &rest.graph.cuts {
            RunCuts::Everywhere => None,
            RunCuts::At(locs) => Some(locs.iter().copied().collect()),
        };
        let targets = rest.targets.iter().copied().collect();
        Automaton { cuts, targets, first: states.label(&[0], pool), next }
    }

    /// The label after a step to a position.
    fn step(&self, label: LabelId, position: &Position<S>, pool: &mut LabelPool) -> LabelId {
        let RunLabel::Within(states) = pool.label(label) else { return OPEN };
        let ends = self.cuts.as_ref().is_none_or(|cuts| cuts.contains(&position.0))
            || self.targets.contains(&position.0);
        let mut after = BTreeSet::new();
        for &state in states {
            match self.next[state as usize].get(position).map(|&next| pool.label(next)) {
                Some(RunLabel::Open) => return OPEN,
                Some(RunLabel::Within(children)) => after.extend(children.iter().copied()),
                None if ends => {}
                None => _ = after.insert(state),
            }
        }
        pool.within(after)
    }
}

/// The states of a residual condition that are open, and those that lead to open ones.
struct Standing<'r> {
    left: Remaining<'r>,
    leads_to_open: Vec<bool>,
}

impl Standing<'_> {
    fn of(left: Remaining<'_>) -> Standing<'_> {
        let graph = &left.rest.graph;
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); graph.states.len()];
        for (index, state) in graph.states.iter().enumerate() {
            for &next in state.children.iter().chain(&state.covered_by) {
                before[next as usize].push(index);
            }
        }
        let mut leads_to_open = vec![false; graph.states.len()];
        let mut work: Vec<usize> = (0..graph.states.len()).filter(|&state| left.is_open(state)).collect();
        while let Some(state) = work.pop() {
            // An execution that is first in an open state of another part belongs to that part.
            if !left.is_of_others(state) && !std::mem::replace(&mut leads_to_open[state], true) {
                work.extend(&before[state]);
            }
        }
        Standing { left, leads_to_open }
    }

    /// The label of an execution that is in one of these states.
    fn label(&self, states: &[u32], pool: &mut LabelPool) -> LabelId {
        let mut within = BTreeSet::new();
        for &state in states {
            let covering = self.left.rest.graph.states[state as usize].covered_by;
            let state = covering.filter(|_| !self.left.rest.is_open(state as usize)).unwrap_or(state);
            if self.left.is_open(state as usize) {
                return OPEN;
            }
            if self.leads_to_open[state as usize] {
                within.insert(state);
            }
        }
        pool.within(within)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::{RunFormula, RunProof, RunStack, RunState};
    use crate::{Reason, RunOpen};

    /// A loop that is also reached from another branch, with an open state after it.
    fn rest() -> RunRest {
        let state = |loc, children: &[u32], covered_by| RunState {
            loc: LocId::from_u32(loc),
            stack: 0,
            values: Vec::new(),
            formula: RunFormula::TRUE,
            children: children.to_vec(),
            covered_by,
        };
        let states = vec![
            state(0, &[1, 4], None),
            state(1, &[2, 3], None),
            state(1, &[], Some(1)),
            state(2, &[], None),
            state(3, &[5], None),
            state(1, &[], Some(1)),
            state(4, &[], None),
        ];
        let graph = RunProof {
            cuts: RunCuts::At([1, 2, 3].map(LocId::from_u32).to_vec()),
            stacks: vec![RunStack { caller: None, callee: FuncId::from_u32(0) }],
            exprs: Vec::new(),
            predicates: Vec::new(),
            nodes: Vec::new(),
            states,
            ensures: Vec::new(),
        };
        let open = vec![RunOpen { state: 3, reason: Reason::Time }];
        RunRest { targets: vec![LocId::from_u32(4)], graph, open, undefined: Vec::new(), after: None }
    }

    #[test]
    fn labels_follow_steps() {
        let within = |states: &[u32]| RunLabel::Within(states.to_vec());
        for (way, expected) in [
            (&[][..], within(&[0])),
            // In the block of a state.
            (&[5], within(&[0])),
            (&[1], within(&[1])),
            // The state there counts as the one that covers it.
            (&[1, 1], within(&[1])),
            (&[1, 1, 6], within(&[1])),
            (&[1, 1, 2], RunLabel::Open),
            (&[1, 2, 3, 4], RunLabel::Open),
            // From there only a covered state leads on.
            (&[3], within(&[4])),
            (&[3, 1, 2], RunLabel::Open),
            // No state is there, and none leads to a target.
            (&[2], within(&[])),
            (&[1, 3], within(&[])),
            (&[1, 4], within(&[])),
        ] {
            let rest = rest();
            let mut automata = Automata::new([Remaining::whole(&rest)], 0, |below, _, _| below);
            let mut label = Some(automata.first());
            for &loc in way {
                label = label.and_then(|label| automata.step(&label, LocId::from_u32(loc), 0));
            }
            let found = label.map_or_else(|| vec![within(&[])], |label| automata.described(&label));
            assert_eq!(found, [expected], "{way:?}");
        }
    }
}
