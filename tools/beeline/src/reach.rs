//! `beeline reach`: searches for an execution that passes some places in an order.

use crate::answer::{Answer, Word};
use crate::arguments::ReachArguments;
use crate::beginning::{self, Beginning};
use crate::job::Job;
use crate::nearest::Nearest;
use crate::{check, conditions, json, report, warnings};
use beeline_run::{Reason, RunVerdict};

/// Looks for an execution, prints what is known, and returns the exit code.
pub(crate) fn run(arguments: &ReachArguments) -> Result<u8, String> {
    if let Some(path) = &arguments.warnings {
        return warnings::run(arguments, path);
    }
    if arguments.check.html.is_some() {
        return Err("--html shows verdicts; use it with `beeline check` or `beeline cover`".into());
    }
    check::expect_outputs(&arguments.check)?;
    let mut job = Job::of_marks(&arguments.check, marks(&arguments.to), "--first")?;
    conditions::put_in(&mut job, &arguments.to)?;
    let mut asked = &arguments.to[..];
    let (mut answer, mut nearest) = check::answer(&arguments.check, job, Nearest::read)?;
    if let Some(approach) = &mut nearest
        && !cannot_go_on(&answer)
    {
        match beginning::of(arguments, &answer)? {
            Beginning::Impossible(places, beginning) => {
                (answer, nearest) = (*beginning, None);
                asked = &asked[..places];
            }
            Beginning::Passed(passed, next) => approach.begins(passed, next),
        }
    }
    tell(arguments, &answer, asked, nearest)?;
    Ok(answer.word().code())
}

/// The options of beeline-mark for the places.
pub(crate) fn marks(places: &[String]) -> Vec<String> {
    places.iter().flat_map(|place| ["--to".to_string(), place.clone()]).collect()
}

/// Whether the user interrupted it, or nothing can be said of the program.
fn cannot_go_on(answer: &Answer) -> bool {
    let verdict = answer.result.as_ref().map(|(_, run)| &run.verdict);
    answer.reason.is_some() || matches!(verdict, None | Some(RunVerdict::Unknown(Reason::Interrupted)))
}

/// Prints an answer to what was asked: for all places, or for the first ones.
fn tell(
    arguments: &ReachArguments,
    answer: &Answer,
    asked: &[String],
    nearest: Option<Nearest>,
) -> Result<(), String> {
    if arguments.check.json {
        let mut object = json::object(answer);
        object["verdict"] = word(answer).into();
        object["places"] = arguments.to.clone().into();
        object["about"] = asked.len().into();
        object["nearest"] = nearest.map(|nearest| nearest.object(&arguments.to)).into();
        report::print(&format!("{object:#}\n"))
    } else {
        let line = format!("verdict: {} ({})", word(answer), remark(answer));
        if let Some(nearest) = nearest {
            report::print(&nearest.text(&arguments.to))?;
        }
        if asked.len() < arguments.to.len() {
            let first = beginning::first(asked.len(), arguments.to.len());
            report::print(&format!("No execution passes {first} in this order:\n"))?;
        }
        report::tell_with(answer, arguments.check.whole_path, &line)
    }
}

fn word(answer: &Answer) -> &'static str {
    match answer.word() {
        Word::Safe => "unreachable",
        Word::Unsafe => "reachable",
        Word::Unknown => "unknown",
    }
}

/// The basis of the verdict.
fn remark(answer: &Answer) -> String {
    let is_met = answer.result.as_ref().is_none_or(|(program, _)| !program.targets.is_empty());
    match (answer.word(), is_met) {
        (Word::Safe, false) => "no path leads to the last place".into(),
        _ => answer.remark(),
    }
}
