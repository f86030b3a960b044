//! The command line.

use beeline_engine::{
    Abstraction, Arithmetics, BlockOperator, Domain, Metric, Options, Order, PredicateSource, Scope,
    TICKS_PER_SECOND, TieBreak,
};
use clap::{Parser, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// Looks for an execution of a program that reaches a target.
///
/// The last line on standard output is the verdict: safe, unsafe, or unknown with the reason. The exit code
/// is 0 whenever there is a verdict, and 2 for wrong input or usage. SIGINT, SIGTERM and limits end a run with
/// the verdict unknown; its result is written all the same.
#[derive(Debug, Parser)]
#[command(version)]
pub struct Arguments {
    /// The program, a .cfa file or its textual form; `-` is standard input
    pub program: String,
    /// Where to write the result, a .run file [default: nowhere]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Distances to guide the directed search, a .dist file that beeline-annotate made from the program
    /// [default: measured here]
    #[arg(long, value_name = "FILE")]
    pub dist: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
    /// Tell what the search learns and decides on standard error: info, or debug for more [default: what
    /// BEELINE_LOG says, or nothing]
    #[arg(long, value_name = "LEVEL")]
    pub log: Option<String>,
    /// Check the proof of a safe verdict; unless it is valid, the verdict is unknown
    #[arg(long)]
    pub paranoid: bool,

    /// Which abstract state is explored next
    #[arg(long, value_enum, default_value_t = Search::Directed, help_heading = "Search")]
    search: Search,
    /// What counts as distance in the directed search
    #[arg(long, value_enum, default_value_t = Measure::Bb, help_heading = "Search")]
    metric: Measure,
    /// Which of several equally near states is explored next
    #[arg(long, value_enum, default_value_t = Ties::Oldest, help_heading = "Search")]
    ties: Ties,
    /// The seed of random choices
    #[arg(long, default_value_t = 0, help_heading = "Search")]
    seed: u64,

    /// What is known of abstract states
    #[arg(long, value_enum, default_value_t = Knowledge::Both, help_heading = "Abstraction")]
    domain: Knowledge,
    /// Where states are abstracted
    #[arg(long, value_enum, default_value_t = Blocks::Lh, help_heading = "Abstraction")]
    block: Blocks,
    /// How predicates are abstracted, as long as that makes progress
    #[arg(long, value_enum, default_value_t = Combined::Cartesian, help_heading = "Abstraction")]
    abstraction: Combined,
    /// How far a predicate is used
    #[arg(long, value_enum, default_value_t = Reach::Location, help_heading = "Abstraction")]
    scope: Reach,
    /// Where predicates that exclude a path come from
    #[arg(long, value_enum, default_value_t = Refine::Auto, help_heading = "Abstraction")]
    refiner: Refine,
    /// In which numbers interpolants are looked for
    #[arg(long, value_enum, default_value_t = Arithmetic::Auto, help_heading = "Abstraction")]
    arithmetic: Arithmetic,
    /// How many states at one location make the variable with the most values lose its tracking, where predicates
    /// can take over; a fiftieth of them, where values do not tell where to go on
    #[arg(long, value_name = "STATES", default_value_t = Options::default().value_threshold, help_heading = "Abstraction")]
    value_threshold: usize,

    /// Time for the whole run by the clock, such as `30`, `30s` or `5m` [default: no limit]
    #[arg(long, value_name = "TIME", help_heading = "Limits")]
    time_limit: Option<String>,
    /// Memory of the process, such as `500M` or `4G` [default: no limit]
    #[arg(long, value_name = "SIZE", help_heading = "Limits")]
    memory_limit: Option<String>,
    /// Abstract states made, the removed ones included [default: no limit]
    #[arg(long, value_name = "STATES", help_heading = "Limits")]
    max_states: Option<usize>,
    /// Steps of the solver and of the search for the whole run, of which some 3 million take a second [default: no
    /// limit]
    #[arg(long, value_name = "TICKS", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    ticks: Option<u64>,
    /// Steps of the solver for one query
    #[arg(long, value_name = "TICKS", value_parser = clap::value_parser!(u64).range(1..),
        default_value_t = 10 * TICKS_PER_SECOND, help_heading = "Limits")]
    query_ticks: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, ValueEnum)]
enum Search {
    /// The one nearest to a target
    Directed,
    /// The newest one
    Dfs,
    /// The oldest one
    Bfs,
    /// Any
    Random,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Measure {
    /// Statements
    St,
    /// Basic blocks
    Bb,
    /// Loop heads
    Lh,
    /// Loop heads, and functions that begin or end
    Lf,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Ties {
    /// The newest one
    Newest,
    /// The oldest one
    Oldest,
    /// The one with the most open calls, then the one first in reverse post-order of its function
    Rpo,
    /// Any
    Random,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Knowledge {
    /// Explicit values
    Value,
    /// Predicates
    Predicate,
    /// Values first, predicates where these do not suffice
    #[value(name = "value+predicate")]
    Both,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Combined {
    /// Each on its own
    Cartesian,
    /// In all their combinations
    Boolean,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Reach {
    /// Where it was found
    Location,
    /// In the function where it was found
    Function,
    /// Everywhere
    Global,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Refine {
    /// Interpolants first, the path's own conditions where there are none, invariants of loops that are unrolled more and more
    Auto,
    /// Interpolants, which Spacer finds
    Spacer,
    /// The path's conditions that contradict each other
    Newton,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Arithmetic {
    /// In bit-vectors
    Bv,
    /// In unbounded integers; abstraction is in bit-vectors all the same
    Int,
    /// In unbounded integers first, then in bit-vectors
    Auto,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Blocks {
    /// At loop heads
    Lh,
    /// At loop heads, and where functions begin and end
    Lf,
    /// Everywhere
    Sbe,
}

impl Arguments {
    /// The options of the engine.
    pub fn options(&self) -> Result<Options, String> {
        Ok(Options {
            order: match self.search {
                Search::Directed => Order::Directed(match self.ties {
                    Ties::Newest => TieBreak::Newest,
                    Ties::Oldest => TieBreak::Oldest,
                    Ties::Rpo => TieBreak::ReversePostOrder,
                    Ties::Random => TieBreak::Random(self.seed),
                }),
                Search::Dfs => Order::DepthFirst,
                Search::Bfs => Order::BreadthFirst,
                Search::Random => Order::Random(self.seed),
            },
            domain: match self.domain {
                Knowledge::Value => Domain::Values,
                Knowledge::Predicate => Domain::Predicates,
                Knowledge::Both => Domain::Both,
            },
            refiner: match self.refiner {
                Refine::Auto => PredicateSource::All,
                Refine::Spacer => PredicateSource::Interpolants,
                Refine::Newton => PredicateSource::Conditions,
            },
            arithmetic: match self.arithmetic {
                Arithmetic::Bv => Arithmetics::BitVectors,
                Arithmetic::Int => Arithmetics::Integers,
                Arithmetic::Auto => Arithmetics::Both,
            },
            abstraction: match self.abstraction {
                Combined::Cartesian => Abstraction::Cartesian,
                Combined::Boolean => Abstraction::Boolean,
            },
            scope: match self.scope {
                Reach::Location => Scope::Location,
                Reach::Function => Scope::Function,
                Reach::Global => Scope::Global,
            },
            blocks: match self.block {
                Blocks::Lh => BlockOperator::LoopHeads,
                Blocks::Lf => BlockOperator::LoopHeadsAndFunctions,
                Blocks::Sbe => BlockOperator::Single,
            },
            time: self.time()?,
            ticks: self.ticks,
            query_ticks: self.query_ticks,
            max_states: match self.max_states {
                Some(0) => return Err("--max-states takes a positive number, not `0`".into()),
                limit => limit.unwrap_or(usize::MAX),
            },
            value_threshold: self.value_threshold,
        })
    }

    /// The metric of the directed search.
    pub fn metric(&self) -> Metric {
        match self.metric {
            Measure::St => Metric::Statements,
            Measure::Bb => Metric::BasicBlocks,
            Measure::Lh => Metric::LoopHeads,
            Measure::Lf => Metric::LoopHeadsAndFunctions,
        }
    }

    /// The time limit.
    pub fn time(&self) -> Result<Option<Duration>, String> {
        self.time_limit.as_deref().map(|text| duration("--time-limit", text)).transpose()
    }

    /// The memory limit in bytes.
    pub fn memory_bytes(&self) -> Result<Option<u64>, String> {
        let Some(text) = self.memory_limit.as_deref() else { return Ok(None) };
        let (digits, unit) = split(text);
        let factor = match unit {
            "" => 1,
            "K" | "k" => 1 << 10,
            "M" | "m" => 1 << 20,
            "G" | "g" => 1 << 30,
            _ => 0,
        };
        let bytes = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
        match bytes.filter(|&bytes| bytes > 0) {
            Some(bytes) => Ok(Some(bytes)),
            None => Err(format!("--memory-limit takes a positive size such as 500M or 4G, not `{text}`")),
        }
    }
}

fn split(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len()))
}

fn duration(option: &str, text: &str) -> Result<Duration, String> {
    let (digits, unit) = split(text);
    let seconds = match unit {
        "ms" => Some(0.001),
        "" | "s" => Some(1.0),
        "m" | "min" => Some(60.0),
        "h" => Some(3600.0),
        _ => None,
    };
    let value = seconds.and_then(|seconds| Some(digits.parse::<f64>().ok()? * seconds));
    match value.filter(|&value| value > 0.0 && value < 1e9) {
        Some(value) => Ok(Duration::from_secs_f64(value)),
        None => Err(format!("{option} takes a positive time such as 30s or 5m, not `{text}`")),
    }
}
