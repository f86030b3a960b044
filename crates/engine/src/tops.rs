//! Call strings of which the topmost call may be popped: what a function may do is known then, so that an execution
//! goes on behind the call without the function's being explored once more.

use crate::call_strings::CallStrings;
use crate::control::Control;
use crate::place::{Frame, Place, StackId, Steps};
use beeline_graph::{EffectMap, Effects, Graph};
use beeline_ir::{FuncId, Program};

/// Call strings with what functions may do.
#[derive(Debug)]
pub(crate) struct Tops {
    strings: CallStrings,
    /// By function.
    effects: Vec<Effects>,
}

impl Tops {
    /// Those of a program.
    pub(crate) fn new(program: &Program) -> Tops {
        let graph = Graph::new(program);
        let map = EffectMap::new(&graph);
        let effects = program.functions.keys().map(|func| map.of(&graph, func).clone()).collect();
        Tops { strings: CallStrings::new(program), effects }
    }
}

impl Control for Tops {
    fn start(&self, program: &Program) -> Place {
        self.strings.start(program)
    }

    fn steps(&mut self, program: &Program, place: Place) -> Steps {
        self.strings.steps(program, place)
    }

    fn frame(&self, stack: StackId) -> Frame {
        self.strings.frame(stack)
    }

    fn frames(&self) -> Vec<Frame> {
        self.strings.frames()
    }

    fn effects(&self, func: FuncId) -> Option<&Effects> {
        self.effects.get(func.as_u32() as usize)
    }
}
