//! Allocation: new objects on the heap and in frames, each in a slot of its own.

use super::Body;
use super::place::Place;
use crate::analyse::bounds::{Counted, Fixed, FixedSize};
use crate::analyse::memory::Arena;
use crate::analyse::points_to::{Key, Ptr};
use crate::analyse::promote::Object;
use crate::libc::Allocation;
use crate::options::{CONTRACT, LowerError};
use beeline_ir::{BinOp, Direction, Expr, ExprId, Op, RegionId, Type, Value, VarId};
use beeline_module::*;

/// A request for more bytes than this may be refused.
const LARGE: u64 = 1 << 31;
/// The input that decides whether a request for memory is refused, where any may be.
pub const REFUSAL: &str = "malloc_fails";
/// The value of `errno` where there is no memory.
const ENOMEM: u64 = 12;

impl Body<'_, '_> {
    pub(super) fn allocate(
        &mut self,
        inst: InstId,
        call: &CallInst,
        kind: Allocation,
        next: Option<InstId>,
    ) -> Result<(), LowerError> {
        let args: Vec<ExprId> = call.args.iter().map(|arg| self.address(arg)).collect();
        let bytes = match (kind, args.as_slice()) {
            (Allocation::Size(index), args) if index < args.len() => args[index],
            (Allocation::Array, [count, size, ..]) => self.product_or_too_much(*count, *size),
            (Allocation::Zeroed | Allocation::Stack, [size, ..]) => *size,
            _ => self.word(0),
        };
        if kind == Allocation::Stack {
            let addr = self.reserve(inst, bytes);
            self.define_scalar(inst, addr);
            return Ok(());
        }
        let constant = self.cx.builder.program().exprs.as_bits(bytes).and_then(|bits| bits.to_u64());
        let bytes = if constant.is_none() { self.kept(bytes) } else { bytes };
        if matches!(kind, Allocation::Size(_)) {
            self.allocated_or_null(inst, bytes, next);
            return Ok(());
        }
        self.left[inst] += 1;
        let addr = self.allocated_or_null(inst, bytes, None);
        self.left[inst] -= 1;
        let Some(ptr) = self.cx.points.value(Key::Inst(self.id, inst)) else { return Ok(()) };
        let zero = self.cx.builder.exprs().bv(8, 0);
        let (amount, constant) = match self.may_be_refused(constant) {
            false => (bytes, constant),
            true => {
                // Nothing is set at a null pointer.
                let none = self.word(0);
                let exprs = self.cx.builder.exprs();
                let null = exprs.eq(addr, none);
                (exprs.ite(null, none, bytes), None)
            }
        };
        self.fill(&Place::Memory(addr, Some(ptr)), zero, constant, amount)
    }

    /// The product of two sizes, or a size that no machine has where it does not fit.
    fn product_or_too_much(&mut self, count: ExprId, size: ExprId) -> ExprId {
        let width = self.cx.scope.module.pointer_width;
        let exprs = self.cx.builder.exprs();
        let product = exprs.binary(BinOp::Mul, count, size);
        let (a, b) = (exprs.resize(count, 2 * width, false), exprs.resize(size, 2 * width, false));
        let (exact, again) = (exprs.binary(BinOp::Mul, a, b), exprs.resize(product, 2 * width, false));
        let fits = exprs.eq(exact, again);
        match exprs.as_const(fits).and_then(Value::as_bool) {
            Some(true) => product,
            _ => {
                let too_much = self.word(u64::MAX);
                self.cx.builder.exprs().ite(fits, product, too_much)
            }
        }
    }

    /// Whether there may be no memory for an object of a size.
    fn may_be_refused(&self, constant: Option<u64>) -> bool {
        self.allocations_may_fail()
            || constant.is_none_or(|size| size > LARGE.min(self.cx.layout.heap.largest()))
    }

    /// Whether this is the function that makes the arguments of another one.
    pub(super) fn makes_arguments(&self) -> bool {
        self.id == self.cx.scope.entry && self.function.name == CONTRACT
    }

    /// Whether any allocation may fail.
    fn allocations_may_fail(&self) -> bool {
        self.cx.options.malloc_may_fail && !self.makes_arguments()
    }

    /// A new object on the heap, or null if the size is more than the largest distance of two pointers or than any
    /// machine has: such a request fails. A large request may fail, and any request if the options say so.
    pub(super) fn allocated_or_null(&mut self, inst: InstId, bytes: ExprId, next: Option<InstId>) -> ExprId {
        let (exprs, width) = (&self.cx.builder.program().exprs, self.cx.scope.module.pointer_width);
        let constant = exprs.as_bits(bytes).and_then(|bits| bits.to_u64());
        let zero = self.word(0);
        let limit = if width >= 48 { self.cx.layout.heap.largest() } else { (1 << (width - 1)) - 1 };
        if constant.is_some_and(|size| size > limit) {
            let always = self.cx.builder.exprs().bool(true);
            self.set_errno(Some(always), Some(ENOMEM));
            self.define_scalar(inst, zero);
            return zero;
        }
        if !self.may_be_refused(constant) {
            return self.allocated(inst, bytes, next);
        }
        let refused = self.refusal();
        let (large, limit) = (self.word(LARGE.min(limit)), self.word(limit));
        let may_fail = self.allocations_may_fail();
        let exprs = self.cx.builder.exprs();
        let (impossible, is_large) =
            (exprs.binary(BinOp::Ult, limit, bytes), exprs.binary(BinOp::Ult, large, bytes));
        let refused = if may_fail { refused } else { exprs.and(is_large, refused) };
        let fails = exprs.or(impossible, refused);
        self.set_errno(Some(fails), Some(ENOMEM));
        // Pending values are computed before the branch: the new variable is used nowhere else.
        self.emit(Op::Skip);
        let Some(fork) = self.current else { return zero };
        let fine = self.cx.builder.exprs().not(fails);
        self.emit(Op::assume(fine));
        self.left[inst] += 1;
        let addr = self.allocated(inst, bytes, None);
        self.left[inst] -= 1;
        let (Some(joined), Expr::Var(var)) = (self.current, self.cx.builder.program().exprs[addr]) else {
            return addr;
        };
        let failed = self.graph.node();
        self.graph.edge(fork, failed, Op::assume(fails), self.span);
        self.graph.edge(failed, joined, Op::assign(var, zero), self.span);
        addr
    }

    /// Whether a request is refused: unknown, or an input where any allocation may fail.
    fn refusal(&mut self) -> ExprId {
        if !self.allocations_may_fail() {
            return self.any_leaf(Type::Bool);
        }
        let var = self.fresh("refused", Type::Bool);
        let input = self.cx.builder.input(REFUSAL);
        self.emit(Op::Havoc(var, Some(input)));
        self.read(var)
    }

    /// A new object on the heap.
    fn allocated(&mut self, inst: InstId, bytes: ExprId, next: Option<InstId>) -> ExprId {
        if !self.cx.options.malloc_may_fail && !self.makes_arguments() {
            self.cx.note("allocation", "allocations succeed".into(), Direction::MayHideBug, None);
        }
        let largest = self.cx.layout.heap.largest();
        let constant = self.cx.builder.program().exprs.as_bits(bytes).and_then(|bits| bits.to_u64());
        if self.cx.scope.module.pointer_width < 48 && constant.is_none_or(|size| size > largest) {
            // More than this has no place in the address space: the path ends.
            let text = format!("an allocation has at most {largest} bytes");
            self.cx.note("allocation", text, Direction::MayHideBug, self.span);
            let most = self.word(largest);
            let fits = self.cx.builder.exprs().binary(BinOp::Ule, bytes, most);
            self.emit(Op::assume(fits));
        }
        let pointer = self.cx.pointer();
        let var = if self.left[inst] > 0 {
            self.result_var(inst, pointer, next)
        } else {
            self.fresh("unused", pointer)
        };
        match self.cx.bounds.object(Object::Heap(self.id, inst)) {
            Some(&fixed) => self.begin_object(var, &fixed, bytes),
            None => {
                self.take_slot(var, self.cx.heap, self.cx.layout.heap);
                if let Some(count) = self.cx.objects {
                    let (now, one) = (self.read(count), self.word(1));
                    let more = self.cx.builder.exprs().add(now, one);
                    self.assign(count, more);
                }
                if let Some(region) = self.rooms_of(Key::Inst(self.id, inst)) {
                    let addr = self.read(var);
                    self.open_room(region, addr, bytes);
                }
            }
        }
        let addr = self.read(var);
        self.define_scalar(inst, addr);
        addr
    }

    /// Gives a variable the address of an object with a fixed one, whose lifetime begins.
    fn begin_object(&mut self, var: VarId, fixed: &Fixed, bytes: ExprId) {
        let (base, lives) = (self.word(fixed.base), self.cx.builder.exprs().bool(true));
        let size = match fixed.size {
            FixedSize::Ghost(ghost) => Some((ghost, bytes)),
            FixedSize::Bytes(_) => None,
        };
        let ghosts = size.into_iter().chain(fixed.lives.map(|ghost| (ghost, lives)));
        self.emit(Op::Assign(std::iter::once((var, base)).chain(ghosts).collect()));
    }

    /// Gives a variable the address of the next slot of an arena.
    pub(super) fn take_slot(&mut self, var: VarId, counter: VarId, arena: Arena) {
        let (here, slot) = (self.read(counter), self.word(arena.slot()));
        let after = self.cx.builder.exprs().add(here, slot);
        self.emit(Op::Assign([(var, here), (counter, after)].into_iter().collect()));
    }

    /// The rooms of a value's pointees, if the objects there have some.
    pub(super) fn rooms_of(&self, key: Key) -> Option<RegionId> {
        let ptr = match key {
            Key::Inst(function, inst) => {
                let object = Object::Alloca(function, inst);
                self.cx.points.known_object(object).or_else(|| self.cx.points.value(key))
            }
            key => self.cx.points.value(key),
        }?;
        match self.cx.bounds.of(self.cx.points, ptr)?.counted? {
            Counted::Rooms(region) => Some(region),
            Counted::Each(_) | Counted::Open => None,
        }
    }

    pub(super) fn open_room(&mut self, region: RegionId, addr: ExprId, bytes: ExprId) {
        let one = self.word(1);
        let room = self.cx.builder.exprs().add(bytes, one);
        self.set_room(region, addr, room);
    }

    /// A new object with the content of the old one, as far as both go, or the old one where it may grow there. Where
    /// an object shrinks to nothing, the C libraries in use free it and return null.
    pub(super) fn reallocate(&mut self, inst: InstId, call: &CallInst) -> Result<(), LowerError> {
        let [from, size, ..] = call.args.as_slice() else { return Ok(()) };
        let key = Key::Inst(self.id, inst);
        let Some(ptr) = self.cx.points.value(key) else { return Ok(()) };
        let (old, bytes) = (self.address(from), self.address(size));
        let (old, bytes) = (self.kept(old), self.kept(bytes));
        self.check_free(old, Some(ptr));
        let zero = self.word(0);
        let exprs = self.cx.builder.exprs();
        let (none, was_null) = (exprs.eq(bytes, zero), exprs.eq(old, zero));
        let was_object = exprs.not(was_null);
        let freed = exprs.and(none, was_object);
        let had = self.size_at(old, ptr);
        let had = self.kept(had);
        self.left[inst] += 1;
        let addr = self.allocated_or_null(inst, bytes, None);
        self.left[inst] -= 1;
        let exprs = self.cx.builder.exprs();
        let failed = exprs.eq(addr, zero);
        let (nothing, succeeds) = (exprs.or(was_null, failed), exprs.not(failed));
        let shrinks = exprs.binary(BinOp::Ult, bytes, had);
        let least = exprs.ite(shrinks, bytes, had);
        let amount = exprs.ite(nothing, zero, least);
        let amount = self.kept(amount);
        let (target, source) = (Place::Memory(addr, Some(ptr)), Place::Memory(old, Some(ptr)));
        self.copy(&target, &source, None, amount)?;
        let grows = self.grows_in_place(old, succeeds);
        let exprs = self.cx.builder.exprs();
        let goes = exprs.or(succeeds, freed);
        let ends = exprs.and(was_object, goes);
        // Of the two, the one that is not used ends, both where the object shrinks to nothing.
        let (stays, unwanted) = (exprs.not(grows), exprs.or(freed, grows));
        let left = exprs.and(ends, stays);
        let (left, unwanted) = (exprs.ite(left, old, zero), exprs.ite(unwanted, addr, zero));
        let (left, unwanted) = (self.kept(left), self.kept(unwanted));
        self.end_object(left, Some(ptr));
        self.end_object(unwanted, Some(ptr));
        if self.cx.reallocates_in_place {
            let grown = self.cx.builder.exprs().ite(grows, old, zero);
            self.resize(grown, bytes, ptr);
        }
        self.uncount(old, ends);
        self.uncount(addr, freed);
        let exprs = self.cx.builder.exprs();
        let place = exprs.ite(grows, old, addr);
        let result = exprs.ite(freed, zero, place);
        let result = self.kept(result);
        self.define_scalar(inst, result);
        Ok(())
    }

    /// Whether an object stays at its address when its size changes: unknown, where the program sees it.
    fn grows_in_place(&mut self, old: ExprId, succeeds: ExprId) -> ExprId {
        if !self.cx.reallocates_in_place {
            return self.cx.builder.exprs().bool(false);
        }
        let (may, zero) = (self.any_leaf(Type::Bool), self.word(0));
        let exprs = self.cx.builder.exprs();
        let null = exprs.eq(old, zero);
        let object = exprs.not(null);
        let both = exprs.and(object, succeeds);
        let grows = exprs.and(may, both);
        self.kept(grows)
    }

    /// The size of the object of the heap at an address.
    fn size_at(&mut self, addr: ExprId, ptr: Ptr) -> ExprId {
        let bounds = self.cx.bounds;
        let mut size = self.word(0);
        let Some(node) = bounds.of(self.cx.points, ptr) else { return size };
        if let Some(Counted::Rooms(region)) = node.counted {
            let (room, one) = (self.room(region, addr), self.word(1));
            size = self.cx.builder.exprs().sub(room, one);
        }
        for fixed in node.fixed.iter().filter(|fixed| fixed.is_on_heap()) {
            let (base, own) = (self.word(fixed.base), self.fixed_size(fixed.size));
            let exprs = self.cx.builder.exprs();
            let this = exprs.eq(addr, base);
            size = exprs.ite(this, own, size);
        }
        size
    }

    /// Gives the object of the heap at an address, if there is one, another size.
    fn resize(&mut self, addr: ExprId, bytes: ExprId, ptr: Ptr) {
        let bounds = self.cx.bounds;
        let Some(node) = bounds.of(self.cx.points, ptr) else { return };
        if let Some(Counted::Rooms(region)) = node.counted {
            self.open_room(region, addr, bytes);
        }
        for fixed in node.fixed.iter().filter(|fixed| fixed.is_on_heap()) {
            let FixedSize::Ghost(ghost) = fixed.size else { continue };
            let (base, own) = (self.word(fixed.base), self.read(ghost));
            let exprs = self.cx.builder.exprs();
            let this = exprs.eq(addr, base);
            let size = exprs.ite(this, bytes, own);
            self.assign(ghost, size);
        }
    }

    /// The value of an expression in a variable of its own, unless it is a constant.
    pub(super) fn kept(&mut self, value: ExprId) -> ExprId {
        if self.cx.builder.program().exprs.as_const(value).is_some() {
            return value;
        }
        let var = self.fresh("kept", self.cx.builder.program().exprs.ty(value));
        self.assign(var, value);
        self.read(var)
    }
}
