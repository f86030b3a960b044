//! `beeline-check-proof`: checks the proofs of a result.
//!
//! Reads the result of `beeline-verify` and the program, and prints `valid`, `invalid` or `unchecked` as the
//! last line on standard output. The exit code is 0 for a valid proof, 1 for an invalid one, 2 for wrong
//! input or usage, and 3 if something was not decided.
#![allow(clippy::print_stdout)] // The answer belongs on standard output.

use beeline_cli::memory;
use beeline_ir::file::{self, File};
use beeline_ir::{EdgeId, Program};
use beeline_options::{MemoryLimit, Time, positive};
use beeline_proof::{Account, Certified, Certify, Effort, Fault, Options, Outcome, Report, check_chain};
use beeline_run::rest::Filed;
use beeline_run::{Run, RunVerdict};
use clap::{Parser, ValueEnum};
use serde_json::{Value as Json, json};
use std::io::Write;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Checks the proofs of a result, each for the targets that it claims to be safe.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// The result of beeline-verify, a .run file
    run: String,
    /// Its program, a .cfa file
    program: String,
    /// An earlier result that it builds on, a .run file (may be repeated)
    #[arg(long, value_name = "FILE")]
    after: Vec<String>,
    /// Time for the whole check, such as `30`, `30s` or `5m` [default: no limit]
    #[arg(long, value_name = "TIME")]
    time_limit: Option<Time>,
    /// Steps of the solver for one query; some 3 million take a second
    #[arg(long, value_name = "TICKS", value_parser = positive::<NonZeroU64>, default_value = "480000000")]
    query_ticks: NonZeroU64,
    #[command(flatten)]
    memory: MemoryLimit,
    /// Also check that the result lists all operations that may have no result, and all functions that executions enter
    #[arg(long)]
    account: bool,
    /// Which solver's answers are believed without a proof of their own
    #[arg(long, value_enum, default_value_t = Trust::Hard)]
    trust: Trust,
    /// Keep the certificate in this folder: for each certified answer a formula (.cnf, DIMACS) and the proof that it has no
    /// model (.lrat)
    #[arg(long, value_name = "FOLDER")]
    certificate: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Which answers are believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Trust {
    /// All of Z3's
    Z3,
    /// Those of Z3 from the first on whose proof would take more than a little work
    Hard,
    /// None, except where no proof is found; the number of those is reported
    Nothing,
}

impl Trust {
    /// The work that goes into a certificate, if one is wanted.
    fn effort(self) -> Option<Effort> {
        match self {
            Trust::Z3 => None,
            Trust::Hard => Some(Effort::Little),
            Trust::Nothing => Some(Effort::Full),
        }
    }
}

/// Room for deeply nested expressions.
const STACK: usize = 1 << 28;
/// The time after the limit in which the check may still end by itself.
const GRACE: Duration = Duration::from_secs(3);

fn main() -> ExitCode {
    let arguments = beeline_cli::parse::<Arguments>();
    match run(&arguments) {
        Ok(code) => ExitCode::from(code),
        Err(sentence) => {
            beeline_cli::tell!("beeline-check-proof: {sentence}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<u8, String> {
    if arguments.certificate.is_some() && arguments.trust == Trust::Z3 {
        return Err("--certificate contradicts --trust z3: Z3's answers have no proof to keep".into());
    }
    let Given { result, earlier, program } = Given::read(arguments)?;
    let options = Options {
        query_ticks: arguments.query_ticks.get(),
        time: arguments.time_limit.map(|time| time.0),
        account: arguments.account.then(|| Account::of(&result)),
        certify: arguments.trust.effort().map(|effort| {
            let folder = arguments.certificate.clone();
            Certify { effort, folder, kept: 0 }
        }),
    };
    let (json, start) = (arguments.json, Instant::now());
    let give_up = move |why| {
        println!("{}", without_check(why, start.elapsed(), json));
        std::process::exit(3);
    };
    if let Some(time) = options.time {
        std::thread::spawn(move || {
            std::thread::sleep(time + GRACE);
            give_up("the time limit was reached");
        });
    }
    let memory_limit = arguments.memory.bytes().unwrap_or_else(memory::default_limit);
    memory::watch(memory_limit, move || give_up("the memory limit was reached"));
    let worker = std::thread::Builder::new().stack_size(STACK);
    let worker = worker
        .spawn(move || {
            let files = earlier.iter();
            let files: Vec<Filed<'_>> =
                files.map(|file| Filed { digest: Some(file.header.digest), run: &file.body }).collect();
            let report = check_chain(&program, &result, &files, &options);
            let printed = print(&program, &report, json);
            let code = match report.outcome {
                Outcome::Valid => 0,
                Outcome::Invalid(_) => 1,
                Outcome::Unchecked(_) => 3,
            };
            printed.map(|()| code)
        })
        .map_err(|error| format!("cannot start a thread: {error}"))?;
    match worker.join() {
        Ok(result) => result.map_err(|error| format!("cannot write to standard output: {error}")),
        Err(_) => {
            let why = "the checker failed; please report this as a bug";
            println!("{}", without_check(why, start.elapsed(), json));
            Ok(3)
        }
    }
}

/// The output without a result of the check.
fn without_check(why: &str, time: Duration, json: bool) -> String {
    let report = Report::unchecked(why.into(), time);
    if json { object(None, &report).to_string() } else { sentence(&report.outcome) }
}

/// The input of the check.
struct Given {
    /// The result, which has something to check.
    result: Run,
    /// The results that it may rely on.
    earlier: Vec<File<Run>>,
    /// The program that all of them belong to.
    program: Program,
}

impl Given {
    fn read(arguments: &Arguments) -> Result<Given, String> {
        let path = &arguments.run;
        let program = file::read_program(&arguments.program).map_err(|error| error.to_string())?;
        let read = |path: &String| {
            let run = file::read::<Run>(path).map_err(|error| error.to_string())?;
            file::expect_upstream(path, &run.header, &arguments.program, &program.header)
                .map_err(|error| error.to_string())?;
            Ok::<File<Run>, String>(run)
        };
        let run = read(path)?.body;
        let earlier = arguments.after.iter().map(read).collect::<Result<_, _>>()?;
        if run.proofs.is_empty() && run.rests.is_empty() {
            return Err(match run.verdict {
                RunVerdict::Safe => format!("{path} has the verdict safe but no proof"),
                RunVerdict::Unsafe => {
                    format!("{path} has the verdict unsafe and therefore no proof to check")
                }
                RunVerdict::Unknown(_) => {
                    format!("{path} has the verdict unknown and therefore no proof to check")
                }
            });
        }
        Ok(Given { result: run, earlier, program: program.body })
    }
}

fn print(program: &Program, report: &Report, json: bool) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    if json {
        return writeln!(out, "{}", object(Some(program), report));
    }
    beeline_cli::tell!(
        "{} states, {} solver queries, {:.2} s",
        report.states,
        report.queries,
        report.time.as_secs_f64()
    );
    if let Some(certified) = &report.certified {
        beeline_cli::tell!("{}", account_of(certified));
    }
    if let Outcome::Invalid(fault) = &report.outcome {
        write!(out, "{}", explained(program, fault))?;
    }
    writeln!(out, "{}", sentence(&report.outcome))
}

/// What was certified, and why the rest was not.
fn account_of(certified: &Certified) -> String {
    let Certified { obligations, certified: done, open } = certified;
    let why: Vec<String> = open.iter().map(|(why, count)| format!("{count} for {why}")).collect();
    let why = if why.is_empty() { String::new() } else { format!("; not certified: {}", why.join(", ")) };
    format!("{done} of {obligations} answers certified{why}")
}

/// The last line.
fn sentence(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Valid => "valid".into(),
        Outcome::Invalid(fault) => format!("invalid: {}", fault.reason),
        Outcome::Unchecked(reason) => format!("unchecked: {reason}"),
    }
}

/// An edge: its place and its operation.
fn shown(program: &Program, edge: EdgeId) -> (String, String, String) {
    let src = program.edges[edge].src;
    let function = program.functions[program.function_of(src)].name.clone();
    let at = match program.edges[edge].span {
        Some(span) => program.show_span(span),
        None => program.label(src),
    };
    (function, at, beeline_ir::text::print_op(program, edge))
}

/// The greatest number of values in the text.
const MAX_VALUES: usize = 20;

fn explained(program: &Program, fault: &Fault) -> String {
    let mut text = String::new();
    if let Some(place) = &fault.place {
        text.push_str(&format!("at {place}\n"));
    }
    let values = |values: &[(String, String)]| {
        let mut list: Vec<String> =
            values.iter().take(MAX_VALUES).map(|(name, value)| format!("{name} = {value}")).collect();
        if values.len() > MAX_VALUES {
            list.push(format!("and {} more", values.len() - MAX_VALUES));
        }
        list.join(", ")
    };
    if fault.model && !fault.before.is_empty() {
        text.push_str(&format!("with {}\n", values(&fault.before)));
    }
    for &edge in &fault.edges {
        let (function, at, op) = shown(program, edge);
        text.push_str(&format!("  {function}, {at}: {op}\n"));
    }
    if fault.model && !fault.after.is_empty() && !fault.edges.is_empty() {
        text.push_str(&format!("leads to {}\n", values(&fault.after)));
    }
    text
}

fn object(program: Option<&Program>, report: &Report) -> Json {
    let mut object = json!({
        "proof": match &report.outcome {
            Outcome::Valid => "valid",
            Outcome::Invalid(_) => "invalid",
            Outcome::Unchecked(_) => "unchecked",
        },
        "states": report.states,
        "queries": report.queries,
        "seconds": report.time.as_secs_f64(),
    });
    if let Some(certified) = &report.certified {
        object["certified"] = json!({
            "obligations": certified.obligations,
            "certified": certified.certified,
            "open": certified.open,
        });
    }
    match &report.outcome {
        Outcome::Valid => {}
        Outcome::Unchecked(reason) => object["reason"] = json!(reason),
        Outcome::Invalid(fault) => {
            let edge = |&edge: &EdgeId| {
                program.map(|program| {
                    let (function, at, op) = shown(program, edge);
                    json!({ "edge": edge.as_u32(), "function": function, "at": at, "text": op })
                })
            };
            let values = |values: &[(String, String)]| {
                values
                    .iter()
                    .cloned()
                    .map(|(name, value)| (name, json!(value)))
                    .collect::<serde_json::Map<_, _>>()
            };
            object["reason"] = json!(fault.reason);
            object["state"] = json!(fault.state);
            object["place"] = json!(fault.place);
            object["edges"] = json!(fault.edges.iter().map(edge).collect::<Vec<_>>());
            object["before"] = json!(values(&fault.before));
            object["after"] = json!(values(&fault.after));
        }
    }
    object
}
