//! Feasibility of a path to a target. A feasible path gives an execution: its steps and what it reads from
//! outside, confirmed by the interpreter.

use crate::control::Control;
use crate::control::block::Block;
use crate::control::place::{Place, Step};
use crate::formula::Executor;
use crate::formula::state::{Executed, Sym};
use crate::paths::guess::guess_on;
use crate::paths::{Path, Trace};
use beeline_interp::replay::follow;
use beeline_interp::{Machine, Oracle, Outcome, Source, StuckReason};
use beeline_ir::{
    Assumption, Direction, EdgeId, FuncId, LocId, Op, Program, RegionId, Span, Type, Value, VarId,
};
use beeline_run::{Choice, Excess, Reason};
use beeline_smt::solver::{decide_once, is_larger_than};
use beeline_smt::{Answer, Formula, Model, QueryLimits, Unsupported};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use std::rc::Rc;

/// An execution that reaches a target.
#[derive(Debug, Clone)]
pub struct Counterexample {
    /// The target.
    pub target: LocId,
    /// The steps.
    pub trace: Trace,
    /// What it reads from outside, in the order of the first reads.
    pub choices: Vec<Choice>,
    /// The program's assumptions on the path that may have caused a false alarm.
    pub assumptions: Vec<usize>,
}

/// Whether a path is feasible.
#[derive(Debug)]
pub enum Feasibility {
    /// It is feasible, and the interpreter agrees.
    Feasible(Box<Counterexample>),
    /// It is feasible if a guess of the lowering is right, and the interpreter agrees.
    Guessed(Reason, Box<Counterexample>),
    /// It is feasible if the popped calls behave as assumed. The block is the first one that pops.
    Popped(usize),
    /// It is infeasible.
    Infeasible,
    /// It is not decided.
    Undecided(Reason),
}

/// The effort to decide a path.
#[derive(Debug, Clone, Copy)]
pub struct Effort<'l> {
    /// The limits of queries.
    pub limits: &'l QueryLimits,
    /// The solver is not asked about formulas with more terms than this in total.
    pub most_terms: Option<u64>,
}

/// Decides in bit-vectors whether a path is feasible.
pub fn check(program: &Program, control: &dyn Control, path: &Path, effort: Effort<'_>) -> Feasibility {
    match decide(program, control, path, effort) {
        Ok(feasibility) => feasibility,
        Err(Unsupported(what)) => Feasibility::Undecided(Reason::Unsupported(Unsupported(what).to_string())),
    }
}

fn decide(
    program: &Program,
    control: &dyn Control,
    path: &Path,
    Effort { limits, most_terms }: Effort<'_>,
) -> Result<Feasibility, Unsupported> {
    let mut executor = Executor::new(program, control, true);
    let mut formulas = Vec::new();
    let Some(executed) = along(&mut executor, &path.blocks, limits, &mut formulas)? else {
        return Ok(Feasibility::Infeasible);
    };
    formulas.extend_from_slice(&executor.facts);
    if let Some(most) =
        most_terms.filter(|&most| is_larger_than(&Formula::all(formulas.iter().cloned()), most))
    {
        return Ok(Feasibility::Undecided(Reason::GivenUp(Excess::FormulaSize, most)));
    }
    let model = match decide_once(&formulas, limits) {
        Answer::Unsat => return Ok(Feasibility::Infeasible),
        Answer::Unknown(reason) => return Ok(Feasibility::Undecided(Reason::Solver(reason))),
        Answer::Sat(model) => model,
    };
    if let Some(popped) = path.first_pop() {
        return Ok(Feasibility::Popped(popped));
    }
    let model = plausible(formulas, &executor, limits).unwrap_or(model);
    Ok(of_model(Walk { program, control, path, executor: &executor, executed: &executed }, &model))
}

/// A path whose blocks were executed symbolically.
#[derive(Clone, Copy)]
pub(crate) struct Walk<'a, 'e> {
    pub program: &'a Program,
    pub control: &'a dyn Control,
    pub path: &'a Path,
    /// The executor.
    pub executor: &'a Executor<'e>,
    /// The results of its blocks.
    pub executed: &'a [Executed],
}

/// The feasibility of a path that has a model: the interpreter executes the model.
pub(crate) fn of_model(walk: Walk<'_, '_>, model: &Model) -> Feasibility {
    confirm(walk, model, &concrete_steps(walk, model))
}

/// A model in which pointers from outside have addresses of real memory, if there is one.
pub(crate) fn plausible(
    mut formulas: Vec<Formula>,
    executor: &Executor<'_>,
    limits: &QueryLimits,
) -> Option<Model> {
    if executor.plausible.is_empty() {
        return None;
    }
    formulas.extend_from_slice(&executor.plausible);
    match decide_once(&formulas, limits) {
        Answer::Sat(model) => Some(model),
        Answer::Unsat | Answer::Unknown(_) => None,
    }
}

/// Executes blocks in sequence and adds the formulas under which they are passed; `None` if they cannot be.
pub(super) fn along(
    executor: &mut Executor<'_>,
    blocks: &[(Rc<Block>, usize)],
    limits: &QueryLimits,
    formulas: &mut Vec<Formula>,
) -> Result<Option<Vec<Executed>>, Unsupported> {
    let mut state = executor.start();
    let mut executed = Vec::with_capacity(blocks.len());
    for (block, exit) in blocks {
        if limits.is_over() {
            return Err(Unsupported("so long a path in the time that is left".into()));
        }
        state.guard = Formula::constant(true);
        let done = executor.block(block, state, *exit)?;
        if done.state.guard.is_constant(false) {
            return Ok(None);
        }
        formulas.push(done.state.guard.clone());
        state = done.state.clone();
        executed.push(done);
    }
    Ok(Some(executed))
}

/// The reason why an execution along a path ends at an edge of the last block, where an operation has no
/// result; `None` if no such execution is found, or if it depends on a guess.
pub fn ends_at(
    program: &Program,
    control: &dyn Control,
    path: &Path,
    edge: usize,
    limits: &QueryLimits,
) -> Option<StuckReason> {
    if path.first_pop().is_some() {
        return None;
    }
    let mut executor = Executor::new(program, control, true);
    let ((last, _), before) = path.blocks.split_last()?;
    let mut formulas = Vec::new();
    let mut executed = along(&mut executor, before, limits, &mut formulas).ok()??;
    let mut state = executed.last().map_or_else(|| executor.start(), |done| done.state.clone());
    state.guard = Formula::constant(true);
    let done = executor.whole_block(last, state).ok()?;
    formulas.push(done.undefined.get(&edge)?.formula());
    executed.push(done);
    formulas.extend_from_slice(&executor.facts);
    let Answer::Sat(model) = decide_once(&formulas, limits) else { return None };
    let walk = Walk { program, control, path, executor: &executor, executed: &executed };
    stuck_in_model(walk, &model, edge).map(|(_, reason)| reason)
}

/// Whether an execution along a path has a result at an edge of the last block, or leaves the path by a branch right
/// before it.
pub(crate) fn goes_on_beside(
    program: &Program,
    control: &dyn Control,
    path: &Path,
    edge: usize,
    limits: &QueryLimits,
) -> bool {
    let mut executor = Executor::new(program, control, true);
    let Some(((last, _), before)) = path.blocks.split_last() else { return false };
    let mut formulas = Vec::new();
    let Ok(Some(executed)) = along(&mut executor, before, limits, &mut formulas) else { return false };
    let mut state = executed.last().map_or_else(|| executor.start(), |done| done.state.clone());
    state.guard = Formula::constant(true);
    let Ok(done) = executor.whole_block(last, state) else { return false };
    formulas.push(beside(last, edge, &done));
    formulas.extend_from_slice(&executor.facts);
    matches!(decide_once(&formulas, limits), Answer::Sat(_))
}

/// The condition under which an execution has a result at an edge of a block, or leaves by a branch right before it.
pub(crate) fn beside(block: &Block, edge: usize, done: &Executed) -> Formula {
    let source = block.edges[edge].src;
    let branches: FxHashSet<usize> =
        block.edges.iter().filter(|branch| branch.dst == source).map(|branch| branch.src).collect();
    let is_beside = |other: usize| {
        other == edge || branches.contains(&block.edges[other].src) && block.edges[other].dst != source
    };
    Formula::any(done.guards.iter().filter(|(other, _)| is_beside(**other)).map(|(_, guard)| guard.clone()))
}

/// Where and why the execution of a model ends at an edge of a path's last block, or inside the call that the
/// edge stands for; `None` if it does not end there, or if that depends on a guess.
pub(crate) fn stuck_in_model(
    walk: Walk<'_, '_>,
    model: &Model,
    edge: usize,
) -> Option<(EdgeId, StuckReason)> {
    let Walk { program, control, path, .. } = walk;
    let mut taken = concrete_steps(walk, model);
    taken.extend(along_edge(walk, model, path.blocks.len() - 1, edge));
    let now = Cell::new(0);
    let mut oracle = FromModel::new(walk, model, &taken, &now);
    let trace = oracle.trace();
    match execute(program, &trace, trace.steps.len().checked_sub(1)?, &mut oracle, &now) {
        Ok(Outcome::Stuck(reason, edge)) if guess_on(program, control, &trace, true, &[]).is_none() => {
            Some((edge, reason))
        }
        _ => None,
    }
}

/// A step of the execution, by block and edge.
#[derive(Debug, Clone, Copy)]
struct Taken {
    block: usize,
    edge: usize,
    /// The step inside of a call that the edge stands for, with its source and destination.
    inner: Option<(Place, Step, Place)>,
}

/// The steps of a model's execution along an edge: several if the edge stands for a call.
fn along_edge(walk: Walk<'_, '_>, model: &Model, block: usize, edge: usize) -> Vec<Taken> {
    let taken = |inner| Taken { block, edge, inner };
    let Some(arguments) = walk.executed[block].ranges.get(&edge) else { return vec![taken(None)] };
    let value = |argument: &Sym| match argument {
        Sym::Value(value) => Some(value.clone()),
        Sym::Term(term) => model.value(term),
    };
    let Some(arguments) = arguments.iter().map(value).collect::<Option<Vec<Value>>>() else {
        return vec![taken(None)];
    };
    let graph = &walk.path.blocks[block].0;
    let (mut from, call) = (graph.nodes[graph.edges[edge].src], graph.edges[edge].step.edge());
    let steps = walk.control.through(walk.program, from, call, &arguments);
    let inner = steps.into_iter().map(|(step, to)| taken(Some((std::mem::replace(&mut from, to), step, to))));
    inner.collect()
}

/// The edges of a block that a model's execution takes to an exit; `None` if the model does not determine
/// them.
pub(crate) fn edges_taken(block: &Block, exit: usize, done: &Executed, model: &Model) -> Option<Vec<usize>> {
    let mut arriving: Vec<Vec<usize>> = vec![Vec::new(); block.nodes.len()];
    for (edge, step) in block.edges.iter().enumerate().filter(|(edge, _)| done.guards.contains_key(edge)) {
        arriving[step.dst].push(edge);
    }
    let (mut node, mut taken) = (exit, Vec::new());
    while node != 0 {
        // The first edge whose guard holds, as in joins. Guards are large. A single one needs no evaluation:
        // it has to hold.
        let edge = match arriving[node][..] {
            [edge] => edge,
            ref edges => edges.iter().copied().find(|edge| model.truth(&done.guards[edge]) == Some(true))?,
        };
        taken.push(edge);
        node = block.edges[edge].src;
    }
    taken.reverse();
    Some(taken)
}

/// The steps of a model's execution.
fn concrete_steps(walk: Walk<'_, '_>, model: &Model) -> Vec<Taken> {
    let blocks = walk.path.blocks.iter().zip(walk.executed).enumerate();
    let taken = blocks.flat_map(|(index, ((block, exit), done))| {
        let edges = edges_taken(block, *exit, done, model).unwrap_or_default();
        edges.into_iter().flat_map(move |edge| along_edge(walk, model, index, edge))
    });
    taken.collect()
}

/// An oracle that answers from a model.
struct FromModel<'a, 'e> {
    walk: Walk<'a, 'e>,
    model: &'a Model,
    taken: &'a [Taken],
    /// The current step.
    now: &'a Cell<usize>,
    /// The number of steps that the fields below account for.
    seen: usize,
    /// The number of each open activation, as the executor counted calls.
    activations: FxHashMap<(FuncId, u32), u32>,
    /// The last step that havocked a region.
    havocked: FxHashMap<RegionId, Taken>,
    choices: Vec<Choice>,
}

impl<'a, 'e> FromModel<'a, 'e> {
    fn new(
        walk: Walk<'a, 'e>,
        model: &'a Model,
        taken: &'a [Taken],
        now: &'a Cell<usize>,
    ) -> FromModel<'a, 'e> {
        FromModel {
            walk,
            model,
            taken,
            now,
            seen: 0,
            activations: FxHashMap::default(),
            havocked: FxHashMap::default(),
            choices: Vec::new(),
        }
    }

    /// The steps with their destinations.
    fn trace(&self) -> Trace {
        let steps = self.taken.iter().map(|&taken| self.edge(taken));
        Trace { steps: steps.map(|(_, step, to)| (step, to)).collect() }
    }

    fn edge(&self, taken: Taken) -> (Place, Step, Place) {
        if let Some(inner) = taken.inner {
            return inner;
        }
        let block = &self.walk.path.blocks[taken.block].0;
        let edge = block.edges[taken.edge];
        (block.nodes[edge.src], edge.step, block.nodes[edge.dst])
    }

    /// Accounts for the steps before the current one, and returns the current one.
    fn advance(&mut self) -> Option<Taken> {
        let control = self.walk.executor.control();
        while self.seen < self.now.get() {
            let taken = self.taken[self.seen];
            self.seen += 1;
            let (from, step, to) = self.edge(taken);
            match step {
                Step::Edge(id) => {
                    if let Op::HavocRegion(region) = self.walk.program.edges[id].op {
                        self.havocked.insert(region, taken);
                    }
                }
                Step::Call(_, callee) => {
                    let number = self.walk.executed[taken.block].calls.get(&taken.edge).copied();
                    let level = control.frame(to.stack).level;
                    self.activations.insert((callee, level), number.unwrap_or(u32::MAX));
                }
                Step::Return(_) | Step::Pop(_) => {
                    let frame = control.frame(from.stack);
                    self.activations.remove(&(frame.callee, frame.level));
                }
            }
        }
        self.taken.get(self.seen).copied()
    }

    /// The value of a variable that was never written.
    fn unwritten(&self, taken: Taken, var: VarId) -> Option<Value> {
        let stack = self.edge(taken).0.stack;
        let slot = self.walk.executor.control().slot(self.walk.program, stack, var);
        let owner = self.walk.program.vars[var].owner;
        let number = owner.and_then(|owner| self.activations.get(&(owner, slot.level))).copied();
        let executor = self.walk.executor;
        let known = executor
            .unwritten
            .iter()
            .find(|unwritten| unwritten.slot == slot && unwritten.activation == number.unwrap_or(0))?;
        self.model.value(&known.term)
    }

    fn cell(&self, region: RegionId, addr: u64) -> Option<Value> {
        let memory = match self.havocked.get(&region) {
            None => self.walk.executor.initial_regions.get(&region),
            Some(taken) => self.walk.executed[taken.block].havocked_regions.get(&taken.edge),
        };
        self.model.value(&self.walk.executor.outside_cell(region, memory?, addr).ok()?)
    }
}

impl Oracle for FromModel<'_, '_> {
    fn value(&mut self, source: &Source, ty: Type) -> Value {
        let taken = self.advance();
        let known = taken.and_then(|taken| match *source {
            Source::Input { .. } | Source::Havoc { .. } => {
                self.model.value(self.walk.executed[taken.block].inputs.get(&taken.edge)?)
            }
            Source::Variable(var) => self.unwritten(taken, var),
            Source::Cell(region, addr) => self.cell(region, addr),
        });
        // A value that no condition mentions may be anything.
        let value = known.unwrap_or_else(|| Value::zero(ty));
        self.choices.push(choice_of(self.walk.program, source, value.clone()));
        value
    }

    fn choose(&mut self, _: usize) -> usize {
        0
    }
}

/// The answer of an oracle, as a value from outside.
pub(crate) fn choice_of(program: &Program, source: &Source, value: Value) -> Choice {
    match *source {
        Source::Input { edge, .. } | Source::Havoc { edge } => {
            let Op::Havoc(var, input) = program.edges[edge].op else {
                unreachable!("only a havoc asks for an input")
            };
            Choice::Input { edge, var, input, value }
        }
        Source::Variable(var) => Choice::Unwritten { var, value },
        Source::Cell(region, addr) => Choice::Cell { region, addr, value },
    }
}

/// Has the interpreter execute the steps. It shares nothing with the solver: a path that is feasible for the
/// solver only reveals a bug.
fn confirm(walk: Walk<'_, '_>, model: &Model, taken: &[Taken]) -> Feasibility {
    let Walk { program, control, .. } = walk;
    let now = Cell::new(0);
    let mut oracle = FromModel::new(walk, model, taken, &now);
    let trace = oracle.trace();
    let doubt = match execute(program, &trace, trace.steps.len(), &mut oracle, &now) {
        Ok(Outcome::Target(_)) => None,
        Ok(outcome) => Some(format!("the path does not end at a target: {outcome:?}")),
        Err(reason) => Some(reason),
    };
    if let Some(reason) = doubt {
        return Feasibility::Undecided(Reason::NotConfirmed(reason));
    }
    let choices = oracle.choices;
    of_execution(program, control, trace, choices, &[])
}

/// The feasibility of a path whose execution the interpreter ran to a target, with what it got from outside as far as that
/// was recorded.
pub(crate) fn of_execution(
    program: &Program,
    control: &dyn Control,
    trace: Trace,
    choices: Vec<Choice>,
    values: &[(Source, Value)],
) -> Feasibility {
    let target = trace.steps.last().map_or_else(|| control.start(program).loc, |(_, place)| place.loc);
    let guess = guess_on(program, control, &trace, false, values);
    let assumptions = undefined_operations(program, &trace);
    let counterexample = Box::new(Counterexample { target, trace, choices, assumptions });
    match guess {
        Some(guess) => {
            Feasibility::Guessed(Reason::Guess(program.assumptions[guess].text.clone()), counterexample)
        }
        None => Feasibility::Feasible(counterexample),
    }
}

/// Executes the first `count` steps. Returns how the next one ends the execution.
fn execute(
    program: &Program,
    trace: &Trace,
    count: usize,
    oracle: &mut dyn Oracle,
    now: &Cell<usize>,
) -> Result<Outcome, String> {
    let edges: Vec<EdgeId> = trace.edges().collect();
    let steps = &trace.steps[..count];
    let limits = beeline_interp::Limits { depth: usize::MAX, ..beeline_interp::Limits::default() };
    let machine = Machine::new(program);
    let mut execution = follow(&machine, &edges, oracle, &limits);
    for (index, &(_, to)) in steps.iter().enumerate() {
        now.set(index);
        if let Err(outcome) = execution.step() {
            return Err(format!("step {} of {} cannot be taken: {outcome:?}", index + 1, steps.len()));
        }
        if execution.location() != to.loc {
            return Err(format!("step {} of {} leads elsewhere", index + 1, steps.len()));
        }
    }
    now.set(steps.len());
    match execution.step() {
        Err(outcome) => Ok(outcome),
        Ok(_) => Err("the execution goes on after the path".into()),
    }
}

/// The assumptions on the path that may cause false alarms.
fn undefined_operations(program: &Program, trace: &Trace) -> Vec<usize> {
    let edges: FxHashSet<EdgeId> = trace.steps.iter().map(|(step, _)| step.edge()).collect();
    let spans: FxHashSet<Span> = edges.iter().filter_map(|&edge| program.edges[edge].span).collect();
    let on_the_way = |assumption: &Assumption| match (assumption.edge, assumption.span) {
        (Some(edge), _) => edges.contains(&edge),
        (None, Some(span)) => spans.contains(&span),
        (None, None) => true,
    };
    let invents = |a: &Assumption| a.direction != Direction::MayHideBug && on_the_way(a);
    (0..program.assumptions.len()).filter(|&index| invents(&program.assumptions[index])).collect()
}
