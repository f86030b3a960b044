//! Unrolling: all executions at once, as one formula, as far as loops and recursion are unrolled.
//!
//! An execution that reaches a target is a valuation of the formula. If there is none and no execution goes beyond
//! the bounds, the program is safe. Otherwise it is unrolled further.

mod explore;
mod survey;
mod unrolled;

use crate::counterexample::{self, Counterexample, Feasibility};
use crate::distance::Distances;
use crate::engine::{Condition, Engine, Outcome, Task};
use crate::monitor::Monitor;
use crate::options::Options;
use crate::path::Path;
use crate::symbolic::Executor;
use crate::symbolic_state::Executed;
use crate::verdict::{Proof, Reason, Statistics, Unrolling, Verdict, limit_reached};
use beeline_ir::{EdgeId, LocId, Program};
use beeline_smt::solver::{decide_once, gates};
use beeline_smt::{Answer, Formula, Meter, QueryLimits, TICKS_PER_SECOND};
use explore::{Bounds, Reached, Setting, Stop};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;
use tracing::{debug, info};
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
        let Task { program, distances, known } = task;
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
            meter,
            left_out: FxHashSet::default(),
            guess: None,
            statistics: Statistics::default(),
        };
        let verdict = search.run();
        let condition =
            if matches!(verdict, Verdict::Safe(_)) { Condition::Nothing } else { Condition::Everything };
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
    /// A counterexample rests on this guess.
    guess: Option<(Reason, Box<Counterexample>)>,
    statistics: Statistics,
}

/// What came of one unrolling.
enum Round {
    Decided(Verdict),
    /// A counterexample rests on a guess.
    Guessed(Reason, Box<Counterexample>),
    /// Loops go on, the first of them here.
    Open(LocId),
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
    fn run(&mut self) -> Verdict {
        let unwind = &self.options.unwind;
        let first = unwind.all.unwrap_or(FIRST);
        let mut bounds = Bounds { turns: first, of: unwind.of.clone(), forced: first.saturating_mul(FORCED) };
        loop {
            match self.round(&bounds) {
                Round::Decided(Verdict::Safe(_)) if self.guess.is_some() => {
                    return self.unknown(Reason::NoProgress);
                }
                Round::Decided(Verdict::Unknown(reason)) => return self.unknown(reason),
                Round::Decided(verdict) => return verdict,
                Round::Guessed(reason, path) => {
                    info!(%reason, "a counterexample rests on a guess: the search goes on without");
                    self.guess = Some((reason, path));
                    self.left_out = counterexample::guesses(self.program).into_keys().collect();
                }
                Round::Open(head) => {
                    let fixed = unwind.of.get(&head).copied().or(unwind.all);
                    // A formula that has four times the turns takes some sixteen times the work.
                    let is_hopeless =
                        self.options.ticks.is_some_and(|ticks| self.meter.used().saturating_mul(16) > ticks);
                    if let Some(turns) = fixed.or(is_hopeless.then_some(bounds.turns)) {
                        return self.unknown(Reason::Bound(
                            turns,
                            loop_at(self.program, head, self.control.is_head(head)),
                        ));
                    }
                    bounds.turns = bounds.turns.saturating_mul(NEXT);
                    bounds.forced = bounds.forced.saturating_mul(NEXT);
                    info!(turns = bounds.turns, "loops go on: they are unrolled further");
                    self.statistics.restarts += 1;
                }
            }
        }
    }

    /// There is no answer, but perhaps a counterexample that rests on a guess.
    fn unknown(&mut self, reason: Reason) -> Verdict {
        match self.guess.take() {
            Some((guess, path)) => Verdict::Possible(guess, path),
            None => Verdict::Unknown(reason),
        }
    }

    fn round(&mut self, bounds: &Bounds) -> Round {
        let control = &self.control;
        let setting = Setting {
            program: self.program,
            control,
            meter: &self.meter,
            monitor: self.monitor,
            limits: &self.turns,
            bounds,
            left_out: &self.left_out,
        };
        let mut unrolling = explore::Unrolling::new(&setting, self.distances);
        let ended = unrolling.run();
        self.statistics.states += unrolling.block.nodes.len() as u64;
        match ended {
            Ok(()) => {}
            Err(Stop::Limit(reason)) => return Round::Decided(Verdict::Unknown(reason)),
            Err(Stop::Unsupported(what)) => {
                return Round::Decided(Verdict::Unknown(Reason::Unsupported(what.to_string())));
            }
        }
        let ends = unrolling.ends();
        let explore::Unrolling { executor, block, done, reached, parked, .. } = unrolling;
        let places = block.nodes.len();
        info!(places, targets = reached.len(), parked = parked.len(), "unrolled");
        let path = Path { states: Vec::new(), blocks: vec![(Rc::new(block), 0)] };
        let mut finished = Finished { program: self.program, control, executor, path, executed: vec![done] };
        let start = Instant::now();
        self.statistics.paths_checked += 1;
        let found = finished.targets(&reached, &self.limits, &self.meter);
        self.statistics.path_time += start.elapsed();
        if let Some(round) = found {
            return round;
        }
        if let Some(first) = parked.first() {
            return Round::Open(finished.path.blocks[0].0.nodes[first.node].loc);
        }
        let (undefined, cause) = finished.survey(&self.meter, self.options.query_ticks, &mut self.statistics);
        Round::Decided(match cause {
            Some(reason) => Verdict::Unknown(reason),
            None => Verdict::Safe(Proof::Unrolling(Box::new(Unrolling {
                contexts: control.contexts(),
                ends,
                places,
                undefined,
            }))),
        })
    }
}

impl Finished<'_> {
    /// Does an execution reach a target? Nothing if none does.
    fn targets(&mut self, reached: &[Reached], limits: &QueryLimits, meter: &Meter) -> Option<Round> {
        if reached.is_empty() {
            return None;
        }
        let mut formulas = vec![Formula::any(reached.iter().map(|reached| reached.guard.clone()))];
        formulas.extend_from_slice(&self.executor.facts);
        let gates = gates(&formulas);
        debug!(gates, "is a target reached?");
        meter.charge(gates * TICKS_OF_A_GATE);
        if let Some(reason) = limit_reached(meter) {
            return Some(Round::Decided(Verdict::Unknown(reason)));
        }
        let model = match decide_once(&formulas, limits) {
            Answer::Unsat => return None,
            Answer::Unknown(why) => {
                let reason = limit_reached(meter).unwrap_or(Reason::Solver(why));
                return Some(Round::Decided(Verdict::Unknown(reason)));
            }
            Answer::Sat(model) => model,
        };
        let model = counterexample::plausible(formulas, &self.executor, limits).unwrap_or(model);
        let Some(found) = reached.iter().find(|reached| model.truth(&reached.guard) == Some(true)) else {
            let reason = "its valuation does not say which target is reached".into();
            return Some(Round::Decided(Verdict::Unknown(Reason::Solver(reason))));
        };
        self.path.blocks[0].1 = found.node;
        let Finished { program, control, executor, path, executed } = &*self;
        Some(match counterexample::of_model(program, *control, path, executor, executed, &model) {
            Feasibility::Feasible(counterexample) => Round::Decided(Verdict::Unsafe(counterexample)),
            Feasibility::Guessed(reason, counterexample) => Round::Guessed(reason, counterexample),
            Feasibility::Undecided(reason) => Round::Decided(Verdict::Unknown(reason)),
            Feasibility::Infeasible => unreachable!("a model is an execution, or nobody knows"),
        })
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
