//! `beeline-replay`: executes a counterexample natively.
//!
//! The bitcode that was verified is linked with a generated harness that returns the values of the
//! counterexample from the functions they came from, in order, and that reports when the target is
//! reached. The last line on standard output is the verdict, `confirmed` or `not confirmed` and why.

mod compiler;
mod doubts;
mod emit;
mod given;
mod harness;
mod inputs;
mod memory;
mod memory_error;
mod native;
mod sandbox;
mod sanitizer;
mod schedule;
mod verdict;

use beeline_cli::temporary::Folder;
use beeline_lower::DIVISION_TARGET;
use beeline_module::names::WITHIN;
use beeline_options::{Size, Time, ValueError};
use beeline_witness::c_text::{self, CType};
use beeline_witness::command::Command;
use beeline_witness::execution::Executed;
use beeline_witness::source::Sources;
use beeline_witness::story;
use clap::Parser;
use doubts::Doubts;
use given::{Files, Given, violating_function};
use inputs::Inputs;
use native::Built;
use sandbox::{Ended, World};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use verdict::Verdict;

const EXAMPLE: &str = "Example:
  clang-19 -g -emit-llvm -c p.c -o p.bc
  beeline-lower p.bc -o p.cfa
  beeline-verify p.cfa -o p.run
  beeline-replay p.run --bitcode p.bc --trace";

/// Executes the counterexample of a result natively, to see whether it reaches its target.
///
/// The exit code is 0 if it does (`confirmed`), 1 if it does not (`not confirmed`), and 2 for wrong input.
#[derive(Debug, Parser)]
#[command(name = "beeline-replay", version, after_help = EXAMPLE)]
pub struct Arguments {
    /// The result, a .run file as beeline-verify writes it
    result: PathBuf,
    /// The verified program: the LLVM bitcode that its .cfa file was made from
    #[arg(long = "bitcode", alias = "program", value_name = "FILE")]
    program: PathBuf,
    /// The verified .cfa file [default: the result's name with the ending .cfa]
    #[arg(long, value_name = "FILE")]
    cfa: Option<PathBuf>,
    /// The index of the result's path
    #[arg(long, value_name = "INDEX", default_value_t = 0)]
    path: usize,
    /// All paths of the result, with one native program: a verdict for each, with --json a list
    #[arg(long, conflicts_with_all = ["path", "emit", "trace"])]
    all: bool,
    /// Time for the native program, such as `30`, `30s` or `5m`
    #[arg(long, value_name = "TIME", default_value = "10s")]
    time_limit: Time,
    /// Memory for the native program, such as `500M` or `4G`; at least 16M
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = memory)]
    memory_limit: Size,
    /// Write the native program to a folder, with a script that builds it and a page on gdb
    #[arg(long, value_name = "FOLDER")]
    emit: Option<PathBuf>,
    /// Print the counterexample: the lines that the error depends on, with their effects
    #[arg(long)]
    trace: bool,
    /// With --trace, print all lines
    #[arg(long, requires = "trace")]
    full: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// The least memory in which a native program starts.
const LEAST_MEMORY: u64 = 16 << 20;

/// A size in which a program starts.
fn memory(text: &str) -> Result<Size, String> {
    let size: Size = text.parse().map_err(|error: ValueError| error.to_string())?;
    if size.0 < LEAST_MEMORY { Err("--memory-limit needs at least 16M".into()) } else { Ok(size) }
}

fn main() -> ExitCode {
    let arguments = beeline_cli::parse();
    beeline_cli::memory::confine("beeline-replay", None);
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(sentence) => {
            beeline_cli::tell!("beeline-replay: {sentence}");
            ExitCode::from(2)
        }
    }
}

/// Executes the paths, and returns whether all are confirmed.
fn run(arguments: &Arguments) -> Result<bool, String> {
    let files = Files::read(arguments)?;
    let folder = Folder::new()?;
    if arguments.all { all(arguments, &files, folder.path()) } else { one(arguments, &files, folder.path()) }
}

/// Executes one path.
fn one(arguments: &Arguments, files: &Files, folder: &Path) -> Result<bool, String> {
    let start = Instant::now();
    let given = files.givens([arguments.path]).remove(0)?;
    if arguments.trace && !arguments.json {
        match given.execute() {
            Ok(executed) => say(&told(arguments, &given, &executed))?,
            Err(misfit) => beeline_cli::tell!("note: {misfit}; no trace"),
        }
    }
    let built = native::build(folder, std::slice::from_ref(&given))?.remove(0);
    let judged = judge(arguments, &given, built, folder)?;
    if let Some(target) = &arguments.emit {
        emit::leave(target, folder, &given, &judged.verdict)?;
    }
    if arguments.json {
        say(&format!("{}\n", object(&given, &judged, start.elapsed())))?;
    } else {
        if let Some(finding) = &judged.finding {
            say(&format!("{FOUND}{finding}\n"))?;
        }
        say(&format!("{}\n", judged.verdict))?;
    }
    Ok(judged.verdict == Verdict::Confirmed)
}

/// Executes all paths. A path that cannot be run does not affect the others.
fn all(arguments: &Arguments, files: &Files, folder: &Path) -> Result<bool, String> {
    let (mut outcomes, mut numbers, mut givens) = (BTreeMap::new(), Vec::new(), Vec::new());
    for (number, given) in files.givens(0..files.paths()).into_iter().enumerate() {
        match given {
            Ok(given) => {
                numbers.push(number);
                givens.push(given);
            }
            // An error that concerns all paths is reported once.
            Err(why) if givens.is_empty() && number + 1 == files.paths() => return Err(why),
            Err(why) => {
                let verdict = Verdict::NotRun(why);
                let object = json!({ "verdict": verdict.word(), "reason": verdict.reason() });
                outcomes.insert(number, (verdict, object));
            }
        }
    }
    let built = native::build(folder, &givens)?;
    for ((number, given), built) in numbers.into_iter().zip(&givens).zip(built) {
        let start = Instant::now();
        let folder = folder.join(format!("run{number}"));
        std::fs::create_dir(&folder)
            .map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
        let judged = judge(arguments, given, built, &folder)?;
        let object = object(given, &judged, start.elapsed());
        outcomes.insert(number, (judged.verdict, object));
    }
    let all_confirmed = outcomes.values().all(|(verdict, _)| *verdict == Verdict::Confirmed);
    if arguments.json {
        let objects: Vec<_> = outcomes.into_values().map(|(_, object)| object).collect();
        say(&format!("{}\n", serde_json::Value::from(objects)))?;
    } else {
        outcomes.iter().try_for_each(|(number, (verdict, _))| say(&format!("path {number}: {verdict}\n")))?;
    }
    Ok(all_confirmed)
}

/// The start of the line with the finding of a sanitizer.
const FOUND: &str = "found: ";

/// The signal of an operation of the machine that has no result.
const ARITHMETIC: i32 = 8;

/// The judgement of a native run.
struct Judged {
    verdict: Verdict,
    /// The sanitizer's description of the error.
    finding: Option<String>,
    /// The marks that were passed.
    passed: Vec<u32>,
    inputs: Inputs,
    /// The files that were made for the program: names, and which of the counterexample's files each is.
    made: Vec<(Vec<u8>, usize)>,
    /// The values that the counterexample depends on and that the native program cannot be given.
    doubts: Doubts,
}

/// The file with the number of the path that a native program follows.
const PATH: &str = "path.txt";

/// What a run of a native program showed by itself.
struct Ran {
    verdict: Verdict,
    finding: Option<String>,
    passed: Vec<u32>,
    made: Vec<(Vec<u8>, usize)>,
}

impl Ran {
    /// There was no run.
    fn not(why: String) -> Ran {
        Ran { verdict: Verdict::NotRun(why), finding: None, passed: Vec::new(), made: Vec::new() }
    }
}

/// Executes a native program in a folder. The first run makes files when the program opens them, by the names that it asks
/// for. A user has them from the start, so a second run has to confirm what the first one shows.
fn execute(arguments: &Arguments, given: &Given, built: &Built, folder: &Path) -> Result<Ran, String> {
    let first = execute_with(arguments, given, built, folder, None)?;
    if first.verdict != Verdict::Confirmed || first.made.is_empty() {
        return Ok(first);
    }
    let folder = folder.join("again");
    std::fs::create_dir(&folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    let second = execute_with(arguments, given, built, &folder, Some(&first.made))?;
    Ok(Ran { made: first.made, ..second })
}

/// Executes a native program in a folder, with files that are there from the start.
fn execute_with(
    arguments: &Arguments,
    given: &Given,
    built: &Built,
    folder: &Path,
    files: Option<&[(Vec<u8>, usize)]>,
) -> Result<Ran, String> {
    let Built { program, inputs, path } = built;
    std::fs::write(folder.join(PATH), path.to_string())
        .map_err(|error| format!("cannot write {PATH}: {error}"))?;
    let world = given.command.as_ref().map(|command| World { command, files });
    let limits = sandbox::Limits { time: arguments.time_limit.0, memory: arguments.memory_limit.0 };
    let report = || std::fs::read_to_string(folder.join("report.txt")).unwrap_or_default();
    let (verdict, finding, passed) = match memory_error::kind(given.target()) {
        Some(kind) => {
            let environment = sanitizer::environment(given.target(), given.command.is_some());
            let ended = sandbox::run(program, folder, &limits, &environment, world)?;
            let (verdict, found) = sanitizer::verdict(kind, folder, given, inputs, &ended);
            (verdict, found, Vec::new())
        }
        None => {
            let ended = sandbox::run(program, folder, &limits, &[], world)?;
            let report = report();
            let is_division = given.target().name.starts_with(DIVISION_TARGET);
            let verdict = match Verdict::of(&report, &ended) {
                // The machine has no result either.
                Verdict::NotConfirmed(_) if is_division && ended == Ended::Signal(ARITHMETIC) => {
                    Verdict::Confirmed
                }
                verdict => verdict,
            };
            (verdict, None, verdict::passed(&report))
        }
    };
    Ok(Ran { verdict, finding, passed, made: verdict::made(&report()) })
}

/// Runs a native program in a folder, and judges what that shows of a counterexample.
fn judge(
    arguments: &Arguments,
    given: &Given,
    built: Result<Built, String>,
    folder: &Path,
) -> Result<Judged, String> {
    let (ran, inputs) = match built {
        Ok(Built { inputs, .. }) if violating_function(given.target()) == WITHIN => {
            (Ran::not("a program that runs does not tell where its objects end".into()), inputs)
        }
        Ok(Built { inputs, .. }) if schedule::leads_beyond(given.program, &given.path) => {
            (Ran::not("the path leads to where threads are not followed".into()), inputs)
        }
        Ok(built) => (execute(arguments, given, &built, folder)?, built.inputs),
        Err(why) => (Ran::not(why), Inputs::default()),
    };
    let Ran { mut verdict, finding, passed, made } = ran;
    // The harness returns the values of the path from undefined functions.
    let invented = inputs.values.iter().find(|input| inputs.missing.contains(&input.function));
    if let (true, Verdict::Confirmed, Some(input)) = (given.guessed, &verdict, invented) {
        let why = format!("the result of {} is a guess: the function has no definition", input.function);
        verdict = Verdict::NotConfirmed(why);
    }
    let mut doubts = Doubts::default();
    // Where threads are shows that they race or wait only if what they look at there is natively what it is on the path.
    if verdict == Verdict::Confirmed && schedule::is_of_threads(given.target()) {
        let executed = given.execute().map_err(|misfit| misfit.to_string())?;
        let rests = Doubts::of(given.program, &executed, &inputs);
        if rests.sentence().is_some() {
            verdict = Verdict::NotConfirmed("the threads reach these places, but the run does not show that they are there at the same time".into());
        }
    }
    if let Verdict::NotConfirmed(why) = &mut verdict {
        let more = match given.execute() {
            Ok(executed) => {
                doubts = Doubts::of(given.program, &executed, &inputs);
                doubts.sentence()
            }
            Err(misfit) => Some(misfit.to_string()),
        };
        *why = more.into_iter().fold(std::mem::take(why), |why, more| format!("{why}; {more}"));
        if given.meets_the_world() {
            let why = "a native run cannot repeat the effects of functions without a body";
            verdict = Verdict::NotRun(why.into());
        }
    }
    Ok(Judged { verdict, finding, passed, inputs, doubts, made })
}

/// Prints on standard output. If the output is closed, the exit code still has the verdict.
fn say(text: &str) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("cannot write to standard output: {error}"))
        }
        _ => Ok(()),
    }
}

/// The counterexample as readable text.
fn told(arguments: &Arguments, given: &Given, executed: &Executed) -> String {
    let folders = [&arguments.program, &arguments.result];
    let folders = folders.iter().filter_map(|file| file.parent().map(PathBuf::from)).collect();
    let (program, mut sources) = (given.program, Sources::new(folders));
    let moments = story::moments(program, executed, given.path.target, &mut sources, arguments.full);
    let mut text = story::text(program, &moments, &mut sources, arguments.full);
    if !arguments.full && !story::is_whole(&moments) {
        text.push_str("Lines that the error does not depend on are omitted; --full shows all.\n");
    }
    text
}

/// The environment of a command, as bytes.
fn world(command: &Command, judged: &Judged) -> serde_json::Value {
    let files = judged.made.iter().filter_map(|(name, number)| Some((name, command.files.get(*number)?)));
    json!({
        "shown": command.shown(),
        "arguments": command.arguments,
        "stdin": command.stdin,
        "files": files.map(|(name, bytes)| json!({ "name": name, "bytes": bytes })).collect::<Vec<_>>(),
    })
}

fn object(given: &Given, judged: &Judged, time: Duration) -> serde_json::Value {
    let values = judged.inputs.values.iter().map(|input| {
        let shown = c_text::value(&input.value, CType::Unknown);
        json!({ "function": input.function, "value": shown, "at": input.place })
    });
    let memory = given.contents.told(given.program, &given.path).into_iter();
    json!({
        "verdict": judged.verdict.word(),
        "reason": judged.verdict.reason(),
        "target": given.target().name,
        "finding": judged.finding,
        "passed": judged.passed,
        "inputs": values.collect::<Vec<_>>(),
        "command": given.command.as_ref().map(|command| world(command, judged)),
        "memory": memory.map(|(name, value)| json!({ "name": name, "value": value })).collect::<Vec<_>>(),
        "depends_on": judged.doubts.on,
        "seconds": time.as_secs_f64(),
    })
}
