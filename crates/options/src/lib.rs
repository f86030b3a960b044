//! The options of a search, declared once: their names, values, help and defaults.
//!
//! `beeline-verify` and `beeline check` have the same options because both use [`SearchOptions`], from which manual pages and
//! completions are made as well. A [`Plan`] is a file that lists searches; its keys are the names of options.

mod aims;
mod given;
mod how_many;
mod plan;
mod skip;
pub mod step;
mod unwind;
mod value;

pub use aims::{Aims, WhenUndefined};
pub use given::{Given, GivenOption};
pub use how_many::HowMany;
pub use plan::{Plan, PlanError, fault};
pub use skip::{Excess, Skip, SkipError};
pub use step::{Engine, Step};
pub use unwind::Unwind;
pub use value::{Size, Time, ValueError, positive};

use clap::{Args, ValueHint};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

/// All options of a search.
#[derive(Debug, Clone, Args)]
pub struct SearchOptions {
    /// Which searches there are.
    #[command(flatten)]
    pub plan: PlanOptions,
    /// Which targets there are.
    #[command(flatten)]
    pub aims: Aims,
    /// What ends the search.
    #[command(flatten)]
    pub limits: Limits,
}

/// Which searches there are: one that options describe, or those of a plan.
#[derive(Debug, Clone, Args)]
pub struct PlanOptions {
    /// A plan in TOML, as `beeline plan` prints it: searches, one after the other until there is an answer
    #[arg(long = "plan", value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = [step::STEP, "engine"], help_heading = "Search")]
    pub file: Option<PathBuf>,
    /// What searches for errors and proofs [default: bounded with --unwind, lazy with another of the options below;
    /// without any, lazy for a short time, then concrete, bounded, summaries for recursive programs, and lazy]
    #[arg(long, value_enum, help_heading = "Search")]
    pub engine: Option<Engine>,
    /// The only search, if there is no file.
    #[command(flatten)]
    pub step: Step,
}

impl PlanOptions {
    /// Whether they determine a plan.
    pub fn is_given(&self) -> bool {
        self.file.is_some() || self.engine.is_some() || self.step != Step::default()
    }

    /// The plan.
    pub fn plan(&self) -> Result<Plan, PlanError> {
        match &self.file {
            Some(file) => Plan::read(file),
            None if self.engine.is_none() && self.step == Step::default() => Ok(Plan::built_in()),
            None => {
                // An unwinding implies bounded model checking.
                let implied = if self.step.unwind.is_empty() { Engine::Lazy } else { Engine::Bounded };
                let engine = self.engine.unwrap_or(implied);
                let plan = Plan { steps: vec![Step { engine, ..self.step.clone() }] };
                plan.checked(|_| "the command line".into())
            }
        }
    }
}

/// What ends a tool that does not search.
#[derive(Debug, Clone, Copy, Args)]
pub struct MemoryLimit {
    /// Memory of the process, such as `500M` or `4G` [default: half of the machine's memory, at most 8G]
    #[arg(long, value_name = "SIZE")]
    memory_limit: Option<Size>,
}

impl MemoryLimit {
    /// The limit in bytes, if one is given.
    pub fn bytes(self) -> Option<u64> {
        self.memory_limit.map(|size| size.0)
    }
}

/// What ends all searches.
#[derive(Debug, Clone, Args)]
pub struct Limits {
    /// Wall-clock time for the whole run, such as `30`, `30s` or `5m` [default: no limit]
    #[arg(long, value_name = "TIME", help_heading = "Limits")]
    pub time_limit: Option<Time>,
    /// Memory of the process, such as `500M` or `4G` [default: half of the machine's memory, at most 8G]
    #[arg(long, value_name = "SIZE", help_heading = "Limits")]
    pub memory_limit: Option<Size>,
    /// Number of abstract states, including removed ones [default: no limit]
    #[arg(long, value_name = "STATES", value_parser = positive::<NonZeroUsize>, help_heading = "Limits")]
    pub max_states: Option<NonZeroUsize>,
    /// Steps of the solver and of the search for the whole run, of which some 3 million take a second [default: no
    /// limit]
    #[arg(long, value_name = "TICKS", value_parser = positive::<NonZeroU64>, help_heading = "Limits")]
    pub ticks: Option<NonZeroU64>,
    /// Steps of the solver for one query; up to 16 times as many for the last target queries of an unwinding
    #[arg(long, value_name = "TICKS", value_parser = positive::<NonZeroU64>, default_value = "30000000", help_heading = "Limits")]
    pub query_ticks: NonZeroU64,
}
