//! The command line.

use beeline_options::SearchOptions;
use clap::Parser;
use std::path::PathBuf;

/// Looks for an execution of a program that reaches a target.
///
/// The last line on standard output is the verdict: safe, unsafe, or unknown with the reason. The exit code
/// is 0 whenever there is a verdict, and 2 for wrong input or usage. SIGINT, SIGTERM and limits end a run with
/// the verdict unknown; its result is written all the same.
#[derive(Debug, Parser)]
#[command(version)]
pub(crate) struct Arguments {
    /// The program, a .cfa file or its textual form; `-` is standard input
    pub program: String,
    /// Where to write the result, a .run file [default: nowhere]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Distances to guide the directed search, a .dist file that beeline-annotate made from the program
    /// [default: measured here]
    #[arg(long, value_name = "FILE")]
    pub dist: Option<PathBuf>,
    /// Go on where an earlier run ended, from its result, a .run file: what that showed is not looked at again. Where it
    /// rests on earlier results, these follow with the same option
    #[arg(long, value_name = "FILE")]
    pub condition: Vec<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
    /// Tell what the search learns and decides on standard error: info, or debug for more [default: what
    /// BEELINE_LOG says, or nothing]
    #[arg(long, value_name = "LEVEL")]
    pub log: Option<String>,
    /// Where to draw the graph of the abstract states, also of those of an unfinished search, in the language of
    /// Graphviz [default: nowhere]
    #[arg(long, value_name = "FILE")]
    pub dump_graph: Option<PathBuf>,
    /// Check the proof of a safe verdict; unless it is valid, the verdict is unknown
    #[arg(long)]
    pub paranoid: bool,
    #[command(flatten)]
    pub search: SearchOptions,
}
