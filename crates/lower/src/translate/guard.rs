//! Checks that what a program accesses is there: a violation where the property asks for it, elsewhere the end
//! of the execution. Conditions that are known to hold are not checked.

use super::Body;
use super::place::Place;
use crate::analyse::bounds::{Counted, Fixed, FixedSize, NodeBounds};
use crate::analyse::memory::Arena;
use crate::analyse::promote::Object;
use crate::options::{ACCESS_TARGET, Fault};
use beeline_ir::{BinOp, Direction, ExprId, Op, RegionId, Value, VarId};
use beeline_module::*;

/// The size of an access.
#[derive(Debug, Clone, Copy)]
pub(super) enum Size {
    /// A number of bytes.
    Bytes(u64),
    /// A number of the pointer's width, perhaps zero.
    Number(ExprId),
}

/// The kind of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Read,
    Write,
}

/// An address and what it was computed from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pointer {
    /// The address.
    pub addr: ExprId,
    /// The pointer that determines the object.
    pub root: ExprId,
    /// The distance of the address from it, if they differ.
    pub distance: Option<ExprId>,
}

/// Whether the extents of its region show where an access may go.
fn is_checked_by_region(node: &NodeBounds, size: Size, way: Way, words: &[u64]) -> bool {
    // The region's last cell may end after an object of the heap.
    let whole = |fixed: &Fixed, size: u64| {
        !fixed.is_on_heap() || words.iter().all(|&word| word > 0 && size.is_multiple_of(word))
    };
    let plain = |fixed: &Fixed| {
        !fixed.mortal
            && matches!(fixed.size, FixedSize::Bytes(size) if whole(fixed, size))
            && !(fixed.constant && way == Way::Write)
    };
    // A region with memory from outside has no extents.
    let extents = node.counted.is_none() && !node.external;
    extents && matches!(size, Size::Bytes(_)) && node.fixed.iter().all(plain)
}

/// The node as if its objects were always live, and as large as their slots.
fn unlimited_slots(node: &NodeBounds) -> NodeBounds {
    let node = unlimited(node);
    let counted = node.counted.map(|_| Counted::Open);
    NodeBounds { counted, ..node }
}

/// The node as if all its objects were always live.
fn unlimited(node: &NodeBounds) -> NodeBounds {
    let mut node = node.clone();
    node.fixed.iter_mut().for_each(|fixed| fixed.mortal = false);
    node
}

/// No object lies below this address.
const FIRST_PAGE: u64 = 4096;
/// No object lies at so many last addresses: as numbers, these are error codes.
const ERROR_CODES: u64 = 4095;

impl Body<'_, '_> {
    /// Lets an execution go on only if an access lies in a live object and, if it writes, the object is writable.
    pub(super) fn guard(&mut self, operand: &Operand, place: &mut Place, size: Size, way: Way) {
        if self.makes_arguments() {
            // It goes to its own objects only.
            return;
        }
        let is_range = matches!(size, Size::Number(_));
        let size = self.constant_size(size);
        if let (Place::Cells(object, _), Way::Write) = (&*place, way) {
            return self.guard_constant(*object, size);
        }
        let Place::Memory(addr, Some(ptr)) = place else { return };
        let bounds = self.cx.bounds;
        let Some(node) = bounds.of(self.cx.points, *ptr) else { return };
        // Pointers from outside lead to memory: that is an assumption of its own, which says nothing of null pointers
        // where a property asks for these.
        let asked =
            Fault::OF_ACCESSES.into_iter().find(|fault| self.cx.options.violated_by(*fault).is_some());
        if node.external && matches!(asked, Some(Fault::Access | Fault::Outside)) {
            self.note_arguments_of_main(*ptr);
        }
        if node.external && node.fixed.is_empty() && node.counted.is_none() {
            // The list of the arguments of `main` ends with a null pointer, as is known.
            let listed = asked == Some(Fault::Access) && self.is_listed(*ptr);
            let asked = asked.filter(|_| listed || !node.traits.given);
            return self.guard_null(operand, addr, size, asked);
        }
        self.cx.accesses.met += 1;
        if self.is_own_slot(operand) && self.is_seen_inside(operand, size, way) {
            return;
        }
        let origin = self.origin(operand);
        if origin.is_some() && self.is_seen_inside(operand, size, way) {
            return;
        }
        let node = self.bounds_from(origin, node);
        let groups = self.cx.memory.groups(self.cx.points, *ptr);
        let words: Vec<u64> = groups.iter().map(|group| group.word).collect();
        let by_region = asked.is_none() && !is_range;
        if by_region && is_checked_by_region(&node, size, way, &words) {
            return;
        }
        self.cx.accesses.checked += 1;
        let (root, distance) = self.derived(operand, *addr);
        let shared = self.shared(*addr);
        *addr = shared;
        let pointer = Pointer { addr: shared, root: root.unwrap_or(shared), distance };
        let bad = if by_region && is_checked_by_region(&unlimited(&node), size, Way::Read, &words) {
            // The extents of the region show all else.
            self.is_forbidden(pointer, &node, way)
        } else {
            let fine = self.is_inside(pointer, &node, size, way);
            self.cx.builder.exprs().not(fine)
        };
        self.forbid_access(shared, bad, way, asked);
    }

    /// The bounds of an access to objects of a node: those of the variable that its address is computed from, if that
    /// is known.
    fn bounds_from(&self, origin: Option<Object>, node: &NodeBounds) -> NodeBounds {
        let Some(origin) = origin else { return node.clone() };
        let mut fixed = node.fixed.clone();
        fixed.retain(|fixed| fixed.object == origin);
        // The function is active, so that its variables are live, unless their scope ended.
        fixed.iter_mut().for_each(|fixed| fixed.mortal &= !self.is_used_in_scope(fixed.object));
        NodeBounds { fixed, ..NodeBounds::default() }
    }

    /// Where an access is bad, adds a violation of what the property asks for, or ends the execution.
    fn forbid_access(&mut self, addr: ExprId, bad: ExprId, way: Way, asked: Option<Fault>) {
        let text = match way {
            Way::Read => "no read outside of a live object".to_string(),
            Way::Write => "no write outside of a live object".to_string(),
        };
        match asked {
            Some(Fault::Null | Fault::Outside) => {
                self.violates_if_null_or_not(addr, bad, &text);
                self.stuck_if(bad, text);
            }
            Some(fault) => self.violates_if(bad, fault, ACCESS_TARGET, text),
            None => self.stuck_if(bad, text),
        }
    }

    /// Adds a violation where an access is bad: through null, elsewhere, or both, as the properties ask for.
    fn violates_if_null_or_not(&mut self, addr: ExprId, bad: ExprId, text: &str) {
        for fault in [Fault::Null, Fault::Outside] {
            if self.cx.options.violated_by(fault).is_some() {
                let first = self.word(FIRST_PAGE);
                let exprs = self.cx.builder.exprs();
                let null = exprs.binary(BinOp::Ult, addr, first);
                let this = if fault == Fault::Null { null } else { exprs.not(null) };
                let violated = exprs.and(this, bad);
                self.violates_if(violated, fault, ACCESS_TARGET, text.into());
            }
        }
    }

    /// Adds a violation if the written object is a constant, which lies in memory that is not writable.
    fn guard_constant(&mut self, object: Object, size: Size) {
        let Object::Global(global) = object else { return };
        if self.cx.scope.module.globals[global].constant && !matches!(size, Size::Bytes(0)) {
            let always = self.cx.builder.exprs().bool(true);
            let text = "no write to a constant".into();
            self.violates_if(always, Fault::Access, ACCESS_TARGET, text);
        }
    }

    /// Adds a violation where the pointer that an address is computed from is null and something is accessed, if the
    /// property asks for null pointers.
    fn guard_null(&mut self, operand: &Operand, addr: &mut ExprId, size: Size, asked: Option<Fault>) {
        let Some(fault @ (Fault::Access | Fault::Null)) = asked else { return };
        self.cx.accesses.met += 1;
        self.cx.accesses.checked += 1;
        let (root, _) = self.derived(operand, *addr);
        *addr = self.shared(*addr);
        let (root, none) = (root.unwrap_or(*addr), self.word(0));
        let exprs = self.cx.builder.exprs();
        let mut null = exprs.eq(root, none);
        if let Size::Number(bytes) = size {
            let nothing = exprs.eq(bytes, none);
            let some = exprs.not(nothing);
            null = exprs.and(some, null);
        }
        self.violates_if(null, fault, ACCESS_TARGET, "no use of a null pointer".into());
    }

    /// Whether an address leads to an object that is not live, or that must not be written.
    fn is_forbidden(&mut self, pointer: Pointer, node: &NodeBounds, way: Way) -> ExprId {
        let mut bad = self.cx.builder.exprs().bool(false);
        for fixed in &node.fixed {
            let within = self.is_inside_fixed(pointer, &Fixed { mortal: false, ..*fixed }, Size::Bytes(0));
            let never = fixed.constant && way == Way::Write;
            let this = match fixed.lives.filter(|_| fixed.mortal) {
                _ if never => within,
                Some(ghost) => {
                    let lives = self.read(ghost);
                    let exprs = self.cx.builder.exprs();
                    let dead = exprs.not(lives);
                    exprs.and(within, dead)
                }
                None => continue,
            };
            bad = self.cx.builder.exprs().or(bad, this);
        }
        bad
    }

    /// A size as a number, if it is one.
    fn constant_size(&self, size: Size) -> Size {
        let Size::Number(bytes) = size else { return size };
        let bits = self.cx.builder.program().exprs.as_bits(bytes);
        bits.and_then(|bits| bits.to_u64()).map_or(size, Size::Bytes)
    }

    /// Lets an execution go on only if two ranges do not overlap, unless they are one.
    pub(super) fn guard_apart(&mut self, to: ExprId, from: ExprId, bytes: ExprId) {
        let overlap = self.overlap((to, bytes), (from, bytes));
        let exprs = self.cx.builder.exprs();
        let same = exprs.eq(to, from);
        let differ = exprs.not(same);
        let overlap = exprs.and(differ, overlap);
        self.forbid_overlap(overlap);
    }

    /// Whether two ranges, each an address and a size, have a byte in common.
    fn overlap(&mut self, (to, written): (ExprId, ExprId), (from, read): (ExprId, ExprId)) -> ExprId {
        let exprs = self.cx.builder.exprs();
        let (ahead, behind) = (exprs.sub(to, from), exprs.sub(from, to));
        let (near, close) =
            (exprs.binary(BinOp::Ult, ahead, read), exprs.binary(BinOp::Ult, behind, written));
        exprs.or(near, close)
    }

    fn forbid_overlap(&mut self, overlap: ExprId) {
        self.violates_if(overlap, Fault::Access, ACCESS_TARGET, "no copy between overlapping ranges".into());
    }

    /// The same for what a model has copied, where the ranges must not be identical either. If no object may be pointed
    /// to by both pointers, there is nothing to check.
    pub(super) fn guard_copied(&mut self, call: &CallInst) {
        let [to, written, from, read] = call.args.as_slice() else { return };
        let points = self.cx.points;
        let leads = |operand| crate::analyse::flow::operand_ptr(points, self.id, operand);
        let (Some(target), Some(source)) = (leads(to), leads(from)) else { return };
        let may_meet = points
            .objects_of(target)
            .any(|(object, _)| points.objects_of(source).any(|(other, _)| other == object));
        if may_meet {
            let target = (self.address(to), self.address(written));
            let source = (self.address(from), self.address(read));
            let overlap = self.overlap(target, source);
            self.forbid_overlap(overlap);
        }
    }

    /// The object that an address is computed from, if that is a variable that is surely live.
    fn origin(&self, operand: &Operand) -> Option<Object> {
        let mut operand = operand;
        loop {
            if let Some((object, _)) = self.cx.scope.promotion.base(self.id, operand) {
                return self.cx.layout.object(object).map(|_| object);
            }
            let Operand::Inst(inst) = operand else { return None };
            operand = match &self.function.insts[*inst].kind {
                InstKind::Gep { base, .. } => base,
                InstKind::Cast(CastKind::BitCast, base) => base,
                _ => return None,
            };
        }
    }

    /// The pointer that an address was computed from, and its distance from that, if the address still has the value
    /// that was computed then.
    pub(super) fn derived(&mut self, operand: &Operand, addr: ExprId) -> (Option<ExprId>, Option<ExprId>) {
        let Operand::Inst(inst) = operand else { return (None, None) };
        match self.derived.get(inst) {
            Some(known) if known.addr == addr => (Some(known.root), known.distance),
            _ => (None, None),
        }
    }

    /// Records what an address was computed from.
    pub(super) fn derive(
        &mut self,
        inst: InstId,
        base: &Operand,
        from: ExprId,
        distance: ExprId,
        addr: ExprId,
    ) {
        let (root, before) = self.derived(base, from);
        let distance = match before {
            Some(before) => self.cx.builder.exprs().add(before, distance),
            None => distance,
        };
        let pointer = Pointer { addr, root: root.unwrap_or(from), distance: Some(distance) };
        self.derived.insert(inst, pointer);
    }

    /// Whether an access at a constant offset lies in its object, a variable of this frame or a global one.
    fn is_seen_inside(&self, operand: &Operand, size: Size, way: Way) -> bool {
        let (Some((object, offset)), Size::Bytes(bytes)) =
            (self.cx.scope.promotion.base(self.id, operand), size)
        else {
            return false;
        };
        let module = self.cx.scope.module;
        let is_constant = matches!(object, Object::Global(global) if module.globals[global].constant);
        let end = u64::try_from(offset).ok().and_then(|offset| offset.checked_add(bytes));
        let fits = |all: u64| end.is_some_and(|end| end <= all);
        object.size(module).is_some_and(fits) && !(way == Way::Write && is_constant)
    }

    /// An expression that is used several times, in a variable unless it is simple.
    pub(super) fn shared(&mut self, value: ExprId) -> ExprId {
        if self.reads(value).is_simple() { value } else { self.kept(value) }
    }

    /// Whether an access lies in an object that is or was live, or behind one in its slot.
    pub(super) fn was_inside(
        &mut self,
        operand: &Operand,
        addr: ExprId,
        node: &NodeBounds,
        size: Size,
    ) -> ExprId {
        let node = unlimited_slots(&self.bounds_from(self.origin(operand), node));
        let (root, distance) = self.derived(operand, addr);
        self.is_inside(Pointer { addr, root: root.unwrap_or(addr), distance }, &node, size, Way::Read)
    }

    pub(super) fn is_inside(&mut self, pointer: Pointer, node: &NodeBounds, size: Size, way: Way) -> ExprId {
        let mut fine = self.cx.builder.exprs().bool(false);
        for fixed in node.fixed.iter().filter(|fixed| way == Way::Read || !fixed.constant) {
            let inside = self.is_inside_fixed(pointer, fixed, size);
            fine = self.cx.builder.exprs().or(fine, inside);
        }
        if let Some(counted) = node.counted {
            let inside = self.is_inside_counted(pointer, counted, node, size);
            fine = self.cx.builder.exprs().or(fine, inside);
        }
        if node.external {
            let outside = self.is_foreign(pointer.addr);
            fine = self.cx.builder.exprs().or(fine, outside);
            if let Some(inside) = self.is_in_argument(pointer.addr) {
                fine = self.cx.builder.exprs().or(fine, inside);
            }
        }
        if let Size::Number(bytes) = size {
            let zero = self.word(0);
            let exprs = self.cx.builder.exprs();
            let none = exprs.eq(bytes, zero);
            fine = exprs.or(none, fine);
        }
        fine
    }

    fn is_inside_fixed(&mut self, pointer: Pointer, fixed: &Fixed, size: Size) -> ExprId {
        let base = self.word(fixed.base);
        // If the root is the object, the distance from the root is the distance from the object's start.
        let offset = match pointer.distance {
            Some(distance) if pointer.root == base => distance,
            _ => self.cx.builder.exprs().sub(pointer.addr, base),
        };
        let mut inside = match (fixed.size, size) {
            (FixedSize::Bytes(all), Size::Bytes(bytes)) if bytes <= all => {
                let most = self.word(all - bytes);
                self.cx.builder.exprs().binary(BinOp::Ule, offset, most)
            }
            (FixedSize::Bytes(_), Size::Bytes(_)) => self.cx.builder.exprs().bool(false),
            (all, size) => {
                let all = self.fixed_size(all);
                let bytes = self.bytes(size);
                let exprs = self.cx.builder.exprs();
                let (fits, room) = (exprs.binary(BinOp::Ule, bytes, all), exprs.sub(all, bytes));
                let starts = exprs.binary(BinOp::Ule, offset, room);
                exprs.and(fits, starts)
            }
        };
        if let Some(ghost) = fixed.lives.filter(|_| fixed.mortal) {
            let alive = self.read(ghost);
            inside = self.cx.builder.exprs().and(inside, alive);
        }
        inside
    }

    pub(super) fn fixed_size(&mut self, size: FixedSize) -> ExprId {
        match size {
            FixedSize::Bytes(bytes) => self.word(bytes),
            FixedSize::Ghost(ghost) => self.read(ghost),
        }
    }

    fn bytes(&mut self, size: Size) -> ExprId {
        match size {
            Size::Bytes(bytes) => self.word(bytes),
            Size::Number(bytes) => bytes,
        }
    }

    fn is_inside_counted(
        &mut self,
        pointer: Pointer,
        counted: Counted,
        node: &NodeBounds,
        size: Size,
    ) -> ExprId {
        let (heap, stack, locals) = (self.cx.layout.heap, self.cx.layout.stack, self.cx.layout.locals);
        let (heap_next, stack_next, locals_next) = (self.cx.heap, self.cx.stack, self.cx.locals);
        let mut arenas = Vec::new();
        if node.traits.heap {
            arenas.push((heap, heap_next));
        }
        match counted {
            Counted::Rooms(_) if node.traits.stack => {
                arenas.push((locals, locals_next));
                if stack.shift == heap.shift {
                    arenas.push((stack, stack_next));
                }
            }
            Counted::Each(_) if node.traits.stack => arenas.push((stack, stack_next)),
            Counted::Open if node.traits.stack => {
                arenas.push((stack, stack_next));
                arenas.extend(self.cx.activations.some_are_apart().then_some((locals, locals_next)));
            }
            _ => {}
        }
        let mut fine = self.cx.builder.exprs().bool(false);
        for (arena, next) in arenas {
            let given = self.is_given(pointer.root, arena, next);
            let mut offset = self.offset_in_slot(pointer.root, arena);
            if let Some(distance) = pointer.distance {
                offset = self.cx.builder.exprs().add(offset, distance);
            }
            let inside = self.is_inside_slot(pointer.root, offset, counted, size);
            let exprs = self.cx.builder.exprs();
            let inside = exprs.and(given, inside);
            fine = exprs.or(fine, inside);
        }
        fine
    }

    /// Whether an access at an offset of a slot lies in the object there.
    fn is_inside_slot(&mut self, root: ExprId, offset: ExprId, counted: Counted, size: Size) -> ExprId {
        let bytes = self.bytes(size);
        match counted {
            Counted::Each(all) => {
                let all = self.word(all);
                let exprs = self.cx.builder.exprs();
                let (fits, room) = (exprs.binary(BinOp::Ule, bytes, all), exprs.sub(all, bytes));
                let starts = exprs.binary(BinOp::Ule, offset, room);
                exprs.and(fits, starts)
            }
            Counted::Rooms(region) => {
                // One more than the size: nothing fits where that is zero.
                let all = self.room(region, root);
                let exprs = self.cx.builder.exprs();
                let (fits, room) = (exprs.binary(BinOp::Ult, bytes, all), exprs.sub(all, bytes));
                let starts = exprs.binary(BinOp::Ult, offset, room);
                exprs.and(fits, starts)
            }
            Counted::Open => self.cx.builder.exprs().bool(true),
        }
    }

    /// Whether an address is in a slot that was given to an object.
    pub(super) fn is_given(&mut self, addr: ExprId, arena: Arena, next: VarId) -> ExprId {
        let (start, next) = (self.word(arena.start), self.read(next));
        let exprs = self.cx.builder.exprs();
        let (above, below) = (exprs.binary(BinOp::Ule, start, addr), exprs.binary(BinOp::Ult, addr, next));
        exprs.and(above, below)
    }

    pub(super) fn offset_in_slot(&mut self, addr: ExprId, arena: Arena) -> ExprId {
        let width = self.cx.scope.module.pointer_width;
        let exprs = self.cx.builder.exprs();
        let low = exprs.extract(arena.shift - 1, 0, addr);
        exprs.resize(low, width, false)
    }

    /// The cell of the room of the object at an address: cells have indices of the width of any address.
    fn room_cell(&mut self, addr: ExprId) -> ExprId {
        let (shift, width) = (self.cx.layout.heap.shift, self.cx.scope.module.pointer_width);
        let log = (width / 8).trailing_zeros();
        let (slots, cells, first) =
            (self.word(u64::from(shift)), self.word(u64::from(log)), self.word(1 << 20));
        let exprs = self.cx.builder.exprs();
        let slot = exprs.binary(BinOp::LShr, addr, slots);
        let cell = exprs.binary(BinOp::Shl, slot, cells);
        exprs.add(cell, first)
    }

    /// One more than the size of the object in an address's slot.
    pub(super) fn room(&mut self, region: RegionId, addr: ExprId) -> ExprId {
        let (cell, word) = (self.room_cell(addr), self.cx.pointer());
        self.cx.builder.exprs().load(region, cell, word)
    }

    /// Sets the room of an address's slot.
    pub(super) fn set_room(&mut self, region: RegionId, addr: ExprId, value: ExprId) {
        let addr = self.room_cell(addr);
        self.emit(Op::Store { region, addr, value });
    }

    /// Whether an address is not null, no error code, and in no object of the program.
    pub(super) fn is_foreign(&mut self, addr: ExprId) -> ExprId {
        let (first, last) = self.cx.layout.all();
        let (start, size) = (self.word(first), self.word(last - first));
        let some = self.leads_somewhere(addr);
        let exprs = self.cx.builder.exprs();
        let distance = exprs.sub(addr, start);
        let apart = exprs.binary(BinOp::Ule, size, distance);
        exprs.and(some, apart)
    }

    /// Whether an address is neither near null nor an error code.
    pub(super) fn leads_somewhere(&mut self, addr: ExprId) -> ExprId {
        let (page, all) = (self.word(FIRST_PAGE), self.word((FIRST_PAGE + ERROR_CODES).wrapping_neg()));
        let exprs = self.cx.builder.exprs();
        let after_page = exprs.sub(addr, page);
        exprs.binary(BinOp::Ult, after_page, all)
    }

    /// An access to memory that is no object of the program: near null a violation or the end of the execution,
    /// elsewhere a read gives any value and a write is lost.
    pub(super) fn nowhere(&mut self, addr: ExprId) {
        if self.cx.options.violated_by(Fault::Access).is_some() {
            let always = self.cx.builder.exprs().bool(true);
            return self.violates_if(always, Fault::Access, ACCESS_TARGET, String::new());
        }
        let first = self.word(FIRST_PAGE);
        let null = self.cx.builder.exprs().binary(BinOp::Ult, addr, first);
        let is_null = self.cx.builder.program().exprs.as_const(null) == Some(&Value::Bool(true));
        self.violates_if(null, Fault::Null, ACCESS_TARGET, "no use of a null pointer".into());
        if !is_null {
            self.emit(Op::Skip);
            let text =
                format!("memory at a pointer of unknown origin in {} holds any value", self.function.name);
            self.inexact("unknown-pointer", text, Direction::Both);
        }
    }
}
