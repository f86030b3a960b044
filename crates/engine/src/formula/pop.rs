//! Popped calls: leaving a function without following it to its end. What it cannot write stays as it was,
//! and its postconditions hold.

use super::Executor;
use crate::control::place::{Frame, Place, Slot};
use crate::control::postconditions::{Postconditions, Subject};
use crate::formula::state::{Sym, SymMemory, SymState};
use beeline_ir::{EdgeId, Expr, ExprId, FuncId, Program, RegionId};
use beeline_smt::{Memory, Term, Unsupported};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The terms of subjects.
type Seen = FxHashMap<Subject, Term>;

impl Executor<'_> {
    /// Pops a call at a place inside of it.
    pub(super) fn pop(
        &mut self,
        state: &mut SymState,
        from: Place,
        edge: EdgeId,
        to: Place,
    ) -> Result<(), Unsupported> {
        let (program, control) = (self.program, self.control);
        let Frame { callee, level, .. } = control.frame(from.stack);
        let effects = control.effects(callee);
        let effects = effects.ok_or_else(|| Unsupported("a call of which no effects are known".into()))?;
        let postconditions = control.postconditions(callee);
        let mut seen = Seen::default();
        if let Some(postconditions) = postconditions {
            self.passed(state, from, edge, to)?;
            self.before(state, from, postconditions, &mut seen)?;
        }
        for var in program.functions[callee].variables() {
            state.vars.remove(&Slot { var, level });
        }
        state.activations.remove(&(callee, level));
        let written = effects.writes.iter().map(|&var| Slot { var, level: 0 });
        self.forget(state, written, &effects.region_writes)?;
        let result = program.edges[edge].op.as_call().and_then(|call| call.ret);
        let result = result.map(|var| control.slot(program, to.stack, var));
        let any = |slot: Slot| Ok((slot, Term::fresh("result", program.vars[slot.var].ty)?));
        let result = result.map(any).transpose()?;
        if let Some(postconditions) = postconditions {
            self.after(state, result.as_ref().map(|(_, term)| term), postconditions, &mut seen)?;
            state.guard = state.guard.and(&postconditions.hold(|subject| seen[&subject].clone()));
        }
        // After the postconditions: the result may be assigned to a global that they are about.
        state.vars.extend(result.map(|(slot, term)| (slot, Sym::Term(term))));
        Ok(())
    }

    /// Assumes the postconditions of a function that returns, and that its parameters have the values that
    /// the call passed.
    pub(super) fn ensure(
        &mut self,
        state: &mut SymState,
        from: Place,
        edge: EdgeId,
        to: Place,
    ) -> Result<(), Unsupported> {
        let Frame { callee, level, .. } = self.control.frame(from.stack);
        let Some(postconditions) = self.control.postconditions(callee) else { return Ok(()) };
        self.passed(state, from, edge, to)?;
        let mut seen = Seen::default();
        self.before(state, from, postconditions, &mut seen)?;
        let result = self.program.functions[callee].ret.map(|var| Slot { var, level });
        let result = result.map(|slot| self.slot(state, slot)?.term()).transpose()?;
        self.after(state, result.as_ref(), postconditions, &mut seen)?;
        state.guard = state.guard.and(&postconditions.hold(|subject| seen[&subject].clone()));
        Ok(())
    }

    /// Assumes that the parameters of a function have the values that the call passed, where neither has
    /// changed since.
    fn passed(
        &mut self,
        state: &mut SymState,
        from: Place,
        edge: EdgeId,
        to: Place,
    ) -> Result<(), Unsupported> {
        let program = self.program;
        let Frame { callee, level, .. } = self.control.frame(from.stack);
        let (Some(postconditions), Some(call)) =
            (self.control.postconditions(callee), program.edges[edge].op.as_call())
        else {
            return Ok(());
        };
        let caller = program.function_of(program.edges[edge].src);
        for (&param, &argument) in program.functions[callee].params.iter().zip(&call.args) {
            let is_kept = postconditions.subjects().any(|subject| subject == Subject::Parameter(param));
            if is_kept && is_of_activation(program, caller, argument) {
                let given = self.expr(state, to, argument)?.term()?;
                let held = self.slot(state, Slot { var: param, level })?.term()?;
                state.guard = state.guard.and(&held.same(&given));
            }
        }
        Ok(())
    }

    /// Adds the terms of subjects at the entry of a function that is left.
    fn before(
        &mut self,
        state: &mut SymState,
        from: Place,
        postconditions: &Postconditions,
        seen: &mut Seen,
    ) -> Result<(), Unsupported> {
        let program = self.program;
        let Frame { callee, level, .. } = self.control.frame(from.stack);
        let is_entry = from.loc == program.functions[callee].entry();
        for subject in postconditions.subjects() {
            let term = match subject {
                Subject::Parameter(var) => self.slot(state, Slot { var, level })?.term()?,
                Subject::Before(var) if is_entry => self.slot(state, Slot { var, level: 0 })?.term()?,
                Subject::Before(var) => Term::fresh("before", program.vars[var].ty)?,
                Subject::After(_) | Subject::Result(_) => continue,
            };
            seen.insert(subject, term);
        }
        Ok(())
    }

    /// Adds the terms of subjects at the exit of a function, with its result if it has one.
    fn after(
        &mut self,
        state: &mut SymState,
        result: Option<&Term>,
        postconditions: &Postconditions,
        seen: &mut Seen,
    ) -> Result<(), Unsupported> {
        for subject in postconditions.subjects() {
            let term = match (subject, result) {
                (Subject::After(var), _) => self.slot(state, Slot { var, level: 0 })?.term()?,
                (Subject::Result(_), Some(result)) => result.clone(),
                (Subject::Result(var), None) => Term::fresh("result", self.program.vars[var].ty)?,
                (Subject::Parameter(_) | Subject::Before(_), _) => continue,
            };
            seen.insert(subject, term);
        }
        Ok(())
    }

    /// Gives variables and regions any content.
    pub(crate) fn forget(
        &self,
        state: &mut SymState,
        slots: impl IntoIterator<Item = Slot>,
        regions: &BTreeSet<RegionId>,
    ) -> Result<(), Unsupported> {
        for slot in slots {
            let variable = &self.program.vars[slot.var];
            let any = Term::fresh(&format!("{}!any", variable.name), variable.ty)?;
            state.vars.insert(slot, Sym::Term(any));
        }
        for &id in regions {
            let region = &self.program.regions[id];
            let base = Memory::fresh(&format!("{}!any", region.name), region)?;
            state.regions.insert(id, SymMemory { base, initial: false, cells: Rc::default() });
        }
        Ok(())
    }
}

/// Whether an expression reads only variables of an activation of a function, which keep their values during
/// a call.
fn is_of_activation(program: &Program, func: FuncId, root: ExprId) -> bool {
    program.exprs.parts([root]).all(|(_, node)| match node {
        Expr::Var(var) => program.vars[var].owner == Some(func),
        Expr::Load { .. } => false,
        _ => true,
    })
}
