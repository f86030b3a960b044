//! Witnesses that claim that the property is violated: an execution has to pass the waypoints and violate it
//! at the target, in the model and natively.
//!
//! The copies count the waypoints that are passed in their order. An execution ends where it passes one that
//! has to be avoided. The target's statement is there twice, once for executions that have passed all
//! waypoints: its violations count. Where it cannot be, as a declaration, executions end in front of it while
//! waypoints are left, so that some that the witness means may be missed.

use super::format::{Location, Passing, Waypoint};
use super::site::{Site, TargetSite};
use super::{Judged, Validation, Verdict, undefined_check};
use crate::answer::Answer;
use crate::copies::{COPY, Copies, Edit, Units, with_stack};
use crate::job::Job;
use crate::property;
use crate::statement::{TWIN, TWIN_END};
use crate::targets::{Severity, TargetAnswer, is_proved};
use beeline_options::GivenOption;
use beeline_witness::unit::Unit;
use serde_json::json;
use std::cmp::Reverse;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The program with checks of waypoints.
struct Followed {
    copies: Copies,
    /// Whether the target's statement is there twice.
    is_twice: bool,
    target: TargetSite,
}

/// Validates a witness with these waypoints.
pub(super) fn judge(
    task: &Validation<'_>,
    waypoints: &[Waypoint],
    target: &Location,
) -> Result<Judged, String> {
    let mut job = task.job()?;
    let followed = match with_stack(|| follow(&job, waypoints, target))? {
        Ok(followed) => followed,
        Err(why) => return Ok(Judged::unknown(why)),
    };
    task.with_checks(&mut job, &followed.copies, &definition(waypoints));
    if !job.search.iter().any(|given| given.name == "--every") {
        job.search.push(GivenOption { name: "--every".into(), value: None, is_path: false });
    }
    let answer = task.answer(job, "violation")?;
    let (verdict, remark) = verdict(&answer, &followed, target)?;
    let object = json!({ "kind": "violation", "waypoints": waypoints.len() });
    Ok(Judged { verdict, remark, text: String::new(), object, shown: Some(answer) })
}

/// Puts the checks in, or says what cannot be understood.
fn follow(job: &Job, waypoints: &[Waypoint], target: &Location) -> Result<Result<Followed, String>, String> {
    let units = Units::new(job)?;
    let mut copies = Copies::default();
    let mut put_in = |path: PathBuf, edit: Edit| {
        let copy = units.copies(&path, edit);
        units.expect_unchanged(&copy).map(|()| copies.extend(copy))
    };
    let placed = |location: &Location, why: String| Ok(Err(format!("{}: {why}", location.shown())));
    let target_site = match found(&units, target, |site| site.target(waypoints.len())) {
        Ok((_, found)) => found,
        Err(why) => return placed(target, why),
    };
    for (number, waypoint) in in_order(waypoints) {
        let put = expect_harmless(job, waypoint, target)
            .and_then(|()| found(&units, &waypoint.location, |site| site.waypoint(number, waypoint)))
            .and_then(|(path, edit)| match target_site.has_inside(&path, &edit) {
                true => Err("a waypoint inside of the target's statement is not supported".into()),
                false => put_in(path, edit),
            });
        if let Err(why) = put {
            return placed(&waypoint.location, why);
        }
    }
    // At one statement with the target, waypoints are passed before it.
    let path = || target_site.path.clone();
    let is_twice = target_site.twice.clone().is_some_and(|edit| put_in(path(), edit).is_ok());
    if !is_twice && let Err(why) = put_in(path(), target_site.check.clone()) {
        return placed(target, why);
    }
    Ok(Ok(Followed { copies, is_twice, target: target_site }))
}

/// The waypoints in the order in which their checks are inserted, with their numbers. Where two are at one
/// place, an execution passes the earlier one there and the later one when it comes again, so the later one's
/// check is first: it is before the other one, or inside of it where the value of an expression is checked.
/// In a segment, the waypoints to avoid are checked first: an execution that passes it together with the last
/// waypoint has not avoided it.
fn in_order(waypoints: &[Waypoint]) -> Vec<(usize, &Waypoint)> {
    let is_of_value =
        |waypoint: &Waypoint| matches!(waypoint.passing, Passing::Return(_) | Passing::Branching(_));
    let mut checked: Vec<(usize, &Waypoint)> = waypoints.iter().enumerate().collect();
    checked.sort_by_key(|(_, waypoint)| (Reverse(waypoint.segment), !waypoint.is_avoided));
    let (of_values, others): (Vec<_>, Vec<_>) =
        checked.into_iter().partition(|(_, waypoint)| is_of_value(waypoint));
    of_values.into_iter().rev().chain(others).collect()
}

/// What the first site of a location makes of it.
fn found<T>(
    units: &Units,
    location: &Location,
    make: impl Fn(&Site<'_>) -> Result<T, String>,
) -> Result<(PathBuf, T), String> {
    let mut refused = "no C file of the program has that line".to_string();
    for site in Site::all(units, location) {
        match make(&site) {
            Ok(made) => return Ok((site.path().to_path_buf(), made)),
            Err(why) => refused = why,
        }
    }
    Err(refused)
}

/// Refuses a waypoint whose own evaluation could be what violates the property at the target.
fn expect_harmless(job: &Job, waypoint: &Waypoint, target: &Location) -> Result<(), String> {
    let value = match &waypoint.passing {
        Passing::Assumption(value) | Passing::Return(Some(value)) => value,
        Passing::Branching(_) | Passing::Enter | Passing::Return(None) => return Ok(()),
    };
    let calls = job.properties.iter().all(|property| property.name() == "unreach-call");
    let is_there = waypoint.location.line == target.line;
    if !calls && is_there && value.contains(['+', '*', '/', '%', '[', '>', '<', '-']) {
        return Err(format!(
            "the constraint {value} at the target could itself violate {}",
            property::names(&job.properties)
        ));
    }
    Ok(())
}

/// The function that a check calls: the places are the waypoints, and the target after them.
fn definition(waypoints: &[Waypoint]) -> String {
    let mut text = String::from(
        "void abort(void);\nstatic int passed;\n\
         int beeline_passed(void) __asm__(\"beeline.passed\");\n\
         void beeline_condition(int place, int holds) { if (holds) switch (place) {\n",
    );
    for (place, Waypoint { segment, is_avoided, .. }) in waypoints.iter().enumerate() {
        let does = if *is_avoided { "abort()".into() } else { format!("passed = {}", segment + 1) };
        let _ = writeln!(text, "case {place}: if (passed == {segment}) {does}; break;");
    }
    let all = waypoints.iter().filter(|waypoint| !waypoint.is_avoided).count();
    let _ = writeln!(text, "case {}: if (passed != {all}) abort();\n}} }}", waypoints.len());
    let _ = writeln!(text, "int beeline_passed(void) {{ return passed == {all}; }}");
    text
}

/// The verdict, and its basis.
fn verdict(answer: &Answer, followed: &Followed, target: &Location) -> Result<(Verdict, String), String> {
    let Some((program, _)) = &answer.result else { return Ok((Verdict::Unknown, answer.remark())) };
    let Followed { is_twice, target: site, .. } = followed;
    let content =
        std::fs::read(&site.path).map_err(|error| format!("cannot read {}: {error}", site.path.display()))?;
    let mut names = program.files.iter().map(|(_, name)| name);
    let name = names.find(|name| Path::new(name).canonicalize().is_ok_and(|path| path == site.path));
    let unit = Unit::new(name.map_or("", String::as_str), &content);
    let twin = Twin::of(answer);
    let is_there = |known: &&TargetAnswer| {
        let its = program.targets.iter().find(|target| target.loc == known.target);
        let Some(span) = its.and_then(|target| target.span) else { return false };
        let Some(line) = unit.number(program, span) else { return false };
        match (&twin, is_twice) {
            (Some(twin), true) => twin.line == line && twin.columns.contains(&span.col),
            _ => site.lines.contains(&line),
        }
    };
    let targets = answer.targets();
    let here: Vec<&TargetAnswer> = targets.iter().filter(is_there).collect();
    let at = target.shown();
    if here.iter().any(|known| known.severity == Severity::Confirmed) {
        return Ok((Verdict::Confirmed, "an execution passes the waypoints, also natively".into()));
    }
    if let Some(known) = here.iter().find(|known| known.severity != Severity::Safe) {
        return Ok((Verdict::Unknown, known.remark.clone()));
    }
    if let Some(why) = undefined_check(answer) {
        return Ok((Verdict::Unknown, format!("a constraint may be undefined: {why}")));
    }
    Ok(match here.first() {
        Some(safe) if !is_proved(&safe.remark) => (Verdict::Unknown, safe.remark.clone()),
        Some(_) if !is_twice => (
            Verdict::Unknown,
            format!(
                "no execution violates the property when it first reaches {at}; later visits were not examined"
            ),
        ),
        None if answer.result.is_none() || answer.reason.is_some() => (Verdict::Unknown, answer.remark()),
        _ => (
            Verdict::Rejected,
            format!("no execution that passes the waypoints violates the property at {at}"),
        ),
    })
}

/// The place of the target's statement that counts: in one line of a copy.
struct Twin {
    line: u32,
    columns: std::ops::Range<u32>,
}

impl Twin {
    fn of(answer: &Answer) -> Option<Twin> {
        let mut copies = answer.job.copies.iter().filter(|(name, _)| name.starts_with(COPY));
        copies.find_map(|(_, text)| {
            let text = String::from_utf8_lossy(text);
            let (number, line) = (1..).zip(text.lines()).find(|(_, line)| line.contains(TWIN))?;
            let begin = line.find(TWIN)? + TWIN.len();
            let end = begin + line[begin..].find(TWIN_END)?;
            let column = |at: usize| u32::try_from(at + 1).ok();
            Some(Twin { line: number, columns: column(begin)?..column(end)? })
        })
    }
}
