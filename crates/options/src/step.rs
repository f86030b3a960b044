//! The options of one search: a step of a plan, or a command line.

use crate::how_many::HowMany;
use crate::skip::Skip;
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
    /// What searches for errors and proofs
    #[arg(skip)]
    #[serde(with = "by_name")]
    pub engine: Engine,
    /// How calls are treated
    #[arg(long, value_enum, default_value_t = Calls::Stack, help_heading = "Abstraction")]
    #[serde(with = "by_name")]
    pub calls: Calls,

    /// The order in which abstract states are explored
    #[arg(long, value_enum, default_value_t = Search::Directed, help_heading = "Search")]
    #[serde(with = "by_name")]
    pub search: Search,
    /// The distance of the directed search counts these
    #[arg(long, value_enum, default_value_t = Metric::Bb, help_heading = "Search")]
    #[serde(with = "by_name")]
    pub metric: Metric,
    /// How distances count calls with an unknown callee [default: as in the file of --dist, or efca]
    #[arg(long, value_enum, help_heading = "Search")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
    /// The order of states at the same distance
    #[arg(long, value_enum, default_value_t = Ties::Oldest, help_heading = "Search")]
    #[serde(with = "by_name")]
    pub ties: Ties,
    /// The seed of random choices
    #[arg(long, value_name = "NUMBER", default_value_t = 0, help_heading = "Search")]
    pub seed: u64,

    /// What abstract states keep track of
    #[arg(long, value_enum, default_value_t = Domain::Both, help_heading = "Abstraction")]
    #[serde(with = "by_name")]
    pub domain: Domain,
    /// Where states are abstracted
    #[arg(long, value_enum, default_value_t = Block::Lh, help_heading = "Abstraction")]
    #[serde(with = "by_name")]
    pub block: Block,
    /// How predicates are abstracted; boolean replaces cartesian where that makes no progress
    #[arg(long, value_enum, default_value_t = Abstraction::Cartesian, help_heading = "Abstraction")]
    #[serde(with = "by_name")]
    pub abstraction: Abstraction,
    /// Where a predicate is used
    #[arg(long, value_enum, default_value_t = Scope::Location, help_heading = "Abstraction")]
    #[serde(with = "by_name")]
    pub scope: Scope,
    /// Where predicates that exclude a path come from
    #[arg(long, value_enum, default_value_t = Refiner::Auto, help_heading = "Abstraction")]
    #[serde(with = "by_name")]
    pub refiner: Refiner,
    /// The numbers in which interpolants are computed
    #[arg(long, value_enum, default_value_t = Arithmetic::Auto, help_heading = "Abstraction")]
    #[serde(with = "by_name")]
    pub arithmetic: Arithmetic,
    /// With more states at one location, the variable with the most values is no longer tracked, if predicates can take
    /// over; with a fiftieth of them, if its values decide no branch
    #[arg(long, value_name = "STATES", default_value_t = 1000, help_heading = "Abstraction")]
    pub value_threshold: usize,

    /// How many states at targets the search collects before it checks the paths to them
    #[arg(long, value_name = "NUMBER|all", default_value_t = HowMany::Number(NonZeroUsize::MIN), help_heading = "Refinement")]
    pub targets_per_round: HowMany,
    /// The order of these paths
    #[arg(long, value_enum, default_value_t = Rank::None, help_heading = "Refinement")]
    #[serde(with = "by_name")]
    pub rank: Rank,
    /// How many spurious ones of them a refinement learns from
    #[arg(long, value_name = "first|NUMBER|all", default_value_t = HowMany::Number(NonZeroUsize::MIN), help_heading = "Refinement")]
    pub select: HowMany,

    /// The unwinding of loops and recursion: `N` of all, `FILE:LINE=N` or `FUNCTION=N` of one
    /// [default: further and further]
    #[arg(long, value_name = "[LOOP=]N", help_heading = "Unrolling")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unwind: Vec<Unwind>,

    /// Skip parts with more than N `location-states`, `place-states` (with the same call stack), `loop-iterations`,
    /// `path-steps`, `path-conditions`, facts in a state (`state-size`), `formula-size`, or ticks of work: `post-ticks` for
    /// the successors of a state, `path-state-ticks` for the states of a path, `path-ticks` to decide a path,
    /// `refinement-ticks` to exclude it. The search continues with the others, and a later one takes these
    /// [default: none]
    #[arg(long, alias = "give-up", value_name = "WHAT=N", help_heading = "Parts")]
    #[serde(alias = "give-up", skip_serializing_if = "Vec::is_empty")]
    pub skip: Vec<Skip>,

    /// What ends the step
    #[arg(skip)]
    #[serde(skip_serializing_if = "Budget::is_unlimited")]
    pub budget: Budget,
    /// What the next step gets
    #[arg(skip)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hand: Vec<Handed>,
    /// The step runs only if the program has this
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
    /// Its precision: which values and predicates it tracked
    Precision,
    /// Its residual condition: what it left open
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
    /// unrolled and only target queries remain
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
    /// Executions with random inputs, which find errors only
    Concrete,
}

/// How a search treats calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Calls {
    /// Call strings: states have the whole stack
    #[default]
    Stack,
    /// Stack abstraction: a function is explored from one stack, and calls of it from others are popped if the rest of
    /// the stack does not matter
    Top,
    /// Summaries: functions are explored on their own, and calls reuse what they do
    #[value(alias = "blocks")]
    Summaries,
}

/// Which abstract state is explored next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Search {
    /// Nearest to a target first
    Directed,
    /// Newest first
    Dfs,
    /// Oldest first
    Bfs,
    /// Random
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
    /// The cheapest candidate, without the open calls
    Fsm,
    /// The cheapest candidate, with the open calls
    Efca,
    /// With the open calls; 2 until the search sees the callee, then its cost
    Pfsm,
}

/// Which of several equally near states is explored next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Ties {
    /// Newest first
    Newest,
    /// Oldest first
    Oldest,
    /// Most open calls first, then reverse post-order of the function
    Rpo,
    /// Random
    Random,
}

/// What is known of abstract states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Domain {
    /// Explicit values
    Value,
    /// Predicates
    Predicate,
    /// Values first, predicates where they do not suffice
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
    /// Interpolants first, Newton refinement where there are none, path programs for loops that paths repeat
    Auto,
    /// Interpolants, by Spacer
    Spacer,
    /// Newton refinement: the unsatisfiable core of the path's conditions
    Newton,
}

/// Which paths of a round come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Rank {
    /// As found
    None,
    /// Shortest first
    Shallow,
    /// Longest first
    Deep,
}

/// In which numbers interpolants are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Arithmetic {
    /// In bit-vectors
    Bv,
    /// In unbounded integers; abstraction stays in bit-vectors
    Int,
    /// In unbounded integers first, then in bit-vectors
    Auto,
}
