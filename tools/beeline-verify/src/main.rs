//! `beeline-verify`: looks for an execution of a program that reaches a target.
//!
//! Reads a program (a `.cfa` file or its textual form), prints the verdict as the last line on standard output and all
//! else on standard error. The exit code is 0 whenever there is a verdict, be it unknown, and 2 for wrong
//! input or usage.

mod arguments;
mod report;
mod watch;

use arguments::Arguments;
use beeline_engine::run::record;
use beeline_engine::{Distances, Reason, Statistics, Verdict, verify};
use beeline_ir::Program;
use beeline_ir::file::{self, Digest};
use clap::Parser;
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
    let (program, digest) = read_program(&arguments.program)?;
    let options = arguments.options()?;
    let output = arguments.output.clone();
    let (json, metric) = (arguments.json, arguments.metric());
    let instead = output.clone();
    let last_words = move |reason: &Reason| {
        let run = record(&Verdict::Unknown(reason.clone()), &Statistics::default());
        if let Some(output) = instead
            && let Err(error) = file::write(output, &run, digest)
        {
            eprintln!("beeline-verify: {error}");
        }
        report::print_unknown(&reason.to_string(), json);
    };
    let watch = watch::Watch::start(arguments.memory_bytes()?, arguments.time()?, last_words)?;
    let watch = Arc::new(watch);
    let stop = watch.flag();
    let seen = Arc::clone(&watch);
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        let mut distances = Distances::new(&program, metric);
        let (mut verdict, statistics) = verify(&program, &options, &mut distances, &stop);
        if let (Verdict::Unknown(Reason::Interrupted), Some(cause)) = (&verdict, seen.cause()) {
            verdict = Verdict::Unknown(cause);
        }
        if !seen.finish() {
            return Ok(());
        }
        if let Some(output) = output {
            file::write(output, &record(&verdict, &statistics), digest).map_err(|error| error.to_string())?;
        }
        report::print(&program, &verdict, &statistics, json);
        Ok(())
    });
    let worker = worker.map_err(|error| format!("cannot start a thread: {error}"))?;
    match worker.join() {
        Ok(result) => result,
        Err(_) => {
            if watch.finish() {
                report::print_unknown("the engine failed; please report this as a bug", json);
            }
            Ok(())
        }
    }
}

/// Reads a program from a `.cfa` file or its textual form; a text has no digest.
fn read_program(path: &str) -> Result<(Program, Option<Digest>), String> {
    let bytes = file::read_bytes(path).map_err(|error| error.to_string())?;
    if file::peek_bytes(path, &bytes).is_ok() {
        let read = file::from_bytes::<Program>(path, &bytes).map_err(|error| error.to_string())?;
        return Ok((read.body, Some(read.header.digest)));
    }
    let text = String::from_utf8(bytes).map_err(|_| format!("{path} is neither a .cfa file nor a text"))?;
    let program = beeline_ir::text::parse(&text).map_err(|faults| {
        let faults: Vec<String> = faults.iter().map(|fault| format!("{path}:{fault}")).collect();
        format!("{path} is not a program\n{}", faults.join("\n"))
    })?;
    Ok((program, None))
}
