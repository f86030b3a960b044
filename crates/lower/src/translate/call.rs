//! Calls: of the program's own functions, of functions whose effect is known by name, of others.

use super::{Body, Val, image_bits, packed_type, signature};
use crate::flow::candidates;
use crate::libc::{Allocation, Effect, FloatFunction, effect, shown};
use crate::llvm::*;
use crate::options::{LowerError, handler_of_trap};
use crate::points_to::Key;
use crate::promote::{callee, constant_u64, is_hint, range_call};
use crate::shape::{Leaf, Leaves, leaves};
use beeline_ir::{BinOp, Call, Callee, Direction, Expr, ExprId, FuncId, Op, Type, UnOp, Value, VarId};

impl Body<'_, '_> {
    /// Translates a call; `next` is the instruction behind it.
    pub(super) fn call(
        &mut self,
        inst: InstId,
        data: &Inst,
        call: &CallInst,
        next: Option<InstId>,
    ) -> Result<(), LowerError> {
        if call.asm.is_some() {
            return self.assembly(inst, data, call);
        }
        let module = self.cx.scope.module;
        let Some((id, function)) = callee(module, call) else {
            return self.indirect(inst, data, call, next);
        };
        let name = function.name.as_str();
        let trap = name == "llvm.ubsantrap";
        let trap = trap.then(|| call.args.first().and_then(constant_u64).map(handler_of_trap)).flatten();
        let checked = trap.as_deref().unwrap_or(name);
        if let Some(property) = self.cx.target_property(checked) {
            self.violation(checked, property);
            return Ok(());
        }
        if is_hint(name) {
            call.args.iter().for_each(|arg| self.operand_used(arg));
            return Ok(());
        }
        if let (Some(kind), [to, from, size, ..]) = (range_call(function), call.args.as_slice()) {
            let keep = self.left[inst] > 0;
            if keep && let Operand::Inst(target) = to {
                self.left[*target] += 1;
            }
            let result = if keep { Some(self.operand(to)) } else { None };
            self.range(kind, to, from, size)?;
            if let Some(val) = result {
                self.define(inst, val);
            }
            return Ok(());
        }
        if !function.is_declaration() {
            return self.direct(inst, data, call, id, next);
        }
        if name.starts_with("llvm.") && effect(name) == Effect::Unknown {
            return self.intrinsic(inst, data, call, name);
        }
        self.external(inst, data, call, name, next)
    }

    /// A call of a target: the place where it stands is the violation.
    fn violation(&mut self, name: &str, property: &str) {
        let Some(current) = self.current.take() else { return };
        let place = match self.span {
            Some(span) => format!(" at {}", self.cx.builder.program().show_span(span)),
            None => String::new(),
        };
        let base = format!("{name} in {}{place}", self.function.name);
        let count = self.cx.target_names.entry(base.clone()).or_insert(0);
        *count += 1;
        let name = if *count == 1 { base } else { format!("{base} ({count})") };
        self.graph.target(current, property, name, self.span);
    }

    fn result_leaves(&self, ty: TyId) -> Leaves {
        leaves(self.cx.scope.module, ty).unwrap_or_default()
    }

    /// The variable that gets a result: the one it is stored to at once, or a new one.
    fn result_var(&mut self, inst: InstId, ty: Type, next: Option<InstId>) -> VarId {
        if let Some(next) = next
            && self.uses.count[inst] == 1
        {
            match &self.function.insts[next].kind {
                InstKind::Store { addr, value } if *value == Operand::Inst(inst) => {
                    if let Some(var) = self.sole_cell(addr, ty) {
                        self.operand_used(addr);
                        self.operand_used(value);
                        self.done.insert(next);
                        return var;
                    }
                }
                InstKind::Ret(Some(value)) if *value == Operand::Inst(inst) => {
                    if let Some(ret) = self.ret
                        && self.cx.builder.program().vars[ret].ty == ty
                    {
                        return ret;
                    }
                }
                _ => {}
            }
        }
        let name = self.inst_name(inst);
        self.fresh(&name, ty)
    }

    /// Gives an instruction the result that a variable got.
    fn define_result(&mut self, inst: InstId, var: VarId, list: &[Leaf]) {
        let value = self.read(var);
        let val = self.unpack(value, list);
        self.define(inst, val);
    }

    /// The arguments of a call of one of the program's functions.
    fn arguments(&mut self, call: &CallInst, target: FnId) -> Vec<ExprId> {
        let module = self.cx.scope.module;
        let function = &module.functions[target];
        let Some((_, params, variadic)) = signature(module, function.ty) else { return Vec::new() };
        let (fixed, extra) = call.args.split_at(params.len().min(call.args.len()));
        let values: Vec<Val> = fixed.iter().map(|arg| self.operand(arg)).collect();
        let mut args = Vec::new();
        for (index, ty) in params.iter().enumerate() {
            let wanted = packed_type(&self.result_leaves(*ty)).unwrap_or(Type::Bool);
            let given = values.get(index).and_then(|val| self.pack(val));
            args.push(self.fitted(given, wanted, &function.name));
        }
        if variadic {
            args.push(self.variable_arguments(target, call, params.len()));
        } else {
            extra.iter().for_each(|arg| self.operand_used(arg));
        }
        args
    }

    /// An argument as the type of its parameter. C lets calls disagree with definitions.
    fn fitted(&mut self, given: Option<ExprId>, wanted: Type, name: &str) -> ExprId {
        let Some(given) = given else {
            let text = format!("a missing argument of {name} has any value");
            let any = self.any_leaf(wanted);
            self.inexact("call-mismatch", text, Direction::MayInventBug);
            return any;
        };
        if self.cx.builder.program().exprs.ty(given) == wanted {
            return given;
        }
        let bits = self.as_bv(given);
        let bits = self.cx.builder.exprs().resize(bits, image_bits(wanted).max(1), false);
        self.bits_as(bits, wanted)
    }

    fn direct(
        &mut self,
        inst: InstId,
        data: &Inst,
        call: &CallInst,
        target: FnId,
        next: Option<InstId>,
    ) -> Result<(), LowerError> {
        let frame = self.frame_of_arguments(call, target);
        let args = self.arguments(call, target);
        let Some(&func) = self.cx.funcs.get(&target) else { return Ok(()) };
        self.finish_call(inst, data, Callee::Direct(func), args, next);
        self.drop_frame(frame);
        if call.noreturn || self.cx.scope.module.functions[target].noreturn {
            self.current = None;
        }
        Ok(())
    }

    fn finish_call(
        &mut self,
        inst: InstId,
        data: &Inst,
        callee: Callee,
        args: Vec<ExprId>,
        next: Option<InstId>,
    ) {
        let list = self.result_leaves(data.ty);
        let result = callee.functions().first().and_then(|&func| {
            let ret = self.cx.builder.program().functions[func].ret?;
            Some(self.cx.builder.program().vars[ret].ty)
        });
        let wanted = packed_type(&list);
        match (wanted, result) {
            (Some(wanted), Some(ty)) if wanted == ty && self.left[inst] > 0 => {
                let var = self.result_var(inst, ty, next);
                self.emit(Op::Call(Box::new(Call { callee, args, ret: Some(var) })));
                self.define_result(inst, var, &list);
            }
            (Some(_), _) if self.left[inst] > 0 => {
                self.emit(Op::Call(Box::new(Call { callee, args, ret: None })));
                let text = format!(
                    "{} takes a result that the function it calls does not return",
                    self.function.name
                );
                let val = self.guessed(data.ty, "call-mismatch", text);
                self.define(inst, val);
            }
            _ => self.emit(Op::Call(Box::new(Call { callee, args, ret: None }))),
        }
    }

    fn indirect(
        &mut self,
        inst: InstId,
        data: &Inst,
        call: &CallInst,
        next: Option<InstId>,
    ) -> Result<(), LowerError> {
        let (found, guessed) = candidates(self.cx.scope, self.cx.points, self.id, call);
        let bodies: Vec<(FnId, FuncId)> =
            found.iter().filter_map(|id| Some((*id, *self.cx.funcs.get(id)?))).collect();
        if guessed {
            let text = format!(
                "a call through a pointer in {} may lead to any function of its type",
                self.function.name
            );
            self.cx.note("indirect-call", text, Direction::MayInventBug, self.span);
        }
        let missed = bodies.len() < crate::flow::pointees(self.cx.points, self.id, &call.callee).len();
        if missed && !guessed {
            let text = format!(
                "a call through a pointer in {} leads to no function that takes other arguments",
                self.function.name
            );
            self.cx.note("indirect-call", text, Direction::MayHideBug, self.span);
        }
        let target = self.address(&call.callee);
        let Some(&(first, _)) = bodies.first() else {
            call.args.iter().for_each(|arg| self.operand_used(arg));
            let text = format!(
                "a call through a pointer in {} returns anything and writes nothing",
                self.function.name
            );
            let val = self.guessed(data.ty, "indirect-call", text);
            self.define(inst, val);
            return Ok(());
        };
        let frame = self.frame_of_arguments(call, first);
        let args = self.arguments(call, first);
        let types = |cx: &super::Context, func: FuncId| {
            let program = cx.builder.program();
            let function = &program.functions[func];
            let params: Vec<Type> = function.params.iter().map(|&var| program.vars[var].ty).collect();
            (params, function.ret.map(|var| program.vars[var].ty))
        };
        let shape = types(self.cx, self.cx.funcs[&first]);
        let functions: Vec<FuncId> =
            bodies.iter().map(|body| body.1).filter(|&func| types(self.cx, func) == shape).collect();
        if functions.len() < bodies.len() {
            let text = format!(
                "a call through a pointer in {} leaves out functions that differ from {} in their types",
                self.function.name, self.cx.scope.module.functions[first].name
            );
            self.cx.note("indirect-call", text, Direction::MayHideBug, self.span);
        }
        self.finish_call(inst, data, Callee::Indirect { target, candidates: functions }, args, next);
        self.drop_frame(frame);
        Ok(())
    }

    fn assembly(&mut self, inst: InstId, data: &Inst, call: &CallInst) -> Result<(), LowerError> {
        let (text, constraints) = call.asm.clone().unwrap_or_default();
        let args: Vec<Val> = call.args.iter().map(|arg| self.operand(arg)).collect();
        if text.trim().is_empty() {
            let val = self.unchanged(data, &constraints, &args);
            self.define(inst, val);
            return Ok(());
        }
        if constraints.contains("=*") {
            self.refuse("inline assembly that writes memory")?;
        }
        let shown: String = text.lines().next().unwrap_or("").chars().take(40).collect();
        let note = format!("the inline assembly {shown:?} gives any result and writes no memory");
        let val = self.guessed(data.ty, "assembly", note);
        self.define(inst, val);
        Ok(())
    }

    /// The results of assembly without text: the arguments that are in the same registers, else anything.
    fn unchanged(&mut self, data: &Inst, constraints: &str, args: &[Val]) -> Val {
        let (results, others): (Vec<&str>, Vec<&str>) =
            constraints.split(',').partition(|constraint| constraint.starts_with('='));
        let registers: Vec<usize> = (0..results.len()).filter(|&at| !results[at].contains('*')).collect();
        // Addresses of results in memory are arguments as well, ahead of the others.
        let ahead = results.len() - registers.len();
        let mut val = self.any(data.ty);
        for (number, slot) in registers.into_iter().zip(val.iter_mut()) {
            let same = number.to_string();
            let tied = others.iter().position(|constraint| *constraint == same);
            let tied = tied.and_then(|at| args.get(ahead + at)?.first().copied());
            let exprs = &self.cx.builder.program().exprs;
            if let Some(value) = tied.filter(|&value| exprs.ty(value) == exprs.ty(*slot)) {
                *slot = value;
            }
        }
        val
    }

    fn external(
        &mut self,
        inst: InstId,
        data: &Inst,
        call: &CallInst,
        name: &str,
        next: Option<InstId>,
    ) -> Result<(), LowerError> {
        match effect(name) {
            Effect::Allocate(kind) => return self.allocate(inst, call, kind, next),
            Effect::Reallocate => return self.reallocate(inst, call),
            Effect::Stop => {
                call.args.iter().for_each(|arg| self.operand_used(arg));
                self.current = None;
                return Ok(());
            }
            Effect::Assume => {
                let cond = match call.args.first() {
                    Some(arg) => self.scalar(arg),
                    None => return Ok(()),
                };
                let cond = self.as_bv(cond);
                let cond = self.cx.builder.exprs().nonzero(cond);
                self.emit(Op::assume(cond));
                return Ok(());
            }
            Effect::VaStart => return self.va_start(call),
            Effect::VaCopy => return self.va_copy(call),
            Effect::Float(op) if call.args.len() == 1 => {
                let val = self.operand(&call.args[0]);
                let val = val.iter().map(|&leaf| self.cx.builder.exprs().unary(op, leaf)).collect();
                self.define(inst, val);
                return Ok(());
            }
            Effect::FloatOther(function) => {
                let args: Vec<ExprId> = call.args.iter().map(|arg| self.scalar(arg)).collect();
                if let Some(value) = self.float_function(function, &args) {
                    self.define_scalar(inst, value);
                    return Ok(());
                }
            }
            Effect::Abs if call.args.len() == 1 => {
                let value = self.scalar(&call.args[0]);
                let value = self.absolute(value);
                self.define_scalar(inst, value);
                return Ok(());
            }
            Effect::SetRounding => {
                let mode = call.args.first().map(|arg| self.scalar(arg));
                let nearest = mode.and_then(|mode| self.cx.builder.program().exprs.as_bits(mode)?.to_u64());
                if nearest == Some(0) {
                    let done = self.cx.builder.exprs().bv(32, 0);
                    self.define_scalar(inst, done);
                    return Ok(());
                }
                self.refuse("fesetround: only rounding to nearest is supported")?;
            }
            Effect::Refused(what) => self.refuse(&format!("{name} ({what}) is not supported"))?,
            Effect::ReadInto(first) => self.read_into(call, first, None),
            Effect::GuessInto(first) => self.read_into(call, first, Some(shown(name))),
            _ => {}
        }
        if !matches!(effect(name), Effect::FloatOther(_)) {
            call.args.iter().for_each(|arg| self.operand_used(arg));
        }
        let has_result = self.havoc_result(inst, data, name, next);
        self.note_unknown(name, data, has_result);
        if call.noreturn {
            self.current = None;
        }
        Ok(())
    }

    /// Notes what is not known of a call: the newest edge gives its result, if it has one.
    fn note_unknown(&mut self, name: &str, data: &Inst, has_result: bool) {
        let shown = shown(name);
        let pointer = matches!(self.cx.scope.module.kind(data.ty), TyKind::Ptr);
        let (kind, text) = match effect(name) {
            Effect::Guess | Effect::GuessInto(_) => {
                ("libc-call", format!("{shown} of the C library has no exact model: it returns anything"))
            }
            Effect::Unknown if pointer && has_result => (
                "extern-call",
                format!("{shown} returns any pointer, to memory of its own, and writes nothing"),
            ),
            Effect::Unknown => ("extern-call", format!("{shown} returns anything and writes nothing")),
            _ => return,
        };
        if has_result {
            self.inexact(kind, text, Direction::Both);
        } else {
            self.cx.note(kind, text, Direction::MayHideBug, self.span);
        }
    }

    /// Any result, if it is used; the name of the function tells where it comes from.
    fn havoc_result(&mut self, inst: InstId, data: &Inst, name: &str, next: Option<InstId>) -> bool {
        let list = self.result_leaves(data.ty);
        let is_input = effect(name) == Effect::Input;
        if list.is_empty() || self.left[inst] == 0 && !is_input || self.current.is_none() {
            return false;
        }
        let Some(ty) = packed_type(&list) else { return false };
        let var =
            if self.left[inst] > 0 { self.result_var(inst, ty, next) } else { self.fresh("unused", ty) };
        if is_input && matches!(self.cx.scope.module.kind(data.ty), TyKind::Ptr) {
            let text = format!("a pointer that {} gives points to no object of the program", shown(name));
            self.cx.note("input-pointer", text, Direction::MayHideBug, self.span);
        }
        let input = self.cx.builder.input(shown(name));
        self.emit(Op::Havoc(var, Some(input)));
        self.define_result(inst, var, &list);
        true
    }

    /// Memory that is read from outside holds anything; that is a guess where a library decides.
    fn read_into(&mut self, call: &CallInst, first: usize, library: Option<&str>) {
        for arg in call.args.iter().skip(first) {
            let Some(ptr) = crate::flow::operand_ptr(self.cx.points, self.id, arg) else {
                continue;
            };
            if library.is_none() {
                let text = format!("what {} is told to write holds anything", self.function.name);
                self.cx.note("extern-write", text, Direction::MayInventBug, self.span);
            }
            for group in self.cx.memory.groups(self.cx.points, ptr).to_vec() {
                self.emit(Op::HavocRegion(group.region));
                if let Some(name) = library {
                    let text =
                        format!("what {name} of the C library writes has no exact model: it is anything");
                    self.inexact("libc-call", text, Direction::Both);
                }
            }
        }
    }

    fn allocate(
        &mut self,
        inst: InstId,
        call: &CallInst,
        kind: Allocation,
        next: Option<InstId>,
    ) -> Result<(), LowerError> {
        let args: Vec<ExprId> = call.args.iter().map(|arg| self.address(arg)).collect();
        let bytes = match (kind, args.as_slice()) {
            (Allocation::Size(index), args) if index < args.len() => args[index],
            (Allocation::Array, [count, size, ..]) => {
                self.cx.builder.exprs().binary(BinOp::Mul, *count, *size)
            }
            (Allocation::Zeroed | Allocation::Stack, [size, ..]) => *size,
            _ => self.word(0),
        };
        let counter = if kind == Allocation::Stack { self.cx.stack } else { self.cx.heap };
        if matches!(kind, Allocation::Size(_)) && self.result_is_used(inst) {
            self.allocated_or_null(inst, bytes, next);
            return Ok(());
        }
        let addr = self.allocated(inst, counter, bytes, next);
        if matches!(kind, Allocation::Array | Allocation::Zeroed)
            && let Some(ptr) = self.cx.points.value(Key::Inst(self.id, inst))
        {
            let zero = self.cx.builder.exprs().bv(8, 0);
            let constant = self.cx.builder.program().exprs.as_bits(bytes).and_then(|bits| bits.to_u64());
            let place = super::access::Place::Memory(addr, Some(ptr));
            self.fill(&place, zero, constant, bytes)?;
        }
        Ok(())
    }

    fn result_is_used(&self, inst: InstId) -> bool {
        self.left[inst] > 0 && self.current.is_some()
    }

    /// A new object on the heap, or null if the size is more than the largest distance of two pointers:
    /// such a request fails on every machine.
    fn allocated_or_null(&mut self, inst: InstId, bytes: ExprId, next: Option<InstId>) {
        let zero = self.word(0);
        let fails = self.cx.builder.exprs().binary(BinOp::Slt, bytes, zero);
        match self.cx.builder.program().exprs.as_const(fails) {
            Some(Value::Bool(true)) => return self.define_scalar(inst, zero),
            Some(_) => {
                self.allocated(inst, self.cx.heap, bytes, next);
                return;
            }
            None => {}
        }
        let bytes = self.kept(bytes);
        let fails = self.cx.builder.exprs().binary(BinOp::Slt, bytes, zero);
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
        let both = [(var, here), (counter, after)].into_iter().collect();
        self.emit(Op::Assign(both));
        let addr = self.read(var);
        self.define_scalar(inst, addr);
        addr
    }

    /// A new object with what the old one held. How long that was is not known; what lies behind it is
    /// copied as well and has no meaning.
    fn reallocate(&mut self, inst: InstId, call: &CallInst) -> Result<(), LowerError> {
        let [old, size, ..] = call.args.as_slice() else { return Ok(()) };
        let (old, bytes) = (self.address(old), self.address(size));
        let (old, bytes) = (self.kept(old), self.kept(bytes));
        if self.cx.builder.program().exprs.as_bits(bytes).is_some_and(beeline_ir::Bits::is_zero) {
            // The C libraries in use free the object and return null.
            let zero = self.word(0);
            self.define_scalar(inst, zero);
            return Ok(());
        }
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
        Ok(())
    }

    /// The value of an expression in a variable of its own, unless it is a constant.
    fn kept(&mut self, value: ExprId) -> ExprId {
        if self.cx.builder.program().exprs.as_const(value).is_some() {
            return value;
        }
        let var = self.fresh("kept", self.cx.builder.program().exprs.ty(value));
        self.assign(var, value);
        self.read(var)
    }

    pub(super) fn absolute(&mut self, value: ExprId) -> ExprId {
        let exprs = self.cx.builder.exprs();
        let width = exprs.width(value);
        let zero = exprs.bv(width, 0);
        let negative = exprs.binary(BinOp::Slt, value, zero);
        let negated = exprs.unary(UnOp::Neg, value);
        exprs.ite(negative, negated, value)
    }

    pub(super) fn float_function(&mut self, function: FloatFunction, args: &[ExprId]) -> Option<ExprId> {
        let &[a, b, ref rest @ ..] = args else { return None };
        let exprs = self.cx.builder.exprs();
        let less = |exprs: &mut beeline_ir::ExprPool, a, b| exprs.binary(BinOp::FLt, a, b);
        Some(match function {
            FloatFunction::Min | FloatFunction::Max => {
                // A NaN counts as missing.
                let (x, y) = if function == FloatFunction::Min { (a, b) } else { (b, a) };
                let order = less(exprs, x, y);
                let b_nan = exprs.unary(UnOp::FIsNan, b);
                let first = exprs.or(order, b_nan);
                exprs.ite(first, a, b)
            }
            FloatFunction::CopySign => {
                let size = exprs.unary(UnOp::FAbs, a);
                let minus = exprs.unary(UnOp::FNeg, size);
                let negative = exprs.unary(UnOp::FIsNegative, b);
                exprs.ite(negative, minus, size)
            }
            FloatFunction::Remainder => exprs.binary(BinOp::FRem, a, b),
            FloatFunction::Dim => {
                let difference = exprs.binary(BinOp::FSub, a, b);
                let zero = exprs.constant(Value::zero(exprs.ty(a)));
                let below = exprs.binary(BinOp::FLe, a, b);
                exprs.ite(below, zero, difference)
            }
            FloatFunction::Fma => exprs.fma(a, b, *rest.first()?),
        })
    }
}
