//! Calls through pointers. Functions whose parameters and results have the same types as the call are called as they
//! are; others get the content of the registers, as far as that is known, and are called on paths of their own.

use super::{Body, Val, packed_type};
use crate::analyse::convention::{by_machine, fits};
use crate::instruction::operand_type;
use crate::options::{ACCESS_TARGET, Fault};
use crate::translate::graph::Node;
use beeline_ir::{Call, Callee, Direction, ExprId, FuncId, Op, Type, VarId};
use beeline_module::*;

impl Body<'_, '_> {
    /// Translates a call through a pointer; `next` is the instruction after it.
    pub(super) fn indirect(&mut self, inst: InstId, data: &Inst, call: &CallInst, next: Option<InstId>) {
        let (found, guessed) = self.cx.callees.of(self.id, call);
        let bodies: Vec<(FnId, FuncId)> =
            found.iter().filter_map(|id| Some((*id, *self.cx.funcs.get(id)?))).collect();
        let name = &self.function.name;
        if guessed && !bodies.is_empty() {
            let text = format!("a call through a pointer in {name} may call any function of its type");
            self.cx.note("indirect-call", text, Direction::MayInventBug, self.span);
        }
        let module = self.cx.scope.module;
        self.refuse_null(call);
        let (fitting, others): (Vec<_>, Vec<_>) =
            bodies.into_iter().partition(|(id, _)| fits(module, call, &module.functions[*id]));
        let groups = self.by_type(&fitting);
        if groups.is_empty() && others.is_empty() {
            return self.call_nobody(inst, data, call);
        }
        if let ([group], []) = (&groups[..], &others[..]) {
            let target = self.address(&call.callee);
            let target = self.kept(target);
            let missed = self.none_of(target, group);
            self.refuse_others(call, target, missed);
            let frame = self.frame_of_arguments(call, group[0].0);
            let args = self.arguments(call, group[0].0);
            let candidates = group.iter().map(|body| body.1).collect();
            self.finish_call(inst, data, Callee::Indirect { target, candidates }, args, next);
            return self.drop_frame(frame);
        }
        self.call_apart(inst, data, call, &groups, &others);
    }

    /// A call through a null pointer, where a property asks for just that.
    fn refuse_null(&mut self, call: &CallInst) {
        if self.cx.options.violated_by(Fault::Null).is_none() {
            return;
        }
        self.keep_for_later(&call.callee);
        let target = self.address(&call.callee);
        let target = self.kept(target);
        let null = self.word(0);
        let is_null = self.cx.builder.exprs().eq(target, null);
        self.violates_if(is_null, Fault::Null, ACCESS_TARGET, "no call through a null pointer".into());
    }

    /// A call through a pointer of which nothing is known.
    fn call_nobody(&mut self, inst: InstId, data: &Inst, call: &CallInst) {
        self.operand_used(&call.callee);
        call.args.iter().for_each(|arg| self.operand_used(arg));
        if !self.cx.scope.reach.havoc.is_empty() {
            self.call_world();
            let val = self.any(data.ty);
            return self.define(inst, val);
        }
        if !self.comes_from_outside(call) && self.cx.options.violated_by(Fault::Access).is_some() {
            let always = self.cx.builder.exprs().bool(true);
            return self.violates_if(always, Fault::Access, ACCESS_TARGET, String::new());
        }
        let text = format!(
            "a call through a pointer in {} returns any value and writes nothing",
            self.function.name
        );
        let val = self.guessed(data.ty, "indirect-call", text);
        self.define(inst, val);
    }

    /// Whether the pointer of a call may come from outside of the program.
    fn comes_from_outside(&self, call: &CallInst) -> bool {
        let ptr = crate::analyse::flow::operand_ptr(self.cx.points, self.id, &call.callee);
        ptr.is_some_and(|ptr| self.cx.points.traits(ptr).external)
    }

    /// A call through a pointer that leads to none of the known functions: there is no function, unless the pointer comes
    /// from outside.
    fn refuse_others(&mut self, call: &CallInst, target: ExprId, missed: ExprId) {
        if self.comes_from_outside(call) {
            let foreign = self.is_foreign(target);
            let exprs = self.cx.builder.exprs();
            let beyond = exprs.and(missed, foreign);
            let known = exprs.not(beyond);
            let name = &self.function.name;
            let text = format!(
                "a call through a pointer in {name} calls no function that is not among those that the program gives it"
            );
            self.cx.note("indirect-call", text, Direction::MayHideBug, self.span);
            self.emit(Op::assume(known));
        }
        self.violates_if(missed, Fault::Access, ACCESS_TARGET, self.no_function());
    }

    /// Functions with the types of their parameters and results in common.
    fn by_type(&self, bodies: &[(FnId, FuncId)]) -> Vec<Vec<(FnId, FuncId)>> {
        let program = self.cx.builder.program();
        let types = |func: FuncId| {
            let function = &program.functions[func];
            let params: Vec<Type> = function.params.iter().map(|&var| program.vars[var].ty).collect();
            (params, function.ret.map(|var| program.vars[var].ty))
        };
        let mut groups: Vec<Vec<(FnId, FuncId)>> = Vec::new();
        for &body in bodies {
            match groups.iter_mut().find(|group| types(group[0].1) == types(body.1)) {
                Some(group) => group.push(body),
                None => groups.push(vec![body]),
            }
        }
        groups
    }

    /// Calls each group of functions on a path of its own, and functions of other types by their registers.
    fn call_apart(
        &mut self,
        inst: InstId,
        data: &Inst,
        call: &CallInst,
        groups: &[Vec<(FnId, FuncId)>],
        others: &[(FnId, FuncId)],
    ) {
        let target = self.address(&call.callee);
        let target = self.kept(target);
        let args: Vec<Val> = call.args.iter().map(|arg| self.operand(arg)).collect();
        let args: Vec<Val> =
            args.into_iter().map(|val| val.into_iter().map(|leaf| self.kept(leaf)).collect()).collect();
        let list = self.result_leaves(data.ty);
        let result = packed_type(&list).filter(|_| self.left[inst] > 0).map(|ty| self.fresh("result", ty));
        // Pending values are computed before the branch.
        self.emit(Op::Skip);
        let Some(fork) = self.current else { return };
        let joined = self.graph.node();
        for group in groups {
            self.current = Some(fork);
            self.only_if_one_of(target, group);
            let callees: Vec<FuncId> = group.iter().map(|body| body.1).collect();
            let fixed = self.cx.scope.module.functions[group[0].0].params.len();
            if args.len() == fixed && !self.is_variadic(group[0].0) {
                let packed: Vec<ExprId> = args.iter().filter_map(|val| self.pack(val)).collect();
                self.call_group(target, callees, packed, result);
            } else {
                self.stuck(self.odd_call(group[0].0));
            }
            self.join_at(joined);
        }
        for &(id, func) in others {
            self.current = Some(fork);
            self.only_if_one_of(target, &[(id, func)]);
            match self.register_arguments(call, id, &args) {
                Some(args) => self.call_group(target, vec![func], args, result),
                None => self.stuck(self.odd_call(id)),
            }
            self.join_at(joined);
        }
        let all: Vec<(FnId, FuncId)> = groups.iter().flatten().chain(others).copied().collect();
        self.current = Some(fork);
        let missed = self.none_of(target, &all);
        self.refuse_others(call, target, missed);
        // No path continues.
        self.current = None;
        self.current = Some(joined);
        if let Some(result) = result {
            self.define_result(inst, result, &list);
        }
    }

    fn is_variadic(&self, id: FnId) -> bool {
        let module = self.cx.scope.module;
        matches!(module.kind(module.functions[id].ty), TyKind::Func(_, _, true))
    }

    fn odd_call(&self, id: FnId) -> String {
        let (caller, callee) = (&self.function.name, &self.cx.scope.module.functions[id].name);
        format!("no call of {callee} in {caller} through a pointer of another type")
    }

    fn no_function(&self) -> String {
        format!("no call in {} through a pointer that is not a function", self.function.name)
    }

    fn none_of(&mut self, target: ExprId, group: &[(FnId, FuncId)]) -> ExprId {
        let any = self.one_of(target, group);
        self.cx.builder.exprs().not(any)
    }

    fn only_if_one_of(&mut self, target: ExprId, group: &[(FnId, FuncId)]) {
        let any = self.one_of(target, group);
        self.emit(Op::assume(any));
    }

    fn one_of(&mut self, target: ExprId, group: &[(FnId, FuncId)]) -> ExprId {
        let mut any = self.cx.builder.exprs().bool(false);
        for &(id, _) in group {
            let addr = self.word(crate::analyse::shape::Addresses::function(self.cx.layout, id));
            let exprs = self.cx.builder.exprs();
            let this = exprs.eq(target, addr);
            any = exprs.or(any, this);
        }
        any
    }

    pub(super) fn join_at(&mut self, joined: Node) {
        if let Some(current) = self.current.take() {
            self.graph.join(joined, current);
        }
    }

    /// Calls one of some functions of one type; the result gets the content of the register of results.
    fn call_group(
        &mut self,
        target: ExprId,
        candidates: Vec<FuncId>,
        args: Vec<ExprId>,
        result: Option<VarId>,
    ) {
        let program = self.cx.builder.program();
        let ty = program.functions[candidates[0]].ret.map(|var| program.vars[var].ty);
        let callee = Callee::Indirect { target, candidates };
        let Some(result) = result else {
            return self.emit(Op::Call(Box::new(Call { callee, args, ret: None })));
        };
        let wanted = self.cx.builder.program().vars[result].ty;
        let ret = ty.map(|ty| if ty == wanted { result } else { self.fresh("returned", ty) });
        self.emit(Op::Call(Box::new(Call { callee, args, ret })));
        if ret != Some(result) {
            let value = match ret {
                Some(ret) => self.read(ret),
                None => self.any_leaf(Type::Bv(64)),
            };
            let value = self.of_register(value, wanted);
            self.assign(result, value);
        }
    }

    /// The content of the registers of a function's parameters.
    fn register_arguments(&mut self, call: &CallInst, id: FnId, args: &[Val]) -> Option<Vec<ExprId>> {
        let module = self.cx.scope.module;
        let function = &module.functions[id];
        let given = by_machine(module, self.function, call, function)?;
        let is_scalar = |arg| operand_type(module, self.function, arg).is_some();
        if !call.args.iter().all(is_scalar) {
            return None;
        }
        let func = self.cx.funcs[&id];
        let params = self.cx.builder.program().functions[func].params.clone();
        let mut values = Vec::new();
        for (param, arg) in params.into_iter().zip(given) {
            let wanted = self.cx.builder.program().vars[param].ty;
            values.push(match arg.and_then(|at| args.get(at)?.first().copied()) {
                Some(value) => self.of_register(value, wanted),
                None => self.any_leaf(wanted),
            });
        }
        Some(values)
    }

    /// A value of a type in a register that holds another one: the bits beyond that are any.
    fn of_register(&mut self, value: ExprId, wanted: Type) -> ExprId {
        let given = self.cx.builder.program().exprs.ty(value);
        if given == wanted {
            return value;
        }
        // Integers and floats are returned in registers of their own.
        let is_float = |ty: Type| matches!(ty, Type::Float(_));
        if is_float(given) != is_float(wanted) && !self.cx.scope.module.float_bits {
            return self.any_leaf(wanted);
        }
        let bits = self.as_bv(value);
        let width = self.cx.builder.program().exprs.width(bits);
        let size = crate::analyse::shape::image_bits(wanted);
        let bits = if size > width {
            let rest = self.any_leaf(Type::Bv(size - width));
            self.cx.builder.exprs().concat(rest, bits)
        } else {
            bits
        };
        self.bits_as(bits, wanted)
    }
}
