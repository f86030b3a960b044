//! Control under residual conditions: a place also says what earlier searches showed of the path to it.
//!
//! An earlier search without an answer left a *residual condition*: abstract states, some of them open. An
//! execution in a state that leads to no open state reaches no target. The *label* of an execution says which
//! of the other states it may be in. Steps update the label; where no state remains, there is no step. Labels
//! follow from the residual condition alone, as `ir-spec/conditions.md` says, so the proof checker computes
//! the same ones.

use crate::control::call_strings::CallStrings;
use crate::control::place::{Frame, Place, StackId, Steps};
use crate::control::{After, Control, Link};
use beeline_ir::Program;
use beeline_run::RunRest;
use beeline_run::labels::{Automata, Labels, all_open, open_labels};
use beeline_run::parts::Remaining;
use cranelift_entity::{EntityRef, PrimaryMap};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The residual condition of an earlier search.
#[derive(Debug, Clone)]
pub struct Earlier {
    /// Where it is stored.
    pub link: Link,
    /// The residual condition itself.
    pub rest: Arc<RunRest>,
    /// The open states to search; all of them if `None`.
    pub only: Option<Arc<[u32]>>,
}

impl Earlier {
    /// The open states that remain to be searched.
    fn remaining(&self) -> Remaining<'_> {
        Remaining { rest: &self.rest, only: self.only.as_deref() }
    }
}

/// A call string with labels.
#[derive(Debug, Clone)]
struct Labelled {
    inner: StackId,
    labels: Labels,
    frame: Frame,
    /// The same call string with open labels only.
    plain: StackId,
}

/// A control whose call strings have labels.
#[derive(Debug)]
pub struct Conditional<C> {
    inner: C,
    link: Link,
    /// The call strings that positions refer to, and those of the inner stacks met so far.
    strings: CallStrings,
    string_of: FxHashMap<StackId, StackId>,
    automata: Automata<StackId>,
    stacks: PrimaryMap<StackId, Labelled>,
    ids: FxHashMap<(StackId, Labels), StackId>,
    start: Place,
}

impl<C: Control> Conditional<C> {
    /// A control under a residual condition and those before it, which come first. All have to be of this
    /// program.
    pub fn new(program: &Program, inner: C, last: &Earlier, before: &[Earlier]) -> Conditional<C> {
        let start = inner.start(program);
        let mut strings = CallStrings::new(program);
        let rests = before.iter().chain([last]).map(Earlier::remaining);
        let automata =
            Automata::new(rests, StackId::new(0), |below, call, callee| strings.push(below, call, callee));
        let mut conditional = Conditional {
            inner,
            link: last.link,
            strings,
            string_of: FxHashMap::default(),
            automata,
            stacks: PrimaryMap::new(),
            ids: FxHashMap::default(),
            start,
        };
        let labels = conditional.automata.first();
        conditional.start.stack = conditional.stack(start.stack, labels);
        conditional
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
        let open = open_labels(&labels);
        let (frame, plain) = if all_open(&labels) {
            let frame = self.inner.frame(inner);
            // The caller is stored before its callee. The topmost call alone says what was shown.
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

    /// The labels after a step to a place of the inner control; `None` if no target can be reached from
    /// there.
    fn after_step(&mut self, labels: &Labels, next: Place) -> Option<Labels> {
        if all_open(labels) {
            return Some(labels.clone());
        }
        let string = self.string(next.stack);
        self.automata.step(labels, next.loc, string)
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
        let stacks = self.stacks.values();
        let stacks =
            stacks.map(|labelled| (labelled.plain, self.automata.described(&labelled.labels))).collect();
        Some(After { link: self.link, stacks })
    }
}
