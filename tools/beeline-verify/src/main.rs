//! `beeline-verify`: searches for an execution of a program that reaches a target.
//!
//! Reads a program (a `.cfa` file or its textual form), prints the verdict as the last line on standard
//! output and all else on standard error. The exit code is 0 whenever there is a verdict, be it unknown, and
//! 2 for wrong input or usage.

mod aims;
mod arguments;
mod condition;
mod ending;
mod input;
mod log;
mod paranoid;
mod plan;
mod report;
#[cfg(test)]
mod samples;
mod unwind;
mod watch;

use arguments::Arguments;
use beeline_engine::{AfterError, OnUndefined, Reason};
use beeline_graph::Annotation;
use beeline_ir::{LocId, Program, file};
use beeline_options::{Limits, Plan, WhenUndefined};
use beeline_run::RunPrecision;
use condition::Left;
use ending::{Ending, drawing};
use plan::Runner;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
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
    if let Some(driver) = std::env::var_os("BEELINE_DRIVEN") {
        // If that is not possible, the process continues without its parent.
        let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
        // No signal comes from a driver that ended before.
        if driver != std::os::unix::process::parent_id().to_string().as_str() {
            return ExitCode::FAILURE;
        }
    }
    match run(&beeline_cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            report::complain(&format!("beeline-verify: {sentence}"));
            ExitCode::from(2)
        }
    }
}

/// Checks that the outputs can be written and are no inputs.
fn check_outputs(arguments: &Arguments) -> Result<(), String> {
    for output in arguments.output.iter().chain(&arguments.dump_graph) {
        input::check_output(output)?;
        let inputs = std::iter::once(Path::new(&arguments.program)).chain(arguments.dist.as_deref());
        let inputs =
            inputs.chain(arguments.condition.iter().chain(&arguments.precision).map(PathBuf::as_path));
        file::expect_other(output, inputs).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn run(arguments: &Arguments) -> Result<(), String> {
    log::start(arguments.log.as_deref())?;
    let plan = arguments.search.plan.plan().map_err(|error| error.to_string())?;
    let limits = arguments.search.limits.clone();
    let bounds = Bounds {
        memory: limits.memory_limit.map_or_else(beeline_cli::memory::default_limit, |size| size.0),
        time: limits.time_limit.map(|time| time.0),
    };
    check_outputs(arguments)?;
    let read = file::read_program(&arguments.program).map_err(|error| error.to_string())?;
    let metrics = plan.steps.iter().map(plan::metric);
    let annotation = arguments
        .dist
        .as_ref()
        .map(|path| input::read_distances(path, (&arguments.program, &read), metrics))
        .transpose()?;
    let left = Left::read(&arguments.condition, (&arguments.program, &read))?;
    let precision = arguments.precision.as_deref();
    let precision =
        precision.map(|path| input::read_precision(path, (&arguments.program, &read))).transpose()?;
    let program = Arc::new(read.body);
    let mut targets = aims::resolved(&program, &arguments.search.aims.targets)?;
    if let Some(left) = &left {
        targets = left.open_among(&targets);
    }
    let ending = Ending {
        program: Arc::clone(&program),
        output: arguments.output.clone(),
        drawing: arguments.dump_graph.clone(),
        digest: read.header.digest,
        json: arguments.json,
        targets: targets.clone(),
        left: left.clone(),
        known: Arc::default(),
    };
    let after_error = match (arguments.search.aims.first, arguments.search.aims.every) {
        (true, _) => AfterError::Stop,
        (_, true) => AfterError::GoOn,
        _ => AfterError::AsLong,
    };
    let undefined = match arguments.search.aims.undefined {
        WhenUndefined::Continue => OnUndefined::Continue,
        WhenUndefined::Stop => OnUndefined::Stop,
    };
    let paranoid = arguments.paranoid;
    let precision = precision.flatten();
    let job =
        Job { program, annotation, plan, targets, left, precision, after_error, undefined, limits, paranoid };
    job.run(bounds, ending)
}

/// A verification job.
struct Job {
    program: Arc<Program>,
    annotation: Option<Annotation>,
    plan: Plan,
    targets: BTreeSet<LocId>,
    left: Option<Left>,
    precision: Option<RunPrecision>,
    after_error: AfterError,
    undefined: OnUndefined,
    limits: Limits,
    paranoid: bool,
}

impl Job {
    /// Searches, watched; whatever happens, there is a result.
    fn run(self, bounds: Bounds, ending: Ending) -> Result<(), String> {
        let last = ending.clone();
        let watch = Watch::start(bounds, self.targets.len(), move |watch, reason| {
            if let Err(sentence) = last.without_engine(watch, reason) {
                report::complain(&format!("beeline-verify: {sentence}"));
                std::process::exit(2);
            }
        })?;
        let (seen, end) = (Arc::clone(&watch), ending.clone());
        beeline_engine::before_exit(move || {
            let reason = Reason::Failed("Z3 failed and ended the process".into());
            seen.finish() && end.without_engine(&seen, reason).is_ok()
        });
        let (seen, end) = (Arc::clone(&watch), ending.clone());
        let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || self.search(&seen, &end));
        let Ok(worker) = worker else {
            // There is no room for its stack.
            return if watch.finish() { ending.without_engine(&watch, Reason::Memory) } else { Ok(()) };
        };
        match worker.join() {
            Ok(result) => {
                // From here on, an exit is intended.
                watch.finish();
                result
            }
            Err(_) if watch.finish() => {
                let reason = match watch::is_confined() {
                    true => "the engine failed, possibly because its address space is limited (ulimit -v)",
                    false => "the engine failed; please report this as a bug",
                };
                ending.without_engine(&watch, Reason::Failed(reason.into()))
            }
            Err(_) => Ok(()),
        }
    }

    /// Searches, and writes the result unless the watch did.
    fn search(&self, watch: &Watch, ending: &Ending) -> Result<(), String> {
        let runner = Runner {
            program: &self.program,
            annotation: self.annotation.as_ref(),
            targets: &self.targets,
            earlier: self.left.as_ref().map_or(&[], |left| &left.earlier),
            looked: self.left.as_ref().and_then(Left::looked).or(self.precision.as_ref()),
            seen: self.left.as_ref().map(Left::seen).unwrap_or_default(),
            after_error: self.after_error,
            undefined: self.undefined,
            limits: &self.limits,
            start: Instant::now(),
            monitor: watch.monitor(),
            known: &ending.known,
            keeps_graph: ending.drawing.is_some(),
            begins: &|number, of, what| watch.begin(number, of, what),
        };
        // After an error, the watch must not write a result.
        let mut found = runner.run(&self.plan).inspect_err(|_| _ = watch.finish())?;
        if found.verdict.ended == Some(Reason::Interrupted) {
            found.verdict.ended = Some(watch.cause());
        }
        let earlier = self.left.as_ref().map_or(Vec::new(), Left::results);
        if self.paranoid
            && let Some(reason) = paranoid::objection(&self.program, &found, &earlier, runner.time_left())
        {
            found.verdict.withdraw_proofs(&reason);
        }
        if !watch.finish() {
            return Ok(());
        }
        let drawing = ending.drawing.as_ref().and_then(|_| drawing(&self.program, &found));
        ending.write(found, drawing.as_deref())
    }
}
