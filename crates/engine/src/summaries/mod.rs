//! Summaries: functions are explored on their own, in contexts that calls share.
//!
//! Explore, check the way that leads to a target, refine: as lazy abstraction does. But a state knows nothing of who
//! called its function. What a context found out is used by every call that it describes, and recursion ends where a
//! call enters a context that is there already. Values come first: those that are passed make contexts. Predicates come
//! from Horn clauses with a relation for the entry and the exit of each function, and may speak of what was there at the
//! entry: what holds at an exit then is a summary.

mod call;
mod finish;
mod horn;
mod intraprocedural;
mod query_cache;
mod space;
mod subsumption;
mod tracking;
mod values;

use crate::engine::{Condition, Engine, Outcome, Task};
use crate::monitor::Monitor;
use crate::options::{Arithmetics, Options};
use crate::outcome::verdict::{Answers, Proof, Reason, Statistics, limit_reached};
use crate::paths::counterexample::{self, Counterexample, Effort, Feasibility};
use crate::search::policy::{self, Trust};
use crate::state::arg::NodeId;
use crate::state::precision::Knowledge;
use beeline_ir::{LocId, Program};
use beeline_smt::interpolate::Arithmetic;
use beeline_smt::{Meter, QueryLimits, TICKS_PER_SECOND};
use horn::{Clauses, Shape, Source};
use rustc_hash::FxHashSet;
use space::path::{Key, Part};
use space::{Event, Manner, Space};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;
use tracing::{debug, info};

/// What Spacer may use for the clauses of one way, first and when that found nothing new.
const EFFORTS: [u64; 5] = [
    TICKS_PER_SECOND * 3 / 10,
    TICKS_PER_SECOND * 3 / 2,
    TICKS_PER_SECOND * 6,
    TICKS_PER_SECOND * 24,
    TICKS_PER_SECOND * 96,
];

/// How many parts a way may have for it to be looked at in detail why it is infeasible.
const MOST_REFINED: usize = 1000;

/// The parts of a way, in which numbers predicates were looked for that exclude all that they make up, and with how
/// many ticks.
type Try = (BTreeSet<Key>, Arithmetic, u64);

/// What is tried to exclude a way, in this order, and how many times the ticks are worth it.
///
/// What excludes all that the parts of the way can make up generalizes best, but there may be an execution among it.
/// Where no result is too large, what is found in unbounded integers holds for machine integers, too.
fn tries(arithmetics: Arithmetics) -> impl Iterator<Item = (Shape, Arithmetic, u64)> {
    use Arithmetic::{BitVectors, FittingIntegers, Integers, WrappingIntegers};
    let all = [
        (Shape::Program, FittingIntegers, 4),
        (Shape::Program, Integers, 1),
        (Shape::Way, FittingIntegers, 1),
        (Shape::Way, Integers, 1),
        (Shape::Way, BitVectors, 1),
        (Shape::Program, WrappingIntegers, 1),
        (Shape::Program, BitVectors, 1),
    ];
    all.into_iter().filter(move |&(_, arithmetic, _)| match arithmetics {
        Arithmetics::BitVectors => arithmetic == BitVectors,
        Arithmetics::Integers => arithmetic != BitVectors,
        Arithmetics::Both => true,
    })
}

/// The engine.
#[derive(Debug, Clone, Copy)]
pub struct Summaries<'o> {
    /// How to search.
    pub options: &'o Options,
}

impl Engine for Summaries<'_> {
    fn run(&self, task: Task<'_, '_>, monitor: &Monitor) -> Outcome {
        let start = Instant::now();
        let Task { program, distances, known, targets, .. } = task;
        // It is handed on as it was: what is learned speaks of ghosts, which are known in contexts only.
        let given = known.clone();
        let deadline = self.options.time.and_then(|time| start.checked_add(time));
        let meter = Rc::new(Meter::new(self.options.ticks, deadline, Arc::clone(&monitor.stop)));
        let mut answers = Answers::new(targets, self.options.after_error, Rc::clone(&meter));
        let (mut known, mut statistics) = (known, Statistics::default());
        // Which values are too many to be tracked is another matter where calls share contexts.
        known.precision.forget_values();
        let manner = Manner {
            asks: !self.options.domain.values(),
            most_inside: if self.options.domain.predicates() { 64 } else { 4096 },
            splits: false,
        };
        // Each search ends with its first counterexample; the next one looks for the other targets.
        let ended = loop {
            distances.aim(answers.open());
            let (limits, meter) =
                (QueryLimits::of(self.options.query_ticks, Rc::clone(&meter)), Rc::clone(&meter));
            let shared = Rc::clone(&meter);
            let space = Space::new(program, self.options, answers.open(), distances, monitor, shared, manner);
            let mut search = Search {
                options: self.options,
                program,
                limits,
                space,
                meter,
                known,
                trust: Trust::new(self.options.value_threshold),
                patience_ends: None,
                conditions_tracked: FxHashSet::default(),
                unresolved: None,
                failed: FxHashSet::default(),
                guess: None,
            };
            let ending = search.run();
            statistics += &search.statistics();
            known = search.known;
            match ending {
                Ending::Safe(proof) => {
                    answers.open_excluded(proof);
                    break None;
                }
                Ending::Unsafe(path) => answers.reached(path),
                Ending::Possible(reason, path) => answers.guessed(reason, path),
                Ending::Unknown(reason) => break Some(reason),
            }
            if answers.are_complete() {
                break None;
            }
        };
        let verdict = answers.end(ended);
        let condition = if verdict.is_safe() { Condition::Nothing } else { Condition::Everything };
        statistics.ticks = meter.used();
        statistics.time = start.elapsed();
        Outcome { verdict, statistics, condition, known: given, graph: None }
    }
}

/// How a search for some targets ends: with all of them excluded, or with the first answer on one.
enum Ending {
    /// No execution reaches a target.
    Safe(Proof),
    /// This execution does.
    Unsafe(Box<Counterexample>),
    /// This execution does if a guess is right.
    Possible(Reason, Box<Counterexample>),
    /// There is no answer.
    Unknown(Reason),
}

struct Search<'a, 'b> {
    options: &'a Options,
    program: &'a Program,
    meter: Rc<Meter>,
    limits: QueryLimits,
    space: Space<'a, 'b>,
    known: Knowledge,
    /// How much is expected of values by now.
    trust: Trust,
    /// When predicates have had what they may use to do without a variable that was given up.
    patience_ends: Option<u64>,
    /// The locations from which all is tracked that conditions read.
    conditions_tracked: FxHashSet<LocId>,
    /// Nobody could decide a way to a target, for this reason.
    unresolved: Option<Reason>,
    /// Tries that found nothing.
    failed: FxHashSet<Try>,
    /// A counterexample rests on this guess: the search goes on without guesses.
    guess: Option<(Reason, Box<Counterexample>)>,
}

impl Search<'_, '_> {
    fn run(&mut self) -> Ending {
        self.restart();
        loop {
            if let Some(reason) = self.limit_reached() {
                return self.unknown(reason);
            }
            match self.space.step() {
                Event::Exhausted => return self.exhausted(),
                Event::Explored => {}
                Event::Open(id) if self.is_relieved(id) => self.restart(),
                Event::Open(id) => {
                    self.space.expand(id, &mut self.known);
                    if self.space.lines.is_refuted {
                        self.restart();
                    }
                }
                Event::Target(id) => {
                    if let Some(verdict) = self.target(id) {
                        return verdict;
                    }
                }
            }
        }
    }

    fn restart(&mut self) {
        self.unresolved = None;
        self.space.restart(&self.known);
    }

    fn limit_reached(&self) -> Option<Reason> {
        let too_many = self.space.nodes.len() >= self.options.max_states;
        limit_reached(&self.meter).or(too_many.then_some(Reason::States))
    }

    fn exhausted(&mut self) -> Ending {
        match (self.guess.take(), self.unresolved.take()) {
            (Some((reason, path)), _) => Ending::Possible(reason, path),
            (None, Some(reason)) => Ending::Unknown(reason),
            (None, None) => self.safe(),
        }
    }

    /// There is no answer, but perhaps a counterexample that rests on a guess.
    fn unknown(&mut self, reason: Reason) -> Ending {
        match self.guess.take() {
            Some((guess, path)) => Ending::Possible(guess, path),
            None => Ending::Unknown(reason),
        }
    }

    /// A way leads to a target: the verdict, if that decides it.
    fn target(&mut self, id: NodeId) -> Option<Ending> {
        self.space.statistics.paths_checked += 1;
        if self.is_impatient() && self.return_to_values() {
            return None;
        }
        let parts = self.space.way_to(id);
        let is_long = parts.as_ref().is_none_or(|parts| parts.len() > MOST_REFINED);
        if is_long && self.track_way(id) {
            return None;
        }
        let Some(parts) = parts else {
            self.unresolved = Some(Reason::NoProgress);
            return None;
        };
        let (control, path) = space::path::path(self.program, &parts);
        if !is_long && self.refine_values(&control, &path) {
            return None;
        }
        let start = Instant::now();
        let feasibility = counterexample::check(
            self.program,
            &control,
            &path,
            Effort { limits: &self.limits, most_terms: None },
        );
        self.space.statistics.path_time += start.elapsed();
        match feasibility {
            Feasibility::Feasible(counterexample) => return Some(Ending::Unsafe(counterexample)),
            Feasibility::Guessed(reason, path) => {
                info!(%reason, "a counterexample rests on a guess: the search goes on without");
                self.guess = Some((reason, path));
                self.space.leave_out(counterexample::guesses(self.program).into_keys());
                self.restart();
            }
            Feasibility::Undecided(reason) => self.unresolved = Some(reason),
            Feasibility::Infeasible if self.split_inputs(id) || self.guess_less() => {}
            Feasibility::Infeasible if self.ask_the_solver() => {}
            Feasibility::Infeasible if self.options.domain.predicates() && self.refine(&parts) => {
                self.space.statistics.predicate_refinements += 1;
                self.restart();
            }
            Feasibility::Infeasible if self.return_to_values() => {}
            Feasibility::Popped(_) => self.unresolved = Some(Reason::NoProgress),
            Feasibility::Infeasible => self.unresolved = Some(Reason::NoPredicates),
        }
        None
    }

    /// Adds predicates that exclude a way; was one of them new?
    fn refine(&mut self, parts: &[Part]) -> bool {
        let start = Instant::now();
        // Where what excludes the way is known already, it has to be abstracted with more care.
        let new = EFFORTS.into_iter().any(|ticks| match self.learn(parts, ticks) {
            Some(new) => new || self.abstract_better(),
            None => false,
        });
        let new = new || self.abstract_better();
        self.space.statistics.predicate_time += start.elapsed();
        info!(parts = parts.len(), new, predicates = self.known.predicates.len(), "a way is infeasible");
        new
    }

    /// Looks for predicates with so many ticks for each try: is one new? `None` if nothing is found.
    fn learn(&mut self, parts: &[Part], ticks: u64) -> Option<bool> {
        let mut found = None;
        let which: BTreeSet<_> = parts.iter().map(Part::key).collect();
        // As long as values may be tracked again, no single try may take all the time that predicates have.
        let most = self.patience_ends.map_or(u64::MAX, |_| self.trust.patience);
        for (shape, arithmetic, times) in tries(self.options.arithmetic) {
            let too_long = shape == Shape::Way && parts.len() > MOST_REFINED;
            let ticks = ticks.saturating_mul(times).min(most);
            let attempt = (which.clone(), arithmetic, ticks);
            if too_long || self.is_impatient() {
                continue;
            }
            let Search { program, space, known, limits, failed, .. } = self;
            if limits.is_over() || shape == Shape::Program && failed.contains(&attempt) {
                continue;
            }
            let source = Source {
                program,
                control: &space.control,
                effects: &|func| space.effects(func),
                is_target: &|loc| space.is_target(loc),
            };
            let clauses = Clauses::new(source, parts, shape);
            let learned =
                clauses.ok().and_then(|mut clauses| clauses.learn(known, arithmetic, limits, ticks));
            debug!(?shape, ?arithmetic, ticks, ?learned, "Horn clauses of a way");
            match learned {
                Some(true) => return learned,
                Some(false) => found = learned,
                None => drop(failed.insert(attempt)),
            }
        }
        found
    }

    /// Abstracts with more care, if more can be done.
    fn abstract_better(&mut self) -> bool {
        let more = policy::more_care(self.known.care, self.options.query_ticks);
        more.is_some_and(|care| {
            self.known.care = care;
            true
        })
    }

    fn statistics(&self) -> Statistics {
        let mut statistics = self.space.statistics.clone();
        statistics.states += self.space.nodes.len() as u64;
        statistics.predicates = self.known.predicates.len() as u64;
        statistics.tracked = self.known.precision.tracked.len() as u64;
        statistics.ticks = self.meter.used();
        for limits in [&self.limits, &self.space.limits] {
            statistics.add_queries(limits);
        }
        statistics
    }
}
