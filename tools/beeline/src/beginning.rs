//! Beginnings of sequences: how many places of a sequence executions are known to pass, if it is open whether
//! they pass all.
//!
//! Beginnings are checked as sequences of their own, each with one more place, so that the answer is about an
//! execution and not about what a search could not exclude.

use crate::answer::{Answer, Word};
use crate::arguments::{CheckArguments, ReachArguments};
use crate::job::Job;
use crate::nearest::Nearest;
use crate::{check, conditions, reach, report};
use beeline_options::Time;
use std::time::{Duration, Instant};

/// The additional time for all questions together, as a share of the time limit.
const SHARE: u32 = 4;

/// The time without a limit.
const UNLIMITED: Duration = Duration::from_secs(10);

/// The answer on the beginnings of a sequence.
pub(crate) enum Beginning {
    /// No execution passes this number of places, by an answer, and so none passes all.
    Impossible(usize, Box<Answer>),
    /// The longest beginning that is known to be passed, and the nearest approach to the place after it,
    /// unless that is the last one.
    Passed(Passed, Option<Nearest>),
}

/// The longest beginning that an execution is known to pass.
#[derive(Default)]
pub(crate) struct Passed {
    /// The number of its places.
    pub places: usize,
    /// The basis of the answer.
    pub remark: String,
    /// The inputs of the execution as readable text.
    pub inputs: Vec<String>,
}

/// A number of places of a sequence as readable text.
pub(crate) fn first(places: usize, all: usize) -> String {
    match places {
        1 => format!("the first of {all} places"),
        _ => format!("the first {places} of {all} places"),
    }
}

/// Checks the beginnings of an open sequence, the shortest first.
pub(crate) fn of(arguments: &ReachArguments, whole: &Answer) -> Result<Beginning, String> {
    let limit = whole.job.time_limit.map_or(UNLIMITED, |limit| limit.0 / SHARE);
    let end = Instant::now() + limit;
    let mut passed = Passed::default();
    // Only the files of the whole sequence are kept.
    let check = CheckArguments { keep: None, explain: false, ..arguments.check.clone() };
    for places in 1..arguments.to.len() {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        let job = job(arguments, whole, places, Time(left))?;
        let (answer, nearest) = check::answer(&check, job, Nearest::read)?;
        match answer.word() {
            Word::Safe => return Ok(Beginning::Impossible(places, Box::new(answer))),
            Word::Unsafe => {
                passed = Passed { places, remark: answer.remark(), inputs: inputs(&answer) };
            }
            Word::Unknown => return Ok(Beginning::Passed(passed, nearest)),
        }
    }
    Ok(Beginning::Passed(passed, None))
}

/// The job for a number of places of a sequence.
fn job(arguments: &ReachArguments, whole: &Answer, places: usize, limit: Time) -> Result<Job, String> {
    let mut job = whole.job.clone();
    let places = &arguments.to[..places];
    job.marks = reach::marks(places);
    job.copies.clear();
    conditions::put_in(&mut job, places)?;
    job.limit_time(limit);
    Ok(job)
}

/// The inputs of the execution that was found.
fn inputs(answer: &Answer) -> Vec<String> {
    let Some((program, run)) = &answer.result else { return Vec::new() };
    let runs = run.paths.iter().zip(&answer.replays);
    runs.take(1).flat_map(|(path, replay)| report::inputs(program, path, &replay.memory)).collect()
}
