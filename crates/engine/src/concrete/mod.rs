//! Concrete execution with random inputs: it finds targets that many executions reach, without any
//! abstraction.
//!
//! Inputs are small and extreme numbers, and numbers that the program mentions. The engine remembers
//! executions that take an edge for the first time, or twice as often as any before, and later executions
//! begin like them. Other executions go on from states at loop heads ([`states`]), or take the other side of a branch
//! with inputs that the solver computes ([`flips`]). The search ends when none of these meets anything new for long.

mod candidates;
mod flips;
mod questions;
mod shadow;
mod states;
mod words;

use crate::control::Control;
use crate::control::call_strings::CallStrings;
use crate::engine::{Condition, Engine, Outcome, Task};
use crate::monitor::Monitor;
use crate::options::Options;
use crate::outcome::verdict::{Answers, Reason, Statistics, limit_reached};
use crate::paths::Trace;
use crate::paths::counterexample::{Feasibility, choice_of, of_execution};
use crate::search::distance::Distances;
use beeline_interp::oracle::{Oracle, Random};
use beeline_interp::{Limits, Machine, Run, Source};
use beeline_ir::{Bits, EdgeId, LocId, Program, Type, Value};
use beeline_smt::Meter;
use candidates::Candidates;
use cranelift_entity::{EntitySet, SecondaryMap};
use fastrand::Rng;
use flips::Flips;
use smallvec::SmallVec;
use states::States;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;
use words::{Begun, LONGEST, Words};

/// The number of steps of a tick.
const STEPS_OF_A_TICK: u64 = 12;
/// The ticks of starting an execution.
const TICKS_OF_A_START: u64 = 3;
/// The greatest number of steps of an execution: people read what it reports.
const MOST_STEPS: u64 = 50_000;
/// The greatest memory of an execution, and the greatest number of its values that later executions reuse.
const MOST_MEMORY: usize = 1 << 26;
const MOST_GIVEN: usize = 1_000;
/// The number of executions without anything new after which the search ends. If it took more executions up
/// to the last new one, that number counts.
const ENOUGH: u64 = 3_000;
/// The same for a command, whose inputs are words: few executions meet something new, and many are needed.
const ENOUGH_OF_A_COMMAND: u64 = 60_000;

/// The engine.
#[derive(Debug, Clone, Copy)]
pub struct Concrete<'o> {
    /// The options of the search.
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
        let mut statistics = Statistics::default();
        let machine = Machine::new(program);
        let flips = Flips::new(program, deadline, Arc::clone(&monitor.stop));
        let mut shared = Shared::new(program, &machine, flips);
        while !meter.is_over() && !answers.are_complete() {
            let Some(kind) = shared.turn() else { break };
            let (ticks, run) = shared.execute(kind, answers.open(), distances);
            meter.charge(ticks);
            let Some(run) = run else { continue };
            let beeline_interp::Outcome::Target(target) = run.outcome else { continue };
            if !answers.open().contains(&program.targets[target].loc) {
                continue;
            }
            statistics.paths_checked += 1;
            shared.forgive(kind);
            match counterexample(program, &run) {
                Some(Feasibility::Feasible(found)) => {
                    monitor.find(&found);
                    answers.reached(found);
                }
                Some(Feasibility::Guessed(reason, found)) => answers.guessed(reason, found),
                _ => {}
            }
        }
        shared.log();
        statistics.ticks = meter.used();
        statistics.time = start.elapsed();
        let verdict =
            answers.end(Some(limit_reached(&meter).unwrap_or(Reason::Tried(shared.tried().iter().sum()))));
        Outcome { verdict, statistics, condition: Condition::Everything, known, graph: None }
    }
}

/// The kinds of executions.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Random,
    FromState,
    Concolic,
}

/// Executions of all kinds, which share the ticks.
struct Shared<'p> {
    machine: &'p Machine<'p>,
    executions: Executions<'p>,
    states: States<'p>,
    flips: Flips<'p>,
    /// Of the executions that are not random ones.
    rng: Rng,
    /// The ticks that each kind is charged for.
    used: [u64; 3],
}

impl<'p> Shared<'p> {
    fn new(program: &'p Program, machine: &'p Machine<'p>, flips: Flips<'p>) -> Shared<'p> {
        Shared {
            machine,
            executions: Executions::new(program),
            states: States::new(machine, program),
            flips,
            rng: Rng::with_seed(1),
            used: [0; 3],
        }
    }

    /// The kind whose turn it is: the one that is charged for least, of those that may still meet something new.
    fn turn(&self) -> Option<Kind> {
        let may_meet = |kind: &Kind| match kind {
            Kind::Random => !self.executions.are_enough(),
            Kind::FromState => !self.states.are_enough(ENOUGH),
            Kind::Concolic => !self.flips.are_enough(),
        };
        let kinds = [Kind::Random, Kind::FromState, Kind::Concolic].into_iter();
        kinds.filter(may_meet).min_by_key(|&kind| self.used[kind as usize])
    }

    /// Executes once. Returns the cost in ticks, and the execution if there is a whole one.
    fn execute(
        &mut self,
        kind: Kind,
        open: &BTreeSet<LocId>,
        distances: &mut Distances<'_>,
    ) -> (u64, Option<Run>) {
        let Shared { machine, executions, states, flips, rng, used } = self;
        let ticks_of = |steps: u64| TICKS_OF_A_START + steps / STEPS_OF_A_TICK;
        let (ticks, run) = match kind {
            Kind::Random => {
                let (run, is_new) = executions.next(machine, open);
                let more = if is_new { flips.observe(machine, &run, distances) } else { 0 };
                (ticks_of(run.steps) + more, Some(run))
            }
            Kind::FromState => {
                let (steps, run) = states.next(executions.drawn(rng, open));
                (ticks_of(steps), run)
            }
            Kind::Concolic => {
                let (mut ticks, run) = flips.next(machine, executions.drawn(rng, open));
                if let Some(run) = &run {
                    ticks += ticks_of(run.steps);
                    ticks += if executions.learn(run) { flips.observe(machine, run, distances) } else { 0 };
                }
                (ticks, run)
            }
        };
        used[kind as usize] += ticks;
        (ticks, run)
    }

    /// Charges a kind that reached a target for no more than the others.
    fn forgive(&mut self, kind: Kind) {
        self.used[kind as usize] = self.used.into_iter().fold(u64::MAX, u64::min);
    }

    /// The number of executions of each kind.
    fn tried(&self) -> [u64; 3] {
        [self.executions.tried, self.states.tried(), self.flips.tried()]
    }

    fn log(&self) {
        let [random, from_states, concolic] = self.tried();
        tracing::info!(random, from_states, concolic, charged = ?self.used, "executions");
    }
}

/// The limits of an execution.
fn limits() -> Limits {
    Limits { steps: MOST_STEPS, memory: MOST_MEMORY, trace: true, record: true, ..Limits::default() }
}

/// The counterexample of an execution, if it can be reconstructed.
fn counterexample(program: &Program, run: &Run) -> Option<Feasibility> {
    let mut control = CallStrings::new(program);
    let trace = Trace::of_edges(program, &mut control, &run.trace)?;
    let end = trace.steps.last().map_or_else(|| control.start(program).loc, |(_, place)| place.loc);
    if program.targets.iter().all(|target| target.loc != end) {
        return None;
    }
    let choices =
        run.values.iter().map(|(source, value)| choice_of(program, source, value.clone())).collect();
    Some(of_execution(program, &control, trace, choices, &run.values))
}

/// A sequence of executions.
struct Executions<'p> {
    program: &'p Program,
    targets: EntitySet<LocId>,
    rng: Rng,
    candidates: Candidates,
    /// The numbers and words that the program mentions.
    numbers: Vec<i64>,
    words: Words,
    is_command: bool,
    /// The inputs of executions that met something new.
    worthwhile: Vec<Vec<(Source, Value)>>,
    /// For each edge, how often the current execution takes it while that is counted; and the most that any
    /// execution took it, as a power of two.
    taken: SecondaryMap<EdgeId, u32>,
    most_taken: SecondaryMap<EdgeId, u32>,
    /// The number of executions, and their number up to the last one that met something new.
    tried: u64,
    successful: u64,
}

impl<'p> Executions<'p> {
    fn new(program: &'p Program) -> Executions<'p> {
        let mut targets = EntitySet::new();
        program.targets.iter().for_each(|target| _ = targets.insert(target.loc));
        let number = |value: &Value| match value {
            Value::Bv(bits) => bits.to_i64(),
            _ => None,
        };
        let numbers: BTreeSet<i64> = program.exprs.consts().filter_map(|(_, value)| number(value)).collect();
        Executions {
            program,
            targets,
            rng: Rng::with_seed(0),
            candidates: Candidates::of_program(program),
            numbers: numbers.into_iter().collect(),
            words: Words::of(program),
            is_command: words::is_command(program),
            worthwhile: Vec::new(),
            taken: SecondaryMap::new(),
            most_taken: SecondaryMap::new(),
            tried: 0,
            successful: 0,
        }
    }

    /// An oracle for one execution.
    fn drawn<'n>(&'n self, rng: &mut Rng, open: &'n BTreeSet<LocId>) -> Drawn<'n> {
        Drawn {
            program: self.program,
            targets: &self.targets,
            open,
            given: Vec::new(),
            random: Random::new(rng.u64(..)),
            rng: rng.fork(),
            numbers: &self.numbers,
            words: &self.words,
            begun: Begun::default(),
            candidates: &self.candidates,
            turn: None,
            candidates_of_first: 0,
            is_frugal: false,
        }
    }

    /// An execution, and whether it meets something new.
    fn next(&mut self, machine: &Machine<'_>, open: &BTreeSet<LocId>) -> (Run, bool) {
        let worthwhile = std::mem::take(&mut self.worthwhile);
        let mut rng = self.rng.clone();
        let mut drawn = self.drawn(&mut rng, open);
        drawn.begin_like(&worthwhile);
        let run = machine.run(&mut drawn, &limits());
        (self.worthwhile, self.rng) = (worthwhile, rng);
        self.tried += 1;
        let is_new = self.learn(&run);
        (run, is_new)
    }

    /// Lets later executions begin like one that meets something new. Returns whether it does.
    fn learn(&mut self, run: &Run) -> bool {
        let is_new = self.meets_something_new(&run.trace);
        if is_new {
            self.successful = self.tried;
            self.worthwhile.push(run.values[..run.values.len().min(MOST_GIVEN)].to_vec());
        }
        is_new
    }

    /// Whether an execution takes an edge more often than all before, by powers of two.
    fn meets_something_new(&mut self, trace: &[EdgeId]) -> bool {
        trace.iter().for_each(|&edge| self.taken[edge] += 1);
        let mut new = false;
        for &edge in trace {
            // A repeated edge was counted already.
            let times = std::mem::take(&mut self.taken[edge]).next_power_of_two();
            new |= times > self.most_taken[edge];
            self.most_taken[edge] = self.most_taken[edge].max(times);
        }
        new
    }

    /// Whether as many executions met nothing new as there were up to the last new one.
    fn are_enough(&self) -> bool {
        let enough = if self.is_command { ENOUGH_OF_A_COMMAND } else { ENOUGH };
        self.tried - self.successful >= enough.max(self.successful)
    }
}

/// An oracle that first answers as in an earlier execution, and then at random.
struct Drawn<'n> {
    program: &'n Program,
    /// All targets, and the open ones.
    targets: &'n EntitySet<LocId>,
    open: &'n BTreeSet<LocId>,
    /// The answers of the earlier execution, last one first.
    given: Vec<(Source, Value)>,
    random: Random,
    rng: Rng,
    numbers: &'n [i64],
    words: &'n Words,
    begun: Begun,
    candidates: &'n Candidates,
    /// Which candidate the first input takes, if that is determined; and their number, when that input was drawn.
    turn: Option<usize>,
    candidates_of_first: usize,
    /// Whether most values that are compared with no number are zero, so that fewer states are met.
    is_frugal: bool,
}

impl Drawn<'_> {
    /// Chooses an earlier execution to begin like, preferably the last one, and changes some of its answers.
    fn begin_like(&mut self, worthwhile: &[Vec<(Source, Value)>]) {
        let Some(last) = worthwhile.last().filter(|_| self.rng.u8(..8) > 0) else { return };
        let other = &worthwhile[self.rng.usize(..worthwhile.len())];
        self.given.clone_from(if self.rng.bool() { last } else { other });
        self.given.reverse();
        if self.rng.u8(..4) == 0 {
            let kept = self.rng.usize(..=self.given.len());
            self.given.drain(..kept);
        }
        if self.rng.bool() {
            self.change_argument();
        }
        while !self.given.is_empty() {
            let at = self.rng.usize(..self.given.len());
            let (source, value) = &self.given[at];
            let (source, ty) = (source.clone(), value.ty());
            self.given[at].1 = self.draw(&source, ty);
            if self.rng.bool() {
                break;
            }
        }
    }

    /// Replaces one of the arguments by a word, if there are arguments.
    fn change_argument(&mut self) {
        let begins =
            |(source, _): &(Source, Value)| words::part(self.program, source) == Some("more-arguments");
        let places = (LONGEST..self.given.len()).filter(|&index| begins(&self.given[index]));
        let places: Vec<usize> = places.collect();
        let Some(&place) = self.rng.choice(&places) else { return };
        let argument = self.words.argument(&mut self.rng);
        for ((source, value), byte) in self.given[place - LONGEST..place].iter_mut().rev().zip(argument) {
            if words::part(self.program, source) != Some("letter") {
                break;
            }
            *value = Value::bv(8, byte.into());
        }
    }

    fn draw(&mut self, source: &Source, ty: Type) -> Value {
        if let Some(part) = words::part(self.program, source)
            && let Some(value) = self.words.draw(part, ty, &mut self.begun, &mut self.rng)
        {
            return value;
        }
        if let Some(value) = self.candidate(source, ty) {
            return value;
        }
        if self.is_frugal && self.rng.u8(..4) > 0 {
            return Value::zero(ty);
        }
        let mentioned = if self.rng.u8(..3) == 0 { self.mentioned(ty) } else { None };
        mentioned.unwrap_or_else(|| self.random.value(source, ty))
    }

    /// A number with which the program compares the input, mostly.
    fn candidate(&mut self, source: &Source, ty: Type) -> Option<Value> {
        let (&Source::Input { edge, .. }, Type::Bv(width)) = (source, ty) else { return None };
        let candidates = self.candidates.of(edge);
        if candidates.is_empty() {
            return None;
        }
        let number = match self.turn.take() {
            Some(turn) => {
                self.candidates_of_first = candidates.len();
                candidates[turn % candidates.len()]
            }
            _ if self.rng.u8(..4) > 0 => *self.rng.choice(candidates)?,
            _ => return None,
        };
        Some(Value::Bv(Bits::from_i64(width, number)))
    }

    /// A number that the program mentions, or one next to it. Characters are compared as integers, so the
    /// number may be mentioned in a wider type.
    fn mentioned(&mut self, ty: Type) -> Option<Value> {
        let Type::Bv(width) = ty else { return None };
        let fitting = match width {
            // The bounds of narrower numbers are numbers here.
            63.. => self.numbers,
            _ => {
                let below = |bound: i64| self.numbers.partition_point(|&number| number < bound);
                &self.numbers[below(-1 << (width - 1))..below(1 << width)]
            }
        };
        let &number = self.rng.choice(fitting)?;
        let beside = if self.rng.u8(..4) == 0 { self.rng.i64(-1..=1) } else { 0 };
        Some(Value::Bv(Bits::from_i64(width, number.wrapping_add(beside))))
    }
}

impl Oracle for Drawn<'_> {
    fn value(&mut self, source: &Source, ty: Type) -> Value {
        match self.given.pop() {
            Some((before, value)) if before != *source || value.ty() != ty => self.given.clear(),
            Some((_, value)) => return value,
            None => {}
        }
        self.draw(source, ty)
    }

    fn choose(&mut self, enabled: usize) -> usize {
        self.random.choose(enabled)
    }

    /// Prefers an edge to an open target. Passes other targets if it can.
    fn choose_edge(&mut self, enabled: &[EdgeId]) -> usize {
        let leads_to = |edge: EdgeId| self.program.edges[edge].dst;
        if let Some(open) = enabled.iter().position(|&edge| self.open.contains(&leads_to(edge))) {
            return open;
        }
        let is_enabled = |&index: &usize| !self.targets.contains(leads_to(enabled[index]));
        let ahead: SmallVec<[usize; 4]> = (0..enabled.len()).filter(is_enabled).collect();
        match ahead[..] {
            [] => self.choose(enabled.len()),
            [only] => only,
            _ => ahead[self.choose(ahead.len()).min(ahead.len() - 1)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Metric;

    /// The ticks that searches may take here.
    pub(super) const TICKS: u64 = 1_500_000;

    /// The number of a program's targets that few ticks suffice to find.
    pub(super) fn found(text: &str) -> usize {
        outcome(text).verdict.findings.len()
    }

    /// The outcome of few ticks.
    pub(super) fn outcome(text: &str) -> Outcome {
        let program = beeline_ir::text::parse(text).unwrap_or_else(|faults| panic!("{faults:?}"));
        let options = Options { ticks: Some(TICKS), ..Options::default() };
        let mut distances = Distances::new(&program, Metric::BasicBlocks);
        let task = Task::new(&program, &mut distances, options.nothing_known());
        Concrete { options: &options }.run(task, &Monitor::default())
    }
}
