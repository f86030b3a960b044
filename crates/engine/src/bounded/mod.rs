//! Bounded model checking: all executions up to an unwinding of loops and recursion, as one formula.
//!
//! A valuation of the formula is an execution that reaches a target. If there is none and no execution goes
//! beyond the bounds, the program is safe. Otherwise it is unrolled further.

mod candidates;
mod constant_execution;
mod elements;
mod explore;
mod induction;
mod inductive_loops;
mod invariants;
mod targets;
mod undefined_operations;
mod unrolled;

use crate::control::place::Place;
use crate::control::reachability::reachable_from_any;
use crate::engine::{Condition, Engine, Outcome, Task};
use crate::formula::Executor;
use crate::formula::state::Executed;
use crate::monitor::Monitor;
use crate::options::Options;
use crate::outcome::verdict::{Answers, Reason, Statistics};
use crate::paths::Path;
use crate::paths::guess;
use crate::search::distance::Distances;
use crate::undefined::Courses;
use beeline_ir::{EdgeId, LocId, Program};
use beeline_smt::{Meter, QueryLimits, TICKS_PER_SECOND};
use explore::{Bounds, Reached, Setting, Stop};
use inductive_loops::InductiveLoops;
use invariants::Invariants;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;
use targets::TargetQueries;
use tracing::info;
use undefined_operations::UndefinedSearch;
use unrolled::Unrolled;

/// The first bound of loops, and the factor by which it grows.
const FIRST: u32 = 8;
const NEXT: u32 = 4;
/// The factor of the bound of loops on which only constants decide.
const FORCED: u32 = 256;
/// The ticks of the next unrolling that looks whether loops end there: this multiple of what the last one
/// took, or the minimum.
const LOOK_AHEAD: u64 = 4;
const LEAST_AHEAD: u64 = TICKS_PER_SECOND / 4;
/// The greatest number of places of that unrolling, as a multiple of those of the last one, at which it is
/// checked at once.
const MOST_AHEAD: usize = 4;
/// The greatest number of ticks for finding the loops that are proved by induction before they are unrolled.
const BEFORE_INDUCTION: u64 = 3 * TICKS_PER_SECOND;
/// The ticks of that induction: this multiple of what finding the loops took, or the minimum, but no more than this part of
/// the remaining ones.
const WORK_OF_INDUCTION: u64 = 4;
const LEAST_FOR_INDUCTION: u64 = TICKS_PER_SECOND / 3;
const SHARE_OF_INDUCTION: u64 = 4;
/// The ticks of an induction with invariants about all elements of memory, with the same restriction.
const ABOUT_ALL: u64 = 3 * TICKS_PER_SECOND;
/// The least number of ticks of an induction after loops were unrolled: else it takes as many as were used so far.
const LEAST_FOR_LATE_INDUCTION: u64 = TICKS_PER_SECOND / 2;
/// The ticks of making a gate of a formula, which the solver does not count.
const TICKS_OF_A_GATE: u64 = 8;

/// The engine.
#[derive(Debug, Clone, Copy)]
pub struct Bounded<'o> {
    /// The options of the search.
    pub options: &'o Options,
}

impl Engine for Bounded<'_> {
    fn run(&self, task: Task<'_, '_>, monitor: &Monitor) -> Outcome {
        let start = Instant::now();
        let Task { program, distances, known, targets, .. } = task;
        let deadline = self.options.time.and_then(|time| start.checked_add(time));
        let meter = Rc::new(Meter::new(self.options.ticks, deadline, Arc::clone(&monitor.stop)));
        let control = Unrolled::new(program);
        let mut search = Search {
            options: self.options,
            program,
            control: &control,
            distances,
            monitor,
            limits: QueryLimits::of(self.options.query_ticks, Rc::clone(&meter)),
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
        statistics.ticks = search.meter.used();
        statistics.time = start.elapsed();
        Outcome { verdict, statistics, condition, known, graph: None }
    }
}

struct Search<'a, 'd> {
    options: &'a Options,
    program: &'a Program,
    /// One control for all unrollings: distances refer to its contexts.
    control: &'a Unrolled,
    distances: &'a mut Distances<'d>,
    monitor: &'a Monitor,
    meter: Rc<Meter>,
    limits: QueryLimits,
    /// Edges whose results are guesses, when the search is for executions without guesses.
    left_out: FxHashSet<EdgeId>,
    answers: Answers,
    statistics: Statistics,
}

/// The result of an unrolling.
enum Round {
    /// No target is open, or one counterexample was enough.
    Done,
    /// Nothing more can be found, for a reason.
    Ended(Reason),
    /// Loops go on.
    Open(Open),
}

/// The result of an induction before loops are unrolled further.
enum Early<'a> {
    /// No target is reached.
    Shown,
    /// All loops end within an iteration: the unrolling is complete.
    Ends(Box<Found<'a>>),
    /// Nothing is known.
    Open,
}

/// An unrolling beyond which loops go on.
struct Open {
    /// The first of them.
    head: LocId,
    /// All of them.
    heads: BTreeSet<LocId>,
    /// The number of places of the unrolling.
    places: u64,
    /// The number of places in the last iterations that were unrolled.
    last: u64,
    /// Why it is not known whether an execution within the unrolling reaches a target, if that is so.
    left_open: Option<Reason>,
}

impl Open {
    /// An upper estimate of the ticks of the next unrolling, from the iterations and ticks of this one.
    ///
    /// If no loop ends earlier, all further iterations are like the last one. Work grows with the square of
    /// the formula.
    fn work_ahead(&self, iterations: u32, work: u64) -> u64 {
        let more = self.last.saturating_mul(u64::from(iterations)).saturating_mul(u64::from(NEXT - 1));
        let growth = 1.0 + more as f64 / self.places as f64;
        (work as f64 * growth * growth) as u64
    }
}

/// A completed unrolling.
struct Finished<'a> {
    program: &'a Program,
    control: &'a Unrolled,
    executor: Executor<'a>,
    /// The only block. Its exit is set when a path is needed.
    path: Path,
    executed: Vec<Executed>,
}

/// The results of a completed unrolling.
struct Found<'a> {
    finished: Finished<'a>,
    reached: Vec<Reached>,
    /// Places where loops go on beyond their bounds.
    parked: Vec<Reached>,
    ends: Vec<Place>,
    /// The ticks it took.
    work: u64,
}

impl Found<'_> {
    /// Whether no loop goes on: the unwinding assertion holds.
    fn is_all(&self) -> bool {
        self.parked.is_empty()
    }

    fn places(&self) -> usize {
        self.finished.path.blocks[0].0.nodes.len()
    }
}

impl<'a> Search<'a, '_> {
    /// Unrolls further and further. Returns the limit that ended the search, if one did.
    fn run(&mut self) -> Option<Reason> {
        let unwind = &self.options.unwind;
        let first = unwind.all.unwrap_or(FIRST);
        let mut bounds =
            Bounds { iterations: first, of: unwind.of.clone(), forced: first.saturating_mul(FORCED) };
        let mut ahead: Option<Found<'a>> = None;
        if unwind.all.is_none() {
            match self.induct_at_once(&bounds) {
                Early::Shown => return None,
                Early::Ends(found) => ahead = Some(*found),
                Early::Open => {}
            }
        }
        loop {
            self.distances.aim(self.answers.open());
            let mut found = match ahead.take().map_or_else(|| self.unroll(&bounds, u64::MAX), Ok) {
                Ok(found) => found,
                Err(reason) => return Some(reason),
            };
            if !found.is_all() && unwind.all.is_none() {
                ahead = self.look_ahead(&bounds, (LOOK_AHEAD * found.work).max(LEAST_AHEAD));
                let most = MOST_AHEAD * found.places();
                if let Some(next) = ahead.take_if(|next| next.is_all() && next.places() <= most) {
                    bounds = bounds.further();
                    found = next;
                }
            }
            let begun = self.meter.used() - found.work;
            let open = match self.decide(found, &bounds) {
                Round::Ended(reason) => return Some(reason),
                Round::Done if self.answers.look_without_guesses() => {
                    info!("counterexamples depend on guesses: the search excludes guesses");
                    self.left_out = guess::guesses(self.program).into_keys().collect();
                    ahead = None;
                    continue;
                }
                Round::Done => return None,
                Round::Open(open) => open,
            };
            if let Some(iterations) = self.bound_of(open.head) {
                return Some(self.bound(iterations, open.head));
            }
            if !ahead.as_ref().is_some_and(Found::is_all) {
                // Without all edges, nothing is a proof.
                let most = self.meter.used().max(LEAST_FOR_LATE_INDUCTION);
                if bounds.iterations == first
                    && !self.answers.without_guesses()
                    && self.induct(&open.heads, most)
                {
                    return None;
                }
                if self.is_hopeless(&open, bounds.iterations, begun) {
                    ahead = ahead.or_else(|| self.look_ahead(&bounds, self.most_left()));
                    if !ahead.as_ref().is_some_and(Found::is_all) {
                        return Some(
                            open.left_open.unwrap_or_else(|| self.bound(bounds.iterations, open.head)),
                        );
                    }
                }
            }
            bounds = bounds.further();
            info!(iterations = bounds.iterations, "loops go on: unrolling further");
            self.statistics.restarts += 1;
        }
    }

    /// Tries induction over the loops that go on after one iteration, before they are unrolled further.
    fn induct_at_once(&mut self, bounds: &Bounds) -> Early<'a> {
        let once = Bounds { iterations: 1, ..bounds.clone() };
        let most = BEFORE_INDUCTION.min(self.left() / SHARE_OF_INDUCTION);
        let Ok(found) = self.unroll(&once, self.meter.used().saturating_add(most)) else {
            return Early::Open;
        };
        if found.is_all() {
            return Early::Ends(Box::new(found));
        }
        let heads = found.parked.iter().map(|at| found.finished.loc(at)).collect();
        let most = (WORK_OF_INDUCTION * found.work).max(LEAST_FOR_INDUCTION);
        let most = most.min(self.left() / SHARE_OF_INDUCTION);
        let most_about_all = ABOUT_ALL.min(self.left() / SHARE_OF_INDUCTION);
        match self.induct(&heads, most) || self.induct_about_all(&heads, most_about_all) {
            true => Early::Shown,
            false => Early::Open,
        }
    }

    /// The next unrolling, if so many ticks suffice for it.
    fn look_ahead(&mut self, bounds: &Bounds, ticks: u64) -> Option<Found<'a>> {
        self.unroll(&bounds.further(), self.meter.used().saturating_add(ticks)).ok()
    }

    /// Whether the limit on ticks will end the next unrolling, judged by the last one with its number of
    /// iterations and the tick at which it began.
    fn is_hopeless(&self, open: &Open, iterations: u32, begun: u64) -> bool {
        let used = self.meter.used();
        let needed = used.saturating_add(open.work_ahead(iterations, used - begun));
        self.options.ticks.is_some_and(|ticks| needed > ticks)
    }

    /// Most of the remaining ticks.
    fn most_left(&self) -> u64 {
        self.left() / 4 * 3
    }

    /// The remaining ticks.
    fn left(&self) -> u64 {
        self.options.ticks.unwrap_or(u64::MAX).saturating_sub(self.meter.used())
    }

    /// The bound of a loop or recursion, if an option sets it.
    fn bound_of(&self, head: LocId) -> Option<u32> {
        let unwind = &self.options.unwind;
        unwind.of.get(&head).copied().or(unwind.all)
    }

    /// The reason that nothing was found within a bound.
    fn bound(&self, iterations: u32, head: LocId) -> Reason {
        Reason::Bound(iterations, loop_at(self.program, head, self.control.is_head(head)))
    }

    /// Unrolls as far as bounds and ticks allow.
    fn unroll(&mut self, bounds: &Bounds, until: u64) -> Result<Found<'a>, Reason> {
        let before = self.meter.used();
        let inductions = InductiveLoops::default();
        let setting = Setting {
            program: self.program,
            control: self.control,
            meter: &self.meter,
            until,
            monitor: self.monitor,
            query_ticks: self.options.query_ticks,
            bounds,
            inductions: &inductions,
            left_out: &self.left_out,
        };
        let mut unrolling = explore::Unrolling::new(setting, self.distances, Invariants::default());
        let ended = unrolling.run();
        self.statistics.states += unrolling.block.nodes.len() as u64;
        if let Some(questions) = &unrolling.executor.questions {
            self.statistics.add_queries(questions.limits());
        }
        match ended {
            Ok(()) => {}
            Err(Stop::Limit(reason)) => return Err(reason),
            Err(Stop::Unsupported(what)) => return Err(Reason::Unsupported(what.to_string())),
        }
        let ends = unrolling.ends();
        let explore::Unrolling { executor, block, done, reached, parked, .. } = unrolling;
        let (places, work) = (block.nodes.len(), self.meter.used() - before);
        info!(places, targets = reached.len(), parked = parked.len(), work, "unrolled");
        let path = Path { blocks: vec![(Rc::new(block), 0)], ..Path::default() };
        let (program, control) = (self.program, self.control);
        let finished = Finished { program, control, executor, path, executed: vec![done] };
        Ok(Found { finished, reached, parked, ends, work })
    }

    /// Decides which targets an unrolling reaches.
    fn decide(&mut self, found: Found<'_>, bounds: &Bounds) -> Round {
        let Found { mut finished, reached, parked, ends, work } = found;
        let start = Instant::now();
        if parked.is_empty() && !self.answers.have_error() {
            self.meter.extend(self.options.ticks_for_questions);
        }
        let goes_on = parked.first().is_some_and(|at| self.bound_of(finished.loc(at)).is_none());
        let mut deciding = TargetQueries {
            answers: &mut self.answers,
            monitor: self.monitor,
            limits: &self.limits,
            meter: &self.meter,
            statistics: &mut self.statistics,
            is_all: parked.is_empty(),
            goes_on,
            work,
            left_open: None,
            unsettled: BTreeSet::new(),
        };
        let ended = deciding.decide(&mut finished, reached);
        let TargetQueries { left_open, unsettled, .. } = deciding;
        self.statistics.path_time += start.elapsed();
        if !self.answers.are_complete() && !self.answers.without_guesses() {
            self.exclude_shown(&mut finished, &parked, &unsettled, ends);
        }
        if self.answers.are_complete() {
            return Round::Done;
        }
        if let Some(reason) = ended {
            return Round::Ended(reason);
        }
        if let Some(first) = parked.first() {
            let nodes = &finished.path.blocks[0].0.nodes;
            let is_last = |place: &&Place| self.control.is_in_iteration(place.stack, bounds.iterations);
            let (places, last) = (nodes.len() as u64, nodes.iter().filter(is_last).count() as u64);
            let head = finished.loc(first);
            let heads = parked.iter().map(|at| finished.loc(at)).collect();
            return Round::Open(Open { head, heads, places, last, left_open });
        }
        // Without all edges, this is no proof.
        Round::Done
    }

    /// Excludes the open targets that an unrolling shows to be unreachable: those without an unsettled query, and
    /// to which no loop leads that goes on.
    fn exclude_shown(
        &mut self,
        finished: &mut Finished<'_>,
        parked: &[Reached],
        unsettled: &BTreeSet<LocId>,
        ends: Vec<Place>,
    ) {
        let nodes = &finished.path.blocks[0].0.nodes;
        let ahead = reachable_from_any(self.program, self.control, parked.iter().map(|at| nodes[at.node]));
        let is_shown = |target: &&LocId| !ahead.contains(**target) && !unsettled.contains(target);
        let shown: BTreeSet<LocId> = self.answers.open().iter().filter(is_shown).copied().collect();
        if shown.is_empty() && !self.answers.open().is_empty() {
            return;
        }
        let others = self.answers.turn_to(shown);
        let survey = UndefinedSearch {
            answers: &mut self.answers,
            distances: self.distances,
            meter: &self.meter,
            query_ticks: self.options.query_ticks,
            statistics: &mut self.statistics,
            courses: Courses {
                program: self.program,
                undefined: self.options.undefined,
                monitor: self.monitor,
            },
        };
        survey.exclude_open(finished, ends);
        self.answers.turn_to(others);
        self.distances.aim(self.answers.open());
    }
}

/// The description of a loop or a recursion, for people.
fn loop_at(program: &Program, loc: LocId, is_head: bool) -> String {
    let func = program.function_of(loc);
    if !is_head {
        return format!("the recursion of {}", program.source_function(func));
    }
    let span = program.out_edges(loc).find_map(|edge| program.edges[edge].span);
    // A function of the library, or one that copies memory, has no lines: its callers have.
    match (span, program.callers(func).first()) {
        (Some(span), _) => format!("the loop at {}", program.show_span(span)),
        (None, Some(caller)) => format!("the loop of what is called at {}", program.show_span(*caller)),
        (None, None) => format!("the loop at {}", program.label(loc)),
    }
}
