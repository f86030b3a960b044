//! Postconditions where calls return, and where they are popped.

use super::{At, Executor};
use crate::frame::{Frames, Written};
use crate::place::{Place, Slot};
use crate::state::{State, Sym};
use crate::truth::Truth;
use beeline_ir::{EdgeId, Expr, ExprId, FuncId, Program, VarId};
use beeline_run::AT_ENTRY;
use beeline_smt::Unsupported;
use std::collections::{BTreeMap, BTreeSet};

/// The postconditions of functions, as a proof states them.
pub(crate) trait Postconditions {
    /// The postcondition of a function, as a formula about a state at its exit.
    fn ensured(
        &self,
        executor: &mut Executor<'_>,
        state: &mut State,
        func: FuncId,
    ) -> Result<Truth, Unsupported>;

    /// The slots in a postcondition.
    fn slots_ensured(&self, func: FuncId) -> BTreeSet<Slot>;

    /// Whether a function has a postcondition.
    fn ensures_something(&self, func: FuncId) -> bool;
}

/// What is known of calls that are popped.
#[derive(Clone, Copy)]
pub(crate) struct Popping<'a> {
    /// What they may write.
    pub frames: &'a Frames,
    /// What the proof says of them.
    pub postconditions: &'a dyn Postconditions,
}

impl<'a> Popping<'a> {
    /// What a function may write.
    pub(crate) fn written(&self, func: FuncId) -> &'a Written {
        self.frames.written(func)
    }
}

impl Executor<'_> {
    /// The state after a call that is popped, whatever the function would have done from there on.
    pub(crate) fn popped(
        &mut self,
        mut state: State,
        place: Place,
        behind: Place,
        edge: EdgeId,
    ) -> Result<State, Unsupported> {
        let popping = self.popping.ok_or_else(|| Unsupported("a call that is left".into()))?;
        let (program, frame) = (self.program, self.stacks.top(place.stack));
        let (callee, level) = (frame.callee, frame.level);
        let slots = popping.postconditions.slots_ensured(callee);
        self.passed(&mut state, place, behind, edge)?;
        let at_begin = self.at_begin(&state, place, &slots)?;
        self.forget(&mut state, callee, level);
        self.generalise(&mut state, behind, popping.written(callee))?;
        let result = program.functions[callee].ret.map(|ret| self.any_of(ret)).transpose()?;
        self.assume_ensured(&mut state, popping, callee, (at_begin, result.clone(), &slots))?;
        // After the postconditions: the result may be assigned to a global that they are about.
        if let Some(var) = program.edges[edge].op.as_call().and_then(|call| call.ret) {
            let result = result.map_or_else(|| self.any_of(var), Ok)?;
            state.vars.insert(self.stacks.slot(program, behind.stack, var), result);
        }
        Ok(state)
    }

    /// Assumes the postconditions of a function that returns.
    pub(super) fn ensure(
        &mut self,
        state: &mut State,
        from: Place,
        to: Place,
        edge: EdgeId,
    ) -> Result<(), Unsupported> {
        let Some(popping) = self.popping else { return Ok(()) };
        let frame = self.stacks.top(from.stack);
        let (callee, level) = (frame.callee, frame.level);
        if !popping.postconditions.ensures_something(callee) {
            return Ok(());
        }
        let slots = popping.postconditions.slots_ensured(callee);
        self.passed(state, from, to, edge)?;
        let at_begin = self.at_begin(state, from, &slots)?;
        let ret = self.program.functions[callee].ret;
        let result = ret.map(|var| self.slot(state, Slot { var, level })).transpose()?;
        self.assume_ensured(state, popping, callee, (at_begin, result, &slots))
    }

    /// Assumes the postconditions of a function that has returned with a result.
    fn assume_ensured(
        &mut self,
        state: &mut State,
        popping: Popping<'_>,
        callee: FuncId,
        (mut vars, result, slots): (BTreeMap<Slot, Sym>, Option<Sym>, &BTreeSet<Slot>),
    ) -> Result<(), Unsupported> {
        let program = self.program;
        for &slot in slots.iter().filter(|slot| slot.level != AT_ENTRY) {
            let is_global = program.vars[slot.var].owner.is_none();
            let is_result = program.functions[callee].ret == Some(slot.var);
            let sym = match &result {
                _ if is_global && slot.level == 0 => self.slot(state, slot)?,
                Some(result) if is_result && slot.level == 0 => result.clone(),
                _ => self.any_of(slot.var)?,
            };
            vars.insert(slot, sym);
        }
        let mut inside = State { vars, begun: BTreeMap::new(), ..state.clone() };
        let ensured = popping.postconditions.ensured(self, &mut inside, callee)?;
        state.guard = inside.guard.and(&ensured);
        Ok(())
    }

    /// Assumes that parameters that nothing writes have the values that the call passed. The caller's own
    /// variables have not changed since.
    fn passed(&mut self, state: &mut State, from: Place, to: Place, edge: EdgeId) -> Result<(), Unsupported> {
        let program = self.program;
        let frame = self.stacks.top(from.stack);
        let (callee, level) = (frame.callee, frame.level);
        let Some(call) = program.edges[edge].op.as_call() else { return Ok(()) };
        let caller = self.stacks.top(to.stack).callee;
        let names = At { program, stacks: self.stacks, place: to };
        for (&var, &argument) in program.functions[callee].params.iter().zip(&call.args) {
            if !is_written(program, callee, var) && reads_only(program, caller, argument) {
                let given = self.expr(state, names, argument)?;
                let same = self.slot(state, Slot { var, level })?.same(&given)?;
                state.guard = state.guard.and(&same);
            }
        }
        Ok(())
    }

    /// The ghosts of the topmost activation as far as they are known: those of parameters that nothing
    /// writes, and those of globals at the entry.
    fn at_begin(
        &self,
        state: &State,
        place: Place,
        slots: &BTreeSet<Slot>,
    ) -> Result<BTreeMap<Slot, Sym>, Unsupported> {
        let (program, frame) = (self.program, self.stacks.top(place.stack));
        let function = &program.functions[frame.callee];
        let begins = place.loc == function.entry() && begins_once(program, frame.callee);
        let mut vars = BTreeMap::new();
        for &slot in slots.iter().filter(|slot| slot.level == AT_ENTRY) {
            let var = slot.var;
            let is_global = program.vars[var].owner.is_none();
            let is_kept = function.params.contains(&var) && !is_written(program, frame.callee, var);
            let sym = match (is_global && begins, is_kept) {
                (true, _) => self.slot(state, Slot { var, level: 0 })?,
                (_, true) => self.slot(state, Slot { var, level: frame.level })?,
                _ => self.any_of(var)?,
            };
            vars.insert(slot, sym);
        }
        Ok(vars)
    }
}

/// Whether an expression reads only variables of a function.
fn reads_only(program: &Program, func: FuncId, root: ExprId) -> bool {
    program.exprs.parts([root]).all(|(_, node)| match node {
        Expr::Var(var) => program.vars[var].owner == Some(func),
        Expr::Load { .. } => false,
        _ => true,
    })
}

/// Whether an execution of a function is at its entry only once.
fn begins_once(program: &Program, func: FuncId) -> bool {
    let entry = program.functions[func].entry();
    !program.edges.values().any(|edge| edge.dst == entry && program.function_of(edge.src) == func)
}

/// Whether an operation of a function writes one of its variables.
fn is_written(program: &Program, func: FuncId, var: VarId) -> bool {
    let of_function = |edge: &&beeline_ir::Edge| program.function_of(edge.src) == func;
    program.edges.values().filter(of_function).any(|edge| edge.op.writes().contains(&var))
}
