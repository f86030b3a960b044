//! Programs that use addresses as numbers. Objects lie where Beeline puts them; a result that depends on this choice is
//! any value here, as far as one operation computes it: the order of two objects, the bits of an address that no
//! alignment fixes, whether two equal literals are one object.

use super::Body;
use crate::analyse::bounds::Counted;
use crate::analyse::coincide::Coincidence;
use crate::analyse::flow::operand_ptr;
use crate::analyse::points_to::{NodeTraits, Ptr};
use crate::analyse::promote::Object;
use crate::analyse::same_object::same_object;
use crate::instruction::constant_u64;
use beeline_ir::{BinOp, Direction, ExprId, Region, RegionId, Type};
use beeline_module::*;

/// A comparison of an address with a number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Position {
    /// Whether the address is the left operand.
    is_left: bool,
    /// Whether it holds for addresses from `least` on, and not below.
    upwards: bool,
    least: u64,
}

/// The first and the last address at which the system may put objects of a program.
fn user_addresses(pointer_width: u32) -> (u64, u64) {
    (4096, if pointer_width == 64 { (1 << 47) - 1 } else { 0xffff_dfff })
}

impl Body<'_, '_> {
    /// The pointer that an operand holds, as it is or as a number.
    fn address_of(&self, operand: &Operand) -> Option<Ptr> {
        operand_ptr(self.cx.points, self.id, operand)
    }

    /// The same for an operand of a comparison. The analysis may take a plain number for a pointer: so the operand
    /// has to be of pointer type, or computed from the number of an address.
    fn compared(&self, operand: &Operand) -> Option<Ptr> {
        let ty = crate::instruction::operand_type(self.cx.scope.module, self.function, operand)?;
        match self.cx.scope.module.kind(ty) {
            TyKind::Ptr => self.address_of(operand),
            _ => self.number_of_address(operand, 0),
        }
    }

    /// The objects that a pointer may lead to, if they are all known.
    fn known_objects(&self, ptr: Ptr) -> Option<Vec<Object>> {
        let points = self.cx.points;
        let known = points.traits(ptr) == NodeTraits::default() && points.functions_of(ptr).is_empty();
        let objects: Vec<Object> = points.objects_of(ptr).map(|(object, _)| object).collect();
        (known && !objects.is_empty()).then_some(objects)
    }

    /// The result of a comparison of addresses of two objects of unknown order: the same each time. Two literals with
    /// different places here may be one object, but what is at one place is equal.
    pub(super) fn open_order(
        &mut self,
        predicate: IntPredicate,
        a: &Operand,
        b: &Operand,
        as_placed: ExprId,
    ) -> ExprId {
        use IntPredicate::*;
        if matches!(predicate, Eq | Ne) {
            let any = self.any_leaf(Type::Bool);
            let exprs = self.cx.builder.exprs();
            return if predicate == Eq { exprs.or(as_placed, any) } else { exprs.and(as_placed, any) };
        }
        let one = |body: &Self, operand: &Operand| {
            let objects = body.compared(operand).and_then(|ptr| body.known_objects(ptr))?;
            if let [object] = objects[..] { Some(object) } else { None }
        };
        let (Some(x), Some(y)) = (one(self, a), one(self, b)) else { return self.any_leaf(Type::Bool) };
        let (first, second) = (x.min(y), x.max(y));
        let question = format!("{} before {}", self.object_name(first), self.object_name(second));
        let in_order = self.open_question(question);
        // Objects do not overlap: less and less-or-equal agree.
        let less = matches!(predicate, Ult | Ule | Slt | Sle);
        if less == (first == x) { in_order } else { self.cx.builder.exprs().not(in_order) }
    }

    /// Notes that pointers may be equal that are not equal as Beeline places objects.
    pub(super) fn note_coincidence(&mut self, inst: InstId) {
        for why in self.cx.coincidences.get(&(self.id, inst)).into_iter().flatten() {
            let text = match why {
                Coincidence::Neighbours => {
                    "a comparison of pointers, one of which may point to the end of an object: no other object starts there"
                }
                Coincidence::Reuse => {
                    "a comparison of pointers, one of which may point to an object that no longer lives: no other object reuses its address"
                }
            };
            self.cx.note("addresses", text.into(), Direction::MayHideBug, self.span);
        }
    }

    fn object_name(&self, object: Object) -> String {
        let module = self.cx.scope.module;
        match object {
            Object::Global(id) => module.globals[id].name.clone(),
            Object::Alloca(id, inst) | Object::Heap(id, inst) => {
                format!("{}.{}", module.functions[id].name, inst.as_u32())
            }
        }
    }

    /// Whether the result of a comparison of addresses is unknown.
    pub(super) fn is_open_order(&self, predicate: IntPredicate, a: &Operand, b: &Operand) -> bool {
        let (Some(x), Some(y)) = (self.compared(a), self.compared(b)) else { return false };
        let apart = self.cx.points.find(x).node != self.cx.points.find(y).node;
        if !matches!(predicate, IntPredicate::Eq | IntPredicate::Ne) {
            return apart;
        }
        let module = self.cx.scope.module;
        let literal = |object: &Object| matches!(object, Object::Global(id) if module.globals[*id].unnamed);
        let literals = |ptr: Ptr| self.known_objects(ptr).is_some_and(|objects| objects.iter().all(literal));
        let one = |ptr: Ptr| self.known_objects(ptr).is_some_and(|objects| objects.len() == 1);
        literals(x) && literals(y) && !(one(x) && one(y) && !apart)
    }

    /// The result of an operation that selects bits of an address: those that the alignment fixes are known.
    pub(super) fn open_bits(&mut self, op: BinaryOp, a: &Operand, b: &Operand, value: ExprId) -> ExprId {
        let picks = match op {
            BinaryOp::And => true,
            // Addresses are not negative, unless they have 32 bits.
            BinaryOp::SRem if self.cx.scope.module.pointer_width < 64 => false,
            BinaryOp::URem | BinaryOp::SRem => constant_u64(b).is_some_and(u64::is_power_of_two),
            _ => false,
        };
        let Some(ptr) = self.number_of_address(a, 0).filter(|_| picks && constant_u64(b).is_some()) else {
            return value;
        };
        let known = self.alignment(ptr) - 1;
        let mask = constant_u64(b).unwrap_or(0);
        let mask = if op == BinaryOp::And { mask } else { mask - 1 };
        // Masks that only clear low bits make another address of the object.
        if mask & !known == 0 || mask > 1 << 20 {
            return value;
        }
        let width = self.cx.builder.program().exprs.width(value);
        let any = self.any_leaf(Type::Bv(width));
        let exprs = self.cx.builder.exprs();
        let (fixed, open) = (exprs.bv(width, known & mask), exprs.bv(width, mask & !known));
        let (low, high) = (exprs.binary(BinOp::And, value, fixed), exprs.binary(BinOp::And, any, open));
        exprs.binary(BinOp::Or, low, high)
    }

    /// Whether a comparison of an address with a number depends on the place of an object.
    pub(super) fn position(&self, predicate: IntPredicate, a: &Operand, b: &Operand) -> Option<Position> {
        use IntPredicate::*;
        let (is_left, number) = match (constant_u64(a), constant_u64(b)) {
            (None, Some(number)) if self.is_address(a, 0) => (true, number),
            (Some(number), None) if self.is_address(b, 0) => (false, number),
            _ => return None,
        };
        // If addresses are positive, signed comparisons with positive numbers give the same.
        let width = self.cx.scope.module.pointer_width;
        let negative = number >> (width - 1) & 1 == 1;
        if matches!(predicate, Eq | Ne)
            || matches!(predicate, Sgt | Sge | Slt | Sle) && (negative || width < 64)
        {
            return None;
        }
        // The least address that is above.
        let or_equal = matches!(predicate, Uge | Sge | Ule | Sle);
        let upwards = matches!(predicate, Ugt | Uge | Sgt | Sge) == is_left;
        let least = if upwards == or_equal { Some(number) } else { number.checked_add(1) };
        let (first, last) = user_addresses(width);
        let least = least.filter(|least| (first + 1..=last).contains(least))?;
        Some(Position { is_left, upwards, least })
    }

    /// The result of a comparison that depends on the place of an object: unknown, but the same each time.
    pub(super) fn open_position(
        &mut self,
        position: Position,
        a: ExprId,
        b: ExprId,
        as_placed: ExprId,
    ) -> ExprId {
        let Position { is_left, upwards, least } = position;
        let address = if is_left { a } else { b };
        let width = self.cx.scope.module.pointer_width;
        let pointer = Type::Bv(width);
        let name = format!("objects.above.{least:#x}");
        let region = match self.cx.positions.get(&least) {
            Some(&region) => region,
            None => {
                let (extents, init) = (Vec::new(), Vec::new());
                let region = Region { name, addr: pointer, cell: Type::Bv(8), extents, init };
                let region = self.cx.builder.region(region);
                self.cx.positions.insert(least, region);
                region
            }
        };
        let shift = self.word(u64::from(self.cx.layout.stack.shift.min(self.cx.layout.heap.shift)));
        let (first, last) = self.cx.layout.all();
        let (first, size) = (self.word(first), self.word(last - first));
        let exprs = self.cx.builder.exprs();
        let slot = exprs.binary(BinOp::LShr, address, shift);
        let cell = exprs.load(region, slot, Type::Bv(8));
        let bit = exprs.extract(0, 0, cell);
        let above = exprs.nonzero(bit);
        let answer = if upwards { above } else { exprs.not(above) };
        let distance = exprs.sub(address, first);
        let is_object = exprs.binary(BinOp::Ult, distance, size);
        exprs.ite(is_object, answer, as_placed)
    }

    /// The rooms of the variables to which both sides of a comparison may lead and each lifetime of which has an
    /// address of its own here.
    pub(super) fn rooms_of_lives(
        &self,
        predicate: IntPredicate,
        a: &Operand,
        b: &Operand,
    ) -> Option<[RegionId; 2]> {
        if !matches!(predicate, IntPredicate::Eq | IntPredicate::Ne)
            || same_object(self.cx.scope, self.id, a, b)
        {
            return None;
        }
        let module = self.cx.scope.module;
        // A value that is read from memory which may hold addresses is none if its size differs from an address's.
        let is_word = |operand: &Operand| {
            let ty = crate::instruction::operand_type(module, self.function, operand);
            ty.is_some_and(|ty| match module.kind(ty) {
                TyKind::Ptr => true,
                TyKind::Int(width) => *width == module.pointer_width,
                _ => false,
            })
        };
        let rooms = |operand: &Operand| {
            let ptr = self.address_of(operand).filter(|_| is_word(operand))?;
            let mut objects = self.cx.points.objects_of(ptr);
            objects.any(|(object, _)| self.cx.activations.is_apart(object)).then_some(())?;
            match self.cx.bounds.of(self.cx.points, ptr)?.counted? {
                Counted::Rooms(region) => Some(region),
                Counted::Each(_) | Counted::Open => None,
            }
        };
        Some([rooms(a)?, rooms(b)?])
    }

    /// The result of a comparison of addresses, one of which may be that of a variable that is not live any more: a
    /// live one may have got it.
    pub(super) fn open_reuse(
        &mut self,
        rooms: [RegionId; 2],
        (a, b): (ExprId, ExprId),
        as_placed: ExprId,
    ) -> ExprId {
        let (locals, zero) = (self.cx.layout.locals, self.word(0));
        let mut both = self.cx.builder.exprs().bool(true);
        let mut dead = self.cx.builder.exprs().bool(false);
        for (room, address) in rooms.into_iter().zip([a, b]) {
            let given = self.is_given(address, locals, self.cx.locals);
            let room = self.room(room, address);
            let exprs = self.cx.builder.exprs();
            let ended = exprs.eq(room, zero);
            both = exprs.and(both, given);
            dead = exprs.or(dead, ended);
        }
        let any = self.any_leaf(Type::Bool);
        let exprs = self.cx.builder.exprs();
        let same = exprs.eq(a, b);
        let differ = exprs.not(same);
        let open = exprs.and(both, dead);
        let open = exprs.and(open, differ);
        exprs.ite(open, any, as_placed)
    }

    /// Whether an operand is a pointer, or surely the number of one.
    fn is_address(&self, operand: &Operand, depth: u32) -> bool {
        let ty = crate::instruction::operand_type(self.cx.scope.module, self.function, operand);
        if ty.is_some_and(|ty| matches!(self.cx.scope.module.kind(ty), TyKind::Ptr)) {
            return true;
        }
        let Operand::Inst(inst) = operand else { return false };
        match &self.function.insts[*inst].kind {
            InstKind::Cast(CastKind::PtrToInt, _) => {
                let width = self.cx.scope.module.pointer_width;
                ty.is_some_and(|ty| *self.cx.scope.module.kind(ty) == TyKind::Int(width))
            }
            InstKind::Load { addr, .. } if depth < 4 => {
                let Some(variable) = self.cx.scope.promotion.base(self.id, addr) else { return false };
                let is_it = |to: &Operand| self.cx.scope.promotion.base(self.id, to) == Some(variable);
                let mut stored = self.function.insts.values().filter_map(|inst| match &inst.kind {
                    InstKind::Store { addr, value } if is_it(addr) => Some(self.is_address(value, depth + 1)),
                    _ => None,
                });
                stored.next() == Some(true) && stored.all(|is_address| is_address)
            }
            _ => false,
        }
    }

    /// The pointer whose number an operand holds, or computes from such numbers by `or`, `add`, `sub` and conversions.
    fn number_of_address(&self, operand: &Operand, depth: u32) -> Option<Ptr> {
        let inst = match operand {
            Operand::Inst(inst) => inst,
            // The import leaves out casts of constants: the type shows them.
            Operand::Const(ty, Const::Global(..)) => {
                return self
                    .address_of(operand)
                    .filter(|_| matches!(self.cx.scope.module.kind(*ty), TyKind::Int(_)));
            }
            _ => return None,
        };
        let number = |operand| if depth < 4 { self.number_of_address(operand, depth + 1) } else { None };
        match &self.function.insts[*inst].kind {
            InstKind::Cast(CastKind::PtrToInt, pointer) => self.address_of(pointer),
            InstKind::Cast(CastKind::Trunc | CastKind::ZExt, inner) => number(inner),
            InstKind::Binary(BinaryOp::Or | BinaryOp::Add | BinaryOp::Sub, a, b) => {
                number(a).or_else(|| number(b))
            }
            InstKind::Load { addr, .. } => {
                // A local variable that is only assigned such numbers.
                let variable = self.cx.scope.promotion.base(self.id, addr)?;
                let is_it = |to: &Operand| self.cx.scope.promotion.base(self.id, to) == Some(variable);
                let mut stored = self.function.insts.values().filter_map(|inst| match &inst.kind {
                    InstKind::Store { addr, value } if is_it(addr) => Some(number(value)),
                    _ => None,
                });
                let first = stored.next()??;
                stored.all(|other| other.is_some()).then_some(first)
            }
            _ => None,
        }
    }

    /// A power of two that divides the address of every object that a pointer may lead to.
    fn alignment(&self, ptr: Ptr) -> u64 {
        const OF_HEAP: u64 = 16;
        let module = self.cx.scope.module;
        let of = |object: Object| match object {
            Object::Global(id) => module.globals[id].align,
            Object::Alloca(function, inst) => match module.functions[function].insts[inst].kind {
                InstKind::Alloca { align, .. } => align,
                _ => 1,
            },
            Object::Heap(..) => OF_HEAP,
        };
        let objects = self.cx.points.objects_of(ptr).map(|(object, _)| of(object));
        let least = objects.min().unwrap_or(OF_HEAP).max(1);
        let traits = self.cx.points.traits(ptr);
        let least = if traits.heap { least.min(OF_HEAP) } else { least };
        if traits.external || traits.stack { 1 } else { 1 << least.trailing_zeros() }
    }
}
