//! Explicit values: which variables and cells surely have which value.
//!
//! A state maps *slots* to values. A slot that is missing may have any value, so forgetting one is
//! always sound. Memory is tracked cell by cell, and a region of which every write was seen is
//! *pristine*: cells that are not mentioned have the region's initial contents.

use crate::block::Block;
use crate::control::Control;
use crate::eval::{self, AbstractValue, Environment, addresses, split_cells};
use crate::maybe_stuck::MaybeStuck;
use crate::place::{Place, Slot, Step, condition, pointer_called};
use beeline_ir::{BinOp, Bits, Expr, ExprId, Op, Program, RegionId, Type, UnOp, Value, VarId, cells_of};
use beeline_smt::Meter;
use beeline_smt::memory::initial_cell;
use cranelift_entity::{EntityRef, entity_impl};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::{FxBuildHasher, FxHashSet};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::hash::BuildHasher;
use std::rc::Rc;

/// Something that has a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// A variable of an activation.
    Var(Slot),
    /// That every write to a region is known.
    Pristine(RegionId),
    /// A cell.
    Cell(RegionId, u64),
}

/// A variable or region: what a precision is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tracked {
    /// A variable, in all activations.
    Var(VarId),
    /// All cells of a region.
    Region(RegionId),
}

impl Key {
    /// What a precision names it.
    pub fn tracked(self) -> Option<Tracked> {
        match self {
            Key::Var(slot) => Some(Tracked::Var(slot.var)),
            Key::Cell(region, _) => Some(Tracked::Region(region)),
            Key::Pristine(_) => None,
        }
    }
}

/// What is tracked.
pub trait Tracking {
    /// Is it tracked?
    fn tracks(&self, what: Tracked) -> bool;
}

impl Tracking for FxHashSet<Tracked> {
    fn tracks(&self, what: Tracked) -> bool {
        self.contains(&what)
    }
}

/// The precision that tracks everything.
#[derive(Debug)]
pub struct Everything;

impl Tracking for Everything {
    fn tracks(&self, _: Tracked) -> bool {
        true
    }
}

/// A few bits of a set of keys: most sets that do not include one another are told apart by them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Outline([u128; 2]);

impl Outline {
    /// May the set include another one?
    pub fn may_include(self, other: Outline) -> bool {
        self.0.iter().zip(other.0).all(|(mine, theirs)| theirs & !mine == 0)
    }
}

/// What is known: keys in order, with their values. A cell of a pristine region may be listed without
/// a value, when it was overwritten by one that is not known.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Values(Vec<(Key, Option<Value>)>);

impl Values {
    /// What is listed.
    pub fn entries(&self) -> impl Iterator<Item = (Key, Option<&Value>)> {
        self.0.iter().map(|(key, value)| (*key, value.as_ref()))
    }

    /// Are exactly these keys listed, in this order?
    pub fn has_keys(&self, keys: &[Key]) -> bool {
        keys.len() == self.0.len() && self.0.iter().zip(keys).all(|(entry, key)| entry.0 == *key)
    }

    /// What is known of some keys, which are in order, only; `None` unless all of them are listed.
    pub fn project(&self, keys: &[Key]) -> Option<Values> {
        let mut listed = self.0.iter();
        let entries = keys.iter().map(|&key| Some((key, seek(&mut listed, key)?.clone())));
        entries.collect::<Option<Vec<_>>>().map(Values)
    }

    /// A summary of what is listed.
    pub fn outline(&self) -> Outline {
        let mut outline = Outline::default();
        for (key, _) in &self.0 {
            let bit = FxBuildHasher.hash_one(key) >> 56;
            outline.0[usize::from(bit >= 128)] |= 1 << (bit % 128);
        }
        outline
    }

    fn find(&self, key: Key) -> Result<usize, usize> {
        self.0.binary_search_by_key(&key, |entry| entry.0)
    }

    fn get(&self, key: Key) -> Option<&Option<Value>> {
        self.find(key).ok().map(|index| &self.0[index].1)
    }

    fn set(&mut self, key: Key, value: Option<Value>) {
        match self.find(key) {
            Ok(index) => self.0[index].1 = value,
            Err(index) => self.0.insert(index, (key, value)),
        }
    }

    fn remove(&mut self, key: Key) {
        if let Ok(index) = self.find(key) {
            self.0.remove(index);
        }
    }

    fn forget_region(&mut self, region: RegionId) {
        self.0.retain(|(key, _)| !matches!(key, Key::Pristine(r) | Key::Cell(r, _) if *r == region));
    }

    /// Does every execution state that this describes satisfy the other description too?
    pub fn implies(&self, other: &Values) -> bool {
        let mut mine = self.0.iter();
        other.0.iter().all(|(key, value)| match (seek(&mut mine, *key), value) {
            (Some(mine), Some(value)) => mine.as_ref() == Some(value),
            // A cell that the other one does not know; anything satisfies it, once both are pristine.
            (_, None) if matches!(key, Key::Cell(..)) => true,
            (Some(None), None) => true,
            _ => false,
        }) && self.pristine_regions_agree(other)
    }

    /// What both know.
    pub fn join(&self, other: &Values) -> Values {
        let pristine = |region| {
            let key = Key::Pristine(region);
            self.get(key).is_some() && other.get(key).is_some()
        };
        let mut joined = Values(Vec::with_capacity(self.0.len()));
        for (key, value) in &self.0 {
            match (key, other.get(*key)) {
                (Key::Cell(region, _), theirs) if pristine(*region) => {
                    let same = theirs == Some(value);
                    joined.0.push((*key, if same { value.clone() } else { None }));
                }
                (Key::Pristine(_), Some(_)) => joined.0.push((*key, None)),
                (_, Some(theirs)) if theirs == value && value.is_some() => {
                    joined.0.push((*key, value.clone()));
                }
                _ => {}
            }
        }
        // Cells that only the other one has written.
        for (key, _) in &other.0 {
            if matches!(key, Key::Cell(region, _) if pristine(*region)) && self.get(*key).is_none() {
                joined.set(*key, None);
            }
        }
        joined
    }

    /// Where the other one is pristine, this one's changed cells must be listed there.
    fn pristine_regions_agree(&self, other: &Values) -> bool {
        let (mut pristine, mut theirs) = (other.0.iter(), other.0.iter());
        let mut last = None;
        self.0.iter().all(|(key, _)| {
            let Key::Cell(region, _) = key else { return true };
            if last.is_none_or(|(known, _)| known != *region) {
                last = Some((*region, seek(&mut pristine, Key::Pristine(*region)).is_some()));
            }
            last.is_none_or(|(_, is_pristine)| !is_pristine) || seek(&mut theirs, *key).is_some()
        })
    }

    /// At the start of a program.
    pub fn initial(program: &Program, precision: &impl Tracking) -> Values {
        let mut values = Values::default();
        for (var, global) in program.globals() {
            if let Some(init) = global.init
                && precision.tracks(Tracked::Var(var))
            {
                values.set(Key::Var(Slot { var, level: 0 }), Some(program.exprs.value(init).clone()));
            }
        }
        for region in program.regions.keys() {
            if precision.tracks(Tracked::Region(region)) {
                values.set(Key::Pristine(region), None);
            }
        }
        values
    }
}

/// Goes on to a key in a list, if it is there; keys have to be asked for in order.
fn seek<'a>(entries: &mut std::slice::Iter<'a, (Key, Option<Value>)>, key: Key) -> Option<&'a Option<Value>> {
    while let [(listed, value), rest @ ..] = entries.as_slice() {
        if *listed > key {
            return None;
        }
        *entries = rest.iter();
        if *listed == key {
            return Some(value);
        }
    }
    None
}

/// A state as seen by the function on top of a stack.
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

/// Adds what an expression reads.
pub fn reads(program: &Program, root: ExprId, wanted: &mut FxHashSet<Tracked>) {
    wanted.extend(program.exprs.parts([root]).filter_map(|(_, node)| match node {
        Expr::Var(var) => Some(Tracked::Var(var)),
        Expr::Load { region, .. } => Some(Tracked::Region(region)),
        _ => None,
    }));
}

/// The transfer function of the domain.
pub struct Transfer<'a, P> {
    /// The program.
    pub program: &'a Program,
    /// The control that places refer to.
    pub control: &'a dyn Control,
    /// What is tracked.
    pub precision: &'a P,
    /// Where it is noted which operations may have no result.
    pub maybe_stuck: Option<&'a MaybeStuck>,
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

    /// The step that is being taken may have no result.
    fn may_be_stuck(&self) {
        self.maybe_stuck.inspect(|maybe_stuck| maybe_stuck.open.set(true));
    }

    /// What is known after a step; `None` if the step cannot be taken.
    pub fn post(&self, from: Place, values: Values, step: Step, to: Place) -> Option<Values> {
        let Some(maybe_stuck) = self.maybe_stuck else { return self.take(from, values, step, to) };
        maybe_stuck.open.set(false);
        let after = self.take(from, values, step, to);
        if maybe_stuck.open.get() {
            maybe_stuck.note(step);
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
                values.0.retain(|(key, _)| {
                    !matches!(key, Key::Var(slot)
                        if slot.level == level && program.vars[slot.var].owner == Some(callee))
                });
                if let (Some(var), Some(result)) = (call.ret, result) {
                    self.assign(&mut values, to, var, result)?;
                }
                Some(values)
            }
        }
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

    /// Takes the values of variables from a condition that holds, or does not hold.
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

/// How many steps may be taken inside a block.
const MAX_INSIDE: usize = 200_000;
/// How many ticks one of them takes.
const STEP: u64 = 4;

/// The states at the exits of a block that starts in a state; `None` if there are too many inside, or
/// if the run is to stop.
///
/// Where more than `most` states would be kept at a place inside, they become one that knows what all of
/// them know.
pub fn through_block<P: Tracking>(
    transfer: &Transfer<'_, P>,
    block: &Block,
    start: &Values,
    most: usize,
    meter: &Meter,
) -> Option<Vec<(usize, Values)>> {
    // Few of a large block's nodes are reached where values decide what happens.
    let mut pending: BTreeMap<usize, Arrived> = BTreeMap::new();
    pending.entry(0).or_default().states.push(start.clone());
    let mut leaving = Vec::new();
    let mut made = 0;
    while let Some((node, Arrived { mut states, .. })) = pending.pop_first() {
        if block.exits.binary_search(&node).is_ok() {
            leaving.extend(states.into_iter().map(|values| (node, values)));
            continue;
        }
        let edges = block.edges_of(node);
        for (index, edge) in edges.iter().enumerate() {
            let (from, to) = (block.nodes[edge.src], block.nodes[edge.dst]);
            for values in &mut states {
                made += 1;
                meter.charge(STEP);
                if made > MAX_INSIDE || (made % 1024 == 0 && meter.is_stopped()) {
                    return None;
                }
                let last = index + 1 == edges.len();
                let values = if last { std::mem::take(values) } else { values.clone() };
                if let Some(after) = transfer.post(from, values, edge.step, to) {
                    pending.entry(edge.dst).or_default().add(after, most);
                }
            }
        }
    }
    Some(leaving)
}

/// The states that arrive at a node, each once.
#[derive(Default)]
struct Arrived {
    states: Vec<Values>,
    /// Of all states, once they are many.
    hashes: FxHashSet<u64>,
}

impl Arrived {
    /// How many states are compared one by one.
    const FEW: usize = 8;

    fn add(&mut self, after: Values, most: usize) {
        let known = if self.states.len() < Self::FEW {
            self.states.contains(&after)
        } else {
            if self.hashes.is_empty() {
                self.hashes.extend(self.states.iter().map(|values| FxBuildHasher.hash_one(values)));
            }
            !self.hashes.insert(FxBuildHasher.hash_one(&after)) && self.states.contains(&after)
        };
        if known {
            return;
        }
        self.states.push(after);
        if self.states.len() > most {
            self.hashes.clear();
            let joined = self.states.drain(..).reduce(|a, b| a.join(&b));
            self.states.extend(joined);
        }
    }
}

/// A state of the domain that was stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValuesId(u32);
entity_impl!(ValuesId, "values");

/// All states of the domain that are in use, each stored once.
#[derive(Debug, Default)]
pub struct ValuesPool {
    states: Vec<Rc<Values>>,
    /// With their hashes, which take long to compute.
    ids: HashTable<(u64, ValuesId)>,
}

impl ValuesPool {
    /// Stores a state.
    pub fn intern(&mut self, values: Values) -> ValuesId {
        let hash = FxBuildHasher.hash_one(&values);
        let same = |&(known, id): &(u64, ValuesId)| known == hash && *self.states[id.index()] == values;
        match self.ids.entry(hash, same, |&(hash, _)| hash) {
            Entry::Occupied(entry) => entry.get().1,
            Entry::Vacant(entry) => {
                let id = ValuesId::new(self.states.len());
                entry.insert((hash, id));
                self.states.push(Rc::new(values));
                id
            }
        }
    }

    /// Forgets all states.
    pub fn clear(&mut self) {
        self.states.clear();
        self.ids.clear();
    }

    /// The number of a state, if it is stored.
    pub fn find(&self, values: &Values) -> Option<ValuesId> {
        let hash = FxBuildHasher.hash_one(values);
        let same = |&(known, id): &(u64, ValuesId)| known == hash && *self.states[id.index()] == *values;
        self.ids.find(hash, same).map(|&(_, id)| id)
    }

    /// A stored state.
    pub fn get(&self, id: ValuesId) -> &Rc<Values> {
        &self.states[id.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_join_knows_only_what_both_know() {
        let mut rng = fastrand::Rng::with_seed(3);
        let region = RegionId::new(0);
        let (mut kept, mut parts) = (0, 0);
        for _ in 0..2000 {
            let mut random = || {
                let mut values = Values::default();
                for var in 0..3 {
                    if rng.bool() {
                        let slot = Slot { var: VarId::new(var), level: 0 };
                        values.set(Key::Var(slot), Some(Value::bv(8, rng.u64(..2))));
                    }
                }
                let pristine = rng.bool();
                if pristine {
                    values.set(Key::Pristine(region), None);
                }
                for addr in 0..3 {
                    match rng.u8(..3) {
                        0 => values.set(Key::Cell(region, addr), Some(Value::bv(8, rng.u64(..2)))),
                        1 if pristine => values.set(Key::Cell(region, addr), None),
                        _ => {}
                    }
                }
                values
            };
            let (a, b) = (random(), random());
            let joined = a.join(&b);
            assert!(a.implies(&joined) && b.implies(&joined), "{a:?} {b:?} {joined:?}");
            assert_eq!(joined, b.join(&a));
            let keys: Vec<Key> = b.entries().map(|(key, _)| key).collect();
            if a.project(&keys).is_some_and(|part| part.has_keys(&keys)) {
                assert!(a.outline().may_include(b.outline()));
                parts += 1;
            }
            assert_eq!(a.join(&a), a);
            kept += usize::from(joined != Values::default());
        }
        assert!(kept > 1000 && parts > 100);
    }
}
