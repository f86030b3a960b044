//! Is a path to a target feasible? If so: the steps of an execution along it and what it reads from
//! outside, confirmed by the interpreter.

use crate::block::Block;
use crate::place::{Place, Slot, Stacks, Step};
use crate::refine::Path;
use crate::replay::{Oracle, Replay};
use crate::symbolic::{Executed, Executor};
use crate::verdict::Reason;
use beeline_interp::Source;
use beeline_interp::replay::{Replay as Replayed, replay};
use beeline_ir::{Assumption, Direction, EdgeId, LocId, Op, Program, RegionId, Span, Type, Value, VarId};
use beeline_run::Choice;
use beeline_smt::{Answer, Limits, Model, Query, Unsupported};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// An execution that reaches a target.
#[derive(Debug, Clone)]
pub struct Counterexample {
    /// The target.
    pub target: LocId,
    /// The steps, with the places that they lead to.
    pub steps: Vec<(Step, Place)>,
    /// What came from outside, in the order in which it was first read.
    pub choices: Vec<Choice>,
    /// Which of the program's assumptions lie on the way and may have invented it.
    pub assumptions: Vec<usize>,
}

/// Whether a path is feasible.
#[derive(Debug)]
pub enum Feasibility {
    /// Yes, and the interpreter agrees.
    Feasible(Box<Counterexample>),
    /// No.
    Infeasible,
    /// Nobody knows.
    Undecided(Reason),
}

/// Decides whether a path is feasible, in bit-vectors.
pub fn check(program: &Program, stacks: &Stacks, path: &Path, limits: &Limits) -> Feasibility {
    match decide(program, stacks, path, limits) {
        Ok(feasibility) => feasibility,
        Err(Unsupported(what)) => Feasibility::Undecided(Reason::Unsupported(Unsupported(what).to_string())),
    }
}

fn decide(
    program: &Program,
    stacks: &Stacks,
    path: &Path,
    limits: &Limits,
) -> Result<Feasibility, Unsupported> {
    let mut executor = Executor::new(program, stacks, true);
    let mut state = executor.start();
    let mut executed = Vec::with_capacity(path.blocks.len());
    let query = Query::new(limits);
    for (block, exit) in &path.blocks {
        state.guard = beeline_smt::Formula::constant(true);
        let done = executor.block(block, state, *exit)?;
        if done.state.guard.is_constant(false) {
            return Ok(Feasibility::Infeasible);
        }
        query.assert(&done.state.guard);
        state = done.state.clone();
        executed.push(done);
    }
    for fact in &executor.facts {
        query.assert(fact);
    }
    let model = match query.check() {
        Answer::Unsat => return Ok(Feasibility::Infeasible),
        Answer::Unknown(reason) => return Ok(Feasibility::Undecided(Reason::Solver(reason))),
        Answer::Sat(model) => model,
    };
    let taken = concrete_steps(path, &executed, &model);
    Ok(confirm(program, stacks, path, &executor, &executed, &model, &taken))
}

/// The edges whose results are guesses of the lowering, with the assumptions that say so.
pub fn guesses(program: &Program) -> FxHashMap<EdgeId, usize> {
    let invents = |assumption: &Assumption| assumption.direction != Direction::MayHideBug;
    let listed = program.assumptions.iter().enumerate().filter(|(_, assumption)| invents(assumption));
    listed.filter_map(|(index, assumption)| Some((assumption.edge?, index))).collect()
}

/// A step of the execution: of which block, which edge.
#[derive(Debug, Clone, Copy)]
struct Taken {
    block: usize,
    edge: usize,
}

/// The edges that the execution of a model takes.
fn concrete_steps(path: &Path, executed: &[Executed], model: &Model) -> Vec<Taken> {
    let mut steps = Vec::new();
    for (index, ((block, exit), done)) in path.blocks.iter().zip(executed).enumerate() {
        let from = steps.len();
        let mut node = *exit;
        while node != 0 {
            // The first edge whose guard holds: as joins choose.
            let edge = (0..block.edges.len()).find(|&edge| {
                block.edges[edge].dst == node
                    && done.guards.get(&edge).is_some_and(|guard| model.truth(guard) == Some(true))
            });
            let Some(edge) = edge else { break };
            steps.push(Taken { block: index, edge });
            node = block.edges[edge].src;
        }
        steps[from..].reverse();
    }
    steps
}

/// Answers from a model.
struct FromModel<'a, 'e> {
    program: &'a Program,
    path: &'a Path,
    executor: &'a Executor<'e>,
    executed: &'a [Executed],
    model: &'a Model,
    taken: &'a [Taken],
    /// The number that the executor gave to each call on the path.
    numbers: Vec<u32>,
    choices: Vec<Choice>,
}

impl Oracle for FromModel<'_, '_> {
    fn input(&mut self, step: usize, var: VarId) -> Value {
        let Taken { block, edge } = self.taken[step];
        let term = self.executed[block].inputs.get(&edge);
        let value = term.and_then(|term| self.model.value(term));
        let value = value.unwrap_or_else(|| Value::zero(self.program.vars[var].ty));
        let Step::Edge(id) = self.path.blocks[block].0.edges[edge].step else {
            unreachable!("an edge that havocs is no call")
        };
        let Op::Havoc(_, input) = self.program.edges[id].op else { unreachable!("the step is a havoc") };
        self.choices.push(Choice::Input { edge: id, var, input, value: value.clone() });
        value
    }

    fn unwritten(&mut self, slot: Slot, activation: u32) -> Value {
        let number = match activation {
            0 => 0,
            nth => self.numbers.get(nth as usize - 1).copied().unwrap_or(u32::MAX),
        };
        let known = self
            .executor
            .unwritten
            .iter()
            .find(|unwritten| unwritten.slot == slot && unwritten.activation == number)
            .and_then(|unwritten| self.model.value(&unwritten.term));
        let value = known.unwrap_or_else(|| Value::zero(self.program.vars[slot.var].ty));
        self.choices.push(Choice::Unwritten { var: slot.var, value: value.clone() });
        value
    }

    fn cell(&mut self, region: RegionId, addr: u64, since: Option<usize>) -> Value {
        let memory = match since {
            None => self.executor.initial_regions.get(&region),
            Some(step) => {
                let Taken { block, edge } = self.taken[step];
                self.executed[block].havocked_regions.get(&edge)
            }
        };
        let declared = &self.program.regions[region];
        let value = memory.and_then(|memory| self.model.cell(memory, declared, addr));
        let value = value.unwrap_or_else(|| Value::zero(declared.cell));
        self.choices.push(Choice::Cell { region, addr, value: value.clone() });
        value
    }
}

/// Executes the steps; a path that the solver takes for feasible and that is not shows a bug.
fn confirm(
    program: &Program,
    stacks: &Stacks,
    path: &Path,
    executor: &Executor<'_>,
    executed: &[Executed],
    model: &Model,
    taken: &[Taken],
) -> Feasibility {
    let calls = taken.iter().filter_map(|step| executed[step.block].calls.get(&step.edge).copied());
    let mut oracle = FromModel {
        program,
        path,
        executor,
        executed,
        model,
        taken,
        numbers: calls.collect(),
        choices: Vec::new(),
    };
    let mut steps = Vec::with_capacity(taken.len());
    let mut replay = Replay::new(program, stacks, &mut oracle);
    for (index, &Taken { block, edge }) in taken.iter().enumerate() {
        let block = &path.blocks[block].0;
        let edge = block.edges[edge];
        let to = block.nodes[edge.dst];
        if let Err(reason) = replay.step(index, edge.step, to) {
            return Feasibility::Undecided(Reason::NotConfirmed(reason));
        }
        steps.push((edge.step, to));
    }
    let target = steps.last().map_or_else(|| stacks.start(program).loc, |(_, place)| place.loc);
    if !program.targets.iter().any(|known| known.loc == target) {
        return Feasibility::Undecided(Reason::NotConfirmed("it does not end at a target".into()));
    }
    let choices = oracle.choices;
    if let Err(reason) = run_again(program, &steps, &choices) {
        return Feasibility::Undecided(Reason::NotConfirmed(reason));
    }
    if let Some(guess) = guess_behind(program, stacks, &steps) {
        return Feasibility::Undecided(Reason::Guess(program.assumptions[guess].text.clone()));
    }
    let assumptions = doubts(program, &steps);
    Feasibility::Feasible(Box::new(Counterexample { target, steps, choices, assumptions }))
}

/// The choices of a counterexample, for the interpreter: by what they are for, in order.
struct Recorded {
    values: FxHashMap<SourceKey, VecDeque<Value>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum SourceKey {
    Edge(EdgeId),
    Variable(VarId),
    Cell(RegionId, u64),
}

impl beeline_interp::Oracle for Recorded {
    fn value(&mut self, source: &Source, ty: Type) -> Value {
        let key = match *source {
            Source::Input { edge, .. } | Source::Havoc { edge } => SourceKey::Edge(edge),
            Source::Variable(var) => SourceKey::Variable(var),
            Source::Cell(region, addr) => SourceKey::Cell(region, addr),
        };
        self.values.get_mut(&key).and_then(VecDeque::pop_front).unwrap_or_else(|| Value::zero(ty))
    }

    fn choose(&mut self, _: usize) -> usize {
        0
    }
}

/// Runs the steps in the interpreter, which shares nothing with the solver.
fn run_again(program: &Program, steps: &[(Step, Place)], choices: &[Choice]) -> Result<(), String> {
    let mut oracle = Recorded { values: FxHashMap::default() };
    for choice in choices {
        let (key, value) = match choice {
            Choice::Input { edge, value, .. } => (SourceKey::Edge(*edge), value),
            Choice::Unwritten { var, value } => (SourceKey::Variable(*var), value),
            Choice::Cell { region, addr, value } => (SourceKey::Cell(*region, *addr), value),
        };
        oracle.values.entry(key).or_default().push_back(value.clone());
    }
    let edges: Vec<EdgeId> = steps
        .iter()
        .filter_map(|(step, _)| match *step {
            Step::Edge(edge) | Step::Call(edge, _) => Some(edge),
            Step::Return(_) => None,
        })
        .collect();
    let limits = beeline_interp::Limits { depth: usize::MAX, ..beeline_interp::Limits::default() };
    match replay(program, &edges, &mut oracle, &limits).0 {
        Replayed::Target(_) => Ok(()),
        Replayed::Diverged { followed, outcome } => Err(format!(
            "the interpreter leaves the path after {followed} of {} edges: {outcome:?}",
            edges.len()
        )),
    }
}

/// A guess of the lowering on which it depends that the steps can be taken.
///
/// An edge whose result the program would not choose freely (of a function without a body, say) makes no
/// counterexample, unless the steps can be taken whatever the result is: then no condition mentions it.
fn guess_behind(program: &Program, stacks: &Stacks, steps: &[(Step, Place)]) -> Option<usize> {
    let guesses = guesses(program);
    let guess_at = |step: Step| match step {
        Step::Edge(edge) => guesses.get(&edge).copied(),
        Step::Call(..) | Step::Return(_) => None,
    };
    let first = steps.iter().find_map(|&(step, _)| guess_at(step))?;
    let way = Block::way(stacks.start(program), steps);
    let mut executor = Executor::new(program, stacks, true);
    let start = executor.start();
    let Ok(done) = executor.block(&way, start, steps.len()) else { return Some(first) };
    let condition = done.state.guard;
    steps.iter().enumerate().find_map(|(index, &(step, _))| {
        let guess = guess_at(step)?;
        let depends = match (done.inputs.get(&index), done.havocked_regions.get(&index)) {
            (Some(value), _) => condition.mentions(value),
            (_, Some(memory)) => condition.mentions_memory(memory),
            (None, None) => true,
        };
        depends.then_some(guess)
    })
}

/// The assumptions on the way that may invent bugs.
fn doubts(program: &Program, steps: &[(Step, Place)]) -> Vec<usize> {
    let edges: FxHashSet<EdgeId> = steps
        .iter()
        .map(|(step, _)| {
            let (Step::Edge(edge) | Step::Call(edge, _) | Step::Return(edge)) = *step;
            edge
        })
        .collect();
    let spans: FxHashSet<Span> = edges.iter().filter_map(|&edge| program.edges[edge].span).collect();
    let on_the_way = |assumption: &Assumption| match (assumption.edge, assumption.span) {
        (Some(edge), _) => edges.contains(&edge),
        (None, Some(span)) => spans.contains(&span),
        (None, None) => true,
    };
    let invents = |a: &Assumption| a.direction != Direction::MayHideBug && on_the_way(a);
    (0..program.assumptions.len()).filter(|&index| invents(&program.assumptions[index])).collect()
}
