//! `beeline reach`: is there an execution that passes some places in an order?

use crate::answer::{Answer, Word};
use crate::arguments::ReachArguments;
use crate::job::Job;
use crate::nearest::Nearest;
use crate::{check, conditions, json, report, warnings};

/// Looks for an execution, prints what is known, and returns the exit code.
pub(crate) fn run(arguments: &ReachArguments) -> Result<u8, String> {
    if let Some(path) = &arguments.warnings {
        return warnings::run(arguments, path);
    }
    let marks = arguments.to.iter().flat_map(|place| ["--to".to_string(), place.clone()]).collect();
    if arguments.check.html.is_some() {
        return Err("--html shows verdicts: it is for `beeline check` and `beeline cover`".into());
    }
    let mut job = Job::of_marks(&arguments.check, marks, "--first")?;
    conditions::put_in(&mut job, &arguments.to)?;
    let (answer, nearest) = check::answer(&arguments.check, job, Nearest::read)?;
    if arguments.check.json {
        let mut object = json::object(&answer);
        object["verdict"] = word(&answer).into();
        object["places"] = arguments.to.clone().into();
        object["nearest"] = nearest.map(|nearest| nearest.object(&arguments.to)).into();
        report::print(&format!("{object:#}\n"))?;
    } else {
        let line = format!("verdict: {} ({})", word(&answer), remark(&answer));
        if let Some(nearest) = nearest {
            report::print(&nearest.text(&arguments.to))?;
        }
        report::tell_with(&answer, arguments.check.whole_path, &line)?;
    }
    Ok(answer.word().code())
}

fn word(answer: &Answer) -> &'static str {
    match answer.word() {
        Word::Safe => "unreachable",
        Word::Unsafe => "reachable",
        Word::Unknown => "unknown",
    }
}

/// What the verdict rests on.
fn remark(answer: &Answer) -> String {
    let is_met = answer.result.as_ref().is_none_or(|(program, _)| !program.targets.is_empty());
    match (answer.word(), is_met) {
        (Word::Safe, false) => "no way leads to the last place".into(),
        _ => answer.remark(),
    }
}
