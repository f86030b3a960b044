//! Call strings of which the topmost call may be popped: what a function may do is known then, so that an execution
//! goes on behind the call without the function's being explored once more.

use crate::call_strings::CallStrings;
use crate::control::Control;
use crate::ensures::{EnsuredBy, Ensures, study};
use crate::place::{Frame, Place, StackId, Steps};
use beeline_graph::{EffectMap, Effects, Graph};
use beeline_ir::{FuncId, Program};
use beeline_smt::QueryLimits;

/// Call strings with what functions may do.
#[derive(Debug)]
pub(crate) struct Tops {
    strings: CallStrings,
    /// By function.
    effects: Vec<Effects>,
    /// What functions ensure, once they were studied.
    ensured: Option<EnsuredBy>,
}

impl Tops {
    /// Those of a program.
    pub(crate) fn new(program: &Program) -> Tops {
        let graph = Graph::new(program);
        let map = EffectMap::new(&graph);
        let effects = program.functions.keys().map(|func| map.of(&graph, func).clone()).collect();
        Tops { strings: CallStrings::new(program), effects, ensured: None }
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

    fn ensures(&self, func: FuncId) -> Option<&Ensures> {
        self.ensured.as_ref()?.get(&func)
    }

    fn all_ensured(&self) -> EnsuredBy {
        self.ensured.clone().unwrap_or_default()
    }

    fn study(&mut self, program: &Program, limits: &QueryLimits) {
        let Tops { effects, ensured, .. } = self;
        ensured.get_or_insert_with(|| study(program, effects, limits));
    }
}
