//! Calls: the entry into a function, and the return where only its exit is described.

use super::{At, Executor};
use crate::frame::Written;
use crate::place::{Place, Slot};
use crate::state::{Cells, State, Sym};
use beeline_ir::{Callee, EdgeId, FuncId, Value};
use beeline_run::AT_ENTRY;
use beeline_smt::{Memory, Unsupported};
use std::collections::{BTreeMap, BTreeSet};

/// A call of a function described on its own, as its caller sees it.
pub(crate) struct Called {
    /// The caller's state, with the condition of the call in its guard.
    pub state: State,
    callee: FuncId,
    arguments: Vec<Sym>,
}

/// A view of a state from one place, in the slots of another one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SeenFrom {
    /// The place of the state.
    pub from: Place,
    /// The place whose slots are used.
    pub to: Place,
}

/// Values of the calls below the topmost one.
pub(crate) type Below = BTreeMap<Slot, Value>;

impl Executor<'_> {
    /// The arguments of a call of a function. Executions that do not call this function end.
    pub(crate) fn arguments(
        &mut self,
        state: &mut State,
        place: Place,
        edge: EdgeId,
        callee: FuncId,
    ) -> Result<Vec<Sym>, Unsupported> {
        let program = self.program;
        let names = At { program, stacks: self.stacks, place };
        let Some(call) = program.edges[edge].op.as_call() else { return Ok(Vec::new()) };
        if let Callee::Indirect { target, .. } = call.callee {
            let pointer = self.expr(state, names, target)?;
            let width = program.exprs.width(target);
            let calls = match program.functions[callee].addr {
                Some(addr) => pointer.same(&Sym::Value(Value::bv(width, addr)))?,
                None => crate::truth::Truth::Known(false),
            };
            state.guard = state.guard.and(&calls);
        }
        call.args.iter().map(|&argument| self.expr(state, names, argument)).collect()
    }

    /// Enters a function: its parameters and the globals have the values of their ghosts.
    pub(crate) fn enter(&self, state: &mut State, func: FuncId) -> Result<(), Unsupported> {
        let globals = self.program.vars.iter().filter(|(_, var)| var.owner.is_none()).map(|(id, _)| id);
        for var in globals.chain(self.program.functions[func].params.iter().copied()) {
            let ghost = self.slot(state, Slot { var, level: AT_ENTRY })?;
            state.vars.insert(Slot { var, level: 0 }, ghost);
        }
        Ok(())
    }

    /// A call from a state.
    pub(crate) fn call(
        &mut self,
        mut state: State,
        place: Place,
        edge: EdgeId,
        callee: FuncId,
    ) -> Result<Called, Unsupported> {
        self.edge = Some(edge);
        let arguments = self.arguments(&mut state, place, edge, callee)?;
        self.note_entered(&state, callee);
        Ok(Called { state, callee, arguments })
    }

    /// The callee's state at its entry, in some slots: ghosts have the values at the call.
    pub(crate) fn inside_at_entry(
        &mut self,
        called: &Called,
        slots: &BTreeSet<Slot>,
    ) -> Result<State, Unsupported> {
        let mut inside = State { vars: BTreeMap::new(), begun: BTreeMap::new(), ..called.state.clone() };
        for &slot in slots {
            let sym = self.at_call(called, slot)?;
            inside.vars.insert(slot, sym);
        }
        Ok(inside)
    }

    /// The callee's state at its exit, in some slots, and the caller's state after the call. Whatever the
    /// callee may write is new in both, with arbitrary content.
    pub(crate) fn after_exit(
        &mut self,
        called: &Called,
        written: &Written,
        slots: &BTreeSet<Slot>,
    ) -> Result<(State, State), Unsupported> {
        let mut after = called.state.clone();
        for &id in &written.regions {
            let region = &self.program.regions[id];
            let base = self.map(|| Memory::fresh(&format!("{}!after", region.name), region))?;
            after.regions.insert(id, Cells { base, initial: false, over: BTreeMap::new() });
        }
        for &var in &written.vars {
            let any = self.any_of(var)?;
            after.vars.insert(Slot { var, level: 0 }, any);
        }
        let mut inside = State { vars: BTreeMap::new(), begun: BTreeMap::new(), ..after.clone() };
        let ret = self.program.functions[called.callee].ret.map(|var| Slot { var, level: 0 });
        for slot in slots.iter().copied().chain(ret) {
            let is_global = self.program.vars[slot.var].owner.is_none();
            let sym = match (slot.level == AT_ENTRY, is_global) {
                (true, _) => self.at_call(called, slot)?,
                (false, true) => self.slot(&after, slot)?,
                (false, false) => self.any_of(slot.var)?,
            };
            inside.vars.insert(slot, sym);
        }
        Ok((inside, after))
    }

    /// Gives regions, and variables as a place sees them, any content.
    pub(super) fn generalise(
        &self,
        state: &mut State,
        place: Place,
        written: &Written,
    ) -> Result<(), Unsupported> {
        for &id in &written.regions {
            let region = &self.program.regions[id];
            let base = self.map(|| Memory::fresh(&format!("{}!any", region.name), region))?;
            state.regions.insert(id, Cells { base, initial: false, over: BTreeMap::new() });
        }
        for &var in &written.vars {
            let any = self.any_of(var)?;
            state.vars.insert(self.stacks.slot(self.program, place.stack, var), any);
        }
        Ok(())
    }

    /// The state as the topmost call of a place sees it, in the slots that another place has for that call.
    /// The values of the calls below are given, or unknown.
    pub(crate) fn seen_from(
        &mut self,
        state: &State,
        view: SeenFrom,
        slots: &[Slot],
        below: &Below,
    ) -> Result<State, Unsupported> {
        let mut seen = State { vars: BTreeMap::new(), begun: BTreeMap::new(), ..state.clone() };
        let level = self.stacks.top(view.from.stack).level;
        for &slot in slots {
            let sym = if !self.is_below(view, slot) {
                let is_global = self.program.vars[slot.var].owner.is_none();
                self.slot(state, Slot { level: if is_global { 0 } else { level }, ..slot })?
            } else if let Some(value) = below.get(&slot) {
                Sym::Value(value.clone())
            } else {
                self.any_of(slot.var)?
            };
            seen.vars.insert(slot, sym);
        }
        Ok(seen)
    }

    /// Whether a slot of the viewed place belongs to a call below the topmost one.
    pub(crate) fn is_below(&self, view: SeenFrom, slot: Slot) -> bool {
        let top = self.stacks.top(view.to.stack);
        self.program.vars[slot.var].owner.is_some_and(|owner| owner != top.callee || slot.level != top.level)
    }

    /// The caller's state with the result of a call whose callee exits in a state.
    pub(crate) fn with_result(
        &self,
        mut after: State,
        place: Place,
        edge: EdgeId,
        callee: FuncId,
        inside: &State,
    ) -> Result<State, Unsupported> {
        let program = self.program;
        let result = program.functions[callee].ret;
        if let (Some(call), Some(result)) = (program.edges[edge].op.as_call(), result)
            && let Some(var) = call.ret
        {
            let result = self.slot(inside, Slot { var: result, level: 0 })?;
            after.vars.insert(self.stacks.slot(program, place.stack, var), result);
        }
        after.guard = after.guard.and(&inside.guard);
        Ok(after)
    }

    /// The value of a callee's slot at the call: that of a parameter or a global, or any value.
    fn at_call(&self, called: &Called, slot: Slot) -> Result<Sym, Unsupported> {
        if self.program.vars[slot.var].owner.is_none() {
            return self.slot(&called.state, Slot { level: 0, ..slot });
        }
        let params = &self.program.functions[called.callee].params;
        let position = params.iter().position(|&param| param == slot.var);
        match position.and_then(|position| called.arguments.get(position)) {
            Some(argument) => Ok(argument.clone()),
            None => self.any_of(slot.var),
        }
    }

    pub(super) fn any_of(&self, var: beeline_ir::VarId) -> Result<Sym, Unsupported> {
        let variable = &self.program.vars[var];
        self.any(&format!("{}!called", variable.name), variable.ty)
    }
}
