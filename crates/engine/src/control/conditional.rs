//! Control under a condition: places also say what earlier searches showed of the way that led there.
//!
//! An earlier search that had no answer left a *rest*: abstract states, some of them open. Whoever is in a state that
//! does not lead to an open one gets to no target. So it is followed along the steps in which of the other states an
//! execution was last, its *label*; where none is left, there is no step. Labels are found from the rest alone, as
//! `ir-spec/conditions.md` says, and the checker of proofs finds the same ones.

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

/// What an earlier search left.
#[derive(Debug, Clone)]
pub struct Earlier {
    /// Where it is to be found.
    pub link: Link,
    /// The rest itself.
    pub rest: Arc<RunRest>,
    /// The open states that this is about; all if there is none.
    pub only: Option<Arc<[u32]>>,
}

impl Earlier {
    /// What is left of the rest.
    fn remaining(&self) -> Remaining<'_> {
        Remaining { rest: &self.rest, only: self.only.as_deref() }
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
    automata: Automata<StackId>,
    stacks: PrimaryMap<StackId, Labelled>,
    ids: FxHashMap<(StackId, Labels), StackId>,
    start: Place,
}

impl<C: Control> Conditional<C> {
    /// A control after a rest, and after those before it, which come first. These have to be of the program.
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
