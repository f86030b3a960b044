//! Runs the searches of a plan, one after the other, until one has an answer.

use crate::{input, unwind};
use beeline_engine::{
    Abstraction, Arithmetics, BlockOperator, Blocks, Bounded, Domain, Graph, Knowledge, Lazy, Metric,
    Monitor, Options, Order, Outcome, PredicateSource, Reason, Scope, Statistics, Task, TieBreak, Verdict,
};
use beeline_graph::{Annotation, recursion_heads};
use beeline_ir::Program;
use beeline_options::step::{self, Calls, Engine, Feature, Handed, Search, Ties};
use beeline_options::{Limits, Plan, Step};
use std::time::{Duration, Instant};

/// What is needed to run a plan.
pub(crate) struct Runner<'a> {
    /// The program.
    pub program: &'a Program,
    /// Distances that were measured before.
    pub annotation: Option<&'a Annotation>,
    /// What ends all searches.
    pub limits: &'a Limits,
    /// When the run began.
    pub start: Instant,
    /// What others see of it.
    pub monitor: &'a Monitor,
    /// Is the graph of the last search kept?
    pub keeps_graph: bool,
}

/// What came out.
pub(crate) struct Found {
    /// The answer.
    pub verdict: Verdict,
    /// What all searches did.
    pub statistics: Statistics,
    /// The graph of the last search, if it is kept; `None` with a proof.
    pub graph: Option<Box<Graph>>,
}

impl Runner<'_> {
    /// The answer.
    pub(crate) fn run(&self, plan: &Plan) -> Result<Found, String> {
        let mut statistics = Statistics::default();
        // Unrolling makes no abstract states.
        let mut states = 0;
        let mut possible = None;
        let mut learned = None;
        let mut graph = None;
        let mut last = None;
        for step in plan.steps.iter().filter(|step| is_meant(step, self.program)) {
            let (outcome, ended) = self.step(step, (statistics.ticks, states), learned.take())?;
            let Outcome { verdict, known, .. } = outcome;
            learned = step.hand.contains(&Handed::Precision).then_some(known);
            graph = outcome.graph;
            statistics += &outcome.statistics;
            states += if step.engine == Engine::Lazy { outcome.statistics.states } else { 0 };
            match verdict {
                Verdict::Safe(_) | Verdict::Unsafe(_) => return Ok(Found { verdict, statistics, graph }),
                // A path that a native run may confirm is more than none.
                Verdict::Possible(..) => possible = possible.or(Some(verdict)),
                Verdict::Unknown(_) => last = Some(verdict),
            }
            if ended {
                break;
            }
        }
        let verdict = possible.or(last).ok_or("the plan has no step")?;
        Ok(Found { verdict, statistics, graph })
    }

    /// The time that is left of the whole run.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.limits.time_limit.map(|time| time.0.saturating_sub(self.start.elapsed()))
    }

    /// One search after others, which did and perhaps learned something: what came out of it, and whether a limit
    /// ended it that holds for all of them.
    fn step(
        &self,
        step: &Step,
        (ticks_before, states_before): (u64, u64),
        learned: Option<Knowledge>,
    ) -> Result<(Outcome, bool), String> {
        let mut distances = input::guide(self.program, self.annotation, metric(step))?;
        let (left, budget) = (self.time_left(), step.budget.time.map(|time| time.0));
        let ticks = self.limits.ticks.map(|ticks| ticks.get().saturating_sub(ticks_before));
        let max_states = self.limits.max_states.map_or(usize::MAX, usize::from);
        let options = Options {
            time: left.into_iter().chain(budget).min(),
            ticks: ticks.into_iter().chain(step.budget.ticks.map(u64::from)).min(),
            query_ticks: self.limits.query_ticks.get(),
            max_states: max_states.saturating_sub(states_before as usize),
            keeps_graph: self.keeps_graph,
            unwind: unwind::resolved(self.program, &step.unwind)?,
            ..options(step)
        };
        let known = learned.map_or_else(|| options.nothing_known(), |learned| options.known(learned));
        let task = Task { program: self.program, distances: &mut distances, known };
        let engine: &dyn beeline_engine::Engine = match (step.engine, step.calls) {
            (Engine::Lazy, Calls::Stack) => &Lazy { options: &options },
            (Engine::Lazy, Calls::Blocks) => &Blocks { options: &options },
            (Engine::Bounded, _) => &Bounded { options: &options },
        };
        let outcome = engine.run(task, self.monitor);
        let used = ticks_before + outcome.statistics.ticks;
        let ended = match &outcome.verdict {
            Verdict::Unknown(reason) | Verdict::Possible(reason, _) => match reason {
                Reason::Time => budget.is_none_or(|budget| left.is_some_and(|left| left <= budget)),
                Reason::Ticks => self.limits.ticks.is_some_and(|ticks| used >= ticks.get()),
                Reason::States | Reason::Memory | Reason::Interrupted => true,
                // An execution gets there: no other search will say that none does.
                Reason::Undefined(..) | Reason::Broken(..) => true,
                _ => false,
            },
            Verdict::Safe(_) | Verdict::Unsafe(_) => true,
        };
        Ok((outcome, ended))
    }
}

/// Does the program have what the step is for?
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

/// What a step says of the engine.
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
        ..Options::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_of_options_are_those_of_the_engine() {
        let (of_options, of_engine) = (options(&Step::default()), Options::default());
        assert_eq!(format!("{of_options:?}"), format!("{of_engine:?}"));
    }
}
