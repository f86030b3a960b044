//! Programs that stand for goto-cc, goto-instrument and cbmc in a project's own build.
//!
//! The first two write a list of files with the requested transformations, as JSON; the last one reads it and
//! runs the proof. An unsupported option is refused by name.

use super::row::{Row, property, status};
use crate::answer::Word;
use crate::arguments::CbmcArguments;
use crate::report;
use beeline_cbmc::kit::{ANY_STATICS, Kit, KitError};
use beeline_cbmc::options::{Options, read_checks, read_compile};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The programs, and the words by which they call this one.
const TOOLS: [(&str, &str, Tool); 3] = [
    ("goto-cc", "--as-goto-cc", Tool::Compile),
    ("goto-instrument", "--as-goto-instrument", Tool::Instrument),
    ("cbmc", "--as-cbmc", Tool::Check),
];

/// The environment variable with the time limit of a proof.
const LIMIT: &str = "BEELINE_TIME_LIMIT";
/// The default time limit.
const LONG: &str = "10m";

/// The exit codes of CBMC for proved, refuted, open and broken proofs.
const CODES: [u8; 4] = [0, 10, 5, 6];

/// Options of goto-instrument without a meaning here, and such with a value.
const PASSED_OVER: [&str; 8] = [
    "--add-library",
    "--slice-global-inits",
    "--drop-unused-functions",
    "--remove-function-pointers",
    // What is too large is null where allocations may fail, and not asked for where they may not.
    "--malloc-fail-null",
    "--unwinding-assertions",
    "--no-unwinding-assertions",
    "--partial-loops",
];
const PASSED_OVER_BY_VALUE: [&str; 7] = [
    "--native-compiler",
    "--verbosity",
    "--unwind",
    "--unwindset",
    "--object-bits",
    "--restrict-function-pointer",
    "--max-nondet-string-length",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tool {
    Compile,
    Instrument,
    Check,
}

/// A goto program: its files and the transformations so far.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Recipe {
    /// The files, in the order in which their functions count.
    files: Vec<Unit>,
    entry: Option<String>,
    checked: BTreeSet<String>,
    replaced: BTreeSet<String>,
    invariants: bool,
    any_statics: bool,
    /// Whether calls of functions without a body are errors.
    #[serde(default)]
    expects_bodies: bool,
    /// Whether allocations may fail, if a transformation determined that.
    malloc_may_fail: Option<bool>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Unit {
    file: PathBuf,
    /// Flags for clang.
    flags: Vec<String>,
    /// Functions whose bodies are removed.
    removed: BTreeSet<String>,
}

/// Writes the programs into a folder for PATH.
pub(crate) fn write(folder: &Path) -> Result<(), String> {
    let own = std::env::current_exe().map_err(|error| format!("this program is not found: {error}"))?;
    std::fs::create_dir_all(folder)
        .map_err(|error| format!("cannot make the folder {}: {error}", folder.display()))?;
    for (name, word, _) in TOOLS {
        let own = crate::step::quoted(&[own.display().to_string()]);
        let path = folder.join(name);
        let written = std::fs::write(&path, format!("#!/bin/sh\nexec {own} {word} \"$@\"\n"))
            .and_then(|()| std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)));
        written.map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(())
}

/// Runs such a program, if the first word is its word.
pub(crate) fn run(words: &[OsString]) -> Option<Result<u8, String>> {
    let (name, _, tool) =
        TOOLS.iter().find(|(_, word, _)| words.first().is_some_and(|first| first == word))?;
    let words: Vec<String> = words[1..].iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let done = match tool {
        Tool::Compile => compile(&words).map(|()| 0),
        Tool::Instrument => instrument(&words).map(|()| 0),
        Tool::Check => check(&words),
    };
    Some(done.map_err(|why| format!("in the place of {name}: {why}")))
}

/// Compiles files and links programs.
fn compile(words: &[String]) -> Result<(), String> {
    let (mut recipe, mut sources) = (Recipe::default(), Vec::new());
    let (mut output, mut flags) = (None, Vec::new());
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let mut value = || rest.next().cloned().ok_or_else(|| format!("{word} has no value"));
        match word.as_str() {
            "-o" => output = Some(value()?),
            "--function" => recipe.entry = Some(value()?),
            "-D" | "-U" | "-I" => flags.push(format!("{word}{}", value()?)),
            "-include" | "-isystem" | "-iquote" => flags.extend([word.clone(), value()?]),
            "-c" | "--export-file-local-symbols" => {}
            _ if PASSED_OVER_BY_VALUE.contains(&word.as_str()) => drop(value()?),
            _ if word.starts_with('-') => flags.push(word.clone()),
            _ if word.ends_with(".c") || word.ends_with(".i") => {
                sources.push(recipe.files.len());
                recipe.files.push(Unit {
                    file: absolute(word)?,
                    flags: Vec::new(),
                    removed: BTreeSet::new(),
                });
            }
            _ => recipe.add(Recipe::read(word)?),
        }
    }
    let flags = read_compile(&flags).map_err(sentence)?;
    let flags = flags.into_iter().map(with_place).collect::<Result<Vec<_>, _>>()?;
    sources.into_iter().for_each(|at| recipe.files[at].flags.clone_from(&flags));
    if recipe.files.is_empty() {
        return Err("there are no files".into());
    }
    recipe.expect_same_flags()?;
    recipe.write(&output.unwrap_or_else(|| "a.out".into()))
}

/// Adds transformations to a program.
fn instrument(words: &[String]) -> Result<(), String> {
    let (mut files, mut removed) = (Vec::new(), BTreeSet::new());
    let mut said = Recipe::default();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let mut value = || rest.next().cloned().ok_or_else(|| format!("{word} has no value"));
        match word.as_str() {
            "--remove-function-body" => drop(removed.insert(value()?)),
            ANY_STATICS => said.any_statics = true,
            "--enforce-contract" | "--enforce-contract-rec" => drop(said.checked.insert(value()?)),
            "--replace-call-with-contract" => drop(said.replaced.insert(value()?)),
            "--apply-loop-contracts" => said.invariants = true,
            "--malloc-may-fail" => said.malloc_may_fail = Some(true),
            "--no-malloc-may-fail" => said.malloc_may_fail = Some(false),
            // The harness, which is given at linking.
            "--dfcc" => drop(value()?),
            // The names of these functions: only those without a body are meant.
            "--generate-function-body" => drop(value()?),
            "--generate-function-body-options" => match value()?.as_str() {
                "nondet-return" => {}
                "assert-false" | "assert-false-assume-false" => said.expects_bodies = true,
                other => return Err(format!("{word} {other} is not supported")),
            },
            _ if PASSED_OVER.contains(&word.as_str()) => {}
            _ if PASSED_OVER_BY_VALUE.contains(&word.as_str()) => drop(value()?),
            _ if word.starts_with('-') => return Err(format!("the option {word} is not supported")),
            _ => files.push(word.clone()),
        }
    }
    let [input, output] = &files[..] else { return Err("there are a program and one to be made".into()) };
    let mut recipe = Recipe::read(input)?;
    recipe.files.iter_mut().for_each(|unit| unit.removed.extend(removed.iter().cloned()));
    recipe.checked.extend(said.checked);
    recipe.replaced.extend(said.replaced);
    recipe.invariants |= said.invariants;
    recipe.any_statics |= said.any_statics;
    recipe.expects_bodies |= said.expects_bodies;
    recipe.malloc_may_fail = said.malloc_may_fail.or(recipe.malloc_may_fail);
    recipe.write(output)
}

/// Runs a proof, and prints the outcome as CBMC does.
fn check(words: &[String]) -> Result<u8, String> {
    let (mut flags, mut file, mut entry) = (Vec::new(), None, None);
    let (mut xml, mut any_statics) = (false, false);
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        match word.as_str() {
            "--version" => {
                report::print(&format!("beeline {}\n", env!("CARGO_PKG_VERSION")))?;
                return Ok(0);
            }
            "--xml-ui" => xml = true,
            ANY_STATICS => any_statics = true,
            "--function" => entry = rest.next().cloned(),
            "--show-properties" | "--cover" | "--json-ui" => {
                return Err(format!(
                    "the option {word} is not supported; `beeline cbmc` has --coverage and --json"
                ));
            }
            _ if PASSED_OVER_BY_VALUE.contains(&word.as_str()) => drop(rest.next()),
            _ if word.starts_with('-') => flags.push(word.clone()),
            _ => file = Some(word.clone()),
        }
    }
    let file = file.ok_or("there is no program")?;
    let mut options = read_checks(&flags, &[]).map_err(sentence)?;
    let mut recipe = Recipe::read(&file)?;
    if !flags.iter().any(|flag| flag == "--malloc-may-fail") {
        options.malloc_may_fail = recipe.malloc_may_fail.unwrap_or(options.malloc_may_fail);
    }
    recipe.entry = entry.or(recipe.entry);
    recipe.any_statics |= any_statics;
    let kit = recipe.kit(&file, options)?;
    let mut row = Row::new(kit.name.clone(), kit.name.clone());
    let start = Instant::now();
    row.run(&arguments()?, Path::new(&file), &kit);
    row.seconds = start.elapsed().as_secs_f64();
    report::print(&if xml { as_xml(&row) } else { as_text(&row) })?;
    let words = [Some(Word::Safe), Some(Word::Unsafe), Some(Word::Unknown), None];
    Ok(words.iter().position(|word| row.is(*word)).map_or(CODES[3], |place| CODES[place]))
}

/// The options for running proofs.
fn arguments() -> Result<CbmcArguments, String> {
    let limit = std::env::var(LIMIT).unwrap_or_else(|_| LONG.into());
    Ok(CbmcArguments {
        folders: Vec::new(),
        time_limit: limit.parse().map_err(|error| format!("{LIMIT}: {error}"))?,
        jobs: NonZeroUsize::MIN,
        ignore_contracts: false,
        cbmc_output: true,
        coverage: false,
        json: false,
        html: None,
        resume: None,
        keep: None,
        stand_ins: None,
    })
}

impl Recipe {
    fn read(file: &str) -> Result<Recipe, String> {
        let text = std::fs::read(file).map_err(|error| format!("cannot read {file}: {error}"))?;
        serde_json::from_slice(&text).map_err(|_| format!("{file} was not made by Beeline's goto-cc"))
    }

    fn write(&self, file: &str) -> Result<(), String> {
        let text = serde_json::to_string_pretty(self).map_err(|error| error.to_string())?;
        std::fs::write(file, text).map_err(|error| format!("cannot write {file}: {error}"))
    }

    /// Adds the parts of another program.
    fn add(&mut self, other: Recipe) {
        self.files.extend(other.files);
        self.checked.extend(other.checked);
        self.replaced.extend(other.replaced);
        self.entry = self.entry.take().or(other.entry);
        self.invariants |= other.invariants;
        self.any_statics |= other.any_statics;
        self.expects_bodies |= other.expects_bodies;
        // If it may fail in one part, it may in all.
        self.malloc_may_fail = self.malloc_may_fail.max(other.malloc_may_fail);
    }

    /// Refuses files that are compiled with different flags.
    fn expect_same_flags(&self) -> Result<(), String> {
        let [first, others @ ..] = &self.files[..] else { return Ok(()) };
        let Some(other) = others.iter().find(|unit| unit.flags != first.flags) else { return Ok(()) };
        let shown = |unit: &Unit| match unit.flags.is_empty() {
            true => format!("{} without flags", unit.file.display()),
            false => format!("{} with {}", unit.file.display(), crate::step::quoted(&unit.flags)),
        };
        Err(format!(
            "files with different flags in one program are not supported: {}, {}",
            shown(first),
            shown(other)
        ))
    }

    /// The proof that the program is.
    fn kit(self, file: &str, options: Options) -> Result<Kit, String> {
        let flags = self.files.first().map(|unit| unit.flags.clone()).unwrap_or_default();
        let (project, proof): (Vec<Unit>, Vec<Unit>) =
            self.files.into_iter().partition(|unit| !unit.removed.is_empty());
        let removed = project.first().map(|unit| unit.removed.clone()).unwrap_or_default();
        if let Some(other) = project.iter().find(|unit| unit.removed != removed) {
            return Err(format!(
                "{} loses other bodies than the other files, which is not supported",
                other.file.display()
            ));
        }
        let files = |units: Vec<Unit>| units.into_iter().map(|unit| unit.file).collect();
        Ok(Kit {
            name: crate::job::file_name(Path::new(file)),
            entry: self.entry.unwrap_or_else(|| "main".into()),
            project: files(project),
            proof: files(proof),
            flags,
            removed: removed.into_iter().collect(),
            any_statics: self.any_statics || !self.checked.is_empty(),
            checked: self.checked.into_iter().collect(),
            replaced: self.replaced.into_iter().collect(),
            invariants: self.invariants,
            expects_bodies: self.expects_bodies,
            options,
        })
    }
}

/// The error as a sentence, without a Makefile.
fn sentence(error: KitError) -> String {
    match error {
        KitError::Option(option, _) => format!("the option {option} is not supported"),
        other => other.to_string(),
    }
}

fn absolute(file: &str) -> Result<PathBuf, String> {
    std::path::absolute(file).map_err(|error| format!("cannot tell where {file} is: {error}"))
}

/// A flag with an absolute folder.
fn with_place(flag: String) -> Result<String, String> {
    match flag.strip_prefix("-I").filter(|path| !path.is_empty()) {
        Some(path) => Ok(format!("-I{}", absolute(path)?.display())),
        None => Ok(flag),
    }
}

/// The outcome of a proof in CBMC's text format.
fn as_text(row: &Row) -> String {
    let remarks = row.text(false);
    let (failed, all) = row.failures();
    let word = match row.verdict.as_deref() {
        Some("safe") => "SUCCESSFUL",
        Some("unsafe") => "FAILED",
        Some(_) => "INCONCLUSIVE",
        None => "ERROR",
    };
    format!(
        "{remarks}\n** Results:\n{}\n** {failed} of {all} failed\nVERIFICATION {word}\n",
        row.properties()
    )
}

/// The outcome of a proof in CBMC's XML format.
fn as_xml(row: &Row) -> String {
    let escaped = crate::html::escaped;
    let targets = row.answer.as_ref().and_then(|answer| answer["targets"].as_array());
    let result = |target: &serde_json::Value| {
        format!(
            "  <result property=\"{}\" status=\"{}\"/>\n",
            escaped(&property(target)),
            status(target["verdict"].as_str())
        )
    };
    let results: String = targets.into_iter().flatten().map(result).collect();
    let remark =
        format!("  <message type=\"STATUS-MESSAGE\"><text>{}</text></message>\n", escaped(&row.remark));
    let word = match row.verdict.as_deref() {
        Some("safe") => "SUCCESS",
        Some("unsafe") => "FAILURE",
        _ => "UNKNOWN",
    };
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cprover>\n  <program>Beeline {}</program>\n{remark}{results}  \
         <cprover-status>{word}</cprover-status>\n</cprover>\n",
        env!("CARGO_PKG_VERSION")
    )
}
