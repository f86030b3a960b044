//! How far along a sequence of places executions are known to get, where it is open whether they pass all of it.
//!
//! The places are asked for one more at a time, as sequences of their own, so that what is told is what an execution
//! does and not what a search took for possible.

use crate::answer::{Answer, Word};
use crate::arguments::{CheckArguments, ReachArguments};
use crate::job::Job;
use crate::nearest::Nearest;
use crate::{check, conditions, reach, report};
use beeline_options::{GivenOption, Time};
use std::time::{Duration, Instant};

/// The share of the time limit that all questions together may take beyond it.
const SHARE: u32 = 4;

/// What they may take where there is no limit.
const UNLIMITED: Duration = Duration::from_secs(10);

/// What is known of the beginnings of a sequence.
pub(crate) enum Beginning {
    /// Nothing passes so many places, says an answer, and so nothing passes the whole.
    Impossible(usize, Box<Answer>),
    /// The longest that is known to be passed, and how near to the place after it a search came, unless that is the
    /// last one.
    Passed(Passed, Option<Nearest>),
}

/// The longest beginning that an execution is known to pass.
#[derive(Default)]
pub(crate) struct Passed {
    /// How many places it has.
    pub places: usize,
    /// What the answer rests on.
    pub remark: String,
    /// The inputs of the execution, for a person.
    pub inputs: Vec<String>,
}

/// So many places of a sequence, for a person.
pub(crate) fn first(places: usize, all: usize) -> String {
    match places {
        1 => format!("the first of {all} places"),
        _ => format!("the first {places} of {all} places"),
    }
}

/// Looks at the beginnings of a sequence that is open, the shortest first.
pub(crate) fn of(arguments: &ReachArguments, whole: &Answer) -> Result<Beginning, String> {
    let limit = whole.job.time_limit.map_or(UNLIMITED, |limit| limit.0 / SHARE);
    let end = Instant::now() + limit;
    let mut passed = Passed::default();
    // The files of the run that are kept are those of the whole sequence.
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

/// Asks for so many places of a sequence.
fn job(arguments: &ReachArguments, whole: &Answer, places: usize, limit: Time) -> Result<Job, String> {
    let mut job = whole.job.clone();
    let places = &arguments.to[..places];
    job.marks = reach::marks(places);
    job.copies.clear();
    conditions::put_in(&mut job, places)?;
    job.time_limit = Some(limit);
    job.search.retain(|given| given.name != "--time-limit");
    let value = Some(limit.to_string().into());
    job.search.push(GivenOption { name: "--time-limit".into(), value, is_path: false });
    Ok(job)
}

/// What the execution that was found is given from outside.
fn inputs(answer: &Answer) -> Vec<String> {
    let Some((program, run)) = &answer.result else { return Vec::new() };
    let runs = run.paths.iter().zip(&answer.replays);
    runs.take(1).flat_map(|(path, replay)| report::inputs(program, path, &replay.memory)).collect()
}
