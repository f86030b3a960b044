//! Call strings: a place consists of a location and all open calls.

use crate::control::Control;
use crate::control::place::{Frame, Place, StackId, Step, Steps};
use beeline_ir::{EdgeId, FuncId, Op, Program};
use cranelift_entity::{EntityRef, PrimaryMap};
use rustc_hash::FxHashMap;

/// All call strings met so far, each stored once.
#[derive(Debug)]
pub struct CallStrings {
    frames: PrimaryMap<StackId, Frame>,
    ids: FxHashMap<(StackId, EdgeId, FuncId), StackId>,
}

impl CallStrings {
    /// The call string of the program's entry function.
    pub fn new(program: &Program) -> CallStrings {
        CallStrings::of(program.entry)
    }

    /// The call string of a function on its own.
    pub(crate) fn of(callee: FuncId) -> CallStrings {
        let mut frames = PrimaryMap::new();
        frames.push(Frame { caller: None, callee, depth: 0, level: 0 });
        CallStrings { frames, ids: FxHashMap::default() }
    }

    /// A call string with one more call.
    pub(crate) fn push(&mut self, stack: StackId, call: EdgeId, callee: FuncId) -> StackId {
        if let Some(&id) = self.ids.get(&(stack, call, callee)) {
            return id;
        }
        let level = self.next_level(stack, callee);
        let depth = self.frames[stack].depth + 1;
        let id = self.frames.push(Frame { caller: Some((stack, call)), callee, depth, level });
        self.ids.insert((stack, call, callee), id);
        id
    }
}

impl Control for CallStrings {
    fn start(&self, program: &Program) -> Place {
        Place { loc: program.functions[program.entry].entry(), stack: StackId::new(0) }
    }

    fn frame(&self, stack: StackId) -> Frame {
        self.frames[stack]
    }

    fn frames(&self) -> Vec<Frame> {
        self.frames.values().copied().collect()
    }

    fn steps(&mut self, program: &Program, place: Place) -> Steps {
        let mut steps = Steps::new();
        let frame = &self.frames[place.stack];
        if place.loc == program.functions[frame.callee].exit {
            if let Some((stack, call)) = frame.caller {
                steps.push((Step::Return(call), Place { loc: program.edges[call].dst, stack }));
            }
            return steps;
        }
        for id in program.out_edges(place.loc) {
            let edge = &program.edges[id];
            let Op::Call(call) = &edge.op else {
                steps.push((Step::Edge(id), Place { loc: edge.dst, stack: place.stack }));
                continue;
            };
            for &callee in call.callee.functions() {
                let stack = self.push(place.stack, id, callee);
                steps.push((Step::Call(id, callee), Place { loc: program.functions[callee].entry(), stack }));
            }
        }
        steps
    }
}
