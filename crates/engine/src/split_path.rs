//! An infeasible path in pieces: what refiners work on.

use crate::control::Control;
use crate::path::Path;
use crate::place::Slot;
use crate::precision::Predicates;
use crate::symbolic::Executor;
use crate::symbolic_state::{Sym, SymMemory, SymState};
use crate::values::{Tracked, reads};
use beeline_ir::{Op, Program, RegionId};
use beeline_smt::decode::Leaves;
use beeline_smt::{Constant, Formula, Memory, Term, Unsupported};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// A path as a sequence of formulas that share constants only at the interfaces between them.
pub struct SplitPath {
    /// Each formula as the parts of a conjunction.
    pub parts: Vec<Vec<Formula>>,
    /// What lies between them.
    pub interfaces: Vec<Interface>,
}

/// The constants that stand for variables and regions at the end of a block.
pub struct Interface {
    terms: BTreeMap<Slot, Term>,
    memories: BTreeMap<RegionId, Memory>,
    /// The constants that were made for the interface.
    pub definitions: Vec<Definition>,
}

/// A part of the formula before an interface that gives a constant its value.
pub struct Definition {
    /// The part.
    pub part: Formula,
    /// The constant.
    pub constant: Constant,
    /// What it is equal to.
    pub value: Constant,
}

impl Interface {
    /// The constants of the interface.
    pub fn constants(&self) -> Vec<Constant> {
        let terms = self.terms.values().cloned().map(Constant::Term);
        terms.chain(self.memories.values().cloned().map(Constant::Memory)).collect()
    }

    /// The constants as what they stand for.
    pub fn leaves(&self, program: &Program, predicates: &mut Predicates) -> Leaves {
        let mut leaves = Leaves::default();
        for (&slot, term) in self.terms.iter().rev() {
            leaves.term(term.clone(), predicates.slot_expr(program, slot));
        }
        for (&region, memory) in &self.memories {
            leaves.memory(memory.clone(), region, program.regions[region].cell);
        }
        leaves
    }
}

impl SplitPath {
    /// The formulas of a path.
    pub fn new(program: &Program, control: &dyn Control, path: &Path) -> Result<SplitPath, Unsupported> {
        let mut executor = Executor::new(program, control, false);
        let mut state = executor.start();
        // What is used later has to have a constant at every earlier interface.
        for what in used(program, path) {
            match what {
                Tracked::Var(var) if program.vars[var].owner.is_none() => {
                    executor.slot(&mut state, Slot { var, level: 0 })?;
                }
                Tracked::Var(_) => {}
                Tracked::Region(region) => drop(executor.flat_region(&mut state, region)?),
            }
        }
        let mut all_parts = Vec::new();
        let mut interfaces = Vec::new();
        for (index, (block, exit)) in path.blocks.iter().enumerate() {
            state = executor.block(block, state, *exit)?.state;
            let mut parts = state.guard.conjuncts();
            if index + 1 < path.blocks.len() {
                interfaces.push(rename(program, &mut executor, &mut state, &mut parts)?);
            }
            state.guard = Formula::constant(true);
            all_parts.push(parts);
        }
        all_parts[0].extend(executor.facts.iter().flat_map(Formula::conjuncts));
        Ok(SplitPath { parts: all_parts, interfaces })
    }
}

/// All variables and regions that the steps of a path read.
fn used(program: &Program, path: &Path) -> Vec<Tracked> {
    let mut used = FxHashSet::default();
    for edge in path.blocks.iter().flat_map(|(block, _)| &block.edges) {
        let op = &program.edges[edge.step.edge()].op;
        op.expressions().into_iter().for_each(|expr| reads(program, expr, &mut used));
        if let Op::Store { region, .. } = op {
            used.insert(Tracked::Region(*region));
        }
    }
    let mut list: Vec<Tracked> = used.into_iter().collect();
    list.sort_unstable();
    list
}

/// Gives a constant to each variable and region whose content is a larger term.
fn rename(
    program: &Program,
    executor: &mut Executor<'_>,
    state: &mut SymState,
    parts: &mut Vec<Formula>,
) -> Result<Interface, Unsupported> {
    let mut interface =
        Interface { terms: BTreeMap::new(), memories: BTreeMap::new(), definitions: Vec::new() };
    for slot in state.vars.keys() {
        let mut term = executor.slot(state, slot)?.term()?;
        if !term.is_symbol() {
            let var = &program.vars[slot.var];
            let fresh = Term::fresh(&format!("{}!cut", var.name), var.ty)?;
            interface.definitions.push(Definition {
                part: fresh.same(&term),
                constant: Constant::Term(fresh.clone()),
                value: Constant::Term(term),
            });
            term = fresh;
        }
        state.vars.insert(slot, Sym::Term(term.clone()));
        interface.terms.insert(slot, term);
    }
    for id in state.regions.keys() {
        let mut base = executor.flat_region(state, id)?;
        if !base.is_symbol() {
            let region = &program.regions[id];
            let fresh = Memory::fresh(&format!("{}!cut", region.name), region)?;
            interface.definitions.push(Definition {
                part: fresh.same(&base),
                constant: Constant::Memory(fresh.clone()),
                value: Constant::Memory(base),
            });
            base = fresh;
        }
        interface.memories.insert(id, base.clone());
        state.regions.insert(id, SymMemory { base, initial: false, cells: BTreeMap::new() });
    }
    parts.extend(interface.definitions.iter().map(|definition| definition.part.clone()));
    Ok(interface)
}
