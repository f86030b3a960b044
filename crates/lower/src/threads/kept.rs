//! Functions in which no other thread runs: they stay functions, and a call of one is one step.

use super::flow::{Context, Flows};
use beeline_ir::{Call, Callee, FuncId, LocId, Op};
use rustc_hash::{FxHashMap, FxHashSet};

impl Flows<'_> {
    /// A function of the new program that does what one of the old does.
    pub(super) fn keep(&mut self, func: FuncId) -> FuncId {
        if let Some(&kept) = self.kept.get(&func) {
            return kept;
        }
        let function = &self.program.functions[func];
        let (name, addr, file) = (function.name.clone(), function.addr, function.file);
        let kept = self.out.function(&name);
        let copy = self.out.function_mut(kept);
        copy.addr = addr;
        copy.file = file;
        self.kept.insert(func, kept);
        kept
    }

    /// Copies the bodies of functions that are kept, and of what they call.
    pub(super) fn keep_functions(&mut self) {
        let mut done: FxHashSet<FuncId> = FxHashSet::default();
        while let Some((func, kept)) =
            self.kept.iter().map(|(func, kept)| (*func, *kept)).filter(|(func, _)| !done.contains(func)).min()
        {
            done.insert(func);
            self.copy_body(func, kept);
        }
    }

    fn copy_body(&mut self, func: FuncId, kept: FuncId) {
        let function = self.program.functions[func].clone();
        let mut context = Context {
            parent: None,
            thread: 0,
            func,
            args: Vec::new(),
            back: None,
            vars: FxHashMap::default(),
            constants: FxHashMap::default(),
        };
        for var in function.variables() {
            let old = &self.program.vars[var];
            let copy = if function.params.contains(&var) {
                self.out.param(kept, &old.name, old.ty)
            } else if function.ret == Some(var) {
                self.out.ret(kept, &old.name, old.ty)
            } else {
                self.out.local(kept, &old.name, old.ty)
            };
            self.out.program_mut().vars[copy].source = old.source.clone();
            context.vars.insert(var, copy);
        }
        self.contexts.push(context);
        let context = self.contexts.len() - 1;
        let locs: FxHashMap<LocId, LocId> =
            function.locations().map(|loc| (loc, self.out.loc(kept))).collect();
        self.out.set_exit(kept, locs[&function.exit]);
        for loc in function.locations() {
            if let Some(&target) = self.targets.get(&loc) {
                let target = self.program.targets[target].clone();
                self.out.target(locs[&loc], &target.property, &target.name, target.span);
                self.kept_targets.insert(kept);
            }
            for edge in self.program.out_edges(loc) {
                let data = self.program.edges[edge].clone();
                let op = match &data.op {
                    Op::Call(call) => self.kept_call(context, call.clone()),
                    op => self.op(context, op),
                };
                let copy = self.out.edge(locs[&data.src], locs[&data.dst], op, data.span);
                self.kept_edges.entry(kept).or_default().push(copy);
                self.assume(edge, copy);
            }
        }
    }

    /// A call in a function that is kept: what it calls is kept, too.
    fn kept_call(&mut self, context: usize, mut call: Box<Call>) -> Op {
        match &mut call.callee {
            Callee::Direct(callee) => *callee = self.keep(*callee),
            Callee::Indirect { target, candidates } => {
                *target = self.expr(context, *target);
                candidates.iter_mut().for_each(|callee| *callee = self.keep(*callee));
            }
        }
        call.args = call.args.iter().map(|arg| self.expr(context, *arg)).collect();
        call.ret = call.ret.map(|var| self.var(context, var));
        Op::Call(call)
    }

    /// The functions that are kept and have targets.
    pub(crate) fn kept_targets(&self) -> Vec<FuncId> {
        self.kept_targets.iter().copied().collect()
    }

    /// The operations of a function that is kept.
    pub(crate) fn kept_ops(&self, kept: FuncId) -> impl Iterator<Item = &Op> {
        self.kept_edges.get(&kept).into_iter().flatten().map(|edge| &self.out.program().edges[*edge].op)
    }
}
