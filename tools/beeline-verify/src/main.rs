//! `beeline-verify`: looks for an execution of a program that reaches a target.
//!
//! Reads a program (a `.cfa` file or its textual form), prints the verdict as the last line on standard output and all
//! else on standard error. The exit code is 0 whenever there is a verdict, be it unknown, and 2 for wrong
//! input or usage.

mod arguments;
mod input;
mod log;
mod paranoid;
mod plan;
mod report;
mod watch;

use arguments::Arguments;
use beeline_engine::run::record;
use beeline_engine::{Reason, Statistics, Verdict};
use beeline_ir::Program;
use beeline_ir::file::{self, Digest};
use beeline_run::{Figure, Statistic};
use clap::Parser;
use cpu_time::ProcessTime;
use plan::Runner;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;
use watch::{Bounds, Watch};

/// The search makes and drops many small vectors.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Room for deeply nested expressions.
const STACK: usize = 1 << 28;

fn main() -> ExitCode {
    if std::env::var_os("BEELINE_DRIVEN").is_some() {
        // Where that cannot be had, it goes on alone.
        let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
    }
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            report::complain(&format!("beeline-verify: {sentence}"));
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    log::start(arguments.log.as_deref())?;
    let plan = arguments.search.plan.plan().map_err(|error| error.to_string())?;
    let limits = arguments.search.limits.clone();
    let bounds =
        Bounds { memory: limits.memory_limit.map(|size| size.0), time: limits.time_limit.map(|time| time.0) };
    if let Some(output) = &arguments.output {
        input::check_output(output)?;
    }
    let read = input::read_program(&arguments.program)?;
    let metrics = plan.steps.iter().map(plan::metric);
    let annotation =
        arguments.dist.as_ref().map(|path| input::read_distances(path, &read, metrics)).transpose()?;
    let program = Arc::new(read.program);
    let ending = Ending {
        program: Arc::clone(&program),
        output: arguments.output.clone(),
        digest: read.header.map(|header| header.digest),
        json: arguments.json,
    };

    let last = ending.clone();
    let watch = Watch::start(bounds, move |watch, reason| {
        if let Err(sentence) = last.without_engine(watch, reason) {
            report::complain(&format!("beeline-verify: {sentence}"));
            std::process::exit(2);
        }
    })?;
    let (seen, end) = (Arc::clone(&watch), ending.clone());
    beeline_engine::before_exit(move || {
        let reason = Reason::Failed("Z3 found a fault in itself and ended the process".into());
        seen.finish() && end.without_engine(&seen, reason).is_ok()
    });
    let (seen, end, paranoid) = (Arc::clone(&watch), ending.clone(), arguments.paranoid);
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        let runner = Runner {
            program: &program,
            annotation: annotation.as_ref(),
            limits: &limits,
            start: Instant::now(),
            monitor: seen.monitor(),
        };
        // A refusal leaves nothing to be said before the process ends.
        let (mut verdict, statistics) = runner.run(&plan).inspect_err(|_| _ = seen.finish())?;
        if matches!(verdict, Verdict::Unknown(Reason::Interrupted)) {
            verdict = Verdict::Unknown(seen.cause());
        }
        if paranoid {
            verdict = paranoid::settle(&program, verdict, &statistics, runner.time_left());
        }
        if seen.finish() { end.write(&verdict, &statistics) } else { Ok(()) }
    });
    let worker = worker.map_err(|error| format!("cannot start a thread: {error}"))?;
    match worker.join() {
        Ok(result) => {
            // From here on an exit is meant.
            watch.finish();
            result
        }
        Err(_) if watch.finish() => {
            let reason = "the engine failed; please report this as a bug";
            ending.without_engine(&watch, Reason::Failed(reason.into()))
        }
        Err(_) => Ok(()),
    }
}

/// Where the result goes.
#[derive(Clone)]
struct Ending {
    program: Arc<Program>,
    output: Option<PathBuf>,
    digest: Option<Digest>,
    json: bool,
}

impl Ending {
    /// Writes and prints the result.
    fn write(&self, verdict: &Verdict, statistics: &Statistics) -> Result<(), String> {
        let mut run = record(&self.program, verdict, statistics);
        let cpu_time = ProcessTime::now().as_duration() + beeline_engine::cpu_time_apart();
        run.statistics.push(Figure::of(Statistic::CpuTime, cpu_time.as_micros() as u64));
        let memory = watch::peak_memory().map(|bytes| Figure::of(Statistic::PeakMemory, bytes));
        run.statistics.extend(memory);
        if let Some(output) = &self.output {
            file::write(output, &run, self.digest).map_err(|error| error.to_string())?;
        }
        report::print(&self.program, verdict, &run, self.json)
    }

    /// Writes and prints a result for an engine that does not do so itself.
    fn without_engine(&self, watch: &Watch, reason: Reason) -> Result<(), String> {
        let progress = watch.monitor().progress();
        let statistics =
            Statistics { states: progress.states, time: watch.elapsed(), ..Statistics::default() };
        self.write(&Verdict::Unknown(reason), &statistics)
    }
}
