//! The transfer function of explicit values: how they change along steps and through blocks.

use crate::control::Control;
use crate::control::block::Block;
use crate::control::place::{Frame, Place, Slot, Step, condition, pointer_called};
use crate::control::postconditions::{Postconditions, Subject};
use crate::values::eval::{self, AbstractValue, Environment, addresses, split_cells};
use crate::values::liveness::LiveVariables;
use crate::values::undefined_operations::UndefinedOperations;
use crate::values::{Key, Tracked, Tracking, Values};
use beeline_ir::{
    BinOp, Bits, EdgeId, Expr, ExprId, Op, Program, RegionId, Type, UnOp, Value, VarId, cells_of,
};
use beeline_smt::Meter;
use beeline_smt::memory::initial_cell;
use rustc_hash::{FxBuildHasher, FxHashSet};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::hash::BuildHasher;

/// A state as the function on top of a stack sees it.
struct View<'a> {
    program: &'a Program,
    control: &'a dyn Control,
    place: Place,
    values: &'a Values,
}

impl Environment for View<'_> {
    fn var(&self, var: VarId) -> Option<Value> {
        let slot = self.control.slot(self.program, self.place.stack, var);
        self.values.get(Key::Var(slot)).cloned().flatten()
    }

    fn cell(&self, region: RegionId, addr: u64) -> Option<Value> {
        if let Some(value) = self.values.get(Key::Cell(region, addr)) {
            return value.clone();
        }
        self.values.get(Key::Pristine(region))?;
        initial_cell(&self.program.regions[region], &self.program.exprs, addr).cloned()
    }
}

/// The transfer function of the domain.
pub struct Transfer<'a, P> {
    /// The program.
    pub program: &'a Program,
    /// The control that places refer to.
    pub control: &'a dyn Control,
    /// What is tracked.
    pub precision: &'a P,
    /// Where operations that may have no result are recorded.
    pub undefined_operations: Option<&'a UndefinedOperations>,
    /// Which values no longer matter, if these are to be forgotten in blocks.
    pub live_variables: Option<&'a LiveVariables>,
}

impl<P: Tracking> Transfer<'_, P> {
    fn eval(&self, place: Place, values: &Values, expr: ExprId) -> AbstractValue {
        let view = View { program: self.program, control: self.control, place, values };
        let (outcome, certain) = eval::eval(self.program, expr, &view);
        if !certain || outcome == AbstractValue::Stuck {
            self.may_be_stuck();
        }
        outcome
    }

    /// Records that the current step may have no result.
    fn may_be_stuck(&self) {
        self.undefined_operations.inspect(|undefined_operations| undefined_operations.open.set(true));
    }

    /// What is known after a step; `None` if the step cannot be taken.
    pub fn post(&self, from: Place, values: Values, step: Step, to: Place) -> Option<Values> {
        let Some(undefined_operations) = self.undefined_operations else {
            return self.take(from, values, step, to);
        };
        undefined_operations.open.set(false);
        let after = self.take(from, values, step, to);
        if undefined_operations.open.get() {
            undefined_operations.note(step);
        }
        after
    }

    fn take(&self, from: Place, mut values: Values, step: Step, to: Place) -> Option<Values> {
        let program = self.program;
        match step {
            Step::Edge(edge) => {
                if let Some(cond) = condition(program, step) {
                    return self.assume(from, values, cond);
                }
                self.operation(from, values, &program.edges[edge].op)
            }
            Step::Call(edge, callee) => {
                if let Some((pointer, address)) = pointer_called(program, edge, callee) {
                    match self.eval(from, &values, pointer) {
                        AbstractValue::Value(value) if value.as_bits().and_then(Bits::to_u64) != address => {
                            return None;
                        }
                        AbstractValue::Stuck => return None,
                        _ => {}
                    }
                }
                let call = program.edges[edge].op.as_call()?;
                let function = &program.functions[callee];
                let mut arguments = Vec::with_capacity(call.args.len());
                for &argument in &call.args {
                    arguments.push(self.eval(from, &values, argument));
                }
                for (&param, argument) in function.params.iter().zip(arguments) {
                    self.assign(&mut values, to, param, argument)?;
                }
                Some(values)
            }
            Step::Return(edge) => {
                let call = program.edges[edge].op.as_call()?;
                let frame = self.control.frame(from.stack);
                let function = &program.functions[frame.callee];
                let result = function.ret.map(|ret| {
                    let key = Key::Var(self.control.slot(program, from.stack, ret));
                    values.get(key).cloned().flatten().map_or(AbstractValue::Unknown, AbstractValue::Value)
                });
                let (callee, level) = (frame.callee, frame.level);
                values.forget_activation(program, callee, level);
                if let (Some(var), Some(result)) = (call.ret, result) {
                    self.assign(&mut values, to, var, result)?;
                }
                Some(values)
            }
            Step::Pop(edge) => self.pop(from, values, edge, to),
        }
    }

    /// Pops a call at a place inside of it.
    fn pop(&self, from: Place, mut values: Values, edge: EdgeId, to: Place) -> Option<Values> {
        let program = self.program;
        let frame = self.control.frame(from.stack);
        let Some(effects) = self.control.effects(frame.callee) else { return Some(Values::default()) };
        let result = program.edges[edge].op.as_call()?.ret;
        let postconditions = self.control.postconditions(frame.callee);
        let postconditions = postconditions
            .map(|postconditions| ensured_after(program, from, postconditions, frame, &values))
            .unwrap_or_default();
        values.forget_activation(program, frame.callee, frame.level);
        effects.writes.iter().for_each(|&var| values.remove(Key::Var(Slot { var, level: 0 })));
        effects.region_writes.iter().for_each(|&region| values.forget_region(region));
        if let Some(var) = result {
            self.assign(&mut values, to, var, AbstractValue::Unknown)?;
        }
        for (subject, value) in postconditions {
            match (subject, result) {
                // This variable holds the result now.
                (Subject::After(var), Some(result)) if var == result => {}
                (Subject::After(var), _) | (Subject::Result(_), Some(var)) => {
                    self.assign(&mut values, to, var, AbstractValue::Value(value))?;
                }
                _ => {}
            }
        }
        Some(values)
    }

    fn operation(&self, place: Place, mut after: Values, op: &Op) -> Option<Values> {
        let program = self.program;
        match op {
            Op::Skip | Op::Assume(..) | Op::Call(_) => {}
            Op::Assign(list) => {
                // All values are read before the first variable is written.
                let values: SmallVec<[AbstractValue; 1]> =
                    list.iter().map(|&(_, value)| self.eval(place, &after, value)).collect();
                for (&(var, _), value) in list.iter().zip(values) {
                    self.assign(&mut after, place, var, value)?;
                }
            }
            Op::Havoc(var, _) => after.remove(Key::Var(self.control.slot(program, place.stack, *var))),
            Op::HavocRegion(region) => after.forget_region(*region),
            Op::Store { region, addr, value } => {
                let (id, region) = (*region, &program.regions[*region]);
                let ty = program.exprs.ty(*value);
                let value = match self.eval(place, &after, *value) {
                    AbstractValue::Value(value) => Some(value),
                    AbstractValue::Unknown => None,
                    AbstractValue::Stuck => return None,
                };
                let addr = match self.eval(place, &after, *addr) {
                    AbstractValue::Value(addr) => addr.as_bits().and_then(Bits::to_u64),
                    AbstractValue::Unknown => None,
                    AbstractValue::Stuck => return None,
                };
                match addr {
                    Some(addr) if !eval::accessible(region, addr, ty) => {
                        self.may_be_stuck();
                        return None;
                    }
                    Some(addr) => self.store(&mut after, id, addr, ty, value),
                    None => {
                        self.may_be_stuck();
                        after.forget_region(id);
                    }
                }
            }
        }
        Some(after)
    }

    fn store(&self, after: &mut Values, id: RegionId, addr: u64, ty: Type, value: Option<Value>) {
        let region = &self.program.regions[id];
        let pristine = after.get(Key::Pristine(id)).is_some();
        let tracked = self.precision.tracks(Tracked::Region(id));
        if pristine && !tracked {
            after.forget_region(id);
            return;
        }
        let count = cells_of(ty, region.cell).unwrap_or(1);
        let cells = value.and_then(|value| split_cells(region, self.program.big_endian, &value));
        for (index, addr) in addresses(region, addr, count).enumerate() {
            let value = cells.as_ref().map(|cells| cells[index].clone());
            if (value.is_some() && tracked) || pristine {
                after.set(Key::Cell(id, addr), value);
            } else {
                after.remove(Key::Cell(id, addr));
            }
        }
    }

    fn assign(&self, after: &mut Values, place: Place, var: VarId, value: AbstractValue) -> Option<()> {
        let key = Key::Var(self.control.slot(self.program, place.stack, var));
        match value {
            AbstractValue::Stuck => return None,
            AbstractValue::Value(value) if self.precision.tracks(Tracked::Var(var)) => {
                after.set(key, Some(value));
            }
            _ => after.remove(key),
        }
        Some(())
    }

    fn assume(&self, place: Place, mut values: Values, cond: ExprId) -> Option<Values> {
        match self.eval(place, &values, cond) {
            AbstractValue::Value(Value::Bool(true)) => Some(values),
            AbstractValue::Unknown => {
                self.learn(place, &mut values, cond, true);
                Some(values)
            }
            _ => None,
        }
    }

    /// Learns values of variables from a condition that holds or does not hold.
    fn learn(&self, place: Place, after: &mut Values, cond: ExprId, truth: bool) {
        let pool = &self.program.exprs;
        match (pool[cond], truth) {
            (Expr::Unary(UnOp::Not, inner), _) => self.learn(place, after, inner, !truth),
            (Expr::Var(var), _) => self.learn_var(place, after, var, Value::Bool(truth)),
            (Expr::Binary(BinOp::BoolAnd, a, b), true) | (Expr::Binary(BinOp::BoolOr, a, b), false) => {
                self.learn(place, after, a, truth);
                self.learn(place, after, b, truth);
            }
            (Expr::Binary(BinOp::Eq, a, b), true) => {
                for (side, other) in [(a, b), (b, a)] {
                    if let Expr::Var(var) = pool[side]
                        && let AbstractValue::Value(value) = self.eval(place, after, other)
                    {
                        self.learn_var(place, after, var, value);
                    }
                }
            }
            _ => {}
        }
    }

    fn learn_var(&self, place: Place, after: &mut Values, var: VarId, value: Value) {
        if self.precision.tracks(Tracked::Var(var)) {
            after.set(Key::Var(self.control.slot(self.program, place.stack, var)), Some(value));
        }
    }
}

/// The greatest number of steps inside a block.
pub(crate) const MAX_INSIDE: usize = 200_000;
/// The ticks of such a step, and how many values of a state make one tick more: each step copies them.
const STEP: u64 = 4;
const VALUES_OF_A_TICK: u64 = 32;

/// The ticks of a step from a state.
pub(crate) fn cost(values: &Values) -> u64 {
    STEP + values.len() as u64 / VALUES_OF_A_TICK
}

/// A step of a state through a block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Taken {
    /// The edge.
    pub edge: usize,
    /// The state at its source, by its number there.
    pub from: usize,
    /// The state at its destination, by its number there.
    pub to: Arrival,
}

/// How a state arrives at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// As the one with this number.
    As(usize),
    /// Joined with all that have arrived, which are one state now.
    Joined,
}

/// The states at the exits of a block that starts in a state; `None` if there are too many inside, or if the
/// run has to stop.
///
/// If a place inside has more than `most` states, they are joined into one.
pub fn through_block<P: Tracking>(
    transfer: &Transfer<'_, P>,
    block: &Block,
    start: &Values,
    most: usize,
    meter: &Meter,
) -> Option<Vec<(usize, Values)>> {
    watched_through_block(transfer, block, start, most, meter, |_| {})
}

/// As `through_block`, and tells of each step that a state takes.
pub(crate) fn watched_through_block<P: Tracking>(
    transfer: &Transfer<'_, P>,
    block: &Block,
    start: &Values,
    most: usize,
    meter: &Meter,
    mut watch: impl FnMut(Taken),
) -> Option<Vec<(usize, Values)>> {
    // A map, because only few nodes of a large block are reached where values decide the branches.
    let mut pending: BTreeMap<usize, Arrived> = BTreeMap::new();
    pending.entry(0).or_default().states.push(start.clone());
    let mut leaving = Vec::new();
    let mut made = 0;
    while let Some((node, Arrived { mut states, .. })) = pending.pop_first() {
        if block.exits.binary_search(&node).is_ok() {
            leaving.extend(states.into_iter().map(|values| (node, values)));
            continue;
        }
        let first = block.first_edge_of(node);
        let edges = block.edges_of(node);
        for (index, edge) in edges.iter().enumerate() {
            let (from, to) = (block.nodes[edge.src], block.nodes[edge.dst]);
            for (number, values) in states.iter_mut().enumerate() {
                made += 1;
                meter.charge(cost(values));
                if made > MAX_INSIDE || (made % 1024 == 0 && meter.is_stopped()) {
                    return None;
                }
                let last = index + 1 == edges.len();
                let values = if last { std::mem::take(values) } else { values.clone() };
                if let Some(mut after) = transfer.post(from, values, edge.step, to) {
                    if let Some(live) = transfer.live_variables {
                        let scope = (transfer.program, transfer.control);
                        live.forget_dead(scope, transfer.precision, (edge.step, from, to), &mut after);
                    }
                    let arrival = pending.entry(edge.dst).or_default().add(after, most);
                    watch(Taken { edge: first + index, from: number, to: arrival });
                }
            }
        }
    }
    Some(leaving)
}

/// The states that arrive at a node, without duplicates.
#[derive(Default)]
struct Arrived {
    states: Vec<Values>,
    /// The hashes of all states, once there are many.
    hashes: FxHashSet<u64>,
}

impl Arrived {
    /// How many states are compared one by one.
    const FEW: usize = 8;

    fn add(&mut self, after: Values, most: usize) -> Arrival {
        let is_new = self.states.len() >= Self::FEW && {
            if self.hashes.is_empty() {
                self.hashes.extend(self.states.iter().map(|values| FxBuildHasher.hash_one(values)));
            }
            self.hashes.insert(FxBuildHasher.hash_one(&after))
        };
        let same = |values: &Values| *values == after;
        if !is_new && let Some(number) = self.states.iter().position(same) {
            return Arrival::As(number);
        }
        self.states.push(after);
        if self.states.len() <= most {
            return Arrival::As(self.states.len() - 1);
        }
        self.hashes.clear();
        let joined = self.states.drain(..).reduce(|a, b| a.join(&b));
        self.states.extend(joined);
        Arrival::Joined
    }
}

/// The values of subjects that follow from postconditions and the known values, for a call that is popped at
/// a place.
fn ensured_after(
    program: &Program,
    from: Place,
    postconditions: &Postconditions,
    frame: Frame,
    values: &Values,
) -> Vec<(Subject, Value)> {
    let is_entry = from.loc == program.functions[frame.callee].entry();
    postconditions.solved(|subject| {
        let slot = match subject {
            Subject::Parameter(var) => Slot { var, level: frame.level },
            Subject::Before(var) if is_entry => Slot { var, level: 0 },
            Subject::Before(_) | Subject::After(_) | Subject::Result(_) => return None,
        };
        values.get(Key::Var(slot))?.as_ref()?.as_bits()?.to_u64()
    })
}
