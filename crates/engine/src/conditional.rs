//! Control under a condition: places also say what earlier searches showed of the way that led there.
//!
//! An earlier search that had no answer left a *rest*: abstract states, some of them open. Whoever is in a state that
//! does not lead to an open one gets to no target. So it is followed along the steps in which of the other states an
//! execution was last, its *label*; where none is left, there is no step. Labels are found from the rest alone, as
//! `ir-spec/conditions.md` says, and the checker of proofs finds the same ones.

use crate::call_strings::CallStrings;
use crate::control::Control;
use crate::place::{Frame, Place, StackId, Steps};
use beeline_ir::file::Digest;
use beeline_ir::{LocId, Program};
use beeline_run::{RunCuts, RunLabel, RunProof, RunRest};
use cranelift_entity::{EntityRef, PrimaryMap, entity_impl};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Where a rest is to be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// The file, by the digest of its body; the one that is being made if there is none.
    pub run: Option<Digest>,
    /// Which one of its rests.
    pub rest: u32,
}

/// What an earlier search left.
#[derive(Debug, Clone)]
pub struct Earlier {
    /// Where it is to be found.
    pub link: Link,
    /// The rest itself.
    pub rest: Arc<RunRest>,
}

/// What the stacks of a control stand for: for each its number without labels, and its labels.
#[derive(Debug, Clone)]
pub struct After {
    /// The last rest.
    pub link: Link,
    /// By the number of the stack.
    pub stacks: Vec<(StackId, Vec<RunLabel>)>,
}

/// A label, stored once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct LabelId(u32);
entity_impl!(LabelId);

const OPEN: LabelId = LabelId(0);
const SHOWN: LabelId = LabelId(1);

/// One label for each rest.
type Labels = SmallVec<[LabelId; 2]>;

/// Labels, and the combinations of them that places have.
#[derive(Debug)]
struct LabelPool {
    labels: PrimaryMap<LabelId, RunLabel>,
    ids: FxHashMap<RunLabel, LabelId>,
}

impl LabelPool {
    fn new() -> LabelPool {
        let mut pool = LabelPool { labels: PrimaryMap::new(), ids: FxHashMap::default() };
        pool.id(RunLabel::Open);
        pool.id(RunLabel::Within(Vec::new()));
        pool
    }

    fn id(&mut self, label: RunLabel) -> LabelId {
        if let Some(&id) = self.ids.get(&label) {
            return id;
        }
        let id = self.labels.push(label.clone());
        self.ids.insert(label, id);
        id
    }

    fn within(&mut self, states: BTreeSet<u32>) -> LabelId {
        self.id(RunLabel::Within(states.into_iter().collect()))
    }
}

/// Where an execution is for a rest: a location, a call string, and labels for the rests before.
type Position = (LocId, StackId, Labels);

/// How labels of a rest change.
#[derive(Debug)]
struct Automaton {
    /// Where blocks end besides targets; nothing if everywhere.
    cuts: Option<FxHashSet<LocId>>,
    targets: FxHashSet<LocId>,
    first: LabelId,
    /// For each state, the label where its block ends in a child.
    next: Vec<FxHashMap<Position, LabelId>>,
}

impl Automaton {
    /// That of a rest whose states are at these positions.
    fn new(rest: &RunRest, positions: &[Position], pool: &mut LabelPool) -> Automaton {
        let states = Standing::of(rest);
        let mut next = Vec::with_capacity(positions.len());
        for state in &rest.graph.states {
            let mut by_position: FxHashMap<Position, Vec<u32>> = FxHashMap::default();
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
    fn step(&self, label: LabelId, position: &Position, pool: &mut LabelPool) -> LabelId {
        let RunLabel::Within(states) = &pool.labels[label] else { return OPEN };
        let ends = self.cuts.as_ref().is_none_or(|cuts| cuts.contains(&position.0))
            || self.targets.contains(&position.0);
        let mut after = BTreeSet::new();
        for &state in states {
            match self.next[state as usize].get(position).map(|&next| &pool.labels[next]) {
                Some(RunLabel::Open) => return OPEN,
                Some(RunLabel::Within(children)) => after.extend(children.iter().copied()),
                None if ends => {}
                None => _ = after.insert(state),
            }
        }
        pool.within(after)
    }
}

/// Which states of a rest are open, and which lead to open ones.
struct Standing<'r> {
    rest: &'r RunRest,
    leads_to_open: Vec<bool>,
}

impl Standing<'_> {
    fn of(rest: &RunRest) -> Standing<'_> {
        let graph = &rest.graph;
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); graph.states.len()];
        for (index, state) in graph.states.iter().enumerate() {
            for &next in state.children.iter().chain(&state.covered_by) {
                before[next as usize].push(index);
            }
        }
        let mut leads_to_open = vec![false; graph.states.len()];
        let mut work: Vec<usize> = rest.open.iter().map(|open| open.state as usize).collect();
        while let Some(state) = work.pop() {
            if !std::mem::replace(&mut leads_to_open[state], true) {
                work.extend(&before[state]);
            }
        }
        Standing { rest, leads_to_open }
    }

    /// The label of an execution that is in one of these states.
    fn label(&self, states: &[u32], pool: &mut LabelPool) -> LabelId {
        let mut within = BTreeSet::new();
        for &state in states {
            let covering = self.rest.graph.states[state as usize].covered_by;
            let state = covering.filter(|_| !self.rest.is_open(state as usize)).unwrap_or(state);
            if self.rest.is_open(state as usize) {
                return OPEN;
            }
            if self.leads_to_open[state as usize] {
                within.insert(state);
            }
        }
        pool.within(within)
    }
}

/// A stack with labels.
#[derive(Debug, Clone)]
struct Labelled {
    inner: StackId,
    labels: Labels,
    frame: Frame,
    /// The same one with nothing but open labels.
    plain: StackId,
}

/// A control whose stacks have labels.
#[derive(Debug)]
pub struct Conditional<C> {
    inner: C,
    link: Link,
    /// The call strings that positions name, and those of the inner stacks met so far.
    strings: CallStrings,
    string_of: FxHashMap<StackId, StackId>,
    automata: Vec<Automaton>,
    pool: LabelPool,
    stacks: PrimaryMap<StackId, Labelled>,
    ids: FxHashMap<(StackId, Labels), StackId>,
    start: Place,
}

impl<C: Control> Conditional<C> {
    /// A control after a rest, and after those before it, which come first. These have to be of the program.
    pub fn new(program: &Program, inner: C, last: &Earlier, before: &[Earlier]) -> Conditional<C> {
        let start = inner.start(program);
        let mut conditional = Conditional {
            inner,
            link: last.link,
            strings: CallStrings::new(program),
            string_of: FxHashMap::default(),
            automata: Vec::new(),
            pool: LabelPool::new(),
            stacks: PrimaryMap::new(),
            ids: FxHashMap::default(),
            start,
        };
        for earlier in before.iter().chain([last]) {
            let rest = &earlier.rest;
            let positions = conditional.positions(rest);
            let automaton = Automaton::new(rest, &positions, &mut conditional.pool);
            conditional.automata.push(automaton);
        }
        let labels = conditional.automata.iter().map(|automaton| automaton.first).collect();
        conditional.start.stack = conditional.stack(start.stack, labels);
        conditional
    }

    /// Where the states of a rest are.
    fn positions(&mut self, rest: &RunRest) -> Vec<Position> {
        let RunProof { stacks, states, .. } = &rest.graph;
        let mut strings: Vec<StackId> = Vec::with_capacity(stacks.len());
        for stack in stacks {
            strings.push(match stack.caller {
                None => StackId::new(0),
                Some((caller, edge)) => self.strings.push(strings[caller as usize], edge, stack.callee),
            });
        }
        let mut position = |index: usize| {
            let state = &states[index];
            let after = rest.after.as_ref();
            let labels = after.map_or(&[][..], |after| &after.labels[after.of_states[index] as usize]);
            let labels = labels.iter().map(|label| self.pool.id(label.clone())).collect();
            (state.loc, strings[state.stack as usize], labels)
        };
        (0..states.len()).map(&mut position).collect()
    }

    /// The call string of an inner stack.
    fn string(&mut self, inner: StackId) -> StackId {
        if let Some(&known) = self.string_of.get(&inner) {
            return known;
        }
        let frame = self.inner.frame(inner);
        let string = match frame.caller {
            None => StackId::new(0),
            Some((caller, edge)) => {
                let below = self.string(caller);
                self.strings.push(below, edge, frame.callee)
            }
        };
        self.string_of.insert(inner, string);
        string
    }

    /// An inner stack with labels.
    fn stack(&mut self, inner: StackId, labels: Labels) -> StackId {
        if let Some(&known) = self.ids.get(&(inner, labels.clone())) {
            return known;
        }
        let is_plain = labels.iter().all(|&label| label == OPEN);
        let open: Labels = labels.iter().map(|_| OPEN).collect();
        let (frame, plain) = if is_plain {
            let frame = self.inner.frame(inner);
            // Who calls is known before who is called. What was shown is told by the top alone.
            let caller = frame.caller.map(|(caller, edge)| (self.stack(caller, open), edge));
            (Frame { caller, ..frame }, self.stacks.next_key())
        } else {
            let plain = self.stack(inner, open);
            (self.stacks[plain].frame, plain)
        };
        let id = self.stacks.push(Labelled { inner, labels: labels.clone(), frame, plain });
        self.ids.insert((inner, labels), id);
        id
    }

    /// The labels after a step to a place of the inner control; nothing if no target is reached from there.
    fn after_step(&mut self, labels: &Labels, next: Place) -> Option<Labels> {
        if labels.iter().all(|&label| label == OPEN) {
            return Some(labels.clone());
        }
        let string = self.string(next.stack);
        let mut position = (next.loc, string, Labels::new());
        for (automaton, &label) in self.automata.iter().zip(labels) {
            let label = automaton.step(label, &position, &mut self.pool);
            if label == SHOWN {
                return None;
            }
            position.2.push(label);
        }
        Some(position.2)
    }
}

impl<C: Control> Control for Conditional<C> {
    fn start(&self, _: &Program) -> Place {
        self.start
    }

    fn steps(&mut self, program: &Program, place: Place) -> Steps {
        let Labelled { inner, labels, .. } = self.stacks[place.stack].clone();
        let mut steps = Steps::new();
        for (step, next) in self.inner.steps(program, Place { loc: place.loc, stack: inner }) {
            if let Some(labels) = self.after_step(&labels, next) {
                steps.push((step, Place { loc: next.loc, stack: self.stack(next.stack, labels) }));
            }
        }
        steps
    }

    fn frame(&self, stack: StackId) -> Frame {
        self.stacks[stack].frame
    }

    fn frames(&self) -> Vec<Frame> {
        self.stacks.values().map(|labelled| labelled.frame).collect()
    }

    fn after(&self) -> Option<After> {
        let labels = |labelled: &Labelled| {
            labelled.labels.iter().map(|&label| self.pool.labels[label].clone()).collect::<Vec<_>>()
        };
        let stacks = self.stacks.values().map(|labelled| (labelled.plain, labels(labelled))).collect();
        Some(After { link: self.link, stacks })
    }
}
