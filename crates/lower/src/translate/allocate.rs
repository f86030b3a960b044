//! Allocation: new objects on the heap and on the stack.

use super::Body;
use crate::libc::Allocation;
use crate::llvm::*;
use crate::options::LowerError;
use crate::points_to::Key;
use beeline_ir::{BinOp, Direction, Expr, ExprId, Op, Value, VarId};

/// More bytes than this may not be had.
const LARGE: u64 = 1 << 31;
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
        let counter = if kind == Allocation::Stack { self.cx.stack } else { self.cx.heap };
        if matches!(kind, Allocation::Size(_)) && self.result_is_used(inst) {
            self.allocated_or_null(inst, bytes, next);
            return Ok(());
        }
        let constant = self.cx.builder.program().exprs.as_bits(bytes).and_then(|bits| bits.to_u64());
        let mut bytes = bytes;
        let addr = if constant.is_none() && kind == Allocation::Array && self.result_is_used(inst) {
            bytes = self.kept(bytes);
            self.left[inst] += 1;
            self.allocated_or_null(inst, bytes, None);
            let addr = self.address(&Operand::Inst(inst));
            // Behind a null pointer nothing is set.
            let zero = self.word(0);
            let exprs = self.cx.builder.exprs();
            let null = exprs.eq(addr, zero);
            bytes = exprs.ite(null, zero, bytes);
            addr
        } else {
            self.allocated(inst, counter, bytes, next)
        };
        if matches!(kind, Allocation::Array | Allocation::Zeroed)
            && let Some(ptr) = self.cx.points.value(Key::Inst(self.id, inst))
        {
            let zero = self.cx.builder.exprs().bv(8, 0);
            let place = super::access::Place::Memory(addr, Some(ptr));
            self.fill(&place, zero, constant, bytes)?;
        }
        Ok(())
    }

    /// The product of two sizes, or one that nobody has where it does not fit.
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

    fn result_is_used(&self, inst: InstId) -> bool {
        self.left[inst] > 0 && self.current.is_some()
    }

    /// A new object on the heap, or null if the size is more than the largest distance of two pointers:
    /// such a request fails on every machine. One that is large may fail.
    fn allocated_or_null(&mut self, inst: InstId, bytes: ExprId, next: Option<InstId>) {
        let zero = self.word(0);
        let fails = self.cx.builder.exprs().binary(BinOp::Slt, bytes, zero);
        match self.cx.builder.program().exprs.as_const(fails) {
            Some(Value::Bool(true)) => {
                let always = self.cx.builder.exprs().bool(true);
                self.set_errno(Some(always), Some(ENOMEM));
                return self.define_scalar(inst, zero);
            }
            Some(_)
                if self.cx.builder.program().exprs.as_bits(bytes).and_then(|bits| bits.to_u64())
                    <= Some(LARGE) =>
            {
                self.allocated(inst, self.cx.heap, bytes, next);
                return;
            }
            _ => {}
        }
        let bytes = self.kept(bytes);
        let refused = self.any_leaf(beeline_ir::Type::Bool);
        let large = self.word(LARGE);
        let exprs = self.cx.builder.exprs();
        let (impossible, is_large) =
            (exprs.binary(BinOp::Slt, bytes, zero), exprs.binary(BinOp::Ult, large, bytes));
        let refused = exprs.and(is_large, refused);
        let fails = exprs.or(impossible, refused);
        self.set_errno(Some(fails), Some(ENOMEM));
        // What is pending is computed before the ways part: the new variable is nobody else's.
        self.emit(Op::Skip);
        let Some(fork) = self.current else { return };
        let addr = self.allocated(inst, self.cx.heap, bytes, None);
        let Some(joined) = self.current else { return };
        let Expr::Var(var) = self.cx.builder.program().exprs[addr] else { return };
        let failed = self.graph.node();
        self.graph.edge(fork, failed, Op::assume(fails), self.span);
        self.graph.edge(failed, joined, Op::assign(var, zero), self.span);
    }

    /// A new object: its address is the counter's value, unless the size is more than there is.
    fn allocated(&mut self, inst: InstId, counter: VarId, bytes: ExprId, next: Option<InstId>) -> ExprId {
        let limit = (self.cx.layout.heap.1 - self.cx.layout.heap.0) / 1024;
        self.cx.note("allocation", "allocations succeed".into(), Direction::MayHideBug, None);
        let constant = self.cx.builder.program().exprs.as_bits(bytes).and_then(|bits| bits.to_u64());
        if constant.is_none_or(|size| size > limit) {
            // A size that no machine has is not allocated: the path ends.
            let text = format!("an allocation has at most {limit} bytes");
            self.cx.note("allocation", text, Direction::MayHideBug, self.span);
            let most = self.word(limit);
            let fits = self.cx.builder.exprs().binary(BinOp::Ule, bytes, most);
            self.emit(Op::assume(fits));
        }
        let pointer = self.cx.pointer();
        let var = if self.left[inst] > 0 {
            self.result_var(inst, pointer, next)
        } else {
            self.fresh("unused", pointer)
        };
        let here = self.read(counter);
        let (round, mask) = (self.word(31), self.word(!15));
        let rounded = self.cx.builder.exprs().add(bytes, round);
        let rounded = self.cx.builder.exprs().binary(BinOp::And, rounded, mask);
        let after = self.cx.builder.exprs().add(here, rounded);
        let last = self.cx.last.filter(|_| counter == self.cx.heap).map(|last| (last, here));
        self.emit(Op::Assign([(var, here), (counter, after)].into_iter().chain(last).collect()));
        let addr = self.read(var);
        self.define_scalar(inst, addr);
        addr
    }

    /// A new object with what the old one held. How long that was is not known; what lies behind it is
    /// copied as well and has no meaning. The newest object may grow where it is. Where an object shrinks to
    /// nothing, the C libraries in use free it and return null.
    pub(super) fn reallocate(&mut self, inst: InstId, call: &CallInst) -> Result<(), LowerError> {
        let [old, size, ..] = call.args.as_slice() else { return Ok(()) };
        let (old, bytes) = (self.address(old), self.address(size));
        let (old, bytes) = (self.kept(old), self.kept(bytes));
        let stays = self.cx.last.map(|last| {
            let (last, may) = (self.read(last), self.any_leaf(beeline_ir::Type::Bool));
            let exprs = self.cx.builder.exprs();
            let is_last = exprs.eq(old, last);
            exprs.and(is_last, may)
        });
        let stays = stays.map(|stays| self.kept(stays));
        self.left[inst] += 1;
        let addr = self.allocated(inst, self.cx.heap, bytes, None);
        self.left[inst] -= 1;
        if let Some(ptr) = self.cx.points.value(Key::Inst(self.id, inst)) {
            // Behind a null pointer there is nothing to copy.
            let zero = self.word(0);
            let null = self.cx.builder.exprs().eq(old, zero);
            let amount = self.cx.builder.exprs().ite(null, zero, bytes);
            let amount = self.kept(amount);
            let (target, source) =
                (super::access::Place::Memory(addr, Some(ptr)), super::access::Place::Memory(old, Some(ptr)));
            self.copy(&target, &source, None, amount)?;
        }
        let zero = self.word(0);
        let exprs = self.cx.builder.exprs();
        let (none, was_null) = (exprs.eq(bytes, zero), exprs.eq(old, zero));
        let was_object = exprs.not(was_null);
        let freed = exprs.and(none, was_object);
        let place = stays.map_or(addr, |stays| exprs.ite(stays, old, addr));
        let result = exprs.ite(freed, zero, place);
        let result = self.kept(result);
        self.define_scalar(inst, result);
        Ok(())
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
