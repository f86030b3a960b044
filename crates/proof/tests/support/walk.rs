//! Concrete executions that are followed along a proof. A path that the proof does not account for shows that
//! the proof is wrong, without a solver and without blocks.

use beeline_ir::{
    Bits, Callee, EdgeId, ExprId, ExprPool, FuncId, LocId, Op, Program, Region, RegionId, Type, Value, VarId,
    cells_of,
};
use beeline_proof::fold::{Folded, Known, addresses, fold};
use beeline_run::{Predicates, RunCuts, RunFormula, RunKey, RunProof, RunState};
use fastrand::Rng;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

struct Frame {
    func: FuncId,
    loc: LocId,
    call: Option<EdgeId>,
    vars: RefCell<BTreeMap<VarId, Value>>,
}

/// An execution. Values that are needed and not yet known are random.
struct Execution<'a> {
    program: &'a Program,
    frames: Vec<Frame>,
    globals: RefCell<BTreeMap<VarId, Value>>,
    cells: RefCell<BTreeMap<(RegionId, u64), Value>>,
    /// The cells at the start.
    origin: RefCell<BTreeMap<(RegionId, u64), Value>>,
    rng: RefCell<Rng>,
}

/// A random value, mostly a small one.
fn any(rng: &mut Rng, ty: Type) -> Value {
    match ty {
        Type::Bool => Value::Bool(rng.bool()),
        Type::Bv(width) => {
            let small = rng.i64(-2..12) as u64;
            Value::Bv(Bits::new(width, if rng.u8(..4) == 0 { rng.u64(..) } else { small }))
        }
        Type::Float(kind) => {
            let bits = Bits::new(64, if rng.bool() { rng.u64(..) } else { f64::to_bits(rng.i8(..).into()) });
            Value::float(kind, bits.zext(kind.width().max(64)).extract(kind.width() - 1, 0))
        }
    }
}

/// A state of an execution, with the names of one activation or of slots.
struct View<'e, 'a> {
    execution: &'e Execution<'a>,
    slots: Option<&'e [(VarId, u32)]>,
}

impl Known for View<'_, '_> {
    fn var(&self, var: VarId) -> Option<Value> {
        let top = self.execution.frames.len() - 1;
        Some(match self.slots {
            Some(slots) => {
                let (var, level) = slots[var.as_u32() as usize];
                self.execution.slot(var, level)?
            }
            None => self.execution.read(var, top),
        })
    }
    fn cell(&self, region: RegionId, addr: u64) -> Option<Value> {
        Some(self.execution.cell(region, addr))
    }
    fn region(&self, region: RegionId) -> &Region {
        &self.execution.program.regions[region]
    }
    fn big_endian(&self) -> bool {
        self.execution.program.big_endian
    }
}

impl<'a> Execution<'a> {
    fn start(program: &'a Program, seed: u64) -> Execution<'a> {
        let globals = program
            .globals()
            .filter_map(|(var, global)| global.init.map(|init| (var, program.exprs.value(init).clone())));
        let mut execution = Execution {
            program,
            frames: Vec::new(),
            globals: RefCell::new(globals.collect()),
            cells: RefCell::default(),
            origin: RefCell::default(),
            rng: RefCell::new(Rng::with_seed(seed)),
        };
        execution.enter(program.entry, None);
        execution
    }

    fn enter(&mut self, func: FuncId, call: Option<EdgeId>) {
        let loc = self.program.functions[func].entry();
        self.frames.push(Frame { func, loc, call, vars: RefCell::default() });
    }

    fn any(&self, ty: Type) -> Value {
        any(&mut self.rng.borrow_mut(), ty)
    }

    fn read(&self, var: VarId, frame: usize) -> Value {
        let variable = &self.program.vars[var];
        let table = if variable.owner.is_some() { &self.frames[frame].vars } else { &self.globals };
        if let Some(value) = table.borrow().get(&var) {
            return value.clone();
        }
        let value = self.any(variable.ty);
        table.borrow_mut().insert(var, value.clone());
        value
    }

    fn write(&self, var: VarId, frame: usize, value: Value) {
        let global = self.program.vars[var].owner.is_none();
        let table = if global { &self.globals } else { &self.frames[frame].vars };
        table.borrow_mut().insert(var, value);
    }

    /// The index of an activation in which a variable exists.
    fn frame_of(&self, var: VarId, level: u32) -> Option<usize> {
        let Some(owner) = self.program.vars[var].owner else { return Some(0) };
        let mut own = (0..self.frames.len()).filter(|&frame| self.frames[frame].func == owner);
        own.nth(level as usize)
    }

    fn slot(&self, var: VarId, level: u32) -> Option<Value> {
        Some(self.read(var, self.frame_of(var, level)?))
    }

    fn original(&self, id: RegionId, addr: u64) -> Value {
        let region = &self.program.regions[id];
        if let Some(value) = beeline_smt::memory::initial_cell(region, &self.program.exprs, addr) {
            return value.clone();
        }
        let value = self.any(region.cell);
        self.origin.borrow_mut().entry((id, addr)).or_insert(value).clone()
    }

    fn cell(&self, id: RegionId, addr: u64) -> Value {
        if let Some(value) = self.cells.borrow().get(&(id, addr)) {
            return value.clone();
        }
        self.original(id, addr)
    }

    fn value(&self, expr: ExprId) -> Option<Value> {
        self.value_in(&self.program.exprs, expr, None)
    }

    fn value_in(&self, pool: &ExprPool, expr: ExprId, slots: Option<&[(VarId, u32)]>) -> Option<Value> {
        match fold(pool, expr, &View { execution: self, slots }) {
            Folded::Value(value) => Some(value),
            _ => None,
        }
    }

    /// Takes an enabled step. Returns false if there is none.
    fn step(&mut self) -> bool {
        let program = self.program;
        let top = self.frames.len() - 1;
        let (func, loc) = (self.frames[top].func, self.frames[top].loc);
        if loc == program.functions[func].exit {
            let result = program.functions[func].ret.map(|ret| self.read(ret, top));
            let Some(Frame { call: Some(call), .. }) = self.frames.pop() else { return false };
            let edge = &program.edges[call];
            self.frames[top - 1].loc = edge.dst;
            if let (Some(var), Some(result)) = (edge.op.as_call().and_then(|call| call.ret), result) {
                self.write(var, top - 1, result);
            }
            return true;
        }
        let mut edges: Vec<EdgeId> = program.out_edges(loc).collect();
        self.rng.borrow_mut().shuffle(&mut edges);
        edges.into_iter().any(|edge| self.along(edge, top).is_some())
    }

    fn along(&mut self, id: EdgeId, top: usize) -> Option<()> {
        let program = self.program;
        let edge = &program.edges[id];
        match &edge.op {
            Op::Skip => {}
            Op::Assume(cond, _) => {
                self.value(*cond).filter(|truth| *truth == Value::Bool(true))?;
            }
            Op::Assign(list) => {
                let values: Option<Vec<Value>> = list.iter().map(|&(_, value)| self.value(value)).collect();
                for (&(var, _), value) in list.iter().zip(values?) {
                    self.write(var, top, value);
                }
            }
            Op::Havoc(var, _) => self.write(*var, top, self.any(program.vars[*var].ty)),
            Op::HavocRegion(id) => {
                let known: Vec<_> =
                    self.cells.borrow().keys().chain(self.origin.borrow().keys()).copied().collect();
                for (region, addr) in known.into_iter().filter(|(region, _)| region == id) {
                    let value = self.any(program.regions[region].cell);
                    self.cells.borrow_mut().insert((region, addr), value);
                }
            }
            Op::Store { region, addr, value } => self.store(*region, *addr, *value)?,
            Op::Call(call) => {
                let args: Option<Vec<Value>> = call.args.iter().map(|&arg| self.value(arg)).collect();
                let callee = match &call.callee {
                    Callee::Direct(func) => *func,
                    Callee::Indirect { target, candidates } => {
                        let at = self.value(*target)?.as_bits()?.to_u64();
                        *candidates.iter().find(|&&func| program.functions[func].addr == at)?
                    }
                };
                self.enter(callee, Some(id));
                for (&param, arg) in program.functions[callee].params.iter().zip(args?) {
                    self.write(param, top + 1, arg);
                }
                return Some(());
            }
        }
        self.frames[top].loc = edge.dst;
        Some(())
    }

    fn store(&self, id: RegionId, addr: ExprId, value: ExprId) -> Option<()> {
        let region = &self.program.regions[id];
        let (at, value) = (self.value(addr)?.as_bits()?.to_u64()?, self.value(value)?);
        let count = cells_of(value.ty(), region.cell)?;
        if !region.allows(at, u64::from(count) * region.stride()) {
            return None;
        }
        let mut cells = vec![value.clone()];
        if value.ty() != region.cell {
            let (image, width) = (value.memory_image()?, region.cell.bv_width()?);
            let cell = |index: u32| Value::Bv(image.extract(index * width + width - 1, index * width));
            cells = (0..count).map(cell).collect();
        }
        for (addr, cell) in addresses(region, at, count).zip(cells) {
            self.cells.borrow_mut().insert((id, addr), cell);
        }
        Some(())
    }
}

/// Follows executions along a proof.
pub(crate) struct Walker<'a> {
    program: &'a Program,
    proof: &'a RunProof,
    predicates: Predicates,
    targets: BTreeSet<LocId>,
}

impl<'a> Walker<'a> {
    /// A walker for a well-formed proof about the program.
    pub(crate) fn new(program: &'a Program, proof: &'a RunProof) -> Option<Walker<'a>> {
        proof.well_formed().ok()?;
        let predicates = proof.predicates_over(program).ok()?;
        Some(Walker {
            program,
            proof,
            predicates,
            targets: program.targets.iter().map(|target| target.loc).collect(),
        })
    }

    /// The calls of a stack of the proof, outermost first, and the function on top.
    fn calls(&self, stack: u32) -> Vec<(Option<EdgeId>, FuncId)> {
        let mut calls = Vec::new();
        let mut next = Some(stack);
        while let Some(stack) = next {
            let stack = &self.proof.stacks[stack as usize];
            calls.push((stack.caller.map(|(_, edge)| edge), stack.callee));
            next = stack.caller.map(|(below, _)| below);
        }
        calls.reverse();
        calls
    }

    fn is_at(&self, execution: &Execution<'_>, state: &RunState) -> bool {
        let frames = || execution.frames.iter().map(|frame| (frame.call, frame.func));
        execution.frames.last().is_some_and(|frame| frame.loc == state.loc)
            && frames().eq(self.calls(state.stack))
    }

    fn formula(&self, execution: &Execution<'_>, formula: RunFormula) -> bool {
        let mut formula = formula;
        while let Some(node) = formula.node() {
            let node = self.proof.nodes[node as usize];
            let expr = self.predicates.exprs[node.pred as usize];
            let value = execution.value_in(&self.predicates.pool, expr, Some(&self.predicates.slots));
            formula = if value == Some(Value::Bool(true)) { node.yes } else { node.no };
        }
        formula == RunFormula::TRUE
    }

    /// Whether a state at the execution's place includes it.
    fn includes(&self, execution: &Execution<'_>, state: &RunState) -> bool {
        let listed = |region: RegionId, addr: u64| {
            state.values.binary_search_by_key(&RunKey::Cell(region, addr), |(key, _)| *key).is_ok()
        };
        let values = state.values.iter().all(|(key, value)| match (*key, value) {
            (RunKey::Var(var, level), Some(value)) => execution.slot(var, level).as_ref() == Some(value),
            (RunKey::Cell(region, addr), Some(value)) => execution.cell(region, addr) == *value,
            (RunKey::Pristine(id), _) => {
                let cells = execution.cells.borrow().clone();
                let mut changed =
                    cells.iter().filter(|((region, addr), _)| *region == id && !listed(id, *addr));
                changed.all(|((_, addr), value)| execution.original(id, *addr) == *value)
            }
            _ => true,
        });
        values && self.formula(execution, state.formula)
    }

    fn ends(&self, from: u32, execution: &Execution<'_>) -> bool {
        let loc = execution.frames.last().expect("it has not ended").loc;
        let cut = match &self.proof.cuts {
            RunCuts::Everywhere => true,
            RunCuts::At(locs) => locs.contains(&loc),
        };
        let children = &self.proof.states[from as usize].children;
        cut || children.iter().any(|&child| self.is_at(execution, &self.proof.states[child as usize]))
    }

    /// Follows an execution from a state; true if it reaches a target, or leaves the proof at a place from
    /// which an execution reaches a target.
    fn follow(&self, execution: &mut Execution<'_>, from: u32, steps: usize) -> bool {
        let Some(from) = self.settle(execution, from) else { return self.can_reach_target(execution) };
        let mut current = BTreeSet::from([from]);
        for _ in 0..steps {
            if !execution.step() || execution.frames.len() > 10 {
                return false;
            }
            if self.targets.contains(&execution.frames.last().expect("it has not ended").loc) {
                return true;
            }
            let (mut next, mut left) = (BTreeSet::new(), false);
            for &state in &current {
                if !self.ends(state, execution) {
                    next.insert(state);
                    continue;
                }
                let children = self.proof.states[state as usize].children.iter().copied();
                let including: Vec<u32> = children
                    .filter(|&child| {
                        let child = &self.proof.states[child as usize];
                        self.is_at(execution, child) && self.includes(execution, child)
                    })
                    .collect();
                left |= including.is_empty();
                for child in including {
                    match self.settle(execution, child) {
                        Some(state) => drop(next.insert(state)),
                        None => left = true,
                    }
                }
            }
            if left {
                return self.can_reach_target(execution);
            }
            current = next;
        }
        false
    }

    /// The uncovered state that covers a state, or the state itself; `None` if the covering is wrong.
    fn settle(&self, execution: &Execution<'_>, state: u32) -> Option<u32> {
        let Some(covering) = self.proof.states[state as usize].covered_by else { return Some(state) };
        let other = &self.proof.states[covering as usize];
        let right = covering != 0
            && other.covered_by.is_none()
            && self.is_at(execution, other)
            && self.includes(execution, other);
        right.then_some(covering)
    }

    /// Whether a target can be reached from the location, by the edges of the open functions and their
    /// callees. If not, a proof may end there.
    fn can_reach_target(&self, execution: &Execution<'_>) -> bool {
        let mut seen = BTreeSet::new();
        let mut work: Vec<LocId> = vec![execution.frames.last().expect("it has not ended").loc];
        let mut callers = execution.frames.iter().rev().filter_map(|frame| frame.call);
        loop {
            let mut returns = false;
            let func = self.program.function_of(*work.last().expect("something is looked at"));
            while let Some(loc) = work.pop() {
                if !seen.insert(loc) {
                    continue;
                }
                if self.targets.contains(&loc) {
                    return true;
                }
                returns |= loc == self.program.functions[func].exit;
                for edge in self.program.out_edges(loc) {
                    work.push(self.program.edges[edge].dst);
                    if let Some(call) = self.program.edges[edge].op.as_call() {
                        work.extend(
                            call.callee.functions().iter().map(|&func| self.program.functions[func].entry()),
                        );
                    }
                }
            }
            match callers.next().filter(|_| returns) {
                Some(call) => work.push(self.program.edges[call].dst),
                None => return false,
            }
        }
    }

    /// An execution state at the place of a state that satisfies the state; `None` if random values do not.
    fn sample(&self, state: &RunState, seed: u64) -> Option<Execution<'a>> {
        let mut execution = Execution::start(self.program, seed);
        execution.frames.clear();
        execution.globals.borrow_mut().clear();
        for (call, func) in self.calls(state.stack) {
            if let (Some(call), Some(below)) = (call, execution.frames.last_mut()) {
                below.loc = self.program.edges[call].src;
            }
            execution.enter(func, call);
        }
        execution.frames.last_mut()?.loc = state.loc;
        for (id, region) in self.program.regions.iter() {
            let pristine = state.values.iter().any(|(key, _)| *key == RunKey::Pristine(id));
            for extent in region.extents.iter().filter(|extent| !pristine && extent.size < 100) {
                for addr in (extent.base..extent.base + extent.size).step_by(region.stride() as usize) {
                    let value = execution.any(region.cell);
                    execution.cells.borrow_mut().insert((id, addr), value);
                }
            }
        }
        for (key, value) in &state.values {
            match (*key, value) {
                (RunKey::Var(var, level), Some(value)) => {
                    execution.write(var, execution.frame_of(var, level)?, value.clone());
                }
                (RunKey::Cell(region, addr), value) => {
                    let any = execution.any(self.program.regions[region].cell);
                    let value = value.clone().unwrap_or(any);
                    execution.cells.borrow_mut().insert((region, addr), value);
                }
                _ => {}
            }
        }
        self.includes(&execution, state).then_some(execution)
    }

    /// Whether a path is found that the proof does not account for.
    pub(crate) fn finds_fault(&self, seed: u64) -> bool {
        (0..40).any(|walk| {
            let mut execution = Execution::start(self.program, seed * 1000 + walk);
            self.follow(&mut execution, 0, 150)
        }) || (1..self.proof.states.len() as u32).any(|index| {
            let state = &self.proof.states[index as usize];
            (0..30).any(|attempt| {
                let seed = seed * 77 + u64::from(index) * 1009 + attempt;
                let Some(mut execution) = self.sample(state, seed) else { return false };
                if self.targets.contains(&state.loc) {
                    return true;
                }
                self.can_reach_target(&execution) && self.follow(&mut execution, index, 12)
            })
        })
    }
}
