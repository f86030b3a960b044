//! Proof folders of the starter kit, as their Makefiles describe them.
//!
//! `make` itself expands the variables, so a Makefile may use all of its language. That builds nothing but
//! sources that the Makefile generates.

use crate::options::{Options, read_checks, read_compile};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use thiserror::Error;

/// The variables that describe a proof.
const VARIABLES: [&str; 18] = [
    "PROOF_UID",
    "HARNESS_ENTRY",
    "HARNESS_FILE",
    "PROJECT_SOURCES",
    "PROOF_SOURCES",
    "INCLUDES",
    "DEFINES",
    "COMPILE_FLAGS",
    "CHECKFLAGS",
    "CBMCFLAGS",
    "CBMC_FLAG_MALLOC_MAY_FAIL",
    "REMOVE_FUNCTION_BODY",
    "NONDET_STATIC",
    "REWRITTEN_SOURCES",
    "CHECK_FUNCTION_CONTRACTS",
    "CHECK_FUNCTION_CONTRACTS_REC",
    "USE_FUNCTION_CONTRACTS",
    "APPLY_LOOP_CONTRACTS",
];

/// Variables that are not supported unless they are empty.
const REFUSED: [&str; 1] = ["REWRITTEN_SOURCES"];

/// The option that gives variables with static lifetime arbitrary initial values.
pub const ANY_STATICS: &str = "--nondet-static";

/// A replacement for litani in the Makefile's rules: litani runs a job later, this runs it at once.
const LITANI: &str = "#!/bin/sh
out=/dev/null
while [ $# -gt 0 ]; do
  case $1 in
    --command) command=$2; shift ;;
    --stdout-file) out=$2; shift ;;
  esac
  shift
done
exec sh -c \"$command\" > \"$out\"
";

/// The start of lines with the answer.
const MARK: &str = "beeline:";

/// A proof, as its Makefile describes it.
#[derive(Debug, Clone)]
pub struct Kit {
    /// Its name.
    pub name: String,
    /// The entry function.
    pub entry: String,
    /// Files of the project, whose functions may lose their bodies.
    pub project: Vec<PathBuf>,
    /// Files of the proof.
    pub proof: Vec<PathBuf>,
    /// Flags for clang.
    pub flags: Vec<String>,
    /// Functions of the project whose bodies are removed.
    pub removed: Vec<String>,
    /// Functions whose contracts are checked.
    pub checked: Vec<String>,
    /// Functions whose contracts stand for them.
    pub replaced: Vec<String>,
    /// Whether invariants of loops are checked.
    pub invariants: bool,
    /// Whether variables with static lifetime have arbitrary initial values.
    pub any_statics: bool,
    /// Whether calls of functions without a body are errors.
    pub expects_bodies: bool,
    /// The checks.
    pub options: Options,
}

/// The reason why a proof folder cannot be read.
#[derive(Debug, Error)]
pub enum KitError {
    /// There is no Makefile.
    #[error("{0} has no Makefile")]
    NoMakefile(String),
    /// `make` failed.
    #[error("make cannot read the Makefile: {0}")]
    Make(String),
    /// A required variable is not set.
    #[error("the Makefile sets no {0}")]
    Missing(&'static str),
    /// A variable is not supported.
    #[error("{0} of the Makefile ({1}) is not supported")]
    Variable(&'static str, String),
    /// An option is not supported.
    #[error("the option {0} in {1} is not supported")]
    Option(String, &'static str),
    /// A file is missing.
    #[error("the source {0} is missing{1}")]
    Source(String, &'static str),
}

impl Kit {
    /// Reads a proof folder.
    pub fn read(folder: &Path) -> Result<Kit, KitError> {
        if !folder.join("Makefile").is_file() {
            return Err(KitError::NoMakefile(folder.display().to_string()));
        }
        let said = variables(folder)?;
        let words = |name: &str| -> Vec<String> {
            said.get(name).map_or(Vec::new(), |value| value.split_whitespace().map(String::from).collect())
        };
        let one = |name: &'static str| words(name).into_iter().next().ok_or(KitError::Missing(name));
        if let Some((name, value)) = refused(&said) {
            return Err(KitError::Variable(name, value.clone()));
        }
        let files = |name: &str| different_files(folder, words(name));
        let shell = |name: &'static str| {
            let text = said.get(name).map(String::as_str).unwrap_or_default();
            shlex::split(text).ok_or_else(|| KitError::Variable(name, text.into()))
        };
        let mut flags = shell("INCLUDES")?;
        flags.extend(shell("DEFINES")?);
        flags.extend(read_compile(&shell("COMPILE_FLAGS")?)?);
        let mut checks = shell("CHECKFLAGS")?;
        checks.extend(shell("CBMC_FLAG_MALLOC_MAY_FAIL")?);
        let entry = one("HARNESS_ENTRY")?;
        let name = one("PROOF_UID").unwrap_or_else(|_| {
            folder.file_name().map_or(entry.clone(), |name| name.to_string_lossy().into_owned())
        });
        let checked = [words("CHECK_FUNCTION_CONTRACTS"), words("CHECK_FUNCTION_CONTRACTS_REC")].concat();
        let replaced = words("USE_FUNCTION_CONTRACTS");
        let (said_of_all_runs, of_all_runs): (Vec<String>, Vec<String>) =
            shell("CBMCFLAGS")?.into_iter().partition(|flag| flag == ANY_STATICS);
        let any_statics = any_statics(&[shell("NONDET_STATIC")?, said_of_all_runs].concat())?;
        expect_plain_names(checked.iter().chain(&replaced))?;
        let kit = Kit {
            // A contract holds for all values of variables that the function finds.
            any_statics: any_statics || !checked.is_empty(),
            checked,
            replaced,
            // Some kits set it to 0.
            invariants: words("APPLY_LOOP_CONTRACTS").first().is_some_and(|word| word != "0"),
            name,
            entry,
            project: files("PROJECT_SOURCES"),
            proof: files("PROOF_SOURCES"),
            flags: within(folder, flags),
            removed: words("REMOVE_FUNCTION_BODY"),
            expects_bodies: false,
            options: read_checks(&checks, &of_all_runs)?,
        };
        make_sources(folder, kit.project.iter().chain(&kit.proof))?;
        kit.expect_sources()?;
        Ok(kit)
    }

    fn expect_sources(&self) -> Result<(), KitError> {
        let all = || self.project.iter().chain(&self.proof);
        if all().next().is_none() {
            return Err(KitError::Missing("PROOF_SOURCES"));
        }
        match all().find(|file| !file.is_file()) {
            Some(file) => {
                let has_folder = file.parent().is_some_and(Path::is_dir);
                let why = if has_folder {
                    ""
                } else {
                    ", with its folder: is it in a git submodule that is absent?"
                };
                Err(KitError::Source(file.display().to_string(), why))
            }
            None => Ok(()),
        }
    }
}

/// Refuses a function with a contract of another name.
fn expect_plain_names<'n>(mut names: impl Iterator<Item = &'n String>) -> Result<(), KitError> {
    match names.find(|name| name.contains('/')) {
        Some(pair) => Err(KitError::Variable("a list of contracts", pair.clone())),
        None => Ok(()),
    }
}

/// Whether variables with static lifetime have arbitrary initial values.
fn any_statics(words: &[String]) -> Result<bool, KitError> {
    match words.iter().all(|word| word == ANY_STATICS) {
        true => Ok(!words.is_empty()),
        false => Err(KitError::Variable("NONDET_STATIC", words.join(" "))),
    }
}

/// Flags with folders relative to another folder.
fn within(folder: &Path, flags: Vec<String>) -> Vec<String> {
    let include = |flag: String| match flag.strip_prefix("-I").filter(|path| !path.is_empty()) {
        Some(path) => format!("-I{}", folder.join(path).display()),
        None => flag,
    };
    flags.into_iter().map(include).collect()
}

/// Makes missing sources that the Makefile has rules for, in its own folder.
fn make_sources<'f>(folder: &Path, files: impl Iterator<Item = &'f PathBuf>) -> Result<(), KitError> {
    let missing: Vec<&PathBuf> = files.filter(|file| !file.exists()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let failed = |error: std::io::Error| KitError::Make(error.to_string());
    // Several proofs may be read at a time.
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let script = std::env::temp_dir().join(format!("beeline-litani-{}-{number}", std::process::id()));
    std::fs::write(&script, LITANI).map_err(failed)?;
    for file in missing {
        // The rule's target is the file as the Makefile names it: within the folder, or with the whole path.
        for target in [file.strip_prefix(folder).unwrap_or(file), file] {
            if !file.exists() {
                let mut make = make(folder);
                make.arg(target).arg(format!("LITANI=sh {}", script.display()));
                // A source that cannot be made is missing, which is reported later.
                make.stdin(Stdio::null()).output().map_err(failed)?;
            }
        }
    }
    std::fs::remove_file(&script).map_err(failed)
}

/// `make` in a folder.
fn make(folder: &Path) -> Command {
    let mut make = Command::new("make");
    make.args(["--no-print-directory", "-s"]).current_dir(folder);
    make.env_remove("MAKEFLAGS").env_remove("MAKELEVEL").env("LC_ALL", "C");
    make
}

/// The first variable that is set and not supported, with its value.
fn refused(said: &BTreeMap<String, String>) -> Option<(&'static str, &String)> {
    let set = |name| Some((name, said.get(name).filter(|value| !value.is_empty())?));
    REFUSED.into_iter().find_map(set)
}

/// Files in a folder, each once.
fn different_files(folder: &Path, names: Vec<String>) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = Vec::new();
    for file in names.into_iter().map(|name| folder.join(name)) {
        if !files.contains(&file) {
            files.push(file);
        }
    }
    files
}

/// The values of the variables, as `make` expands them.
fn variables(folder: &Path) -> Result<BTreeMap<String, String>, KitError> {
    let lines: String =
        VARIABLES.iter().map(|name| format!("$(info {MARK}{name}=$(strip $({name})))\n")).collect();
    let text = format!("include Makefile\n{lines}.PHONY: beeline-nothing\nbeeline-nothing: ; @:\n");
    let failed = |error: std::io::Error| KitError::Make(error.to_string());
    let mut make = make(folder);
    make.args(["-f", "-", "beeline-nothing"]);
    make.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = make.spawn().map_err(failed)?;
    if let Some(mut input) = child.stdin.take() {
        std::io::Write::write_all(&mut input, text.as_bytes()).map_err(failed)?;
    }
    let output = child.wait_with_output().map_err(failed)?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(KitError::Make(said.lines().last().unwrap_or_default().trim().into()));
    }
    let said = String::from_utf8_lossy(&output.stdout);
    let pairs = said.lines().filter_map(|line| line.strip_prefix(MARK)?.split_once('='));
    Ok(pairs.map(|(name, value)| (name.to_string(), value.trim().to_string())).collect())
}
