//! Functions of the program that fill or copy a range of memory whose size is not known: one loop over
//! the cells of a group. A cell that the range cuts is merged byte by byte.

use super::Body;
use crate::analyse::memory::Group;
use crate::analyse::points_to::Ptr;
use beeline_ir::{BinOp, CastOp, Expr, ExprId, FuncId, LocId, Op, ProgramBuilder, Type, UnOp, VarId};

/// The greatest number of extents of a region for which a cell is looked up in all of them.
const MOST_EXTENTS: usize = 8;

/// The positions of the cells that one loop visits, relative to the first byte of a range.
#[derive(Debug, Clone, Copy)]
struct Layout {
    /// The distance of the first cell from it.
    first: u64,
    /// The distance between cells.
    step: u64,
    /// Whether the cell before the first reaches into the range.
    cut_ahead: bool,
    /// Whether the range may end within a cell.
    cut_behind: bool,
}

impl Layout {
    /// The layouts that together are all cells of a group: one, unless a period has several of its cells.
    fn all(group: &Group, distance: i64, modulus: u64, factor: u64) -> Vec<Layout> {
        let word = group.word;
        let layout = |first: u64, step: u64, cut_ahead: bool| {
            let aligned = [first, step, factor].iter().all(|number| number.is_multiple_of(word));
            Layout { first, step, cut_ahead, cut_behind: word > 1 && !aligned }
        };
        let within = |distance: i64, period: u64| distance.rem_euclid(period as i64) as u64;
        if modulus == 0 && distance >= 0 {
            // Nothing reads the cells that the loop visits after the last one of the group.
            vec![layout(distance as u64, word, false)]
        } else if modulus == 0 || group.whole {
            let first = within(distance, word);
            vec![layout(first, word, first > 0)]
        } else {
            let cells = (0..group.len).step_by(word as usize);
            let firsts = cells.map(|cell| within(distance + cell as i64, modulus));
            firsts.map(|first| layout(first, modulus, first + word > modulus)).collect()
        }
    }
}

impl Body<'_, '_> {
    /// The functions that together fill or copy the cells of a group in a range of so many bytes from a pointer on.
    pub(super) fn range_helpers(&mut self, group: &Group, ptr: Ptr, size: ExprId, copy: bool) -> Vec<FuncId> {
        let at = self.cx.points.find(ptr);
        let modulus = self.cx.points.modulus(at);
        let layouts = Layout::all(group, group.start - at.offset, modulus, self.factor(size));
        layouts.into_iter().map(|layout| self.range_helper(group, layout, copy)).collect()
    }

    fn range_helper(&mut self, group: &Group, layout: Layout, copy: bool) -> FuncId {
        let Layout { first, step, cut_ahead, cut_behind } = layout;
        let mut name = format!(
            "{}.{}.{step}.{first}",
            if copy { "copy" } else { "fill" },
            self.region_name(group.region)
        );
        for (cut, suffix) in [(cut_ahead, ".ahead"), (cut_behind, ".behind")] {
            if cut {
                name.push_str(suffix);
            }
        }
        if let Some(&func) = self.cx.helpers.get(&name) {
            return func;
        }
        let (pointer, big_endian) = (self.cx.pointer(), self.cx.scope.module.big_endian);
        let [to, from, size, index] = ["to", "from", "size", "i"].map(|name| self.cx.local_name(name));
        let builder = &mut self.cx.builder;
        let func = builder.function(&name);
        self.cx.helpers.insert(name, func);
        let to = builder.param(func, &to, pointer);
        let from = builder.param(func, &from, if copy { pointer } else { Type::Bv(8) });
        let size = builder.param(func, &size, pointer);
        let index = builder.local(func, &index, pointer);
        let group = *group;
        RangeLoop { builder, func, group, layout, copy, to, from, size, index, pointer, big_endian }.make();
        func
    }

    /// A power of two that divides a number, whatever the variables in it hold.
    fn factor(&self, number: ExprId) -> u64 {
        let exprs = &self.cx.builder.program().exprs;
        let bits = match exprs[number] {
            Expr::Const(value) => exprs.value(value).as_bits().and_then(|bits| bits.to_u64()).unwrap_or(1),
            Expr::Binary(BinOp::Mul, a, b) => self.factor(a).saturating_mul(self.factor(b)),
            Expr::Binary(BinOp::Add | BinOp::Sub, a, b) => self.factor(a).min(self.factor(b)),
            Expr::Binary(BinOp::Shl, a, b) => {
                let by = exprs.as_bits(b).and_then(|bits| bits.to_u64()).unwrap_or(0);
                self.factor(a).saturating_mul(1 << by.min(32))
            }
            Expr::Cast(CastOp::ZExt | CastOp::SExt, _, a) => self.factor(a),
            _ => 1,
        };
        if bits == 0 { 1 << 32 } else { 1 << bits.trailing_zeros().min(32) }
    }
}

/// The parts of one function.
struct RangeLoop<'b> {
    builder: &'b mut ProgramBuilder,
    func: FuncId,
    group: Group,
    layout: Layout,
    copy: bool,
    to: VarId,
    from: VarId,
    size: VarId,
    index: VarId,
    pointer: Type,
    big_endian: bool,
}

impl RangeLoop<'_> {
    /// Makes the function. A copy goes backwards when the target lies after the source, so that what overlaps is read
    /// before it is written.
    fn make(mut self) {
        let entry = self.builder.loc(self.func);
        let exit = self.builder.loc(self.func);
        self.builder.set_exit(self.func, exit);
        if self.copy {
            let (up, down) = (self.builder.loc(self.func), self.builder.loc(self.func));
            let (to, from) = (self.var(self.to), self.var(self.from));
            let upwards = self.builder.exprs().binary(BinOp::Ule, to, from);
            self.builder.branch(entry, upwards, false, (up, down), None);
            self.upwards(up, exit);
            self.downwards(down, exit);
        } else {
            self.upwards(entry, exit);
        }
    }

    fn var(&mut self, var: VarId) -> ExprId {
        self.builder.exprs().var(var, self.pointer)
    }

    fn number(&mut self, value: u64) -> ExprId {
        let width = self.pointer.bv_width().unwrap_or(64);
        self.builder.exprs().bv(width, value)
    }

    fn set_index(&mut self, from: LocId, to: LocId, value: ExprId) {
        self.builder.edge(from, to, Op::assign(self.index, value), None);
    }

    /// Handles the cell that the start of the range cuts, if there is one; returns the location after that.
    fn ahead(&mut self, at: LocId) -> LocId {
        if !self.layout.cut_ahead {
            return at;
        }
        let (some, there) = (self.builder.loc(self.func), self.builder.loc(self.func));
        let next = self.builder.loc(self.func);
        // Without a byte to write the pointer need not be valid.
        let (none, size) = (self.number(0), self.var(self.size));
        let wanted = self.builder.exprs().binary(BinOp::Ult, none, size);
        self.builder.branch(at, wanted, false, (some, next), None);
        let before = self.number(self.layout.first.wrapping_sub(self.layout.step));
        self.set_index(some, there, before);
        self.merge(there, next);
        next
    }

    /// Handles the cell at the index if the end of the range cuts it.
    fn behind(&mut self, at: LocId, next: LocId) {
        let (index, size) = (self.var(self.index), self.var(self.size));
        let cut = self.builder.exprs().binary(BinOp::Ult, index, size);
        let there = self.builder.loc(self.func);
        self.builder.branch(at, cut, false, (there, next), None);
        self.merge(there, next);
    }

    fn upwards(&mut self, start: LocId, exit: LocId) {
        let start = self.ahead(start);
        let head = self.builder.loc(self.func);
        let first = self.number(self.layout.first);
        self.set_index(start, head, first);
        let word = self.number(self.group.word);
        let (index, size) = (self.var(self.index), self.var(self.size));
        let end = self.builder.exprs().add(index, word);
        let inside = self.builder.exprs().binary(BinOp::Ule, end, size);
        let (body, next) = (self.builder.loc(self.func), self.builder.loc(self.func));
        let after = if self.layout.cut_behind { self.builder.loc(self.func) } else { exit };
        self.builder.branch(head, inside, true, (body, after), None);
        self.element(body, next);
        let step = self.number(self.layout.step);
        let following = self.builder.exprs().add(index, step);
        self.set_index(next, head, following);
        if self.layout.cut_behind {
            self.behind(after, exit);
        }
    }

    /// The index of the cell after the last one that is in the range as a whole.
    fn behind_last(&mut self) -> ExprId {
        let size = self.var(self.size);
        if (self.layout.first, self.layout.step) == (0, 1) {
            return size;
        }
        // With n such cells it is first + n * step.
        let least = self.number(self.layout.first + self.group.word);
        let (first, step) = (self.number(self.layout.first), self.number(self.layout.step));
        let exprs = self.builder.exprs();
        let fits = exprs.binary(BinOp::Ule, least, size);
        let room = exprs.sub(size, least);
        let steps = exprs.binary(BinOp::UDiv, room, step);
        let length = exprs.binary(BinOp::Mul, steps, step);
        let last = exprs.add(length, first);
        let behind = exprs.add(last, step);
        exprs.ite(fits, behind, first)
    }

    fn downwards(&mut self, start: LocId, exit: LocId) {
        let (first, step) = (self.number(self.layout.first), self.number(self.layout.step));
        let begin = self.behind_last();
        let mut at = self.builder.loc(self.func);
        self.set_index(start, at, begin);
        if self.layout.cut_behind {
            let next = self.builder.loc(self.func);
            self.behind(at, next);
            at = next;
        }
        let index = self.var(self.index);
        let more = self.builder.exprs().binary(BinOp::Ult, first, index);
        let (body, back) = (self.builder.loc(self.func), self.builder.loc(self.func));
        let after = if self.layout.cut_ahead { self.builder.loc(self.func) } else { exit };
        self.builder.branch(at, more, true, (body, after), None);
        let before = self.builder.exprs().sub(index, step);
        self.set_index(body, back, before);
        self.element(back, at);
        if self.layout.cut_ahead {
            let there = self.ahead(after);
            self.builder.edge(there, exit, Op::Skip, None);
        }
    }

    /// The bytes of the range for the cell at the index.
    fn brought(&mut self) -> ExprId {
        if self.copy {
            let (from, index) = (self.var(self.from), self.var(self.index));
            let source = self.builder.exprs().add(from, index);
            return self.builder.exprs().load(self.group.region, source, self.group.cell);
        }
        let byte = self.builder.exprs().var(self.from, Type::Bv(8));
        let mut image = byte;
        for _ in 1..self.group.word {
            image = self.builder.exprs().concat(byte, image);
        }
        self.cell(image)
    }

    fn element(&mut self, at: LocId, next: LocId) {
        let value = self.brought();
        self.store(at, next, value);
    }

    fn store(&mut self, at: LocId, next: LocId, value: ExprId) {
        let addr = self.target();
        self.builder.edge(at, next, Op::Store { region: self.group.region, addr, value }, None);
    }

    fn target(&mut self) -> ExprId {
        let (to, index) = (self.var(self.to), self.var(self.index));
        self.builder.exprs().add(to, index)
    }

    /// Whether the cell at the index lies in an object of the region as a whole: no execution that is defined accesses one
    /// that does not. `None` if each does, or if too much would have to be looked at.
    fn is_whole(&mut self) -> Option<ExprId> {
        let extents = self.builder.program().regions[self.group.region].extents.clone();
        let word = self.group.word;
        let fits = |size: u64| size.is_multiple_of(word) && self.group.start.rem_euclid(word as i64) == 0;
        if extents.len() > MOST_EXTENTS || extents.iter().all(|extent| fits(extent.size)) {
            return None;
        }
        let addr = self.target();
        let mut whole = self.builder.exprs().bool(false);
        for extent in extents.iter().filter(|extent| extent.size >= word) {
            let (base, most) = (self.number(extent.base), self.number(extent.size - word));
            let exprs = self.builder.exprs();
            let offset = exprs.sub(addr, base);
            let inside = exprs.binary(BinOp::Ule, offset, most);
            whole = exprs.or(whole, inside);
        }
        Some(whole)
    }

    /// Writes those bytes of the cell at the index that are in the range.
    fn merge(&mut self, mut at: LocId, next: LocId) {
        if let Some(whole) = self.is_whole() {
            let there = self.builder.loc(self.func);
            self.builder.branch(at, whole, false, (there, next), None);
            at = there;
        }
        let (new, addr) = (self.brought(), self.target());
        let old = self.builder.exprs().load(self.group.region, addr, self.group.cell);
        let (new, old) = (self.bits(new, &mut at), self.bits(old, &mut at));
        let mut image: Option<ExprId> = None;
        for position in 0..self.group.word {
            let low = position as u32 * 8;
            let byte = if self.big_endian { self.group.word - 1 - position } else { position };
            let (index, size, byte) = (self.var(self.index), self.var(self.size), self.number(byte));
            let exprs = self.builder.exprs();
            // A byte before the range has an index near the greatest number.
            let place = exprs.add(index, byte);
            let inside = exprs.binary(BinOp::Ult, place, size);
            let (new, old) = (exprs.extract(low + 7, low, new), exprs.extract(low + 7, low, old));
            let byte = exprs.ite(inside, new, old);
            image = Some(match image {
                Some(image) => exprs.concat(byte, image),
                None => byte,
            });
        }
        let image = image.map_or(new, |image| self.cell(image));
        self.store(at, next, image);
    }

    /// The bits of a cell. It is unknown which NaN one is: any bits are taken, on an edge of their own.
    fn bits(&mut self, cell: ExprId, at: &mut LocId) -> ExprId {
        let Type::Float(_) = self.group.cell else { return cell };
        let ty = Type::Bv(self.group.word as u32 * 8);
        let any = self.builder.local(self.func, &format!("nan.{}", at.as_u32()), ty);
        let there = self.builder.loc(self.func);
        self.builder.edge(*at, there, Op::Havoc(any, None), None);
        *at = there;
        let exprs = self.builder.exprs();
        let (any, is_nan) = (exprs.var(any, ty), exprs.unary(UnOp::FIsNan, cell));
        let bits = exprs.cast(CastOp::ToBits, ty, cell);
        exprs.ite(is_nan, any, bits)
    }

    fn cell(&mut self, bits: ExprId) -> ExprId {
        match self.group.cell {
            Type::Float(_) => self.builder.exprs().cast(CastOp::FromBits, self.group.cell, bits),
            _ => bits,
        }
    }
}
