//! Call stacks, and the steps from places.

use crate::conditional::{Labels, is_shown};
use crate::frame::Written;
use crate::induction::{Inductions, Invariants};
pub(crate) use crate::step::{Place, Slot, Stack, Step};
use crate::turns::Turns;
use beeline_ir::{EdgeId, FuncId, Op, Program, Range, VarId};
use beeline_run::parts::Remaining;
use beeline_run::{AT_ENTRY, RunAfter, RunLabel, RunProof, RunState, RunSummaries, RunUnrolling};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The top of a stack.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    /// The stack below it and the call; `None` for the entry function.
    pub caller: Option<(Stack, EdgeId)>,
    /// The function on top.
    pub callee: FuncId,
    /// How many activations of the same function are below it.
    pub level: u32,
    /// How often each loop around went back to its head, where iterations are counted.
    counts: Vec<u32>,
    /// The labels of executions with this stack. The stacks below it have none.
    labels: Rc<[RunLabel]>,
}

/// The key of a stack: the stack below with the call, the function on top, the counts, the labels.
type Key = (Option<(Stack, EdgeId)>, FuncId, Vec<u32>, Rc<[RunLabel]>);

/// All call stacks met so far, each stored once.
#[derive(Debug)]
pub(crate) struct Stacks {
    frames: Vec<Frame>,
    ids: FxHashMap<Key, Stack>,
    /// The means to count iterations of loops, if they are counted.
    turns: Option<Turns>,
    /// The loops that are proved by induction.
    inductions: Inductions,
    /// The calls that are one step.
    ranges: FxHashMap<EdgeId, Range>,
    /// Whether each stack begins with a function, whatever its callers.
    contexts: bool,
    /// The labels of residual conditions. A place has one label for each of these.
    rests: Vec<Labels>,
    /// The functions whose calls are popped at their entry.
    popped: FxHashSet<FuncId>,
}

impl Stacks {
    /// The stack of the entry function alone.
    pub(crate) fn new(program: &Program) -> Stacks {
        Stacks::with(program, None)
    }

    fn with(program: &Program, turns: Option<Turns>) -> Stacks {
        let (frames, ids, rests) = (Vec::new(), FxHashMap::default(), Vec::new());
        let (inductions, ranges) = (Inductions::default(), FxHashMap::default());
        let popped = FxHashSet::default();
        let mut stacks = Stacks { frames, ids, turns, inductions, ranges, contexts: false, rests, popped };
        let counts = stacks.first_counts(program, program.entry);
        stacks.stack(None, program.entry, counts);
        stacks
    }

    /// The contexts of a proof by unrolling, as stacks with counted iterations; and the places where the
    /// unrolling ends, in order.
    pub(crate) fn of_unrolling(
        program: &Program,
        proof: &RunUnrolling,
    ) -> Result<(Stacks, Vec<Place>), String> {
        let turns = Turns::new(program);
        let inductions = Inductions::new(program, &turns, proof)?;
        let ranges = Range::of_calls(program);
        let mut stacks = Stacks { inductions, ranges, ..Stacks::with(program, Some(turns)) };
        let mut met: Vec<Stack> = Vec::with_capacity(proof.contexts.len());
        for (index, context) in proof.contexts.iter().enumerate() {
            let wrong = || format!("context {index} does not exist in the program");
            let caller = context.caller.map(|(caller, edge)| (met[caller as usize], edge));
            match caller {
                None if context.callee != program.entry => return Err(wrong()),
                None => {}
                Some((below, edge)) => {
                    let call =
                        program.edges.get(edge).and_then(|edge| edge.op.as_call()).ok_or_else(wrong)?;
                    let owner = program.function_of(program.edges[edge].src);
                    if !call.callee.functions().contains(&context.callee) || owner != stacks.top(below).callee
                    {
                        return Err(wrong());
                    }
                }
            }
            met.push(stacks.stack(caller, context.callee, context.counts.clone()));
        }
        let mut ends = Vec::with_capacity(proof.ends.len());
        for end in &proof.ends {
            let stack = met[end.context as usize];
            if !program.functions[stacks.top(stack).callee].locs.contains(&end.loc.as_u32()) {
                return Err("the unwinding ends at a location outside of its function".into());
            }
            ends.push(Place { loc: end.loc, stack });
        }
        ends.sort_unstable();
        Ok((stacks, ends))
    }

    fn first_counts(&self, program: &Program, func: FuncId) -> Vec<u32> {
        let around =
            self.turns.as_ref().map_or(0, |turns| turns.around(program.functions[func].entry()).len());
        vec![0; around]
    }

    /// The place after an edge of the topmost function that is not a call, or whose call has returned.
    fn after(&mut self, program: &Program, stack: Stack, edge: EdgeId) -> Place {
        let edge = &program.edges[edge];
        let Some(turns) = &self.turns else { return Place { loc: edge.dst, stack } };
        let frame = self.top(stack);
        let counts = turns.after(&frame.counts, edge.src, edge.dst);
        let (caller, callee) = (frame.caller, frame.callee);
        Place { loc: edge.dst, stack: self.stack(caller, callee, counts) }
    }

    fn stack(&mut self, caller: Option<(Stack, EdgeId)>, callee: FuncId, counts: Vec<u32>) -> Stack {
        self.stack_with(caller, callee, counts, Rc::from([]))
    }

    fn stack_with(
        &mut self,
        caller: Option<(Stack, EdgeId)>,
        callee: FuncId,
        counts: Vec<u32>,
        labels: Rc<[RunLabel]>,
    ) -> Stack {
        let key = (caller, callee, counts, labels);
        if let Some(&known) = self.ids.get(&key) {
            return known;
        }
        let below = caller.and_then(|(stack, _)| self.level(stack, callee));
        let level = below.map_or(0, |level| level + 1);
        let id = Stack(u32::try_from(self.frames.len()).expect("fewer than four billion stacks"));
        self.frames.push(Frame { caller, callee, level, counts: key.2.clone(), labels: Rc::clone(&key.3) });
        self.ids.insert(key, id);
        id
    }

    /// The place where a program starts.
    pub(crate) fn start(&mut self, program: &Program) -> Place {
        let plain = Place { loc: program.functions[program.entry].entry(), stack: Stack(0) };
        if self.rests.is_empty() {
            return plain;
        }
        let labels = self.rests.iter().map(Labels::first).collect();
        self.labelled(plain, labels)
    }

    /// The stacks of a program under some residual conditions, if these belong to the program and each relies
    /// on those before it.
    pub(crate) fn after_rests(program: &Program, rests: &[Remaining<'_>]) -> Result<Stacks, String> {
        let mut stacks = Stacks::new(program);
        for &left in rests {
            let places = stacks.places(program, &left.rest.graph, left.rest.after.as_ref())?;
            stacks.rests.push(Labels::new(left, &places));
        }
        Ok(stacks)
    }

    /// The places of the states of a graph, if they are places of the program.
    pub(crate) fn places(
        &mut self,
        program: &Program,
        graph: &RunProof,
        after: Option<&RunAfter>,
    ) -> Result<Vec<Place>, String> {
        let met = self.of_proof(program, graph)?;
        let mut places = Vec::with_capacity(graph.states.len());
        for (index, place) in self.plain_places(program, graph, &met)?.into_iter().enumerate() {
            let labels = after.map_or(&[][..], |after| &after.labels[after.of_states[index] as usize]);
            let fit = labels.len() == self.rests.len()
                && self.rests.iter().zip(labels).all(|(rest, label)| rest.has(label));
            if !fit {
                return Err(format!("state {index} has labels that its earlier results do not have"));
            }
            places.push(self.labelled(place, labels.to_vec()));
        }
        Ok(places)
    }

    /// The places of the states of a graph without labels, if they are places of the program.
    pub(crate) fn plain_places(
        &self,
        program: &Program,
        graph: &RunProof,
        met: &[Stack],
    ) -> Result<Vec<Place>, String> {
        let place = |(index, state): (usize, &RunState)| {
            let stack = met[state.stack as usize];
            let function = &program.functions[self.top(stack).callee];
            if function.locs.contains(&state.loc.as_u32()) {
                Ok(Place { loc: state.loc, stack })
            } else {
                Err(format!("state {index} is at a location outside the function on top of its stack"))
            }
        };
        graph.states.iter().enumerate().map(place).collect()
    }

    /// A place with labels, from one without.
    fn labelled(&mut self, place: Place, labels: Vec<RunLabel>) -> Place {
        let frame = self.top(place.stack).clone();
        let stack = self.stack_with(frame.caller, frame.callee, frame.counts, labels.into());
        Place { stack, ..place }
    }

    /// The labelled place after a step; `None` if the labels show that no target is reached.
    fn labelled_after(&mut self, labels: &[RunLabel], next: Place) -> Option<Place> {
        let mut found = Vec::with_capacity(labels.len());
        for (index, label) in labels.iter().enumerate() {
            let at = self.labelled(next, found.clone());
            let label = self.rests[index].after(label, at);
            if is_shown(&label) {
                return None;
            }
            found.push(label);
        }
        Some(self.labelled(next, found))
    }

    /// The stacks of a proof, if they are stacks of the program.
    fn of_proof(&mut self, program: &Program, proof: &RunProof) -> Result<Vec<Stack>, String> {
        let mut met = Vec::with_capacity(proof.stacks.len());
        for (index, stack) in proof.stacks.iter().enumerate() {
            let Some((caller, edge)) = stack.caller else {
                if stack.callee != program.entry {
                    return Err("the first stack is not that of the entry function".into());
                }
                met.push(Stack(0));
                continue;
            };
            let wrong = || format!("call stack {index} does not exist in the program");
            let below: Stack = met[caller as usize];
            let call = program.edges.get(edge).and_then(|edge| edge.op.as_call()).ok_or_else(wrong)?;
            let calls = call.callee.functions().contains(&stack.callee);
            let owner = program.function_of(program.edges[edge].src);
            if !calls || owner != self.top(below).callee {
                return Err(wrong());
            }
            met.push(self.push(program, below, edge, stack.callee));
        }
        Ok(met)
    }

    /// The contexts of a proof by summaries, as stacks. Two contexts of one function are two stacks.
    pub(crate) fn of_contexts(
        program: &Program,
        proof: &RunSummaries,
    ) -> Result<(Stacks, Vec<Stack>), String> {
        let callees = || proof.graph.stacks.iter().map(|stack| stack.callee);
        if let Some(context) = callees().position(|callee| program.functions.get(callee).is_none()) {
            return Err(format!("context {context} names a function that does not exist"));
        }
        if callees().next() != Some(program.entry) {
            return Err("the first context is not that of the entry function".into());
        }
        let labels: Rc<[RunLabel]> = Rc::from([]);
        let frame = |callee| {
            let labels = Rc::clone(&labels);
            Frame { caller: None, callee, level: 0, counts: Vec::new(), labels }
        };
        let frames: Vec<Frame> = callees().map(frame).collect();
        let stacks = (0..frames.len() as u32).map(Stack).collect();
        let (ids, rests) = (FxHashMap::default(), Vec::new());
        let (inductions, ranges) = (Inductions::default(), FxHashMap::default());
        let popped = FxHashSet::default();
        Ok((Stacks { frames, ids, turns: None, inductions, ranges, contexts: true, rests, popped }, stacks))
    }

    /// The stacks of a function on its own, in which calls of some functions are popped at their entry; and
    /// the place of its own entry.
    pub(crate) fn of_function(
        program: &Program,
        func: FuncId,
        popped: impl IntoIterator<Item = FuncId>,
    ) -> (Stacks, Place) {
        let mut stacks = Stacks { popped: popped.into_iter().collect(), ..Stacks::new(program) };
        let stack = stacks.stack(None, func, Vec::new());
        (stacks, Place { loc: program.functions[func].entry(), stack })
    }

    /// The range operation of the function that an edge calls, if a step along the edge is the whole call.
    pub(crate) fn range(&self, call: EdgeId) -> Option<&Range> {
        self.ranges.get(&call)
    }

    /// Whether functions are described on their own, so that stacks say nothing about their callers.
    pub(crate) fn are_contexts(&self) -> bool {
        self.contexts
    }

    /// The topmost call of a stack.
    pub(crate) fn top(&self, stack: Stack) -> &Frame {
        &self.frames[stack.0 as usize]
    }

    /// A stack with one more call.
    pub(crate) fn push(&mut self, program: &Program, stack: Stack, edge: EdgeId, callee: FuncId) -> Stack {
        let counts = self.first_counts(program, callee);
        self.stack(Some((stack, edge)), callee, counts)
    }

    /// The level of the innermost activation of a function, if there is one.
    pub(crate) fn level(&self, stack: Stack, func: FuncId) -> Option<u32> {
        let mut next = Some(stack);
        while let Some(stack) = next {
            let frame = self.top(stack);
            if frame.callee == func {
                return Some(frame.level);
            }
            next = frame.caller.map(|(below, _)| below);
        }
        None
    }

    /// The slot of a variable as the topmost function sees it.
    pub(crate) fn slot(&self, program: &Program, stack: Stack, var: VarId) -> Slot {
        let level = if program.vars[var].owner.is_some() { self.top(stack).level } else { 0 };
        Slot { var, level }
    }

    /// Whether such a variable exists on the stack.
    pub(crate) fn is_live(&self, program: &Program, stack: Stack, slot: Slot) -> bool {
        if self.contexts && slot.level == AT_ENTRY {
            let is_global = program.vars.get(slot.var).is_some_and(|var| var.owner.is_none());
            return is_global || program.functions[self.top(stack).callee].params.contains(&slot.var);
        }
        match program.vars.get(slot.var).map(|var| var.owner) {
            None => false,
            Some(None) => slot.level == 0,
            Some(Some(owner)) => self.level(stack, owner).is_some_and(|level| slot.level <= level),
        }
    }

    /// The steps out of a place. There are none from targets, from the end of the program, or where a
    /// residual condition shows that no target is reached. Where functions are described on their own, calls
    /// are not steps.
    pub(crate) fn steps(&mut self, program: &Program, place: Place) -> Vec<(Step, Place)> {
        if self.rests.is_empty() {
            let mut steps = self.all_steps(program, place);
            steps.retain(|&(step, next)| self.follows(program, place, step, next));
            return steps;
        }
        let frame = self.top(place.stack).clone();
        let stack = self.stack(frame.caller, frame.callee, frame.counts);
        let steps = self.all_steps(program, Place { stack, ..place });
        let labelled = |(step, next)| Some((step, self.labelled_after(&frame.labels, next)?));
        steps.into_iter().filter_map(labelled).collect()
    }

    /// Whether a step is followed, as far as inductions are concerned.
    fn follows(&self, program: &Program, place: Place, step: Step, next: Place) -> bool {
        let Some(turns) = self.turns.as_ref().filter(|_| !self.inductions.is_empty()) else { return true };
        let from = match step {
            Step::Call(..) => None,
            Step::Edge(_) => Some(place.stack),
            Step::Return(_) | Step::Pop(_) => self.top(place.stack).caller.map(|(below, _)| below),
        };
        let after = (turns.around(next.loc), &self.top(next.stack).counts[..]);
        let goes_on = from.is_none_or(|stack| {
            let before = turns.around(program.edges[step.edge()].src);
            self.inductions.follow((before, &self.top(stack).counts), after)
        });
        let is_target = program.targets.iter().any(|target| target.loc == next.loc);
        goes_on && !(is_target && self.is_assumed(program, place))
    }

    /// Whether a place is in an assumed iteration of a loop around it or around an open call.
    fn is_assumed(&self, program: &Program, place: Place) -> bool {
        let Some(turns) = &self.turns else { return false };
        let mut next = Some((place.loc, place.stack));
        while let Some((loc, stack)) = next {
            let frame = self.top(stack);
            if self.inductions.assume(turns.around(loc), &frame.counts) {
                return true;
            }
            next = frame.caller.map(|(below, edge)| (program.edges[edge].src, below));
        }
        false
    }

    /// What is havocked at a place.
    pub(crate) fn forgets(&self, place: Place) -> Option<&Written> {
        self.inductions.forgets(place.loc, &self.top(place.stack).counts)
    }

    /// The invariants that have to hold at a place, and the stack where the loop was entered.
    pub(crate) fn claimed(&self, place: Place) -> Option<(Invariants<'_>, Stack)> {
        let frame = self.top(place.stack);
        let invariants = self.inductions.invariants(place.loc)?;
        if !self.inductions.claims(place.loc, &frame.counts) {
            return None;
        }
        let mut counts = frame.counts.clone();
        *counts.last_mut()? = 0;
        let key = (frame.caller, frame.callee, counts, Rc::clone(&frame.labels));
        Some((invariants, *self.ids.get(&key)?))
    }

    fn all_steps(&mut self, program: &Program, place: Place) -> Vec<(Step, Place)> {
        let frame = self.top(place.stack);
        let (callee, caller) = (frame.callee, frame.caller);
        if place.loc == program.functions[callee].exit {
            let back = caller.map(|(stack, call)| (Step::Return(call), self.after(program, stack, call)));
            return back.into_iter().collect();
        }
        if let Some((stack, call)) = caller.filter(|_| self.popped.contains(&callee)) {
            return vec![(Step::Pop(call), self.after(program, stack, call))];
        }
        let mut steps = Vec::new();
        for edge in program.out_edges(place.loc) {
            let Op::Call(call) = &program.edges[edge].op else {
                steps.push((Step::Edge(edge), self.after(program, place.stack, edge)));
                continue;
            };
            if self.ranges.contains_key(&edge) {
                steps.push((Step::Edge(edge), self.after(program, place.stack, edge)));
                continue;
            }
            if self.contexts {
                continue;
            }
            for &callee in call.callee.functions() {
                let stack = self.push(program, place.stack, edge, callee);
                let entry = program.functions[callee].entry();
                steps.push((Step::Call(edge, callee), Place { loc: entry, stack }));
            }
        }
        steps
    }
}
