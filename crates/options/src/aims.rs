//! Which targets are looked for, and how long.

use clap::Args;

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
}
