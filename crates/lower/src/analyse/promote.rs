//! Promotion: which objects in memory become variables.
//!
//! An alloca or a global whose address is used only to read and write it at constant offsets is
//! divided into cells, each of which is a variable: the finest division in which every access is a
//! whole number of cells. Copies of constant size between such objects make their divisions equal.

use crate::analyse::reach::Reach;
use crate::analyse::shape::leaves;
use crate::instruction::operands;
use crate::instruction::{RangeKind, callee, constant_u64, is_hint, operand_type, range_call};
use crate::libc::{self, Allocation, Effect};
use beeline_ir::Type;
use beeline_module::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// An object in memory that the program names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Object {
    /// A global variable.
    Global(GlobalId),
    /// An alloca of a function.
    Alloca(FnId, InstId),
    /// A heap object that a call allocates which is executed once at most.
    Heap(FnId, InstId),
}

impl Object {
    /// Its size in bytes, if that is fixed.
    pub(crate) fn size(self, module: &Module) -> Option<u64> {
        match self {
            Object::Global(global) => Some(module.types[module.globals[global].ty].size),
            Object::Alloca(function, inst) => match &module.functions[function].insts[inst].kind {
                InstKind::Alloca { ty, count, dynamic: false, .. } => {
                    Some(constant_u64(count).unwrap_or(1).saturating_mul(module.types[*ty].size))
                }
                _ => None,
            },
            Object::Heap(function, inst) => match &module.functions[function].insts[inst].kind {
                InstKind::Call(call) => allocated_size(module, call),
                _ => None,
            },
        }
    }
}

/// The size in bytes that a call allocates, if it allocates and the size is fixed.
pub(crate) fn allocated_size(module: &Module, call: &CallInst) -> Option<u64> {
    let argument = |index: usize| call.args.get(index).and_then(constant_u64);
    match libc::effect(&callee(module, call)?.1.name) {
        Effect::Allocate(Allocation::Size(index)) => argument(index),
        Effect::Allocate(Allocation::Array) => argument(0)?.checked_mul(argument(1)?),
        Effect::Allocate(Allocation::Zeroed) => argument(0),
        _ => None,
    }
}

/// A cell of a promoted object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cell {
    /// Its offset in bytes.
    pub offset: u64,
    /// Its size in bytes.
    pub size: u64,
    /// The type of its variable.
    pub ty: Type,
}

/// The promoted objects, and where pointers to objects are known.
#[derive(Debug, Default)]
pub(crate) struct Promotion {
    /// Whether something is accessed both as a float and as an integer.
    pub mixes_floats: bool,
    cells: FxHashMap<Object, Vec<Cell>>,
    bases: FxHashMap<(FnId, InstId), (Object, i64)>,
}

/// The most cells of a promoted object: a larger one is better an array.
const MAX_CELLS: usize = 256;

impl Promotion {
    /// Decides for all objects of the used part of a module. With `enabled` false nothing is promoted,
    /// as a baseline to test against.
    pub(crate) fn new(
        module: &Module,
        reach: &Reach,
        enabled: bool,
        is_leaf: crate::analyse::reach::IsLeaf,
    ) -> Promotion {
        let mut analysis = Analysis {
            module,
            bases: FxHashMap::default(),
            sizes: BTreeMap::new(),
            escaped: FxHashSet::default(),
            accesses: BTreeMap::new(),
            cuts: BTreeMap::new(),
            copies: Vec::new(),
        };
        for &global in &reach.globals {
            analysis.sizes.insert(Object::Global(global), module.types[module.globals[global].ty].size);
            if module.globals[global].init.is_none() {
                // It is defined elsewhere: its type may be smaller than its size.
                analysis.sizes.insert(Object::Global(global), u64::MAX / 4);
            }
            if let Some(init) = &module.globals[global].init {
                analysis.escape_constant(init, true);
            }
            if !reach.havoc.is_empty() && module.globals[global].exported && !module.globals[global].constant
            {
                analysis.escaped.insert(Object::Global(global));
            }
        }
        for &id in &reach.functions {
            if !is_leaf(&module.functions[id].name) {
                analysis.function(id);
            }
        }
        if !enabled {
            let all: Vec<Object> = analysis.sizes.keys().copied().collect();
            analysis.escaped.extend(all);
        }
        analysis.finish()
    }

    /// The cells of an object, if it is promoted.
    pub(crate) fn cells(&self, object: Object) -> Option<&[Cell]> {
        self.cells.get(&object).map(Vec::as_slice)
    }

    /// The object and offset that a pointer points to, if it is the address of a named object plus a
    /// constant.
    pub(crate) fn base(&self, function: FnId, operand: &Operand) -> Option<(Object, i64)> {
        base(&self.bases, function, operand)
    }
}

fn base(
    bases: &FxHashMap<(FnId, InstId), (Object, i64)>,
    function: FnId,
    operand: &Operand,
) -> Option<(Object, i64)> {
    match operand {
        Operand::Const(_, Const::Global(global, offset)) => Some((Object::Global(*global), *offset)),
        Operand::Inst(inst) => bases.get(&(function, *inst)).copied(),
        _ => None,
    }
}

struct Analysis<'a> {
    module: &'a Module,
    bases: FxHashMap<(FnId, InstId), (Object, i64)>,
    /// Candidates with their sizes.
    sizes: BTreeMap<Object, u64>,
    escaped: FxHashSet<Object>,
    /// Scalar accesses.
    accesses: BTreeMap<Object, Accesses>,
    /// Ends of ranges that are copied or filled.
    cuts: BTreeMap<Object, BTreeSet<u64>>,
    /// Copies from candidates: from, to (if that is a candidate as well), size.
    copies: Vec<(Spot, Option<Spot>, u64)>,
}

/// Accesses by offset and size, with the type if all agree on it.
type Accesses = BTreeMap<(u64, u64), Option<Type>>;

/// An offset in an object.
type Spot = (Object, u64);

impl Analysis<'_> {
    fn escape_constant(&mut self, constant: &Const, nested: bool) {
        match constant {
            Const::Global(global, _) if nested => {
                self.escaped.insert(Object::Global(*global));
            }
            Const::Aggregate(parts) => parts.iter().for_each(|(_, part)| self.escape_constant(part, true)),
            Const::Binary(_, a, b) => {
                self.escape_constant(a, true);
                self.escape_constant(b, true);
            }
            Const::Resize { value, .. } => self.escape_constant(value, true),
            _ => {}
        }
    }

    fn function(&mut self, id: FnId) {
        let function = &self.module.functions[id];
        // Definitions come before uses in reverse post-order, but for phis, which make pointers escape.
        let order = if function.is_declaration() {
            Vec::new()
        } else {
            crate::analyse::cfg::Cfg::new(function).order
        };
        for &block in &order {
            for &inst in &function.blocks[block].insts {
                self.define(id, inst, &function.insts[inst].kind);
            }
        }
        for &block in &order {
            for &inst in &function.blocks[block].insts {
                self.uses(id, &function.insts[inst]);
            }
        }
    }

    fn define(&mut self, id: FnId, inst: InstId, kind: &InstKind) {
        match kind {
            InstKind::Alloca { ty, count, dynamic: false, .. } => {
                let size = constant_u64(count).and_then(|n| n.checked_mul(self.module.types[*ty].size));
                if let Some(size) = size {
                    self.sizes.insert(Object::Alloca(id, inst), size);
                    self.bases.insert((id, inst), (Object::Alloca(id, inst), 0));
                }
            }
            InstKind::Gep { base: operand, offset, steps } if steps.is_empty() => {
                if let Some((object, at)) = base(&self.bases, id, operand) {
                    self.bases.insert((id, inst), (object, at.wrapping_add(*offset)));
                }
            }
            InstKind::Cast(CastKind::BitCast, operand) => {
                if let Some(found) = base(&self.bases, id, operand) {
                    self.bases.insert((id, inst), found);
                }
            }
            _ => {}
        }
    }

    /// The object and offset of an access of a size that stays inside the object.
    fn inside(&mut self, id: FnId, operand: &Operand, size: u64) -> Option<(Object, u64)> {
        let Some((object, offset)) = base(&self.bases, id, operand) else {
            // The address may be computed from the objects that a constant mentions.
            self.escape(id, operand);
            return None;
        };
        let limit = *self.sizes.get(&object)?;
        match u64::try_from(offset) {
            Ok(offset) if offset.checked_add(size).is_some_and(|end| end <= limit) => Some((object, offset)),
            _ => {
                self.escaped.insert(object);
                None
            }
        }
    }

    fn access(&mut self, id: FnId, addr: &Operand, ty: TyId) {
        let Some(list) = leaves(self.module, ty) else { return self.escape(id, addr) };
        let size = self.module.types[ty].store_size;
        let Some((object, offset)) = self.inside(id, addr, size) else { return };
        let accesses = self.accesses.entry(object).or_default();
        for leaf in list {
            let memory = leaf.memory_type();
            let known = accesses.entry((offset + leaf.offset, leaf.size)).or_insert(Some(memory));
            if *known != Some(memory) {
                *known = None;
            }
        }
    }

    fn escape(&mut self, id: FnId, operand: &Operand) {
        if let Some((object, _)) = base(&self.bases, id, operand) {
            self.escaped.insert(object);
        }
        if let Operand::Const(_, constant) = operand {
            self.escape_constant(constant, false);
        }
    }

    fn uses(&mut self, id: FnId, inst: &Inst) {
        let module = self.module;
        match &inst.kind {
            InstKind::Load { addr, .. } => self.access(id, addr, inst.ty),
            InstKind::Store { addr, value } => {
                self.escape(id, value);
                match operand_type(module, &module.functions[id], value) {
                    Some(ty) => self.access(id, addr, ty),
                    None => self.escape(id, addr),
                }
            }
            InstKind::Gep { base: operand, steps, .. } if steps.is_empty() => {
                if base(&self.bases, id, operand).is_none() {
                    self.escape(id, operand);
                }
            }
            InstKind::Cast(CastKind::BitCast, _) => {}
            InstKind::Call(call) => {
                let function = callee(module, call).map(|(_, function)| function);
                let name = function.map_or("", |function| function.name.as_str());
                match (function.and_then(range_call), call.args.as_slice()) {
                    (Some(kind), [to, from, size, ..]) => self.range(id, kind, to, from, constant_u64(size)),
                    _ if is_hint(name) => {}
                    _ => call.args.iter().chain([&call.callee]).for_each(|operand| self.escape(id, operand)),
                }
            }
            kind => operands(kind).into_iter().for_each(|operand| self.escape(id, operand)),
        }
    }

    fn range(&mut self, id: FnId, kind: RangeKind, to: &Operand, from: &Operand, size: Option<u64>) {
        let Some(size) = size else {
            self.escape(id, to);
            return self.escape(id, from);
        };
        let target = self.inside(id, to, size);
        if let Some((object, offset)) = target {
            self.cuts.entry(object).or_default().extend([offset, offset + size]);
        }
        if kind == RangeKind::Fill {
            return;
        }
        let source = self.inside(id, from, size);
        if let Some((object, offset)) = source {
            self.cuts.entry(object).or_default().extend([offset, offset + size]);
        }
        if let Some(source) = source {
            self.copies.push((source, target, size));
        }
    }

    /// Divides the objects that can be divided. Copying out of an object to memory that is not divided needs all of the
    /// object. This may make the object too large to be divided, which in turn affects what is copied into it.
    fn finish(mut self) -> Promotion {
        loop {
            self.share_divisions();
            let mut cells = FxHashMap::default();
            for &object in self.sizes.keys() {
                if self.escaped.contains(&object) {
                    continue;
                }
                if let Some(division) = self.divide(object) {
                    cells.insert(object, division);
                }
            }
            let large = self.sizes.keys().filter(|object| !cells.contains_key(object)).copied();
            let known = self.escaped.len();
            self.escaped.extend(large.collect::<Vec<_>>());
            if !self.expose_copied() && self.escaped.len() == known {
                return Promotion { mixes_floats: self.mixes_floats(), cells, bases: self.bases };
            }
        }
    }

    /// Whether a float is accessed as something else as well.
    fn mixes_floats(&self) -> bool {
        let is_float = |leaf: &crate::analyse::shape::Leaf| matches!(leaf.ty, Type::Float(_));
        self.accesses.iter().any(|(&object, accesses)| {
            let mixed = |leaf: &crate::analyse::shape::Leaf| {
                accesses.iter().any(|(&range, ty)| {
                    overlap(range, (leaf.offset, leaf.size)).is_some() && !matches!(ty, Some(Type::Float(_)))
                })
            };
            let conflicts = accesses.values().any(Option::is_none);
            conflicts
                && self
                    .parts(object)
                    .is_some_and(|parts| parts.iter().any(|leaf| is_float(leaf) && mixed(leaf)))
        })
    }

    /// Counts all parts that are copied to memory as read; returns whether that was new.
    fn expose_copied(&mut self) -> bool {
        let mut changed = false;
        for index in 0..self.copies.len() {
            let ((object, start), target, size) = self.copies[index];
            if target.is_some_and(|(to, _)| !self.escaped.contains(&to)) || self.escaped.contains(&object) {
                continue;
            }
            let Some(parts) = self.parts(object) else {
                changed |= self.escaped.insert(object);
                continue;
            };
            let accesses = self.accesses.entry(object).or_default();
            // What lies between the parts is copied as well, and so is a piece of a part that the range cuts.
            let mut at = start;
            for leaf in parts {
                let Some((offset, width)) = overlap((leaf.offset, leaf.size), (start, size)) else {
                    continue;
                };
                if at < offset {
                    changed |= add_access(accesses, (at, offset - at), None);
                }
                changed |= match (offset, width) == (leaf.offset, leaf.size) {
                    true => {
                        !accesses.contains_key(&(offset, width))
                            && add_access(accesses, (offset, width), Some(leaf.memory_type()))
                    }
                    false => add_access(accesses, (offset, width), None),
                };
                at = at.max(offset + width);
            }
            if at < start + size {
                changed |= add_access(accesses, (at, start + size - at), None);
            }
        }
        changed
    }

    /// The leaves of an object by its declared type, unless they are many.
    fn parts(&self, object: Object) -> Option<Vec<crate::analyse::shape::Leaf>> {
        let (ty, count) = match object {
            Object::Global(global) => (self.module.globals[global].ty, 1),
            Object::Alloca(id, inst) => match &self.module.functions[id].insts[inst].kind {
                InstKind::Alloca { ty, count, .. } => (*ty, constant_u64(count)?),
                _ => return None,
            },
            Object::Heap(..) => return None,
        };
        let list = leaves(self.module, ty)?;
        let size = self.module.types[ty].size;
        if list.len() as u64 * count > MAX_CELLS as u64 {
            return None;
        }
        let repeated = (0..count).flat_map(|index| {
            list.iter()
                .map(move |leaf| crate::analyse::shape::Leaf { offset: leaf.offset + index * size, ..*leaf })
        });
        Some(repeated.collect())
    }

    /// Gives both operands of each copy the accesses and cuts of the other, until nothing changes.
    fn share_divisions(&mut self) {
        let copies: Vec<(Spot, Spot, u64)> =
            self.copies.iter().filter_map(|&(from, to, size)| Some((from, to?, size))).collect();
        loop {
            let mut changed = false;
            for &(a, b, size) in &copies {
                changed |= self.share(a, b, size);
                changed |= self.share(b, a, size);
            }
            if !changed {
                return;
            }
        }
    }

    fn share(&mut self, (from, at): Spot, (to, target): Spot, size: u64) -> bool {
        if self.escaped.contains(&from) || self.escaped.contains(&to) {
            return false;
        }
        let mut changed = false;
        let accesses: Vec<_> =
            self.accesses.get(&from).into_iter().flatten().map(|(key, ty)| (*key, *ty)).collect();
        let known = self.accesses.entry(to).or_default();
        for (range, ty) in accesses {
            // If an access extends beyond the copy, its part within the copy counts for the other object too.
            let Some(part) = overlap(range, (at, size)) else { continue };
            let ty = ty.filter(|_| part == range);
            changed |= add_access(known, (part.0 - at + target, part.1), ty);
        }
        let cuts: Vec<u64> = self.cuts.get(&from).into_iter().flatten().copied().collect();
        let known = self.cuts.entry(to).or_default();
        for cut in cuts {
            if cut >= at && cut <= at + size {
                changed |= known.insert(cut - at + target);
            }
        }
        changed
    }

    /// The cells of an object, unless they are too many.
    fn divide(&self, object: Object) -> Option<Vec<Cell>> {
        let none = BTreeMap::new();
        let accesses = self.accesses.get(&object).unwrap_or(&none);
        let mut bounds: BTreeSet<u64> = self.cuts.get(&object).into_iter().flatten().copied().collect();
        for &(offset, size) in accesses.keys() {
            bounds.extend([offset, offset + size]);
        }
        let bounds: Vec<u64> = bounds.into_iter().collect();
        let mut cells = Vec::new();
        for pair in bounds.windows(2) {
            let (offset, size) = (pair[0], pair[1] - pair[0]);
            let covered = accesses.keys().any(|&(at, width)| at <= offset && offset + size <= at + width);
            if !covered {
                continue;
            }
            let ty = accesses.get(&(offset, size)).copied().flatten();
            let whole = accesses
                .keys()
                .filter(|&&(at, width)| at < offset + size && offset < at + width)
                .all(|&key| key == (offset, size));
            let ty = ty.filter(|_| whole).unwrap_or(Type::Bv(u32::try_from(size * 8).ok()?));
            cells.push(Cell { offset, size, ty });
        }
        (cells.len() <= MAX_CELLS).then_some(cells)
    }
}

/// The part of a range, given by start and size, that lies in another one.
fn overlap(range: (u64, u64), other: (u64, u64)) -> Option<(u64, u64)> {
    let (start, end) = (range.0.max(other.0), (range.0 + range.1).min(other.0 + other.1));
    (start < end).then(|| (start, end - start))
}

/// Records an access; returns whether it was new.
fn add_access(accesses: &mut Accesses, range: (u64, u64), ty: Option<Type>) -> bool {
    match accesses.entry(range) {
        Entry::Vacant(entry) => {
            entry.insert(ty);
            true
        }
        Entry::Occupied(mut known) if known.get().is_some() && *known.get() != ty => {
            known.insert(None);
            true
        }
        Entry::Occupied(_) => false,
    }
}
