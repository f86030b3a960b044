//! The command line.

use crate::as_command::AsCommand;
use crate::blocks_are::BlocksAre;
use crate::choice::Choose;
use crate::compilation::CompileArguments;
use crate::cover::Of;
use crate::property::{self, Property};
use crate::task::DataModel;
use beeline_options::{Given, PlanOptions, SearchOptions, Time};
use clap::{Args, Parser, Subcommand, ValueHint};
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Finds out whether a C program can reach an error.
#[derive(Debug, Parser)]
#[command(name = "beeline", version, propagate_version = true)]
pub(crate) struct Arguments {
    /// What to do
    #[command(subcommand)]
    pub action: Action,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Action {
    /// Checks a program, and checks the answer
    Check(Box<CheckArguments>),
    /// Runs proofs that were written for CBMC, by the Makefiles of its starter kit
    Cbmc(CbmcArguments),
    /// Finds executions that get to each branch, line or function, or proofs that none does
    Cover(Box<CoverArguments>),
    /// Finds an execution that passes places in an order, or a proof that there is none
    Reach(Box<ReachArguments>),
    /// Runs a build, such as `make`, and leaves the bitcode of each program that it makes beside that
    Build(BuildArguments),
    /// Makes what a search is given and leaves it in the folder of `--keep`: program, distances, features
    Prepare(Box<PrepareArguments>),
    /// Tells what a result says, in the terms of the source
    Explain(ExplainArguments),
    /// Shares what a result leaves among runs of their own, which may go on at the same time
    Split(SplitArguments),
    /// Puts together what such runs found
    Join(JoinArguments),
    /// Puts what `check --sarif` wrote of several programs together as one run of SARIF
    Sarif(SarifArguments),
    /// Prints the plan that `check` follows with these options; with a program, the one that is chosen for it, and why
    Plan(Box<PlanArguments>),
    /// Prints the plan that is chosen for a program with these features, and why
    Choose(ChooseArguments),
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

/// Which result to explain.
#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// The result, a .run file as `beeline check --keep` leaves it
    #[arg(value_hint = ValueHint::FilePath)]
    pub result: PathBuf,
    /// The program that was verified [default: the result's name with the ending .cfa]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub cfa: Option<PathBuf>,
}

/// What to share, and among how many.
#[derive(Debug, Args)]
#[command(after_help = "Example: two runs at the same time\n  \
        beeline split p.run p.cfa -n 2\n  \
        beeline-verify p.cfa --condition p.1.run --condition p.run -o one.run &\n  \
        beeline-verify p.cfa --condition p.2.run --condition p.run -o two.run; wait\n  \
        beeline join p.run one.run two.run -o joined.run\n  \
        beeline-check-proof joined.run p.cfa --after p.run --after one.run --after two.run")]
pub(crate) struct SplitArguments {
    /// The result, a .run file; the parts are written beside it, with a number before the ending
    #[arg(value_hint = ValueHint::FilePath)]
    pub result: PathBuf,
    /// The program that it is about, a .cfa file
    #[arg(value_hint = ValueHint::FilePath)]
    pub program: PathBuf,
    /// How many parts are wanted; there are fewer where less is open
    #[arg(short, long, value_name = "NUMBER")]
    pub number: NonZeroUsize,
}

/// What to put together.
#[derive(Debug, Args)]
#[command(
    after_help = "The last line printed is the verdict. Exit code: 0 safe, 1 unsafe, 2 wrong input or usage, 3 unknown. The proofs of the parts are checked by beeline-check-proof."
)]
pub(crate) struct JoinArguments {
    /// The result that was shared, a .run file
    #[arg(value_hint = ValueHint::FilePath)]
    pub result: PathBuf,
    /// What runs found, each of a part: all parts have to be there
    #[arg(required = true, value_name = "PART", value_hint = ValueHint::FilePath)]
    pub parts: Vec<PathBuf>,
    /// Where to write the result
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
}

/// Which logs to put together.
#[derive(Debug, Args)]
pub(crate) struct SarifArguments {
    /// Logs of `beeline check --sarif`
    #[arg(required = true, value_name = "LOG", value_hint = ValueHint::FilePath)]
    pub logs: Vec<PathBuf>,
    /// Where to write the log; `-` is the standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
}

/// Which proofs to run.
#[derive(Debug, Args)]
#[command(
    after_help = "The last line printed counts the verdicts. Exit code: 0 all are proved, 1 one is refuted, 2 wrong input or usage, also of one proof, 3 one is unknown."
)]
pub(crate) struct CbmcArguments {
    /// Folders of proofs: each has a Makefile that includes that of the starter kit
    #[arg(required_unless_present = "stand_ins", value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub folders: Vec<PathBuf>,
    /// End each proof after so long
    #[arg(long, value_name = "TIME", default_value = "60s")]
    pub time_limit: Time,
    /// Run so many proofs at a time
    #[arg(short, long, value_name = "NUMBER", default_value = "1")]
    pub jobs: NonZeroUsize,
    /// Have functions keep their bodies for which contracts stand in a proof
    #[arg(long)]
    pub ignore_contracts: bool,
    /// Print each property of each proof with its verdict, as CBMC does
    #[arg(long, conflicts_with = "json")]
    pub cbmc_output: bool,
    /// Tell which lines of the project executions of each proof get to; looks for them as long as for the proof
    #[arg(long)]
    pub coverage: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
    /// Write pages for browsers into this folder: index.html with all proofs, and one for each
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub html: Option<PathBuf>,
    /// Keep what becomes of each proof in this folder; one that is kept as proved or refuted is not run again unless its
    /// files or options changed
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub resume: Option<PathBuf>,
    /// Write programs that stand for goto-cc, goto-instrument and cbmc into this folder, for PATH, and end
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, conflicts_with = "folders")]
    pub stand_ins: Option<PathBuf>,
    /// Leave the files of each proof in a folder of its name in this one
    #[arg(long, value_name = "FOLDER")]
    pub keep: Option<PathBuf>,
}

/// What to cover, and how.
#[derive(Debug, Args)]
#[command(
    after_help = "The last line printed counts what is covered, dead (no execution gets there: proved), and open. Exit code: 0 nothing is open, 2 wrong input or usage, 3 something is."
)]
pub(crate) struct CoverArguments {
    /// The places
    #[arg(long, value_enum, default_value_t = Of::Branches)]
    pub of: Of,
    /// Write the tests that cover what is covered into this folder, in the format of Test-Comp; of a
    /// command, each into a folder with its standard input, its files and a script that runs it
    #[arg(long, value_name = "FOLDER")]
    pub tests: Option<PathBuf>,
    /// Write what is covered for lcov, genhtml and editors
    #[arg(long, value_name = "FILE")]
    pub lcov: Option<PathBuf>,
    #[command(flatten)]
    pub check: CheckArguments,
}

/// Which places to reach, and how.
#[derive(Debug, Args)]
#[command(
    after_help = "The last line printed is the verdict: reachable, unreachable or unknown. Exit code: 0 unreachable, 1 reachable, 2 wrong input or usage, 3 unknown."
)]
pub(crate) struct ReachArguments {
    /// A place: FILE:LINE, `FILE:LINE if CONDITION` in C before the first statement that begins there, a function, or
    /// call:FUNCTION (may be repeated: all are passed in this order; where that stays open, how many of them can be
    /// passed is looked at for a quarter of the time more)
    #[arg(long, value_name = "PLACE", required_unless_present = "warnings")]
    pub to: Vec<String>,
    /// Decide the warnings in this file, SARIF of any tool or what `clang --analyze` writes, a property list;
    /// --sarif writes them with what is known
    #[arg(long, value_name = "FILE", conflicts_with = "to")]
    pub warnings: Option<PathBuf>,
    #[command(flatten)]
    pub check: CheckArguments,
}

/// Which build to run.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  beeline build -- make\n  beeline cover prog.bc\n\nPrints where bitcode is. The exit code is that of the build."
)]
pub(crate) struct BuildArguments {
    /// The command, and what it is told
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

/// Which plan is wanted.
#[derive(Debug, Args)]
pub(crate) struct PlanArguments {
    /// The program for which a plan is chosen, as `check` takes it
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub program: Option<PathBuf>,
    /// Choose the plan by what was learned: on, off, or a selector, a .sel file that beeline-train made [default: off]
    #[arg(long, value_name = "on|off|FILE", value_parser = Choose::parse)]
    pub choose: Option<Choose>,
    #[command(flatten)]
    pub options: PlanOptions,
}

/// For which features a plan is wanted.
#[derive(Debug, Args)]
pub(crate) struct ChooseArguments {
    /// The features, a .feat file
    #[arg(value_hint = ValueHint::FilePath)]
    pub features: PathBuf,
    /// What chooses: on is the shipped selector, else a .sel file that beeline-train made
    #[arg(long, value_name = "on|FILE", value_parser = Choose::parse, default_value = "on")]
    pub choose: Choose,
}

/// What to prepare, and how.
#[derive(Debug, Args)]
#[command(
    after_help = "Prints where the program is, or with --json where all files are. Exit code: 0 they are made, 2 wrong input or usage, 3 the program has something that cannot be modelled."
)]
pub(crate) struct PrepareArguments {
    #[command(flatten)]
    pub check: CheckArguments,
}

/// What to check, and how.
#[derive(Debug, Clone, Args)]
#[command(
    after_help = "The last line printed is the verdict. Exit code: 0 safe, 1 unsafe, 2 wrong input or usage, 3 unknown;\n\
        with --witness 0 confirmed, 1 rejected.\n\
        Defaults are taken from the file beeline.toml, if there is one in the folder where the check is started."
)]
pub(crate) struct CheckArguments {
    /// C files, bitcode (.bc), textual LLVM IR (.ll), one task of SV-COMP (.yml), or `-` for C on the standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Where the program starts; arguments that the function takes have any values
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub function: String,
    /// What the function that --function names is given (may be repeated): conditions of C over its parameters, with
    /// `&&` between them; fresh(p, n): p leads to n elements of its own; string(s, n): s is a text of its own of at most n
    /// characters [with properties of memory: each pointer is null or leads to one object of its own]
    #[arg(long = "requires", value_name = "CONDITION")]
    pub requires: Vec<String>,
    /// What must never happen: unreach-call, no-overflow, bounds, null, memory-safety, valid-deref, valid-free,
    /// valid-memtrack, memory-cleanup, no-data-race, no-deadlock, all, or a property file of SV-COMP; several with commas
    /// between them
    /// [default: that of the task, or unreach-call]
    #[arg(long = "property", value_name = "PROPERTY", value_delimiter = ',', value_parser = property::Parser, hide_possible_values = true)]
    pub properties: Vec<Property>,
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
    /// Start the program as a shell does: with at most 4 arguments of at most 8 bytes, a standard input, and files that it
    /// opens, of bounded size; an error is confirmed by running it with just these. auto: where main takes parameters
    /// [default: where an error was found that natively does not happen; for `cover`: auto]
    #[arg(long, value_name = "WHEN", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "always", hide_possible_values = true)]
    pub as_command: Option<AsCommand>,
    /// What `--calls blocks` explores on its own and summarises; loops are functions for all of a plan then, and the
    /// program that is verified and its proofs name them `FUNCTION.loopN`
    #[arg(long, value_enum, default_value_t = BlocksAre::Functions)]
    pub blocks_are: BlocksAre,
    /// Choose the plan by what was learned: on, off, or a selector, a .sel file that beeline-train made [default: off]
    #[arg(long, value_name = "on|off|FILE", value_parser = Choose::parse)]
    pub choose: Option<Choose>,
    /// Find out whether what this witness of SV-COMP claims is true: of the format 2 (YAML), a proof with invariants or a
    /// violation
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub witness: Option<PathBuf>,
    /// Do not check the answer by beeline-replay or beeline-check-proof
    #[arg(long)]
    pub no_check: bool,
    /// Leave all files in this folder, with a Makefile that repeats the run
    #[arg(long, value_name = "FOLDER")]
    pub keep: Option<PathBuf>,
    /// Where the verdict is unknown, write the program that is still to be verified, as LLVM bitcode: without what was shown
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "witness")]
    pub residual: Option<PathBuf>,
    /// Print each command before it runs
    #[arg(long)]
    pub explain: bool,
    /// Tell what the search learns and decides on standard error: info, or debug for more [default: what BEELINE_LOG says]
    #[arg(long, value_name = "LEVEL")]
    pub log: Option<String>,
    /// Show every step of an error path, not only those that its error depends on
    #[arg(long)]
    pub whole_path: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
    /// Write the bugs that were found in the format of SARIF 2.1.0, for editors and code review; `-`: to the standard
    /// output, instead of text
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub sarif: Option<PathBuf>,
    /// With --sarif: write what is proved and what is open as results as well
    #[arg(long, requires = "sarif")]
    pub sarif_all: bool,
    /// Write the answer as a page for browsers: the source with paths, invariants and assumptions at its lines
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub html: Option<PathBuf>,
    /// Write a C program that fails with the inputs of the first bug, without Beeline; how to build it stands in it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "witness")]
    pub test: Option<PathBuf>,
    #[command(flatten)]
    pub compile: CompileArguments,
    /// More flags for clang
    #[arg(last = true, value_name = "CLANG FLAGS")]
    pub flags: Vec<String>,
    #[command(flatten)]
    pub search: Given<SearchOptions>,
}
