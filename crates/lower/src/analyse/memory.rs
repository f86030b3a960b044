//! Memory: addresses of objects, and regions from the points-to analysis.
//!
//! Every object has a fixed address, but those in frames that may exist twice and those on the heap, which get theirs
//! from counters. They lie so far apart that a pointer that leaves one object reaches no other, unless its index has
//! more than 32 bits: an address determines the object that it was computed from. The accesses of a points-to node fall
//! into groups that do not overlap; each group is a region, whose cells are as wide as its narrowest access allows.

mod image;
mod runs;

use image::Image;
pub(crate) use runs::Run;

use crate::analyse::activation::Activations;
use crate::analyse::points_to::{NodeId, PointsTo, Ptr};
use crate::analyse::promote::Object;
use crate::analyse::scope::Scope;
use crate::analyse::shape::Addresses;
use crate::instruction::{callee, constant_u64};
use crate::libc::{self, Effect};
use beeline_ir::{Extent, InitRun, ProgramBuilder, Region, RegionId, Type, Value};
use beeline_module::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// The layout of memory.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    functions: FxHashMap<FnId, u64>,
    objects: FxHashMap<Object, u64>,
    sizes: FxHashMap<Object, u64>,
    /// The arena of frames' objects without a fixed address.
    pub stack: Arena,
    /// The arena of the heap.
    pub heap: Arena,
    /// The arena of frames' objects that a pointer may outlive: as on the heap, no address is used twice.
    pub locals: Arena,
}

/// A range of addresses that a counter hands out: one object in each slot of a fixed size.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Arena {
    /// The first address.
    pub start: u64,
    /// The address after the last one.
    pub end: u64,
    /// The logarithm of the size of a slot; both addresses are multiples of that.
    pub shift: u32,
}

impl Arena {
    /// The size of a slot.
    pub(crate) fn slot(self) -> u64 {
        1 << self.shift
    }

    /// The largest object: a pointer to its end is still in its slot.
    pub(crate) fn largest(self) -> u64 {
        self.slot() - GAP
    }
}

impl Addresses for Layout {
    fn global(&self, global: GlobalId) -> u64 {
        self.objects.get(&Object::Global(global)).copied().unwrap_or(0)
    }
    fn function(&self, function: FnId) -> u64 {
        self.functions.get(&function).copied().unwrap_or(0)
    }
}

/// Objects start at multiples of this at least, and as many bytes are free between them.
const GAP: u64 = 16;

/// The arenas and the distance of fixed objects.
struct Space {
    stack: Arena,
    heap: Arena,
    locals: Arena,
    gap: u64,
}

/// The space where addresses have 64 bits. The index of an element of 8 bytes does not lead from one object to another.
const WIDE: Space = Space {
    stack: Arena { start: 1 << 58, end: 1 << 59, shift: 36 },
    heap: Arena { start: 1 << 60, end: 1 << 61, shift: 36 },
    locals: Arena { start: 1 << 61, end: 1 << 62, shift: 36 },
    gap: 1 << 36,
};
/// The same where addresses have fewer bits: as large as the space allows.
const NARROW: Space = Space {
    stack: Arena { start: 0x5000_0000, end: 0x6000_0000, shift: 14 },
    heap: Arena { start: 0x6000_0000, end: 0xd000_0000, shift: 20 },
    locals: Arena { start: 0xd000_0000, end: 0xf000_0000, shift: 20 },
    gap: 1 << 20,
};
/// The size of the space for fixed objects there.
const NARROW_SPACE: u64 = 0x3000_0000;

impl Layout {
    /// Places functions, globals and the allocas that exist once.
    pub(crate) fn new(scope: Scope, activations: &Activations) -> Layout {
        let module = scope.module;
        let wide = module.pointer_width >= 48;
        let Space { stack, mut heap, mut locals, gap: most } = if wide { WIDE } else { NARROW };
        // The largest constant size that the program requests has a slot, if that leaves enough slots.
        let slot = (largest_constant(scope).saturating_add(GAP)).checked_next_power_of_two().unwrap_or(0);
        heap.shift = slot.trailing_zeros().clamp(heap.shift, heap.shift + 6);
        locals.shift = heap.shift;
        let mut layout = Layout { stack, heap, locals, ..Layout::default() };
        for (index, &function) in scope.reach.functions.iter().enumerate() {
            layout.functions.insert(function, 0x40_0000 + index as u64 * GAP);
        }
        let mut fixed = Layout::fixed_objects(scope, activations);
        let largest = layout.heap.largest();
        fixed.extend(scope.heap_objects().map(|(id, inst)| {
            let object = Object::Heap(id, inst);
            (object, object.size(module).unwrap_or(largest).min(largest), GAP)
        }));
        let bytes = fixed.iter().fold(0u64, |all, (_, size, _)| all.saturating_add(*size));
        let room = NARROW_SPACE.saturating_sub(bytes) / (fixed.len() as u64 + 1);
        let gap = match (wide, has_distances(scope)) {
            (true, false) => most,
            // Half of it is still a positive number.
            (true, true) => ((1 << 30) / (fixed.len() as u64 + 1)).max(GAP).next_power_of_two() / 2,
            (false, _) => most.min((room / 2).max(GAP).next_power_of_two()),
        };
        let mut next = 0x1000_0000u64;
        for (object, size, align) in fixed {
            next = next.next_multiple_of(gap.max(align));
            layout.objects.insert(object, next);
            layout.sizes.insert(object, size);
            next = next.saturating_add(size).saturating_add(GAP);
        }
        layout
    }

    /// The objects that exist once, with their sizes and alignments.
    fn fixed_objects(scope: Scope, activations: &Activations) -> Vec<(Object, u64, u64)> {
        let module = scope.module;
        let mut fixed = Vec::new();
        for &global in &scope.reach.globals {
            let data = &module.globals[global];
            fixed.push((Object::Global(global), module.types[data.ty].size, data.align));
        }
        for &id in &scope.reach.functions {
            let function = &module.functions[id];
            for block in function.blocks.values() {
                for &inst in &block.insts {
                    let object = Object::Alloca(id, inst);
                    if let InstKind::Alloca { ty, align, dynamic: false, .. } = &function.insts[inst].kind
                        && !activations.is_moved(object)
                        && scope.promotion.cells(object).is_none()
                        && let Some(size) = object.size(module)
                    {
                        fixed.push((object, size, module.types[*ty].align.max(*align)));
                    }
                }
            }
        }
        fixed
    }

    /// The address of an object that has a fixed one.
    pub(crate) fn object(&self, object: Object) -> Option<u64> {
        self.objects.get(&object).copied()
    }

    /// The objects that have a fixed address, in the order of these.
    pub(crate) fn fixed(&self) -> Vec<(Object, u64)> {
        let mut fixed: Vec<(Object, u64)> =
            self.objects.iter().map(|(&object, &base)| (object, base)).collect();
        fixed.sort_unstable_by_key(|&(_, base)| base);
        fixed
    }

    /// The range from the first address to the one after the last of all objects and functions of a program.
    pub(crate) fn all(&self) -> (u64, u64) {
        (0x40_0000, self.heap.end.max(self.locals.end))
    }
}

/// Whether the program stores distances of objects in 32 bits, as optimisers do in tables of pointers.
fn has_distances(scope: Scope) -> bool {
    let functions = scope.reach.functions.iter().map(|&id| &scope.module.functions[id].name);
    functions.into_iter().any(|name| name.starts_with("llvm.load.relative"))
}

/// The largest constant that is an argument of a function that allocates.
fn largest_constant(scope: Scope) -> u64 {
    let sizes = scope.reach.functions.iter().flat_map(|&id| {
        let insts = scope.module.functions[id].insts.values();
        insts.filter_map(|inst| match &inst.kind {
            InstKind::Call(call) => {
                let effect = libc::effect(&callee(scope.module, call)?.1.name);
                let allocates = matches!(effect, Effect::Allocate(_) | Effect::Reallocate);
                let numbers = call.args.iter().filter_map(constant_u64);
                allocates.then(|| numbers.fold(1u64, |product, number| product.saturating_mul(number.max(1))))
            }
            _ => None,
        })
    });
    sizes.max().unwrap_or(0)
}

/// Accesses of a node that overlap each other, as a region.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Group {
    /// Its first offset in the node.
    pub start: i64,
    /// The number of bytes that it covers of each period.
    pub len: u64,
    /// Bytes of a cell.
    pub word: u64,
    /// The region.
    pub region: RegionId,
    /// The type of its cells.
    pub cell: Type,
    /// Whether it covers all bytes of the node.
    pub whole: bool,
}

/// The regions of all nodes.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    groups: FxHashMap<NodeId, Vec<Group>>,
}

/// More elements than this are not initialised field by field.
const MANY_ELEMENTS: u64 = 4096;

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A group before it has a region.
struct Draft {
    start: i64,
    end: i64,
    word: u64,
    types: FxHashSet<Type>,
    whole: bool,
}

impl Memory {
    /// Makes a region of each group of accesses. With `flat`, all memory is one array of bytes.
    pub(crate) fn new(
        scope: Scope,
        points: &PointsTo,
        layout: &Layout,
        builder: &mut ProgramBuilder,
        flat: bool,
    ) -> Memory {
        let mut images = FxHashMap::default();
        for &global in &scope.reach.globals {
            images.insert(
                Object::Global(global),
                Image::new(scope.module, &scope.module.globals[global], layout),
            );
        }
        let mut maker = RegionMaker { scope, points, layout, builder, images, names: FxHashSet::default() };
        let mut groups = FxHashMap::default();
        if flat {
            let region = maker.flat();
            for root in points.roots() {
                let group = Group { start: 0, len: 0, word: 1, region, cell: Type::Bv(8), whole: true };
                groups.insert(root.node, vec![group]);
            }
            return Memory { groups };
        }
        for root in points.roots() {
            let list = maker.node(root);
            groups.insert(root.node, list);
        }
        Memory { groups }
    }

    /// The region of an access.
    pub(crate) fn region(&self, points: &PointsTo, ptr: Ptr, size: u64) -> Option<Group> {
        let at = points.find(ptr);
        let modulus = points.modulus(at) as i64;
        let groups = self.groups.get(&at.node)?;
        groups.iter().copied().find(|group| {
            let holds =
                |offset: i64| group.start <= offset && offset + size as i64 <= group.start + group.len as i64;
            group.whole || holds(at.offset) || (modulus > 0 && holds(at.offset + modulus))
        })
    }

    /// The groups of a node.
    pub(crate) fn groups(&self, points: &PointsTo, ptr: Ptr) -> &[Group] {
        self.groups.get(&points.find(ptr).node).map_or(&[], Vec::as_slice)
    }
}

/// The initial value of a cell of a promoted global.
pub(crate) fn initial_cell(
    module: &Module,
    global: &Global,
    cell: &crate::analyse::promote::Cell,
    layout: &Layout,
) -> Option<Value> {
    Image::new(module, global, layout).value(cell.offset, cell.size, cell.ty, module.big_endian)
}

struct RegionMaker<'a, 'b> {
    scope: Scope<'a>,
    points: &'a PointsTo,
    layout: &'a Layout,
    builder: &'b mut ProgramBuilder,
    images: FxHashMap<Object, Image>,
    names: FxHashSet<String>,
}

impl RegionMaker<'_, '_> {
    /// The groups of a node, each with its region.
    fn node(&mut self, root: Ptr) -> Vec<Group> {
        let modulus = self.points.modulus(root);
        let drafts = self.drafts(root, modulus);
        let several = drafts.len() > 1;
        let mut groups = Vec::new();
        for draft in drafts {
            let mut types = draft.types.iter();
            let cell = match (types.next(), types.next()) {
                (Some(Type::Float(kind)), None) if u64::from(kind.width().div_ceil(8)) == draft.word => {
                    Type::Float(*kind)
                }
                _ => Type::Bv(draft.word as u32 * 8),
            };
            let len = (draft.end - draft.start) as u64;
            let region = self.region(root, &draft, cell, several);
            groups.push(Group {
                start: draft.start,
                len,
                word: draft.word,
                region,
                cell,
                whole: draft.whole,
            });
        }
        groups
    }

    fn drafts(&self, root: Ptr, modulus: u64) -> Vec<Draft> {
        let mut accesses: Vec<(i64, u64, Type)> = self.points.accesses(root).collect();
        accesses.sort();
        let Some(&(first, ..)) = accesses.first() else { return Vec::new() };
        let wraps = modulus > 0
            && accesses.iter().any(|(offset, size, _)| offset.saturating_add(*size as i64) > modulus as i64);
        if wraps || self.has_many_elements(root, modulus, &accesses) {
            let word = accesses.iter().fold(modulus, |word, (offset, size, _)| {
                gcd(gcd(word, *size), offset.wrapping_sub(first).unsigned_abs())
            });
            let types = accesses.iter().map(|access| access.2).collect();
            let start = first.rem_euclid(word as i64);
            return vec![Draft { start, end: start + modulus as i64, word, types, whole: true }];
        }
        let mut drafts: Vec<Draft> = Vec::new();
        for (offset, size, ty) in accesses {
            let end = offset + size as i64;
            match drafts.last_mut() {
                Some(last) if offset < last.end => {
                    last.word = gcd(gcd(last.word, size), (offset - last.start) as u64);
                    last.end = last.end.max(end);
                    last.types.insert(ty);
                }
                _ => {
                    let types = [ty].into_iter().collect();
                    let whole = modulus == size;
                    drafts.push(Draft { start: offset, end, word: size, types, whole });
                }
            }
        }
        drafts
    }

    /// Whether the node has an array that is too long to be initialised field by field.
    fn has_many_elements(&self, root: Ptr, modulus: u64, accesses: &[(i64, u64, Type)]) -> bool {
        modulus > 0
            && accesses.iter().any(|access| access.1 < modulus)
            && self.points.objects_of(root).any(|(object, _)| {
                matches!(object, Object::Global(_))
                    && self.layout.sizes.get(&object).is_some_and(|size| size / modulus > MANY_ELEMENTS)
            })
    }

    /// A unique name that says what the region holds.
    fn name(&mut self, root: Ptr, suffix: &str) -> String {
        let object = self.points.objects_of(root).next().map(|(object, _)| object);
        let traits = self.points.traits(root);
        let base = match object {
            Some(object) => self.scope.object_name(object),
            None if traits.heap => "heap".into(),
            None if traits.external => "outside".into(),
            None => "memory".into(),
        };
        let base = format!("mem.{base}{suffix}").replace(['`', '\n', '"'], "_");
        let mut name = base.clone();
        let mut number = 1;
        while !self.names.insert(name.clone()) {
            number += 1;
            name = format!("{base}.{number}");
        }
        name
    }

    fn region(&mut self, root: Ptr, draft: &Draft, cell: Type, several: bool) -> RegionId {
        let suffix = if several { format!(".{}", draft.start) } else { String::new() };
        let name = self.name(root, &suffix);
        let mut init = Vec::new();
        let objects: Vec<(Object, i64)> = self.points.objects_of(root).collect();
        for (object, base) in objects {
            self.initial(root, object, base, draft, cell, &mut init);
        }
        init.sort_by_key(|run| run.addr);
        let extents = self.extents(root, draft.word);
        let addr = Type::Bv(self.scope.module.pointer_width);
        self.builder.region(Region { name, addr, cell, extents, init })
    }

    /// The extents of accesses. The last cell of a heap object may end after it: a program that allocates whole cells
    /// may fill them, and accesses to such objects are checked separately.
    fn extents(&self, root: Ptr, word: u64) -> Vec<Extent> {
        let traits = self.points.traits(root);
        let mut list: Vec<Extent> = self
            .points
            .objects_of(root)
            .filter_map(|(object, _)| {
                let base = self.layout.object(object)?;
                let size = *self.layout.sizes.get(&object)?;
                let whole = matches!(object, Object::Heap(..)) && word > 0;
                Some(Extent { base, size: if whole { size.next_multiple_of(word) } else { size } })
            })
            .filter(|extent| extent.size > 0)
            .collect();
        let mut arena = |wanted: bool, Arena { start: base, end, .. }: Arena| {
            if wanted {
                list.push(Extent { base, size: end - base });
            }
        };
        arena(traits.heap, self.layout.heap);
        arena(traits.stack, self.layout.stack);
        arena(traits.stack, self.layout.locals);
        list.sort_by_key(|extent| extent.base);
        if traits.external { Vec::new() } else { list }
    }

    /// The initial values of an object's part of a region.
    fn initial(
        &mut self,
        root: Ptr,
        object: Object,
        base: i64,
        draft: &Draft,
        cell: Type,
        out: &mut Vec<InitRun>,
    ) {
        let (Some(image), Some(addr)) = (self.images.get(&object), self.layout.object(object)) else {
            return;
        };
        let size = self.layout.sizes.get(&object).copied().unwrap_or(0);
        let modulus = self.points.modulus(root);
        let word = draft.word;
        let big = self.scope.module.big_endian;
        let mut push = |builder: &mut ProgramBuilder, at: u64, count: u64, value: Value| {
            let value = builder.constant(value);
            out.push(InitRun { addr: addr + at, count, value });
        };
        if draft.whole && modulus > 0 {
            // The cells fill the whole object.
            let mut at = (draft.start - base).rem_euclid(word as i64) as u64;
            while at + word <= size {
                let zeros = image.zeros_from(at).min(size).saturating_sub(at) / word;
                if zeros > 0 {
                    push(self.builder, at, zeros, Value::zero(cell));
                    at += zeros * word;
                } else {
                    if let Some(value) = image.value(at, word, cell, big) {
                        push(self.builder, at, 1, value);
                    }
                    at += word;
                }
            }
            return;
        }
        let mut start = draft.start - base;
        if modulus > 0 {
            // A period that begins before the object may reach into it.
            start = start.rem_euclid(modulus as i64) - modulus as i64;
        }
        while start < size as i64 {
            for at in (start..start + (draft.end - draft.start)).step_by(word as usize) {
                if at >= 0
                    && at as u64 + word <= size
                    && let Some(value) = image.value(at as u64, word, cell, big)
                {
                    push(self.builder, at as u64, 1, value);
                }
            }
            if modulus == 0 {
                break;
            }
            start += modulus as i64;
        }
    }

    /// One region of bytes for everything.
    fn flat(&mut self) -> RegionId {
        let mut init = Vec::new();
        let objects: Vec<Object> = self.images.keys().copied().collect();
        for object in objects {
            let (Some(image), Some(addr)) = (self.images.get(&object), self.layout.object(object)) else {
                continue;
            };
            if self.scope.promotion.cells(object).is_some() {
                continue;
            }
            let size = self.layout.sizes.get(&object).copied().unwrap_or(0);
            let mut at = 0;
            while at < size {
                let zeros = image.zeros_from(at).min(size).saturating_sub(at);
                let (count, value) = match zeros {
                    0 => (1, image.byte(at)),
                    zeros => (zeros, Some(0)),
                };
                if let Some(byte) = value {
                    let value = self.builder.constant(Value::bv(8, u64::from(byte)));
                    init.push(InitRun { addr: addr + at, count, value });
                }
                at += count;
            }
        }
        init.sort_by_key(|run| run.addr);
        let addr = Type::Bv(self.scope.module.pointer_width);
        self.builder.region(Region {
            name: "memory".into(),
            addr,
            cell: Type::Bv(8),
            extents: Vec::new(),
            init,
        })
    }
}

#[cfg(test)]
mod tests;
