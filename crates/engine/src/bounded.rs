//! Unrolling: all executions at once, as one formula, as far as loops and recursion are unrolled.
//!
//! An execution that reaches a target is a valuation of the formula. If there is none and no execution goes beyond
//! the bounds, the program is safe. Otherwise it is unrolled further.

mod decide;
mod explore;
mod induction;
mod survey;
mod unrolled;

use crate::counterexample;
use crate::distance::Distances;
use crate::engine::{Condition, Engine, Outcome, Task};
use crate::monitor::Monitor;
use crate::options::Options;
use crate::path::Path;
use crate::symbolic::Executor;
use crate::symbolic_state::Executed;
use crate::verdict::{Answers, Reason, Statistics};
use beeline_ir::{EdgeId, LocId, Program};
use beeline_smt::{Meter, QueryLimits, TICKS_PER_SECOND};
use decide::Deciding;
use explore::{Bounds, Setting, Stop};
use induction::Inductions;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;
use survey::Survey;
use tracing::info;
use unrolled::Unrolled;

/// How far loops are unrolled at first, and how many times as far next.
const FIRST: u32 = 8;
const NEXT: u32 = 4;
/// How many times as far loops are unrolled on which only constants decide.
const FORCED: u32 = 256;
/// What it takes to make a gate of a formula, which the solver does not count.
const TICKS_OF_A_GATE: u64 = 8;
/// What a question may use whether an execution begins another turn of a loop.
const TURN: u64 = TICKS_PER_SECOND;

/// The engine.
#[derive(Debug, Clone, Copy)]
pub struct Bounded<'o> {
    /// How to search.
    pub options: &'o Options,
}

impl Engine for Bounded<'_> {
    fn run(&self, task: Task<'_, '_>, monitor: &Monitor) -> Outcome {
        let start = Instant::now();
        let Task { program, distances, known, targets, .. } = task;
        let deadline = self.options.time.and_then(|time| start.checked_add(time));
        let meter = Rc::new(Meter::new(self.options.ticks, deadline, Arc::clone(&monitor.stop)));
        let mut search = Search {
            options: self.options,
            program,
            control: Unrolled::new(program),
            distances,
            monitor,
            limits: QueryLimits::of(self.options.query_ticks, Rc::clone(&meter)),
            turns: QueryLimits::of(TURN.min(self.options.query_ticks), Rc::clone(&meter)),
            answers: Answers::new(targets, self.options.after_error, Rc::clone(&meter)),
            meter,
            left_out: FxHashSet::default(),
            statistics: Statistics::default(),
        };
        let ended = search.run();
        let verdict = search.answers.end(ended);
        let condition = if verdict.is_safe() { Condition::Nothing } else { Condition::Everything };
        let mut statistics = search.statistics;
        statistics.add_queries(&search.limits);
        statistics.add_queries(&search.turns);
        statistics.ticks = search.meter.used();
        statistics.time = start.elapsed();
        Outcome { verdict, statistics, condition, known, graph: None }
    }
}

struct Search<'a, 'd> {
    options: &'a Options,
    program: &'a Program,
    /// One for all unrollings: distances are remembered by its contexts.
    control: Unrolled,
    distances: &'a mut Distances<'d>,
    monitor: &'a Monitor,
    meter: Rc<Meter>,
    /// Those of questions that have to be answered.
    limits: QueryLimits,
    /// Those of questions on the way.
    turns: QueryLimits,
    /// Edges whose results are guesses, when executions are looked for that rest on none.
    left_out: FxHashSet<EdgeId>,
    answers: Answers,
    statistics: Statistics,
}

/// What came of one unrolling.
enum Round {
    /// Nothing is left to look for, or one counterexample was enough.
    Done,
    /// Nothing more can be found, for a reason.
    Ended(Reason),
    /// Loops go on.
    Open(Open),
}

/// An unrolling beyond which loops go on.
struct Open {
    /// The first of them.
    head: LocId,
    /// All of them.
    heads: BTreeSet<LocId>,
    /// The places of the unrolling.
    places: u64,
    /// How many of them belong to the last turns that were unrolled.
    last: u64,
}

impl Open {
    /// What the next unrolling takes at most, after one of so many turns that took so much.
    ///
    /// If no loop ends before, all further turns are like the last one. Work grows with the square of the formula.
    fn work_ahead(&self, turns: u32, work: u64) -> u64 {
        let more = self.last.saturating_mul(u64::from(turns)).saturating_mul(u64::from(NEXT - 1));
        let growth = 1.0 + more as f64 / self.places as f64;
        (work as f64 * growth * growth) as u64
    }
}

/// An unrolling that has come to its end.
struct Finished<'a> {
    program: &'a Program,
    control: &'a Unrolled,
    executor: Executor<'a>,
    /// The only block, with whatever exit.
    path: Path,
    executed: Vec<Executed>,
}

impl Search<'_, '_> {
    /// Unrolls further and further; says why it ended if a limit did that.
    fn run(&mut self) -> Option<Reason> {
        let unwind = &self.options.unwind;
        let first = unwind.all.unwrap_or(FIRST);
        let mut bounds = Bounds { turns: first, of: unwind.of.clone(), forced: first.saturating_mul(FORCED) };
        loop {
            self.distances.aim(self.answers.open());
            let before = self.meter.used();
            match self.round(&bounds) {
                Round::Ended(reason) => return Some(reason),
                Round::Done if self.answers.look_without_guesses() => {
                    info!("counterexamples rest on guesses: the search goes on without");
                    self.left_out = counterexample::guesses(self.program).into_keys().collect();
                }
                Round::Done => return None,
                Round::Open(open) => {
                    let head = open.head;
                    let fixed = unwind.of.get(&head).copied().or(unwind.all);
                    // Without all edges, nothing is a proof.
                    let is_first = bounds.turns == first && !self.answers.without_guesses();
                    if fixed.is_none() && is_first && self.induct(&open.heads) {
                        return None;
                    }
                    let used = self.meter.used();
                    let needed = used.saturating_add(open.work_ahead(bounds.turns, used - before));
                    let is_hopeless = self.options.ticks.is_some_and(|ticks| needed > ticks);
                    if let Some(turns) = fixed.or(is_hopeless.then_some(bounds.turns)) {
                        let place = loop_at(self.program, head, self.control.is_head(head));
                        return Some(Reason::Bound(turns, place));
                    }
                    bounds.turns = bounds.turns.saturating_mul(NEXT);
                    bounds.forced = bounds.forced.saturating_mul(NEXT);
                    info!(turns = bounds.turns, "loops go on: they are unrolled further");
                    self.statistics.restarts += 1;
                }
            }
        }
    }

    fn round(&mut self, bounds: &Bounds) -> Round {
        let control = &self.control;
        let inductions = Inductions::default();
        let setting = Setting {
            program: self.program,
            control,
            meter: &self.meter,
            monitor: self.monitor,
            limits: &self.turns,
            bounds,
            inductions: &inductions,
            left_out: &self.left_out,
        };
        let mut unrolling = explore::Unrolling::new(&setting, self.distances);
        let ended = unrolling.run();
        self.statistics.states += unrolling.block.nodes.len() as u64;
        match ended {
            Ok(()) => {}
            Err(Stop::Limit(reason)) => return Round::Ended(reason),
            Err(Stop::Unsupported(what)) => return Round::Ended(Reason::Unsupported(what.to_string())),
        }
        let ends = unrolling.ends();
        let explore::Unrolling { executor, block, done, reached, parked, .. } = unrolling;
        let places = block.nodes.len();
        info!(places, targets = reached.len(), parked = parked.len(), "unrolled");
        let path = Path { states: Vec::new(), blocks: vec![(Rc::new(block), 0)] };
        let mut finished = Finished { program: self.program, control, executor, path, executed: vec![done] };
        let start = Instant::now();
        let mut deciding = Deciding {
            answers: &mut self.answers,
            monitor: self.monitor,
            limits: &self.limits,
            meter: &self.meter,
            statistics: &mut self.statistics,
        };
        let ended = deciding.decide(&mut finished, reached);
        self.statistics.path_time += start.elapsed();
        if let Some(reason) = ended {
            return Round::Ended(reason);
        }
        if self.answers.are_complete() {
            return Round::Done;
        }
        if let Some(first) = parked.first() {
            let nodes = &finished.path.blocks[0].0.nodes;
            let last = nodes.iter().filter(|place| control.is_in_turn(place.stack, bounds.turns)).count();
            let head = nodes[first.node].loc;
            let heads = parked.iter().map(|at| nodes[at.node].loc).collect();
            return Round::Open(Open { head, heads, places: nodes.len() as u64, last: last as u64 });
        }
        if self.answers.without_guesses() {
            // Without all edges, this is no proof.
            return Round::Done;
        }
        let survey = Survey {
            answers: &mut self.answers,
            distances: self.distances,
            meter: &self.meter,
            query_ticks: self.options.query_ticks,
            statistics: &mut self.statistics,
        };
        survey.exclude_open(&finished, ends);
        Round::Done
    }
}

/// A loop or a recursion for people.
fn loop_at(program: &Program, loc: LocId, is_head: bool) -> String {
    let function = &program.functions[program.function_of(loc)];
    if !is_head {
        return format!("the recursion of {}", function.name);
    }
    let span = program.out_edges(loc).find_map(|edge| program.edges[edge].span);
    let place = span.map_or_else(|| program.label(loc), |span| program.show_span(span));
    format!("the loop at {place}")
}
