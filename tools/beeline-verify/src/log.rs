//! The log of a search on standard error, if it is asked for. It has no times, so that equal runs have equal
//! logs.

use std::str::FromStr;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Starts the log that an option or the environment asks for.
pub(crate) fn start(option: Option<&str>) -> Result<(), String> {
    let (name, text) = match (option, std::env::var("BEELINE_LOG")) {
        (Some(text), _) => ("--log", text.to_string()),
        (None, Ok(text)) if !text.is_empty() => ("BEELINE_LOG", text),
        (None, _) => return Ok(()),
    };
    let targets = Targets::from_str(&text).map_err(|_| {
        format!("{name} takes error, warn, info, debug or trace, or PART=LEVEL, not `{text}`")
    })?;
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).without_time().with_ansi(false);
    let started = tracing_subscriber::registry().with(targets).with(lines).try_init();
    started.map_err(|error| error.to_string())
}
