//! Which targets are looked for, and how long.

use clap::{Args, ValueEnum};

/// Which targets are looked for.
#[derive(Debug, Clone, Default, Args)]
pub struct Aims {
    /// Searches for this target only (may be repeated): `FILE:LINE`, or a pattern with `*` and `?` for its function, its
    /// property or its name [default: all]
    #[arg(long = "target", value_name = "WHICH", help_heading = "Targets")]
    pub targets: Vec<String>,
    /// Stops at the first error and leaves the other targets open
    #[arg(long, help_heading = "Targets")]
    pub first: bool,
    /// Continues after an error until every target is decided or a limit ends the run; otherwise it continues for as much
    /// work as the error took
    #[arg(long, help_heading = "Targets", conflicts_with = "first")]
    pub every: bool,
    /// If an execution has undefined behaviour, such as an access outside of all objects: continue with the other
    /// executions and say so in the verdict, or stop without one
    #[arg(long, value_enum, default_value_t = WhenUndefined::Continue, value_name = "WHAT", help_heading = "Targets", hide_possible_values = true)]
    pub undefined: WhenUndefined,
}

/// What to do if an execution has undefined behaviour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum WhenUndefined {
    /// Look at the others.
    #[default]
    Continue,
    /// Give no verdict on targets behind it.
    Stop,
}
