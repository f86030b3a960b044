//! The command line.

use beeline_engine::{Arithmetics, BlockOperator, Domain, Metric, Options, Order, TieBreak};
use clap::{Parser, ValueEnum};
use std::time::Duration;

/// Looks for an execution of a program that reaches a target.
#[derive(Debug, Parser)]
#[command(version)]
pub struct Arguments {
    /// The program, a .cfa file or its textual form; `-` is standard input
    pub program: String,
    /// Where to write the result, a .run file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<std::path::PathBuf>,
    /// Which abstract state is explored next
    #[arg(long, value_enum, default_value_t = Search::Directed)]
    search: Search,
    /// What counts as distance: statements, basic blocks, loop heads, loop heads and functions
    #[arg(long, value_enum, default_value_t = Measure::Bb)]
    metric: Measure,
    /// Which of several equally near states is explored next
    #[arg(long, value_enum, default_value_t = Ties::Newest)]
    ties: Ties,
    /// The seed of random choices
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// What is known of abstract states
    #[arg(long, value_enum, default_value_t = Knowledge::Both)]
    domain: Knowledge,
    /// Where states are abstracted: at loop heads, also where functions begin and end, or everywhere
    #[arg(long, value_enum, default_value_t = Blocks::Lh)]
    blocks: Blocks,
    /// Where predicates are looked for: in bit-vectors, or in unbounded integers first
    #[arg(long, value_enum, default_value_t = Arithmetic::Auto)]
    arithmetic: Arithmetic,
    /// Time for the whole run, such as `30`, `30s` or `5m`; no limit by default
    #[arg(long)]
    time_limit: Option<String>,
    /// Time for one query to the solver
    #[arg(long, default_value = "10s")]
    query_time: String,
    /// Memory, such as `500M` or `4G`; no limit by default
    #[arg(long)]
    memory_limit: Option<String>,
    /// How many states at a location make the variable with the most values lose its tracking, where
    /// predicates can take over
    #[arg(long, default_value_t = Options::default().value_threshold)]
    value_threshold: usize,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Search {
    Directed,
    Dfs,
    Bfs,
    Random,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Measure {
    St,
    Bb,
    Lh,
    Lf,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Ties {
    Newest,
    Oldest,
    Random,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Knowledge {
    Value,
    Predicate,
    #[value(name = "value+predicate")]
    Both,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Arithmetic {
    Bv,
    Auto,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Blocks {
    Lh,
    Lf,
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
            arithmetic: match self.arithmetic {
                Arithmetic::Bv => Arithmetics::BitVectors,
                Arithmetic::Auto => Arithmetics::Integers,
            },
            blocks: match self.blocks {
                Blocks::Lh => BlockOperator::LoopHeads,
                Blocks::Lf => BlockOperator::LoopHeadsAndFunctions,
                Blocks::Sbe => BlockOperator::Single,
            },
            time: self.time()?,
            query_time: duration("--query-time", &self.query_time)?,
            max_states: usize::MAX,
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
