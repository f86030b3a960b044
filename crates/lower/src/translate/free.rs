//! Frees objects: the end of their lifetimes, and a violation or the end of the execution where there is none to free.

use super::Body;
use crate::analyse::bounds::Counted;
use crate::analyse::points_to::Ptr;
use crate::options::{FREE_TARGET, Fault};
use beeline_ir::ExprId;
use beeline_module::*;

impl Body<'_, '_> {
    /// Frees an object.
    pub(super) fn free(&mut self, call: &CallInst) {
        let Some(operand) = call.args.first() else { return };
        let ptr = crate::analyse::flow::operand_ptr(self.cx.points, self.id, operand);
        let addr = self.address(operand);
        let addr = self.shared(addr);
        self.check_free(addr, ptr);
        self.end_object(addr, ptr);
        let zero = self.word(0);
        let exprs = self.cx.builder.exprs();
        let null = exprs.eq(addr, zero);
        let freed = exprs.not(null);
        self.uncount(addr, freed);
    }

    /// Ends the lifetime of the object at an address, if there is one.
    pub(super) fn end_object(&mut self, addr: ExprId, ptr: Option<Ptr>) {
        let bounds = self.cx.bounds;
        let Some(node) = ptr.and_then(|ptr| bounds.of(self.cx.points, ptr)) else { return };
        for (fixed, ghost) in node.fixed.iter().filter_map(|fixed| Some((fixed, fixed.lives?))) {
            if fixed.is_on_heap() {
                let (base, lives) = (self.word(fixed.base), self.read(ghost));
                let exprs = self.cx.builder.exprs();
                let this = exprs.eq(addr, base);
                let other = exprs.not(this);
                let still = exprs.and(other, lives);
                self.assign(ghost, still);
            }
        }
        if let Some(Counted::Rooms(region)) = node.counted {
            let zero = self.word(0);
            self.set_room(region, addr, zero);
        }
    }

    /// Lets an execution go on only if an address is null or the start of a live object of the heap.
    pub(super) fn check_free(&mut self, addr: ExprId, ptr: Option<Ptr>) {
        let (bounds, arena, next) = (self.cx.bounds, self.cx.layout.heap, self.cx.heap);
        let node = ptr.and_then(|ptr| bounds.of(self.cx.points, ptr));
        let zero = self.word(0);
        let mut fine = self.cx.builder.exprs().eq(addr, zero);
        for fixed in node.iter().flat_map(|node| &node.fixed).filter(|fixed| fixed.is_on_heap()) {
            let base = self.word(fixed.base);
            let mut this = self.cx.builder.exprs().eq(addr, base);
            if let Some(ghost) = fixed.lives.filter(|_| fixed.mortal) {
                let alive = self.read(ghost);
                this = self.cx.builder.exprs().and(this, alive);
            }
            fine = self.cx.builder.exprs().or(fine, this);
        }
        if let Some(counted) = node.filter(|node| node.traits.heap).and_then(|node| node.counted) {
            let (given, offset) = (self.is_given(addr, arena, next), self.offset_in_slot(addr, arena));
            let exprs = self.cx.builder.exprs();
            let start = exprs.eq(offset, zero);
            let mut object = exprs.and(given, start);
            if let Counted::Rooms(region) = counted {
                let room = self.room(region, addr);
                let exprs = self.cx.builder.exprs();
                let freed = exprs.eq(room, zero);
                let lives = exprs.not(freed);
                object = exprs.and(object, lives);
            }
            fine = self.cx.builder.exprs().or(fine, object);
        }
        if node.is_some_and(|node| node.external) {
            let foreign = self.is_foreign(addr);
            fine = self.cx.builder.exprs().or(fine, foreign);
        }
        let bad = self.cx.builder.exprs().not(fine);
        let text = "no free of a pointer that is not the start of a live heap object".into();
        self.violates_if(bad, Fault::Free, FREE_TARGET, text);
    }
}
