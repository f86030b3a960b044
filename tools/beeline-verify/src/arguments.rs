//! The command line.

use beeline_options::SearchOptions;
use clap::Parser;
use std::path::PathBuf;

/// Searches for an execution of a program that reaches a target, or for a proof that none does.
///
/// The last line on standard output is the verdict: safe, unsafe, or unknown with the reason. The exit code
/// is 0 whenever there is a verdict, and 2 for wrong input or usage. SIGINT, SIGTERM and limits end a run with
/// the verdict unknown; its result is still written.
#[derive(Debug, Parser)]
#[command(version)]
pub(crate) struct Arguments {
    /// The program, a .cfa file or its textual form; `-` is standard input
    pub program: String,
    /// The file for the result, a .run file [default: none]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Distances to guide the directed search, a .dist file that beeline-annotate made from the program
    /// [default: measured here]
    #[arg(long, value_name = "FILE")]
    pub dist: Option<PathBuf>,
    /// Continue from the residual condition of an earlier result, a .run file: what it showed is not searched again. Where it
    /// builds on earlier results, give these after it with the same option
    #[arg(long, value_name = "FILE")]
    pub condition: Vec<PathBuf>,
    /// Begin with the precision of a result, a .run file, such as beeline-adapt moves it from an earlier version of the program
    #[arg(long, value_name = "FILE")]
    pub precision: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
    /// Log what the search learns and decides to standard error: info, or debug for more [default: BEELINE_LOG]
    #[arg(long, value_name = "LEVEL")]
    pub log: Option<String>,
    /// The file for a drawing of the abstract states in the language of Graphviz, also of an unfinished search [default: none]
    #[arg(long, value_name = "FILE")]
    pub dump_graph: Option<PathBuf>,
    /// Check the proof of a safe verdict; unless it is valid, the verdict is unknown
    #[arg(long)]
    pub paranoid: bool,
    #[command(flatten)]
    pub search: SearchOptions,
}
