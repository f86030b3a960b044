//! Functions of which nothing is known, where they may do anything (`--externals havoc`): they write whatever they
//! can know of, call back any function that they can know of, any number of times, and return anything.

use super::Body;
use crate::analyse::points_to::Key;
use beeline_ir::{Call, Callee, Direction, FuncId, Op, Type};

/// What the function is called that does all that.
pub const WORLD: &str = "functions.without.a.body";

impl Body<'_, '_> {
    /// Lets the world act.
    pub(super) fn call_world(&mut self) {
        let text = "functions without a body do not call the function where the program starts";
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
        let builder = &mut self.cx.builder;
        let func = builder.function(WORLD);
        self.cx.helpers.insert(WORLD.into(), func);
        let (entry, exit) = (builder.loc(func), builder.loc(func));
        builder.set_exit(func, exit);
        let mut at = entry;
        for region in regions {
            let next = builder.loc(func);
            builder.edge(at, next, Op::HavocRegion(region), None);
            at = next;
        }
        // What happens next is anybody's choice.
        let choice = builder.local(func, "choice", Type::Bv(16));
        let chosen = builder.loc(func);
        builder.edge(at, chosen, Op::Havoc(choice, None), None);
        for (number, callback) in callbacks.into_iter().enumerate() {
            let params = builder.program().functions[callback].params.clone();
            let mut from = builder.loc(func);
            let taken = builder.exprs().var(choice, Type::Bv(16));
            let key = builder.exprs().bv(16, number as u64 + 1);
            let taken = builder.exprs().eq(taken, key);
            builder.edge(chosen, from, Op::assume(taken), None);
            let mut args = Vec::new();
            for (index, param) in params.into_iter().enumerate() {
                let ty = builder.program().vars[param].ty;
                let var = builder.local(func, &format!("argument.{number}.{index}"), ty);
                let next = builder.loc(func);
                builder.edge(from, next, Op::Havoc(var, None), None);
                args.push(builder.exprs().var(var, ty));
                from = next;
            }
            let call = Call { callee: Callee::Direct(callback), args, ret: None };
            builder.edge(from, entry, Op::Call(Box::new(call)), None);
        }
        let taken = builder.exprs().var(choice, Type::Bv(16));
        let none = builder.exprs().bv(16, 0);
        let taken = builder.exprs().eq(taken, none);
        builder.edge(chosen, exit, Op::assume(taken), None);
        func
    }
}
