//! Leaks: what remains on the heap when a program ends, by the count of its objects and by whether a pointer leads to
//! each.

use super::Body;
use crate::analyse::bounds::Fixed;
use crate::analyse::points_to::Ptr;
use crate::analyse::promote::Object;
use crate::options::{Fault, LEAK_TARGET};
use beeline_ir::{BinOp, Direction, ExprId, Op, Type, Value, VarId};

impl Body<'_, '_> {
    /// Counts one object less on the heap, if an address that is freed where a condition holds is in a slot.
    pub(super) fn uncount(&mut self, addr: ExprId, condition: ExprId) {
        let Some(count) = self.cx.objects else { return };
        let given = self.is_given(addr, self.cx.layout.heap, self.cx.heap);
        let (now, one) = (self.read(count), self.word(1));
        let exprs = self.cx.builder.exprs();
        let (ends, less) = (exprs.and(given, condition), exprs.sub(now, one));
        let value = exprs.ite(ends, less, now);
        self.assign(count, value);
    }

    /// Checks for objects on the heap at the end of the program. A return of the entry function ends its variables,
    /// too.
    pub(super) fn end_of_program(&mut self, returns: bool) {
        let options = self.cx.options;
        if !options.counts_objects() {
            return;
        }
        let bounds = self.cx.bounds;
        let left = self.cx.objects.map(|count| {
            let (count, zero) = (self.read(count), self.word(0));
            let exprs = self.cx.builder.exprs();
            let none = exprs.eq(count, zero);
            exprs.not(none)
        });
        if options.violated_by(Fault::Unfreed).is_some() {
            let lives = bounds.heap.seen.iter().chain(&bounds.heap.unseen).filter_map(|fixed| fixed.lives);
            let lives: Vec<ExprId> = lives.map(|ghost| self.read(ghost)).collect();
            let some = self.any_of(lives.into_iter().chain(left));
            return self.violates_if(some, Fault::Unfreed, LEAK_TARGET, String::new());
        }
        if !returns {
            // What runs at the end still has its variables.
            if !bounds.heap.is_empty() {
                let text = "when exit is called, a pointer leads to each heap object".to_string();
                self.cx.note("leak", text, Direction::MayHideBug, self.span);
            }
            return;
        }
        let (seen, odd): (Vec<&Fixed>, Vec<&Fixed>) =
            bounds.heap.seen.iter().partition(|fixed| self.has_plain_pointers(fixed));
        let lost: Vec<ExprId> = seen.into_iter().filter_map(|fixed| self.is_lost(fixed)).collect();
        let (sure, perhaps) = if bounds.heap.counted_is_kept { (None, left) } else { (left, None) };
        let lost = self.any_of(lost.into_iter().chain(sure));
        self.violates_if(lost, Fault::Lost, LEAK_TARGET, String::new());
        let unseen = bounds.heap.unseen.iter().chain(odd).filter_map(|fixed| fixed.lives);
        let unseen: Vec<ExprId> = unseen.map(|ghost| self.read(ghost)).collect();
        let perhaps = self.any_of(unseen.into_iter().chain(perhaps));
        self.may_be_lost(perhaps);
    }

    fn any_of(&mut self, conditions: impl Iterator<Item = ExprId>) -> ExprId {
        let none = self.cx.builder.exprs().bool(false);
        conditions.fold(none, |any, condition| self.cx.builder.exprs().or(any, condition))
    }

    /// Whether the global variables that may lead to an object hold pointers as such.
    fn has_plain_pointers(&self, fixed: &Fixed) -> bool {
        let vars = self.cx.pointers_left(self.cx.points.known_object(fixed.object));
        vars.into_iter().all(|var| self.cx.builder.program().vars[var].ty == self.cx.pointer())
    }

    /// The condition that an object remains to which no pointer in a global variable leads.
    fn is_lost(&mut self, fixed: &Fixed) -> Option<ExprId> {
        let mut lost = self.read(fixed.lives?);
        let (base, size, zero) = (self.word(fixed.base), self.fixed_size(fixed.size), self.word(0));
        for var in self.cx.pointers_left(self.cx.points.known_object(fixed.object)) {
            let pointer = self.read(var);
            let exprs = self.cx.builder.exprs();
            let distance = exprs.sub(pointer, base);
            // A pointer to the begin leads there, also if nothing is there.
            let beyond = exprs.binary(BinOp::Ule, size, distance);
            let begins = exprs.eq(distance, zero);
            let apart = exprs.not(begins);
            let apart = exprs.and(beyond, apart);
            lost = exprs.and(lost, apart);
        }
        Some(lost)
    }

    /// Something remains where a condition holds, and memory may hold a pointer to it: a run of the program decides it.
    fn may_be_lost(&mut self, condition: ExprId) {
        let known = self.cx.builder.program().exprs.as_const(condition);
        if known == Some(&Value::Bool(false)) {
            return;
        }
        if self.makes_arguments() {
            // The caller may reach it from its arguments and the result.
            let text = "the caller keeps the objects that memory may point to".to_string();
            return self.cx.note("leak", text, Direction::MayHideBug, None);
        }
        self.emit(Op::Skip);
        let Some(fork) = self.current else { return };
        self.emit(Op::assume(condition));
        let lost = self.any_leaf(Type::Bool);
        let text = "no pointer leads to a heap object".to_string();
        self.inexact("leak", text, Direction::MayInventBug);
        self.emit(Op::assume(lost));
        if let Some(name) = self.cx.options.violated_by(Fault::Lost) {
            self.violation(LEAK_TARGET, name);
        }
        self.current = Some(fork);
        // What follows is another location: merged with the exit, this one would lose the edge to the violation.
        self.emit(Op::Skip);
    }
}

impl super::Context<'_> {
    /// The global variables that hold pointers which may lead where another one does.
    fn pointers_left(&self, ptr: Option<Ptr>) -> Vec<VarId> {
        let Some(node) = ptr.map(|ptr| self.points.find(ptr).node) else { return Vec::new() };
        let leads_there = |object: Object, offset: u64| {
            let pointer = self.points.value(crate::analyse::points_to::Key::Cell(object, offset));
            pointer.is_some_and(|ptr| self.points.find(ptr).node == node)
        };
        let mut vars: Vec<VarId> = self
            .cells
            .iter()
            .filter(|((object, offset), _)| leads_there(*object, *offset))
            .map(|(_, var)| *var)
            .collect();
        vars.sort_unstable();
        vars
    }
}
