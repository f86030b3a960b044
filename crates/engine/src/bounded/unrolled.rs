//! Unrolled places: a context consists of the open calls, with the iteration of each loop around.
//!
//! No execution is at the same unrolled place twice, and there is an order in which all steps lead forward.

use crate::bounded::constant_execution::through;
use crate::control::Control;
use crate::control::place::{Frame, Place, StackId, Step, Steps};
use crate::outcome::verdict::Context;
use beeline_graph::Nesting;
use beeline_ir::{EdgeId, FuncId, LocId, Op, Program, Range, Value};
use cranelift_entity::{EntityRef, PrimaryMap};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cell::RefCell;
use std::rc::Rc;

/// How often each loop around a location went back to its head, outermost first.
pub(super) type Counts = SmallVec<[u32; 4]>;

/// The key of a context: the context below with the call, the function on top, the counts.
type Key = (Option<(StackId, EdgeId)>, FuncId, Counts);

/// The position of a place in the order.
pub(super) type Rank = Vec<u32>;

/// All contexts met so far, each stored once.
#[derive(Debug)]
pub(super) struct Unrolled {
    nesting: Nesting,
    /// Calls that are one step.
    ranges: FxHashMap<EdgeId, Range>,
    known: RefCell<Known>,
}

#[derive(Debug, Default)]
struct Known {
    contexts: PrimaryMap<StackId, Unrolling>,
    ids: FxHashMap<Key, StackId>,
}

#[derive(Debug)]
struct Unrolling {
    frame: Frame,
    counts: Counts,
    /// The rank of the call that opened it.
    call: Rc<[u32]>,
}

impl Unrolled {
    /// The context of the program's entry function.
    pub(super) fn new(program: &Program) -> Unrolled {
        let (nesting, ranges) = (Nesting::new(program), Range::of_calls(program));
        let unrolled = Unrolled { nesting, ranges, known: RefCell::default() };
        let frame = Frame { caller: None, callee: program.entry, depth: 0, level: 0 };
        unrolled.context(frame, unrolled.at_entry(program, program.entry), Rc::from([]));
        unrolled
    }

    fn at_entry(&self, program: &Program, func: FuncId) -> Counts {
        self.nesting.heads(program.functions[func].entry()).iter().map(|_| 0).collect()
    }

    fn context(&self, frame: Frame, counts: Counts, call: Rc<[u32]>) -> StackId {
        let Known { contexts, ids } = &mut *self.known.borrow_mut();
        let key = (frame.caller, frame.callee, counts);
        if let Some(&id) = ids.get(&key) {
            return id;
        }
        let id = contexts.push(Unrolling { frame, counts: key.2.clone(), call });
        ids.insert(key, id);
        id
    }

    /// The place after an edge of its function that is not a call, or whose call has returned.
    fn after(&self, program: &Program, stack: StackId, edge: EdgeId) -> Place {
        let edge = &program.edges[edge];
        let (frame, counts, call) = {
            let known = &self.known.borrow().contexts[stack];
            let counts: Counts = self.nesting.counts_after(&known.counts, edge.src, edge.dst).collect();
            if counts == known.counts {
                return Place { loc: edge.dst, stack };
            }
            (known.frame, counts, Rc::clone(&known.call))
        };
        Place { loc: edge.dst, stack: self.context(frame, counts, call) }
    }

    fn call(&self, program: &Program, stack: StackId, edge: EdgeId, callee: FuncId) -> Place {
        let level = self.next_level(stack, callee);
        let mut rank = self.rank(Place { loc: program.edges[edge].src, stack });
        rank.extend([edge.index() as u32, callee.index() as u32]);
        let depth = self.frame(stack).depth + 1;
        let frame = Frame { caller: Some((stack, edge)), callee, depth, level };
        let stack = self.context(frame, self.at_entry(program, callee), rank.into());
        Place { loc: program.functions[callee].entry(), stack }
    }

    /// The steps out of a place.
    pub(super) fn leave(&self, program: &Program, place: Place) -> Steps {
        let frame = self.frame(place.stack);
        if place.loc == program.functions[frame.callee].exit {
            let back = |(stack, call)| (Step::Return(call), self.after(program, stack, call));
            return frame.caller.map(back).into_iter().collect();
        }
        let mut steps = Steps::new();
        for id in program.out_edges(place.loc) {
            match &program.edges[id].op {
                Op::Call(call) if !self.ranges.contains_key(&id) => {
                    let enter =
                        |&callee| (Step::Call(id, callee), self.call(program, place.stack, id, callee));
                    steps.extend(call.callee.functions().iter().map(enter));
                }
                _ => steps.push((Step::Edge(id), self.after(program, place.stack, id))),
            }
        }
        steps
    }

    /// The position of a place in the order.
    pub(super) fn rank(&self, place: Place) -> Rank {
        let known = &self.known.borrow().contexts[place.stack];
        let mut rank = known.call.to_vec();
        for (&head, &count) in self.nesting.heads(place.loc).iter().zip(&known.counts) {
            rank.extend([self.nesting.position(head), count]);
        }
        rank.push(self.nesting.position(place.loc));
        rank
    }

    /// At the head of a loop, how often the loop went back to it; at the entry of a function, how many other
    /// activations of it are open.
    pub(super) fn iterations(&self, program: &Program, place: Place) -> u32 {
        let known = &self.known.borrow().contexts[place.stack];
        let of_loop = known.counts.last().copied().filter(|_| self.is_head(place.loc)).unwrap_or(0);
        let begins = place.loc == program.functions[known.frame.callee].entry();
        of_loop.max(if begins { known.frame.level } else { 0 })
    }

    /// Whether a context or one below it has a loop in this iteration, or a recursion at this level.
    pub(super) fn is_in_iteration(&self, mut stack: StackId, iteration: u32) -> bool {
        let contexts = &self.known.borrow().contexts;
        loop {
            let Unrolling { frame, counts, .. } = &contexts[stack];
            if frame.level == iteration || counts.contains(&iteration) {
                return true;
            }
            match frame.caller {
                Some((below, _)) => stack = below,
                None => return false,
            }
        }
    }

    /// How often each loop around went back to its head, in the function on top.
    pub(super) fn counts(&self, stack: StackId) -> Counts {
        self.known.borrow().contexts[stack].counts.clone()
    }

    /// The heads of the loops around a location, outermost first.
    pub(super) fn heads(&self, loc: LocId) -> &[LocId] {
        self.nesting.heads(loc)
    }

    /// Whether the location is the head of a loop.
    pub(super) fn is_head(&self, loc: LocId) -> bool {
        self.nesting.is_head(loc)
    }

    /// All contexts, in the order of their ids.
    pub(super) fn contexts(&self) -> Vec<Context> {
        let known = self.known.borrow();
        let context = |known: &Unrolling| Context { frame: known.frame, counts: known.counts.to_vec() };
        known.contexts.values().map(context).collect()
    }
}

impl Control for Unrolled {
    fn start(&self, program: &Program) -> Place {
        Place { loc: program.functions[program.entry].entry(), stack: StackId::new(0) }
    }

    fn steps(&mut self, program: &Program, place: Place) -> Steps {
        self.leave(program, place)
    }

    fn range(&self, edge: EdgeId) -> Option<Range> {
        self.ranges.get(&edge).copied()
    }

    fn through(
        &self,
        program: &Program,
        from: Place,
        call: EdgeId,
        arguments: &[Value],
    ) -> Vec<(Step, Place)> {
        let callee = program.edges[call].op.as_call().map_or(&[][..], |call| call.callee.functions())[0];
        let first = (Step::Call(call, callee), self.call(program, from.stack, call, callee));
        through(program, callee, arguments, first, |place| self.leave(program, place))
    }

    fn frame(&self, stack: StackId) -> Frame {
        self.known.borrow().contexts[stack].frame
    }

    fn frames(&self) -> Vec<Frame> {
        self.known.borrow().contexts.values().map(|known| known.frame).collect()
    }
}
