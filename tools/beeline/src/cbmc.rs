//! Runs proofs that were written for CBMC, one after the other, and prints a table.

mod hollow;

use crate::answer::{Answer, Word as Verdict};
use crate::arguments::{Action, Arguments, CbmcArguments, CheckArguments};
use crate::job::{AnyVariables, Job, Rewritten, Source};
use crate::property::Property;
use crate::report;
use crate::step::Word;
use crate::{WRONG, check};
use beeline_cbmc::dialect::{OF_CLANG, STATIC, definitions, mentions_of_statics};
use beeline_cbmc::kit::Kit;
use beeline_cbmc::options::Check;
use clap::Parser;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Flags that let clang take what goto-cc takes.
const LENIENT: [&str; 8] = [
    "-std=gnu11",
    "-w",
    "-Wno-implicit-function-declaration",
    "-Wno-implicit-int",
    "-Wno-int-conversion",
    "-Wno-incompatible-function-pointer-types",
    "-Wno-incompatible-pointer-types",
    "-Wno-return-type",
];

/// What became of a proof.
struct Row {
    name: String,
    /// What the proof asks to be checked and is not.
    unchecked: Vec<&'static str>,
    outcome: Result<Answer, String>,
    /// Why it proves little, if that is known.
    hollow: Option<String>,
    time: Duration,
}

/// Runs all proofs, and returns the exit code.
pub(crate) fn run(arguments: &CbmcArguments) -> Result<u8, String> {
    let mut rows = Vec::new();
    for folder in &arguments.folders {
        let start = Instant::now();
        let mut row = Row {
            name: folder.display().to_string(),
            unchecked: Vec::new(),
            outcome: Err(String::new()),
            hollow: None,
            time: Duration::ZERO,
        };
        match Kit::read(folder) {
            Ok(kit) => row.take(arguments, folder, &kit),
            Err(error) => row.outcome = Err(error.to_string()),
        }
        row.time = start.elapsed();
        if !arguments.json {
            tell(&row, arguments)?;
        }
        rows.push(row);
    }
    let count = |wanted: Option<Verdict>| rows.iter().filter(|row| row.verdict() == wanted).count();
    let [safe, refuted, unknown] =
        [Verdict::Safe, Verdict::Unsafe, Verdict::Unknown].map(|word| count(Some(word)));
    let broken = count(None);
    match arguments.json {
        true => report::print(&format!("{:#}\n", json!(rows.iter().map(Row::object).collect::<Vec<_>>())))?,
        false => report::print(&format!(
            "{} proofs: {safe} safe, {refuted} unsafe, {unknown} unknown, {broken} not started\n",
            rows.len()
        ))?,
    }
    Ok(match (broken, refuted, unknown) {
        (_, 1.., _) => Verdict::Unsafe.code(),
        (1.., ..) => WRONG,
        (_, _, 1..) => Verdict::Unknown.code(),
        _ => Verdict::Safe.code(),
    })
}

/// Checks one proof, and takes the bitcode of the whole program.
fn answer(arguments: &CbmcArguments, folder: &Path, kit: &Kit) -> Result<(Answer, Vec<u8>), String> {
    let mut words: Vec<OsString> = vec!["--function".into(), kit.entry.clone().into()];
    words.extend(["--time-limit".into(), arguments.time_limit.to_string().into()]);
    words.extend(kit.options.malloc_may_fail.then(|| "--malloc-may-fail".into()));
    if let Some(keep) = &arguments.keep {
        words.extend(["--keep".into(), keep.join(&kit.name).into()]);
    }
    words.extend(kit.project.iter().chain(&kit.proof).map(OsString::from));
    let parsed = parsed(words)?;
    let job = job(&parsed, folder, kit, arguments.ignore_contracts)?;
    let bitcode = match &job.sources[..] {
        [Source::Dialect(only)] => format!("{}.0.bc", only.file.stem()),
        _ => format!("{}.bc", job.name),
    };
    check::answer(&parsed, job, |folder, _| {
        std::fs::read(folder.join(&bitcode)).map_err(|error| format!("cannot read {bitcode}: {error}"))
    })
}

/// The arguments of a check.
fn parsed(words: Vec<OsString>) -> Result<CheckArguments, String> {
    let words = ["beeline", "check"].map(OsString::from).into_iter().chain(words);
    match Arguments::try_parse_from(words).map_err(|error| error.to_string())?.action {
        Action::Check(arguments) => Ok(*arguments),
        _ => Err("a proof is a check".into()),
    }
}

/// The job that a proof is.
fn job(arguments: &CheckArguments, folder: &Path, kit: &Kit, ignores_contracts: bool) -> Result<Job, String> {
    let mut job = Job::new(arguments)?;
    job.name = crate::job::file_name(folder);
    job.properties = properties(kit);
    job.flags = LENIENT.iter().map(|flag| flag.to_string()).chain(kit.flags.iter().cloned()).collect();
    job.needs_prelude = true;
    job.any_variables = Some(any_variables(kit));
    let (mut exports, mut own) = (BTreeSet::new(), BTreeSet::new());
    for file in kit.project.iter().chain(&kit.proof) {
        let bytes =
            std::fs::read(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        let text = String::from_utf8_lossy(&bytes);
        exports.extend(mentions_of_statics(&text));
        own.extend(definitions(&text));
    }
    own.retain(|name| OF_CLANG.contains(&name.as_str()));
    let named = kit.removed.iter().chain(&kit.checked).chain(&kit.replaced);
    exports.extend(named.filter(|name| name.starts_with(STATIC)).cloned());
    let option = |name: &str, values: &mut dyn Iterator<Item = &String>| -> Vec<String> {
        values.flat_map(|value| [name.to_string(), value.clone()]).collect()
    };
    let replaced = if ignores_contracts { &[][..] } else { &kit.replaced };
    let contracts =
        [option("--check", &mut kit.checked.iter()), option("--use", &mut replaced.iter())].concat();
    let with_others = !contracts.is_empty();
    let invariants = kit.invariants && !ignores_contracts;
    let invariants = Vec::from_iter(invariants.then(|| "--invariants".to_string()));
    let exports = option("--export", &mut exports.iter());
    let names = [exports, option("--own", &mut own.iter()), contracts, invariants].concat();
    let removals = [option("--remove", &mut kit.removed.iter()), names.clone()].concat();
    let sources = |files: &[PathBuf], rewriting: &[String]| -> Vec<Source> {
        let rewritten = |file: &PathBuf| {
            let (file, rewriting) = (Word::Given(file.clone()), rewriting.to_vec());
            Source::Dialect(Rewritten { file, rewriting, with_others })
        };
        files.iter().map(rewritten).collect()
    };
    // Where a function is defined twice, goto-cc takes the first, and the proof's files come first.
    job.sources = [sources(&kit.proof, &names), sources(&kit.project, &removals)].concat();
    Ok(job)
}

/// Which variables hold anything.
fn any_variables(kit: &Kit) -> AnyVariables {
    if kit.any_statics { AnyVariables::Statics } else { AnyVariables::Locals }
}

/// What must never happen, as the proof asks.
fn properties(kit: &Kit) -> Vec<Property> {
    let asks = |check| kit.options.checks.contains(&check);
    let mut properties = vec![Property::UnreachCall];
    if asks(Check::Bounds) || asks(Check::Pointer) {
        properties.extend(["valid-deref", "valid-free"].map(Property::Memory));
    }
    if asks(Check::MemoryLeak) {
        properties.push(Property::Memory("memory-cleanup"));
    }
    let kinds: Vec<&str> = [
        (Check::SignedOverflow, "signed-integer-overflow"),
        (Check::UnsignedOverflow, "unsigned-integer-overflow"),
        (Check::Division, "integer-divide-by-zero"),
        (Check::Shift, "shift"),
    ]
    .into_iter()
    .filter_map(|(check, kind)| asks(check).then_some(kind))
    .collect();
    if !kinds.is_empty() {
        properties.push(Property::Checks(kinds.join(",")));
    }
    properties
}

/// The checks that the proof asks for and that are not made.
fn unchecked(kit: &Kit) -> Vec<&'static str> {
    let unmade =
        [Check::Conversion, Check::FloatOverflow, Check::Nan, Check::PointerOverflow, Check::EnumRange];
    let checks = unmade.into_iter().filter(|check| kit.options.checks.contains(check)).map(Check::name);
    let loops = kit.invariants.then_some("what loops assign and decrease");
    let harness = (!kit.checked.is_empty()).then_some("whether memory of the harness itself is assigned");
    checks.chain(loops).chain(harness).collect()
}

impl Row {
    /// Runs a proof.
    fn take(&mut self, arguments: &CbmcArguments, folder: &Path, kit: &Kit) {
        self.name.clone_from(&kit.name);
        self.unchecked = unchecked(kit);
        self.outcome = match answer(arguments, folder, kit) {
            Ok((answer, bitcode)) => {
                if answer.word() == Verdict::Safe {
                    self.hollow = hollow::why(arguments, kit, &bitcode).unwrap_or_default();
                }
                Ok(answer)
            }
            Err(why) => Err(why),
        };
    }

    /// The verdict, if the proof could be started.
    fn verdict(&self) -> Option<Verdict> {
        self.outcome.as_ref().ok().map(Answer::word)
    }

    /// What became of it, in a line.
    fn line(&self) -> String {
        match &self.outcome {
            Ok(answer) => format!("{} ({})", answer.word().name(), answer.remark()),
            Err(why) => format!("not started: {}", why.lines().next().unwrap_or_default()),
        }
    }

    fn object(&self) -> Value {
        let mut object = json!({
            "proof": self.name,
            "verdict": self.verdict().map(Verdict::name),
            "remark": self.line(),
            "seconds": self.time.as_secs_f64(),
            "unchecked": self.unchecked,
            "hollow": self.hollow,
        });
        if let Ok(answer) = &self.outcome {
            object["answer"] = crate::json::object(answer);
        }
        object
    }
}

/// Prints what became of a proof.
fn tell(row: &Row, arguments: &CbmcArguments) -> Result<(), String> {
    let mut text = format!("{:7.2} s  {}: {}\n", row.time.as_secs_f64(), row.name, row.line());
    if let Some(hollow) = &row.hollow {
        text.push_str(&format!("           {hollow}\n"));
    }
    if row.verdict() == Some(Verdict::Safe) && !row.unchecked.is_empty() {
        text.push_str(&format!("           asked for and not checked: {}\n", row.unchecked.join(", ")));
    }
    if let (true, Ok(answer)) = (arguments.cbmc_output, &row.outcome) {
        text.push_str(&properties_of(answer));
    }
    report::print(&text)
}

/// A line for each property, as CBMC prints it.
fn properties_of(answer: &Answer) -> String {
    let Some((program, _)) = &answer.result else { return String::new() };
    let mut text = String::new();
    for (number, target) in answer.targets().iter().enumerate() {
        let status = match target.word() {
            Verdict::Safe => "SUCCESS",
            Verdict::Unsafe => "FAILURE",
            Verdict::Unknown => "UNKNOWN",
        };
        let found = program.targets.iter().find(|other| other.loc == target.target);
        let name = found.map_or("", |found| found.name.as_str());
        text.push_str(&format!("[{}] {name}: {status}\n", number + 1));
    }
    text
}
