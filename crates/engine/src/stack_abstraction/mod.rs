//! Stack abstraction: call strings whose topmost call may be popped. The effects of a function are known
//! then, so an execution goes on after the call without exploring the function once more.

mod inference;

use crate::control::Control;
use crate::control::call_strings::CallStrings;
use crate::control::place::{Frame, Place, StackId, Steps};
use crate::control::postconditions::{PostconditionMap, Postconditions};
use beeline_graph::{EffectMap, Effects, Graph};
use beeline_ir::{FuncId, Program};
use beeline_smt::QueryLimits;
use inference::infer_postconditions;

/// Call strings with the effects of functions.
#[derive(Debug)]
pub(crate) struct StackAbstraction {
    strings: CallStrings,
    /// The effects by function.
    effects: Vec<Effects>,
    /// The postconditions, once they were inferred.
    postconditions: Option<PostconditionMap>,
}

impl StackAbstraction {
    /// The stack abstraction of a program.
    pub(crate) fn new(program: &Program) -> StackAbstraction {
        let graph = Graph::new(program);
        let map = EffectMap::new(&graph);
        let effects = program.functions.keys().map(|func| map.of(&graph, func).clone()).collect();
        StackAbstraction { strings: CallStrings::new(program), effects, postconditions: None }
    }
}

impl Control for StackAbstraction {
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

    fn postconditions(&self, func: FuncId) -> Option<&Postconditions> {
        self.postconditions.as_ref()?.get(&func)
    }

    fn all_postconditions(&self) -> PostconditionMap {
        self.postconditions.clone().unwrap_or_default()
    }

    fn infer_postconditions(&mut self, program: &Program, limits: &QueryLimits) {
        let StackAbstraction { effects, postconditions, .. } = self;
        postconditions.get_or_insert_with(|| infer_postconditions(program, effects, limits));
    }
}
