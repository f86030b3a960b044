//! What the user gives: a result, its program and the bitcode, all of which must belong together.

use crate::memory::Contents;
use crate::{Arguments, harness, memory_error};
use beeline_ir::{Program, Target, file};
use beeline_llvm::native::{Native, native};
use beeline_lower::MARK_PROPERTY;
use beeline_lower::libc::reads_into;
use beeline_run::{Choice, Run, RunPath, RunStep, RunVerdict, TargetVerdict};
use beeline_witness::execution::execute;
use std::collections::HashSet;

/// A counterexample with its program, in both forms.
#[derive(Debug)]
pub(crate) struct Given {
    /// The program that was verified.
    pub program: Program,
    /// The execution that was found.
    pub path: RunPath,
    /// The bitcode, made ready to run.
    pub native: Native,
    /// Does the path rest on a guess, which a native run must make true by itself?
    pub guessed: bool,
    /// What memory holds that the program has not written.
    pub contents: Contents,
    /// Which of the program's targets the execution reaches.
    target: usize,
}

impl Given {
    /// Reads everything, or says what is wrong.
    pub(crate) fn read(arguments: &Arguments) -> Result<Given, String> {
        let given = beeline_witness::given::Given::read(&arguments.result, arguments.cfa.as_deref());
        let beeline_witness::given::Given { program, run } = given.map_err(|error| error.to_string())?;
        let sure = TargetVerdict::Unsafe { path: arguments.path as u32 };
        let guessed = run.targets.iter().all(|target| target.verdict != sure);
        let path = counterexample(run, arguments.path, &arguments.result.display().to_string())?;
        let target = program.targets.iter().position(|target| target.loc == path.target);
        let target = target.ok_or("the target of the counterexample is none of the program's")?;
        let entry = program.functions[program.entry].name.clone();
        let calls = program.targets.iter().filter(|target| target.property != MARK_PROPERTY);
        let violations: HashSet<&str> = calls.map(violating_function).collect();
        let bitcode = file::read_bytes(&arguments.program).map_err(|error| error.to_string())?;
        let name = arguments.program.display().to_string();
        // A path that cannot be executed again is told of later.
        let contents = execute(&program, &path)
            .map(|executed| Contents::of(&program, &path, &executed))
            .unwrap_or_default();
        let forced = contents.functions(&program);
        let sanitized = memory_error::kind(&program.targets[target]).is_some();
        let is_violation = |function: &str| violations.contains(function);
        let native = native(
            &bitcode,
            &name,
            &entry,
            is_violation,
            |function| forced.contains(function),
            reads_into,
            sanitized,
        )
        .map_err(|error| error.to_string())?;
        let given = Given { program, path, native, guessed, contents, target };
        if !harness::has_target(&given) {
            let target = &given.target().name;
            return Err(format!("{name} is not the program that was verified: it does not have {target}"));
        }
        Ok(given)
    }

    /// Does the execution get to a function without a body that may do anything?
    pub(crate) fn meets_the_world(&self) -> bool {
        let is_world = |step: &RunStep| matches!(step, RunStep::Call(_, callee) if self.program.functions[*callee].name == beeline_lower::WORLD);
        self.path.steps.iter().any(is_world)
    }

    /// Does the execution depend on requests for memory that are refused?
    pub(crate) fn refuses(&self) -> bool {
        self.path.choices.iter().any(|choice| match choice {
            Choice::Input { input: Some(input), .. } => self.program.inputs[*input] == beeline_lower::REFUSAL,
            _ => false,
        })
    }

    /// The target that the execution reaches.
    pub(crate) fn target(&self) -> &Target {
        &self.program.targets[self.target]
    }
}

/// The function whose call a target is: targets are named after it.
pub(crate) fn violating_function(target: &Target) -> &str {
    target.name.split(' ').next().unwrap_or_default()
}

/// The number of the mark that a target is.
pub(crate) fn mark_number(target: &Target) -> Option<u32> {
    let is_mark = target.property == MARK_PROPERTY;
    is_mark.then(|| target.name.split(' ').nth(1)?.parse().ok()).flatten()
}

/// A counterexample of a result, by its index.
fn counterexample(mut run: Run, path: usize, shown: &str) -> Result<RunPath, String> {
    if path < run.paths.len() {
        return Ok(run.paths.swap_remove(path));
    }
    if path > 0 {
        return Err(format!("{shown} has no path {path}: it has {}", run.paths.len()));
    }
    Err(match run.verdict {
        RunVerdict::Safe => format!(
            "{shown} says that the program is safe: there is nothing to execute; beeline-check-proof checks its proof"
        ),
        RunVerdict::Unknown(reason) => {
            format!("{shown} has no answer that could be checked: it is unknown ({reason})")
        }
        RunVerdict::Unsafe => format!("{shown} has no counterexample; make it again with beeline-verify"),
    })
}
