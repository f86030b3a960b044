//! `beeline check --witness`: validates the claim of a witness of SV-COMP about a program.
//!
//! A [`correctness`] witness is confirmed when the property is shown, and that each invariant holds at its
//! place; a [`violation`] witness when an execution is found, and repeated natively, that passes its
//! waypoints and violates the property at its target. [`format`](mod@format) reads witnesses, [`site`] finds
//! the places in the source.

mod correctness;
mod format;
mod site;
mod violation;

use crate::answer::Answer;
use crate::arguments::CheckArguments;
use crate::copies::{COPY, Copies};
use crate::job::{Job, Source};
use crate::property::Property;
use crate::statement::is_in_check;
use crate::step::Word;
use crate::{check, json, report};
use beeline_cli::temporary::Folder;
use beeline_ir::Span;
use beeline_witness::task::hash;
use format::{Claim, Task, Witness};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The C file that the program is given for the checks of a witness.
const FILE: &str = "witness.c";
/// The file of the property that a witness is about.
const PROPERTY: &str = "witness.prp";

/// The judgement on a witness.
struct Judged {
    verdict: Verdict,
    /// The text in parentheses after the verdict.
    remark: String,
    /// For a person, before the answer.
    text: String,
    /// For a program.
    object: Value,
    /// The answer that is shown with it.
    shown: Option<Answer>,
}

/// The verdict on a witness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// Its claim is true.
    Confirmed,
    /// It is not.
    Rejected,
    /// It is not known.
    Unknown,
}

impl Verdict {
    fn name(self) -> &'static str {
        match self {
            Verdict::Confirmed => "confirmed",
            Verdict::Rejected => "rejected",
            Verdict::Unknown => "unknown",
        }
    }

    fn code(self) -> u8 {
        match self {
            Verdict::Confirmed => 0,
            Verdict::Rejected => 1,
            Verdict::Unknown => 3,
        }
    }
}

impl Judged {
    /// Nothing can be said, for a reason.
    fn unknown(remark: String) -> Judged {
        let (text, object) = (String::new(), serde_json::json!({}));
        Judged { verdict: Verdict::Unknown, remark, text, object, shown: None }
    }
}

/// Validates a witness, prints what is known, and returns the exit code.
pub(crate) fn run(arguments: &CheckArguments, path: &Path) -> Result<u8, String> {
    expect_no_more(arguments)?;
    let witness = Witness::read(path)?;
    let temporary = Folder::new()?;
    let folder = arguments.keep.clone().unwrap_or_else(|| temporary.path().to_path_buf());
    let mut arguments = arguments.clone();
    follow_task(&mut arguments, &witness.task, &folder)?;
    let task = Validation { arguments: &arguments, folder: &folder };
    expect_files(&task.job()?, &witness.task)?;
    let judged = match &witness.claim {
        Claim::Correct(invariants) => correctness::judge(&task, invariants)?,
        Claim::Violated(waypoints, target) => violation::judge(&task, waypoints, target)?,
    };
    print(&arguments, judged)
}

/// Refuses options that ask for something else.
fn expect_no_more(arguments: &CheckArguments) -> Result<(), String> {
    let chooses =
        arguments.search.given.iter().any(|given| ["--target", "--first"].contains(&given.name.as_str()));
    for (is_given, option) in [
        (arguments.sarif.is_some(), "sarif shows verdicts on programs"),
        (arguments.html.is_some(), "html shows verdicts on programs"),
        (arguments.no_check, "no-check skips the validation itself"),
        (chooses, "target and --first choose targets"),
    ] {
        if is_given {
            return Err(format!("--{option} cannot be combined with --witness"));
        }
    }
    Ok(())
}

/// Has the program checked for the property of the witness's task, and as wide as that says.
fn follow_task(arguments: &mut CheckArguments, task: &Task, folder: &Path) -> Result<(), String> {
    let specification = task.specification.as_str();
    let file = folder.join(PROPERTY);
    let property = Property::of_specification(specification, &file)
        .ok_or_else(|| format!("the witness has a property that Beeline does not check: {specification}"))?;
    for asked in &arguments.properties {
        let is_same = match asked {
            Property::Calls(path) => {
                std::fs::read_to_string(path).is_ok_and(|text| text.trim() == specification)
            }
            named => named.name() == property.name(),
        };
        if !is_same {
            return Err(format!("the witness is about {specification}, not about {}", asked.name()));
        }
    }
    write(folder, PROPERTY, specification)?;
    arguments.properties = vec![property];
    let entry = specification.split_once("init(").and_then(|(_, rest)| Some(rest.split_once('(')?.0.trim()));
    let entry = entry.ok_or_else(|| format!("the witness has no entry function: {specification}"))?;
    if arguments.function != "main" && arguments.function != entry {
        return Err(format!("the witness has the entry function {entry}"));
    }
    arguments.function = entry.into();
    if task.language != "C" {
        return Err(format!("the witness is about a program in {}; Beeline verifies C", task.language));
    }
    let flag = match task.data_model.as_str() {
        "ILP32" => "-m32",
        "LP64" => "-m64",
        other => return Err(format!("the witness has the unknown data model {other}")),
    };
    let job = Job::new(arguments)?;
    match job.flags.iter().rfind(|flag| ["-m32", "-m64"].contains(&flag.as_str())) {
        Some(given) if given != flag => {
            Err(format!("the witness has the data model {}, but {given} is given", task.data_model))
        }
        Some(_) => Ok(()),
        None => {
            arguments.flags.push(flag.into());
            Ok(())
        }
    }
}

/// Refuses a witness of another program.
fn expect_files(job: &Job, task: &Task) -> Result<(), String> {
    let mut left: Vec<&String> = task.input_files.iter().collect();
    for source in &job.sources {
        let Source::C(Word::Given(path), _) = source else {
            return Err("a witness needs C files, not bitcode".into());
        };
        let shown = path.display();
        let is_it = |name: &&String| Path::new(name.as_str()).file_name() == path.file_name();
        let Some(index) = left.iter().position(is_it) else {
            return Err(format!("the witness is about {}, not about {shown}", task.input_files.join(", ")));
        };
        let name = left.remove(index);
        let said = task.input_file_hashes.get(name);
        let said = said.ok_or_else(|| format!("the witness does not have the hash of {name}"))?;
        let bytes = std::fs::read(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
        if !said.eq_ignore_ascii_case(&hash(&bytes)) {
            return Err(format!("the witness is about another version of {shown}: the hash differs"));
        }
    }
    match left.first() {
        Some(name) => Err(format!("the witness is also about {name}, which is not given")),
        None => Ok(()),
    }
}

/// A witness's task, as it was asked for.
struct Validation<'a> {
    arguments: &'a CheckArguments,
    /// A folder for files of the witness.
    folder: &'a Path,
}

impl Validation<'_> {
    /// The check of the property.
    fn job(&self) -> Result<Job, String> {
        Job::new(self.arguments)
    }

    /// Does a job; what it leaves is kept in a folder of its own.
    fn answer(&self, job: Job, name: &str) -> Result<Answer, String> {
        let mut arguments = self.arguments.clone();
        arguments.keep = arguments.keep.map(|folder| folder.join(name));
        Ok(check::answer(&arguments, job, |_, _| Ok(()))?.0)
    }

    /// The job with checks in the copies of its files, which call a function with this definition.
    fn with_checks(&self, job: &mut Job, copies: &Copies, definition: &str) {
        let begin = "void beeline_condition(int place, int holds) __asm__(\"beeline.condition\");\n";
        job.copies = copies.texts();
        job.copies.push((FILE.into(), format!("{begin}{definition}").into_bytes()));
        job.sources.push(Source::C(Word::Made(FILE.into()), Vec::new()));
    }
}

/// Prints what is known of a witness, and returns the exit code.
fn print(arguments: &CheckArguments, judged: Judged) -> Result<u8, String> {
    let Judged { verdict, remark, text, mut object, shown } = judged;
    if arguments.json {
        object["verdict"] = verdict.name().into();
        object["reason"] = remark.into();
        object["answer"] = shown.as_ref().map(json::object).into();
        report::print(&format!("{object:#}\n"))?;
        return Ok(verdict.code());
    }
    report::print(&text)?;
    let line = format!("verdict: {} ({remark})", verdict.name());
    match &shown {
        Some(answer) => report::tell_with(answer, arguments.whole_path, &line)?,
        None => report::print(&format!("{line}\n"))?,
    }
    Ok(verdict.code())
}

/// Writes a file of the witness.
fn write(folder: &Path, name: &str, text: &str) -> Result<PathBuf, String> {
    let path = folder.join(name);
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, format!("{text}\n")));
    written.map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    Ok(path)
}

/// The assumption of an answer that lies in the evaluation of a check, which C may not define.
fn undefined_check(answer: &Answer) -> Option<String> {
    let (program, run) = answer.result.as_ref()?;
    let copies = answer.job.copies.iter().filter(|(name, _)| name.starts_with(COPY));
    let copies: Vec<_> = copies.map(|(_, text)| String::from_utf8_lossy(text)).collect();
    // Copies have the names of what they stand for, which is not compared: one check too many leaves the witness open.
    let is_checked = |span: Span| {
        let lines = copies.iter().filter_map(|text| text.lines().nth(span.line.checked_sub(1)? as usize));
        lines.into_iter().any(|line| is_in_check(line, span.col as usize))
    };
    let mut premises = run.premises(program).into_iter();
    premises.find(|premise| premise.span.is_some_and(is_checked)).map(|premise| premise.sentence)
}
