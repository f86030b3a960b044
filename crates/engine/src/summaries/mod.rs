//! Summaries: functions are explored on their own, in contexts that calls share.
//!
//! The engine explores, checks the path to a target, and refines, as lazy abstraction does. But a state knows
//! nothing about the callers of its function. Every call whose entry state a context includes reuses what was
//! found in that context, and recursion ends where a call enters an existing context. Values come first: the
//! passed values determine contexts. Predicates come from Horn clauses with a relation for the entry and the
//! exit of each function, and may be about ghosts. Then what holds at an exit is a summary.

mod call;
mod explored;
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
use crate::paths::guess;
use crate::search::policy::{self, Trust};
use crate::state::arg::NodeId;
use crate::state::bdd::Bdds;
use crate::state::precision::Knowledge;
use beeline_ir::{LocId, Program};
use beeline_smt::interpolate::Arithmetic;
use beeline_smt::{Meter, QueryLimits, TICKS_PER_SECOND};
use explored::Explored;
use horn::{Clauses, Shape, Source};
use rustc_hash::FxHashSet;
use space::path::{Key, Part};
use space::{Event, Manner, Space};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;
use tracing::{debug, info};

/// The ticks for Spacer to solve the clauses of one path: at first, and after each attempt without anything
/// new.
const EFFORTS: [u64; 5] = [
    TICKS_PER_SECOND * 3 / 10,
    TICKS_PER_SECOND * 3 / 2,
    TICKS_PER_SECOND * 6,
    TICKS_PER_SECOND * 24,
    TICKS_PER_SECOND * 96,
];

/// The greatest number of parts of a path that is analysed in detail.
const MOST_REFINED: usize = 1000;

/// A failed attempt: the parts of a path, the arithmetic in which predicates were sought for all their
/// combinations, and the ticks.
type Try = (BTreeSet<Key>, Arithmetic, u64);

/// The attempts to exclude a path in order, with a factor for their ticks.
///
/// What excludes all combinations of the path's parts generalizes best, but one of them may be feasible.
/// Where no result is too large for its type, a solution in unbounded integers holds for machine integers,
/// too.
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

/// The manner in which graphs are explored.
fn manner(options: &Options) -> Manner {
    let most_inside = if options.domain.predicates() { 64 } else { 4096 };
    Manner { asks: !options.domain.values(), most_inside, splits: false }
}

/// The engine.
#[derive(Debug, Clone, Copy)]
pub struct Summaries<'o> {
    /// The options of the search.
    pub options: &'o Options,
}

impl Engine for Summaries<'_> {
    fn run(&self, task: Task<'_, '_>, monitor: &Monitor) -> Outcome {
        let start = Instant::now();
        let Task { program, distances, known, targets, .. } = task;
        // The given knowledge is handed on unchanged: what is learned is about ghosts, which exist in
        // contexts only.
        let given = known.clone();
        let deadline = self.options.time.and_then(|time| start.checked_add(time));
        let meter = Rc::new(Meter::new(self.options.ticks, deadline, Arc::clone(&monitor.stop)));
        let mut answers = Answers::new(targets, self.options.after_error, Rc::clone(&meter));
        let (mut known, mut statistics) = (known, Statistics::default());
        // Where calls share contexts, other values may have become too many to be tracked.
        known.precision.forget_values();
        let manner = manner(self.options);
        // Each search ends with its first counterexample. The next one searches for the other targets.
        let (mut bdds, mut kept) = (Bdds::default(), None);
        let ended = loop {
            distances.aim(answers.open());
            let (meter, targets) = (Rc::clone(&meter), answers.open());
            let shared = Rc::clone(&meter);
            let mut space = Space::new(program, self.options, targets, distances, monitor, shared, manner);
            space.bdds = bdds;
            let mut search = Search::new(self.options, program, targets.clone(), space, meter, (known, kept));
            let ending = search.run();
            if let Ending::Unknown(reason) = &ending
                && let Some((targets, proof)) = search.shown(reason)
            {
                let others = answers.turn_to(targets);
                answers.open_excluded(proof);
                answers.turn_to(others);
            }
            if matches!(ending, Ending::Unsafe(_)) {
                search.keep_explored();
            }
            statistics += &search.statistics();
            (known, kept, bdds) = (search.known, search.kept, search.space.bdds);
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

/// The ending of a search for some targets: all are excluded, or one is answered.
enum Ending {
    /// No execution reaches a target.
    Safe(Proof),
    /// This execution reaches a target.
    Unsafe(Box<Counterexample>),
    /// This execution reaches a target if a guess is right.
    Possible(Reason, Box<Counterexample>),
    /// There is no answer.
    Unknown(Reason),
}

struct Search<'a, 'b> {
    options: &'a Options,
    program: &'a Program,
    /// The targets that it searches for.
    targets: BTreeSet<LocId>,
    meter: Rc<Meter>,
    limits: QueryLimits,
    space: Space<'a, 'b>,
    known: Knowledge,
    /// The current trust in values.
    trust: Trust,
    /// The tick at which predicates have used what they may to replace a variable that lost its tracking.
    patience_ends: Option<u64>,
    /// The locations from which everything that conditions read is tracked.
    conditions_tracked: FxHashSet<LocId>,
    /// The reason why a path to a target was not decided.
    unresolved: Option<Reason>,
    /// Attempts that found nothing.
    failed: FxHashSet<Try>,
    /// A counterexample that depends on a guess: the search goes on without guesses.
    guess: Option<(Reason, Box<Counterexample>)>,
    /// The graph before a restart that excludes the most targets, if one does.
    kept: Option<Explored>,
}

impl<'a, 'b> Search<'a, 'b> {
    /// A search for targets with what earlier ones left: knowledge, and a graph to go on with.
    fn new(
        options: &'a Options,
        program: &'a Program,
        targets: BTreeSet<LocId>,
        space: Space<'a, 'b>,
        meter: Rc<Meter>,
        (known, kept): (Knowledge, Option<Explored>),
    ) -> Search<'a, 'b> {
        Search {
            options,
            program,
            targets,
            limits: QueryLimits::of(options.query_ticks, Rc::clone(&meter)),
            space,
            meter,
            known,
            trust: Trust::new(options.value_threshold),
            patience_ends: None,
            conditions_tracked: FxHashSet::default(),
            unresolved: None,
            failed: FxHashSet::default(),
            guess: None,
            kept,
        }
    }
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
        self.keep_explored();
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

    /// The ending without an answer, unless there is a counterexample that depends on a guess.
    fn unknown(&mut self, reason: Reason) -> Ending {
        match self.guess.take() {
            Some((guess, path)) => Ending::Possible(guess, path),
            None => Ending::Unknown(reason),
        }
    }

    /// Checks the path to a target. Returns the ending, if that decides the search.
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
                info!(%reason, "a counterexample depends on a guess: the search excludes guesses");
                self.keep_explored();
                self.guess = Some((reason, path));
                self.space.leave_out(guess::guesses(self.program).into_keys());
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

    /// Adds predicates that exclude a path. Returns whether one of them was new.
    fn refine(&mut self, parts: &[Part]) -> bool {
        let start = Instant::now();
        // If the predicates that exclude the path are already known, their abstraction needs more effort.
        let new = EFFORTS.into_iter().any(|ticks| match self.learn(parts, ticks) {
            Some(new) => new || self.abstract_better(),
            None => false,
        });
        let new = new || self.abstract_better();
        self.space.statistics.predicate_time += start.elapsed();
        info!(parts = parts.len(), new, predicates = self.known.predicates.len(), "a path is infeasible");
        new
    }

    /// Searches for predicates with so many ticks for each attempt. Returns whether one is new; `None` if
    /// nothing is found.
    fn learn(&mut self, parts: &[Part], ticks: u64) -> Option<bool> {
        let mut found = None;
        let which: BTreeSet<_> = parts.iter().map(Part::key).collect();
        // As long as values may be tracked again, no single attempt may take all the time that predicates
        // have.
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
            debug!(?shape, ?arithmetic, ticks, ?learned, "Horn clauses of a path");
            match learned {
                Some(true) => return learned,
                Some(false) => found = learned,
                None => drop(failed.insert(attempt)),
            }
        }
        found
    }

    /// Increases the effort of abstraction, if that is possible.
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
