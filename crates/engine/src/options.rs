//! What one may choose of a search.

use crate::control::block::BlockOperator;
use crate::search::policy;
use crate::search::waitlist::{Order, TieBreak};
use crate::state::precision::{Abstraction, Care, Knowledge, Scope};
use beeline_ir::LocId;
use beeline_run::Excess;
use beeline_smt::TICKS_PER_SECOND;
use rustc_hash::FxHashMap;
use std::time::Duration;

/// What is known of states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Domain {
    /// Explicit values.
    Values,
    /// Predicates.
    Predicates,
    /// Values first, predicates where these do not suffice.
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

/// How lazy abstraction tells open calls apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Calls {
    /// By whole stacks.
    Stacks,
    /// By the topmost call, as long as it does not matter what the others are.
    Top,
}

/// What machine integers are taken for when predicates are looked for. Whether these hold is always
/// decided in bit-vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arithmetics {
    /// Bit-vectors.
    BitVectors,
    /// Unbounded integers.
    Integers,
    /// Unbounded integers first; bit-vectors where these bring nothing new.
    Both,
}

/// Where predicates that exclude a path come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PredicateSource {
    /// Interpolants first; the path's own conditions where there are none; where loops are unrolled more
    /// and more, their invariants.
    All,
    /// Interpolants, which Spacer finds.
    Interpolants,
    /// The path's conditions that contradict each other, after Newton of the SLAM project.
    Conditions,
}

/// The order in which paths to targets are checked that were gathered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rank {
    /// That in which they were found.
    None,
    /// Short ones first.
    Shallow,
    /// Long ones first.
    Deep,
}

/// How many infeasible paths of a round are learned from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Select {
    /// So many, the first ones by rank.
    First(usize),
    /// All.
    All,
}

/// How far loops and recursion are unrolled: further and further, where nothing is said.
#[derive(Debug, Clone, Default)]
pub struct Unwind {
    /// All of them.
    pub all: Option<u32>,
    /// Loops with these heads, and functions that begin here.
    pub of: FxHashMap<LocId, u32>,
}

/// How much of a graph is told apart in what a search leaves: the rest of it is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToldApart {
    /// Are iterations of loops in which something is open?
    pub iterations: bool,
    /// How many states there may be at one location.
    pub at_location: usize,
}

/// How to search.
#[derive(Debug, Clone)]
pub struct Options {
    /// What is explored next.
    pub order: Order,
    /// What is known of states.
    pub domain: Domain,
    /// How lazy abstraction tells open calls apart.
    pub calls: Calls,
    /// How predicates are looked for.
    pub refiner: PredicateSource,
    /// In which numbers interpolants are looked for.
    pub arithmetic: Arithmetics,
    /// How predicates are abstracted, at first.
    pub abstraction: Abstraction,
    /// How far a predicate is used.
    pub scope: Scope,
    /// Where states are abstracted.
    pub blocks: BlockOperator,
    /// Time for the whole run.
    pub time: Option<Duration>,
    /// Ticks for the whole run.
    pub ticks: Option<u64>,
    /// Ticks for one query to the solver.
    pub query_ticks: u64,
    /// How many states may be made.
    pub max_states: usize,
    /// How many states at one location make a variable with many values lose its tracking, as long
    /// as predicates can take over.
    pub value_threshold: usize,
    /// What an unrolling may use in all where no loop goes on, so that questions are all that is left.
    pub ticks_for_questions: Option<u64>,
    /// How many states at targets are gathered before their paths are checked.
    pub targets_per_round: usize,
    /// Which of their paths come first.
    pub rank: Rank,
    /// From how many of them something is learned.
    pub select: Select,
    /// Which parts lazy abstraction gives up: those with more than so many of something.
    pub skip: Vec<(Excess, u64)>,
    /// How far loops and recursion are unrolled, where that is what an engine does.
    pub unwind: Unwind,
    /// How long the search goes on after a counterexample.
    pub after_error: AfterError,
    /// What an execution means that breaks a rule of C.
    pub undefined: OnUndefined,
    /// What is told apart in what the search leaves without an answer.
    pub told_apart: ToldApart,
    /// Is the graph left that was explored, whatever the verdict is?
    pub keeps_graph: bool,
}

/// How long a search goes on after a counterexample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterError {
    /// It ends there.
    Stop,
    /// For as much work as the first one took, and at least a second or so.
    AsLong,
    /// Until nothing is left to look for.
    GoOn,
}

/// What it means for targets behind it that an execution breaks a rule of C, so that what it does then is not defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnUndefined {
    /// Nothing: the verdict is about executions that are defined, and such an execution is told beside it.
    Continue,
    /// They have no answer.
    #[default]
    Stop,
}

/// What may be used after an error that was found with so many ticks.
pub fn as_long_as(ticks: u64) -> u64 {
    ticks.max(TICKS_PER_SECOND)
}

impl Options {
    /// What a search knows that begins with nothing.
    pub fn nothing_known(&self) -> Knowledge {
        Knowledge::new(self.scope, self.care())
    }

    /// What a search knows that is given what another one learned.
    pub fn known(&self, learned: Knowledge) -> Knowledge {
        let mut known = learned.handed_on(self.scope, self.care());
        if !self.domain.values() {
            known.precision.tracked.clear();
        }
        if !self.domain.predicates() {
            known.precision.forget_preds();
            // Without predicates nothing stands in for what was given up.
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
