//! What the user gives: a result, its program and the bitcode, all of which must belong together.

use crate::{Arguments, harness};
use beeline_ir::{Program, Target, file};
use beeline_lower::import::{self, Native};
use beeline_run::{Run, RunPath, RunVerdict};
use std::collections::HashSet;

/// A counterexample with its program, in both forms.
#[derive(Debug)]
pub struct Given {
    /// The program that was verified.
    pub program: Program,
    /// The execution that was found.
    pub path: RunPath,
    /// The bitcode, made ready to run.
    pub native: Native,
    /// Which of the program's targets the execution reaches.
    target: usize,
}

impl Given {
    /// Reads everything, or says what is wrong.
    pub fn read(arguments: &Arguments) -> Result<Given, String> {
        let given = beeline_witness::given::Given::read(&arguments.result, arguments.cfa.as_deref());
        let beeline_witness::given::Given { program, run } = given.map_err(|error| error.to_string())?;
        let path = counterexample(run, &arguments.result.display().to_string())?;
        let target = program.targets.iter().position(|target| target.loc == path.target);
        let target = target.ok_or("the target of the counterexample is none of the program's")?;
        let entry = program.functions[program.entry].name.clone();
        let violations: HashSet<&str> = program.targets.iter().map(violating_function).collect();
        let bitcode = file::read_bytes(&arguments.program).map_err(|error| error.to_string())?;
        let name = arguments.program.display().to_string();
        let native = import::native(&bitcode, &name, &entry, |function| violations.contains(function))
            .map_err(|error| error.to_string())?;
        let given = Given { program, path, native, target };
        if !harness::has_target(&given) {
            let target = &given.target().name;
            return Err(format!("{name} is not the program that was verified: it does not have {target}"));
        }
        Ok(given)
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

/// The counterexample of a result.
fn counterexample(run: Run, shown: &str) -> Result<RunPath, String> {
    match (run.verdict, run.path) {
        (RunVerdict::Unsafe, Some(path)) => Ok(path),
        (RunVerdict::Safe, _) => Err(format!(
            "{shown} says that the program is safe: there is nothing to execute; beeline-check-proof checks its proof"
        )),
        (RunVerdict::Unknown(reason), _) => {
            Err(format!("{shown} has no answer that could be checked: it is unknown ({reason})"))
        }
        (RunVerdict::Unsafe, None) => {
            Err(format!("{shown} has no counterexample; make it again with beeline-verify"))
        }
    }
}
