//! The end of a run: its verdict, proofs and statistics.

mod answers;
mod findings;

use crate::control::After;
use crate::control::Control;
use crate::control::place::{Frame, Place};
use crate::control::postconditions::PostconditionMap;
use crate::state::arg::Arg;
use crate::state::bdd::{Bdd, Bdds};
use crate::state::precision::{PredId, Predicates};
use crate::values::{Values, ValuesPool};
pub(crate) use answers::Answers;
use beeline_ir::{EdgeId, FuncId, LocId};
pub use beeline_run::Reason;
use beeline_run::{Figure, Statistic};
use beeline_smt::{Meter, QueryLimits};
use cranelift_entity::SecondaryMap;
pub use findings::{Finding, Found, Verdict, Whole};
use std::sync::Arc;
use std::time::Duration;

/// An abstract state of a proof.
#[derive(Debug, Clone)]
pub struct ProofState {
    /// The place.
    pub place: Place,
    /// The known values.
    pub values: Arc<Values>,
    /// The known predicates.
    pub formula: Bdd,
    /// The successors, as indices.
    pub children: Vec<usize>,
    /// The state that covers this one.
    pub covered_by: Option<usize>,
}

/// A proof that no execution reaches a target.
#[derive(Debug)]
pub enum Proof {
    /// A closed set of abstract states that includes all reachable ones.
    States(Box<States>),
    /// The places where all executions end.
    Unrolling(Box<Unrolling>),
    /// Summaries of functions.
    Summaries(Box<Summaries>),
}

impl Proof {
    /// The edges that may have no result in an execution. What a machine does after them is not proved.
    pub fn undefined(&self) -> &[EdgeId] {
        match self {
            Proof::States(states) => &states.undefined,
            Proof::Unrolling(unrolling) => &unrolling.undefined,
            Proof::Summaries(summaries) => &summaries.states.undefined,
        }
    }
}

/// A context of an unrolling: the open calls, and the iteration of each loop around.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    /// The topmost call. The calls below it are a context, too.
    pub frame: Frame,
    /// The number of times each loop around went back to its head, outermost first.
    pub counts: Vec<u32>,
}

/// A complete unrolling of the program.
#[derive(Debug, Clone, Default)]
pub struct Unrolling {
    /// The contexts, which places refer to as stacks.
    pub contexts: Vec<Context>,
    /// The places where the unrolling ends because no execution reaches them.
    pub ends: Vec<Place>,
    /// The number of unrolled places.
    pub places: usize,
    /// The heads of loops that are proved by induction, with the number of iterations.
    pub inductions: Vec<(LocId, u32)>,
    /// What holds at these heads. A ghost is what a variable held where the loop was entered.
    pub invariants: Vec<(LocId, PredId)>,
    /// The expressions of the invariants.
    pub predicates: Predicates,
    /// The edges that may have no result. What a machine does after them is not proved.
    pub undefined: Vec<EdgeId>,
}

/// The reachable abstract states: closed under the program's steps, none at a target.
#[derive(Debug, Clone, Default)]
pub struct States {
    /// The states. The program starts in the first one.
    pub states: Vec<ProofState>,
    /// The diagrams of predicates.
    pub bdds: Bdds,
    /// The predicates of the diagrams.
    pub predicates: Predicates,
    /// The cut points, besides targets; `None` if every location is one.
    pub cut_points: Option<Vec<LocId>>,
    /// The call strings that places refer to.
    pub stacks: Vec<Frame>,
    /// The meaning of these after earlier searches.
    pub after: Option<After>,
    /// The postconditions of functions whose calls are popped.
    pub postconditions: PostconditionMap,
    /// The edges that may have no result in a state. What a machine does after them is not proved.
    pub undefined: Vec<EdgeId>,
}

/// Summaries: the states of functions on their own. A context is a stack that says nothing about the callers
/// of its function.
#[derive(Debug, Clone, Default)]
pub struct Summaries {
    /// The states.
    pub states: States,
    /// For each context, the index of its entry state.
    pub entries: Vec<usize>,
    /// The calls, ordered by state.
    pub calls: Vec<SummaryCall>,
}

/// A call from a state into a context.
#[derive(Debug, Clone)]
pub struct SummaryCall {
    /// The index of the state.
    pub state: usize,
    /// The edge.
    pub edge: EdgeId,
    /// The called function.
    pub callee: FuncId,
    /// The context.
    pub context: usize,
    /// The states after the call.
    pub children: Vec<usize>,
}

/// A graph of abstract states that is not a proof: some states wait, or are at a target.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    /// The states, in the form of a proof.
    pub states: States,
    /// The indices of waiting states.
    pub waiting: Vec<usize>,
}

impl States {
    /// The states of a graph. They are a proof if the graph is finished.
    pub(crate) fn of(
        arg: &Arg,
        pool: &ValuesPool,
        bdds: Bdds,
        predicates: Predicates,
        cut_points: Option<Vec<LocId>>,
        control: &dyn Control,
    ) -> States {
        let (stacks, after) = (control.frames(), control.after());
        let mut index = SecondaryMap::with_capacity(arg.len());
        arg.alive().zip(0usize..).for_each(|((id, _), next)| index[id] = next);
        // There may be little memory left, so allocate exactly.
        let mut states = Vec::with_capacity(arg.alive().count());
        states.extend(arg.alive().map(|(_, node)| ProofState {
            place: node.place,
            values: Arc::clone(pool.get(node.values)),
            formula: node.formula,
            children: node.children.iter().map(|&child| index[child]).collect(),
            covered_by: node.covered_by.map(|id| index[id]),
        }));
        let postconditions = control.all_postconditions();
        States { states, bdds, predicates, cut_points, stacks, after, postconditions, undefined: Vec::new() }
    }
}

/// The limit that ends the run, if one is reached.
pub(crate) fn limit_reached(meter: &Meter) -> Option<Reason> {
    if meter.is_stopped() {
        Some(Reason::Interrupted)
    } else if meter.is_late() {
        Some(Reason::Time)
    } else {
        meter.is_spent().then_some(Reason::Ticks)
    }
}

/// What a run did, in figures.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Abstract states made.
    pub states: u64,
    /// Checks whether one state includes another.
    pub coverage_checks: u64,
    /// Restarts, after which the graph is empty.
    pub restarts: u64,
    /// States that were pruned because no target can be reached from them.
    pub pruned: u64,
    /// Functions that calls through pointers were seen to call.
    pub resolutions: u64,
    /// Functions whose distances were measured anew after that.
    pub recomputations: u64,
    /// Waiting states whose distance grew after that.
    pub moved: u64,
    /// Paths to targets that were checked.
    pub paths_checked: u64,
    /// Refinements by values.
    pub value_refinements: u64,
    /// Refinements by predicates.
    pub predicate_refinements: u64,
    /// Predicates found.
    pub predicates: u64,
    /// Variables and regions tracked at the end.
    pub tracked: u64,
    /// Contexts that calls opened.
    pub contexts: u64,
    /// Calls that entered an existing context.
    pub calls_reused: u64,
    /// Contexts that were opened because the existing ones of the function had other values.
    pub contexts_for_values: u64,
    /// Contexts that were opened because the existing ones with these values did not include the entry state.
    pub contexts_for_predicates: u64,
    /// First contexts of functions that had contexts before a refinement.
    pub contexts_anew: u64,
    /// Exits that made states after calls which had entered the context before.
    pub late_exits: u64,
    /// Calls that were popped.
    pub pops: u64,
    /// Stacks whose topmost call is never popped any more.
    pub kept_stacks: u64,
    /// Abstractions computed with the solver.
    pub abstractions: u64,
    /// Queries.
    pub solver_calls: u64,
    /// Queries without an answer.
    pub solver_unknowns: u64,
    /// Ticks that the run used.
    pub ticks: u64,
    /// Time in the solver.
    pub solver_time: Duration,
    /// Time for refinement by values.
    pub value_time: Duration,
    /// Time for refinement by predicates.
    pub predicate_time: Duration,
    /// Time for predicate abstraction.
    pub abstraction_time: Duration,
    /// Time for checking paths.
    pub path_time: Duration,
    /// Time for measuring distances anew.
    pub distance_time: Duration,
    /// Time of the whole run.
    pub time: Duration,
}

/// Adds the figures of a following search.
impl std::ops::AddAssign<&Statistics> for Statistics {
    fn add_assign(&mut self, next: &Statistics) {
        let Statistics {
            states,
            coverage_checks,
            restarts,
            pruned,
            resolutions,
            recomputations,
            moved,
            paths_checked,
            value_refinements,
            predicate_refinements,
            predicates,
            tracked,
            contexts,
            calls_reused,
            contexts_for_values,
            contexts_for_predicates,
            contexts_anew,
            late_exits,
            pops,
            kept_stacks,
            abstractions,
            solver_calls,
            solver_unknowns,
            ticks,
            solver_time,
            value_time,
            predicate_time,
            abstraction_time,
            path_time,
            distance_time,
            time,
        } = next;
        self.states += states;
        self.coverage_checks += coverage_checks;
        self.restarts += restarts;
        self.pruned += pruned;
        self.resolutions += resolutions;
        self.recomputations += recomputations;
        self.moved += moved;
        self.paths_checked += paths_checked;
        self.value_refinements += value_refinements;
        self.predicate_refinements += predicate_refinements;
        self.predicates += predicates;
        // The tracked variables and regions are those of the last search.
        self.tracked = *tracked;
        self.contexts += contexts;
        self.calls_reused += calls_reused;
        self.contexts_for_values += contexts_for_values;
        self.contexts_for_predicates += contexts_for_predicates;
        self.contexts_anew += contexts_anew;
        self.late_exits += late_exits;
        self.pops += pops;
        self.kept_stacks += kept_stacks;
        self.abstractions += abstractions;
        self.solver_calls += solver_calls;
        self.solver_unknowns += solver_unknowns;
        self.ticks += ticks;
        self.solver_time += *solver_time;
        self.value_time += *value_time;
        self.predicate_time += *predicate_time;
        self.abstraction_time += *abstraction_time;
        self.path_time += *path_time;
        self.distance_time += *distance_time;
        self.time += *time;
    }
}

impl Statistics {
    /// Adds the queries made under some limits.
    pub(crate) fn add_queries(&mut self, limits: &QueryLimits) {
        self.solver_calls += limits.queries();
        self.solver_unknowns += limits.unknowns();
        self.solver_time += limits.spent();
    }

    /// All figures, as files name them.
    pub fn figures(&self) -> Vec<Figure> {
        let micros = |time: Duration| time.as_micros() as u64;
        let figures = [
            (Statistic::States, self.states),
            (Statistic::CoverageChecks, self.coverage_checks),
            (Statistic::Restarts, self.restarts),
            (Statistic::PrunedStates, self.pruned),
            (Statistic::Resolutions, self.resolutions),
            (Statistic::Recomputations, self.recomputations),
            (Statistic::Moved, self.moved),
            (Statistic::PathsChecked, self.paths_checked),
            (Statistic::ValueRefinements, self.value_refinements),
            (Statistic::PredicateRefinements, self.predicate_refinements),
            (Statistic::Predicates, self.predicates),
            (Statistic::Tracked, self.tracked),
            (Statistic::Contexts, self.contexts),
            (Statistic::CallsReused, self.calls_reused),
            (Statistic::ContextsForValues, self.contexts_for_values),
            (Statistic::ContextsForPredicates, self.contexts_for_predicates),
            (Statistic::ContextsAnew, self.contexts_anew),
            (Statistic::LateExits, self.late_exits),
            (Statistic::Pops, self.pops),
            (Statistic::KeptStacks, self.kept_stacks),
            (Statistic::Abstractions, self.abstractions),
            (Statistic::SolverCalls, self.solver_calls),
            (Statistic::SolverUnknowns, self.solver_unknowns),
            (Statistic::Ticks, self.ticks),
            (Statistic::SolverTime, micros(self.solver_time)),
            (Statistic::ValueTime, micros(self.value_time)),
            (Statistic::PredicateTime, micros(self.predicate_time)),
            (Statistic::AbstractionTime, micros(self.abstraction_time)),
            (Statistic::PathTime, micros(self.path_time)),
            (Statistic::DistanceTime, micros(self.distance_time)),
            (Statistic::Time, micros(self.time)),
        ];
        figures.into_iter().map(|(statistic, value)| Figure::of(statistic, value)).collect()
    }
}
