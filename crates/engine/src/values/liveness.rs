//! Which values a step makes useless: those of local variables that are written before they are read again.
//!
//! Without them, states that differ in nothing that matters are one.

use crate::control::Control;
use crate::control::place::{Place, Slot, Step};
use crate::values::{Key, Tracked, Tracking, Values};
use beeline_graph::Liveness;
use beeline_ir::{FuncId, InEdges, LocId, Program, VarId};
use cranelift_entity::EntitySet;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// A tracked variable of a function, with the locations where it is live.
type Live = (VarId, EntitySet<LocId>);

/// The live tracked variables, for one precision. Each function is analysed when a step first leads into it.
#[derive(Debug)]
pub struct LiveVariables {
    incoming: Rc<InEdges>,
    functions: RefCell<FxHashMap<FuncId, Rc<Vec<Live>>>>,
}

impl LiveVariables {
    /// Knows of no function yet.
    pub(crate) fn new(program: &Program) -> LiveVariables {
        LiveVariables { incoming: Rc::new(program.in_edges()), functions: RefCell::default() }
    }

    /// Has to be called when the precision changes.
    pub(crate) fn precision_changes(&mut self) {
        self.functions.get_mut().clear();
    }

    /// Forgets the values that no longer matter after a step.
    ///
    /// Where calls may be popped, postconditions speak of parameters, which are kept.
    pub(crate) fn forget_dead(
        &self,
        (program, control): (&Program, &dyn Control),
        precision: &impl Tracking,
        (step, from, to): (Step, Place, Place),
        values: &mut Values,
    ) {
        let frame = control.frame(to.stack);
        let mut forget = |func: FuncId, level: u32, loc: LocId, result: Option<VarId>| {
            let keeps_params = control.effects(func).is_some();
            for (var, live) in self.of(program, precision, func).iter() {
                let is_kept = keeps_params && program.functions[func].params.contains(var);
                if !is_kept && (!live.contains(loc) || result == Some(*var)) {
                    values.remove(Key::Var(Slot { var: *var, level }));
                }
            }
        };
        forget(frame.callee, frame.level, to.loc, None);
        // The caller goes on where its call returns to, which writes the result.
        if let Step::Call(edge, _) = step
            && let Some(call) = program.edges[edge].op.as_call()
        {
            let caller = control.frame(from.stack);
            forget(caller.callee, caller.level, program.edges[edge].dst, call.ret);
        }
    }

    fn of(&self, program: &Program, precision: &impl Tracking, func: FuncId) -> Rc<Vec<Live>> {
        if let Some(known) = self.functions.borrow().get(&func) {
            return Rc::clone(known);
        }
        let liveness = Liveness::new(program, func);
        let vars = program.functions[func].variables().filter(|&var| precision.tracks(Tracked::Var(var)));
        let list = vars.map(|var| {
            let mut live = EntitySet::new();
            live.extend(liveness.locations(program, &self.incoming, var));
            (var, live)
        });
        let list: Rc<Vec<Live>> = Rc::new(list.collect());
        self.functions.borrow_mut().insert(func, Rc::clone(&list));
        list
    }
}
