//! Proof folders of the starter kit: what their Makefiles say.
//!
//! `make` itself expands the variables, so that a Makefile may be written as its author likes. Nothing is built by that.

use crate::options::{Options, read_checks, read_compile};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use thiserror::Error;

/// Variables that say what a proof is.
const VARIABLES: [&str; 16] = [
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
    "USE_FUNCTION_CONTRACTS",
];

/// Variables that ask for what is not understood, if they are not empty.
const REFUSED: [&str; 4] =
    ["NONDET_STATIC", "REWRITTEN_SOURCES", "CHECK_FUNCTION_CONTRACTS", "USE_FUNCTION_CONTRACTS"];

/// Starts lines of the answer.
const MARK: &str = "beeline:";

/// A proof, as its Makefile says it.
#[derive(Debug, Clone)]
pub struct Kit {
    /// Its name.
    pub name: String,
    /// The function where it starts.
    pub entry: String,
    /// Files of the project, whose functions may lose their bodies.
    pub project: Vec<PathBuf>,
    /// Files of the proof.
    pub proof: Vec<PathBuf>,
    /// Flags for clang.
    pub flags: Vec<String>,
    /// Functions of the project whose bodies are not wanted.
    pub removed: Vec<String>,
    /// What is to be checked.
    pub options: Options,
}

/// Why a proof folder is not understood.
#[derive(Debug, Error)]
pub enum KitError {
    /// There is no Makefile.
    #[error("{0} has no Makefile")]
    NoMakefile(String),
    /// `make` failed.
    #[error("make cannot read the Makefile: {0}")]
    Make(String),
    /// A variable that has to be set is not.
    #[error("the Makefile sets no {0}")]
    Missing(&'static str),
    /// A variable asks for what is not understood.
    #[error("{0} of the Makefile ({1}) is not supported")]
    Variable(&'static str, String),
    /// An option is not understood.
    #[error("the option {0} in {1} is not supported")]
    Option(String, &'static str),
    /// A file is not there.
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
        for name in REFUSED {
            if let Some(value) = said.get(name).filter(|value| !value.is_empty()) {
                return Err(KitError::Variable(name, value.clone()));
            }
        }
        let files = |name: &str| -> Vec<PathBuf> {
            let mut files: Vec<PathBuf> = Vec::new();
            for file in words(name).into_iter().map(|word| folder.join(word)) {
                if !files.contains(&file) {
                    files.push(file);
                }
            }
            files
        };
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
        let kit = Kit {
            name,
            entry,
            project: files("PROJECT_SOURCES"),
            proof: files("PROOF_SOURCES"),
            flags: within(folder, flags),
            removed: words("REMOVE_FUNCTION_BODY"),
            options: read_checks(&checks, &shell("CBMCFLAGS")?)?,
        };
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

/// Flags with folders as they are seen from elsewhere.
fn within(folder: &Path, flags: Vec<String>) -> Vec<String> {
    let include = |flag: String| match flag.strip_prefix("-I").filter(|path| !path.is_empty()) {
        Some(path) => format!("-I{}", folder.join(path).display()),
        None => flag,
    };
    flags.into_iter().map(include).collect()
}

/// What `make` says that the variables are.
fn variables(folder: &Path) -> Result<BTreeMap<String, String>, KitError> {
    let lines: String =
        VARIABLES.iter().map(|name| format!("$(info {MARK}{name}=$(strip $({name})))\n")).collect();
    let text = format!("include Makefile\n{lines}.PHONY: beeline-nothing\nbeeline-nothing: ; @:\n");
    let failed = |error: std::io::Error| KitError::Make(error.to_string());
    let mut make = Command::new("make");
    make.args(["--no-print-directory", "-s", "-f", "-", "beeline-nothing"]).current_dir(folder);
    make.env_remove("MAKEFLAGS").env_remove("MAKELEVEL").env("LC_ALL", "C");
    make.stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
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
