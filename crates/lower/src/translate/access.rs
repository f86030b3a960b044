//! Reading and writing memory: promoted objects cell by cell, the rest through regions.

use super::guard::{Size, Way};
use super::place::Place;
use super::{Body, Val};
use crate::analyse::flow::operand_ptr;
use crate::analyse::memory::Group;
use crate::analyse::points_to::Ptr;
use crate::analyse::promote::{Cell, Object};
use crate::analyse::shape::{Leaf, leaves};
use crate::instruction::{RangeKind, constant_u64};
use crate::options::LowerError;
use beeline_ir::{Assignments, Call, Callee, CastOp, ExprId, FuncId, Op, Type, VarId};
use beeline_module::*;

/// The most cells of a copy or fill that is written out.
const MAX_UNROLLED: u64 = 64;

impl Body<'_, '_> {
    /// The place that an address leads to.
    pub(super) fn locate(&mut self, addr: &Operand) -> Place {
        if let Some((object, offset)) = self.cx.scope.promotion.base(self.id, addr)
            && self.cx.scope.promotion.cells(object).is_some()
        {
            self.operand_used(addr);
            return Place::Cells(object, offset as u64);
        }
        let ptr = operand_ptr(self.cx.points, self.id, addr);
        Place::Memory(self.address(addr), ptr)
    }

    /// Counts the use of an operand whose value is not needed.
    pub(crate) fn operand_used(&mut self, operand: &Operand) {
        if let Operand::Inst(inst) = operand {
            self.left[*inst] = self.left[*inst].saturating_sub(1);
        }
    }

    fn cell_var(&self, object: Object, offset: u64) -> Option<VarId> {
        self.cells.get(&(object, offset)).or_else(|| self.cx.cells.get(&(object, offset))).copied()
    }

    /// The cells of a promoted object in a range of bytes.
    fn cells_in(&self, object: Object, start: u64, size: u64) -> Vec<(Cell, VarId)> {
        let cells = self.cx.scope.promotion.cells(object).unwrap_or(&[]);
        cells
            .iter()
            .filter(|cell| cell.offset >= start && cell.offset + cell.size <= start + size)
            .filter_map(|cell| Some((*cell, self.cell_var(object, cell.offset)?)))
            .collect()
    }

    /// The only variable of a promoted object that a store of a leaf at the address sets.
    pub(super) fn sole_cell(&self, addr: &Operand, ty: Type) -> Option<VarId> {
        let (object, offset) = self.cx.scope.promotion.base(self.id, addr)?;
        self.cx.scope.promotion.cells(object)?;
        let cell = self.cx.scope.promotion.cells(object)?.iter().find(|cell| cell.offset == offset as u64)?;
        (cell.ty == ty).then(|| self.cell_var(object, cell.offset)).flatten()
    }

    /// Reads a value of a type.
    pub(crate) fn load(&mut self, addr: &Operand, ty: TyId) -> Result<Val, LowerError> {
        let list = leaves(self.cx.scope.module, ty)
            .ok_or_else(|| self.unsupported("a load of a value with too many parts or without a size"))?;
        let mut place = self.locate(addr);
        let size = Size::Bytes(self.cx.scope.module.types[ty].store_size);
        self.guard(addr, &mut place, size, Way::Read);
        let mut val: Val = list.iter().map(|leaf| self.load_leaf(&place, leaf)).collect();
        if let (Place::Memory(addr, ptr), [value]) = (&place, val.as_mut_slice()) {
            *value = self.argument_or(*addr, *ptr, *value);
        }
        Ok(val)
    }

    /// Reads a value of a type where no object may be: any value then, and what was there last where the object is freed
    /// or has ended.
    pub(crate) fn load_unchecked(&mut self, addr: &Operand, ty: TyId) -> Result<Val, LowerError> {
        let Place::Memory(at, Some(ptr)) = self.locate(addr) else { return self.load(addr, ty) };
        let Some(node) = self.cx.bounds.of(self.cx.points, ptr) else { return self.load(addr, ty) };
        let list = leaves(self.cx.scope.module, ty)
            .ok_or_else(|| self.unsupported("a load of a value with too many parts or without a size"))?;
        let has_cells = |leaf: &Leaf| {
            let part = ptr.plus(leaf.offset as i64);
            self.cx.memory.region(self.cx.points, part, leaf.size).is_some()
        };
        if !list.iter().all(has_cells) {
            return Ok(self.any(ty));
        }
        let at = self.shared(at);
        let size = Size::Bytes(self.cx.scope.module.types[ty].store_size);
        let was_inside = self.was_inside(addr, at, node, size);
        let place = Place::Memory(at, Some(ptr));
        let read: Val = list.iter().map(|leaf| self.load_leaf(&place, leaf)).collect();
        let any = self.any(ty);
        let exprs = self.cx.builder.exprs();
        Ok(read.iter().zip(&any).map(|(&read, &any)| exprs.ite(was_inside, read, any)).collect())
    }

    pub(super) fn load_leaf(&mut self, place: &Place, leaf: &Leaf) -> ExprId {
        let image = match place {
            Place::Cells(object, offset) => match self.read_cells(*object, offset + leaf.offset, leaf.size) {
                Some(image) => image,
                None => return self.any_leaf(leaf.ty),
            },
            Place::Memory(addr, ptr) => {
                let addr = self.offset(*addr, leaf.offset as i64);
                let ptr = ptr.map(|ptr| ptr.plus(leaf.offset as i64));
                self.read_memory(addr, ptr, leaf.size, leaf.memory_type())
            }
        };
        self.as_leaf(image, leaf)
    }

    /// The bytes of a promoted object as one value.
    fn read_cells(&mut self, object: Object, start: u64, size: u64) -> Option<ExprId> {
        let mut cells = self.cells_in(object, start, size);
        if let [(cell, var)] = cells[..]
            && cell.size == size
        {
            return Some(self.read(var));
        }
        if self.cx.scope.module.big_endian {
            cells.reverse();
        }
        let mut image: Option<ExprId> = None;
        let mut covered = 0;
        for (cell, var) in cells {
            covered += cell.size;
            let part = self.read(var);
            let part = self.as_bv(part);
            image = Some(match image {
                Some(low) => self.cx.builder.exprs().concat(part, low),
                None => part,
            });
        }
        image.filter(|_| covered == size)
    }

    pub(super) fn read_memory(&mut self, addr: ExprId, ptr: Option<Ptr>, size: u64, ty: Type) -> ExprId {
        let Some(group) = ptr.and_then(|ptr| self.cx.memory.region(self.cx.points, ptr, size)) else {
            let any = self.any_leaf(ty);
            self.nowhere(addr);
            return any;
        };
        let ty = if beeline_ir::cells_of(ty, group.cell).is_some() { ty } else { Type::Bv(size as u32 * 8) };
        self.cx.builder.exprs().load(group.region, addr, ty)
    }

    /// Writes a value of a type.
    pub(crate) fn store(&mut self, addr: &Operand, value: &Operand, ty: TyId) -> Result<(), LowerError> {
        let list = leaves(self.cx.scope.module, ty)
            .ok_or_else(|| self.unsupported("a store of a value with too many parts or without a size"))?;
        let val = self.operand(value);
        let mut place = self.locate(addr);
        let size = Size::Bytes(self.cx.scope.module.types[ty].store_size);
        self.guard(addr, &mut place, size, Way::Write);
        self.store_leaves(&place, &list, &val);
        Ok(())
    }

    /// The value of an expression that may read memory, saved before memory is written.
    pub(super) fn saved(&mut self, value: ExprId) -> ExprId {
        if !self.reads(value).touches_memory() {
            return value;
        }
        let var = self.fresh("saved", self.cx.builder.program().exprs.ty(value));
        self.assign(var, value);
        self.read(var)
    }

    /// A place that stays the same during several writes.
    fn saved_place(&mut self, place: &Place) -> Place {
        match place {
            Place::Memory(addr, ptr) => Place::Memory(self.saved(*addr), *ptr),
            cells => cells.clone(),
        }
    }

    pub(super) fn store_leaves(&mut self, place: &Place, list: &[Leaf], val: &[ExprId]) {
        let mut assignments = Assignments::new();
        let (mut place, mut val) = (place.clone(), val.to_vec());
        if list.len() > 1 && matches!(place, Place::Memory(..)) {
            place = self.saved_place(&place);
            val = val.into_iter().map(|value| self.saved(value)).collect();
        }
        let place = &place;
        for (leaf, &value) in list.iter().zip(&val) {
            let image = self.memory_image(value, leaf);
            match place {
                Place::Cells(object, offset) => {
                    self.cell_assignments(*object, offset + leaf.offset, leaf.size, image, &mut assignments);
                }
                Place::Memory(addr, ptr) => {
                    let addr = self.offset(*addr, leaf.offset as i64);
                    self.write_memory(addr, ptr.map(|ptr| ptr.plus(leaf.offset as i64)), leaf.size, image);
                }
            }
        }
        if !assignments.is_empty() {
            self.emit(Op::Assign(assignments));
        }
    }

    /// The assignments to the cells of a promoted object by the write of an image.
    fn cell_assignments(
        &mut self,
        object: Object,
        start: u64,
        size: u64,
        image: ExprId,
        out: &mut Assignments,
    ) {
        for (cell, var) in self.cells_in(object, start, size) {
            let value = if cell.size == size {
                image
            } else {
                let low = match self.cx.scope.module.big_endian {
                    true => start + size - cell.offset - cell.size,
                    false => cell.offset - start,
                } as u32
                    * 8;
                let bits = self.as_bv(image);
                self.cx.builder.exprs().extract(low + cell.size as u32 * 8 - 1, low, bits)
            };
            let value = self.as_type(value, cell.ty);
            out.push((var, value));
        }
    }

    /// A memory image as another type of the same size.
    fn as_type(&mut self, image: ExprId, ty: Type) -> ExprId {
        if self.cx.builder.program().exprs.ty(image) == ty {
            return image;
        }
        let image = self.as_bv(image);
        match ty {
            Type::Float(_) => self.cx.builder.exprs().cast(CastOp::FromBits, ty, image),
            _ => image,
        }
    }

    fn write_memory(&mut self, addr: ExprId, ptr: Option<Ptr>, size: u64, image: ExprId) {
        let Some(group) = ptr.and_then(|ptr| self.cx.memory.region(self.cx.points, ptr, size)) else {
            self.emit(Op::Skip);
            return self.nowhere(addr);
        };
        self.write_group(addr, &group, image);
    }

    fn write_group(&mut self, addr: ExprId, group: &Group, image: ExprId) {
        let ty = self.cx.builder.program().exprs.ty(image);
        // A float is stored by its bits in cells of bits: those of a NaN are any NaN's.
        let fits =
            ty == group.cell || ty.bv_width().is_some() && beeline_ir::cells_of(ty, group.cell).is_some();
        let value = if fits { image } else { self.as_type(image, group.cell) };
        self.emit(Op::Store { region: group.region, addr, value });
    }

    /// A copy or fill of a range of bytes; with `apart` the ranges of a copy must not overlap, unless they are one.
    pub(crate) fn range(
        &mut self,
        kind: RangeKind,
        to: &Operand,
        from: &Operand,
        size: &Operand,
        apart: bool,
    ) -> Result<(), LowerError> {
        let constant = constant_u64(size);
        let mut target = self.locate(to);
        match kind {
            RangeKind::Fill => {
                let byte = self.scalar(from);
                let byte = self.as_bv(byte);
                let byte = self.cx.builder.exprs().resize(byte, 8, false);
                let bytes = self.address(size);
                let (byte, bytes) = (self.saved(byte), self.saved(bytes));
                self.guard(to, &mut target, Size::Number(bytes), Way::Write);
                let target = self.saved_place(&target);
                self.fill(&target, byte, constant, bytes)
            }
            RangeKind::Copy => {
                let mut source = self.locate(from);
                let bytes = self.address(size);
                let bytes = self.saved(bytes);
                self.guard(from, &mut source, Size::Number(bytes), Way::Read);
                self.guard(to, &mut target, Size::Number(bytes), Way::Write);
                if let (true, Place::Memory(to, Some(_)), Place::Memory(from, Some(_))) =
                    (apart, &target, &source)
                {
                    self.guard_apart(*to, *from, bytes);
                }
                if let (true, Place::Cells(to, at), Place::Cells(from, start)) = (apart, &target, &source)
                    && to == from
                {
                    let (at, start) = (self.word(*at), self.word(*start));
                    self.guard_apart(at, start, bytes);
                }
                let (target, source) = (self.saved_place(&target), self.saved_place(&source));
                self.copy(&target, &source, constant, bytes)
            }
        }
    }

    /// A byte, as often as a cell has bytes.
    fn repeated(&mut self, byte: ExprId, size: u64) -> ExprId {
        let mut image = byte;
        for _ in 1..size {
            image = self.cx.builder.exprs().concat(byte, image);
        }
        image
    }

    pub(super) fn fill(
        &mut self,
        target: &Place,
        byte: ExprId,
        constant: Option<u64>,
        bytes: ExprId,
    ) -> Result<(), LowerError> {
        match (target, constant) {
            (Place::Cells(object, offset), Some(size)) => {
                let mut assignments = Assignments::new();
                for (cell, var) in self.cells_in(*object, *offset, size) {
                    let image = self.repeated(byte, cell.size);
                    assignments.push((var, self.as_type(image, cell.ty)));
                }
                if !assignments.is_empty() {
                    self.emit(Op::Assign(assignments));
                }
                Ok(())
            }
            (Place::Cells(..), None) => Err(self.unsupported("a fill of a variable with an unknown size")),
            (Place::Memory(addr, None), _) => {
                self.emit(Op::Skip);
                self.nowhere(*addr);
                Ok(())
            }
            (Place::Memory(addr, Some(ptr)), constant) => {
                match constant.and_then(|size| self.pieces(*ptr, size)) {
                    Some(pieces) => {
                        for (at, size, group) in pieces {
                            let image = self.repeated(byte, size);
                            let addr = self.offset(*addr, at as i64);
                            self.write_group(addr, &group, image);
                        }
                    }
                    None => {
                        for group in self.cx.memory.groups(self.cx.points, *ptr).to_vec() {
                            for helper in self.range_helpers(&group, *ptr, bytes, false) {
                                self.call_helper(helper, &[*addr, byte, bytes]);
                            }
                        }
                    }
                }
                Ok(())
            }
        }
    }

    /// The cells in so many bytes from a pointer on, unless they are many or the range cuts one.
    fn pieces(&self, ptr: Ptr, size: u64) -> Option<Vec<(u64, u64, Group)>> {
        let at = self.cx.points.find(ptr);
        let modulus = self.cx.points.modulus(at);
        let mut pieces = Vec::new();
        for &group in self.cx.memory.groups(self.cx.points, ptr) {
            let (period, len) = match modulus {
                0 => (u64::MAX, group.len),
                modulus if group.whole => (modulus, modulus),
                modulus => (modulus, group.len),
            };
            if group.len == 0 && group.whole {
                // Flat memory.
                return (size <= MAX_UNROLLED).then(|| (0..size).map(|at| (at, 1, group)).collect());
            }
            // The first period that may reach into the range.
            let mut start = group.start - at.offset;
            if modulus > 0 {
                start = start.rem_euclid(modulus as i64) - modulus as i64;
            }
            loop {
                if start >= size as i64 {
                    break;
                }
                for offset in (start..start + len as i64).step_by(group.word as usize) {
                    let end = offset + group.word as i64;
                    if end <= 0 || offset >= size as i64 {
                        continue;
                    }
                    if offset < 0 || end > size as i64 {
                        return None;
                    }
                    pieces.push((offset as u64, group.word, group));
                }
                if pieces.len() as u64 > MAX_UNROLLED {
                    return None;
                }
                match start.checked_add_unsigned(period) {
                    Some(next) if period != u64::MAX => start = next,
                    _ => break,
                }
            }
        }
        Some(pieces)
    }

    pub(super) fn copy(
        &mut self,
        target: &Place,
        source: &Place,
        constant: Option<u64>,
        bytes: ExprId,
    ) -> Result<(), LowerError> {
        match (target, source, constant) {
            (Place::Cells(to, at), Place::Cells(from, start), Some(size)) => {
                let mut assignments = Assignments::new();
                for (cell, var) in self.cells_in(*to, *at, size) {
                    let image = match self.read_cells(*from, cell.offset - at + start, cell.size) {
                        Some(image) => self.as_type(image, cell.ty),
                        None => self.any_leaf(cell.ty),
                    };
                    assignments.push((var, image));
                }
                if !assignments.is_empty() {
                    self.emit(Op::Assign(assignments));
                }
            }
            (Place::Cells(to, at), Place::Memory(addr, ptr), Some(size)) => {
                let mut assignments = Assignments::new();
                for (cell, var) in self.cells_in(*to, *at, size) {
                    let delta = (cell.offset - at) as i64;
                    let addr = self.offset(*addr, delta);
                    let image = self.read_memory(addr, ptr.map(|ptr| ptr.plus(delta)), cell.size, cell.ty);
                    assignments.push((var, self.as_type(image, cell.ty)));
                }
                if !assignments.is_empty() {
                    self.emit(Op::Assign(assignments));
                }
            }
            (Place::Memory(addr, ptr), Place::Cells(from, start), Some(size)) => {
                for (cell, var) in self.cells_in(*from, *start, size) {
                    let delta = (cell.offset - start) as i64;
                    let (addr, image) = (self.offset(*addr, delta), self.read(var));
                    self.write_memory(addr, ptr.map(|ptr| ptr.plus(delta)), cell.size, image);
                }
            }
            (Place::Memory(to, Some(ptr)), Place::Memory(from, Some(_)), constant) => {
                self.copy_memory(*to, *from, *ptr, constant, bytes);
            }
            (Place::Memory(to, target), Place::Memory(from, _), _) => {
                // At a pointer that leads nowhere there may be any value.
                for group in
                    target.map_or(Vec::new(), |ptr| self.cx.memory.groups(self.cx.points, ptr).to_vec())
                {
                    self.emit(Op::HavocRegion(group.region));
                }
                self.emit(Op::Skip);
                self.nowhere(if target.is_none() { *to } else { *from });
            }
            _ => return Err(self.unsupported("a copy of a variable with an unknown size")),
        }
        Ok(())
    }

    /// Copies memory; source and target are one node.
    fn copy_memory(&mut self, to: ExprId, from: ExprId, ptr: Ptr, constant: Option<u64>, bytes: ExprId) {
        let Some(pieces) = constant.and_then(|size| self.pieces(ptr, size)) else {
            for group in self.cx.memory.groups(self.cx.points, ptr).to_vec() {
                for helper in self.range_helpers(&group, ptr, bytes, true) {
                    self.call_helper(helper, &[to, from, bytes]);
                }
            }
            return;
        };
        // All is read before anything is written: the two may overlap.
        let mut images = Vec::new();
        for (at, size, group) in &pieces {
            let addr = self.offset(from, *at as i64);
            let ty =
                if group.cell.memory_bits() == Some(*size as u32 * 8) { group.cell } else { Type::Bv(8) };
            images.push(self.cx.builder.exprs().load(group.region, addr, ty));
        }
        for (image, (.., group)) in images.iter_mut().zip(&pieces) {
            if pieces.iter().filter(|piece| piece.2.region == group.region).count() > 1 {
                *image = self.saved(*image);
            }
        }
        for ((at, _, group), image) in pieces.iter().zip(images) {
            let addr = self.offset(to, *at as i64);
            self.write_group(addr, group, image);
        }
    }

    fn call_helper(&mut self, func: FuncId, args: &[ExprId]) {
        let call = Call { callee: Callee::Direct(func), args: args.to_vec(), ret: None };
        self.emit(Op::Call(Box::new(call)));
    }
}
