//! Executions with inputs that are drawn at random: what many of them reach is found without any abstraction.
//!
//! Inputs are small and extreme numbers and those that the program mentions. Executions that take an edge for the first
//! time are remembered, and others begin like them: rather like those that came nearer to a target, where the search is
//! directed. Where nothing new was met for long, more of the same is of no use.

use crate::call_strings::CallStrings;
use crate::control::Control;
use crate::counterexample::{Feasibility, choice_of, of_execution};
use crate::distance::{Dist, Distances};
use crate::engine::{Condition, Engine, Outcome, Task};
use crate::monitor::Monitor;
use crate::options::Options;
use crate::path::Trace;
use crate::place::Step;
use crate::search::Order;
use crate::verdict::{Answers, Reason, Statistics, limit_reached};
use beeline_interp::oracle::{Oracle, Random};
use beeline_interp::{Limits, Machine, Run, Source};
use beeline_ir::{Bits, EdgeId, Program, Type, Value};
use beeline_smt::Meter;
use cranelift_entity::EntitySet;
use fastrand::Rng;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

/// How many steps are a tick.
const STEPS_OF_A_TICK: u64 = 2;
/// What it takes to begin an execution, in ticks.
const TICKS_OF_A_START: u64 = 20;
/// How many steps an execution has at most: what it tells is read by people.
const MOST_STEPS: u64 = 50_000;
/// How much memory an execution has at most, and how many values those that begin like it are given.
const MOST_MEMORY: usize = 1 << 26;
const MOST_GIVEN: usize = 1_000;
/// After how many executions without anything new it is enough, at least.
const ENOUGH: u64 = 300;

/// The engine.
#[derive(Debug, Clone, Copy)]
pub struct Concrete<'o> {
    /// How to search.
    pub options: &'o Options,
}

impl Engine for Concrete<'_> {
    fn run(&self, task: Task<'_, '_>, monitor: &Monitor) -> Outcome {
        let start = Instant::now();
        let Task { program, distances, known, targets, .. } = task;
        distances.aim(&targets);
        let deadline = self.options.time.and_then(|time| start.checked_add(time));
        let meter = Rc::new(Meter::new(self.options.ticks, deadline, Arc::clone(&monitor.stop)));
        let mut answers = Answers::new(targets, self.options.after_error, Rc::clone(&meter));
        let is_directed = matches!(self.options.order, Order::Directed(_));
        let mut executions = Executions::new(program, is_directed.then_some(&*distances));
        let mut statistics = Statistics::default();
        while !meter.is_over() && !answers.are_complete() && !executions.are_enough() {
            let run = executions.next();
            meter.charge(TICKS_OF_A_START + run.steps / STEPS_OF_A_TICK);
            let beeline_interp::Outcome::Target(target) = run.outcome else { continue };
            if !answers.open().contains(&program.targets[target].loc) {
                continue;
            }
            statistics.paths_checked += 1;
            match counterexample(program, &run) {
                Some(Feasibility::Feasible(found)) => {
                    monitor.find(&found);
                    answers.reached(found);
                }
                Some(Feasibility::Guessed(reason, found)) => answers.guessed(reason, found),
                _ => {}
            }
        }
        statistics.ticks = meter.used();
        statistics.time = start.elapsed();
        let verdict = answers.end(Some(limit_reached(&meter).unwrap_or(Reason::Tried(executions.tried))));
        Outcome { verdict, statistics, condition: Condition::Everything, known, graph: None }
    }
}

/// The execution as one that reaches a target, if it can be told.
fn counterexample(program: &Program, run: &Run) -> Option<Feasibility> {
    let mut control = CallStrings::new(program);
    let trace = trace(program, &mut control, &run.trace)?;
    let choices =
        run.values.iter().map(|(source, value)| choice_of(program, source, value.clone())).collect();
    Some(of_execution(program, &control, trace, choices))
}

/// The steps that take edges, with the returns between them.
fn trace(program: &Program, control: &mut CallStrings, edges: &[EdgeId]) -> Option<Trace> {
    let mut trace = Trace::default();
    let mut place = control.start(program);
    for (index, &edge) in edges.iter().enumerate() {
        while program.edges[edge].src != place.loc {
            let steps = control.steps(program, place);
            let back = steps.into_iter().find(|(step, _)| matches!(step, Step::Return(_)))?;
            trace.steps.push(back);
            place = back.1;
        }
        // A call through a pointer may enter several functions: where the next edge begins tells which.
        let next = edges.get(index + 1).map(|&next| program.edges[next].src);
        let steps = control.steps(program, place);
        let mut taken = steps.into_iter().filter(|(step, _)| step.edge_taken() == Some(edge));
        let first = taken.next()?;
        let step = match taken.find(|(_, to)| Some(to.loc) == next) {
            Some(other) if Some(first.1.loc) != next => other,
            _ => first,
        };
        trace.steps.push(step);
        place = step.1;
    }
    program.targets.iter().any(|target| target.loc == place.loc).then_some(trace)
}

/// What an execution was given that met something new.
struct Beginning {
    given: Vec<(Source, Value)>,
    /// How near it came to a target.
    distance: u64,
}

/// Executions, one after the other.
struct Executions<'e, 'p> {
    machine: Machine<'p>,
    program: &'p Program,
    /// What tells how near an execution comes, if that matters.
    distances: Option<&'e Distances<'e>>,
    rng: Rng,
    /// The numbers that the program mentions.
    numbers: Vec<Value>,
    worthwhile: Vec<Beginning>,
    met: EntitySet<EdgeId>,
    tried: u64,
    /// How many executions met nothing new since one did.
    unsuccessful: u64,
}

impl<'e, 'p> Executions<'e, 'p> {
    fn new(program: &'p Program, distances: Option<&'e Distances<'e>>) -> Executions<'e, 'p> {
        let numbers = program.exprs.consts().map(|(_, value)| value.clone());
        Executions {
            machine: Machine::new(program),
            program,
            distances,
            rng: Rng::with_seed(0),
            numbers: numbers.filter(|value| matches!(value, Value::Bv(_))).collect(),
            worthwhile: Vec::new(),
            met: EntitySet::new(),
            tried: 0,
            unsuccessful: 0,
        }
    }

    /// Is something new not to be expected? Where it came late, it may come later still.
    fn are_enough(&self) -> bool {
        self.unsuccessful >= ENOUGH.max(self.tried - self.unsuccessful)
    }

    fn next(&mut self) -> Run {
        self.tried += 1;
        let mut given = Vec::new();
        if self.rng.bool() && !self.worthwhile.is_empty() {
            given = self.beginning().given.clone();
            given.truncate(self.rng.usize(..=given.len()));
        }
        given.reverse();
        let random = Random::new(self.rng.u64(..));
        let mut drawn = Drawn { given, random, rng: self.rng.fork(), numbers: &self.numbers };
        let limits =
            Limits { steps: MOST_STEPS, memory: MOST_MEMORY, trace: true, record: true, ..Limits::default() };
        let run = self.machine.run(&mut drawn, &limits);
        let new = run.trace.iter().filter(|&&edge| self.met.insert(edge)).count();
        if new > 0 {
            self.unsuccessful = 0;
            let given = run.values[..run.values.len().min(MOST_GIVEN)].to_vec();
            self.worthwhile.push(Beginning { given, distance: self.distance(&run.trace) });
        } else {
            self.unsuccessful += 1;
        }
        run
    }

    /// What the next execution begins like: the nearer one of two.
    fn beginning(&mut self) -> &Beginning {
        let all = self.worthwhile.len();
        let (one, other) = (self.rng.usize(..all), self.rng.usize(..all));
        let (one, other) = (&self.worthwhile[one], &self.worthwhile[other]);
        if other.distance < one.distance { other } else { one }
    }

    /// How near to a target an execution came, without regard to where its functions return to.
    fn distance(&self, trace: &[EdgeId]) -> u64 {
        let Some(distances) = self.distances else { return 0 };
        let near = trace.iter().map(|&edge| distances.within(self.program.edges[edge].dst, Dist::INFINITE));
        near.min().unwrap_or(u64::MAX)
    }
}

/// Answers as those of an earlier execution at first, and drawn ones then.
struct Drawn<'n> {
    /// The last one comes first.
    given: Vec<(Source, Value)>,
    random: Random,
    rng: Rng,
    numbers: &'n [Value],
}

impl Drawn<'_> {
    /// A number that the program mentions, or one beside it. It may be wider, if it fits: C widens before it compares.
    fn mentioned(&mut self, ty: Type) -> Option<Value> {
        let Type::Bv(width) = ty else { return None };
        let Value::Bv(bits) = self.rng.choice(self.numbers)? else { return None };
        let beside = bits.to_i64()?.wrapping_add(self.rng.i64(-1..=1));
        let fits = width >= bits.width()
            || width < 64 && (-1 << (width - 1)..1 << width).contains(&i128::from(beside));
        fits.then(|| Value::Bv(Bits::from_i64(width, beside)))
    }
}

impl Oracle for Drawn<'_> {
    fn value(&mut self, source: &Source, ty: Type) -> Value {
        match self.given.pop() {
            Some((before, value)) if before != *source || value.ty() != ty => self.given.clear(),
            Some((_, value)) if self.rng.u8(..16) > 0 => return value,
            _ => {}
        }
        let mentioned = if self.rng.u8(..3) == 0 { self.mentioned(ty) } else { None };
        mentioned.unwrap_or_else(|| self.random.value(source, ty))
    }

    fn choose(&mut self, enabled: usize) -> usize {
        self.random.choose(enabled)
    }
}
