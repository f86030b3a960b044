//! Lazy abstraction with counterexample-guided refinement: explore, check a path that reaches a target,
//! refine.

mod explore;
mod finish;
mod predicates;
mod round;
mod skipped;
mod values;

use crate::control::Control;
use crate::control::block::CutPoints;
use crate::control::call_strings::CallStrings;
use crate::control::conditional::{Conditional, Earlier};
use crate::engine::{Condition, Engine, Outcome, Task};
use crate::lazy::explore::{Event, Finished, Manner, Space};
use crate::monitor::Monitor;
use crate::options::{Calls, Domain, Options};
use crate::outcome::verdict::{Answers, Reason, Statistics, Verdict, limit_reached};
use crate::paths::guess;
use crate::search::distance::Distances;
use crate::search::policy::{self, Trust};
use crate::search::waitlist::Waitlist;
use crate::stack_abstraction::StackAbstraction;
use crate::state::arg::NodeId;
use crate::state::precision::Knowledge;
use beeline_ir::{LocId, Program};
use beeline_run::RunRest;
use beeline_smt::{Meter, QueryLimits};
use predicates::PredicateRefiner;
use rustc_hash::{FxHashMap, FxHashSet};
use skipped::SkippedParts;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;
use tracing::info;
use values::ValueRefiner;

/// Searches for an execution that reaches a target, without initial knowledge.
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
    /// The options of the search.
    pub options: &'o Options,
}

impl Engine for Lazy<'_> {
    fn run(&self, task: Task<'_, '_>, monitor: &Monitor) -> Outcome {
        let start = Instant::now();
        let mut search = Search::new(self.options, task, monitor, start);
        let ended = search.run();
        let kept = self.options.keeps_graph && !search.answers.have_proof();
        let graph = kept.then(|| Box::new(search.space.open_graph(&search.known.predicates)));
        if let Some(reason) = &ended {
            search.leave_rest(&FxHashMap::default(), reason);
            search.exclude_finished();
            search.exclude_kept();
        }
        let mut statistics = search.statistics();
        statistics.time = start.elapsed();
        let Search { answers, known, rest, .. } = search;
        let verdict = answers.end(ended);
        let condition = match rest {
            _ if verdict.open().is_empty() => Condition::Nothing,
            Some(rest) => Condition::Rest(rest),
            None => Condition::Everything,
        };
        Outcome { verdict, statistics, condition, known, graph }
    }
}

/// The control, under the residual conditions of earlier searches.
fn control(program: &Program, calls: Calls, earlier: &[Earlier]) -> Box<dyn Control> {
    if calls == Calls::Top {
        return Box::new(StackAbstraction::new(program));
    }
    let strings = CallStrings::new(program);
    match earlier.split_last() {
        Some((last, before)) => Box::new(Conditional::new(program, strings, last, before)),
        None => Box::new(strings),
    }
}

/// What the graph before a restart showed.
struct Kept {
    rest: Option<RunRest>,
    /// The number of states from which the next graph is evaluated.
    next: usize,
}

impl Default for Kept {
    fn default() -> Kept {
        Kept { rest: None, next: 1_000 }
    }
}

impl Kept {
    /// The residual condition, where states without a reason of their own are open for this one.
    fn take(&mut self, reason: &Reason) -> Option<RunRest> {
        let mut rest = self.rest.take()?;
        for open in rest.open.iter_mut().filter(|open| !matches!(open.reason, Reason::GivenUp(..))) {
            open.reason = reason.clone();
        }
        Some(rest)
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
    /// The current trust in values.
    trust: Trust,
    /// The tick at which predicates have used what they may to replace a variable that lost its tracking.
    patience_ends: Option<u64>,
    /// The locations from which everything that conditions read is tracked.
    conditions_tracked: FxHashSet<LocId>,
    /// States at targets whose paths are to be checked.
    gathered: Vec<NodeId>,
    /// Target states whose paths were not decided.
    unresolved: Vec<(NodeId, Reason)>,
    /// The skipped parts.
    skipped: SkippedParts,
    /// The residual conditions of earlier searches.
    earlier: Vec<Earlier>,
    /// The residual condition of this search.
    rest: Option<Box<RunRest>>,
    /// What an earlier graph of this search showed.
    kept: Kept,
    /// The graph before a restart that excludes the most targets, if one does.
    finished: Option<Finished>,
    answers: Answers,
}

impl<'a, 'b> Search<'a, 'b> {
    fn new(options: &'a Options, task: Task<'a, 'b>, monitor: &'a Monitor, start: Instant) -> Search<'a, 'b> {
        let Task { program, distances, known, targets: asked, mut earlier } = task;
        if options.calls == Calls::Top {
            // They are about whole stacks.
            earlier.clear();
        }
        let deadline = options.time.and_then(|time| start.checked_add(time));
        let meter = Rc::new(Meter::new(options.ticks, deadline, Arc::clone(&monitor.stop)));
        let ends: FxHashSet<LocId> = program.targets.iter().map(|target| target.loc).collect();
        let mut cut_points = CutPoints::new(program, options.blocks, ends);
        if options.domain == Domain::Predicates {
            cut_points.allow_large_blocks();
        }
        cut_points.cut_at(distances.ways());
        let manner = Manner {
            predicates: options.domain.predicates(),
            // Predicates can take over.
            most_inside: if options.domain.predicates() { 64 } else { 4096 },
            checks_targets: options.domain != Domain::Both,
        };
        let waitlist = Waitlist::new(options.order, program);
        let control = control(program, options.calls, &earlier);
        let parts = (cut_points, waitlist);
        Search {
            options,
            limits: QueryLimits::of(options.query_ticks, Rc::clone(&meter)),
            space: Space::new(program, control, distances, monitor, Rc::clone(&meter), parts, manner),
            answers: Answers::new(asked, options.after_error, Rc::clone(&meter)),
            meter,
            known,
            values: ValueRefiner { most_inside: manner.most_inside },
            predicates: PredicateRefiner::new(options),
            trust: Trust::new(options.value_threshold),
            patience_ends: None,
            conditions_tracked: FxHashSet::default(),
            gathered: Vec::new(),
            unresolved: Vec::new(),
            skipped: SkippedParts::default(),
            earlier,
            rest: None,
            kept: Kept::default(),
            finished: None,
        }
    }

    /// Searches until no target is open. Returns the limit that ended the search, if one did.
    fn run(&mut self) -> Option<Reason> {
        self.space.infer_postconditions();
        self.space.aim(self.answers.open());
        if !self.known.precision.banned.is_empty() {
            // An earlier search stopped tracking some variables, and predicates did not suffice beside the
            // others. So predicates take over without any values, with the same patience as if this search
            // had stopped tracking them.
            self.known.precision.ban_all(self.space.program);
            self.patience_ends = Some(self.meter.used().saturating_add(self.trust.patience));
        }
        self.restart();
        loop {
            if let Some(reason) = self.limit_reached() {
                return Some(reason);
            }
            match self.space.step() {
                Event::Exhausted if !self.gathered.is_empty() => {
                    self.round();
                    if self.answers.are_complete() && !self.do_without_guesses() {
                        return None;
                    }
                }
                Event::Exhausted => {
                    self.exhausted();
                    if !self.do_without_guesses() {
                        return None;
                    }
                }
                Event::Closed => {}
                Event::Target(id) => {
                    self.gathered.push(id);
                    if self.has_gathered_enough() {
                        self.round();
                    }
                    if self.answers.are_complete() && !self.do_without_guesses() {
                        return None;
                    }
                }
                Event::Open(id) if self.is_relieved(id) => self.begin_anew(),
                Event::Open(id) if self.gives_up(id) => {}
                Event::Open(id) => {
                    if let Err(reason) = self.expand(id) {
                        return Some(reason);
                    }
                }
            }
        }
    }

    /// Restarts with another precision. What a large graph shows is kept: the next graph may show less when
    /// the search has to end.
    fn begin_anew(&mut self) {
        let states = self.space.arg.len();
        if states >= self.kept.next {
            // Thus all evaluations take at most twice as long as that of the largest graph.
            self.kept.next = 2 * states;
            self.kept.rest = self.shown(&FxHashMap::default(), &Reason::NoProgress).or(self.kept.rest.take());
            if self.exclude_finished() {
                return self.restart();
            }
        }
        self.keep_finished();
        self.restart();
    }

    /// Restarts with the current knowledge.
    fn restart(&mut self) {
        self.unresolved.clear();
        self.gathered.clear();
        self.skipped = SkippedParts::default();
        self.space.restart(&self.known);
    }

    fn limit_reached(&self) -> Option<Reason> {
        let too_many = self.space.arg.len() >= self.options.max_states;
        limit_reached(&self.meter).or(too_many.then_some(Reason::States))
    }

    /// Handles the end of exploration: the graph is a proof for the open targets that have no state in it.
    fn exhausted(&mut self) {
        if self.answers.without_guesses() {
            // The graph lacks the edges with guesses.
            return;
        }
        let unresolved = std::mem::take(&mut self.unresolved);
        let parts = self.open_parts();
        if !unresolved.is_empty() || !parts.is_empty() {
            let reasons = unresolved.iter().map(|(id, why)| (*id, why)).collect();
            self.leave_rest(&reasons, &Reason::NoProgress);
        }
        for (id, reason) in unresolved {
            let node = &self.space.arg[id];
            if node.alive {
                self.answers.undecided(node.place.loc, reason);
            }
        }
        parts.into_iter().for_each(|part| self.leave_part(part));
        if !self.answers.are_complete() {
            self.exclude_open();
        }
    }

    /// Leaves a residual condition: what the graph shows of the open targets, or what an earlier graph
    /// showed.
    fn leave_rest(&mut self, own: &FxHashMap<NodeId, &Reason>, others: &Reason) {
        if !self.answers.without_guesses() {
            let short = self.space.monitor.short_of_memory.load(Ordering::Relaxed);
            let shown = if short { None } else { self.shown(own, others) };
            self.rest = shown.or_else(|| self.kept.take(others)).map(Box::new);
        }
    }

    /// What the graph shows of the open targets. Nothing is shown after states that were not expanded. Such a
    /// state has a reason of its own, was skipped, or has the common reason.
    fn shown(&mut self, own: &FxHashMap<NodeId, &Reason>, others: &Reason) -> Option<RunRest> {
        // Without all edges the graph shows nothing; with popped calls it shows nothing of whole stacks.
        if self.answers.without_guesses()
            || self.answers.open().is_empty()
            || self.options.calls != Calls::Stacks
        {
            return None;
        }
        self.space.aim(self.answers.open());
        let without_results = self.states_without_results();
        let Search { space, known, answers, skipped, .. } = self;
        let why = |id| own.get(&id).copied().or(skipped.reason(id)).unwrap_or(others).clone();
        let unfinished = space.unfinished(&known.predicates, answers.open(), &without_results, why);
        unfinished.rest(space.program, self.options.told_apart)
    }

    /// Whether the state pressure at the location of a state has changed the precision.
    fn is_relieved(&mut self, id: NodeId) -> bool {
        let place = self.space.arg[id].place;
        let visits = self.space.visits.get(&place.loc).copied().unwrap_or_default();
        let under_pressure = policy::under_pressure(visits, self.trust.threshold);
        let least = under_pressure.filter(|_| self.options.domain == Domain::Both);
        least.is_some_and(|least| self.relieve(place, least))
    }

    /// Searches for counterexamples without guesses where only others were found: restarts without the edges
    /// that make guesses. Returns whether there are such targets.
    fn do_without_guesses(&mut self) -> bool {
        let goes_on = self.answers.look_without_guesses();
        if goes_on {
            info!("counterexamples depend on guesses: the search excludes guesses");
            self.space.leave_out(guess::guesses(self.space.program).into_keys());
            self.space.aim(self.answers.open());
            self.restart();
        }
        goes_on
    }

    /// Restarts with blocks of a size that suits the solver.
    fn enlarge_blocks(&mut self) {
        info!("the solver is needed: enlarging blocks");
        self.space.cut_points.allow_large_blocks();
        self.space.forget_blocks();
        self.restart();
    }

    fn statistics(&self) -> Statistics {
        let mut statistics = self.space.statistics.clone();
        statistics.states += self.space.arg.len() as u64;
        let learned = self.space.distances.learned();
        statistics.resolutions = learned.resolutions;
        statistics.recomputations = learned.recomputations;
        statistics.distance_time = learned.time;
        statistics.coverage_checks = self.space.arg.coverage_checks;
        statistics.predicates = self.known.predicates.len() as u64;
        statistics.tracked = self.known.precision.tracked.len() as u64;
        statistics.kept_stacks =
            self.known.precision.kept_stacks.values().map(|kept| kept.len() as u64).sum();
        statistics.ticks = self.meter.used();
        for limits in [&self.limits, &self.space.limits] {
            statistics.add_queries(limits);
        }
        statistics
    }
}
