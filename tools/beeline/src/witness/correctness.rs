//! Witnesses that claim that the property holds: it has to be shown, and so has each invariant.

use super::format::Invariant;
use super::site::Site;
use super::{Judged, Validation, Verdict, undefined_check, write};
use crate::answer::{Answer, Word};
use crate::copies::{Copies, Units, with_stack};
use crate::job::Job;
use crate::property::Property;
use crate::targets::{Severity, TargetAnswer, is_proved};
use beeline_options::GivenOption;
use serde_json::json;
use std::fmt::Write as _;

/// The function whose call says that an invariant does not hold.
const FAILS: &str = "beeline_invariant_fails";
/// The file of that property.
const FAILS_PROPERTY: &str = "invariants.prp";
/// The name of the file of the checks in the program: lines are the numbers of invariants in the witness's
/// order.
const CHECKS: &str = "invariants of the witness";

/// The verdict on an invariant.
#[derive(Debug, Clone)]
struct Known {
    verdict: Verdict,
    remark: String,
}

/// Validates a witness with these invariants.
pub(super) fn judge(task: &Validation<'_>, invariants: &[Invariant]) -> Result<Judged, String> {
    let answer = task.answer(task.job()?, "property")?;
    let (known, of_invariants) = match answer.word() {
        // The witness is wrong whatever the invariants are.
        Word::Unsafe => (Vec::new(), None),
        _ if invariants.is_empty() => (Vec::new(), None),
        Word::Safe | Word::Unknown => of_invariants(task, invariants)?,
    };
    let (verdict, remark) = verdict(&answer, invariants, &known);
    let fails = known.iter().any(|known| known.verdict == Verdict::Rejected);
    Ok(Judged {
        verdict,
        remark,
        text: text(invariants, &known),
        object: json!({ "kind": "correctness", "invariants": objects(invariants, &known) }),
        shown: Some(of_invariants.filter(|_| fails).unwrap_or(answer)),
    })
}

/// The verdict, and its basis.
fn verdict(answer: &Answer, invariants: &[Invariant], known: &[Known]) -> (Verdict, String) {
    let of = |verdict| invariants.iter().zip(known).find(move |(_, known)| known.verdict == verdict);
    if let Some((invariant, known)) = of(Verdict::Rejected) {
        let (at, value) = (invariant.location.shown(), invariant.value.text());
        return (
            Verdict::Rejected,
            format!("the invariant at {at} does not hold: {value}; {}", known.remark),
        );
    }
    match answer.word() {
        Word::Unsafe if answer.is_checked() => {
            (Verdict::Rejected, "the property is violated, confirmed".into())
        }
        Word::Unsafe | Word::Unknown => (Verdict::Unknown, format!("the property: {}", answer.remark())),
        Word::Safe if !answer.is_checked() => {
            (Verdict::Unknown, format!("the property: {}", answer.remark()))
        }
        Word::Safe => match of(Verdict::Unknown) {
            Some((invariant, known)) => {
                let at = invariant.location.shown();
                (Verdict::Unknown, format!("the invariant at {at}: {}", known.remark))
            }
            None => {
                let number = match invariants.len() {
                    0 => "the witness has no invariant".into(),
                    1 => "the invariant holds".into(),
                    number => format!("all {number} invariants hold"),
                };
                (Verdict::Confirmed, format!("{number}, and the property does: {}", answer.remark()))
            }
        },
    }
}

/// The verdicts on all invariants, with the answer that they come from.
fn of_invariants(
    task: &Validation<'_>,
    invariants: &[Invariant],
) -> Result<(Vec<Known>, Option<Answer>), String> {
    let mut job = task.job()?;
    let put_in = with_stack(|| put_in(&job, invariants))?;
    let open = |why: &String| Known { verdict: Verdict::Unknown, remark: why.clone() };
    let mut copies = Copies::default();
    let mut refused = Vec::new();
    for each in put_in {
        match each {
            Ok(copy) => {
                copies.extend(copy);
                refused.push(None);
            }
            Err(why) => refused.push(Some(open(&why))),
        }
    }
    if refused.iter().all(Option::is_some) {
        return Ok((refused.into_iter().flatten().collect(), None));
    }
    task.with_checks(&mut job, &copies, &definition(invariants.len()));
    let property = format!("CHECK( init({}()), LTL(G ! call({FAILS}())) )", job.function);
    job.properties = vec![Property::Calls(write(task.folder, FAILS_PROPERTY, &property)?)];
    if !job.search.iter().any(|given| given.name == "--every") {
        job.search.push(GivenOption { name: "--every".into(), value: None, is_path: false });
    }
    let answer = task.answer(job, "invariants")?;
    let undefined = undefined_check(&answer);
    let known = (0..).zip(refused).map(|(number, refused)| {
        refused.unwrap_or_else(|| match (known(&answer, number), &undefined) {
            // After an invariant whose evaluation has no result, no other one is checked.
            (Known { verdict: Verdict::Confirmed, .. }, Some(why)) => {
                open(&format!("an invariant may be undefined: {why}"))
            }
            (known, _) => known,
        })
    });
    Ok((known.collect(), Some(answer)))
}

/// The edits that insert the check of each invariant, or the reason why there are none.
fn put_in(job: &Job, invariants: &[Invariant]) -> Result<Vec<Result<Copies, String>>, String> {
    let units = Units::new(job)?;
    let copies = (0..).zip(invariants).map(|(number, invariant)| {
        let mut refused = "no C file of the program has that line".to_string();
        for site in Site::all(&units, &invariant.location) {
            match site.invariant(invariant.r#type, number, &invariant.value.text()) {
                Ok(edit) => {
                    let copies = units.copies(site.path(), edit);
                    return units.expect_unchanged(&copies).map(|()| copies);
                }
                Err(why) => refused = why,
            }
        }
        Err(refused)
    });
    Ok(copies.collect())
}

/// The function that a check calls. An execution may end or continue where an invariant fails, as others may
/// fail after it.
fn definition(number: usize) -> String {
    let mut text = format!(
        "void abort(void);\nvoid {FAILS}(void) {{ abort(); }}\n\
         int beeline_nondet(void);\n\
         void beeline_condition(int place, int holds) {{ if (!holds && beeline_nondet()) switch (place) {{\n\
         # 1 \"{CHECKS}\"\n"
    );
    for place in 0..number {
        let _ = writeln!(text, "case {place}: {FAILS}();");
    }
    text + "} }\n"
}

/// The verdict on the invariant with a number, by an answer.
fn known(answer: &Answer, number: u32) -> Known {
    let Some((program, _)) = &answer.result else {
        return Known { verdict: Verdict::Unknown, remark: answer.remark() };
    };
    let is_its = |known: &&TargetAnswer| {
        let target = program.targets.iter().find(|target| target.loc == known.target);
        let span = target.and_then(|target| target.span);
        span.is_some_and(|span| program.files[span.file].ends_with(CHECKS) && span.line == number + 1)
    };
    let targets = answer.targets();
    match targets.iter().find(is_its) {
        Some(known) => {
            let verdict = match known.severity {
                Severity::Confirmed => Verdict::Rejected,
                Severity::Safe if is_proved(&known.remark) => Verdict::Confirmed,
                _ => Verdict::Unknown,
            };
            Known { verdict, remark: known.remark.clone() }
        }
        // The program has no path there.
        None if answer.word() == Word::Safe => {
            Known { verdict: Verdict::Confirmed, remark: "no execution gets there".into() }
        }
        None => Known { verdict: Verdict::Unknown, remark: answer.remark() },
    }
}

/// The invariants with their verdicts as readable text.
fn text(invariants: &[Invariant], known: &[Known]) -> String {
    let mut text = String::new();
    for (invariant, known) in invariants.iter().zip(known) {
        let word = word(known.verdict);
        let (at, value) = (invariant.location.shown(), invariant.value.text());
        let _ = writeln!(text, "{word:8}  {at}  {value}  ({})", known.remark);
    }
    if text.is_empty() { text } else { text + "\n" }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Confirmed => "holds",
        Verdict::Rejected => "fails",
        Verdict::Unknown => "unknown",
    }
}

fn objects(invariants: &[Invariant], known: &[Known]) -> Vec<serde_json::Value> {
    let object = |(invariant, known): (&Invariant, &Known)| {
        json!({
            "file": invariant.location.file_name,
            "line": invariant.location.line,
            "column": invariant.location.column,
            "value": invariant.value.text(),
            "verdict": word(known.verdict),
            "reason": known.remark,
        })
    };
    invariants.iter().zip(known).map(object).collect()
}
