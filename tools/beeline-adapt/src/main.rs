//! `beeline-adapt`: moves a result to the next version of its program.
//!
//! Reads a result with its program, and the new program. The output has the proof in the ids of the new program, or, if no
//! proof can be moved, the precision for a new search (`beeline-verify --precision`). It prints which of the two as the last
//! line. A moved proof shows nothing before `beeline-check-proof --account` finds it valid. The exit code is 0 if something
//! was moved, 2 for wrong input or usage, and 3 if nothing could be.
#![allow(clippy::print_stdout)] // The answer belongs on standard output.

use beeline_ir::{LocId, Program, file};
use beeline_options::MemoryLimit;
use beeline_regression::{Alignment, moved, precision};
use beeline_run::{Reason, Run, RunPrecision, RunTarget, RunVerdict, TargetVerdict};
use clap::Parser;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::ExitCode;

/// Moves a result to the next version of its program.
#[derive(Debug, Parser)]
#[command(name = "beeline-adapt", version)]
struct Arguments {
    /// The result, a .run file
    run: PathBuf,
    /// Its program, a .cfa file
    old: PathBuf,
    /// The new version of the program, a .cfa file
    new: PathBuf,
    /// The file for the moved result
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    memory: MemoryLimit,
}

/// What was moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moved {
    /// A proof.
    Proof,
    /// What a search tracked.
    Precision,
    /// Nothing.
    Nothing,
}

fn main() -> ExitCode {
    let arguments: Arguments = beeline_cli::parse();
    beeline_cli::memory::confine("beeline-adapt", arguments.memory.bytes());
    match run(&arguments) {
        Ok(Moved::Proof | Moved::Precision) => ExitCode::SUCCESS,
        Ok(Moved::Nothing) => ExitCode::from(3),
        Err(sentence) => {
            beeline_cli::tell!("beeline-adapt: {sentence}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<Moved, String> {
    let Arguments { run: path, old, new, output, .. } = arguments;
    let result = file::read::<Run>(path).map_err(|error| error.to_string())?;
    let [before, after] = [old, new].map(|path| file::read_program(path).map_err(|error| error.to_string()));
    let (before, after) = (before?, after?);
    let [shown, of] = [path, old].map(|path| path.display().to_string());
    file::expect_upstream(&shown, &result.header, &of, &before.header).map_err(|error| error.to_string())?;
    file::expect_other(output, [path, old, new].map(PathBuf::as_path)).map_err(|error| error.to_string())?;
    let programs = (&before.body, &after.body);
    let alignment = Alignment::new(programs.0, programs.1);
    let (kind, adapted) = match moved(&result.body, programs, &alignment) {
        Some(run) => {
            // If the proof is not valid any more, a search begins with what it speaks of.
            let precision = precision(&result.body, programs, &alignment);
            (Moved::Proof, Some(Run { precision, ..run }))
        }
        None => match precision(&result.body, programs, &alignment) {
            Some(precision) => (Moved::Precision, Some(open(programs.1, precision))),
            None => (Moved::Nothing, None),
        },
    };
    if let Some(adapted) = adapted {
        file::write(output, &adapted, Some(after.header.digest)).map_err(|error| error.to_string())?;
    }
    let (word, sentence) = match kind {
        Moved::Proof => {
            ("proof", "the proof is moved; beeline-check-proof --account says whether it is valid")
        }
        Moved::Precision => {
            ("precision", "no proof can be moved; the precision is, for beeline-verify --precision")
        }
        Moved::Nothing => ("nothing", "nothing can be moved"),
    };
    match arguments.json {
        true => println!(
            "{}",
            json!({
                "moved": word,
                "same": alignment.is_same(),
                "was": verdict(&result.body.verdict),
                "unsafe": errors(&result.body, programs, &alignment),
            })
        ),
        false => println!("{sentence}"),
    }
    Ok(kind)
}

fn verdict(verdict: &RunVerdict) -> &'static str {
    match verdict {
        RunVerdict::Safe => "safe",
        RunVerdict::Unsafe => "unsafe",
        RunVerdict::Unknown(_) => "unknown",
    }
}

/// The targets that executions of the old program reach: the location in the new program, if there is one, and the name.
fn errors(run: &Run, (old, new): (&Program, &Program), alignment: &Alignment) -> Vec<Value> {
    let is_unsafe = |target: &&RunTarget| matches!(target.verdict, TargetVerdict::Unsafe { .. });
    let told = |target: &RunTarget| {
        let known = old.targets.iter().find(|known| known.loc == target.loc)?;
        let moved = alignment.location(target.loc);
        let moved = moved.filter(|loc| new.targets.iter().any(|target| target.loc == *loc));
        Some(json!({
            "location": moved.map(LocId::as_u32),
            "name": known.name,
            "property": known.property,
            "file": known.span.map(|span| &old.files[span.file]),
            "line": known.span.map(|span| span.line),
        }))
    };
    run.targets.iter().filter(is_unsafe).filter_map(told).collect()
}

/// A result without an answer, with a precision.
fn open(program: &Program, precision: RunPrecision) -> Run {
    let mut targets: Vec<RunTarget> = program
        .targets
        .iter()
        .map(|target| RunTarget { loc: target.loc, verdict: TargetVerdict::Open })
        .collect();
    targets.sort_unstable_by_key(|target| target.loc);
    Run {
        verdict: RunVerdict::Unknown(Reason::Part),
        targets,
        paths: Vec::new(),
        proofs: Vec::new(),
        statistics: Vec::new(),
        undefined: Vec::new(),
        rests: Vec::new(),
        resting: Vec::new(),
        parts: Vec::new(),
        precision: Some(precision),
        callees: Vec::new(),
        broken: Vec::new(),
    }
}
