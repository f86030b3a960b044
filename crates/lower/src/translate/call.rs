//! Calls: of the program's own functions, of functions whose effect is known by name, of others.

mod external;

use super::library::loose_result;
use super::{Body, Val, packed_type, signature};
use crate::analyse::activation::scope_mark;
use crate::analyse::cfg::Cfg;
use crate::analyse::flow::functions_only;
use crate::analyse::shape::image_bits;
use crate::analyse::shape::{Leaf, Leaves, leaves};
use crate::instruction::{RangeKind, callee, constant_u64, is_hint, range_call};
use crate::libc::{
    ASSUMES, ENDS_OF_THREADS, Effect, FloatFunction, LONGJMP, changes_environment, effect, reads_environment,
    shown,
};
use crate::models::is_model;
use crate::options::{Externals, LowerError, MARK_PROPERTY, OVERFLOW, Property, UNSIGNED_OVERFLOW};
use beeline_ir::{
    BinOp, Call, Callee, Direction, ExprId, Op, Span, Type, UnOp, Value, VarId, copied_function,
};
use beeline_module::names::MARK;
use beeline_module::sanitizer::{handler_of_trap, is_of_unsigned};
use beeline_module::*;

/// Whether a function has a return behind no call that does not return.
fn may_return(module: &Module, function: &Function) -> bool {
    let ends = |inst: &InstId| match &function.insts[*inst].kind {
        InstKind::Call(call) => {
            call.noreturn || callee(module, call).is_some_and(|(_, f)| f.name == "llvm.trap")
        }
        _ => false,
    };
    let returns = |inst: &InstId| matches!(function.insts[*inst].kind, InstKind::Ret(_));
    let all = Cfg::new(function).order.into_iter().map(|block| &function.blocks[block].insts);
    all.into_iter().any(|insts| insts.iter().any(returns) && !insts.iter().any(ends))
}

impl Body<'_, '_> {
    /// Translates a call; `next` is the instruction after it.
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
            self.indirect(inst, data, call, next);
            return Ok(());
        };
        let name = function.name.as_str();
        let trap = name == "llvm.ubsantrap";
        let trap = trap.then(|| call.args.first().and_then(constant_u64).map(handler_of_trap)).flatten();
        let checked = trap.as_deref().unwrap_or(name);
        if let Some(property) = self.cx.options.violated_by_call(checked) {
            let unsigned = property == OVERFLOW && is_of_unsigned(module, call);
            self.violation(checked, if unsigned { UNSIGNED_OVERFLOW } else { property });
            return Ok(());
        }
        if let (MARK, [holds, number]) = (name, call.args.as_slice())
            && let Some(number) = constant_u64(number)
            && self.cx.options.properties.contains(&Property::Marks)
        {
            self.mark(holds, number);
            return Ok(());
        }
        if name == "llvm.assume" && !module.optimised {
            let text = "what the compiler is told to assume here holds".to_string();
            self.cx.note("assume", text, Direction::MayHideBug, self.span);
            self.assume_or_assert(ASSUMES[0], call);
            return Ok(());
        }
        if is_hint(name) {
            if let Some((begins, alloca)) = scope_mark(module, call) {
                self.mark_scope(alloca, begins);
            }
            call.args.iter().for_each(|arg| self.operand_used(arg));
            return Ok(());
        }
        if let (Some(kind), [to, from, size, ..]) = (range_call(function), call.args.as_slice()) {
            let apart = kind == RangeKind::Copy && name.contains("memcpy");
            return self.range_call(inst, kind, (to, from, size), apart);
        }
        if !function.is_declaration() {
            return self.direct(inst, data, call, id, next);
        }
        if name.starts_with("llvm.") && effect(name) == Effect::Unknown {
            return self.intrinsic(inst, data, call, name);
        }
        self.external(inst, data, call, id, next)
    }

    /// A call that copies or fills a range, and returns its first argument.
    fn range_call(
        &mut self,
        inst: InstId,
        kind: RangeKind,
        (to, from, size): (&Operand, &Operand, &Operand),
        apart: bool,
    ) -> Result<(), LowerError> {
        let keep = self.left[inst] > 0;
        if keep && let Operand::Inst(target) = to {
            self.left[*target] += 1;
        }
        let result = if keep { Some(self.operand(to)) } else { None };
        self.range(kind, to, from, size, apart)?;
        if let Some(val) = result {
            self.define(inst, val);
        }
        Ok(())
    }

    /// A call of a target: the place where it stands is the violation.
    pub(super) fn violation(&mut self, name: &str, property: &str) {
        let Some(current) = self.current.take() else { return };
        let span = self.told_span();
        let place = match span {
            Some(span) => format!(" at {}", self.cx.builder.program().show_span(span)),
            None => String::new(),
        };
        let base = format!("{name} in {}{place}", copied_function(&self.function.name));
        // Everything that one call of the library does wrong is one target.
        if self.function.call.is_some()
            && let Some(&known) = self.violations.get(&base)
        {
            self.graph.edge(current, known, Op::Skip, self.span);
            return;
        }
        self.violations.insert(base.clone(), current);
        let count = self.cx.target_names.entry(base.clone()).or_insert(0);
        *count += 1;
        let name = if *count == 1 { base } else { format!("{base} ({count})") };
        self.graph.target(current, property, name, span);
    }

    /// The location in the program at which a finding is reported: in a model, that of its call.
    pub(super) fn told_span(&mut self) -> Option<Span> {
        let call = self.function.call.and_then(|(_, place)| self.cx.span(place));
        self.span.or(call)
    }

    /// Adds a mark: a target that an execution may pass.
    fn mark(&mut self, holds: &Operand, number: u64) {
        let holds = self.scalar(holds);
        let holds = self.as_bv(holds);
        let holds = self.cx.builder.exprs().nonzero(holds);
        // Pending values are computed before the branch.
        self.emit(Op::Skip);
        let here = self.current;
        self.emit(Op::assume(holds));
        self.violation(&format!("{MARK} {number}"), MARK_PROPERTY);
        self.current = here;
        self.emit(Op::Skip);
    }

    pub(super) fn result_leaves(&self, ty: TyId) -> Leaves {
        leaves(self.cx.scope.module, ty).unwrap_or_default()
    }

    /// The variable that gets a result: the one it is stored to at once, or a new one.
    pub(super) fn result_var(&mut self, inst: InstId, ty: Type, next: Option<InstId>) -> VarId {
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

    /// Defines an instruction's result as the value of a variable.
    pub(super) fn define_result(&mut self, inst: InstId, var: VarId, list: &[Leaf]) {
        let value = self.read(var);
        let val = self.unpack(value, list);
        self.define(inst, val);
    }

    /// The arguments of a call of one of the program's functions.
    pub(super) fn arguments(&mut self, call: &CallInst, target: FnId) -> Vec<ExprId> {
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
            self.note_variable_arguments(extra, &function.name);
            args.push(self.variable_arguments(target, call, params.len()));
        } else {
            extra.iter().for_each(|arg| self.operand_used(arg));
        }
        args
    }

    /// Notes that variable arguments lie one after the other here. A machine may have a row for integers and one for
    /// floats.
    fn note_variable_arguments(&mut self, extra: &[Operand], name: &str) {
        let module = self.cx.scope.module;
        let ty = |arg| crate::instruction::operand_type(module, self.function, arg);
        let is_float = |ty: TyId| matches!(module.kind(ty), TyKind::Float(_));
        let floats = extra.iter().filter_map(ty).filter(|ty| is_float(*ty)).count();
        if floats > 0 && floats < extra.len() {
            let text = format!("{name} reads its variable arguments with the types that the caller passes");
            self.cx.note("variable-arguments", text, Direction::MayHideBug, self.span);
        }
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
        self.note_padding(call, target);
        self.note_order(call, target);
        if self.id == self.cx.scope.entry && crate::around::runs_at_end(self.cx.scope.module, target) {
            self.leave_before_end();
        }
        let function = &self.cx.scope.module.functions[target];
        if call.noreturn && !is_model(function) && may_return(self.cx.scope.module, function) {
            // Compilers leave out what follows the call, with its targets.
            let name = function.name.clone();
            self.refuse(&format!("{name}, which is declared not to return but may, is not supported"))?;
        }
        let frame = self.frame_of_arguments(call, target);
        let args = self.arguments(call, target);
        let Some(&func) = self.cx.funcs.get(&target) else { return Ok(()) };
        let next = next.filter(|_| loose_result(&self.cx.scope.module.functions[target]).is_none());
        self.finish_call(inst, data, Callee::Direct(func), args, next);
        self.drop_frame(frame);
        self.loosen(inst, target);
        Ok(())
    }

    pub(super) fn finish_call(
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
            (Some(Type::Bv(narrow)), Some(Type::Bv(wide)))
                if narrow < wide && list.len() == 1 && self.left[inst] > 0 =>
            {
                let var = self.fresh("wide", Type::Bv(wide));
                self.emit(Op::Call(Box::new(Call { callee, args, ret: Some(var) })));
                let text =
                    format!("{} uses the low bits of a wider result of its callee", self.function.name);
                self.cx.note("call-mismatch", text, Direction::Both, self.span);
                let value = self.read(var);
                let value = self.cx.builder.exprs().resize(value, narrow, false);
                let val = self.unpack(value, &list);
                self.define(inst, val);
            }
            (Some(_), _) if self.left[inst] > 0 => {
                self.emit(Op::Call(Box::new(Call { callee, args, ret: None })));
                let text = format!("{} uses a result that its callee does not return", self.function.name);
                let val = self.guessed(data.ty, "call-mismatch", text);
                self.define(inst, val);
            }
            _ => self.emit(Op::Call(Box::new(Call { callee, args, ret: None }))),
        }
    }

    /// A call of a function that verifiers know: an assumption, or an assertion. Where no property asks for assertions,
    /// the execution goes on after one that fails, as in other verifiers.
    fn assume_or_assert(&mut self, name: &str, call: &CallInst) {
        let Some(holds) = call.args.first() else { return };
        call.args[1..].iter().for_each(|arg| self.operand_used(arg));
        let holds = self.scalar(holds);
        let holds = self.as_bv(holds);
        let holds = self.cx.builder.exprs().nonzero(holds);
        if effect(name) == Effect::Assume {
            return self.emit(Op::assume(holds));
        }
        let Some(property) = self.cx.options.violated_by_call("__assert_fail") else { return };
        // Pending values are computed before the branch.
        self.emit(Op::Skip);
        let here = self.current;
        let fails = self.cx.builder.exprs().not(holds);
        self.emit(Op::assume(fails));
        self.violation(name, property);
        self.current = here;
        self.emit(Op::assume(holds));
    }

    /// Notes what is unknown about a call: the newest edge gives its result, if it has one.
    fn note_unknown(&mut self, call: &CallInst, name: &str, data: &Inst, has_result: bool) {
        let shown = shown(name);
        let pointer = matches!(self.cx.scope.module.kind(data.ty), TyKind::Ptr);
        let (kind, text) = match effect(name) {
            Effect::Guess | Effect::GuessInto(_) if name == "setlocale" => {
                ("libc-call", "the locale stays C, and setlocale returns any value".into())
            }
            Effect::Guess | Effect::GuessInto(_) => {
                ("libc-call", format!("{shown} of the C library has no exact model: it returns any value"))
            }
            // The call ends the execution, or an assumption says that it is ignored.
            Effect::Refused(_) if self.cx.options.externals != Externals::Inert => return,
            Effect::Unknown | Effect::Refused(_) if pointer && has_result => (
                "extern-call",
                format!("{shown} returns any pointer, to separate memory, and writes nothing"),
            ),
            Effect::Unknown | Effect::Refused(_) => {
                ("extern-call", format!("{shown} returns any value and writes nothing"))
            }
            Effect::Input if reads_environment(name) => {
                // Changes of the environment are not followed: its content is a guess then.
                let text = format!("{shown} of the C library has no exact model: it returns any value");
                return if self.changes_environment() {
                    self.inexact("libc-call", text, Direction::Both)
                } else {
                    let text = format!("{shown} may return another result for each call");
                    self.cx.note("environment", text, Direction::MayInventBug, self.span)
                };
            }
            Effect::Input if self.takes_pointers(call) => {
                let text = format!("{shown} writes nothing and calls none of its arguments");
                return self.cx.note("extern-call", text, Direction::MayHideBug, self.span);
            }
            _ => return,
        };
        if has_result {
            self.inexact(kind, text, Direction::Both);
        } else {
            self.cx.note(kind, text, Direction::MayHideBug, self.span);
        }
    }

    /// Whether an operand is surely a function.
    pub(super) fn is_function(&self, arg: &Operand) -> bool {
        !functions_only(self.cx.points, self.id, arg).is_empty()
    }

    /// The result of a function to which jumps may return: zero at first. An execution in which a jump returns there
    /// ends, as its continuation has no model.
    fn landing(&mut self, name: &str) -> ExprId {
        let zero = self.cx.builder.exprs().bv(32, 0);
        if !self.jumps_back() {
            return zero;
        }
        let turn = self.any_leaf(Type::Bv(32));
        let exprs = self.cx.builder.exprs();
        let first = exprs.eq(turn, zero);
        let again = exprs.not(first);
        self.not_modelled_if(again, &format!("a jump back to {name}"));
        turn
    }

    /// Whether the program names anything that jumps to where a function was called.
    fn jumps_back(&self) -> bool {
        let scope = self.cx.scope;
        let mut names = scope.reach.functions.iter().map(|&id| scope.module.functions[id].name.as_str());
        names.any(|name| LONGJMP.contains(&name) || ENDS_OF_THREADS.contains(&name))
    }

    /// Whether the program names anything that remembers where jumps return to.
    fn comes_back(&self) -> bool {
        let scope = self.cx.scope;
        scope.reach.functions.iter().any(|&id| effect(&scope.module.functions[id].name) == Effect::Landing)
    }

    /// Whether the program names anything that ends a thread, which runs the handlers that were registered for that.
    fn ends_threads(&self) -> bool {
        let scope = self.cx.scope;
        let mut names = scope.reach.functions.iter().map(|&id| scope.module.functions[id].name.as_str());
        names.any(|name| ENDS_OF_THREADS.contains(&name))
    }

    /// Whether the program names anything that could change its environment.
    fn changes_environment(&self) -> bool {
        let module = self.cx.scope.module;
        let functions = module.functions.values().map(|function| &function.name);
        let variables = module.globals.values().map(|variable| &variable.name);
        functions.chain(variables).any(|name| changes_environment(name))
    }

    pub(super) fn takes_pointers(&self, call: &CallInst) -> bool {
        call.args.iter().any(|arg| self.is_pointer(arg))
    }

    pub(super) fn is_pointer(&self, arg: &Operand) -> bool {
        let module = self.cx.scope.module;
        let ty = crate::instruction::operand_type(module, self.function, arg);
        ty.is_some_and(|ty| matches!(module.kind(ty), TyKind::Ptr))
    }

    /// Havocs the result, if it is used; the name of the function shows its origin.
    fn havoc_result(&mut self, inst: InstId, data: &Inst, name: &str, next: Option<InstId>) -> bool {
        let list = self.result_leaves(data.ty);
        let is_input = effect(name) == Effect::Input;
        if list.is_empty() || self.left[inst] == 0 && !is_input || self.current.is_none() {
            return false;
        }
        // A float that comes from outside is shown as one.
        let ty = if let [leaf] = list[..] { Some(leaf.ty) } else { packed_type(&list) };
        let Some(ty) = ty else { return false };
        let var =
            if self.left[inst] > 0 { self.result_var(inst, ty, next) } else { self.fresh("unused", ty) };
        if is_input && matches!(self.cx.scope.module.kind(data.ty), TyKind::Ptr) {
            let text = match reads_environment(name) {
                true => format!("{} returns null or a pointer to separate memory", shown(name)),
                false => format!("a pointer from {} points to no object of the program", shown(name)),
            };
            self.cx.note("input-pointer", text, Direction::MayHideBug, self.span);
        }
        let input = self.cx.builder.input(shown(name));
        self.emit(Op::Havoc(var, Some(input)));
        self.define_result(inst, var, &list);
        true
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
                // A NaN counts as missing. Of two zeros, either may be the result.
                let either = self.any_leaf(Type::Bool);
                let exprs = self.cx.builder.exprs();
                let (x, y) = if function == FloatFunction::Min { (a, b) } else { (b, a) };
                let order = less(exprs, x, y);
                let b_nan = exprs.unary(UnOp::FIsNan, b);
                let first = exprs.or(order, b_nan);
                let equal = exprs.binary(BinOp::FEq, a, b);
                let tie = exprs.and(equal, either);
                let first = exprs.or(first, tie);
                exprs.ite(first, a, b)
            }
            FloatFunction::CopySign => {
                let negative = self.is_negative(b);
                let exprs = self.cx.builder.exprs();
                let size = exprs.unary(UnOp::FAbs, a);
                let minus = exprs.unary(UnOp::FNeg, size);
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
