//! Labels of executions under a residual condition, and how steps change them.
//!
//! A residual condition claims that an execution that reaches one of its targets was in an open state before.
//! The label of an execution consists of the states that it may be in and that lead to open ones, until it
//! reaches an open one. An execution with an empty label reaches no target. Labels follow from the residual
//! condition alone; that the condition is right is checked like a proof, with no claim for open states. This
//! module is written for the checker alone, as `reach` is.

use crate::step::Place;
use beeline_ir::LocId;
use beeline_run::parts::Remaining;
use beeline_run::{RunCuts, RunLabel};
use rustc_hash::{FxHashMap, FxHashSet};

/// The labels of a residual condition.
#[derive(Debug)]
pub(crate) struct Labels {
    /// Where blocks end besides targets; `None` if everywhere.
    cuts: Option<FxHashSet<LocId>>,
    targets: FxHashSet<LocId>,
    /// For each state, its children by their places.
    children: Vec<FxHashMap<Place, Vec<u32>>>,
    /// The standing of each state.
    standing: Vec<Standing>,
}

/// The standing of a state for labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// Nothing is known of what comes after it.
    Open,
    /// No path from it leads to an open state.
    Shown,
    /// This state leads to an open one: the state itself, or the one that covers it.
    Leads(u32),
}

impl Labels {
    /// The labels of a well-formed residual condition whose states are at these places.
    pub(crate) fn new(left: Remaining<'_>, places: &[Place]) -> Labels {
        let rest = left.rest;
        let states = &rest.graph.states;
        let mut children = vec![FxHashMap::default(); states.len()];
        for (state, children) in states.iter().zip(&mut children) {
            let children: &mut FxHashMap<Place, Vec<u32>> = children;
            for &child in &state.children {
                children.entry(places[child as usize]).or_default().push(child);
            }
        }
        Labels {
            cuts: match &rest.graph.cuts {
                RunCuts::Everywhere => None,
                RunCuts::At(locs) => Some(locs.iter().copied().collect()),
            },
            targets: rest.targets.iter().copied().collect(),
            children,
            standing: standings(left),
        }
    }

    /// The label at the start of the program.
    pub(crate) fn first(&self) -> RunLabel {
        self.of([0])
    }

    /// The label of an execution that is in one of these states.
    fn of(&self, states: impl IntoIterator<Item = u32>) -> RunLabel {
        let mut within = Vec::new();
        for state in states {
            match self.standing[state as usize] {
                Standing::Open => return RunLabel::Open,
                Standing::Shown => {}
                Standing::Leads(state) => within.push(state),
            }
        }
        within.sort_unstable();
        within.dedup();
        RunLabel::Within(within)
    }

    /// The label after a step to a place. The given label has to come from this residual condition.
    pub(crate) fn after(&self, label: &RunLabel, place: Place) -> RunLabel {
        let RunLabel::Within(states) = label else { return RunLabel::Open };
        let ends = self.cuts.as_ref().is_none_or(|cuts| cuts.contains(&place.loc))
            || self.targets.contains(&place.loc);
        let mut met = Vec::new();
        for &state in states {
            match self.children[state as usize].get(&place) {
                Some(children) => met.extend_from_slice(children),
                None if ends => {}
                None => met.push(state),
            }
        }
        self.of(met)
    }

    /// Whether a label can be one of this residual condition.
    pub(crate) fn has(&self, label: &RunLabel) -> bool {
        match label {
            RunLabel::Open => true,
            RunLabel::Within(states) => {
                let leads =
                    |state: &u32| self.standing.get(*state as usize) == Some(&Standing::Leads(*state));
                states.is_sorted_by(|a, b| a < b) && states.iter().all(leads)
            }
        }
    }
}

/// Whether a label shows that no target is reached.
pub(crate) fn is_shown(label: &RunLabel) -> bool {
    matches!(label, RunLabel::Within(states) if states.is_empty())
}

/// The standings of all states. Open states that other parts are about lead nowhere.
fn standings(left: Remaining<'_>) -> Vec<Standing> {
    let states = &left.rest.graph.states;
    let mut leads: Vec<bool> = (0..states.len()).map(|state| left.is_open(state)).collect();
    let mut changed = true;
    while std::mem::take(&mut changed) {
        // Most edges lead to greater numbers.
        for (index, state) in states.iter().enumerate().rev() {
            let next = || state.children.iter().chain(&state.covered_by);
            if !leads[index] && !left.is_of_others(index) && next().any(|&next| leads[next as usize]) {
                leads[index] = true;
                changed = true;
            }
        }
    }
    let of_itself = |index: usize| match (left.is_open(index), leads[index]) {
        (true, _) => Standing::Open,
        (false, true) => Standing::Leads(index as u32),
        (false, false) => Standing::Shown,
    };
    let standing = |index: usize| match states[index].covered_by {
        Some(covering) if !left.rest.is_open(index) => of_itself(covering as usize),
        _ => of_itself(index),
    };
    (0..states.len()).map(standing).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Stack;
    use beeline_ir::FuncId;
    use beeline_run::{Reason, RunFormula, RunOpen, RunProof, RunRest, RunStack, RunState};

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
        let rest = rest();
        let place = |loc| Place { loc, stack: Stack(0) };
        let places: Vec<Place> = rest.graph.states.iter().map(|state| place(state.loc)).collect();
        let labels = Labels::new(Remaining::whole(&rest), &places);
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
            let step = |label, &loc: &u32| labels.after(&label, place(LocId::from_u32(loc)));
            assert_eq!(way.iter().fold(labels.first(), step), expected, "{way:?}");
        }
    }
}
