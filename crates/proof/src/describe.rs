//! Descriptions: what the states of a proof say, as formulas.

use crate::execute::{Executor, Names, Postconditions};
use crate::place::{Place, Slot, Stacks};
use crate::state::{Cells, State, Sym};
use crate::truth::Truth;
use beeline_ir::{Expr, ExprId, FuncId, Program, RegionId, Type, Value, VarId};
use beeline_run::{AT_ENTRY, Predicates, RunFormula, RunKey, RunProof, RunState};
use beeline_smt::{Memory, Unsupported};
use std::collections::{BTreeMap, BTreeSet};

/// The slots of the pool of predicates.
struct Slots<'a>(&'a [(VarId, u32)]);

impl Names for Slots<'_> {
    fn slot(&self, var: VarId) -> Slot {
        let (var, level) = self.0[var.as_u32() as usize];
        Slot { var, level }
    }
}

/// A proof with its predicates.
pub(crate) struct Descriptions<'a> {
    /// The proof.
    pub proof: &'a RunProof,
    /// Its predicates.
    pub predicates: Predicates,
    /// For each predicate, the variables of the pool that it reads.
    slots_of_exprs: Vec<Vec<u32>>,
}

impl<'a> Descriptions<'a> {
    /// The descriptions of a proof that belongs to a program.
    pub(crate) fn new(program: &Program, proof: &'a RunProof) -> Result<Descriptions<'a>, String> {
        let predicates = proof.predicates_over(program)?;
        let slots_of_exprs = predicates.exprs.iter().map(|&expr| slots_of(&predicates, expr)).collect();
        Ok(Descriptions { proof, predicates, slots_of_exprs })
    }

    /// Reports what a state is about that does not exist at its place.
    pub(crate) fn misplaced(
        &self,
        program: &Program,
        stacks: &Stacks,
        place: Place,
        state: &RunState,
    ) -> Option<String> {
        for (key, value) in &state.values {
            let there = match (*key, value) {
                (RunKey::Var(var, level), Some(value)) => {
                    stacks.is_live(program, place.stack, Slot { var, level })
                        && program.vars[var].ty == value.ty()
                }
                (RunKey::Pristine(region), None) => program.regions.get(region).is_some(),
                (RunKey::Cell(region, addr), value) => program.regions.get(region).is_some_and(|region| {
                    let fits = value.as_ref().is_none_or(|value| value.ty() == region.cell);
                    fits && addr <= largest_address(region.addr)
                }),
                _ => false,
            };
            if !there {
                return Some(format!("it has a value for {}", show_key(program, *key)));
            }
        }
        for node in self.reachable(state.formula) {
            let pred = self.proof.nodes[node as usize].pred;
            for &slot in &self.slots_of_exprs[pred as usize] {
                let (var, level) = self.predicates.slots[slot as usize];
                if !stacks.is_live(program, place.stack, Slot { var, level }) {
                    return Some(format!(
                        "a predicate is about {}",
                        show_key(program, RunKey::Var(var, level))
                    ));
                }
            }
        }
        None
    }

    /// The slots that a state is about.
    pub(crate) fn slots(&self, state: &RunState) -> Vec<Slot> {
        let known = state.values.iter().filter_map(|(key, _)| match *key {
            RunKey::Var(var, level) => Some(Slot { var, level }),
            _ => None,
        });
        let nodes = self.reachable(state.formula).into_iter();
        let preds = nodes.map(|node| self.proof.nodes[node as usize].pred as usize);
        let read = preds.flat_map(|pred| &self.slots_of_exprs[pred]);
        known.chain(read.map(|&slot| Slots(&self.predicates.slots).slot(VarId::from_u32(slot)))).collect()
    }

    /// The nodes of a formula, operands first.
    fn reachable(&self, formula: RunFormula) -> Vec<u32> {
        let mut met = BTreeSet::new();
        let mut work: Vec<u32> = formula.node().into_iter().collect();
        while let Some(node) = work.pop() {
            if met.insert(node) {
                let node = self.proof.nodes[node as usize];
                work.extend([node.no, node.yes].into_iter().filter_map(RunFormula::node));
            }
        }
        met.into_iter().collect()
    }

    /// What a formula of the proof says of a symbolic state.
    fn formula(
        &self,
        executor: &mut Executor<'_>,
        state: &mut State,
        formula: RunFormula,
    ) -> Result<Truth, Unsupported> {
        let mut done: BTreeMap<u32, Truth> = BTreeMap::new();
        let value = |done: &BTreeMap<u32, Truth>, formula: RunFormula| match formula.node() {
            Some(node) => done[&node].clone(),
            None => Truth::Known(formula == RunFormula::TRUE),
        };
        for index in self.reachable(formula) {
            let node = self.proof.nodes[index as usize];
            let (no, yes) = (value(&done, node.no), value(&done, node.yes));
            let expr = self.predicates.exprs[node.pred as usize];
            let pred = executor.holds(state, &self.predicates.pool, &Slots(&self.predicates.slots), expr)?;
            // In this form, conjunctions of literals stay conjunctions.
            let said = if no.is(false) {
                pred.and(&yes)
            } else if yes.is(false) {
                pred.not().and(&no)
            } else {
                pred.ite(&yes, &no)
            };
            done.insert(index, said);
        }
        Ok(value(&done, formula))
    }

    fn ensures(&self, func: FuncId) -> impl Iterator<Item = usize> + '_ {
        let of_function = self.proof.ensures.iter().filter(move |ensures| ensures.func == func);
        of_function.map(|ensures| ensures.pred as usize)
    }

    /// The symbolic state that a state of the proof describes: the values are in the state, the formula is
    /// returned. At the entry of a context, current values equal the ghosts.
    pub(crate) fn assume(
        &self,
        executor: &mut Executor<'_>,
        described: &RunState,
        entered: Option<FuncId>,
    ) -> Result<(State, Truth), Unsupported> {
        let mut state = State::default();
        for (key, value) in &described.values {
            match (*key, value) {
                (RunKey::Var(var, level), Some(value)) => {
                    state.vars.insert(Slot { var, level }, Sym::Value(value.clone()));
                }
                (RunKey::Pristine(region), _) => {
                    state.regions.insert(region, executor.initial_cells(region)?);
                }
                (RunKey::Cell(region, addr), value) => {
                    let mut cells = executor.cells(&state, region)?;
                    let cell = match value {
                        Some(value) => Sym::Value(value.clone()),
                        None if cells.initial => executor.any_cell(region)?,
                        None => continue,
                    };
                    cells.over.insert(addr, cell);
                    state.regions.insert(region, cells);
                }
                (RunKey::Var(..), None) => {}
            }
        }
        if let Some(func) = entered {
            executor.enter(&mut state, func)?;
        }
        let formula = self.formula(executor, &mut state, described.formula)?;
        Ok((state, formula))
    }

    /// The formula that a state of the proof includes a symbolic state.
    pub(crate) fn claim(
        &self,
        executor: &mut Executor<'_>,
        state: &mut State,
        described: &RunState,
    ) -> Result<Truth, Unsupported> {
        let mut parts = Vec::new();
        for (key, value) in &described.values {
            let part = match (*key, value) {
                (RunKey::Var(var, level), Some(value)) => {
                    executor.slot(state, Slot { var, level })?.same(&Sym::Value(value.clone()))?
                }
                (RunKey::Cell(region, addr), Some(value)) => {
                    let cells = executor.cells(state, region)?;
                    executor.cell(region, &cells, addr)?.same(&Sym::Value(value.clone()))?
                }
                (RunKey::Pristine(region), _) => pristine(executor, state, region, described)?,
                (_, None) => continue,
            };
            if part.is(false) {
                return Ok(part);
            }
            parts.push(part);
        }
        parts.push(self.formula(executor, state, described.formula)?);
        Ok(Truth::all(parts))
    }
}

impl Postconditions for Descriptions<'_> {
    fn ensured(
        &self,
        executor: &mut Executor<'_>,
        state: &mut State,
        func: FuncId,
    ) -> Result<Truth, Unsupported> {
        let (pool, slots) = (&self.predicates.pool, Slots(&self.predicates.slots));
        let preds = self.ensures(func).map(|pred| self.predicates.exprs[pred]);
        let said = preds.map(|pred| executor.holds(state, pool, &slots, pred));
        Ok(Truth::all(said.collect::<Result<Vec<_>, _>>()?))
    }

    fn slots_ensured(&self, func: FuncId) -> BTreeSet<Slot> {
        let read = self.ensures(func).flat_map(|pred| &self.slots_of_exprs[pred]);
        read.map(|&slot| Slots(&self.predicates.slots).slot(VarId::from_u32(slot))).collect()
    }

    fn ensures_something(&self, func: FuncId) -> bool {
        self.ensures(func).next().is_some()
    }
}

/// The formula that a region has its initial content but for the cells that a description lists.
fn pristine(
    executor: &mut Executor<'_>,
    state: &State,
    region: RegionId,
    described: &RunState,
) -> Result<Truth, Unsupported> {
    let listed: Vec<u64> = described
        .values
        .iter()
        .filter_map(|(key, _)| match *key {
            RunKey::Cell(other, addr) if other == region => Some(addr),
            _ => None,
        })
        .collect();
    let cells = executor.cells(state, region)?;
    let initial = executor.initial_cells(region)?;
    if cells.initial {
        let changed = cells.over.iter().filter(|(addr, _)| listed.binary_search(addr).is_err());
        let same = changed.map(|(&addr, cell)| cell.same(&executor.cell(region, &initial, addr)?));
        return Ok(Truth::all(same.collect::<Result<Vec<_>, _>>()?));
    }
    if cells.base.is_none() {
        return Ok(Truth::Open);
    }
    // The map is the initial one, with the listed cells taken from the map itself.
    let cell = |&addr: &u64| Ok((addr, executor.cell(region, &cells, addr)?));
    let over = listed.iter().map(cell).collect::<Result<_, Unsupported>>()?;
    let expected: Memory = executor.flat(region, &Cells { over, ..initial })?;
    Ok(executor.flat(region, &cells)?.same(&expected).into())
}

fn largest_address(ty: Type) -> u64 {
    match ty.bv_width() {
        Some(width) if width < 64 => (1 << width) - 1,
        _ => u64::MAX,
    }
}

/// The variables of the pool that an expression reads.
fn slots_of(predicates: &Predicates, root: ExprId) -> Vec<u32> {
    let parts = predicates.pool.parts([root]);
    let slot = |(_, node)| if let Expr::Var(var) = node { Some(var.as_u32()) } else { None };
    parts.filter_map(slot).collect()
}

/// A key as readable text.
pub(crate) fn show_key(program: &Program, key: RunKey) -> String {
    let region = |id: RegionId| program.regions.get(id).map_or("?", |region| &region.name);
    match key {
        RunKey::Var(var, level) => show_slot(program, Slot { var, level }),
        RunKey::Pristine(id) => format!("the whole of {}", region(id)),
        RunKey::Cell(id, addr) => format!("{}[{addr:#x}]", region(id)),
    }
}

/// A slot as readable text: the name in the source, with the activation unless it is the outermost one.
pub(crate) fn show_slot(program: &Program, slot: Slot) -> String {
    let Some(var) = program.vars.get(slot.var) else { return format!("variable {}", slot.var.as_u32()) };
    let name = var.source.as_ref().map_or(&var.name, |source| &source.name);
    match slot.level {
        0 => name.clone(),
        AT_ENTRY => format!("{name} at entry"),
        level => format!("{name}@{level}"),
    }
}

/// A value as readable text: integers are signed.
pub(crate) fn show_value(value: &Value) -> String {
    match value {
        Value::Bool(truth) => truth.to_string(),
        Value::Bv(bits) => bits.to_bigint().to_string(),
        Value::Float(kind, bits) => format!("{} {:#x}", kind.name(), bits.to_biguint()),
    }
}
