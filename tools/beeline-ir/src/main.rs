//! Dumps, assembles, checks and runs files of Beeline.

mod distances;
mod dump;
mod failure;
mod measured;
mod outline;
mod outline_loops;
mod result;
mod run;

use beeline_ir::file::{self, Kind};
use beeline_ir::{Program, text};
use clap::{Args, Parser, Subcommand};
use failure::Failure;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Shows, assembles, checks and executes files of Beeline. `-` is standard input or output.
#[derive(Debug, Parser)]
#[command(name = "beeline-ir", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Prints what a file of any kind holds
    Dump(dump::DumpArgs),
    /// Makes a .cfa file from textual IR
    Assemble(AssembleArgs),
    /// Reads a file and says whether it is whole and valid
    Check {
        /// The file, of any kind
        file: PathBuf,
    },
    /// Executes a program
    Run(run::RunArgs),
    /// Outlines each loop with a single entry as a function, for `beeline-verify --calls summaries`
    OutlineLoops(outline_loops::OutlineArgs),
}

#[derive(Debug, Args)]
struct AssembleArgs {
    /// The textual IR
    text: PathBuf,
    /// The file to write
    #[arg(short, long)]
    output: PathBuf,
}

fn main() -> ExitCode {
    let cli: Cli = beeline_cli::parse();
    beeline_cli::memory::confine("beeline-ir", None);
    let mut out = BufWriter::new(io::stdout().lock());
    let done = match &cli.command {
        Command::Dump(args) => dump::dump(args, &mut out),
        Command::Assemble(args) => assemble(args),
        Command::Check { file } => check(file, &mut out),
        Command::Run(args) => run::run(args, &mut out),
        Command::OutlineLoops(args) => outline_loops::outline_loops(args),
    };
    match done.and_then(|()| Ok(out.flush()?)) {
        Ok(()) | Err(Failure::Closed) => ExitCode::SUCCESS,
        Err(Failure::Message(message)) => {
            beeline_cli::tell!("beeline-ir: {message}");
            ExitCode::from(2)
        }
    }
}

fn assemble(args: &AssembleArgs) -> Result<(), Failure> {
    file::expect_other(&args.output, [args.text.as_path()])?;
    let source = file::read_text(&args.text)?;
    let program = text::parse(&source).map_err(|faults| {
        let name = args.text.display();
        let list: Vec<String> = faults.iter().map(|fault| format!("{name}:{fault}")).collect();
        Failure::Message(list.join("\n"))
    })?;
    file::write(&args.output, &program, None)?;
    Ok(())
}

fn check(path: &PathBuf, out: &mut impl Write) -> Result<(), Failure> {
    let name = path.display().to_string();
    let bytes = file::read_bytes(path)?;
    let (header, _) = file::open(&name, &bytes)?;
    if header.kind == Kind::Cfa {
        file::from_bytes::<Program>(&name, &bytes)?;
        writeln!(out, "{name}: a valid program")?;
    } else {
        writeln!(out, "{name}: a whole {} file, version {}", header.kind, header.version)?;
    }
    Ok(())
}
