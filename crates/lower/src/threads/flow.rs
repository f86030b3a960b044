//! The automaton of one thread: calls are inlined as far as other threads may run during them.

use super::marker;
use crate::options::{LowerError, Options, Property};
use beeline_ir::{
    Assignments, AssumeKind, Call, Callee, EdgeId, ExprId, FuncId, LocId, Op, Program, ProgramBuilder, Span,
    VarId, copied_function,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The most nested atomic parts that are counted.
const MOST_NESTED: u32 = 16;
/// Larger automata are refused.
const MOST_NODES: usize = 100_000;

/// The kind of a scheduling point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passed {
    /// The beginning of a thread.
    Start,
    /// One in a model.
    Yield,
    /// One of the program, by its number.
    Program(usize),
}

/// The effect of an edge.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// An operation of the new program.
    Op(Op),
    /// A scheduling point, with the addresses of the accesses after it, where races are checked.
    Point(Passed, Vec<ExprId>),
    /// An access of an atomic part, by the number of the point before it, with its addresses.
    Access(usize, Vec<ExprId>),
    /// Memory is read from here on, for no use.
    Read(ExprId),
    /// Goes on only where this holds.
    Wait(ExprId),
    /// Whether the thread with a number has ended.
    Ended(Option<VarId>, ExprId),
    /// Whether the thread was not started yet.
    IsNew(Option<VarId>, usize),
    /// Starts a thread.
    Start(usize),
    /// More threads are created than are modelled.
    TooMany,
    /// The thread ends.
    Exit,
}

/// An edge.
#[derive(Debug, Clone)]
pub(crate) struct Edge {
    pub to: usize,
    pub step: Step,
    pub span: Option<Span>,
    /// The edge of the program that it comes from.
    pub origin: Option<EdgeId>,
}

/// A place where a thread may be.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub edges: Vec<Edge>,
    /// Whether the thread ends here.
    pub ends: bool,
    /// The target of the program that this is.
    pub target: Option<usize>,
    /// The call it is in.
    pub context: usize,
}

/// A call, with the calls around it.
#[derive(Debug)]
pub(crate) struct Context {
    pub parent: Option<usize>,
    pub thread: usize,
    pub func: FuncId,
    /// The arguments that are constants.
    pub args: Vec<ExprId>,
    /// The location after the call, and the variable that gets the result.
    pub(super) back: Option<(LocId, Option<VarId>)>,
    /// The variables of the call in the new program: variables or constants.
    pub(super) vars: FxHashMap<VarId, VarId>,
    pub(super) constants: FxHashMap<VarId, ExprId>,
}

/// The automata of all threads.
pub(crate) struct Flows<'a> {
    pub program: &'a Program,
    pub out: ProgramBuilder,
    /// The function of the new program in which everything happens.
    pub func: FuncId,
    pub contexts: Vec<Context>,
    pub nodes: Vec<Node>,
    /// The nodes in which threads start.
    pub entries: Vec<usize>,
    /// Whether only a signal ends a wait for a condition.
    signals_count: bool,
    /// Whether a thread waits for a condition that way.
    pub(super) signals_counted: bool,
    /// The functions in which threads start.
    starts: Vec<FuncId>,
    /// By function, whether other threads may run during it.
    in_line: Vec<bool>,
    /// By function, the locals that may be read before they are written.
    unset: FxHashMap<FuncId, Vec<VarId>>,
    written: FxHashSet<VarId>,
    globals: FxHashMap<VarId, VarId>,
    pub(super) kept: FxHashMap<FuncId, FuncId>,
    /// Kept functions that have targets.
    pub(super) kept_targets: BTreeSet<FuncId>,
    /// The edges of functions that are kept.
    pub(super) kept_edges: FxHashMap<FuncId, Vec<EdgeId>>,
    known: FxHashMap<(usize, LocId, u32), usize>,
    calls: FxHashMap<(usize, EdgeId, FuncId), usize>,
    open: Vec<(usize, LocId, u32)>,
    pub(super) targets: FxHashMap<LocId, usize>,
    names: FxHashMap<String, u32>,
}

/// A new program with the memory of a program.
fn without_functions(program: &Program) -> ProgramBuilder {
    let mut out = ProgramBuilder::new(&program.name, program.pointer_width);
    out.program_mut().big_endian = program.big_endian;
    out.program_mut().files = program.files.clone();
    out.program_mut().cells = program.cells.clone();
    for region in program.regions.values() {
        let mut region = region.clone();
        for run in &mut region.init {
            run.value = out.constant(program.exprs.value(run.value).clone());
        }
        out.region(region);
    }
    out
}

impl<'a> Flows<'a> {
    /// The automata of the threads that start in these functions.
    pub(crate) fn new(
        program: &'a Program,
        starts: Vec<FuncId>,
        options: &Options,
    ) -> Result<Flows<'a>, LowerError> {
        let mut out = without_functions(program);
        let mut globals = FxHashMap::default();
        let mut names: FxHashMap<String, u32> = FxHashMap::default();
        for (id, var) in program.globals() {
            let init = var.init.map(|value| program.exprs.value(value).clone());
            let copy = out.global(&var.name, var.ty, init);
            out.program_mut().vars[copy].source = var.source.clone();
            globals.insert(id, copy);
            names.insert(var.name.clone(), 1);
        }
        let func = out.function(&program.functions[program.entry].name);
        out.function_mut(func).file = program.functions[program.entry].file;
        out.set_entry(func);
        let written = program.edges.values().flat_map(|edge| edge.op.writes()).collect();
        let mut flows = Flows {
            program,
            out,
            func,
            contexts: Vec::new(),
            nodes: Vec::new(),
            entries: Vec::new(),
            signals_count: options.properties.contains(&Property::NoDeadlock),
            signals_counted: false,
            starts: starts.clone(),
            in_line: super::in_line::in_line(program, &starts),
            unset: FxHashMap::default(),
            written,
            globals,
            kept: FxHashMap::default(),
            kept_targets: BTreeSet::new(),
            kept_edges: FxHashMap::default(),
            known: FxHashMap::default(),
            calls: FxHashMap::default(),
            open: Vec::new(),
            targets: program.targets.iter().enumerate().map(|(index, target)| (target.loc, index)).collect(),
            names,
        };
        flows.begin_threads(&starts);
        while let Some((context, loc, atomic)) = flows.open.pop() {
            flows.expand(context, loc, atomic)?;
            if flows.nodes.len() > MOST_NODES {
                return Err(flows.unsupported("threads with this much code"));
            }
        }
        flows.keep_functions();
        flows.keep_frames_apart(options)?;
        Ok(flows)
    }

    /// Adds the entries of all threads; each but the first begins when it is scheduled.
    fn begin_threads(&mut self, starts: &[FuncId]) {
        for (index, &start) in starts.iter().enumerate() {
            let context = self.context(None, start, Vec::new(), None);
            let mut entry = self.node(context, self.program.functions[start].entry(), 0);
            if index == 0 {
                self.entry_parameters(context);
            } else {
                let step = Step::Point(Passed::Start, Vec::new());
                let begun = Edge { to: entry, step, span: None, origin: None };
                entry = self.bare_node(context);
                self.nodes[entry].edges.push(begun);
            }
            self.entries.push(entry);
        }
    }

    /// Makes the parameters of the entry function those of the new one.
    fn entry_parameters(&mut self, context: usize) {
        let params = self.program.functions[self.contexts[context].func].params.clone();
        let vars: Vec<VarId> = params.iter().map(|var| self.contexts[context].vars[var]).collect();
        let function = self.out.function_mut(self.func);
        function.locals.retain(|var| !vars.contains(var));
        function.params = vars;
    }

    pub(super) fn unsupported(&self, what: &str) -> LowerError {
        LowerError::Unsupported {
            place: "threads".into(),
            what: format!("{what} are not supported"),
            overridable: false,
        }
    }

    fn context(
        &mut self,
        parent: Option<usize>,
        func: FuncId,
        args: Vec<ExprId>,
        back: Option<(LocId, Option<VarId>)>,
    ) -> usize {
        let thread = parent.map_or(self.entries.len(), |parent| self.contexts[parent].thread);
        let mut context = Context {
            parent,
            thread,
            func,
            args,
            back,
            vars: FxHashMap::default(),
            constants: FxHashMap::default(),
        };
        let function = &self.program.functions[func];
        for (index, param) in function.params.iter().enumerate() {
            if let Some(&arg) = context.args.get(index)
                && self.out.program().exprs.as_const(arg).is_some()
                && !self.written.contains(param)
            {
                context.constants.insert(*param, arg);
            }
        }
        for var in function.variables().filter(|var| !context.constants.contains_key(var)).collect::<Vec<_>>()
        {
            let old = &self.program.vars[var];
            let (ty, source) = (old.ty, old.source.clone());
            let name = self.unique(&self.program.vars[var].name.clone());
            let copy = self.out.local(self.func, &name, ty);
            self.out.program_mut().vars[copy].source = source;
            context.vars.insert(var, copy);
        }
        self.contexts.push(context);
        self.contexts.len() - 1
    }

    pub(crate) fn unique(&mut self, base: &str) -> String {
        loop {
            let count = self.names.entry(base.to_string()).or_insert(0);
            *count += 1;
            let name = if *count == 1 { base.to_string() } else { format!("{base}.{}", *count - 1) };
            if *count == 1 || self.names.insert(name.clone(), 1).is_none() {
                return name;
            }
        }
    }

    fn node(&mut self, context: usize, loc: LocId, atomic: u32) -> usize {
        if let Some(&node) = self.known.get(&(context, loc, atomic)) {
            return node;
        }
        let target = self.targets.get(&loc).copied();
        let node = self.bare_node(context);
        self.nodes[node].target = target;
        self.known.insert((context, loc, atomic), node);
        self.open.push((context, loc, atomic));
        node
    }

    fn bare_node(&mut self, context: usize) -> usize {
        self.nodes.push(Node { edges: Vec::new(), ends: false, target: None, context });
        self.nodes.len() - 1
    }

    /// An expression in a call, in the new program.
    pub(super) fn expr(&mut self, context: usize, root: ExprId) -> ExprId {
        let Flows { program, out, contexts, globals, .. } = self;
        let context = &contexts[context];
        out.exprs().import(&program.exprs, root, |pool, var| {
            if let Some(constant) = context.constants.get(&var) {
                return *constant;
            }
            let copy = context.vars.get(&var).or_else(|| globals.get(&var)).copied();
            pool.var(copy.unwrap_or(var), program.vars[var].ty)
        })
    }

    pub(super) fn var(&self, context: usize, var: VarId) -> VarId {
        self.contexts[context].vars.get(&var).or_else(|| self.globals.get(&var)).copied().unwrap_or(var)
    }

    /// An operation that is no call, in the new program.
    pub(super) fn op(&mut self, context: usize, op: &Op) -> Op {
        match op {
            Op::Assign(list) => {
                let list: Assignments = list
                    .iter()
                    .map(|&(var, value)| (self.var(context, var), self.expr(context, value)))
                    .collect();
                Op::Assign(list)
            }
            Op::Havoc(var, input) => {
                let input = input.map(|input| {
                    let name = self.program.inputs[input].clone();
                    self.out.input(&name)
                });
                Op::Havoc(self.var(context, *var), input)
            }
            other => {
                let mut op = other.clone();
                op.map_expressions(|expr| self.expr(context, expr));
                op
            }
        }
    }

    /// The edges of a thread from a location.
    fn expand(&mut self, context: usize, loc: LocId, atomic: u32) -> Result<(), LowerError> {
        let node = self.known[&(context, loc, atomic)];
        if loc == self.program.functions[self.contexts[context].func].exit {
            self.leave(node, context, atomic);
            return Ok(());
        }
        for edge in self.program.out_edges(loc) {
            let data = self.program.edges[edge].clone();
            let adds = |flows: &mut Flows<'a>, to: usize, step: Step| {
                flows.nodes[node].edges.push(Edge { to, step, span: data.span, origin: Some(edge) });
            };
            match &data.op {
                Op::Call(call) => self.call(node, (context, atomic), edge, call)?,
                op => {
                    let step = Step::Op(self.op(context, op));
                    let to = self.node(context, data.dst, atomic);
                    adds(self, to, step);
                }
            }
        }
        Ok(())
    }

    /// A function returns, or a thread ends.
    fn leave(&mut self, node: usize, context: usize, atomic: u32) {
        let (Some(parent), Some((back, ret))) = (self.contexts[context].parent, self.contexts[context].back)
        else {
            self.nodes[node].ends = true;
            return;
        };
        let to = self.node(parent, back, atomic);
        let result = self.program.functions[self.contexts[context].func].ret;
        let op = match (ret, result) {
            (Some(ret), Some(result)) => {
                let (ret, result) = (self.var(parent, ret), self.var(context, result));
                let ty = self.out.program().vars[result].ty;
                let value = self.out.exprs().var(result, ty);
                Op::assign(ret, value)
            }
            _ => Op::Skip,
        };
        self.nodes[node].edges.push(Edge { to, step: Step::Op(op), span: None, origin: None });
    }

    fn call(
        &mut self,
        node: usize,
        (context, atomic): (usize, u32),
        edge: EdgeId,
        call: &Call,
    ) -> Result<(), LowerError> {
        let args: Vec<ExprId> = call.args.iter().map(|&arg| self.expr(context, arg)).collect();
        let callees = call.callee.functions().to_vec();
        let target = match call.callee {
            Callee::Indirect { target, .. } => Some(self.expr(context, target)),
            Callee::Direct(_) => None,
        };
        let (span, dst) = (self.program.edges[edge].span, self.program.edges[edge].dst);
        for func in callees {
            let mut from = node;
            if let (Some(target), Some(addr)) = (target, self.program.functions[func].addr) {
                let width = self.program.pointer_width;
                let exprs = self.out.exprs();
                let addr = exprs.bv(width, addr);
                let is_it = exprs.eq(target, addr);
                let kind = AssumeKind { branch: true, ..AssumeKind::default() };
                let chosen = self.bare_node(context);
                let step = Step::Op(Op::Assume(is_it, kind));
                self.nodes[node].edges.push(Edge { to: chosen, step, span, origin: Some(edge) });
                from = chosen;
            }
            if let Some((step, atomic)) = self.marked(func, (context, atomic), &args, call.ret) {
                let to = self.node(context, dst, atomic);
                self.nodes[from].edges.push(Edge { to, step, span, origin: Some(edge) });
            } else if let Some(thread) =
                self.starts.iter().position(|start| *start == func).filter(|at| *at > 0)
            {
                let param = self.program.functions[func].params.first().copied();
                let started = self.nodes[self.entries[thread]].context;
                if let (Some(param), Some(&arg)) = (param, args.first()) {
                    let assigned = self.bare_node(context);
                    let step = Step::Op(Op::assign(self.var(started, param), arg));
                    self.nodes[from].edges.push(Edge { to: assigned, step, span, origin: Some(edge) });
                    from = assigned;
                }
                let to = self.node(context, dst, atomic);
                self.nodes[from].edges.push(Edge { to, step: Step::Start(thread), span, origin: None });
            } else if self.in_line[func.as_u32() as usize] {
                self.enter(from, (context, atomic), edge, (func, &args, call.ret))?;
            } else {
                let kept = self.keep(func);
                let ret = call.ret.map(|var| self.var(context, var));
                let op = Op::Call(Box::new(Call { callee: Callee::Direct(kept), args: args.clone(), ret }));
                let to = self.node(context, dst, atomic);
                self.nodes[from].edges.push(Edge { to, step: Step::Op(op), span, origin: Some(edge) });
            }
        }
        Ok(())
    }

    /// The effect of a call of a marker, and whether an atomic part follows.
    fn marked(
        &mut self,
        func: FuncId,
        (context, atomic): (usize, u32),
        args: &[ExprId],
        ret: Option<VarId>,
    ) -> Option<(Step, u32)> {
        let name = self.program.functions[func].name.as_str();
        let ret = ret.map(|var| self.var(context, var));
        let number =
            |flows: &Flows| args.first().and_then(|arg| flows.out.program().exprs.as_bits(*arg)?.to_u64());
        let nothing = Step::Op(Op::Skip);
        Some(match name {
            marker::ACCESS if atomic > 0 => {
                (Step::Access(number(self)? as usize, args[1..].to_vec()), atomic)
            }
            marker::POINT | marker::YIELD if atomic > 0 => (nothing, atomic),
            marker::POINT | marker::ACCESS => {
                (Step::Point(Passed::Program(number(self)? as usize), args[1..].to_vec()), 0)
            }
            marker::READ => (Step::Read(*args.first()?), atomic),
            marker::YIELD => (Step::Point(Passed::Yield, Vec::new()), 0),
            marker::WAIT => {
                let holds = self.out.exprs().nonzero(*args.first()?);
                (Step::Wait(holds), atomic)
            }
            marker::ENDED => (Step::Ended(ret, *args.first()?), atomic),
            marker::IS_NEW => (Step::IsNew(ret, number(self)? as usize - 1), atomic),
            marker::SELF => (self.constant(ret, self.contexts[context].thread as u64 + 1), atomic),
            marker::SPURIOUS => {
                self.signals_counted |= self.signals_count;
                (self.constant(ret, u64::from(!self.signals_count)), atomic)
            }
            marker::EXIT => (Step::Exit, atomic),
            marker::ATOMIC_BEGIN => (nothing, (atomic + 1).min(MOST_NESTED)),
            marker::ATOMIC_END => (nothing, atomic.saturating_sub(1)),
            marker::TOO_MANY => (Step::TooMany, atomic),
            _ => return None,
        })
    }

    /// Assigns a number to a variable.
    fn constant(&mut self, ret: Option<VarId>, number: u64) -> Step {
        let op = ret.map_or(Op::Skip, |var| {
            let width = self.out.program().vars[var].ty.bv_width().unwrap_or(32);
            let value = self.out.exprs().bv(width, number);
            Op::assign(var, value)
        });
        Step::Op(op)
    }

    /// Enters a call whose callee is inlined.
    fn enter(
        &mut self,
        from: usize,
        (context, atomic): (usize, u32),
        edge: EdgeId,
        (func, args, ret): (FuncId, &[ExprId], Option<VarId>),
    ) -> Result<(), LowerError> {
        let mut around = Some(context);
        while let Some(caller) = around {
            if self.contexts[caller].func == func {
                let name = copied_function(&self.program.functions[func].name).to_string();
                return Err(LowerError::Unsupported {
                    place: format!("function {name}"),
                    what: "recursion that other threads may interrupt is not supported".into(),
                    overridable: false,
                });
            }
            around = self.contexts[caller].parent;
        }
        let dst = self.program.edges[edge].dst;
        let span = self.program.edges[edge].span;
        let inner = match self.calls.get(&(context, edge, func)) {
            Some(&inner) => inner,
            None => {
                let inner = self.context(Some(context), func, args.to_vec(), Some((dst, ret)));
                self.calls.insert((context, edge, func), inner);
                inner
            }
        };
        let params = self.program.functions[func].params.clone();
        let set: Assignments = params
            .iter()
            .zip(args)
            .filter_map(|(param, arg)| Some((*self.contexts[inner].vars.get(param)?, *arg)))
            .collect();
        let mut ops = if set.is_empty() { Vec::new() } else { vec![Op::Assign(set)] };
        for var in self.unset_of(func) {
            ops.push(Op::Havoc(self.var(inner, var), None));
        }
        let entry = self.node(inner, self.program.functions[func].entry(), atomic);
        let mut at = from;
        for (index, op) in ops.iter().enumerate() {
            let to = if index + 1 == ops.len() { entry } else { self.bare_node(inner) };
            self.nodes[at].edges.push(Edge { to, step: Step::Op(op.clone()), span, origin: Some(edge) });
            at = to;
        }
        if ops.is_empty() {
            let step = Step::Op(Op::Skip);
            self.nodes[from].edges.push(Edge { to: entry, step, span, origin: Some(edge) });
        }
        Ok(())
    }

    /// The locals of a function that may be read before they are written, without its parameters.
    fn unset_of(&mut self, func: FuncId) -> Vec<VarId> {
        if let Some(known) = self.unset.get(&func) {
            return known.clone();
        }
        let found = super::unset::unset(self.program, func);
        self.unset.insert(func, found.clone());
        found
    }

    /// The variables that hold anything where threads begin.
    pub(super) fn unset_at_starts(&mut self) -> Vec<VarId> {
        let mut found = Vec::new();
        for context in 0..self.contexts.len() {
            if self.contexts[context].parent.is_none() {
                let unset = self.unset_of(self.contexts[context].func);
                found.extend(unset.into_iter().map(|var| self.var(context, var)));
            }
        }
        found
    }

    /// Copies the assumptions at an edge of the old program to its copy in the new one.
    pub(crate) fn assume(&mut self, origin: EdgeId, copy: EdgeId) {
        for assumption in self.program.assumptions.iter().filter(|known| known.edge == Some(origin)) {
            let mut assumption = assumption.clone();
            assumption.edge = Some(copy);
            self.out.assumption(assumption);
        }
    }
}
