//! Hollow proofs: a proof about a function says nothing of it if no arguments meet its contract.

use crate::answer::{Answer, Word};
use crate::check::Runner;
use crate::pipeline::Pipeline;
use crate::property::Property;
use beeline_cli::temporary::Folder;
use beeline_options::Time;
use beeline_run::{Run, RunVerdict};
use std::time::Duration;

/// The share of the time limit that is spent on this.
const SHARE: u32 = 4;
/// The time without a limit.
const UNLIMITED: Duration = Duration::from_secs(10);

/// The contract of a safe answer as text, if it is known that no arguments meet it.
pub(crate) fn unmet(answer: &Answer) -> Option<String> {
    let entered = answer.job.entered.clone()?;
    if answer.word() != Word::Safe || answer.job.contract.is_empty() {
        return None;
    }
    let mut job = answer.job.clone();
    job.marks = vec!["--to".into(), entered];
    job.properties = vec![Property::Marks];
    job.limit_time(Time(job.time_limit.map_or(UNLIMITED, |limit| limit.0 / SHARE)));
    // An optimiser removes a call that it knows to be dead, and puts others in line.
    job.flags.extend(["-O0", "-w"].map(String::from));
    let folder = Folder::new().ok()?;
    job.write(folder.path()).ok()?;
    let pipeline = Pipeline::new(&job).ok()?;
    let mut runner = Runner::new(folder.path().to_path_buf(), None).ok()?;
    let None = runner.follow(pipeline.to_search().chain([&pipeline.verify])).ok()? else { return None };
    let run: Run = runner.read(&pipeline.result).ok()?;
    let contract: Vec<&str> = answer.job.contract.iter().map(|clause| clause.text.as_str()).collect();
    (run.verdict == RunVerdict::Safe && !run.targets.is_empty()).then(|| contract.join(" && "))
}
