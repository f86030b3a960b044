//! The command line.

use crate::property::Property;
use crate::task::DataModel;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Finds out whether a C program can reach an error.
#[derive(Debug, Parser)]
#[command(name = "beeline", version, propagate_version = true)]
pub struct Arguments {
    /// What to do
    #[command(subcommand)]
    pub action: Action,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Action {
    /// Checks a program, and checks the answer
    Check(Box<CheckArguments>),
    /// Prints a script that completes commands in a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Writes manual pages
    Man {
        /// The folder for them
        folder: PathBuf,
    },
}

/// What to check, and how.
#[derive(Debug, Args)]
#[command(
    after_help = "The last line printed is the verdict. Exit code: 0 safe, 1 unsafe, 2 wrong input or usage, 3 unknown."
)]
pub struct CheckArguments {
    /// C files, bitcode (.bc), textual LLVM IR (.ll), or one task of SV-COMP (.yml)
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Where the program starts; arguments that the function takes have any values
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub function: String,
    /// What must never happen: unreach-call, no-overflow, bounds, null, memory-safety, valid-deref, valid-free,
    /// valid-memtrack, memory-cleanup, all, or a property file of SV-COMP [default: that of the task, or unreach-call]
    #[arg(long, value_name = "PROPERTY", value_parser = Property::parse)]
    pub property: Option<Property>,
    /// Compile as for SV-COMP: with types of this width, and lenient with old C
    #[arg(long, value_enum, value_name = "MODEL")]
    pub data_model: Option<DataModel>,
    /// Go on where a construct cannot be modelled and bugs may be missed; the answer says so
    #[arg(long)]
    pub allow_unsound: bool,
    /// What functions without a body do: `pure` ones return anything and write nothing, each call is an
    /// assumption; `havoc` ones write whatever they can know of and call back any function that they can know of
    #[arg(long, value_name = "WAY", default_value = "pure", value_parser = ["pure", "havoc"])]
    pub externals: String,
    /// Functions without a body that return any value, by a pattern of their names (may be repeated): with `*` for
    /// the whole name, without for a word in it [always: *nondet*, any, unknown, undef, random, input, havoc, symbolic]
    #[arg(long = "input", value_name = "PATTERN")]
    pub inputs: Vec<String>,
    /// Each allocation may fail: `malloc` and its kin may return null
    #[arg(long)]
    pub malloc_may_fail: bool,
    /// Do not check the answer by beeline-replay or beeline-check-proof
    #[arg(long)]
    pub no_check: bool,
    /// Leave all files in this folder, with a Makefile that repeats the run
    #[arg(long, value_name = "FOLDER")]
    pub keep: Option<PathBuf>,
    /// Print each command before it runs
    #[arg(long)]
    pub explain: bool,
    /// Show every step of an error path, not only its beginning and end
    #[arg(long)]
    pub whole_path: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
    /// Flags for clang
    #[arg(last = true, value_name = "CLANG FLAGS")]
    pub flags: Vec<String>,
    #[command(flatten)]
    pub search: SearchArguments,
}

/// Options that `beeline-verify` takes too; it says what they mean and whether a value is right.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search (see `beeline-verify --help`)")]
pub struct SearchArguments {
    /// Which abstract state is explored next: directed, dfs, bfs or random
    #[arg(long, value_name = "ORDER")]
    search: Option<String>,
    /// What counts as distance: st, bb, lh or lf
    #[arg(long, value_name = "METRIC")]
    metric: Option<String>,
    /// Which of several equally near states is explored next: newest, oldest, rpo or random
    #[arg(long, value_name = "ORDER")]
    ties: Option<String>,
    /// The seed of random choices
    #[arg(long, value_name = "NUMBER")]
    seed: Option<String>,
    /// What is known of abstract states: value, predicate or value+predicate
    #[arg(long, value_name = "DOMAIN")]
    domain: Option<String>,
    /// Where states are abstracted: lh, lf or sbe
    #[arg(long, value_name = "PLACES")]
    block: Option<String>,
    /// How predicates are abstracted: cartesian or boolean
    #[arg(long, value_name = "WAY")]
    abstraction: Option<String>,
    /// How far a predicate is used: location, function or global
    #[arg(long, value_name = "SCOPE")]
    scope: Option<String>,
    /// Where predicates that exclude a path come from: auto, spacer or newton
    #[arg(long, value_name = "REFINER")]
    refiner: Option<String>,
    /// In which numbers interpolants are looked for: bv or auto
    #[arg(long, value_name = "ARITHMETIC")]
    arithmetic: Option<String>,
    /// Time for the search, such as 30s or 5m
    #[arg(long, value_name = "TIME")]
    time_limit: Option<String>,
    /// Memory for the search, such as 500M or 4G
    #[arg(long, value_name = "SIZE")]
    memory_limit: Option<String>,
    /// Abstract states that the search makes at most
    #[arg(long, value_name = "STATES")]
    max_states: Option<String>,
    /// Steps of the solver and of the search for the whole run, of which some 3 million take a second
    #[arg(long, value_name = "TICKS")]
    ticks: Option<String>,
    /// Steps of the solver for one query
    #[arg(long, value_name = "TICKS")]
    query_ticks: Option<String>,
}

impl SearchArguments {
    /// The time limit, which holds for a check of the answer too.
    pub fn time_limit(&self) -> Option<&str> {
        self.time_limit.as_deref()
    }

    /// The options as `beeline-verify` takes them.
    pub fn passed_on(&self) -> Vec<String> {
        let options = [
            ("--search", &self.search),
            ("--metric", &self.metric),
            ("--ties", &self.ties),
            ("--seed", &self.seed),
            ("--domain", &self.domain),
            ("--block", &self.block),
            ("--abstraction", &self.abstraction),
            ("--scope", &self.scope),
            ("--refiner", &self.refiner),
            ("--arithmetic", &self.arithmetic),
            ("--time-limit", &self.time_limit),
            ("--memory-limit", &self.memory_limit),
            ("--max-states", &self.max_states),
            ("--ticks", &self.ticks),
            ("--query-ticks", &self.query_ticks),
        ];
        let given = options.iter().filter_map(|(name, value)| Some((*name, value.as_ref()?)));
        given.flat_map(|(name, value)| [name.to_string(), value.clone()]).collect()
    }
}
