//! Which targets are looked for, and how long.

use clap::{Args, ValueEnum};

/// Which targets are looked for.
#[derive(Debug, Clone, Default, Args)]
pub struct Aims {
    /// Looks for this target only (may be repeated): `FILE:LINE`, or a pattern with `*` and `?` for its function, its
    /// property or its name [default: all]
    #[arg(long = "target", value_name = "WHICH", help_heading = "Targets")]
    pub targets: Vec<String>,
    /// Stops at the first error, and leaves the other targets open
    #[arg(long, help_heading = "Targets")]
    pub first: bool,
    /// Goes on after an error until every target is decided or a limit ends the run; else it goes on for as much work
    /// as the error took
    #[arg(long, help_heading = "Targets", conflicts_with = "first")]
    pub every: bool,
    /// Where what an execution does is not defined, as it accesses memory outside of all objects: stop without a verdict, or
    /// continue with the executions that are defined, and say so in the verdict
    #[arg(long, value_enum, default_value_t = WhenUndefined::Stop, value_name = "WHAT", help_heading = "Targets", hide_possible_values = true)]
    pub undefined: WhenUndefined,
}

/// What to do where what an execution does is not defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum WhenUndefined {
    /// Look at the others.
    Continue,
    /// Give no verdict on targets behind it.
    #[default]
    Stop,
}
