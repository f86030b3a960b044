//! Programs that start as commands: with arguments, a standard input and files that a native run is given.
//!
//! A check first assumes nothing about how the program is started. If that finds an error that a native run
//! cannot confirm, because it depends on more than a run can be given, the program is checked again as a
//! command: an error found then is confirmed by a run of that command.

use crate::answer::{Answer, Check, Word};
use crate::arguments::CheckArguments;
use crate::check;
use beeline_ir::Program;
use beeline_options::{Engine, GivenOption, Plan};
use clap::ValueEnum;
use std::num::NonZeroU64;
use std::time::{Duration, Instant};

/// When a program starts as a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AsCommand {
    /// It does
    Always,
    /// Where its main takes parameters
    Auto,
    /// It does not
    Never,
}

/// The ticks for executions of commands: some ten seconds.
const EXECUTIONS: u64 = 30_000_000;
/// The option of the search that ends it by the clock.
const TIME_LIMIT: &str = "--time-limit";
/// The least time for a second check.
const LEAST: Duration = Duration::from_secs(2);

impl AsCommand {
    /// The option for the lowering.
    pub(crate) fn for_lower(self) -> Option<&'static str> {
        match self {
            AsCommand::Always => Some("--as-command"),
            AsCommand::Auto => Some("--as-command=auto"),
            AsCommand::Never => None,
        }
    }
}

/// Checks a program again, as a command, after an error that no native run confirmed. Returns the new answer
/// if it is a confirmed error, else the given one. The second check gets the remaining time.
pub(crate) fn again(arguments: &CheckArguments, answer: Answer, start: Instant) -> Result<Answer, String> {
    let not_confirmed = answer.replays.iter().any(|replay| matches!(replay.check, Check::Failed(_)));
    let is_open =
        arguments.as_command.is_none() && arguments.function == "main" && answer.word() == Word::Unknown;
    let Some(as_command) = answer.result.as_ref().and_then(|(program, _)| kind(program)) else {
        return Ok(answer);
    };
    if !not_confirmed || !is_open {
        return Ok(answer);
    }
    let mut arguments = arguments.clone();
    arguments.as_command = Some(as_command);
    arguments.keep = arguments.keep.map(|folder| folder.join("as-command"));
    if let Some(limit) = arguments.search.options.limits.time_limit {
        let Some(left) = limit.0.checked_sub(start.elapsed()).filter(|left| *left >= LEAST) else {
            return Ok(answer);
        };
        arguments.search.given.retain(|given| given.name != TIME_LIMIT);
        let value = Some(format!("{}s", left.as_secs()).into());
        arguments.search.given.push(GivenOption { name: TIME_LIMIT.into(), value, is_path: false });
    }
    let (other, ()) = check::answer(&arguments, check::job(&arguments)?, |_, _| Ok(()))?;
    Ok(if other.word() == Word::Unsafe && other.is_checked() { other } else { answer })
}

/// The plan for commands: executions with words of the program as inputs get more ticks.
pub(crate) fn plan() -> Plan {
    let mut plan = Plan::built_in();
    for step in plan.steps.iter_mut().filter(|step| step.engine == Engine::Concrete) {
        step.budget.ticks = NonZeroU64::new(EXECUTIONS);
    }
    plan
}

/// How a program may be started as a command: one whose `main` has no parameters only if it reads what a run can be given.
fn kind(program: &Program) -> Option<AsCommand> {
    if !program.functions[program.entry].params.is_empty() {
        return Some(AsCommand::Auto);
    }
    program.inputs.values().any(|input| reads(input)).then_some(AsCommand::Always)
}

/// Whether an input is what a function of the library reads from a stream or a file.
fn reads(input: &str) -> bool {
    ["fgets", "fread", "read", "getchar", "fopen_succeeds"].contains(&input) || input.ends_with("scanf")
}
