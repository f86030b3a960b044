//! `beeline-replay`: executes a counterexample natively.
//!
//! The bitcode that was verified is linked with a generated harness that returns the values of the
//! counterexample from the functions they came from, in order, and that reports when the target is
//! reached. The last line on standard output is the verdict, `confirmed` or `not confirmed` and why. The
//! exit code is 0 when the check was carried out, whatever it says, and 2 for wrong input.
#![allow(clippy::print_stdout)] // The verdict belongs on standard output.

mod emit;
mod given;
mod harness;
mod inputs;
mod native;
mod sandbox;
mod verdict;

use clap::Parser;
use given::Given;
use inputs::Inputs;
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use verdict::Verdict;

/// Executes the counterexample of a result natively, to see whether it reaches its target.
#[derive(Debug, Parser)]
#[command(name = "beeline-replay", version)]
pub struct Arguments {
    /// The result, a .run file
    result: PathBuf,
    /// The program that was verified: LLVM bitcode
    #[arg(long, value_name = "FILE")]
    program: PathBuf,
    /// What it was lowered to [default: what beeline-lower makes of it without options]
    #[arg(long, value_name = "FILE")]
    cfa: Option<PathBuf>,
    /// Seconds that the native program may run
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    time_limit: u64,
    /// Megabytes that it may use
    #[arg(long, value_name = "MEGABYTES", default_value_t = 2048)]
    memory_limit: u64,
    /// Leave the native program with all that is needed to build it in a folder
    #[arg(long, value_name = "FOLDER")]
    emit: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("beeline-replay: {sentence}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let start = Instant::now();
    let given = Given::read(arguments)?;
    let inputs = Inputs::of(&given);
    let folder = tempfile::Builder::new().prefix("beeline-replay-").tempdir();
    let folder = folder.map_err(|error| format!("no temporary folder can be made: {error}"))?;
    let limits = sandbox::Limits {
        time: Duration::from_secs(arguments.time_limit),
        memory: arguments.memory_limit << 20,
    };
    let verdict = match native::build(folder.path(), &given, &inputs) {
        Ok(built) => {
            let ended = sandbox::run(&built.program, folder.path(), &limits)?;
            Verdict::of(&given, &inputs, &built, &ended)
        }
        Err(native::BuildError::Failed(why)) => Verdict::NotConfirmed(why),
        Err(native::BuildError::Broken(sentence)) => return Err(sentence),
    };
    if let Some(target) = &arguments.emit {
        emit::leave(target, folder.path(), &given, &verdict)?;
    }
    if arguments.json {
        println!("{}", object(&given, &inputs, &verdict, start.elapsed()));
    } else {
        if let Verdict::NotConfirmed(_) = verdict {
            inputs.doubts.iter().for_each(|doubt| eprintln!("note: {doubt}"));
        }
        println!("{verdict}");
    }
    Ok(())
}

fn object(given: &Given, inputs: &Inputs, verdict: &Verdict, time: Duration) -> serde_json::Value {
    let values = inputs.values.iter().map(|value| {
        json!({ "function": value.function, "value": value.shown, "at": value.place })
    });
    json!({
        "verdict": verdict.word(),
        "reason": verdict.reason(),
        "target": given.target().name,
        "values": values.collect::<Vec<_>>(),
        "doubts": inputs.doubts,
        "seconds": time.as_secs_f64(),
    })
}
