//! Symbolic states: values and terms at a place; and the results of executing a block.

use crate::control::Control;
use crate::control::place::{Place, Slot};
use crate::values::eval::Environment;
use crate::values::layered::Layered;
use beeline_ir::{FuncId, Program, RegionId, Value, VarId};
use beeline_smt::memory::initial_cell;
use beeline_smt::{Formula, Memory, Term, Unsupported};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A symbolic value: a known value, or a term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sym {
    /// A value.
    Value(Value),
    /// A term.
    Term(Term),
}

impl Sym {
    /// The term of a symbolic value.
    pub fn term(&self) -> Result<Term, Unsupported> {
        match self {
            Sym::Value(value) => Term::value(value),
            Sym::Term(term) => Ok(term.clone()),
        }
    }
}

/// The content of a region: a map, and cells written over it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymMemory {
    /// The map.
    pub base: Memory,
    /// Whether the map is the region's initial content.
    pub initial: bool,
    /// Cells written since, by address. States share them until one writes.
    pub cells: Rc<BTreeMap<u64, Sym>>,
}

/// A symbolic state.
#[derive(Debug, Clone)]
pub struct SymState {
    /// The condition under which the place is reached from the start of the block.
    pub guard: Formula,
    /// Variables written or read so far. Any other variable has the constant that its name determines.
    pub vars: Layered<Slot, Sym>,
    /// Regions written or read so far.
    pub regions: Layered<RegionId, SymMemory>,
    /// For each function and level, the number of its activation, counted over the whole execution.
    pub(crate) activations: Layered<(FuncId, u32), u32>,
    /// Zero for the program's start; other numbers distinguish unrelated starts.
    pub(crate) epoch: u32,
}

impl SymState {
    /// Writes cells of a region, over its content.
    pub(super) fn put(
        &mut self,
        id: RegionId,
        mut memory: SymMemory,
        cells: impl IntoIterator<Item = (u64, Sym)>,
    ) {
        // Where no other state shares the cells, they are changed in place.
        self.regions.remove(&id);
        Rc::make_mut(&mut memory.cells).extend(cells);
        self.regions.insert(id, memory);
    }

    /// Lets copies share what is known so far.
    pub(crate) fn settle(&mut self) {
        self.vars.settle();
        self.regions.settle();
        self.activations.settle();
    }
}

/// An unconstrained value that an execution read: an answer of an oracle.
#[derive(Debug, Clone)]
pub struct Unwritten {
    /// The variable.
    pub slot: Slot,
    /// The number of the activation of its function, as the executor counts.
    pub activation: u32,
    /// Its constant.
    pub term: Term,
}

/// The results of executing a block.
#[derive(Debug)]
pub struct Executed {
    /// The state at the exit.
    pub state: SymState,
    /// For each edge on a path to the exit, the condition under which it is taken.
    pub guards: FxHashMap<usize, Formula>,
    /// For each edge that havocs a variable, the new value.
    pub inputs: FxHashMap<usize, Term>,
    /// For each edge that calls, the number of the activation.
    pub calls: FxHashMap<usize, u32>,
    /// For each edge that havocs a region, the new content.
    pub havocked_regions: FxHashMap<usize, Memory>,
    /// For each edge that stands for a whole call, the call's arguments.
    pub ranges: FxHashMap<usize, Vec<Sym>>,
    /// Whether a path leads to the last node.
    pub(crate) arrives: bool,
    /// For each edge whose operation may have no result, the condition under which it has none.
    pub undefined: FxHashMap<usize, Undefined>,
}

impl Executed {
    /// The results before any edge was executed.
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

/// Conditions under which operations have no result.
#[derive(Debug, Clone, Default)]
pub struct Undefined(Vec<(Formula, Formula)>);

impl Undefined {
    /// Whether every operation has a result.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds that an operation under a guard has no result unless it is defined.
    pub(crate) fn unless(&mut self, guard: &Formula, defined: &Formula) {
        if !defined.is_constant(true) {
            self.0.push((guard.clone(), defined.clone()));
        }
    }

    /// The conditions as one formula.
    pub fn formula(&self) -> Formula {
        Formula::any(self.0.iter().map(|(guard, defined)| guard.and(&defined.not())))
    }
}

/// A state as an environment for the evaluation of expressions.
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
