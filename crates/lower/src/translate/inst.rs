//! Instructions, except arithmetic, calls and the ends of blocks.

use super::intrinsic::{greatest, least};
use super::{Body, Val};
use crate::analyse::points_to::Key;
use crate::analyse::promote::Object;
use crate::analyse::shape::{VECTOR_OF_BITS, leaf_index, leaves, shares_bytes};
use crate::instruction::{constant_u64, operand_type};
use crate::options::LowerError;
use beeline_ir::{BinOp, Direction, ExprId, Type, UnOp, Value};
use beeline_module::*;

impl Body<'_, '_> {
    /// Translates an instruction; `next` is the one after it in its block.
    pub(super) fn instruction(
        &mut self,
        inst: InstId,
        data: &Inst,
        next: Option<InstId>,
    ) -> Result<(), LowerError> {
        match &data.kind {
            InstKind::Alloca { ty, count, dynamic, .. } => self.alloca(inst, *ty, count, *dynamic),
            InstKind::Load { addr, volatile } => {
                self.expect_whole_bytes(data.ty)?;
                self.load_result(inst, addr, data.ty, *volatile)?;
            }
            InstKind::Store { addr, value } => {
                if let Some(ty) = operand_type(self.cx.scope.module, self.function, value) {
                    self.expect_whole_bytes(ty)?;
                }
                self.store_operand(addr, value)?;
            }
            InstKind::Gep { base, offset, steps } => self.gep(inst, base, *offset, steps),
            InstKind::Binary(op, a, b) => self.binary_result(inst, data.flags, *op, (a, b)),
            InstKind::FNeg(a) => {
                let a = self.operand(a).into_iter();
                let val = a.map(|a| self.cx.builder.exprs().unary(UnOp::FNeg, a)).collect();
                self.define(inst, val);
            }
            InstKind::IntCompare(predicate, a, b) => {
                self.integer_comparison(inst, data.flags, *predicate, (a, b));
            }
            InstKind::FloatCompare(predicate, a, b) => {
                let (a, b) = (self.operand(a), self.operand(b));
                let compared = |body: &mut Self, (&a, &b): (&ExprId, &ExprId)| {
                    let value = body.compare_floats(*predicate, a, b);
                    body.float_result(data.flags, &[a, b], value)
                };
                let val = a.iter().zip(&b).map(|pair| compared(self, pair)).collect();
                self.define(inst, val);
            }
            InstKind::Cast(kind, operand) => self.cast(inst, data, *kind, operand),
            InstKind::Select(cond, a, b) => self.select(inst, cond, a, b),
            InstKind::Phi(_) => self.phi(inst),
            InstKind::Freeze(operand) => {
                let val = self.operand(operand);
                self.define(inst, val);
            }
            InstKind::ExtractValue(operand, path) => self.extract_value(inst, operand, path)?,
            InstKind::InsertValue(operand, part, path) => self.insert_value(inst, operand, part, path)?,
            InstKind::ExtractElement(vector, index) => self.extract_element(inst, vector, index),
            InstKind::InsertElement(vector, element, index) => {
                self.insert_element(inst, vector, element, index);
            }
            InstKind::ShuffleVector(a, b, mask) => self.shuffle(inst, a, b, mask, data.ty),
            InstKind::Call(call) => return self.call(inst, data, call, next),
            InstKind::CmpXchg { addr, expected, new, weak } => {
                self.compare_exchange(inst, addr, expected, new, *weak)?;
            }
            InstKind::AtomicRmw { op, addr, value } => self.atomic(inst, *op, addr, value, data.ty)?,
            InstKind::Fence => {}
            InstKind::VaArg { .. } => return Err(self.unsupported("the instruction va_arg is not supported")),
            InstKind::Unsupported(name) => {
                return Err(self.unsupported(format!("the instruction {name} is not supported")));
            }
            terminator => return self.terminator(terminator),
        }
        Ok(())
    }

    /// Defines the result of a load.
    fn load_result(
        &mut self,
        inst: InstId,
        addr: &Operand,
        ty: TyId,
        volatile: bool,
    ) -> Result<(), LowerError> {
        if volatile {
            let text = "volatile memory holds what the program wrote last".into();
            self.cx.note("volatile", text, Direction::MayHideBug, self.span);
        }
        let is_unchecked = self.function.insts[inst].flags.unchecked;
        let val = if is_unchecked { self.load_unchecked(addr, ty) } else { self.load(addr, ty) }?;
        self.define(inst, val);
        Ok(())
    }

    /// Stores an operand, unless that is a parameter that is there already.
    fn store_operand(&mut self, addr: &Operand, value: &Operand) -> Result<(), LowerError> {
        let ty = operand_type(self.cx.scope.module, self.function, value)
            .ok_or_else(|| self.unsupported("a store of an operand that is not a value"))?;
        self.note_kept_result(value);
        if !self.stores_parameter(addr, value) {
            self.store(addr, value, ty)?;
        }
        Ok(())
    }

    /// Refuses vectors in memory of elements that share bytes.
    fn expect_whole_bytes(&mut self, ty: TyId) -> Result<(), LowerError> {
        match shares_bytes(self.cx.scope.module, ty) {
            true => self.refuse(VECTOR_OF_BITS),
            false => Ok(()),
        }
    }

    /// Defines the result of an arithmetic operation, by element.
    fn binary_result(&mut self, inst: InstId, flags: Flags, op: BinaryOp, (a, b): (&Operand, &Operand)) {
        let (x, y) = (self.operand(a), self.operand(b));
        self.check_operation(op, b, &x, &y);
        let mut val: Val = x.iter().zip(&y).map(|(&x, &y)| self.operation(op, flags, x, y)).collect();
        if let [value] = val[..] {
            val[0] = self.open_bits(op, a, b, value);
        }
        self.define(inst, val);
    }

    /// Defines the result of a comparison of integers or of pointers, whose places may be open.
    fn integer_comparison(
        &mut self,
        inst: InstId,
        flags: Flags,
        predicate: IntPredicate,
        (a, b): (&Operand, &Operand),
    ) {
        if self.is_open_order(predicate, a, b) {
            let (x, y) = (self.scalar(a), self.scalar(b));
            let as_placed = self.compare(predicate, x, y);
            let result = self.open_order(predicate, a, b, as_placed);
            let result = self.comparison_result(flags, x, y, result);
            return self.define_scalar(inst, result);
        }
        self.note_coincidence(inst);
        let position = self.position(predicate, a, b);
        let reused = self.rooms_of_lives(predicate, a, b);
        let (a, b) = (self.operand(a), self.operand(b));
        let mut val: Val = a.iter().zip(&b).map(|(&a, &b)| self.compare(predicate, a, b)).collect();
        if let ([result], Some(position)) = (val.as_mut_slice(), position) {
            *result = self.open_position(position, a[0], b[0], *result);
        }
        if let ([result], Some(rooms)) = (val.as_mut_slice(), reused) {
            *result = self.open_reuse(rooms, (a[0], b[0]), *result);
        }
        for ((&a, &b), result) in a.iter().zip(&b).zip(&mut val) {
            *result = self.comparison_result(flags, a, b, *result);
        }
        self.define(inst, val);
    }

    /// Whether this is the store of a parameter to the alloca whose variable it is.
    fn stores_parameter(&mut self, addr: &Operand, value: &Operand) -> bool {
        let (Operand::Inst(alloca), Operand::Param(index)) = (addr, value) else { return false };
        let params = &self.cx.builder.program().functions[self.func].params;
        let shared = self.cells.get(&(Object::Alloca(self.id, *alloca), 0)).copied();
        let same = shared.is_some() && shared == params.get(*index as usize).copied();
        if same {
            self.operand_used(addr);
        }
        same
    }

    fn gep(&mut self, inst: InstId, base: &Operand, offset: i64, steps: &[GepStep]) {
        if self
            .cx
            .scope
            .promotion
            .base(self.id, base)
            .is_some_and(|(object, _)| self.cx.scope.promotion.cells(object).is_some())
        {
            self.operand_used(base);
            return;
        }
        let from = self.address(base);
        let mut far = self.word(offset.cast_unsigned());
        let mut addr = from;
        for step in steps {
            let index = self.scalar(&step.index);
            let index = self.as_bv(index);
            let width = self.cx.scope.module.pointer_width;
            let index = self.cx.builder.exprs().resize(index, width, true);
            let scale = self.word(step.scale);
            let distance = self.cx.builder.exprs().binary(BinOp::Mul, index, scale);
            let exprs = self.cx.builder.exprs();
            far = exprs.add(distance, far);
            addr = exprs.add(addr, distance);
        }
        addr = self.offset(addr, offset);
        self.derive(inst, base, from, far, addr);
        self.define_scalar(inst, addr);
    }

    fn cast(&mut self, inst: InstId, data: &Inst, kind: CastKind, operand: &Operand) {
        let ty = data.ty;
        if kind == CastKind::BitCast {
            return self.bitcast(inst, operand, ty);
        }
        if kind == CastKind::IntToPtr {
            self.note_made_pointer(inst);
        }
        let val = self.operand(operand);
        let list = leaves(self.cx.scope.module, ty).unwrap_or_default();
        let is_open = kind == CastKind::Trunc
            && self.cx.bools.may_be_other(self.cx.scope, self.cx.points, self.id, ty, operand);
        let val = val
            .iter()
            .zip(&list)
            .map(|(&value, leaf)| {
                let result = self.convert(kind, value, leaf.ty);
                let result = if is_open { self.as_bool(value, result) } else { result };
                self.converted(data.flags, value, result)
            })
            .collect();
        self.define(inst, val);
    }

    /// Notes that the origin of an integer that becomes a pointer is not known.
    fn note_made_pointer(&mut self, inst: InstId) {
        let points = self.cx.points;
        let ptr = points.value(Key::Inst(self.id, inst));
        let Some(ptr) = ptr.filter(|&ptr| points.traits(ptr).external) else { return };
        let place = match points.objects_of(ptr).next() {
            None => "memory outside of the program's objects",
            Some(_) => "an object that other pointers lead to, or to memory outside of the program's objects",
        };
        let text = format!("an integer converted to a pointer in {} points to {place}", self.function.name);
        self.cx.note("integer-pointer", text, Direction::Both, self.span);
    }

    /// The same bits as another type, leaf by leaf where they agree.
    fn bitcast(&mut self, inst: InstId, operand: &Operand, ty: TyId) {
        if self
            .cx
            .scope
            .promotion
            .base(self.id, operand)
            .is_some_and(|(object, _)| self.cx.scope.promotion.cells(object).is_some())
        {
            self.operand_used(operand);
            return;
        }
        let val = self.operand(operand);
        let list = leaves(self.cx.scope.module, ty).unwrap_or_default();
        let same = val.len() == list.len()
            && val
                .iter()
                .zip(&list)
                .all(|(&value, leaf)| self.cx.builder.program().exprs.ty(value) == leaf.ty);
        if same {
            return self.define(inst, val);
        }
        let mut bits: Vec<ExprId> = val.iter().map(|&leaf| self.as_bv(leaf)).collect();
        if self.cx.scope.module.big_endian {
            bits.reverse();
        }
        let Some(packed) = self.pack(&bits) else { return };
        let mut result = self.unpack_bits(packed, &list);
        if self.cx.scope.module.big_endian {
            result.reverse();
        }
        self.define(inst, result);
    }

    fn unpack_bits(&mut self, packed: ExprId, list: &[crate::analyse::shape::Leaf]) -> Val {
        if let [leaf] = list {
            return Val::from_slice(&[self.bits_as(packed, leaf.ty)]);
        }
        self.unpack(packed, list)
    }

    fn select(&mut self, inst: InstId, cond: &Operand, a: &Operand, b: &Operand) {
        let conds = self.operand(cond);
        let (a, b) = (self.operand(a), self.operand(b));
        let val = a
            .iter()
            .zip(&b)
            .enumerate()
            .map(|(index, (&a, &b))| {
                // One condition for all leaves, or one for each.
                let cond = if conds.len() > 1 { conds[index] } else { conds[0] };
                self.cx.builder.exprs().ite(cond, a, b)
            })
            .collect();
        self.define(inst, val);
    }

    fn path(&self, operand: &Operand, path: &[u32]) -> Result<(usize, TyId), LowerError> {
        operand_type(self.cx.scope.module, self.function, operand)
            .and_then(|ty| leaf_index(self.cx.scope.module, ty, path))
            .ok_or_else(|| self.unsupported("a part of an aggregate that is too large"))
    }

    fn extract_value(&mut self, inst: InstId, operand: &Operand, path: &[u32]) -> Result<(), LowerError> {
        let (start, ty) = self.path(operand, path)?;
        let count = leaves(self.cx.scope.module, ty).map_or(0, |list| list.len());
        let val = self.operand(operand);
        let part: Val = val.iter().skip(start).take(count).copied().collect();
        self.define(inst, part);
        Ok(())
    }

    fn insert_value(
        &mut self,
        inst: InstId,
        operand: &Operand,
        part: &Operand,
        path: &[u32],
    ) -> Result<(), LowerError> {
        let (start, _) = self.path(operand, path)?;
        let mut val = self.operand(operand);
        for (index, leaf) in self.operand(part).into_iter().enumerate() {
            if let Some(slot) = val.get_mut(start + index) {
                *slot = leaf;
            }
        }
        self.define(inst, val);
        Ok(())
    }

    fn extract_element(&mut self, inst: InstId, vector: &Operand, index: &Operand) {
        let val = self.operand(vector);
        if let Some(index) = constant_u64(index) {
            // Outside of the vector, the result is undefined: any value.
            if let Some(&leaf) = val.get(index as usize) {
                self.define_scalar(inst, leaf);
            }
            return;
        }
        let index = self.scalar(index);
        let width = self.cx.builder.program().exprs.width(index);
        let Some(&first) = val.first() else { return };
        let mut chosen = self.any_leaf(self.cx.builder.program().exprs.ty(first));
        for (at, &leaf) in val.iter().enumerate().rev() {
            let exprs = self.cx.builder.exprs();
            let key = exprs.bv(width, at as u64);
            let here = exprs.eq(index, key);
            chosen = exprs.ite(here, leaf, chosen);
        }
        self.define_scalar(inst, chosen);
    }

    fn insert_element(&mut self, inst: InstId, vector: &Operand, element: &Operand, index: &Operand) {
        let mut val = self.operand(vector);
        let element = self.scalar(element);
        if let Some(index) = constant_u64(index) {
            match val.get_mut(index as usize) {
                Some(slot) => *slot = element,
                // The whole result is poison.
                None => val = val.iter().map(|&leaf| self.any_like(leaf)).collect(),
            }
            return self.define(inst, val);
        }
        let index = self.scalar(index);
        let width = self.cx.builder.program().exprs.width(index);
        let exprs = self.cx.builder.exprs();
        let count = exprs.bv(width, val.len() as u64);
        let inside = exprs.binary(BinOp::Ult, index, count);
        for (at, slot) in val.iter_mut().enumerate() {
            let exprs = self.cx.builder.exprs();
            let key = exprs.bv(width, at as u64);
            let here = exprs.eq(index, key);
            let replaced = exprs.ite(here, element, *slot);
            *slot = self.if_defined(Some(inside), replaced);
        }
        self.define(inst, val);
    }

    /// Any value of another's type.
    pub(super) fn any_like(&mut self, other: ExprId) -> ExprId {
        self.any_leaf(self.cx.builder.program().exprs.ty(other))
    }

    fn shuffle(&mut self, inst: InstId, a: &Operand, b: &Operand, mask: &[Option<u32>], ty: TyId) {
        let (a, b) = (self.operand(a), self.operand(b));
        let all: Vec<ExprId> = a.iter().chain(&b).copied().collect();
        let list = leaves(self.cx.scope.module, ty).unwrap_or_default();
        let val = mask
            .iter()
            .zip(&list)
            .map(|(index, leaf)| match index.and_then(|index| all.get(index as usize)) {
                Some(&value) => value,
                None => self.any_leaf(leaf.ty),
            })
            .collect();
        self.define(inst, val);
    }

    /// Reads memory into a variable before the memory is written.
    fn old_value(&mut self, addr: &Operand, ty: TyId) -> Result<Val, LowerError> {
        // The address is used once more, for the write.
        if let Operand::Inst(inst) = addr {
            self.left[*inst] += 1;
        }
        let val = self.load(addr, ty)?;
        Ok(val
            .iter()
            .map(|&leaf| {
                let var = self.fresh("old", self.cx.builder.program().exprs.ty(leaf));
                self.assign(var, leaf);
                self.read(var)
            })
            .collect())
    }

    fn compare_exchange(
        &mut self,
        inst: InstId,
        addr: &Operand,
        expected: &Operand,
        new: &Operand,
        weak: bool,
    ) -> Result<(), LowerError> {
        if weak {
            let text = "a weak exchange fails only where the value is not the expected one".into();
            self.cx.note("weak-exchange", text, Direction::MayHideBug, self.span);
        }
        self.note_coincidence(inst);
        let ty = operand_type(self.cx.scope.module, self.function, new)
            .ok_or_else(|| self.unsupported("an exchange of an operand that is not a value"))?;
        let (expected, new) = (self.scalar(expected), self.scalar(new));
        let old = self.old_value(addr, ty)?;
        let Some(&old) = old.first() else { return Ok(()) };
        let success = self.cx.builder.exprs().eq(old, expected);
        let exchanged = self.fresh("exchanged", Type::Bool);
        self.assign(exchanged, success);
        let success = self.read(exchanged);
        let value = self.cx.builder.exprs().ite(success, new, old);
        let place = self.locate(addr);
        let list = leaves(self.cx.scope.module, ty).unwrap_or_default();
        self.store_leaves(&place, &list, &[value]);
        self.define(inst, Val::from_slice(&[old, success]));
        Ok(())
    }

    fn atomic(
        &mut self,
        inst: InstId,
        op: RmwOp,
        addr: &Operand,
        value: &Operand,
        ty: TyId,
    ) -> Result<(), LowerError> {
        let operand = self.scalar(value);
        let old = self.old_value(addr, ty)?;
        let Some(&old) = old.first() else { return Ok(()) };
        let new = self.modified(op, old, operand)?;
        let place = self.locate(addr);
        let list = leaves(self.cx.scope.module, ty).unwrap_or_default();
        self.store_leaves(&place, &list, &[new]);
        self.define_scalar(inst, old);
        Ok(())
    }

    fn modified(&mut self, op: RmwOp, old: ExprId, operand: ExprId) -> Result<ExprId, LowerError> {
        let unsupported = self.unsupported(format!("the atomic operation {op:?} is not supported"));
        let exprs = self.cx.builder.exprs();
        let simple = match op {
            RmwOp::Xchg => return Ok(operand),
            RmwOp::Max => return Ok(greatest(exprs, BinOp::Slt, old, operand)),
            RmwOp::Min => return Ok(least(exprs, BinOp::Slt, old, operand)),
            RmwOp::UMax => return Ok(greatest(exprs, BinOp::Ult, old, operand)),
            RmwOp::UMin => return Ok(least(exprs, BinOp::Ult, old, operand)),
            RmwOp::USubCond | RmwOp::USubSat => {
                let too_small = exprs.binary(BinOp::Ult, old, operand);
                let otherwise =
                    if op == RmwOp::USubCond { old } else { exprs.constant(Value::zero(exprs.ty(old))) };
                let difference = self.binary(BinaryOp::Sub, old, operand);
                return Ok(self.cx.builder.exprs().ite(too_small, otherwise, difference));
            }
            RmwOp::Nand => {
                let both = self.binary(BinaryOp::And, old, operand);
                return Ok(self.cx.builder.exprs().unary(UnOp::BvNot, both));
            }
            RmwOp::Add => BinaryOp::Add,
            RmwOp::Sub => BinaryOp::Sub,
            RmwOp::And => BinaryOp::And,
            RmwOp::Or => BinaryOp::Or,
            RmwOp::Xor => BinaryOp::Xor,
            RmwOp::FAdd => BinaryOp::FAdd,
            RmwOp::FSub => BinaryOp::FSub,
            RmwOp::FMax
            | RmwOp::FMin
            | RmwOp::FMaximum
            | RmwOp::FMinimum
            | RmwOp::UIncWrap
            | RmwOp::UDecWrap => return Err(unsupported),
        };
        Ok(self.binary(simple, old, operand))
    }
}
