//! Functions of which nothing is known. Where they may do anything (`--externals havoc`), they write whatever they can
//! access, call back any function that they can access, any number of times, and return anything. Elsewhere they call
//! the functions that they are given, any number of times.

use super::Body;
use crate::analyse::points_to::Key;
use crate::libc::shown;
use beeline_ir::{BinOp, Call, Callee, Direction, ExprId, FuncId, Op, RegionId, Type, VarId};
use beeline_module::{CallInst, FnId, Operand, TyKind};

/// The name of the function that does all that.
pub const WORLD: &str = "functions.without.a.body";
/// The prefix of functions that stand for functions without a body and call the functions that these are given.
const GIVEN: &str = "calls.what.is.given";
/// The number of bytes before and after what a pointer from outside leads to that are the same memory.
const NEARBY: u64 = 1 << 16;

impl Body<'_, '_> {
    /// Calls the world.
    pub(super) fn call_world(&mut self) {
        let text = "functions without a body do not call the entry function";
        self.cx.note("extern-call", text.into(), Direction::MayHideBug, None);
        let func = self.world();
        let call = Call { callee: Callee::Direct(func), args: Vec::new(), ret: None };
        self.emit(Op::Call(Box::new(call)));
    }

    /// The function that is the world.
    fn world(&mut self) -> FuncId {
        if let Some(&known) = self.cx.helpers.get(WORLD) {
            return known;
        }
        let regions: Vec<_> = match self.cx.points.value(Key::World) {
            Some(world) => {
                self.cx.memory.groups(self.cx.points, world).iter().map(|group| group.region).collect()
            }
            None => Vec::new(),
        };
        let callbacks: Vec<FuncId> =
            self.cx.scope.reach.callbacks.iter().filter_map(|id| self.cx.funcs.get(id).copied()).collect();
        let func = self.cx.builder.function(WORLD);
        self.cx.helpers.insert(WORLD.into(), func);
        self.acts(func, &regions, &callbacks, |_, _, _| None);
        func
    }

    /// Makes a function without a body call the functions that it is given.
    pub(super) fn call_given(&mut self, name: &str, call: &CallInst, given: &[FnId]) {
        let text = format!(
            "{} calls its function arguments only while it runs, with pointers to its own arguments or to separate memory",
            shown(name)
        );
        self.cx.note("extern-call", text, Direction::MayHideBug, self.span);
        let pointers = call.args.iter().filter(|arg| !self.is_function(arg) && self.is_pointer(arg));
        let pointers: Vec<Operand> = pointers.cloned().collect();
        let args: Vec<ExprId> = pointers.iter().map(|arg| self.address(arg)).collect();
        let func = self.caller_of(given, args.len());
        let call = Call { callee: Callee::Direct(func), args, ret: None };
        self.emit(Op::Call(Box::new(call)));
    }

    /// A function with some pointers as parameters, with which it may call some functions.
    fn caller_of(&mut self, given: &[FnId], pointers: usize) -> FuncId {
        let module = self.cx.scope.module;
        let names: Vec<&str> = given.iter().map(|&id| module.functions[id].name.as_str()).collect();
        let name = format!("{GIVEN}.{}.{pointers}", names.join("."));
        if let Some(&known) = self.cx.helpers.get(&name) {
            return known;
        }
        let pointer = self.cx.pointer();
        let func = self.cx.builder.function(&name);
        self.cx.helpers.insert(name, func);
        let known: Vec<VarId> =
            (0..pointers).map(|at| self.cx.builder.param(func, &format!("given.{at}"), pointer)).collect();
        let (given, callbacks): (Vec<FnId>, Vec<FuncId>) =
            given.iter().filter_map(|id| Some((*id, *self.cx.funcs.get(id)?))).unzip();
        let takes_pointer = |number: usize, index: usize| {
            let TyKind::Func(_, params, _) = module.kind(module.functions[given[number]].ty) else {
                return false;
            };
            params.get(index).is_none_or(|&ty| matches!(module.kind(ty), TyKind::Ptr))
        };
        self.acts(func, &[], &callbacks, |body, (number, index), value| {
            takes_pointer(number, index).then(|| body.is_given_or_foreign(value, &known, pointer))
        });
        func
    }

    /// Whether a pointer is null, one of these, or one to memory that is not the program's.
    fn is_given_or_foreign(&mut self, value: ExprId, known: &[VarId], pointer: Type) -> ExprId {
        let null = self.word(0);
        let foreign = self.is_far(value);
        let exprs = self.cx.builder.exprs();
        let is_null = exprs.eq(value, null);
        let mut fine = exprs.or(foreign, is_null);
        for &var in known {
            let exprs = self.cx.builder.exprs();
            let given = exprs.var(var, pointer);
            let same = exprs.eq(value, given);
            fine = exprs.or(fine, same);
        }
        fine
    }

    /// Whether a pointer leads to memory that is not the program's, and so does what lies a little before and after.
    fn is_far(&mut self, addr: ExprId) -> ExprId {
        let (first, last) = self.cx.layout.all();
        let end = u64::MAX >> (64 - self.cx.scope.module.pointer_width.min(64));
        let page = self.word(NEARBY);
        let below = self.word(first.saturating_sub(NEARBY));
        let above = (last.saturating_add(NEARBY), end.saturating_sub(NEARBY));
        let (from, to) = (self.word(above.0.min(end)), self.word(above.1));
        let exprs = self.cx.builder.exprs();
        let (some, before) = (exprs.binary(BinOp::Ule, page, addr), exprs.binary(BinOp::Ule, addr, below));
        let (behind, within) = (exprs.binary(BinOp::Ule, from, addr), exprs.binary(BinOp::Ule, addr, to));
        let (before, behind) = (exprs.and(some, before), exprs.and(behind, within));
        exprs.or(before, behind)
    }

    /// Gives a function a body that overwrites regions and calls functions, any number of times, with arguments that
    /// satisfy a condition.
    fn acts(
        &mut self,
        func: FuncId,
        regions: &[RegionId],
        callbacks: &[FuncId],
        mut condition: impl FnMut(&mut Self, (usize, usize), ExprId) -> Option<ExprId>,
    ) {
        let builder = &mut self.cx.builder;
        let (entry, exit) = (builder.loc(func), builder.loc(func));
        builder.set_exit(func, exit);
        let mut at = entry;
        for &region in regions {
            let next = builder.loc(func);
            builder.edge(at, next, Op::HavocRegion(region), None);
            at = next;
        }
        // What happens next is any choice.
        let choice = self.cx.local_name("choice");
        let builder = &mut self.cx.builder;
        let choice = builder.local(func, &choice, Type::Bv(16));
        let chosen = builder.loc(func);
        builder.edge(at, chosen, Op::Havoc(choice, None), None);
        for (number, &callback) in callbacks.iter().enumerate() {
            let builder = &mut self.cx.builder;
            let params = builder.program().functions[callback].params.clone();
            let mut from = builder.loc(func);
            let taken = builder.exprs().var(choice, Type::Bv(16));
            let key = builder.exprs().bv(16, number as u64 + 1);
            let taken = builder.exprs().eq(taken, key);
            builder.edge(chosen, from, Op::assume(taken), None);
            let mut args = Vec::new();
            for (index, param) in params.into_iter().enumerate() {
                let builder = &mut self.cx.builder;
                let ty = builder.program().vars[param].ty;
                let var = builder.local(func, &format!("argument.{number}.{index}"), ty);
                let next = builder.loc(func);
                builder.edge(from, next, Op::Havoc(var, None), None);
                let value = builder.exprs().var(var, ty);
                from = next;
                if let Some(fine) = condition(self, (number, index), value) {
                    let next = self.cx.builder.loc(func);
                    self.cx.builder.edge(from, next, Op::assume(fine), None);
                    from = next;
                }
                args.push(value);
            }
            let call = Call { callee: Callee::Direct(callback), args, ret: None };
            self.cx.builder.edge(from, entry, Op::Call(Box::new(call)), None);
        }
        let builder = &mut self.cx.builder;
        let taken = builder.exprs().var(choice, Type::Bv(16));
        let none = builder.exprs().bv(16, 0);
        let taken = builder.exprs().eq(taken, none);
        builder.edge(chosen, exit, Op::assume(taken), None);
    }
}
