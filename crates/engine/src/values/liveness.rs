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
    incoming: InEdges,
    functions: RefCell<FxHashMap<FuncId, Rc<Vec<Live>>>>,
}

impl LiveVariables {
    /// Knows of no function yet.
    pub(crate) fn new(program: &Program) -> LiveVariables {
        LiveVariables { incoming: program.in_edges(), functions: RefCell::default() }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::call_strings::CallStrings;
    use crate::values::Everything;
    use beeline_ir::Value;

    #[test]
    fn only_what_is_read_again_is_kept() {
        let text = "beeline 1.0
global g: i32 := 0
fn f(p: i32) -> r: i32 {
  var l: i32
  first: l := p
  return l
  done: exit
}
fn main() {
  var x: i32, y: i32, z: i32, result: i32
  first: y := x
  result := call f(y)
  z := result + x
  g := z
  done: exit
}
";
        let program = beeline_ir::text::parse(text).unwrap_or_else(|faults| panic!("{faults:?}"));
        let live = LiveVariables::new(&program);
        let mut control = CallStrings::new(&program);
        let mut place = control.start(&program);
        let mut values = Values::default();
        for (var, info) in program.vars.iter().filter(|(_, var)| var.owner != Some(FuncId::from_u32(0))) {
            values
                .set(Key::Var(Slot { var, level: 0 }), Some(Value::bv(info.ty.bv_width().unwrap_or(32), 7)));
        }
        let mut kept = Vec::new();
        loop {
            let Some((step, next)) = control.steps(&program, place).into_iter().next() else { break };
            live.forget_dead((&program, &control), &Everything, (step, place, next), &mut values);
            let names = values.entries().filter_map(|(key, _)| match key {
                Key::Var(slot) => Some(program.vars[slot.var].name.as_str()),
                _ => None,
            });
            kept.push(names.collect::<Vec<_>>().join(" "));
            place = next;
        }
        // What a call makes useless to its caller is forgotten at once.
        assert_eq!(kept, ["g x y", "g x", "g x", "g x", "g x", "g", "g"]);
    }
}
