//! The options of a search.

use crate::control::block::BlockOperator;
use crate::search::policy;
use crate::search::waitlist::{Order, TieBreak};
use crate::state::precision::{Abstraction, Care, Knowledge, Scope};
use beeline_ir::LocId;
use beeline_run::Excess;
use beeline_smt::TICKS_PER_SECOND;
use rustc_hash::FxHashMap;
use std::time::Duration;

/// What abstract states know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Domain {
    /// Explicit values.
    Values,
    /// Predicates.
    Predicates,
    /// Values first, and predicates where values do not suffice.
    Both,
}

impl Domain {
    pub(crate) fn values(self) -> bool {
        self != Domain::Predicates
    }

    pub(crate) fn predicates(self) -> bool {
        self != Domain::Values
    }
}

/// How lazy abstraction distinguishes open calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Calls {
    /// By whole call strings.
    Stacks,
    /// By the topmost call, where the calls below it do not matter.
    Top,
}

/// How machine integers are interpreted in the search for predicates. Whether predicates hold is always
/// decided in bit-vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arithmetics {
    /// Bit-vectors.
    BitVectors,
    /// Unbounded integers.
    Integers,
    /// Unbounded integers first; bit-vectors where integers find nothing new.
    Both,
}

/// The source of predicates that exclude a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PredicateSource {
    /// Interpolants first; the path's own conditions where there are none; invariants of path programs where
    /// a loop is unrolled further and further.
    All,
    /// Interpolants, computed by Spacer.
    Interpolants,
    /// The contradictory conditions of the path: Newton refinement, after the SLAM project.
    Conditions,
}

/// The order in which the gathered paths to targets are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rank {
    /// The order in which they were found.
    None,
    /// Short paths first.
    Shallow,
    /// Long paths first.
    Deep,
}

/// The number of infeasible paths of a round that are refined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Select {
    /// The first ones by rank, up to this number.
    First(usize),
    /// All.
    All,
}

/// The unwinding of loops and recursion. Without a limit it grows step by step.
#[derive(Debug, Clone, Default)]
pub struct Unwind {
    /// The limit for all of them.
    pub all: Option<u32>,
    /// The limits of loops with these heads, and of functions that begin here.
    pub of: FxHashMap<LocId, u32>,
}

/// How many states a residual condition distinguishes. Where it distinguishes no further, it is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToldApart {
    /// Whether iterations of loops are distinguished in which something is open.
    pub iterations: bool,
    /// The greatest number of states at one location.
    pub at_location: usize,
}

/// The options of a search.
#[derive(Debug, Clone)]
pub struct Options {
    /// Which state is explored next.
    pub order: Order,
    /// What abstract states know.
    pub domain: Domain,
    /// How lazy abstraction distinguishes open calls.
    pub calls: Calls,
    /// Where predicates come from.
    pub refiner: PredicateSource,
    /// The arithmetic in which interpolants are computed.
    pub arithmetic: Arithmetics,
    /// The abstraction of predicates at first.
    pub abstraction: Abstraction,
    /// The scope of a predicate.
    pub scope: Scope,
    /// Where states are abstracted.
    pub blocks: BlockOperator,
    /// The time limit of the run.
    pub time: Option<Duration>,
    /// The ticks of the run.
    pub ticks: Option<u64>,
    /// The ticks of one query to the solver.
    pub query_ticks: u64,
    /// The greatest number of states.
    pub max_states: usize,
    /// The number of states at one location from which the variable with the most values is no longer
    /// tracked, if predicates can take over.
    pub value_threshold: usize,
    /// The ticks of an unrolling in which no loop goes on, so that only the queries remain.
    pub ticks_for_questions: Option<u64>,
    /// How many states at targets are gathered before their paths are checked.
    pub targets_per_round: usize,
    /// The order of these paths.
    pub rank: Rank,
    /// How many of these paths are refined.
    pub select: Select,
    /// Monitors of lazy abstraction: a part that exceeds one of these limits is skipped.
    pub skip: Vec<(Excess, u64)>,
    /// The unwinding of loops and recursion, for an engine that unrolls.
    pub unwind: Unwind,
    /// How long the search goes on after a counterexample.
    pub after_error: AfterError,
    /// What an execution means that breaks a rule of C.
    pub undefined: OnUndefined,
    /// How many states the residual condition distinguishes.
    pub told_apart: ToldApart,
    /// Whether the explored graph is kept, whatever the verdict.
    pub keeps_graph: bool,
}

/// How long a search goes on after a counterexample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterError {
    /// The search ends.
    Stop,
    /// As many ticks as the first counterexample took, and at least those of a second.
    AsLong,
    /// Until no target is open.
    GoOn,
}

/// What an execution that breaks a rule of C means for the targets after that point, where its behaviour is
/// undefined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnUndefined {
    /// Nothing: the verdict is about defined executions, and the broken rule is reported with it.
    Continue,
    /// These targets get no verdict.
    #[default]
    Stop,
}

/// The ticks of the search after an error that took so many ticks.
pub fn as_long_as(ticks: u64) -> u64 {
    ticks.max(TICKS_PER_SECOND)
}

impl Options {
    /// The knowledge of a search that begins with nothing.
    pub fn nothing_known(&self) -> Knowledge {
        Knowledge::new(self.scope, self.care())
    }

    /// The knowledge of a search that takes over what another one learned.
    pub fn known(&self, learned: Knowledge) -> Knowledge {
        let mut known = learned.handed_on(self.scope, self.care());
        if !self.domain.values() {
            known.precision.tracked.clear();
        }
        if !self.domain.predicates() {
            known.precision.forget_preds();
            // Without predicates nothing stands in for variables that are no longer tracked.
            known.precision.banned.clear();
        }
        known
    }

    fn care(&self) -> Care {
        policy::first_care(self.abstraction, self.query_ticks)
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            order: Order::Directed(TieBreak::Oldest),
            domain: Domain::Both,
            calls: Calls::Stacks,
            refiner: PredicateSource::All,
            arithmetic: Arithmetics::Both,
            abstraction: Abstraction::Cartesian,
            scope: Scope::Location,
            blocks: BlockOperator::LoopHeads,
            time: None,
            ticks: None,
            query_ticks: 10 * TICKS_PER_SECOND,
            ticks_for_questions: None,
            max_states: usize::MAX,
            value_threshold: 1000,
            targets_per_round: 1,
            rank: Rank::None,
            select: Select::First(1),
            skip: Vec::new(),
            unwind: Unwind::default(),
            after_error: AfterError::GoOn,
            undefined: OnUndefined::default(),
            told_apart: ToldApart { iterations: false, at_location: 1_000 },
            keeps_graph: false,
        }
    }
}
