//! The command line.

use crate::as_command::AsCommand;
use crate::choice::Choose;
use crate::compilation::CompileArguments;
use crate::cover::Of;
use crate::entry::contract::Requirement;
use crate::property::{self, Property};
use crate::summarise::Summarise;
use crate::task::DataModel;
use beeline_options::{Given, PlanOptions, SearchOptions, Time};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
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
    /// Checks a program, and then the answer
    Check(Box<CheckArguments>),
    /// Runs proofs that were written for CBMC, by the Makefiles of its starter kit
    Cbmc(CbmcArguments),
    /// Finds an execution that reaches each branch, line or function, or a proof that none does
    Cover(Box<CoverArguments>),
    /// Finds an execution that passes places in an order, or a proof that there is none
    Reach(Box<ReachArguments>),
    /// Checks the entries of beeline.toml, and says what a change made of their answers
    Ci(CiArguments),
    /// Runs a build, such as `make`, and writes the bitcode of each program next to it
    Build(BuildArguments),
    /// Writes the input of a search to the folder of `--keep`: program, distances, features
    Prepare(Box<PrepareArguments>),
    /// Explains a result in terms of the source
    Explain(ExplainArguments),
    /// Splits the residual condition of a result into parts for separate runs
    Split(SplitArguments),
    /// Joins the results of such runs
    Join(JoinArguments),
    /// Merges the SARIF logs of several programs into one run
    Sarif(SarifArguments),
    /// Prints the plan of `check` with these options; with a program, the plan chosen for it, and why
    Plan(Box<PlanArguments>),
    /// Prints the plan chosen for a program with these features, and why
    Choose(ChooseArguments),
    /// Serves an editor as a language server: checks the functions of C files when they are saved
    Lsp {
        /// Talk on standard input and output, which it does anyway: editors say this
        #[arg(long, hide = true)]
        stdio: bool,
    },
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
    /// The result, a .run file; the parts are written next to it, with a number before the ending
    #[arg(value_hint = ValueHint::FilePath)]
    pub result: PathBuf,
    /// Its program, a .cfa file
    #[arg(value_hint = ValueHint::FilePath)]
    pub program: PathBuf,
    /// The number of parts; there are fewer if less is open
    #[arg(short, long, value_name = "NUMBER")]
    pub number: NonZeroUsize,
}

/// Values of variables with static lifetime where a function is entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Globals {
    /// Their initial values
    Initial,
    /// Any values
    Any,
}

/// What to put together.
#[derive(Debug, Args)]
#[command(
    after_help = "The last line printed is the verdict. Exit code: 0 safe, 1 unsafe, 2 wrong input or usage, 3 unknown. The proofs of the parts are checked by beeline-check-proof."
)]
pub(crate) struct JoinArguments {
    /// The result that was split, a .run file
    #[arg(value_hint = ValueHint::FilePath)]
    pub result: PathBuf,
    /// The results of runs, one for each part
    #[arg(required = true, value_name = "PART", value_hint = ValueHint::FilePath)]
    pub parts: Vec<PathBuf>,
    /// The file for the result
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
}

/// Which entries to check, and against what.
#[derive(Debug, Args)]
#[command(
    after_help = "Example of an entry in beeline.toml; its keys are the options of `beeline check`:\n  \
        [[entry]]\n  files = ['src/queue.c']\n  function = 'queue_push'\n  property = 'memory-safety'\n\n\
        Exit code: 0 all are safe, 1 one is unsafe, 2 wrong input or usage, also of one entry, 3 one is unknown."
)]
pub(crate) struct CiArguments {
    /// The entries, by name [default: all]
    pub entries: Vec<String>,
    /// The folder with the results of earlier runs, which gets the new ones
    #[arg(long, value_name = "FOLDER", default_value = ".beeline", value_hint = ValueHint::DirPath)]
    pub cache: PathBuf,
    /// Check the entries at this revision of git first, to compare with: a commit, a branch or a tag
    #[arg(long, value_name = "REVISION")]
    pub base: Option<String>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub json: bool,
    /// Write the bugs of all entries as one SARIF log; each says whether it is new
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub sarif: Option<PathBuf>,
}

/// Which logs to put together.
#[derive(Debug, Args)]
pub(crate) struct SarifArguments {
    /// Logs of `beeline check --sarif`
    #[arg(required = true, value_name = "LOG", value_hint = ValueHint::FilePath)]
    pub logs: Vec<PathBuf>,
    /// The file for the log; `-` is standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
}

/// Which proofs to run.
#[derive(Debug, Args)]
#[command(
    after_help = "The last line printed counts the verdicts. Exit code: 0 all are proved, 1 one is refuted, 2 wrong input or usage, also of one proof, 3 one is unknown."
)]
pub(crate) struct CbmcArguments {
    /// Folders of proofs, each with a Makefile that includes that of the starter kit
    #[arg(required_unless_present = "stand_ins", value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub folders: Vec<PathBuf>,
    /// Time limit for each proof
    #[arg(long, value_name = "TIME", default_value = "60s")]
    pub time_limit: Time,
    /// Run that many proofs at a time
    #[arg(short, long, value_name = "NUMBER", default_value = "1")]
    pub jobs: NonZeroUsize,
    /// Use the bodies of functions that a proof replaces by contracts
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
    /// Keep the answer of each proof in this folder; a proof that was proved or refuted is not run again unless its files, the
    /// options, clang or Beeline changed
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub resume: Option<PathBuf>,
    /// Write programs that stand for goto-cc, goto-instrument and cbmc into this folder, for PATH, and end
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, conflicts_with = "folders")]
    pub stand_ins: Option<PathBuf>,
    /// Keep the files of each proof in this folder, in a folder that is named as its page
    #[arg(long, value_name = "FOLDER")]
    pub keep: Option<PathBuf>,
}

/// What to cover, and how.
#[derive(Debug, Args)]
#[command(
    after_help = "The last line printed counts covered, dead (proved unreachable) and open places. Exit code: 0 nothing is open, 2 wrong input or usage, 3 something is open.\n\
        Defaults come from the file beeline.toml in the current folder, if it exists."
)]
pub(crate) struct CoverArguments {
    /// The places
    #[arg(long, value_enum, default_value_t = Of::Branches)]
    pub of: Of,
    /// Write the tests to this folder, in the format of Test-Comp; tests of a command each get a folder with standard
    /// input, files and a script that runs them
    #[arg(long, value_name = "FOLDER")]
    pub tests: Option<PathBuf>,
    /// Write the coverage for lcov, genhtml and editors
    #[arg(long, value_name = "FILE")]
    pub lcov: Option<PathBuf>,
    #[command(flatten)]
    pub check: CheckArguments,
}

/// Which places to reach, and how.
#[derive(Debug, Args)]
#[command(
    after_help = "The last line printed is the verdict: reachable, unreachable or unknown. Exit code: 0 unreachable, 1 reachable, 2 wrong input or usage, 3 unknown.\n\
        Defaults come from the file beeline.toml in the current folder, if it exists."
)]
pub(crate) struct ReachArguments {
    /// A place (may be repeated: all in this order): FILE:LINE, `FILE:LINE if CONDITION` with a condition in C before the
    /// first statement of the line, a function, or call:FUNCTION. If the answer stays open, a quarter of the time more
    /// goes to how many of the places an execution can pass
    #[arg(long, value_name = "PLACE", required_unless_present = "warnings")]
    pub to: Vec<String>,
    /// Decide the warnings in this file: SARIF of any tool, or a property list of `clang --analyze`; --sarif writes them
    /// with the decisions
    #[arg(long, value_name = "FILE", conflicts_with = "to")]
    pub warnings: Option<PathBuf>,
    #[command(flatten)]
    pub check: CheckArguments,
}

/// Which build to run.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  beeline build -- make\n  beeline cover prog.bc\n\nPrints the paths of the bitcode. The exit code is that of the build."
)]
pub(crate) struct BuildArguments {
    /// The command with its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

/// Which plan is wanted.
#[derive(Debug, Args)]
pub(crate) struct PlanArguments {
    /// The program to choose a plan for, as for `check`
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub program: Option<PathBuf>,
    /// Choose the plan by a learned selector: on, off, or a .sel file of beeline-train [default: off]
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
    /// The selector: on for the shipped one, or a .sel file of beeline-train
    #[arg(long, value_name = "on|FILE", value_parser = Choose::parse, default_value = "on")]
    pub choose: Choose,
}

/// What to prepare, and how.
#[derive(Debug, Args)]
#[command(
    after_help = "Prints the path of the program, or with --json the paths of all files. Exit code: 0 the files are written, 2 wrong input or usage, 3 the program has a construct that cannot be modelled."
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
        Defaults come from the file beeline.toml in the current folder, if it exists."
)]
pub(crate) struct CheckArguments {
    /// C files, bitcode (.bc), textual LLVM IR (.ll), one task of SV-COMP (.yml), or `-` for C on the standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The entry function; its arguments have any values
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub function: String,
    /// Precondition of the entry function (may be repeated): conditions of C over its parameters, with `&&` between them;
    /// fresh(p, n): p points to n separate elements; string(s, n): s is a separate string of at most n characters [default
    /// with properties of memory: each pointer is null or points to one separate object]
    #[arg(long = "requires", value_name = "CONDITION")]
    pub requires: Vec<String>,
    /// Where each of them is written, if that is another place than the command line
    #[arg(long = "requires-at", value_name = "PLACE", hide = true)]
    pub requires_at: Vec<String>,
    /// Check only executions for which a condition in C holds at a place (may be repeated): `function NAME if CONDITION`, each
    /// time that the function begins, or `FILE:LINE if CONDITION`, before the first statement of the line. The answer says so
    #[arg(long, value_name = "CONDITION", conflicts_with = "witness")]
    pub only: Vec<String>,
    /// Check only executions that this automaton does not leave out: states and steps between them at places and conditions, in
    /// TOML (ir-spec/conditions.md). The answer says so
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "witness")]
    pub assume_paths: Option<PathBuf>,
    /// Values of global and static variables where the function of --function begins: their initial values, or any
    #[arg(long, value_enum, value_name = "WHICH", default_value = "initial")]
    pub globals: Globals,
    /// The properties to check: unreach-call, no-overflow, bounds, null, memory-safety, valid-deref, valid-free,
    /// valid-memtrack, memory-cleanup, no-data-race, no-deadlock, panic, all, or a property file of SV-COMP; several with commas
    /// between them
    /// [default: that of the task, or unreach-call]
    #[arg(long = "property", value_name = "PROPERTY", value_delimiter = ',', value_parser = property::Parser, hide_possible_values = true)]
    pub properties: Vec<Property>,
    /// Compile as for SV-COMP: with types of this width, and lenient with old C
    #[arg(long, value_enum, value_name = "MODEL")]
    pub data_model: Option<DataModel>,
    /// Continue past constructs that cannot be modelled; bugs may be missed, and the answer says so
    #[arg(long)]
    pub allow_unsound: bool,
    /// What functions without a body do: `pure` ones return any value and write nothing, and each call is an
    /// assumption; `havoc` ones write any memory and call any function that they can reach; `inert` ones are pure, and
    /// call no function that they are given
    #[arg(long, value_name = "WAY", default_value = "pure", value_parser = ["pure", "havoc", "inert"])]
    pub externals: String,
    /// Functions without a body whose results are inputs, as a name pattern (may be repeated): with `*` for
    /// the whole name, without for a word in it [always: *nondet*, any, unknown, undef, random, input, havoc, symbolic]
    #[arg(long = "input", value_name = "PATTERN")]
    pub inputs: Vec<String>,
    /// Allocations may fail: `malloc` and the like may return null
    #[arg(long)]
    pub malloc_may_fail: bool,
    /// Start the program as a shell does: with at most 4 arguments of at most 8 bytes, standard input, and files of bounded
    /// size; an error is confirmed by running the program with these. auto: if main takes parameters
    /// [default: after an unconfirmed counterexample; for `cover`: auto]
    #[arg(long, value_name = "WHEN", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "always", hide_possible_values = true)]
    pub as_command: Option<AsCommand>,
    /// What `--calls summaries` summarises. With both, all searches of a plan see loops as functions, and the verified
    /// program and its proofs name them `FUNCTION.loopN`
    #[arg(long, alias = "blocks-are", value_enum, default_value_t = Summarise::Functions)]
    pub summarise: Summarise,
    /// Choose the plan by a learned selector: on, off, or a .sel file of beeline-train [default: off]
    #[arg(long, value_name = "on|off|FILE", value_parser = Choose::parse)]
    pub choose: Option<Choose>,
    /// Validate this witness of SV-COMP: of format 2 (YAML), with invariants or a violation
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub witness: Option<PathBuf>,
    /// Do not check the answer by beeline-replay or beeline-check-proof
    #[arg(long)]
    pub no_check: bool,
    /// Certify a proof whatever that takes: each answer of a solver gets a proof of its own, which is checked. Otherwise, only
    /// proofs are certified that this takes little work for. What has none is asked of Z3, and counted
    #[arg(long, conflicts_with = "no_check")]
    pub certify: bool,
    /// Keep all files in this folder, with a Makefile that repeats the run
    #[arg(long, value_name = "FOLDER")]
    pub keep: Option<PathBuf>,
    /// Take over what holds of an earlier result, a .run file beside its .cfa file as --keep leaves both: its proof if it is
    /// valid for this version of the program, else what its search tracked
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub since: Option<PathBuf>,
    /// Keep results in this folder, and take over what holds of the last one of the same task
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, conflicts_with = "since")]
    pub cache: Option<PathBuf>,
    /// If the verdict is unknown, write the residual program as LLVM bitcode: without the code that needs no verification
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "witness")]
    pub residual: Option<PathBuf>,
    /// Print each command before it runs
    #[arg(long)]
    pub explain: bool,
    /// Log what the search learns and decides to standard error: info, or debug for more [default: BEELINE_LOG]
    #[arg(long, value_name = "LEVEL")]
    pub log: Option<String>,
    /// Show every step of an error path, not only those that its error depends on
    #[arg(long)]
    pub whole_path: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
    /// Write the bugs as SARIF 2.1.0, for editors and code review; `-`: to standard output, instead of text
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub sarif: Option<PathBuf>,
    /// With --sarif: also write proved and open targets
    #[arg(long, requires = "sarif")]
    pub sarif_all: bool,
    /// Write the answer as a page for browsers: the source with paths, invariants and assumptions at its lines
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub html: Option<PathBuf>,
    /// Write a C program that fails with the inputs of the first bug, without Beeline; it says how to build it
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

impl CheckArguments {
    /// The contract of the entry function.
    pub(crate) fn contract(&self) -> Vec<Requirement> {
        let places = self.requires_at.iter().map(String::as_str).chain(std::iter::repeat("--requires"));
        let requirement = |(text, at): (&String, &str)| Requirement { text: text.clone(), at: at.into() };
        self.requires.iter().zip(places).map(requirement).collect()
    }
}
