//! Execution of a plan: its searches run one after the other, until one has an answer.

use crate::{input, unwind};
use beeline_engine::{
    Abstraction, AfterError, Arithmetics, BlockOperator, Bounded, Concrete, Condition, Counterexample,
    Domain, Earlier, Excess, Graph, Knowledge, Lazy, Link, Metric, Monitor, OnUndefined, Options, Order,
    Outcome, PredicateSource, Rank, Reason, Scope, Seen, Select, Statistics, Summaries, Task, TieBreak,
    Verdict, as_long_as, is_access, nearest,
};
use beeline_graph::{Annotation, Estimate, recursion_heads};
use beeline_ir::{LocId, Program};
use beeline_options::step::{self, Calls, Engine, Feature, Handed, Search, Ties};
use beeline_options::{HowMany, Limits, Plan, Skip, Step};
use beeline_run::{RunBroken, RunPrecision, RunRest};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The factor on the budget of a step that has unrolled all executions, so that only queries remain: no later
/// step starts so close to an answer.
const FOR_QUESTIONS: u64 = 4;

/// A runner of plans.
pub(crate) struct Runner<'a> {
    /// The program.
    pub program: &'a Program,
    /// Distances that were measured before.
    pub annotation: Option<&'a Annotation>,
    /// The targets of the search.
    pub targets: &'a BTreeSet<LocId>,
    /// The residual conditions of earlier runs.
    pub earlier: &'a [Earlier],
    /// The precision of the earlier run.
    pub looked: Option<&'a RunPrecision>,
    /// The callees that were seen there at calls through pointers.
    pub seen: Seen,
    /// How long a search continues after a counterexample.
    pub after_error: AfterError,
    /// The treatment of executions that violate a rule of C.
    pub undefined: OnUndefined,
    /// The limits of all searches.
    pub limits: &'a Limits,
    /// The start of the run.
    pub start: Instant,
    /// The monitor that shows the run to others.
    pub monitor: &'a Monitor,
    /// What the searches that have ended found out; it is the result if the run is stopped.
    pub known: &'a Mutex<Known>,
    /// Whether the graph of the last search is kept.
    pub keeps_graph: bool,
    /// A function that is called when a search begins, with its number from 1, the number of searches, and a
    /// description.
    pub begins: &'a dyn Fn(usize, usize, &str),
}

/// What the searches that have ended found out.
#[derive(Default)]
pub(crate) struct Known {
    /// The verdict.
    pub verdict: Verdict,
    /// The residual conditions: those that were handed on, on which proofs rest, and the last one.
    pub rests: Vec<RunRest>,
}

/// The outcome of a plan.
pub(crate) struct Found {
    /// The answer.
    pub verdict: Verdict,
    /// The statistics of all searches.
    pub statistics: Statistics,
    /// The residual conditions of the last searches.
    pub rests: Vec<RunRest>,
    /// The precision of the last search, if something is open.
    pub looked: Option<RunPrecision>,
    /// The callees that were seen at calls through pointers.
    pub seen: Seen,
    /// The violations of rules of C.
    pub broken: Vec<RunBroken>,
    /// The graph of the last search, if it is kept; `None` with a proof.
    pub graph: Option<Box<Graph>>,
}

impl Runner<'_> {
    /// The answer.
    pub(crate) fn run(&self, plan: &Plan) -> Result<Found, String> {
        let mut statistics = Statistics::default();
        *self.known() = Known { verdict: Verdict::on(self.targets.clone()), rests: Vec::new() };
        // Unrolling has no abstract states.
        let mut states = 0;
        let mut learned = None;
        let mut seen = self.seen.clone();
        let mut graph = None;
        let mut left = Left::new(self.earlier);
        let mut allowed = Allowed::all(self.after_error);
        if self.targets.is_empty() && !self.program.targets.is_empty() {
            let Known { verdict, rests } = std::mem::take(&mut *self.known());
            let broken = Vec::new();
            return Ok(Found { verdict, statistics, rests, looked: None, seen, broken, graph });
        }
        let mut looked = None;
        let steps: Vec<&Step> = plan.steps.iter().filter(|step| is_meant(step, self.program)).collect();
        for (index, &step) in steps.iter().enumerate() {
            (self.begins)(index + 1, steps.len(), what(step));
            let spent = (statistics.ticks, states);
            let begin = (self.known().verdict.open(), left.handed.clone(), learned.take());
            let (outcome, ended) = self.step(step, begin, &mut seen, spent, &allowed)?;
            let Outcome { verdict: found, known, condition, .. } = outcome;
            looked = Some(known.precision());
            learned = step.hand.contains(&Handed::Precision).then_some(known);
            graph = outcome.graph;
            allowed.note(found.error_after, statistics.ticks);
            statistics += &outcome.statistics;
            states += if step.engine == Engine::Lazy { outcome.statistics.states } else { 0 };
            let mut known = self.known();
            let Known { verdict, rests } = &mut *known;
            left.take(condition, step.hand.contains(&Handed::Condition), rests);
            verdict.join(found);
            let enough = verdict.is_safe() || allowed.left(statistics.ticks) == Some(0);
            if ended || enough || verdict.open().is_empty() && !verdict.asked.is_empty() {
                break;
            }
        }
        self.approach(&mut statistics);
        let Known { verdict, rests } = std::mem::take(&mut *self.known());
        let looked = looked.filter(|_| !verdict.open().is_empty());
        let broken = self.monitor.broken();
        Ok(Found { verdict, statistics, rests, looked, seen, broken, graph })
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Prefers executions that leave objects by little. What is known stays there meanwhile, for a limit that ends the run.
    fn approach(&self, statistics: &mut Statistics) {
        let is_access = |found: &&Counterexample| is_access(self.program, found);
        let found: Vec<Counterexample> = self.known().verdict.reached().filter(is_access).cloned().collect();
        if found.is_empty() {
            return;
        }
        let ticks = self.limits.ticks.map(|ticks| ticks.get().saturating_sub(statistics.ticks));
        let deadline = self.time_left().and_then(|left| Instant::now().checked_add(left));
        let (nearer, used) = nearest(self.program, &found, ticks, deadline, &self.monitor.stop);
        statistics.ticks += used;
        nearer.into_iter().for_each(|other| self.known().verdict.replace_reached(other));
    }

    /// The remaining time of the whole run.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.limits.time_limit.map(|time| time.0.saturating_sub(self.start.elapsed()))
    }

    /// One search for targets after others, which left and perhaps learned something: what came out of it, and whether
    /// a limit ended it that holds for all of them.
    fn step(
        &self,
        step: &Step,
        (targets, mut earlier, learned): (BTreeSet<LocId>, Vec<Earlier>, Option<Knowledge>),
        seen: &mut Seen,
        (ticks_before, states_before): (u64, u64),
        allowed: &Allowed,
    ) -> Result<(Outcome, bool), String> {
        let mut distances = input::guide(self.program, self.annotation, metric(step), estimate(step))?;
        distances.begin_with(seen);
        let (left, budget) = (self.time_left(), step.budget.time.map(|time| time.0));
        let ticks = self.limits.ticks.map(|ticks| ticks.get().saturating_sub(ticks_before));
        let ticks = ticks.into_iter().chain(allowed.left(ticks_before)).min();
        let budget_ticks = |times: u64| step.budget.ticks.map(|ticks| ticks.get().saturating_mul(times));
        let max_states = self.limits.max_states.map_or(usize::MAX, usize::from);
        let options = Options {
            time: left.into_iter().chain(budget).min(),
            ticks: ticks.into_iter().chain(budget_ticks(1)).min(),
            ticks_for_questions: ticks.into_iter().chain(budget_ticks(FOR_QUESTIONS)).min(),
            query_ticks: self.limits.query_ticks.get(),
            max_states: max_states.saturating_sub(states_before as usize),
            keeps_graph: self.keeps_graph,
            after_error: self.after_error,
            undefined: self.undefined,
            unwind: unwind::resolved(self.program, &step.unwind)?,
            ..options(step)
        };
        let known = match (learned, self.looked) {
            (Some(learned), _) => options.known(learned),
            (None, Some(looked)) => options.recalled(self.program, looked),
            (None, None) => options.nothing_known(),
        };
        let is_about = |last: &Earlier| targets.iter().all(|target| last.rest.targets.contains(target));
        if !earlier.last().is_none_or(is_about) {
            earlier.clear();
        }
        let task = Task { program: self.program, distances: &mut distances, known, targets, earlier };
        let engine = engine(step, &options);
        let mut outcome = match ticks_before {
            0 => engine.run(task, self.monitor),
            _ => engine.run_after_others(task, self.monitor),
        };
        *seen = distances.seen();
        let used = ticks_before + outcome.statistics.ticks;
        let ended = outcome.verdict.ended.as_ref().is_some_and(|reason| match reason {
            Reason::Time => budget.is_none_or(|budget| left.is_some_and(|left| left <= budget)),
            Reason::Ticks => self.limits.ticks.is_some_and(|ticks| used >= ticks.get()),
            Reason::States | Reason::Memory | Reason::Interrupted => true,
            // An execution reaches this place: no other search can show the contrary.
            Reason::Undefined(..) | Reason::Broken(..) => true,
            _ => false,
        });
        // A search that ends because an error was found has no reason of its own.
        if !ended && allowed.left(used) == Some(0) {
            outcome.verdict.ended.take_if(|reason| *reason == Reason::Ticks);
        }
        Ok((outcome, ended))
    }
}

/// The engine of a step.
fn engine<'o>(step: &Step, options: &'o Options) -> Box<dyn beeline_engine::Engine + 'o> {
    match (step.engine, step.calls) {
        (Engine::Lazy, Calls::Stack | Calls::Top) => Box::new(Lazy { options }),
        (Engine::Lazy, Calls::Summaries) => Box::new(Summaries { options }),
        (Engine::Bounded, _) => Box::new(Bounded { options }),
        (Engine::Concrete, _) => Box::new(Concrete { options }),
    }
}

/// The description of a search for the progress line.
fn what(step: &Step) -> &'static str {
    match (step.engine, step.calls) {
        (Engine::Lazy, Calls::Stack) => "abstraction",
        (Engine::Lazy, Calls::Top) => "stack abstraction",
        (Engine::Lazy, Calls::Summaries) => "summaries of functions",
        (Engine::Bounded, _) => "unrolling",
        (Engine::Concrete, _) => "random inputs",
    }
}

/// The common budget of all searches after an error.
struct Allowed {
    after_error: AfterError,
    /// The budget; `None` as long as there is no error.
    ticks: Option<u64>,
}

impl Allowed {
    fn all(after_error: AfterError) -> Allowed {
        Allowed { after_error, ticks: None }
    }

    /// A search that began with so many ticks found an error after some more.
    fn note(&mut self, error_after: Option<u64>, begun: u64) {
        if let (None, Some(after)) = (self.ticks, error_after) {
            let used = begun + after;
            self.ticks = match self.after_error {
                AfterError::Stop => Some(used),
                AfterError::AsLong => Some(used + as_long_as(used)),
                AfterError::GoOn => None,
            };
        }
    }

    /// The remaining ticks for the next search.
    fn left(&self, used: u64) -> Option<u64> {
        self.ticks.map(|ticks| ticks.saturating_sub(used))
    }
}

/// The residual conditions so far.
struct Left<'a> {
    /// Those given to this run.
    given: &'a [Earlier],
    /// The residual conditions that the next search starts from.
    handed: Vec<Earlier>,
    /// Whether the last residual condition was handed on.
    is_kept: bool,
}

impl<'a> Left<'a> {
    fn new(given: &'a [Earlier]) -> Left<'a> {
        Left { given, handed: given.to_vec(), is_kept: true }
    }

    /// Adds the residual condition of a search, which is handed to the next one or not, to those of this run.
    fn take(&mut self, condition: Condition, hand: bool, rests: &mut Vec<RunRest>) {
        if let Condition::Rest(rest) = condition {
            if !self.is_kept {
                rests.pop();
            }
            self.is_kept = hand;
            if rest.after.is_none() {
                self.handed.clear();
            }
            let link = Link { run: None, rest: rests.len() as u32 };
            self.handed.push(Earlier { link, rest: Arc::new((*rest).clone()), only: None });
            rests.push(*rest);
        }
        if !hand {
            self.handed = self.given.to_vec();
        }
    }
}

/// Whether the program has the feature that the step requires.
fn is_meant(step: &Step, program: &Program) -> bool {
    match step.only_with {
        None => true,
        Some(Feature::Recursion) => !recursion_heads(program).is_empty(),
    }
}

/// The metric of a step's distances.
pub(crate) fn metric(step: &Step) -> Metric {
    match step.metric {
        step::Metric::St => Metric::Statements,
        step::Metric::Bb => Metric::BasicBlocks,
        step::Metric::Lh => Metric::LoopHeads,
        step::Metric::Lf => Metric::LoopHeadsAndFunctions,
    }
}

/// The estimate of a step's distances, if it has one.
fn estimate(step: &Step) -> Option<Estimate> {
    step.estimate.map(|estimate| match estimate {
        step::Estimate::Fsm => Estimate::Fsm,
        step::Estimate::Efca => Estimate::Efca,
        step::Estimate::Pfsm => Estimate::Pfsm,
    })
}

/// The options of the engine for a step.
fn options(step: &Step) -> Options {
    Options {
        order: match step.search {
            Search::Directed => Order::Directed(match step.ties {
                Ties::Newest => TieBreak::Newest,
                Ties::Oldest => TieBreak::Oldest,
                Ties::Rpo => TieBreak::ReversePostOrder,
                Ties::Random => TieBreak::Random(step.seed),
            }),
            Search::Dfs => Order::DepthFirst,
            Search::Bfs => Order::BreadthFirst,
            Search::Random => Order::Random(step.seed),
        },
        calls: match step.calls {
            Calls::Top => beeline_engine::Calls::Top,
            Calls::Stack | Calls::Summaries => beeline_engine::Calls::Stacks,
        },
        domain: match step.domain {
            step::Domain::Value => Domain::Values,
            step::Domain::Predicate => Domain::Predicates,
            step::Domain::Both => Domain::Both,
        },
        refiner: match step.refiner {
            step::Refiner::Auto => PredicateSource::All,
            step::Refiner::Spacer => PredicateSource::Interpolants,
            step::Refiner::Newton => PredicateSource::Conditions,
        },
        arithmetic: match step.arithmetic {
            step::Arithmetic::Bv => Arithmetics::BitVectors,
            step::Arithmetic::Int => Arithmetics::Integers,
            step::Arithmetic::Auto => Arithmetics::Both,
        },
        abstraction: match step.abstraction {
            step::Abstraction::Cartesian => Abstraction::Cartesian,
            step::Abstraction::Boolean => Abstraction::Boolean,
        },
        scope: match step.scope {
            step::Scope::Location => Scope::Location,
            step::Scope::Function => Scope::Function,
            step::Scope::Global => Scope::Global,
        },
        blocks: match step.block {
            step::Block::Lh => BlockOperator::LoopHeads,
            step::Block::Lf => BlockOperator::LoopHeadsAndFunctions,
            step::Block::Sbe => BlockOperator::Single,
        },
        value_threshold: step.value_threshold,
        targets_per_round: match step.targets_per_round {
            HowMany::Number(number) => number.get(),
            HowMany::All => usize::MAX,
        },
        rank: match step.rank {
            step::Rank::None => Rank::None,
            step::Rank::Shallow => Rank::Shallow,
            step::Rank::Deep => Rank::Deep,
        },
        select: match step.select {
            HowMany::Number(number) => Select::First(number.get()),
            HowMany::All => Select::All,
        },
        skip: step.skip.iter().map(part).collect(),
        ..Options::default()
    }
}

/// The limit of a monitor for the engine.
fn part(skip: &Skip) -> (Excess, u64) {
    let excess = match skip.of {
        beeline_options::Excess::LocationStates => Excess::LocationStates,
        beeline_options::Excess::PlaceStates => Excess::PlaceStates,
        beeline_options::Excess::LoopIterations => Excess::LoopTurns,
        beeline_options::Excess::PathSteps => Excess::PathSteps,
        beeline_options::Excess::PathConditions => Excess::PathConditions,
        beeline_options::Excess::RefinementTicks => Excess::RefinementTicks,
        beeline_options::Excess::PathTicks => Excess::PathTicks,
        beeline_options::Excess::PostTicks => Excess::PostTicks,
        beeline_options::Excess::StateSize => Excess::StateSize,
        beeline_options::Excess::FormulaSize => Excess::FormulaSize,
        beeline_options::Excess::PathStateTicks => Excess::WayTicks,
    };
    (excess, skip.most.get())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::adding;
    use clap::Parser;

    #[test]
    fn the_defaults_of_options_are_those_of_the_engine() {
        let (of_options, of_engine) = (options(&Step::default()), Options::default());
        assert_eq!(format!("{of_options:?}"), format!("{of_engine:?}"));
    }

    /// A run that ends without its engine has no other ones.
    #[test]
    fn conditions_that_proofs_rest_on_are_known_while_later_steps_run() {
        let program = adding("1");
        let plan = "[[step]]\ndomain = \"value\"\nbudget.ticks = 1000\nhand = [\"condition\"]\n[[step]]\ndomain = \"predicate\"\n";
        let plan = Plan::parse("plan", plan).expect("the text is a plan");
        let (known, monitor) = (Mutex::new(Known::default()), Monitor::default());
        let rests = Mutex::new(Vec::new());
        let runner = Runner {
            program: &program,
            annotation: None,
            targets: &program.targets.iter().map(|target| target.loc).collect(),
            earlier: &[],
            looked: None,
            seen: Seen::new(),
            after_error: AfterError::Stop,
            undefined: OnUndefined::Stop,
            limits: &Only::parse_from(["test"]).limits,
            start: Instant::now(),
            monitor: &monitor,
            known: &known,
            keeps_graph: false,
            begins: &|_, _, _| rests.lock().unwrap().push(known.lock().unwrap().rests.len()),
        };
        let found = runner.run(&plan).expect("the plan is run");
        assert!(found.verdict.is_safe());
        assert_eq!((rests.into_inner().unwrap(), found.rests.len()), (vec![0, 1], 1));
    }

    #[derive(clap::Parser)]
    struct Only {
        #[command(flatten)]
        limits: Limits,
    }
}
