//! The input: a result, its program and the bitcode, all of which must belong together.

use crate::memory::Contents;
use crate::schedule;
use crate::{Arguments, harness, memory_error};
use beeline_ir::{Program, Target, file};
use beeline_llvm::native::{Native, Reports, SCHEDULED, native};
use beeline_lower::MARK_PROPERTY;
use beeline_lower::libc::reads_into;
use beeline_module::producer::Producer;
use beeline_run::{Choice, Run, RunPath, RunStep, RunVerdict, TargetVerdict};
use beeline_witness::command::{Command, is_command};
use beeline_witness::execution::{Executed, Executor, Misfit};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// A result with its program, in both forms.
pub(crate) struct Files {
    program: &'static Program,
    executor: Rc<Executor<'static>>,
    run: Run,
    /// The name of the result.
    shown: String,
    bitcode: Vec<u8>,
    /// The name of the bitcode.
    name: String,
}

impl Files {
    /// Reads all files.
    pub(crate) fn read(arguments: &Arguments) -> Result<Files, String> {
        let given = beeline_witness::given::Given::read(&arguments.result, arguments.cfa.as_deref());
        let beeline_witness::given::Given { program, run } = given.map_err(|error| error.to_string())?;
        let shown = arguments.result.display().to_string();
        // A result without a counterexample is reported first.
        counterexample(&run, arguments.path, &shown)?;
        let bitcode = file::read_bytes(&arguments.program).map_err(|error| error.to_string())?;
        let version = Producer::version(&bitcode);
        beeline_cli::versions::hand_over("beeline-replay", beeline_llvm::LLVM, version, &arguments.program);
        let name = arguments.program.display().to_string();
        // It is there until the process ends.
        let program: &'static Program = Box::leak(Box::new(program));
        let executor = Rc::new(Executor::new(program));
        Ok(Files { program, executor, run, shown, bitcode, name })
    }

    /// The number of counterexamples.
    pub(crate) fn paths(&self) -> usize {
        self.run.paths.len()
    }

    /// Counterexamples by their indices. They share the bitcode that is prepared to run.
    pub(crate) fn givens(&self, indices: impl IntoIterator<Item = usize>) -> Vec<Result<Given, String>> {
        let cases: Vec<Result<Case, String>> = indices.into_iter().map(|index| self.case(index)).collect();
        // A function whose memory is given on one path is prepared for all.
        let mut forced: HashMap<bool, BTreeSet<String>> = HashMap::new();
        for case in cases.iter().flatten() {
            forced.entry(self.is_sanitized(case)).or_default().extend(case.contents.functions(self.program));
        }
        let natives: HashMap<bool, Result<Rc<Native>, String>> =
            forced.iter().map(|(&sanitized, forced)| (sanitized, self.native(forced, sanitized))).collect();
        cases.into_iter().map(|case| self.given(case?, &natives)).collect()
    }

    fn case(&self, index: usize) -> Result<Case, String> {
        let path = counterexample(&self.run, index, &self.shown)?;
        let sure = TargetVerdict::Unsafe { path: index as u32 };
        let guessed = self.run.targets.iter().all(|target| target.verdict != sure);
        let target = self.program.targets.iter().position(|target| target.loc == path.target);
        let target = target.ok_or("the target of the counterexample is not a target of the program")?;
        // A path that cannot be executed again is reported later.
        let contents = self
            .executor
            .execute(&path)
            .map(|executed| Contents::of(self.program, &path, &executed))
            .unwrap_or_default();
        Ok(Case { path, guessed, contents, target })
    }

    fn is_sanitized(&self, case: &Case) -> bool {
        memory_error::kind(&self.program.targets[case.target]).is_some()
    }

    fn given(
        &self,
        case: Case,
        natives: &HashMap<bool, Result<Rc<Native>, String>>,
    ) -> Result<Given, String> {
        let native = natives[&self.is_sanitized(&case)].clone()?;
        let Case { path, guessed, contents, target } = case;
        let command = Command::of(self.program, &path);
        let (program, executor) = (self.program, Rc::clone(&self.executor));
        let given = Given { program, executor, path, native, guessed, contents, target, command };
        if !harness::has_target(&given) {
            let (name, target) = (&self.name, &given.target().name);
            return Err(format!("{name} is not the verified program: it does not have {target}"));
        }
        Ok(given)
    }

    /// The bitcode for counterexamples that give functions memory.
    fn native(&self, forced: &BTreeSet<String>, sanitized: bool) -> Result<Rc<Native>, String> {
        let program = self.program;
        let points = schedule::points(program);
        let calls = program.targets.iter().filter(|target| target.property != MARK_PROPERTY);
        let violations: HashSet<&str> = calls.map(violating_function).collect();
        let made = native(
            &self.bitcode,
            &self.name,
            &Reports {
                // Natively, the environment of a command is the system's.
                entry: if is_command(program) { "main" } else { &program.functions[program.entry].name },
                is_violation: &|function| violations.contains(function),
                fills: &|function| forced.contains(function),
                reads_into: &reads_into,
                point: &|function, ordinal| {
                    let is_it = |known: &(String, u32)| known.0 == function && known.1 == ordinal;
                    points.iter().position(is_it).map(|number| number as u32)
                },
                sanitized,
            },
        );
        made.map(Rc::new).map_err(|error| error.to_string())
    }
}

/// A counterexample.
struct Case {
    path: RunPath,
    guessed: bool,
    contents: Contents,
    target: usize,
}

/// A counterexample with its program, in both forms.
#[derive(Debug)]
pub(crate) struct Given {
    /// The program that was verified.
    pub program: &'static Program,
    executor: Rc<Executor<'static>>,
    /// The execution that was found.
    pub path: RunPath,
    /// The bitcode, prepared to run.
    pub native: Rc<Native>,
    /// Whether the path depends on a guess, which a native run has to satisfy by itself.
    pub guessed: bool,
    /// The contents of memory that the program has not written.
    pub contents: Contents,
    /// The target that the execution reaches, by index.
    pub target: usize,
    /// The environment of the program, if it starts as a command.
    pub command: Option<Command>,
}

impl Given {
    /// Executes the counterexample.
    pub(crate) fn execute(&self) -> Result<Executed, Misfit> {
        self.executor.execute(&self.path)
    }

    /// The names of functions and variables that the program does not define.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let functions = self.native.declared.iter().map(|function| function.name.as_str());
        functions.chain(self.native.variables.iter().map(|variable| variable.name.as_str()))
    }

    /// Whether the execution calls a function without a body that may do anything.
    pub(crate) fn meets_the_world(&self) -> bool {
        let is_world = |step: &RunStep| matches!(step, RunStep::Call(_, callee) if self.program.functions[*callee].name == beeline_lower::WORLD);
        self.path.steps.iter().any(is_world)
    }

    /// Whether the program calls functions of threads, or has scheduling points.
    pub(crate) fn has_threads(&self) -> bool {
        self.names().any(|name| SCHEDULED.contains(&name)) || !schedule::points(self.program).is_empty()
    }

    /// Whether the execution depends on allocations that fail.
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

/// The number of a mark, if the target is one.
pub(crate) fn mark_number(target: &Target) -> Option<u32> {
    let is_mark = target.property == MARK_PROPERTY;
    is_mark.then(|| target.name.split(' ').nth(1)?.parse().ok()).flatten()
}

/// A counterexample of a result, by its index.
fn counterexample(run: &Run, path: usize, shown: &str) -> Result<RunPath, String> {
    if let Some(path) = run.paths.get(path) {
        return Ok(path.clone());
    }
    if path > 0 {
        return Err(format!("{shown} has no path {path}; it has {}", run.paths.len()));
    }
    Err(match &run.verdict {
        RunVerdict::Safe => format!(
            "{shown} has the verdict safe and no path to execute; beeline-check-proof checks its proof"
        ),
        RunVerdict::Unknown(reason) => {
            format!("{shown} has the verdict unknown and nothing to check ({reason})")
        }
        RunVerdict::Unsafe => format!("{shown} has no counterexample; create it again with beeline-verify"),
    })
}
