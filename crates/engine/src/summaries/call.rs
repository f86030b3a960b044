//! Calls as formulas, where functions are explored on their own: reduction to a context, and expansion from
//! its exit.

use super::intraprocedural::{at_entry, now, place, with_ghosts};
use crate::formula::Executor;
use crate::formula::state::{Sym, SymMemory, SymState};
use crate::values::layered::Layered;
use crate::values::{Key, Values};
use beeline_graph::Effects;
use beeline_ir::{EdgeId, FuncId, Program, VarId};
use beeline_smt::{Memory, Term, Unsupported};
use std::rc::Rc;

/// A call, with the state in which it begins.
pub(super) struct Called {
    /// The caller's state. Its guard says when the call is made.
    pub state: SymState,
    callee: FuncId,
    arguments: Vec<Sym>,
}

impl Called {
    /// The call of a function from a state.
    pub(super) fn new(
        executor: &mut Executor<'_>,
        program: &Program,
        mut state: SymState,
        edge: EdgeId,
        callee: FuncId,
    ) -> Result<Called, Unsupported> {
        let from = place(program, program.edges[edge].src);
        let arguments = executor.arguments(&mut state, from, edge, callee)?;
        Ok(Called { state, callee, arguments })
    }

    /// The value of a variable with a ghost at the call.
    pub(super) fn passed(
        &mut self,
        executor: &mut Executor<'_>,
        program: &Program,
        var: VarId,
    ) -> Result<Sym, Unsupported> {
        let params = &program.functions[self.callee].params;
        match params.iter().position(|&param| param == var).and_then(|index| self.arguments.get(index)) {
            Some(argument) => Ok(argument.clone()),
            None if program.vars[var].owner.is_none() => executor.slot(&mut self.state, now(var)),
            None => fresh(program, var),
        }
    }

    /// The callee's state at its entry.
    pub(super) fn inside(
        &mut self,
        executor: &mut Executor<'_>,
        program: &Program,
    ) -> Result<SymState, Unsupported> {
        let mut inside = self.state.clone();
        inside.vars = Layered::default();
        inside.activations = Layered::default();
        for var in with_ghosts(program, self.callee) {
            let passed = self.passed(executor, program, var)?;
            inside.vars.insert(now(var), passed.clone());
            inside.vars.insert(at_entry(var), passed);
        }
        Ok(inside)
    }

    /// The callee's state at its exit, and the caller's state after the call. Whatever the callee may write
    /// is new in both, with arbitrary content.
    pub(super) fn returned(
        &mut self,
        executor: &mut Executor<'_>,
        program: &Program,
        edge: EdgeId,
        effects: &Effects,
    ) -> Result<(SymState, SymState), Unsupported> {
        let mut inside = self.inside(executor, program)?;
        let mut after = self.state.clone();
        for &var in &effects.writes {
            let any = fresh(program, var)?;
            inside.vars.insert(now(var), any.clone());
            after.vars.insert(now(var), any);
        }
        for &id in &effects.region_writes {
            let region = &program.regions[id];
            let base = Memory::fresh(&format!("{}!after", region.name), region)?;
            let memory = SymMemory { base, initial: false, cells: Rc::default() };
            inside.regions.insert(id, memory.clone());
            after.regions.insert(id, memory);
        }
        for var in program.functions[self.callee].variables() {
            inside.vars.insert(now(var), fresh(program, var)?);
        }
        let call = program.edges[edge].op.as_call();
        if let (Some(var), Some(ret)) = (call.and_then(|call| call.ret), program.functions[self.callee].ret) {
            let result = executor.slot(&mut inside, now(ret))?;
            after.vars.insert(now(var), result);
        }
        Ok((inside, after))
    }
}

/// Gives what the callee may write its known content at the exit, both in the callee's state and after the
/// call.
pub(super) fn known_cells(
    executor: &mut Executor<'_>,
    (inside, after): (&mut SymState, &mut SymState),
    effects: &Effects,
    known: &Values,
) -> Result<(), Unsupported> {
    for (key, value) in known.entries() {
        match key {
            Key::Pristine(region) if effects.region_writes.contains(&region) => {
                executor.make_initial(inside, region)?;
            }
            Key::Cell(region, addr) if effects.region_writes.contains(&region) => {
                executor.set_cell(inside, region, addr, value.cloned())?;
            }
            _ => {}
        }
    }
    for region in &effects.region_writes {
        let memory = executor.region(inside, *region)?;
        after.regions.insert(*region, memory);
    }
    Ok(())
}

/// Enters a function: each variable with a ghost has the value of the ghost.
pub(super) fn enter(
    executor: &mut Executor<'_>,
    program: &Program,
    state: &mut SymState,
    func: FuncId,
) -> Result<(), Unsupported> {
    for var in with_ghosts(program, func) {
        let ghost = executor.slot(state, at_entry(var))?;
        state.vars.insert(now(var), ghost);
    }
    Ok(())
}

fn fresh(program: &Program, var: VarId) -> Result<Sym, Unsupported> {
    let variable = &program.vars[var];
    Term::fresh(&format!("{}!called", variable.name), variable.ty).map(Sym::Term)
}
