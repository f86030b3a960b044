//! The execution of a counterexample: reads, writes and dependences of each step.

use beeline_graph::Postdominators;
use beeline_interp::replay::follow;
use beeline_interp::{Execution, Limits, Machine, Outcome, Source};
use beeline_ir::{BinOp, EdgeId, Expr, ExprId, LocId, Op, Program, RegionId, Type, Value, VarId, cells_of};
use beeline_run::{Choice, RunPath, RunStep};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// A place that holds a value during an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// A global.
    Global(VarId),
    /// A local of an activation.
    Local(VarId, u32),
    /// A cell.
    Cell(RegionId, u64),
}

/// A step of an execution.
#[derive(Debug, Clone)]
pub struct Step {
    /// The step of the path.
    pub step: RunStep,
    /// The number of open calls at its start; 0 in the entry function.
    pub depth: usize,
    /// The places that it sets, with their values. Of memory that it havocs, only those that are read later.
    pub writes: Vec<(Place, Value)>,
    /// The places that it reads and no step has set, with the values found there for variables.
    pub unset: Vec<(Place, Option<Value>)>,
    /// Its reads.
    pub reads: Vec<Read>,
    /// The earlier step that it is control-dependent on: a branch or a call.
    pub control: Option<usize>,
}

/// A read of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Read {
    /// The place.
    pub place: Place,
    /// The earlier step that set the place, if there is one.
    pub writer: Option<usize>,
    /// The variable that is computed from it, if a step sets several: a parameter of the callee.
    pub into: Option<VarId>,
}

/// An execution that ended at its target.
#[derive(Debug, Clone)]
pub struct Executed {
    /// Its steps.
    pub steps: Vec<Step>,
    /// The step that reaching the target is control-dependent on.
    pub decided: Option<usize>,
}

impl Step {
    /// Its edge.
    pub fn edge(&self) -> EdgeId {
        self.step.edge()
    }

    /// The earlier steps that set what it reads.
    pub fn writers(&self) -> impl Iterator<Item = usize> {
        self.reads.iter().filter_map(|read| read.writer)
    }
}

/// An error: a counterexample is not a path of its program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the counterexample does not fit its program after step {0}")]
pub struct Misfit(pub usize);

/// Whether the program has all parts that a counterexample names.
pub fn fits(program: &Program, path: &RunPath) -> bool {
    let step = |step: &RunStep| match *step {
        RunStep::Edge(edge) | RunStep::Return(edge) => program.edges.is_valid(edge),
        RunStep::Call(edge, callee) => program.edges.is_valid(edge) && program.functions.is_valid(callee),
    };
    let choice = |choice: &Choice| match choice {
        Choice::Input { edge, var, input, value } => {
            program.edges.is_valid(*edge)
                && program.vars.get(*var).is_some_and(|var| var.ty == value.ty())
                && input.is_none_or(|input| program.inputs.is_valid(input))
        }
        Choice::Unwritten { var, value } => program.vars.get(*var).is_some_and(|var| var.ty == value.ty()),
        Choice::Cell { region, value, .. } => {
            program.regions.get(*region).is_some_and(|region| region.cell == value.ty())
        }
    };
    let target = program.targets.iter().any(|target| target.loc == path.target);
    target && path.steps.iter().all(step) && path.choices.iter().all(choice)
}

/// Executes counterexamples of one program.
#[derive(Debug)]
pub struct Executor<'p> {
    program: &'p Program,
    machine: Machine<'p>,
}

impl<'p> Executor<'p> {
    /// Prepares the program, which takes longer than most executions.
    pub fn new(program: &'p Program) -> Executor<'p> {
        Executor { program, machine: Machine::new(program) }
    }

    /// Executes a counterexample that [`fits`] the program.
    pub fn execute(&self, path: &RunPath) -> Result<Executed, Misfit> {
        let program = self.program;
        let mut oracle = Recorded::new(&path.choices);
        let edges: Vec<EdgeId> =
            path.steps.iter().filter(|step| !matches!(step, RunStep::Return(_))).map(RunStep::edge).collect();
        let limits = Limits { depth: usize::MAX, ..Limits::default() };
        let execution = follow(&self.machine, &edges, &mut oracle, &limits);
        let mut recorder = Recorder {
            program,
            execution,
            postdominators: Postdominators::new(program),
            activations: vec![Activation { number: 0, call: None, branches: Vec::new() }],
            count: 1,
            set: FxHashMap::default(),
            havocked: FxHashMap::default(),
            told: FxHashSet::default(),
            steps: Vec::with_capacity(path.steps.len()),
        };
        for step in &path.steps {
            recorder.step(step).ok_or(Misfit(recorder.steps.len()))?;
        }
        let decided = recorder.control(recorder.execution.location());
        match recorder.execution.step() {
            Err(Outcome::Target(target)) if program.targets[target].loc == path.target => {
                Ok(Executed { steps: recorder.steps, decided })
            }
            _ => Err(Misfit(path.steps.len())),
        }
    }
}

/// Executes a single counterexample that [`fits`] its program.
pub fn execute(program: &Program, path: &RunPath) -> Result<Executed, Misfit> {
    Executor::new(program).execute(path)
}

/// The inputs of a counterexample as answers to the interpreter.
struct Recorded {
    values: FxHashMap<Source, VecDeque<Value>>,
}

impl Recorded {
    fn new(choices: &[Choice]) -> Recorded {
        let mut values: FxHashMap<Source, VecDeque<Value>> = FxHashMap::default();
        for choice in choices {
            let (source, value) = match choice {
                Choice::Input { edge, input: Some(input), value, .. } => {
                    (Source::Input { input: *input, edge: *edge }, value)
                }
                Choice::Input { edge, input: None, value, .. } => (Source::Havoc { edge: *edge }, value),
                Choice::Unwritten { var, value } => (Source::Variable(*var), value),
                Choice::Cell { region, addr, value } => (Source::Cell(*region, *addr), value),
            };
            values.entry(source).or_default().push_back(value.clone());
        }
        Recorded { values }
    }
}

impl beeline_interp::Oracle for Recorded {
    fn value(&mut self, source: &Source, ty: Type) -> Value {
        self.values.get_mut(source).and_then(VecDeque::pop_front).unwrap_or_else(|| Value::zero(ty))
    }

    fn choose(&mut self, _: usize) -> usize {
        0
    }
}

/// An open call.
struct Activation {
    number: u32,
    /// The step that made it.
    call: Option<usize>,
    /// The branches whose paths have not joined yet, and the locations where they join.
    branches: Vec<(usize, Option<LocId>)>,
}

/// An execution that records its steps.
struct Recorder<'p, 'm> {
    program: &'p Program,
    execution: Execution<'m, 'm>,
    postdominators: Postdominators<'p>,
    activations: Vec<Activation>,
    /// The number of activations so far.
    count: u32,
    /// The step that set a place last.
    set: FxHashMap<Place, usize>,
    /// The last step that havocked a whole region.
    havocked: FxHashMap<RegionId, usize>,
    /// The cells whose havocked values are recorded at such steps already.
    told: FxHashSet<(usize, Place)>,
    steps: Vec<Step>,
}

impl Recorder<'_, '_> {
    /// Takes a step; `None` if it cannot be taken.
    fn step(&mut self, step: &RunStep) -> Option<()> {
        let program = self.program;
        let edge = &program.edges[step.edge()];
        let index = self.steps.len();
        let loc = self.execution.location();
        let control = self.control(loc);
        let depth = self.activations.len() - 1;
        let mut note =
            Step { step: step.clone(), depth, writes: vec![], unset: vec![], reads: vec![], control };
        if let RunStep::Return(_) = step {
            let call = edge.op.as_call()?;
            let function = &program.functions[program.function_of(loc)];
            let result = function.ret.filter(|_| call.ret.is_some());
            result.into_iter().for_each(|ret| self.read_place(self.place(ret), None, &mut note));
            if loc != function.exit || depth == 0 {
                return None;
            }
            self.execution.step().ok()?;
            self.activations.pop();
            if let Some(into) = call.ret {
                note.writes.push((self.place(into), self.execution.variable(into)?));
            }
        } else {
            for (expr, into) in edge.op.expressions().into_iter().zip(self.receivers(step, &edge.op)) {
                self.read(expr, into, &mut note, &mut FxHashSet::default());
            }
            let stored = self.stored(&edge.op);
            if program.out_edges(loc).len() > 1 {
                let meeting = self.postdominators.of(loc);
                self.activations.last_mut()?.branches.push((index, meeting));
            }
            self.execution.step().ok()?;
            if !matches!(step, RunStep::Call(..)) {
                self.find_values(&mut note);
            }
            note.writes = stored;
            self.note_changes(step, &edge.op, &mut note)?;
        }
        note.writes.iter().for_each(|(place, _)| {
            self.set.insert(*place, index);
        });
        note.reads.sort_unstable();
        note.reads.dedup();
        self.steps.push(note);
        Some(())
    }

    /// Records what a step has set, except memory, which a store names itself.
    fn note_changes(&mut self, step: &RunStep, op: &Op, note: &mut Step) -> Option<()> {
        let program = self.program;
        let index = self.steps.len();
        let written = match (step, op) {
            (RunStep::Call(_, callee), _) => {
                self.activations.push(Activation { number: self.count, call: Some(index), branches: vec![] });
                self.count += 1;
                program.functions[*callee].params.clone()
            }
            (_, Op::HavocRegion(region)) => {
                self.havocked.insert(*region, index);
                Vec::new()
            }
            (_, op) => op.writes().to_vec(),
        };
        for var in written {
            note.writes.push((self.place(var), self.execution.variable(var)?));
        }
        Some(())
    }

    /// The step that decides whether a location is reached in the topmost call.
    fn control(&mut self, loc: LocId) -> Option<usize> {
        let activation = self.activations.last_mut()?;
        while activation.branches.last().is_some_and(|&(_, meeting)| meeting == Some(loc)) {
            activation.branches.pop();
        }
        activation.branches.last().map(|&(step, _)| step).or(activation.call)
    }

    fn place(&self, var: VarId) -> Place {
        match self.program.vars[var].owner {
            None => Place::Global(var),
            Some(_) => Place::Local(var, self.activations.last().map_or(0, |activation| activation.number)),
        }
    }

    /// The cells that a store sets.
    fn stored(&mut self, op: &Op) -> Vec<(Place, Value)> {
        let Op::Store { region, addr, value } = *op else { return Vec::new() };
        let ty = self.program.exprs.ty(value);
        let Ok(value) = self.execution.evaluate(value) else { return Vec::new() };
        let cells = self.cells(region, addr, ty);
        // The value goes with the first cell, as a whole; the others are only set.
        cells.into_iter().map(|cell| (cell, value.clone())).collect()
    }

    fn cells(&mut self, region: RegionId, addr: ExprId, ty: Type) -> Vec<Place> {
        let data = &self.program.regions[region];
        let addr = self.execution.evaluate(addr).ok();
        let Some(addr) = addr.and_then(|addr| addr.as_bits()?.to_u64()) else { return Vec::new() };
        let count = u64::from(cells_of(ty, data.cell).unwrap_or(1));
        (0..count).map(|index| Place::Cell(region, addr.wrapping_add(index * data.stride()))).collect()
    }

    /// For each expression of an operation, the variable that gets its value.
    fn receivers(&self, step: &RunStep, op: &Op) -> Vec<Option<VarId>> {
        match (op, step) {
            (Op::Assign(list), _) => list.iter().map(|(var, _)| Some(*var)).collect(),
            (Op::Call(call), RunStep::Call(_, callee)) => {
                let pointer = op.expressions().len() - call.args.len();
                let params = self.program.functions[*callee].params.iter();
                std::iter::repeat_n(None, pointer).chain(params.map(|param| Some(*param))).collect()
            }
            (op, _) => vec![None; op.expressions().len()],
        }
    }

    fn read_place(&self, place: Place, into: Option<VarId>, note: &mut Step) {
        let havocked = match place {
            Place::Cell(region, _) => self.havocked.get(&region).copied(),
            _ => None,
        };
        let writer = self.set.get(&place).copied().max(havocked);
        note.reads.push(Read { place, writer, into });
        let is_new = note.unset.iter().all(|(known, _)| *known != place);
        if writer.is_none() && is_new && !self.is_initial(place) {
            note.unset.push((place, None));
        }
    }

    /// The values of variables that a step has read before anything set them.
    fn find_values(&mut self, note: &mut Step) {
        for (place, found) in &mut note.unset {
            if let Place::Global(var) | Place::Local(var, _) = *place {
                *found = self.execution.variable(var);
            }
        }
    }

    /// Records a value that is read from havocked memory, at the step that havocked it.
    fn find_contents(&mut self, load: ExprId, cells: &[Place]) {
        let Some(&place @ Place::Cell(region, _)) = cells.first() else { return };
        let Some(&writer) = self.havocked.get(&region) else { return };
        let is_its = |cell: &Place| self.set.get(cell).is_none_or(|set| *set < writer);
        if cells.iter().all(is_its)
            && !self.told.contains(&(writer, place))
            && let Ok(value) = self.execution.evaluate(load)
        {
            self.told.insert((writer, place));
            self.steps[writer].writes.push((place, value));
        }
    }

    /// Whether a place holds a known value from the start.
    fn is_initial(&self, place: Place) -> bool {
        match place {
            Place::Global(var) => self.program.vars[var].init.is_some(),
            Place::Local(var, number) => {
                number == 0 && self.program.functions[self.program.entry].params.contains(&var)
            }
            Place::Cell(region, addr) => {
                let region = &self.program.regions[region];
                let known = |run: &beeline_ir::InitRun| {
                    addr >= run.addr && (addr - run.addr) / region.stride() < run.count
                };
                region.init.iter().any(known)
            }
        }
    }

    /// Records what an expression reads: of operands that may be irrelevant, only those that matter.
    fn read(&mut self, expr: ExprId, into: Option<VarId>, note: &mut Step, seen: &mut FxHashSet<ExprId>) {
        if !seen.insert(expr) {
            return;
        }
        match self.program.exprs[expr] {
            Expr::Var(var) => self.read_place(self.place(var), into, note),
            Expr::Load { region, addr, ty } => {
                self.read(addr, into, note, seen);
                let cells = self.cells(region, addr, ty);
                self.find_contents(expr, &cells);
                for cell in cells {
                    self.read_place(cell, into, note);
                }
            }
            Expr::Ite(cond, yes, no) => {
                self.read(cond, into, note, seen);
                let chosen = if self.execution.holds(cond) == Some(false) { no } else { yes };
                self.read(chosen, into, note, seen);
            }
            Expr::Binary(op @ (BinOp::BoolAnd | BinOp::BoolOr), left, right) => {
                self.read(left, into, note, seen);
                if self.execution.holds(left) != Some(op == BinOp::BoolOr) {
                    self.read(right, into, note, seen);
                }
            }
            node => node.operands().for_each(|operand| self.read(operand, into, note, seen)),
        }
    }
}
