//! `beeline-verify`: looks for an execution of a program that reaches a target.
//!
//! Reads a program (its textual form), prints the verdict as the last line on standard output and all
//! else on standard error. The exit code is 0 whenever there is a verdict, be it unknown, and 2 for wrong
//! input or usage.

mod arguments;
mod report;
mod watch;

use arguments::Arguments;
use beeline_engine::{Distances, Reason, Verdict, verify};
use clap::Parser;
use std::io::Read;
use std::process::ExitCode;
use std::sync::Arc;

/// Room for deeply nested expressions.
const STACK: usize = 1 << 28;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("beeline-verify: {sentence}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let program = read_program(&arguments.program)?;
    let options = arguments.options()?;
    let watch = Arc::new(watch::Watch::start(arguments.memory_bytes()?, arguments.time()?)?);
    let stop = watch.flag();
    let (json, metric) = (arguments.json, arguments.metric());
    let seen = Arc::clone(&watch);
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        let mut distances = Distances::new(&program, metric);
        let (mut verdict, statistics) = verify(&program, &options, &mut distances, &stop);
        if let (Verdict::Unknown(Reason::Interrupted), Some(cause)) = (&verdict, seen.cause()) {
            verdict = Verdict::Unknown(cause);
        }
        if seen.finish() {
            report::print(&program, &verdict, &statistics, json);
        }
    });
    let worker = worker.map_err(|error| format!("cannot start a thread: {error}"))?;
    if worker.join().is_err() && watch.finish() {
        report::print_unknown("the engine failed; please report this as a bug", json);
    }
    Ok(())
}

fn read_program(path: &str) -> Result<beeline_ir::Program, String> {
    let mut text = String::new();
    let read = if path == "-" {
        std::io::stdin().lock().read_to_string(&mut text).map(drop)
    } else {
        std::fs::read_to_string(path).map(|content| text = content)
    };
    read.map_err(|error| format!("cannot read {path}: {error}"))?;
    beeline_ir::text::parse(&text).map_err(|faults| {
        let faults: Vec<String> = faults.iter().map(|fault| format!("{path}:{fault}")).collect();
        format!("{path} is not a program\n{}", faults.join("\n"))
    })
}
