//! How a search goes: a step of a plan, and what a command line says of one.

use crate::give_up::GiveUp;
use crate::how_many::HowMany;
use crate::unwind::Unwind;
use crate::value::{Time, by_name};
use clap::{Args, Command, FromArgMatches, ValueEnum};
use serde::{Deserialize, Serialize};
use std::num::{NonZeroU64, NonZeroUsize};

/// One search. What is left out is as on an empty command line.
#[derive(Debug, Clone, PartialEq, Eq, Args, Serialize, Deserialize)]
#[group(id = STEP)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Step {
    /// What looks for errors and proofs
    #[arg(skip)]
    #[serde(with = "by_name")]
    pub engine: Engine,
    /// How open calls are told apart
    #[arg(long, value_enum, default_value_t = Calls::Stack, help_heading = "Abstraction")]
    #[serde(with = "by_name")]
    pub calls: Calls,

    /// Which abstract state is explored next
    #[arg(long, value_enum, default_value_t = Search::Directed, help_heading = "Search")]
    #[serde(with = "by_name")]
    pub search: Search,
    /// What counts as distance in the directed search
    #[arg(long, value_enum, default_value_t = Metric::Bb, help_heading = "Search")]
    #[serde(with = "by_name")]
    pub metric: Metric,
    /// How calls count in the distance whose callee is not known [default: as in the file of --dist, or efca]
    #[arg(long, value_enum, help_heading = "Search")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
    /// Which of several equally near states is explored next
    #[arg(long, value_enum, default_value_t = Ties::Oldest, help_heading = "Search")]
    #[serde(with = "by_name")]
    pub ties: Ties,
    /// The seed of random choices
    #[arg(long, value_name = "NUMBER", default_value_t = 0, help_heading = "Search")]
    pub seed: u64,

    /// What is known of abstract states
    #[arg(long, value_enum, default_value_t = Domain::Both, help_heading = "Abstraction")]
    #[serde(with = "by_name")]
    pub domain: Domain,
    /// Where states are abstracted
    #[arg(long, value_enum, default_value_t = Block::Lh, help_heading = "Abstraction")]
    #[serde(with = "by_name")]
    pub block: Block,
    /// How predicates are abstracted, as long as that makes progress
    #[arg(long, value_enum, default_value_t = Abstraction::Cartesian, help_heading = "Abstraction")]
    #[serde(with = "by_name")]
    pub abstraction: Abstraction,
    /// How far a predicate is used
    #[arg(long, value_enum, default_value_t = Scope::Location, help_heading = "Abstraction")]
    #[serde(with = "by_name")]
    pub scope: Scope,
    /// Where predicates that exclude a path come from
    #[arg(long, value_enum, default_value_t = Refiner::Auto, help_heading = "Abstraction")]
    #[serde(with = "by_name")]
    pub refiner: Refiner,
    /// In which numbers interpolants are looked for
    #[arg(long, value_enum, default_value_t = Arithmetic::Auto, help_heading = "Abstraction")]
    #[serde(with = "by_name")]
    pub arithmetic: Arithmetic,
    /// How many states at one location make the variable with the most values lose its tracking, where predicates
    /// can take over; a fiftieth of them, where values do not tell where to go on
    #[arg(long, value_name = "STATES", default_value_t = 1000, help_heading = "Abstraction")]
    pub value_threshold: usize,

    /// How many states at targets are found before the paths to them are checked
    #[arg(long, value_name = "NUMBER|all", default_value_t = HowMany::Number(NonZeroUsize::MIN), help_heading = "Refinement")]
    pub targets_per_round: HowMany,
    /// Which of these paths come first
    #[arg(long, value_enum, default_value_t = Rank::None, help_heading = "Refinement")]
    #[serde(with = "by_name")]
    pub rank: Rank,
    /// From how many of them that are infeasible something is learned before exploration goes on
    #[arg(long, value_name = "first|NUMBER|all", default_value_t = HowMany::Number(NonZeroUsize::MIN), help_heading = "Refinement")]
    pub select: HowMany,

    /// How far loops and recursion are unrolled: `N` all of them, `FILE:LINE=N` or `FUNCTION=N` one of them
    /// [default: further and further]
    #[arg(long, value_name = "[LOOP=]N", help_heading = "Unrolling")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unwind: Vec<Unwind>,

    /// Which parts are given up, while the search goes on with the others: those with more than N of
    /// `location-states`, `place-states` (with the same calls open), `loop-turns`, `path-steps`, `path-conditions` or
    /// facts known (`state-size`), what is behind states where that took more than N `post-ticks`, and paths that take
    /// more than N `path-ticks` to decide or `refinement-ticks` to exclude. They are left to a later search
    /// [default: none]
    #[arg(long, value_name = "WHAT=N", help_heading = "Parts")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub give_up: Vec<GiveUp>,

    /// When the next step begins
    #[arg(skip)]
    #[serde(skip_serializing_if = "Budget::is_unlimited")]
    pub budget: Budget,
    /// What the next step is given
    #[arg(skip)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hand: Vec<Handed>,
    /// What a program has to have for the step to be taken
    #[arg(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only_with: Option<Feature>,
}

/// What a program may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Feature {
    /// Functions that call themselves, perhaps through others
    Recursion,
}

/// What a step can give to the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Handed {
    /// Which values and predicates it looked at
    Precision,
    /// What it left open, the rest being shown
    Condition,
}

/// The group of the options of a step.
pub(crate) const STEP: &str = "step";

impl Default for Step {
    fn default() -> Step {
        let command = Step::augment_args(Command::new(STEP)).no_binary_name(true);
        let matches = command.try_get_matches_from::<_, &str>([]);
        let step = matches.and_then(|matches| Step::from_arg_matches(&matches));
        step.expect("every option has a default")
    }
}

/// What a step may use up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Budget {
    /// Steps of the solver and of the search, of which some 3 million take a second; four times as many where all is
    /// unrolled and only questions are left
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticks: Option<NonZeroU64>,
    /// Time by the clock
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<Time>,
}

impl Budget {
    fn is_unlimited(&self) -> bool {
        *self == Budget::default()
    }
}

/// What looks for errors and proofs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// Lazy abstraction
    #[default]
    Lazy,
    /// Unrolling of loops and recursion, further and further
    Bounded,
    /// Executions with inputs that are drawn at random, which may find errors only
    Concrete,
}

/// How open calls are told apart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Calls {
    /// By the whole stack
    #[default]
    Stack,
    /// By the topmost call, as long as it does not matter what the others are: what a function does is explored from
    /// one stack, and calls of it from others are popped
    Top,
    /// Not at all: functions are explored on their own, and calls of them summarised
    Blocks,
}

/// Which abstract state is explored next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Search {
    /// The one nearest to a target
    Directed,
    /// The newest one
    Dfs,
    /// The oldest one
    Bfs,
    /// Any
    Random,
}

/// What counts as distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Metric {
    /// Statements
    St,
    /// Basic blocks
    Bb,
    /// Loop heads
    Lh,
    /// Loop heads, and functions that begin or end
    Lf,
}

/// How calls count whose callee is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Estimate {
    /// Without the calls that are open; the cheapest candidate
    Fsm,
    /// With the calls that are open; the cheapest candidate
    Efca,
    /// With the calls that are open; 2 until the search sees whom they call, then what that costs
    Pfsm,
}

/// Which of several equally near states is explored next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Ties {
    /// The newest one
    Newest,
    /// The oldest one
    Oldest,
    /// The one with the most open calls, then the one first in reverse post-order of its function
    Rpo,
    /// Any
    Random,
}

/// What is known of abstract states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Domain {
    /// Explicit values
    Value,
    /// Predicates
    Predicate,
    /// Values first, predicates where these do not suffice
    #[value(name = "value+predicate")]
    Both,
}

/// Where states are abstracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Block {
    /// At loop heads
    Lh,
    /// At loop heads, and where functions begin and end
    Lf,
    /// Everywhere
    Sbe,
}

/// How predicates are abstracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Abstraction {
    /// Each on its own
    Cartesian,
    /// In all their combinations
    Boolean,
}

/// How far a predicate is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Scope {
    /// Where it was found
    Location,
    /// In the function where it was found
    Function,
    /// Everywhere
    Global,
}

/// Where predicates that exclude a path come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Refiner {
    /// Interpolants first, the path's own conditions where there are none, invariants of loops that are unrolled more and more
    Auto,
    /// Interpolants, which Spacer finds
    Spacer,
    /// The path's conditions that contradict each other
    Newton,
}

/// Which paths of a round come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Rank {
    /// Those found first
    None,
    /// Short ones
    Shallow,
    /// Long ones
    Deep,
}

/// In which numbers interpolants are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Arithmetic {
    /// In bit-vectors
    Bv,
    /// In unbounded integers; abstraction is in bit-vectors all the same
    Int,
    /// In unbounded integers first, then in bit-vectors
    Auto,
}
