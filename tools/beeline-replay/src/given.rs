//! What the user gives: a result, its program and the bitcode, all of which must belong together.

use crate::Arguments;
use beeline_ir::file::{self, FileError};
use beeline_ir::{Program, Target};
use beeline_lower::import::{self, Native};
use beeline_lower::{Options, lower, models};
use beeline_run::{Run, RunPath, RunVerdict};
use rustc_hash::FxHashSet;
use std::path::Path;

/// A counterexample with its program, in both forms.
#[derive(Debug)]
pub struct Given {
    /// The program that was verified.
    pub program: Program,
    /// The execution that was found.
    pub path: RunPath,
    /// The bitcode, made ready to run.
    pub native: Native,
    /// The bitcode as it was given.
    pub bitcode: Vec<u8>,
    /// Which of the program's targets the execution reaches.
    target: usize,
}

impl Given {
    /// Reads everything, or says what is wrong.
    pub fn read(arguments: &Arguments) -> Result<Given, String> {
        let text = |error: FileError| error.to_string();
        let result = file::read::<Run>(&arguments.result).map_err(text)?;
        let shown = arguments.result.display().to_string();
        let path = match (&result.body.verdict, result.body.path) {
            (RunVerdict::Unsafe, Some(path)) => path,
            (RunVerdict::Safe, _) => {
                return Err(format!(
                    "{shown} says that the program is safe, so there is nothing to execute; beeline-check-proof checks it"
                ));
            }
            (RunVerdict::Unknown(reason), _) => {
                return Err(format!("{shown} has no answer to check: it is unknown ({reason})"));
            }
            (RunVerdict::Unsafe, None) => {
                return Err(format!("{shown} has no counterexample; make it again with beeline-verify"));
            }
        };
        let bitcode = file::read_bytes(&arguments.program).map_err(text)?;
        let name = arguments.program.display().to_string();
        let program = match &arguments.cfa {
            Some(cfa) => {
                let program = file::read::<Program>(cfa).map_err(text)?;
                let cfa = cfa.display().to_string();
                file::expect_upstream(&shown, &result.header, &cfa, &program.header).map_err(text)?;
                program.body
            }
            None => {
                let program = lowered(&arguments.program, &bitcode)?;
                let digest = file::digest_of_body(&program).map_err(|error| error.to_string())?;
                if result.header.upstream != Some(digest) {
                    return Err(format!(
                        "{shown} was not made from {name} as beeline-lower lowers it without options; give its .cfa file with --cfa"
                    ));
                }
                program
            }
        };
        check(&program, &path).map_err(|what| format!("{shown} is damaged ({what}); make it again with beeline-verify"))?;
        let Some(target) = program.targets.iter().position(|target| target.loc == path.target) else {
            return Err(format!("{shown} names a target that its program does not have"));
        };
        let entry = program.functions[program.entry].name.clone();
        let violations: FxHashSet<&str> = program.targets.iter().map(violating_function).collect();
        let native = import::native(&bitcode, &name, &entry, |function| violations.contains(function))
            .map_err(|error| error.to_string())?;
        Ok(Given { program, path, native, bitcode, target })
    }

    /// The target that the execution reaches.
    pub fn target(&self) -> &Target {
        &self.program.targets[self.target]
    }
}

/// The function whose call a target is: targets are named after it.
pub fn violating_function(target: &Target) -> &str {
    target.name.split(' ').next().unwrap_or_default()
}

/// The program that beeline-lower makes without options.
fn lowered(path: &Path, bitcode: &[u8]) -> Result<Program, String> {
    let name = path.display().to_string();
    let libc = [64, 32]
        .into_iter()
        .filter_map(|width| Some((format!("libc{width}"), models::libc(width)?.to_vec())));
    let imported = import::Options { link: libc.collect(), passes: None };
    let module = import::import(bitcode, &name, &imported).map_err(|error| error.to_string())?;
    lower(module, &Options::default()).map_err(|error| format!("{name}: {error}"))
}
