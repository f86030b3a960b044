//! Explicit values: the variables and cells whose values are known.
//!
//! A state maps *slots* to values. A slot that is missing may have any value, so forgetting one is always
//! sound. Memory is tracked cell by cell. A region is *pristine* if every write to it is known: cells that
//! are not listed have the region's initial contents.

mod between;
pub mod eval;
pub mod layered;
pub mod liveness;
pub mod transfer;
pub mod undefined_operations;

pub(crate) use between::Ways;

use crate::control::place::Slot;
use beeline_ir::{Expr, ExprId, FuncId, Program, RegionId, Value, VarId};
use cranelift_entity::{EntityRef, entity_impl};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::hash::BuildHasher;
use std::sync::Arc;

/// A subject of a state's knowledge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// A variable of an activation.
    Var(Slot),
    /// The fact that every write to a region is known.
    Pristine(RegionId),
    /// A cell.
    Cell(RegionId, u64),
}

/// A variable or region, as precisions consist of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tracked {
    /// A variable, in all activations.
    Var(VarId),
    /// All cells of a region.
    Region(RegionId),
}

impl Key {
    /// The variable or region to which it belongs in a precision.
    pub fn tracked(self) -> Option<Tracked> {
        match self {
            Key::Var(slot) => Some(Tracked::Var(slot.var)),
            Key::Cell(region, _) => Some(Tracked::Region(region)),
            Key::Pristine(_) => None,
        }
    }
}

/// A precision: what is tracked.
pub trait Tracking {
    /// Whether something is tracked.
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

/// A signature of a set of keys in a few bits, which refutes most inclusions of sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Outline([u128; 2]);

impl Outline {
    /// Whether the set may include another one.
    pub fn may_include(self, other: Outline) -> bool {
        self.0.iter().zip(other.0).all(|(mine, theirs)| theirs & !mine == 0)
    }
}

/// A state of the domain: the known keys in order, with their values. A cell of a pristine region is listed
/// without a value if it was overwritten by an unknown one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Values(Vec<(Key, Option<Value>)>);

impl Values {
    /// The listed keys and values.
    pub fn entries(&self) -> impl Iterator<Item = (Key, Option<&Value>)> {
        self.0.iter().map(|(key, value)| (*key, value.as_ref()))
    }

    /// The number of listed keys.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether exactly these keys are listed, in this order.
    pub fn has_keys(&self, keys: &[Key]) -> bool {
        keys.len() == self.0.len() && self.0.iter().zip(keys).all(|(entry, key)| entry.0 == *key)
    }

    /// The part of the state about some keys, which are in order; `None` unless all of them are listed.
    pub fn project(&self, keys: &[Key]) -> Option<Values> {
        let mut listed = self.0.iter();
        let entries = keys.iter().map(|&key| Some((key, seek(&mut listed, key)?.clone())));
        entries.collect::<Option<Vec<_>>>().map(Values)
    }

    /// The signature of the listed keys.
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

    /// The entry of a key, if it is listed.
    pub(crate) fn get(&self, key: Key) -> Option<&Option<Value>> {
        self.find(key).ok().map(|index| &self.0[index].1)
    }

    /// Lists a key.
    pub(crate) fn set(&mut self, key: Key, value: Option<Value>) {
        match self.find(key) {
            Ok(index) => self.0[index].1 = value,
            Err(index) => self.0.insert(index, (key, value)),
        }
    }

    /// Forgets a key.
    pub(crate) fn remove(&mut self, key: Key) {
        if let Ok(index) = self.find(key) {
            self.0.remove(index);
        }
    }

    /// Forgets the variables of an activation.
    pub(crate) fn forget_activation(&mut self, program: &Program, callee: FuncId, level: u32) {
        self.0.retain(|(key, _)| {
            !matches!(key, Key::Var(slot)
                if slot.level == level && program.vars[slot.var].owner == Some(callee))
        });
    }

    /// What the topmost call of a stack sees: globals, and its own variables as if it were the only
    /// activation of its function.
    pub(crate) fn seen_by(&self, program: &Program, callee: FuncId, level: u32) -> Values {
        let seen = self.0.iter().filter_map(|(key, value)| {
            let key = match *key {
                Key::Var(slot) if program.vars[slot.var].owner == Some(callee) => {
                    (slot.level == level).then_some(Key::Var(Slot { level: 0, ..slot }))?
                }
                Key::Var(slot) if program.vars[slot.var].owner.is_some() => return None,
                key => key,
            };
            Some((key, value.clone()))
        });
        let mut seen: Vec<_> = seen.collect();
        seen.sort_unstable_by_key(|(key, _)| *key);
        Values(seen)
    }

    /// Forgets a region and its cells.
    pub(crate) fn forget_region(&mut self, region: RegionId) {
        self.0.retain(|(key, _)| !matches!(key, Key::Pristine(r) | Key::Cell(r, _) if *r == region));
    }

    /// Whether every execution state that this state describes satisfies the other one too.
    pub fn implies(&self, other: &Values) -> bool {
        let mut mine = self.0.iter();
        other.0.iter().all(|(key, value)| match (seek(&mut mine, *key), value) {
            (Some(mine), Some(value)) => mine.as_ref() == Some(value),
            // A cell that is unknown in the other state: any value satisfies it, once both are pristine.
            (_, None) if matches!(key, Key::Cell(..)) => true,
            (Some(None), None) => true,
            _ => false,
        }) && self.pristine_regions_agree(other)
    }

    /// What is known in both states.
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
        // Cells that only the other state has written.
        for (key, _) in &other.0 {
            if matches!(key, Key::Cell(region, _) if pristine(*region)) && self.get(*key).is_none() {
                joined.set(*key, None);
            }
        }
        joined
    }

    /// Where the other state is pristine, the changed cells of this one have to be listed there.
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

    /// The state at the start of a program.
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

/// Advances in a list to a key and returns its entry, if there is one. Keys have to be sought in order.
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

/// Adds what an expression reads.
pub fn reads(program: &Program, root: ExprId, wanted: &mut FxHashSet<Tracked>) {
    wanted.extend(program.exprs.parts([root]).filter_map(|(_, node)| match node {
        Expr::Var(var) => Some(Tracked::Var(var)),
        Expr::Load { region, .. } => Some(Tracked::Region(region)),
        _ => None,
    }));
}

/// A stored state of the domain.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValuesId(u32);
entity_impl!(ValuesId, "values");

/// All states of the domain that are in use, each stored once.
#[derive(Debug, Default)]
pub struct ValuesPool {
    states: Vec<Arc<Values>>,
    /// The states with their hashes, which are expensive to compute.
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
                self.states.push(Arc::new(values));
                id
            }
        }
    }

    /// Forgets all states.
    pub fn clear(&mut self) {
        self.states.clear();
        self.ids.clear();
    }

    /// The id of a state, if it is stored.
    pub fn find(&self, values: &Values) -> Option<ValuesId> {
        let hash = FxBuildHasher.hash_one(values);
        let same = |&(known, id): &(u64, ValuesId)| known == hash && *self.states[id.index()] == *values;
        self.ids.find(hash, same).map(|&(_, id)| id)
    }

    /// A stored state.
    pub fn get(&self, id: ValuesId) -> &Arc<Values> {
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
