//! The alignment of two versions of a program: which function, location and edge of the old one is which of the new one.
//!
//! Functions match by name, renamed ones by their shape. The locations of two functions are in the order of the code, and
//! match as the lines of two texts do.

use crate::shape::Shapes;
use crate::symbols::Symbols;
use beeline_ir::{EdgeId, FuncId, LocId, Program, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// The matching parts of two versions of a program.
#[derive(Debug)]
pub struct Alignment {
    pub(crate) functions: FxHashMap<FuncId, FuncId>,
    pub(crate) locations: FxHashMap<LocId, LocId>,
    pub(crate) edges: FxHashMap<EdgeId, EdgeId>,
    pub(crate) symbols: Symbols,
    /// Whether all parts of the new program match.
    is_complete: bool,
    /// Whether the programs differ only in names, places and addresses, and in what the new one does not have.
    is_same: bool,
}

impl Alignment {
    /// Aligns an old version of a program with a new one.
    pub fn new(old: &Program, new: &Program) -> Alignment {
        let names = |program: &'_ Program| -> FxHashSet<String> {
            program.functions.values().map(|function| function.name.clone()).collect()
        };
        let (of_old, of_new) = (names(old), names(new));
        let common: FxHashSet<&str> = of_old.intersection(&of_new).map(String::as_str).collect();
        let shapes = (Shapes::new(old, &common), Shapes::new(new, &common));
        let functions = functions((old, new), &shapes);
        let locations = locations((old, new), &functions, &shapes);
        let edges = edges((old, new), &locations, &shapes);
        let symbols = Symbols::new((old, new), &functions, &edges, &shapes);
        let mut alignment =
            Alignment { functions, locations, edges, symbols, is_complete: false, is_same: false };
        let matched: FxHashSet<LocId> = alignment.locations.values().copied().collect();
        alignment.is_complete = new.locations().all(|loc| matched.contains(&loc));
        alignment.is_same = alignment.is_complete
            && alignment.functions.get(&old.entry) == Some(&new.entry)
            && alignment.have_same_operations(old, new);
        alignment
    }

    /// Whether the programs differ only in names, places in the source and addresses, and in what the new one lacks.
    pub fn is_same(&self) -> bool {
        self.is_same
    }

    /// The location of the new program that matches one of the old program.
    pub fn location(&self, loc: LocId) -> Option<LocId> {
        self.locations.get(&loc).copied()
    }

    /// Whether all locations of the new program match one of the old one.
    pub(crate) fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// A value in the new program: another one only if it is a pointer to an object that has moved.
    pub(crate) fn value(&self, value: &Value) -> Value {
        self.symbols.value(value)
    }

    /// Whether each edge of the new program does what an old one does, between locations that match.
    fn have_same_operations(&self, old: &Program, new: &Program) -> bool {
        let from: FxHashMap<EdgeId, EdgeId> = self.edges.iter().map(|(&old, &new)| (new, old)).collect();
        let is_same = |edge: EdgeId| {
            let Some(&before) = from.get(&edge) else { return false };
            let (one, other) = (&old.edges[before], &new.edges[edge]);
            self.locations.get(&one.dst) == Some(&other.dst)
                && self.symbols.is_same_op((old, &one.op), (new, &other.op), &self.functions)
        };
        new.edges.keys().all(is_same) && self.symbols.have_same_contents(old, new)
    }
}

/// The functions that match.
fn functions(
    (old, new): (&Program, &Program),
    shapes: &(Shapes<'_>, Shapes<'_>),
) -> FxHashMap<FuncId, FuncId> {
    let by_name: FxHashMap<&str, FuncId> =
        new.functions.iter().map(|(id, function)| (&*function.name, id)).collect();
    let mut matched: FxHashMap<FuncId, FuncId> = FxHashMap::default();
    for (id, function) in old.functions.iter() {
        if let Some(&of_new) = by_name.get(&*function.name) {
            matched.insert(id, of_new);
        }
    }
    let taken: FxHashSet<FuncId> = matched.values().copied().collect();
    let mut by_shape: FxHashMap<u64, Vec<FuncId>> = FxHashMap::default();
    for id in new.functions.keys().filter(|id| !taken.contains(id)) {
        by_shape.entry(shapes.1.of_function(id)).or_default().push(id);
    }
    let renamed: Vec<FuncId> = old.functions.keys().filter(|id| !matched.contains_key(id)).collect();
    for id in renamed {
        // Of several functions of one shape, the first ones match in the order of the programs.
        if let Some(candidates) = by_shape.get_mut(&shapes.0.of_function(id))
            && !candidates.is_empty()
        {
            matched.insert(id, candidates.remove(0));
        }
    }
    matched
}

/// The locations that match.
fn locations(
    (old, new): (&Program, &Program),
    functions: &FxHashMap<FuncId, FuncId>,
    shapes: &(Shapes<'_>, Shapes<'_>),
) -> FxHashMap<LocId, LocId> {
    let mut matched = FxHashMap::default();
    for (&one, &other) in functions {
        let (one, other) = (&old.functions[one], &new.functions[other]);
        let of_old: Vec<u64> = one.locations().map(|loc| shapes.0.of_location(loc)).collect();
        let of_new: Vec<u64> = other.locations().map(|loc| shapes.1.of_location(loc)).collect();
        for change in capture_diff_slices(Algorithm::Patience, &of_old, &of_new) {
            let (old_index, new_index, count) = match change {
                DiffOp::Equal { old_index, new_index, len } => (old_index, new_index, len),
                // Changed, but most probably in their places.
                DiffOp::Replace { old_index, old_len, new_index, new_len } if old_len == new_len => {
                    (old_index, new_index, old_len)
                }
                _ => continue,
            };
            for index in 0..count {
                let at = |begin: u32, from: usize| LocId::from_u32(begin + (from + index) as u32);
                matched.insert(at(one.locs.start, old_index), at(other.locs.start, new_index));
            }
        }
        matched.insert(one.entry(), other.entry());
        matched.insert(one.exit, other.exit);
    }
    matched
}

/// The edges that match: those of locations that match, in order.
fn edges(
    (old, new): (&Program, &Program),
    locations: &FxHashMap<LocId, LocId>,
    shapes: &(Shapes<'_>, Shapes<'_>),
) -> FxHashMap<EdgeId, EdgeId> {
    let mut matched = FxHashMap::default();
    for (&one, &other) in locations {
        let mut left: Vec<EdgeId> = new.out_edges(other).collect();
        let is_even = old.out_edges(one).len() == left.len();
        for edge in old.out_edges(one) {
            let shape = shapes.0.of_op(&old.edges[edge].op);
            let found = match is_even {
                true => Some(0),
                false => left.iter().position(|&edge| shapes.1.of_op(&new.edges[edge].op) == shape),
            };
            if let Some(found) = found {
                matched.insert(edge, left.remove(found));
            }
        }
    }
    matched
}
