//! Lazy abstraction, refined by counterexamples: explore, check a path that reaches a target, refine.

mod finish;
mod predicates;
mod values;

use crate::arg::NodeId;
use crate::block::CutPoints;
use crate::call_strings::CallStrings;
use crate::counterexample::{self, Counterexample, Feasibility};
use crate::distance::Distances;
use crate::engine::{Condition, Engine, Outcome, Task};
use crate::explore::{Event, Manner, Space};
use crate::monitor::Monitor;
use crate::options::{Domain, Options};
use crate::path::Path;
use crate::policy::{self, Trust};
use crate::precision::Knowledge;
use crate::refiner::{Pivot, Refiner};
use crate::search::Waitlist;
use crate::verdict::{Answers, Reason, Statistics, Verdict, limit_reached};
use beeline_ir::{LocId, Program};
use beeline_smt::{Meter, QueryLimits};
use predicates::PredicateRefiner;
use rustc_hash::FxHashSet;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;
use tracing::info;
use values::ValueRefiner;

/// Looks for an execution that reaches a target, with nothing known beforehand.
pub fn verify(
    program: &Program,
    options: &Options,
    distances: &mut Distances<'_>,
    monitor: &Monitor,
) -> (Verdict, Statistics) {
    let task = Task::new(program, distances, options.nothing_known());
    let outcome = Lazy { options }.run(task, monitor);
    (outcome.verdict, outcome.statistics)
}

/// The engine.
#[derive(Debug, Clone, Copy)]
pub struct Lazy<'o> {
    /// How to search.
    pub options: &'o Options,
}

impl Engine for Lazy<'_> {
    fn run(&self, task: Task<'_, '_>, monitor: &Monitor) -> Outcome {
        let start = Instant::now();
        let mut search = Search::new(self.options, task, monitor, start);
        let ended = search.run();
        let mut statistics = search.statistics();
        statistics.time = start.elapsed();
        let kept = self.options.keeps_graph && !search.answers.have_proof();
        let graph = kept.then(|| Box::new(search.space.open_graph(&search.known.predicates)));
        let Search { answers, known, .. } = search;
        let verdict = answers.end(ended);
        let condition = if verdict.is_safe() { Condition::Nothing } else { Condition::Everything };
        Outcome { verdict, statistics, condition, known, graph }
    }
}

struct Search<'a, 'b> {
    options: &'a Options,
    meter: Rc<Meter>,
    limits: QueryLimits,
    space: Space<'a, 'b>,
    known: Knowledge,
    values: ValueRefiner,
    predicates: PredicateRefiner,
    /// How much is expected of values by now.
    trust: Trust,
    /// When predicates have had what they may use to do without a variable that was given up.
    patience_ends: Option<u64>,
    /// The locations from which all is tracked that conditions read.
    conditions_tracked: FxHashSet<LocId>,
    /// Target states whose paths nobody could decide.
    unresolved: Vec<(NodeId, Reason)>,
    answers: Answers,
}

/// What became of a path to a target.
enum Checked {
    Violation(Box<Counterexample>),
    Guessed(Reason, Box<Counterexample>),
    Refined,
    Unresolved(Reason),
}

impl<'a, 'b> Search<'a, 'b> {
    fn new(options: &'a Options, task: Task<'a, 'b>, monitor: &'a Monitor, start: Instant) -> Search<'a, 'b> {
        let Task { program, distances, known, targets: asked } = task;
        let deadline = options.time.and_then(|time| start.checked_add(time));
        let meter = Rc::new(Meter::new(options.ticks, deadline, Arc::clone(&monitor.stop)));
        let ends: FxHashSet<LocId> = program.targets.iter().map(|target| target.loc).collect();
        let mut cut_points = CutPoints::new(program, options.blocks, ends);
        if options.domain == Domain::Predicates {
            cut_points.allow_large_blocks();
        }
        let manner = Manner {
            predicates: options.domain.predicates(),
            // Predicates can take over.
            most_inside: if options.domain.predicates() { 64 } else { 4096 },
            checks_targets: options.domain != Domain::Both,
        };
        let waitlist = Waitlist::new(options.order, program);
        let control = Box::new(CallStrings::new(program));
        let parts = (cut_points, waitlist);
        Search {
            options,
            limits: QueryLimits::of(options.query_ticks, Rc::clone(&meter)),
            space: Space::new(program, control, distances, monitor, Rc::clone(&meter), parts, manner),
            meter,
            known,
            values: ValueRefiner { most_inside: manner.most_inside },
            predicates: PredicateRefiner::new(options),
            trust: Trust::new(options.value_threshold),
            patience_ends: None,
            conditions_tracked: FxHashSet::default(),
            unresolved: Vec::new(),
            answers: Answers::new(asked, options.first),
        }
    }

    /// Searches until nothing is left to look for; says why it ended before if a limit did that.
    fn run(&mut self) -> Option<Reason> {
        self.space.aim(self.answers.open());
        self.restart();
        loop {
            if let Some(reason) = self.limit_reached() {
                return Some(reason);
            }
            match self.space.step() {
                Event::Exhausted => {
                    self.exhausted();
                    if !self.do_without_guesses() {
                        return None;
                    }
                }
                Event::Closed => {}
                Event::Target(id) => {
                    self.target(id);
                    if self.answers.are_complete() && !self.do_without_guesses() {
                        return None;
                    }
                }
                Event::Open(id) if self.is_relieved(id) => self.restart(),
                Event::Open(id) => {
                    if let Err(reason) = self.space.expand(id, &self.known) {
                        return Some(reason);
                    }
                }
            }
        }
    }

    /// Begins anew with what is known now.
    fn restart(&mut self) {
        self.unresolved.clear();
        self.space.restart(&self.known);
    }

    fn limit_reached(&self) -> Option<Reason> {
        let too_many = self.space.arg.len() >= self.options.max_states;
        limit_reached(&self.meter).or(too_many.then_some(Reason::States))
    }

    /// No state waits any more: the graph is a proof for the open targets that it has no state at.
    fn exhausted(&mut self) {
        if self.answers.without_guesses() {
            // It lacks edges.
            return;
        }
        for (id, reason) in std::mem::take(&mut self.unresolved) {
            let node = &self.space.arg[id];
            if node.alive {
                self.answers.undecided(node.place.loc, reason);
            }
        }
        if !self.answers.are_complete() {
            self.exclude_open();
        }
    }

    /// Were there so many states at the location of a state that something else is tracked now?
    fn is_relieved(&mut self, id: NodeId) -> bool {
        let place = self.space.arg[id].place;
        let visits = self.space.visits.get(&place.loc).copied().unwrap_or_default();
        let crowded = policy::crowded(visits, self.trust.threshold);
        let least = crowded.filter(|_| self.options.domain == Domain::Both);
        least.is_some_and(|least| self.relieve(place, least))
    }

    /// A path leads to a target.
    fn target(&mut self, id: NodeId) {
        let impatient = self.patience_ends.is_some_and(|end| self.meter.used() >= end);
        if impatient && self.return_to_values() {
            return;
        }
        match self.check(id) {
            Checked::Violation(counterexample) => {
                info!(target = %self.space.program.label(counterexample.target), "a target is reached");
                self.space.monitor.find(&counterexample);
                self.answers.reached(counterexample);
                self.space.aim(self.answers.open());
            }
            Checked::Refined => {}
            Checked::Guessed(reason, path) => {
                info!(%reason, "a counterexample rests on a guess");
                self.answers.guessed(reason, path);
                self.space.aim(self.answers.open());
            }
            Checked::Unresolved(_) if self.return_to_values() => {}
            Checked::Unresolved(reason) => self.unresolved.push((id, reason)),
        }
    }

    /// Looks for counterexamples that rest on no guess where only such were found: begins anew without the edges
    /// that make guesses. Is there anything to look for?
    fn do_without_guesses(&mut self) -> bool {
        let goes_on = self.answers.look_without_guesses();
        if goes_on {
            info!("counterexamples rest on guesses: the search goes on without");
            self.space.leave_out(counterexample::guesses(self.space.program).into_keys());
            self.space.aim(self.answers.open());
            self.restart();
        }
        goes_on
    }

    fn check(&mut self, target: NodeId) -> Checked {
        self.space.statistics.paths_checked += 1;
        let path = self.space.path_to(target);
        if self.options.domain.values() && self.refine_values(&path) {
            return Checked::Refined;
        }
        // Have values alone excluded all paths so far? Then the solver was not needed yet: many programs never do.
        let first = !std::mem::replace(&mut self.space.manner.checks_targets, true);
        if first && !path.blocks.is_empty() && !self.space.blocks_end_early {
            // The solver may show that its predecessor does not lead here.
            self.space.remove_subtree(target);
            return Checked::Refined;
        }
        let start = Instant::now();
        let control = &*self.space.control;
        let feasibility = counterexample::check(self.space.program, control, &path, &self.limits);
        self.space.statistics.path_time += start.elapsed();
        match feasibility {
            Feasibility::Feasible(counterexample) => Checked::Violation(counterexample),
            Feasibility::Guessed(reason, counterexample) => Checked::Guessed(reason, counterexample),
            _ if first && self.space.blocks_end_early => {
                // From now on the solver is needed, for which blocks had better be large.
                self.enlarge_blocks();
                Checked::Refined
            }
            Feasibility::Undecided(reason) => Checked::Unresolved(reason),
            Feasibility::Infeasible if path.blocks.len() == 1 => {
                // The first state covers no other: from there, only its own path counts.
                self.space.arg.drop_leaf(target);
                Checked::Refined
            }
            Feasibility::Infeasible if self.options.domain.predicates() => self.refine_predicates(path),
            Feasibility::Infeasible => Checked::Unresolved(Reason::NoProgress),
        }
    }

    /// Begins anew with blocks as large as the solver likes them.
    fn enlarge_blocks(&mut self) {
        info!("the solver is needed: blocks become large");
        self.space.cut_points.allow_large_blocks();
        self.space.forget_blocks();
        self.restart();
    }

    /// Tracks more values so that the path is excluded, if that is possible.
    fn refine_values(&mut self, path: &Path) -> bool {
        let start = Instant::now();
        let Search { space, meter, limits, known, values, .. } = self;
        let refined = values.refine(std::slice::from_ref(path), &space.evidence(limits, meter, None), known);
        self.space.statistics.value_time += start.elapsed();
        let refined = refined.into_iter().any(|pivot| pivot.is_some());
        if refined {
            self.space.statistics.value_refinements += 1;
            self.restart();
        }
        refined
    }

    /// Adds predicates that exclude the path, and removes the states from where they are new.
    fn refine_predicates(&mut self, path: Path) -> Checked {
        let start = Instant::now();
        let Search { space, meter, limits, known, predicates, .. } = self;
        let banned = !known.precision.banned.is_empty();
        let evidence = space.evidence(limits, meter, banned.then_some(self.trust.patience));
        let refined = predicates.refine(std::slice::from_ref(&path), &evidence, known);
        self.space.statistics.predicate_time += start.elapsed();
        let pivot = refined.into_iter().flatten().min();
        info!(
            blocks = path.blocks.len(),
            ?pivot,
            predicates = known.predicates.len(),
            ticks = meter.used(),
            "a path is infeasible: predicates"
        );
        match pivot {
            None if self.predicates.found_some => return Checked::Unresolved(Reason::NoProgress),
            None => return Checked::Unresolved(Reason::NoPredicates),
            Some(Pivot::Start) => self.restart(),
            Some(Pivot::State(index)) => self.space.remove_subtree(path.states[index]),
        }
        self.space.statistics.predicate_refinements += 1;
        Checked::Refined
    }

    fn statistics(&self) -> Statistics {
        let mut statistics = self.space.statistics.clone();
        statistics.states += self.space.arg.len() as u64;
        statistics.coverage_checks = self.space.arg.coverage_checks;
        statistics.predicates = self.known.predicates.len() as u64;
        statistics.tracked = self.known.precision.tracked.len() as u64;
        statistics.ticks = self.meter.used();
        for limits in [&self.limits, &self.space.limits] {
            statistics.add_queries(limits);
        }
        statistics
    }
}
