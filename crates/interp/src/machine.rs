//! The machine that runs a program.

use crate::eval::{self, Evaluated, StuckReason};
use crate::memory::{Memory, is_inside};
use crate::oracle::Oracle;
use beeline_ir::{
    BinOp, Bits, Call, Callee, EdgeId, Expr, ExprId, FuncId, InputId, LocId, Op, Program, RegionId, Type,
    UnOp, Value, VarId,
};
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};

/// What a value that the program does not determine is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A havoc that names an input.
    Input {
        /// The input.
        input: InputId,
        /// The edge.
        edge: EdgeId,
    },
    /// Another havoc.
    Havoc {
        /// The edge.
        edge: EdgeId,
    },
    /// A variable that is read before it is written.
    Variable(VarId),
    /// A cell that is read before it is written.
    Cell(RegionId, u64),
}

/// How far to run.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Edges.
    pub steps: u64,
    /// Calls that are active at a time.
    pub depth: usize,
    /// Keep the edges that were taken?
    pub trace: bool,
    /// Keep the values that the oracle gave?
    pub record: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 100_000_000, depth: 100_000, trace: false, record: false }
    }
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The entry function returned.
    Returned(Option<Value>),
    /// A target was reached: its index.
    Target(usize),
    /// No edge is enabled.
    Blocked(LocId),
    /// An edge has no result.
    Stuck(StuckReason, EdgeId),
    /// The limit on steps.
    OutOfSteps,
    /// The limit on active calls.
    TooDeep,
}

/// A run: how it ended, and what was asked to be kept of it.
#[derive(Debug, Clone)]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// How many edges were taken.
    pub steps: u64,
    /// The edges, if they were kept.
    pub trace: Vec<EdgeId>,
    /// What the oracle gave, if it was kept.
    pub values: Vec<(Source, Value)>,
}

struct Frame {
    func: FuncId,
    base: usize,
    /// The edge of the call, and where its result goes.
    call: Option<EdgeId>,
}

/// Where a variable is.
#[derive(Debug, Clone, Copy)]
enum Slot {
    Global(u32),
    Local(u32),
}

/// Runs a program; can be used again and again.
pub struct Machine<'a> {
    program: &'a Program,
    slots: PrimaryMap<VarId, Slot>,
    frame_sizes: PrimaryMap<FuncId, usize>,
    targets: SecondaryMap<LocId, Option<u32>>,
    func_by_addr: Vec<(u64, FuncId)>,
}

impl<'a> Machine<'a> {
    /// A machine for a program.
    pub fn new(program: &'a Program) -> Machine<'a> {
        let mut slots: PrimaryMap<VarId, Slot> = program.vars.values().map(|_| Slot::Global(0)).collect();
        for (index, (id, _)) in program.globals().enumerate() {
            slots[id] = Slot::Global(index as u32);
        }
        let mut frame_sizes = PrimaryMap::new();
        for function in program.functions.values() {
            let mut size = 0;
            for var in function.variables() {
                slots[var] = Slot::Local(size);
                size += 1;
            }
            frame_sizes.push(size as usize);
        }
        let mut targets = SecondaryMap::new();
        for (index, target) in program.targets.iter().enumerate().rev() {
            targets[target.loc] = Some(index as u32);
        }
        let funcs = program.functions.iter().filter_map(|(id, function)| Some((function.addr?, id)));
        Machine { program, slots, frame_sizes, targets, func_by_addr: funcs.collect() }
    }

    /// Runs the program from its entry.
    pub fn run(&self, oracle: &mut dyn Oracle, limits: &Limits) -> Run {
        self.run_along(oracle, limits, &mut |_, _, _| true)
    }

    /// Runs the program; `take` may refuse an enabled edge: number of the step, edge, whether it is enabled.
    pub(crate) fn run_along(
        &self,
        oracle: &mut dyn Oracle,
        limits: &Limits,
        take: &mut dyn FnMut(u64, EdgeId, bool) -> bool,
    ) -> Run {
        let mut state = State {
            machine: self,
            oracle,
            limits,
            globals: self
                .program
                .globals()
                .map(|(_, var)| var.init.map(|id| self.program.exprs.value(id).clone()))
                .collect(),
            locals: Vec::new(),
            frames: Vec::new(),
            memory: Memory::default(),
            steps: 0,
            trace: Vec::new(),
            values: Vec::new(),
            edge: EdgeId::new(0),
        };
        let outcome = state.run(take);
        Run { outcome, steps: state.steps, trace: state.trace, values: state.values }
    }
}

struct State<'m, 'a, 'o> {
    machine: &'m Machine<'a>,
    oracle: &'o mut dyn Oracle,
    limits: &'o Limits,
    globals: Vec<Option<Value>>,
    locals: Vec<Option<Value>>,
    frames: Vec<Frame>,
    memory: Memory,
    steps: u64,
    trace: Vec<EdgeId>,
    values: Vec<(Source, Value)>,
    edge: EdgeId,
}

type Step<T> = Result<T, Outcome>;

impl State<'_, '_, '_> {
    fn run(&mut self, take: &mut dyn FnMut(u64, EdgeId, bool) -> bool) -> Outcome {
        let program = self.machine.program;
        self.enter(program.entry, None);
        let mut loc = program.functions[program.entry].entry();
        loop {
            match self.step(loc, take) {
                Ok(next) => loc = next,
                Err(outcome) => return outcome,
            }
        }
    }

    fn enter(&mut self, func: FuncId, call: Option<EdgeId>) {
        let base = self.locals.len();
        self.locals.resize(base + self.machine.frame_sizes[func], None);
        self.frames.push(Frame { func, base, call });
    }

    /// Takes an edge, or returns from a call; gives the next location.
    fn step(&mut self, loc: LocId, take: &mut dyn FnMut(u64, EdgeId, bool) -> bool) -> Step<LocId> {
        let program = self.machine.program;
        if let Some(target) = self.machine.targets[loc] {
            return Err(Outcome::Target(target as usize));
        }
        let Some(frame) = self.frames.last() else { return Err(Outcome::Blocked(loc)) };
        if loc == program.functions[frame.func].exit {
            return self.leave();
        }
        let edge = self.enabled(loc, take)?;
        if self.steps >= self.limits.steps {
            return Err(Outcome::OutOfSteps);
        }
        self.steps += 1;
        if self.limits.trace {
            self.trace.push(edge);
        }
        self.edge = edge;
        self.execute(edge)
    }

    /// An enabled edge that leaves a location.
    fn enabled(&mut self, loc: LocId, take: &mut dyn FnMut(u64, EdgeId, bool) -> bool) -> Step<EdgeId> {
        let program = self.machine.program;
        let mut found: smallvec::SmallVec<[EdgeId; 4]> = smallvec::SmallVec::new();
        let edges = program.out_edges(loc);
        let sole = edges.len() == 1;
        let mut decided: Option<(ExprId, bool)> = None;
        for edge in edges {
            let enabled = match &program.edges[edge].op {
                Op::Assume(cond, _) => {
                    // The other side of a branch needs no second look.
                    let known = match (decided, program.exprs[*cond]) {
                        (Some((before, truth)), Expr::Unary(UnOp::Not, inner)) if inner == before => {
                            Some(!truth)
                        }
                        _ => None,
                    };
                    let truth = match known {
                        Some(truth) => truth,
                        None => {
                            self.edge = edge;
                            let value = self.eval(*cond).map_err(|reason| Outcome::Stuck(reason, edge))?;
                            value.as_bool().unwrap_or(false)
                        }
                    };
                    decided.get_or_insert((*cond, truth));
                    truth
                }
                _ => true,
            };
            if take(self.steps, edge, enabled) && enabled {
                if sole {
                    return Ok(edge);
                }
                found.push(edge);
            }
        }
        match found.len() {
            0 => Err(Outcome::Blocked(loc)),
            1 => Ok(found[0]),
            count => Ok(found[self.oracle.choose(count).min(count - 1)]),
        }
    }

    fn execute(&mut self, id: EdgeId) -> Step<LocId> {
        let program = self.machine.program;
        let edge = &program.edges[id];
        let stuck = |reason| Outcome::Stuck(reason, id);
        match &edge.op {
            Op::Skip | Op::Assume(..) => {}
            Op::Assign(list) => {
                if let [(var, value)] = list[..] {
                    let value = self.eval(value).map_err(stuck)?;
                    self.set(var, value);
                } else {
                    let values: Result<Vec<Value>, StuckReason> =
                        list.iter().map(|&(_, value)| self.eval(value)).collect();
                    for (&(var, _), value) in list.iter().zip(values.map_err(stuck)?) {
                        self.set(var, value);
                    }
                }
            }
            Op::Havoc(var, input) => {
                let source = match input {
                    Some(input) => Source::Input { input: *input, edge: id },
                    None => Source::Havoc { edge: id },
                };
                let value = self.ask(source, program.vars[*var].ty);
                self.set(*var, value);
            }
            Op::HavocRegion(region) => self.memory.havoc(*region),
            Op::Store { region, addr, value } => {
                let addr = self.address(*addr).map_err(stuck)?;
                let value = self.eval(*value).map_err(stuck)?;
                if !is_inside(&program.regions[*region], addr, value.ty()) {
                    return Err(stuck(StuckReason::OutsideObject));
                }
                self.memory.store(program, *region, addr, &value);
            }
            Op::Call(call) => return self.call(id, call),
        }
        Ok(edge.dst)
    }

    fn call(&mut self, id: EdgeId, call: &Call) -> Step<LocId> {
        let program = self.machine.program;
        let stuck = |reason| Outcome::Stuck(reason, id);
        let func = match &call.callee {
            Callee::Direct(func) => *func,
            Callee::Indirect { target, candidates } => {
                let addr = self.address(*target).map_err(stuck)?;
                let meant =
                    self.machine.func_by_addr.iter().find(|entry| entry.0 == addr).map(|entry| entry.1);
                let meant = meant.filter(|func| candidates.contains(func));
                meant.ok_or(stuck(StuckReason::NoSuchFunction))?
            }
        };
        let args: Result<Vec<Value>, StuckReason> = call.args.iter().map(|&arg| self.eval(arg)).collect();
        let args = args.map_err(stuck)?;
        if self.frames.len() >= self.limits.depth {
            return Err(Outcome::TooDeep);
        }
        self.enter(func, Some(id));
        for (&param, arg) in program.functions[func].params.iter().zip(args) {
            self.set(param, arg);
        }
        Ok(program.functions[func].entry())
    }

    fn leave(&mut self) -> Step<LocId> {
        let program = self.machine.program;
        let ret = self.frames.last().and_then(|frame| program.functions[frame.func].ret);
        let call = self.frames.last().and_then(|frame| frame.call);
        let wanted =
            call.is_none_or(|edge| program.edges[edge].op.as_call().is_some_and(|call| call.ret.is_some()));
        let value = ret.filter(|_| wanted).map(|var| self.get(var));
        if let Some(frame) = self.frames.pop() {
            self.locals.truncate(frame.base);
        }
        let Some(edge) = call else { return Err(Outcome::Returned(value)) };
        if let (Some(var), Some(value)) = (program.edges[edge].op.as_call().and_then(|call| call.ret), value)
        {
            self.set(var, value);
        }
        Ok(program.edges[edge].dst)
    }

    fn ask(&mut self, source: Source, ty: Type) -> Value {
        let value = self.oracle.value(&source, ty);
        if self.limits.record {
            self.values.push((source, value.clone()));
        }
        value
    }

    fn slot(&mut self, var: VarId) -> &mut Option<Value> {
        match self.machine.slots[var] {
            Slot::Global(index) => &mut self.globals[index as usize],
            Slot::Local(index) => {
                let base = self.frames.last().map_or(0, |frame| frame.base);
                &mut self.locals[base + index as usize]
            }
        }
    }

    fn set(&mut self, var: VarId, value: Value) {
        *self.slot(var) = Some(value);
    }

    fn get(&mut self, var: VarId) -> Value {
        if let Some(value) = self.slot(var) {
            return value.clone();
        }
        let value = self.ask(Source::Variable(var), self.machine.program.vars[var].ty);
        self.set(var, value.clone());
        value
    }

    fn address(&mut self, expr: ExprId) -> Result<u64, StuckReason> {
        self.eval(expr)?.as_bits().and_then(Bits::to_u64).ok_or(StuckReason::IllTyped)
    }

    /// Evaluates an expression; deep ones get more stack.
    fn eval(&mut self, id: ExprId) -> Evaluated {
        let program = self.machine.program;
        match program.exprs[id] {
            Expr::Const(value) => Ok(program.exprs.value(value).clone()),
            Expr::Var(var) => Ok(self.get(var)),
            node => stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.node(node)),
        }
    }

    fn node(&mut self, node: Expr) -> Evaluated {
        match node {
            Expr::Binary(op @ (BinOp::BoolAnd | BinOp::BoolOr), a, b) => {
                let left = self.eval(a)?;
                if left.as_bool() == Some(op == BinOp::BoolOr) { Ok(left) } else { self.eval(b) }
            }
            Expr::Ite(c, a, b) => {
                let chosen = if self.eval(c)?.as_bool() == Some(true) { a } else { b };
                self.eval(chosen)
            }
            Expr::Unary(op, a) => {
                let a = self.eval(a)?;
                eval::unary(op, &a)
            }
            Expr::Binary(op, a, b) => {
                let a = self.eval(a)?;
                let b = self.eval(b)?;
                eval::binary(op, &a, &b)
            }
            Expr::Fma(a, b, c) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                let c = self.eval(c)?;
                eval::fma(&a, &b, &c)
            }
            Expr::Extract { hi, lo, arg } => {
                let arg = self.eval(arg)?;
                eval::extract(hi, lo, &arg)
            }
            Expr::Cast(op, to, a) => {
                let a = self.eval(a)?;
                eval::cast(op, to, &a)
            }
            Expr::Load { region, addr, ty } => {
                let addr = self.address(addr)?;
                self.load(region, addr, ty)
            }
            Expr::Const(_) | Expr::Var(_) => Err(StuckReason::IllTyped),
        }
    }

    fn load(&mut self, region: RegionId, addr: u64, ty: Type) -> Evaluated {
        let program = self.machine.program;
        if !is_inside(&program.regions[region], addr, ty) {
            return Err(StuckReason::OutsideObject);
        }
        let State { memory, oracle, values, limits, .. } = self;
        let fresh = |addr: u64, ty: Type| {
            let source = Source::Cell(region, addr);
            let value = oracle.value(&source, ty);
            if limits.record {
                values.push((source, value.clone()));
            }
            value
        };
        memory.load(program, region, addr, ty, fresh).ok_or(StuckReason::IllTyped)
    }
}
