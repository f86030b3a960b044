//! One execution of a program, step by step.

use crate::code::{Code, Compiled, Compiler, Layout, Place};
use crate::eval::{Evaluated, StuckReason};
use crate::machine::{Action, Alternative, Machine, Point};
use crate::memory::Access;
use crate::oracle::Oracle;
use crate::run::{Limits, Outcome, Run};
use crate::snapshot::{Frame, Snapshot};
use crate::state::{Registers, State};
use beeline_ir::{BinOp, Callee, EdgeId, Expr, ExprId, FuncId, LocId, RegionId, Value, VarId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// An execution: its location, and the values of variables and memory.
pub struct Execution<'m, 'o> {
    machine: &'m Machine<'m>,
    state: State<'m, 'o>,
    registers: Registers,
    frames: Vec<Frame>,
    loc: LocId,
    limits: Limits,
    /// The edges to take, if a path is given.
    path: Option<&'m [EdgeId]>,
    steps: u64,
    trace: Vec<EdgeId>,
    /// What evaluates expressions, once one was asked for.
    evaluator: Option<Evaluator>,
}

/// The code of expressions that were evaluated, and their registers.
struct Evaluator {
    compiled: FxHashMap<ExprId, (Code, Compiled)>,
    registers: Registers,
    /// The truth of conditions since the last step, where they have one.
    truths: FxHashMap<ExprId, Option<bool>>,
}

impl Evaluator {
    fn new(layout: &Layout) -> Evaluator {
        let (compiled, truths) = (FxHashMap::default(), FxHashMap::default());
        Evaluator { compiled, registers: Registers::new(layout), truths }
    }
}

impl Machine<'_> {
    /// Runs the program from its entry.
    pub fn run(&self, oracle: &mut dyn Oracle, limits: &Limits) -> Run {
        self.start(oracle, limits).run()
    }

    /// An execution at the program's entry, for running step by step.
    pub fn start<'m, 'o>(&'m self, oracle: &'o mut dyn Oracle, limits: &Limits) -> Execution<'m, 'o> {
        Execution::new(self, oracle, limits, None)
    }
}

impl<'m, 'o> Execution<'m, 'o> {
    pub(crate) fn new(
        machine: &'m Machine<'m>,
        oracle: &'o mut dyn Oracle,
        limits: &Limits,
        path: Option<&'m [EdgeId]>,
    ) -> Execution<'m, 'o> {
        let program = machine.program;
        let mut registers = Registers::new(&machine.layout);
        registers.grow(&machine.code);
        let mut execution = Execution {
            machine,
            state: State::new(program, &machine.layout, machine.globals, oracle, limits.record),
            registers,
            frames: Vec::new(),
            loc: program.functions[program.entry].entry(),
            limits: limits.clone(),
            path,
            steps: 0,
            trace: Vec::new(),
            evaluator: None,
        };
        execution.enter(program.entry, None);
        execution
    }

    /// What the execution holds here.
    pub fn snapshot(&self) -> Snapshot<'m> {
        Snapshot { loc: self.loc, frames: self.frames.clone(), contents: self.state.contents.clone() }
    }

    /// Goes on from a snapshot of an execution of the same machine.
    pub fn resume(&mut self, snapshot: &Snapshot<'m>) {
        self.forget_truths();
        self.loc = snapshot.loc;
        self.frames.clone_from(&snapshot.frames);
        self.state.contents.clone_from(&snapshot.contents);
    }

    /// Whether the oracle was asked for a value that is recorded.
    pub fn has_asked(&self) -> bool {
        self.state.has_asked()
    }

    /// Ends here, and tells what was recorded.
    pub fn end(self, outcome: Outcome) -> Run {
        let (values, choices) = self.state.into_record();
        Run { outcome, steps: self.steps, trace: self.trace, values, choices }
    }

    /// Runs to the end.
    pub fn run(mut self) -> Run {
        let outcome = loop {
            if let Err(outcome) = self.step() {
                break outcome;
            }
        };
        self.end(outcome)
    }

    /// The current location.
    pub fn location(&self) -> LocId {
        self.loc
    }

    /// The number of active calls, including that of the entry function.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The value of a global or of a local of the active call, if it was written or read before.
    pub fn variable(&mut self, var: VarId) -> Option<Value> {
        self.state.known(var)
    }

    /// The value of a cell of memory, if it was written or read before, or has one from the start.
    pub fn cell(&mut self, region: RegionId, addr: u64) -> Option<Value> {
        self.state.contents.memory.known(region, addr)
    }

    /// The value of an expression here. The oracle determines values that it reads and the program leaves
    /// open.
    pub fn evaluate(&mut self, expr: ExprId) -> Evaluated {
        let Machine { program, layout, .. } = self.machine;
        let Evaluator { compiled, registers, .. } =
            self.evaluator.get_or_insert_with(|| Evaluator::new(layout));
        let (code, compiled) = compiled.entry(expr).or_insert_with(|| {
            let mut code = Code::default();
            let compiled = Compiler::compile(program, layout, &mut code, &[expr], &[]);
            (code, compiled)
        });
        registers.grow(code);
        self.state.run(code, registers, compiled.start)?;
        Ok(registers.value(compiled.places[0], program.exprs.ty(expr)))
    }

    /// The truth of a condition here; `None` if it has none. A chain of conditions, such as one for each object that a pointer
    /// may lead to, is evaluated part by part, however many of its prefixes are asked about between two steps.
    pub fn holds(&mut self, cond: ExprId) -> Option<bool> {
        let known = self.evaluator.as_ref().and_then(|evaluator| evaluator.truths.get(&cond));
        if let Some(known) = known {
            return *known;
        }
        let truth = match self.machine.program.exprs[cond] {
            Expr::Binary(op @ (BinOp::BoolAnd | BinOp::BoolOr), left, right) => {
                let decides = op == BinOp::BoolOr;
                let left = self.holds(left);
                if left == Some(!decides) { self.holds(right) } else { left }
            }
            _ => self.evaluate(cond).ok().and_then(|value| value.as_bool()),
        };
        let layout = &self.machine.layout;
        self.evaluator.get_or_insert_with(|| Evaluator::new(layout)).truths.insert(cond, truth);
        truth
    }

    /// Forgets the truth of conditions, as the state changes.
    fn forget_truths(&mut self) {
        if let Some(evaluator) = &mut self.evaluator {
            evaluator.truths.clear();
        }
    }

    /// Takes an edge, or returns from a call.
    pub fn step(&mut self) -> Result<(), Outcome> {
        self.forget_truths();
        let edge = match &self.machine.points[self.loc] {
            Point::Target(target) => return Err(Outcome::Target(*target)),
            Point::Exit => return self.leave(),
            Point::Step(edge) => self.sole(*edge)?,
            Point::Branch { start, cond, yes, no } => {
                let taken = match self.compute(*start) {
                    Ok(()) if self.registers.word(*cond) != 0 => *yes,
                    Ok(()) => *no,
                    Err(reason) => return self.stuck_at((*yes).min(*no), reason),
                };
                self.sole(taken)?
            }
            Point::Choice(alternatives) => self.choice(alternatives)?,
        };
        self.count(edge)?;
        self.execute(edge)?;
        if self.state.used() > self.limits.memory {
            return Err(Outcome::OutOfMemory);
        }
        Ok(())
    }

    fn count(&mut self, edge: EdgeId) -> Result<(), Outcome> {
        if self.steps >= self.limits.steps {
            return Err(Outcome::OutOfSteps);
        }
        self.steps += 1;
        if self.limits.trace {
            self.trace.push(edge);
        }
        Ok(())
    }

    /// The next edge of the path, if there is a path.
    fn wanted(&self) -> Option<Option<EdgeId>> {
        self.path.map(|path| path.get(self.steps as usize).copied())
    }

    /// The only enabled edge, if it is on the path.
    fn sole(&self, edge: EdgeId) -> Result<EdgeId, Outcome> {
        if self.path.is_some() && self.wanted() != Some(Some(edge)) {
            return Err(Outcome::Blocked(self.loc));
        }
        Ok(edge)
    }

    /// Ends the execution at an edge whose condition has no value. The edge counts as taken.
    fn stuck_at(&mut self, edge: EdgeId, reason: StuckReason) -> Result<(), Outcome> {
        let edge = match self.wanted() {
            Some(Some(next)) if self.machine.program.edges[next].src == self.loc => next,
            Some(_) => return Err(Outcome::Blocked(self.loc)),
            None => edge,
        };
        self.count(edge)?;
        Err(Outcome::Stuck(reason, edge))
    }

    /// Chooses one of the enabled edges. An edge whose condition has no value can be chosen too: the
    /// execution ends there, but the other edges are equally possible.
    fn choice(&mut self, alternatives: &[Alternative]) -> Result<EdgeId, Outcome> {
        let mut enabled: SmallVec<[(EdgeId, Option<StuckReason>); 4]> = SmallVec::new();
        for &Alternative { edge, cond } in alternatives {
            // All conditions are evaluated, even with a path, so that a run and its replay ask the oracle for
            // the same values.
            match cond.map(|(start, place)| self.compute(start).map(|()| self.registers.word(place) != 0)) {
                None | Some(Ok(true)) => enabled.push((edge, None)),
                Some(Ok(false)) => {}
                Some(Err(reason)) => enabled.push((edge, Some(reason))),
            }
        }
        if let Some(wanted) = self.wanted() {
            enabled.retain(|(edge, _)| Some(*edge) == wanted);
        }
        let all_stuck = enabled.iter().all(|(_, stuck)| stuck.is_some());
        let index = match enabled.len() {
            0 => return Err(Outcome::Blocked(self.loc)),
            1 => 0,
            _ if all_stuck => 0,
            _ => {
                let edges: SmallVec<[EdgeId; 4]> = enabled.iter().map(|(edge, _)| *edge).collect();
                self.state.choose(&edges)
            }
        };
        let (edge, stuck) = enabled[index];
        if let Some(reason) = stuck {
            self.stuck_at(edge, reason)?;
        }
        Ok(edge)
    }

    fn compute(&mut self, start: u32) -> Result<(), StuckReason> {
        self.state.run(&self.machine.code, &mut self.registers, start)
    }

    fn execute(&mut self, id: EdgeId) -> Result<(), Outcome> {
        let program = self.machine.program;
        let stuck = |reason| Outcome::Stuck(reason, id);
        match &self.machine.actions[id] {
            Action::Skip => {}
            Action::Run(start) => self.compute(*start).map_err(stuck)?,
            Action::Havoc(var, source) => {
                let value = self.state.ask(source.clone(), program.vars[*var].ty);
                self.state.set(*var, value);
            }
            Action::HavocRegion(region) => self.state.contents.memory.havoc(*region),
            &Action::Store { start, region, addr, value, ty, cells } => {
                self.compute(start).map_err(stuck)?;
                let addr = self.registers.word(addr);
                let data = &program.regions[region];
                if !data.allows(addr, u64::from(cells) * data.stride()) {
                    return Err(stuck(StuckReason::OutsideObject(addr)));
                }
                let access = Access { region, addr, cells };
                match value {
                    Place::Word(_) => {
                        self.state.contents.memory.store_word(access, self.registers.word(value))
                    }
                    Place::Wide(_) => {
                        self.state.contents.memory.store(access, &self.registers.value(value, ty))
                    }
                }
            }
            Action::Call { start, pointer, args } => {
                self.compute(*start).map_err(stuck)?;
                return self.call(id, *pointer, args);
            }
        }
        self.loc = program.edges[id].dst;
        Ok(())
    }

    fn call(&mut self, id: EdgeId, pointer: Option<Place>, args: &[Place]) -> Result<(), Outcome> {
        let program = self.machine.program;
        let callee = program.edges[id].op.as_call().map(|call| &call.callee);
        let func = match callee {
            Some(Callee::Direct(func)) => Some(*func),
            Some(Callee::Indirect { candidates, .. }) => {
                let addr = pointer.map(|pointer| self.registers.word(pointer));
                let mut meant = candidates.iter().copied();
                meant.find(|&func| addr.is_some() && program.functions[func].addr == addr)
            }
            None => None,
        };
        let Some(func) = func else { return Err(Outcome::Stuck(StuckReason::NoSuchFunction, id)) };
        if self.frames.len() >= self.limits.depth {
            return Err(Outcome::TooDeep);
        }
        self.enter(func, Some(id));
        for (&param, &arg) in program.functions[func].params.iter().zip(args) {
            self.state.set_from(param, &self.registers, arg);
        }
        Ok(())
    }

    fn enter(&mut self, func: FuncId, call: Option<EdgeId>) {
        let caller = self.state.contents.base;
        self.state.enter(self.machine.frames[func]);
        self.frames.push(Frame { func, call, caller });
        self.loc = self.machine.program.functions[func].entry();
    }

    fn leave(&mut self) -> Result<(), Outcome> {
        let program = self.machine.program;
        let Some(&Frame { func, call, caller }) = self.frames.last() else {
            return Err(Outcome::Blocked(self.loc));
        };
        let ret = program.functions[func].ret;
        let Some(edge) = call else { return Err(Outcome::Returned(ret.map(|var| self.state.get(var)))) };
        let into = program.edges[edge].op.as_call().and_then(|call| call.ret);
        let result = into.and_then(|into| Some((into, self.state.get(ret?))));
        self.frames.pop();
        self.state.leave(caller);
        if let Some((into, value)) = result {
            self.state.set(into, value);
        }
        self.loc = program.edges[edge].dst;
        Ok(())
    }
}
