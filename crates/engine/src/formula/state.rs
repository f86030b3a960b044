//! Symbolic states: what is known at a place, as values and terms, and what becomes of one in a block.

use crate::control::Control;
use crate::control::place::{Place, Slot};
use crate::values::eval::Environment;
use crate::values::layered::Layered;
use beeline_ir::{FuncId, Program, RegionId, Value, VarId};
use beeline_smt::memory::initial_cell;
use beeline_smt::{Formula, Memory, Term, Unsupported};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A value, or a term where it is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sym {
    /// A value.
    Value(Value),
    /// A term.
    Term(Term),
}

impl Sym {
    /// As a term.
    pub fn term(&self) -> Result<Term, Unsupported> {
        match self {
            Sym::Value(value) => Term::value(value),
            Sym::Term(term) => Ok(term.clone()),
        }
    }
}

/// What a region holds: some cells over a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymMemory {
    /// The map.
    pub base: Memory,
    /// Is the map the region's initial content?
    pub initial: bool,
    /// Cells written since, by address.
    pub cells: BTreeMap<u64, Sym>,
}

/// What is known at a place.
#[derive(Debug, Clone)]
pub struct SymState {
    /// When the place is reached from where the block starts.
    pub guard: Formula,
    /// Variables written or read so far; the others have the constant that their name gives.
    pub vars: Layered<Slot, Sym>,
    /// Regions written or read so far.
    pub regions: Layered<RegionId, SymMemory>,
    /// Which activation, counted over the whole execution, each function's levels are at.
    pub(crate) activations: Layered<(FuncId, u32), u32>,
    /// Zero for the program's start; other numbers tell unrelated starts apart.
    pub(crate) epoch: u32,
}

impl SymState {
    /// Has copies share what is known so far.
    pub(crate) fn settle(&mut self) {
        self.vars.settle();
        self.regions.settle();
        self.activations.settle();
    }
}

/// An unconstrained value that an execution met: what an oracle answers.
#[derive(Debug, Clone)]
pub struct Unwritten {
    /// The variable.
    pub slot: Slot,
    /// Which activation of its function, as the executor counted.
    pub activation: u32,
    /// Its constant.
    pub term: Term,
}

/// What one block became.
#[derive(Debug)]
pub struct Executed {
    /// The state at the exit.
    pub state: SymState,
    /// For each edge of the block on a way to the exit, when it is taken.
    pub guards: FxHashMap<usize, Formula>,
    /// For each edge that havocs a variable, the value it gets.
    pub inputs: FxHashMap<usize, Term>,
    /// For each edge that calls, the number of the activation.
    pub calls: FxHashMap<usize, u32>,
    /// For each edge that havocs a region, the content it gets.
    pub havocked_regions: FxHashMap<usize, Memory>,
    /// For each edge that stands for a call, its arguments.
    pub ranges: FxHashMap<usize, Vec<Sym>>,
    /// Does a way lead to the last node?
    pub(crate) arrives: bool,
    /// For each edge of which an operation may have no result, when that is so.
    pub undefined: FxHashMap<usize, Undefined>,
}

impl Executed {
    /// Nothing was executed yet.
    pub(crate) fn new(state: SymState) -> Executed {
        Executed {
            state,
            guards: FxHashMap::default(),
            inputs: FxHashMap::default(),
            calls: FxHashMap::default(),
            havocked_regions: FxHashMap::default(),
            ranges: FxHashMap::default(),
            arrives: false,
            undefined: FxHashMap::default(),
        }
    }
}

/// When operations have no result.
#[derive(Debug, Clone, Default)]
pub struct Undefined(Vec<(Formula, Formula)>);

impl Undefined {
    /// Does every operation have a result?
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds that an operation has no result unless it is defined.
    pub(crate) fn unless(&mut self, guard: &Formula, defined: &Formula) {
        if !defined.is_constant(true) {
            self.0.push((guard.clone(), defined.clone()));
        }
    }

    /// As a formula.
    pub fn formula(&self) -> Formula {
        Formula::any(self.0.iter().map(|(guard, defined)| guard.and(&defined.not())))
    }
}

/// The values of a state, for the evaluation of expressions.
pub(crate) struct View<'a> {
    pub(crate) program: &'a Program,
    pub(crate) control: &'a dyn Control,
    pub(crate) state: &'a SymState,
    pub(crate) place: Place,
}

impl Environment for View<'_> {
    fn var(&self, var: VarId) -> Option<Value> {
        let slot = self.control.slot(self.program, self.place.stack, var);
        match self.state.vars.get(&slot) {
            Some(Sym::Value(value)) => Some(value.clone()),
            Some(Sym::Term(_)) => None,
            None if self.state.epoch == 0 => {
                let init = self.program.vars[var].init?;
                Some(self.program.exprs.value(init).clone())
            }
            None => None,
        }
    }

    fn cell(&self, region: RegionId, addr: u64) -> Option<Value> {
        let memory = self.state.regions.get(&region);
        match memory.and_then(|memory| memory.cells.get(&addr)) {
            Some(Sym::Value(value)) => return Some(value.clone()),
            Some(Sym::Term(_)) => return None,
            None => {}
        }
        let initial = memory.map_or(self.state.epoch == 0, |memory| memory.initial);
        let region = &self.program.regions[region];
        if initial { initial_cell(region, &self.program.exprs, addr).cloned() } else { None }
    }
}
