//! The job of a proof: the requests of its Makefile as options of clang, of the lowering and of the tools
//! before it.

use crate::arguments::{Action, Arguments, CbmcArguments, CheckArguments};
use crate::job::{AnyVariables, Job, Rewritten, Source};
use crate::property::Property;
use crate::step::Word;
use crate::{pipeline, tools};
use beeline_cbmc::dialect::{OF_CLANG, STATIC, definitions, mentions_of_statics};
use beeline_cbmc::kit::Kit;
use beeline_cbmc::options::Check;
use beeline_cli::temporary::Folder;
use beeline_options::GivenOption;
use clap::Parser;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Flags that let clang accept what goto-cc accepts.
const LENIENT: [&str; 7] = [
    "-std=gnu11",
    "-w",
    "-Wno-implicit-function-declaration",
    "-Wno-implicit-int",
    "-Wno-int-conversion",
    "-Wno-incompatible-function-pointer-types",
    "-Wno-return-type",
];

/// What CBMC takes functions without a body for.
const INERT: [&str; 2] = ["--externals", "inert"];

/// The check that a proof is. Its page has a name that no other proof has.
pub(super) fn job(
    arguments: &CbmcArguments,
    folder: &Path,
    kit: &Kit,
    page: &str,
) -> Result<(CheckArguments, Job), String> {
    let mut words: Vec<OsString> = vec!["--function".into(), kit.entry.clone().into()];
    words.extend(["--time-limit".into(), arguments.time_limit.to_string().into()]);
    words.extend(INERT.map(OsString::from));
    words.extend(kit.options.malloc_may_fail.then(|| "--malloc-may-fail".into()));
    if let Some(keep) = &arguments.keep {
        words.extend(["--keep".into(), keep.join(page).into()]);
    }
    words.extend(kit.project.iter().chain(&kit.proof).map(OsString::from));
    let parsed = parsed(words)?;
    let job = checked(&parsed, folder, kit, arguments.ignore_contracts)?;
    Ok((parsed, job))
}

/// The name of the bitcode of the whole program, before variables are havocked.
pub(super) fn bitcode(job: &Job) -> String {
    match &job.sources[..] {
        [Source::Dialect(only)] => format!("{}.0.bc", only.file.stem()),
        _ => format!("{}.bc", job.name),
    }
}

/// The places that executions of a proof are searched for.
pub(super) enum Places<'p> {
    /// Each line.
    Lines,
    /// Each line of a function.
    LinesOf(&'p str),
    /// A line of a file, without native confirmation.
    Line(&'p Path, usize),
}

/// The job that asks which places executions of a proof reach; the folder has its bitcode.
pub(super) fn marked(
    kit: &Kit,
    bitcode: &[u8],
    limit: Duration,
    places: &Places<'_>,
) -> Result<(CheckArguments, Job, Folder), String> {
    let folder = Folder::new()?;
    let file = folder.path().join("proof.bc");
    std::fs::write(&file, bitcode).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    let mut words: Vec<OsString> = vec!["--function".into(), kit.entry.clone().into()];
    words.extend(["--time-limit".into(), format!("{}ms", limit.as_millis()).into()]);
    words.extend(INERT.map(OsString::from));
    words.extend(kit.options.malloc_may_fail.then(|| "--malloc-may-fail".into()));
    match places {
        Places::Lines => {}
        Places::LinesOf(name) => words.extend(["--target".into(), name.into()]),
        Places::Line(..) => words.push("--no-check".into()),
    }
    words.push(file.into());
    let arguments = parsed(words)?;
    let mut job = Job::new(&arguments)?;
    job.properties = vec![Property::Marks];
    job.any_variables = Some(any_variables(kit));
    job.marks = match places {
        Places::Lines | Places::LinesOf(_) => vec!["--of".into(), "lines".into()],
        Places::Line(file, line) => vec!["--to".into(), format!("{}:{line}", file.display())],
    };
    job.search.push(GivenOption { name: "--every".into(), value: None, is_path: false });
    Ok((arguments, job, folder))
}

/// A preprocessed file, or the error of the preprocessor.
pub(super) fn preprocessed(kit: &Kit, file: &Path) -> Result<Vec<u8>, String> {
    let clang = tools::clang()?;
    let mut command = Command::new(&clang);
    command.args(pipeline::PREPROCESS).args(LENIENT).args(&kit.flags).arg(file).stdin(Stdio::null());
    let output = command.output().map_err(|error| format!("cannot run {}: {error}", clang.display()))?;
    Ok([output.stdout, output.stderr].concat())
}

/// The arguments of a check.
fn parsed(words: Vec<OsString>) -> Result<CheckArguments, String> {
    let words = ["beeline", "check"].map(OsString::from).into_iter().chain(words);
    match Arguments::try_parse_from(words).map_err(|error| error.to_string())?.action {
        Action::Check(arguments) => Ok(*arguments),
        _ => Err("a proof is a check".into()),
    }
}

fn checked(
    arguments: &CheckArguments,
    folder: &Path,
    kit: &Kit,
    ignores_contracts: bool,
) -> Result<Job, String> {
    let mut job = Job::new(arguments)?;
    job.name = crate::job::file_name(folder);
    job.properties = properties(kit);
    job.flags = LENIENT.iter().map(|flag| flag.to_string()).chain(kit.flags.iter().cloned()).collect();
    // Goto-cc computes each operation by itself.
    job.flags.push("-ffp-contract=off".into());
    if kit.options.checks.contains(&Check::PointerPrimitive) {
        job.flags.push("-DBEELINE_PRIMITIVES".into());
    }
    job.needs_prelude = true;
    job.any_variables = Some(any_variables(kit));
    job.asserted = asserted(kit);
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
    let conversions = kit.options.checks.contains(&Check::Conversion);
    let conversions = Vec::from_iter(conversions.then(|| "--conversions".to_string()));
    let exports = option("--export", &mut exports.iter());
    let names = [exports, option("--own", &mut own.iter()), contracts, invariants, conversions].concat();
    let removals = [option("--remove", &mut kit.removed.iter()), names.clone()].concat();
    let sources = |files: &[PathBuf], rewriting: &[String]| -> Vec<Source> {
        let rewritten = |file: &PathBuf| {
            let (file, rewriting) = (Word::Given(file.clone()), rewriting.to_vec());
            Source::Dialect(Rewritten { file, rewriting, with_others })
        };
        files.iter().map(rewritten).collect()
    };
    // If a function is defined twice, goto-cc takes the first definition, and the proof's files come first.
    job.sources = [sources(&kit.proof, &names), sources(&kit.project, &removals)].concat();
    Ok(job)
}

/// The variables with arbitrary values.
fn any_variables(kit: &Kit) -> AnyVariables {
    if kit.any_statics { AnyVariables::Statics } else { AnyVariables::Locals }
}

/// The properties that the proof asks for.
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
        (Check::Bounds, "array-bounds"),
        (Check::SignedOverflow, "signed-integer-overflow"),
        (Check::UnsignedOverflow, "unsigned-integer-overflow"),
        (Check::Division, "integer-divide-by-zero"),
        (Check::Shift, "shift"),
        (Check::Conversion, "implicit-conversion,float-cast-overflow"),
    ]
    .into_iter()
    .filter_map(|(check, kind)| asks(check).then_some(kind))
    .collect();
    if !kinds.is_empty() {
        properties.push(Property::Checks(kinds.join(",")));
    }
    properties
}

/// The assertions about all operations that the proof asks for, as beeline-mark names them.
fn asserted(kit: &Kit) -> Vec<&'static str> {
    let kinds = [Check::FloatOverflow, Check::Nan, Check::PointerOverflow];
    kinds.into_iter().filter(|check| kit.options.checks.contains(check)).map(Check::name).collect()
}

/// What of the contracts of loops is not checked.
const LEFT_OUT: &str = "what loops assign and decrease, invariants of `do` loops, with `__CPROVER_loop_entry`, or of a loop whose body is another statement without braces";

/// The checks that the proof asks for and that are not supported.
pub(super) fn unchecked(kit: &Kit) -> Vec<String> {
    let asks = |check: &Check| kit.options.checks.contains(check);
    let checks = Some(Check::EnumRange).filter(asks).map(Check::name).into_iter();
    let loops = kit.invariants.then_some(LEFT_OUT);
    let harness = (!kit.checked.is_empty()).then_some("whether memory of the harness itself is assigned");
    let bodies = kit.expects_bodies.then_some("that no function without a body is called");
    checks.chain(loops).chain(harness).chain(bodies).map(String::from).collect()
}
