//! Questions of a program about the objects that its pointers lead to, by intrinsics of CBMC: whether a range may be
//! accessed, how long the object is, where in it the pointer is, whether two pointers lead to one object.

use super::guard::{Pointer, Size, Way};
use super::place::Place;
use super::{Body, packed_type};
use crate::analyse::bounds::{Counted, NodeBounds};
use crate::analyse::memory::Arena;
use crate::analyse::points_to::Ptr;
use crate::analyse::shape::image_bits;
use crate::libc::Question;
use crate::options::LowerError;
use beeline_ir::{BinOp, Direction, ExprId, Type, VarId};
use beeline_module::*;

/// A pointer with what it may lead to.
struct Led {
    pointer: Pointer,
    node: NodeBounds,
}

/// The first byte of an object and its size, where a condition says that a pointer leads to it.
struct Candidate {
    leads: ExprId,
    start: ExprId,
    size: ExprId,
}

impl Body<'_, '_> {
    /// Answers a question about the object that the first argument leads to.
    pub(super) fn ask(
        &mut self,
        inst: InstId,
        data: &Inst,
        call: &CallInst,
        question: Question,
    ) -> Result<(), LowerError> {
        let [first, rest @ ..] = call.args.as_slice() else { return Ok(()) };
        let led = self.led(first)?;
        let value = match (question, rest) {
            (Question::Readable | Question::Writable, [size, ..]) => {
                let way = if question == Question::Readable { Way::Read } else { Way::Write };
                let size = Size::Number(self.address(size));
                let fine = self.is_inside(led.pointer, &led.node, size, way);
                self.cx.builder.exprs().bool_to_bv(fine, 1)
            }
            (Question::Within, _) => {
                let fine = self.is_inside(led.pointer, &led.node, Size::Bytes(0), Way::Read);
                self.cx.builder.exprs().bool_to_bv(fine, 1)
            }
            (Question::SameObject, [other, ..]) => {
                let other = self.led(other)?;
                let (start, other) = (self.object(&led).0, self.object(&other).0);
                let exprs = self.cx.builder.exprs();
                let same = exprs.eq(start, other);
                exprs.bool_to_bv(same, 1)
            }
            (Question::Size, _) => self.object(&led).1,
            (Question::Offset, _) => {
                let start = self.object(&led).0;
                self.cx.builder.exprs().sub(led.pointer.addr, start)
            }
            _ => self.object(&led).0,
        };
        call.args.get(2..).unwrap_or_default().iter().for_each(|arg| self.operand_used(arg));
        let Some(wanted) = packed_type(&self.result_leaves(data.ty)) else { return Ok(()) };
        let bits = self.cx.builder.exprs().resize(value, image_bits(wanted).max(1), false);
        let value = self.bits_as(bits, wanted);
        self.define_scalar(inst, value);
        Ok(())
    }

    /// A pointer with what it may lead to.
    fn led(&mut self, operand: &Operand) -> Result<Led, LowerError> {
        let (addr, ptr) = match self.locate(operand) {
            Place::Memory(addr, ptr) => (addr, ptr),
            Place::Cells(..) => {
                self.refuse("a query about an object without an address is not supported")?;
                (self.word(0), None)
            }
        };
        let (root, distance) = self.derived(operand, addr);
        let addr = self.shared(addr);
        let node =
            ptr.and_then(|ptr: Ptr| self.cx.bounds.of(self.cx.points, ptr)).cloned().unwrap_or_default();
        Ok(Led { pointer: Pointer { addr, root: root.unwrap_or(addr), distance }, node })
    }

    /// The first byte and the size of the object that a pointer leads to: zero for a pointer that is null, and anything
    /// for one that was moved out of its object, if it may have been one of several, or is a number that leads to none.
    fn object(&mut self, led: &Led) -> (ExprId, ExprId) {
        let null = self.word(0);
        let is_null = self.cx.builder.exprs().eq(led.pointer.addr, null);
        if led.node.external {
            let text = "a pointer of unknown origin points to an object of any size".to_string();
            self.cx.note("unknown-object", text, Direction::Both, self.span);
        }
        let word = Type::Bv(self.cx.scope.module.pointer_width);
        let (any_start, any_size) = (self.any_leaf(word), self.any_leaf(word));
        let exprs = self.cx.builder.exprs();
        let (mut start, mut size) = (exprs.ite(is_null, null, any_start), exprs.ite(is_null, null, any_size));
        let mut candidates = self.candidates(led);
        if let ([only], None, false) = (&mut candidates[..], led.node.counted, led.node.external) {
            only.leads = self.leads_somewhere(led.pointer.addr);
        }
        for candidate in candidates {
            let exprs = self.cx.builder.exprs();
            start = exprs.ite(candidate.leads, candidate.start, start);
            size = exprs.ite(candidate.leads, candidate.size, size);
        }
        (self.shared(start), self.shared(size))
    }

    /// The objects that a pointer may lead to.
    fn candidates(&mut self, led: &Led) -> Vec<Candidate> {
        let mut found = Vec::new();
        for fixed in &led.node.fixed {
            let (start, size) = (self.word(fixed.base), self.fixed_size(fixed.size));
            let exprs = self.cx.builder.exprs();
            // A pointer to the end of an object is one to this object.
            let offset = exprs.sub(led.pointer.root, start);
            let leads = exprs.binary(BinOp::Ule, offset, size);
            found.push(Candidate { leads, start, size });
        }
        let Some(counted) = led.node.counted else { return found };
        let layout = self.cx.layout;
        let mut arenas: Vec<(Arena, VarId)> = Vec::new();
        if led.node.traits.heap {
            arenas.push((layout.heap, self.cx.heap));
        }
        if led.node.traits.stack {
            arenas.extend([(layout.locals, self.cx.locals), (layout.stack, self.cx.stack)]);
        }
        for (arena, next) in arenas {
            let is_given = self.is_given(led.pointer.root, arena, next);
            let mask = self.word(!(arena.slot() - 1));
            let start = self.cx.builder.exprs().binary(BinOp::And, led.pointer.root, mask);
            let size = self.counted_size(counted, start);
            let (size, zero) = (self.shared(size), self.word(0));
            let exprs = self.cx.builder.exprs();
            let offset = exprs.sub(led.pointer.root, start);
            let (freed, within) = (exprs.eq(size, zero), exprs.binary(BinOp::Ule, offset, size));
            let is_here = exprs.or(freed, within);
            let leads = exprs.and(is_given, is_here);
            found.push(Candidate { leads, start, size });
        }
        found
    }

    /// The size of the object in a slot; zero for one that was freed.
    fn counted_size(&mut self, counted: Counted, start: ExprId) -> ExprId {
        match counted {
            Counted::Each(size) => self.word(size),
            Counted::Rooms(region) => {
                let (room, zero, one) = (self.room(region, start), self.word(0), self.word(1));
                let exprs = self.cx.builder.exprs();
                let (freed, size) = (exprs.eq(room, zero), exprs.sub(room, one));
                exprs.ite(freed, zero, size)
            }
            Counted::Open => self.any_leaf(Type::Bv(self.cx.scope.module.pointer_width)),
        }
    }
}
