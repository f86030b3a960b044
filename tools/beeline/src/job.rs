//! What is to be done, made definite: the files, the property, the flags.

use crate::arguments::CheckArguments;
use crate::property::Property;
use crate::task::{Task, flags};
use beeline_options::{GivenOption, Time};
use std::path::{Path, PathBuf};

/// A check to be done.
#[derive(Debug)]
pub(crate) struct Job {
    /// The files, each of a known kind.
    pub sources: Vec<Source>,
    /// What intermediate files are called.
    pub name: String,
    /// What must never happen.
    pub property: Property,
    /// Where the program starts.
    pub function: String,
    /// Flags for clang.
    pub flags: Vec<String>,
    /// Is something ignored that cannot be modelled?
    pub allow_unsound: bool,
    /// Options for the lowering.
    pub lowering: Vec<String>,
    /// Options for the search.
    pub search: Vec<GivenOption>,
    /// Time for the check of a proof.
    pub time_limit: Option<Time>,
    /// Is the answer to be checked?
    pub checked: bool,
    /// What beeline-mark is told to mark, if anything.
    pub marks: Vec<String>,
}

/// A file of the program.
#[derive(Debug, Clone)]
pub(crate) enum Source {
    /// To be compiled.
    C(PathBuf),
    /// Bitcode or textual LLVM IR.
    Llvm(PathBuf),
}

impl Job {
    /// The job that a command line asks for.
    pub(crate) fn new(arguments: &CheckArguments) -> Result<Job, String> {
        // A wrong plan is said before any work.
        arguments.search.options.plan.plan().map_err(|error| error.to_string())?;
        let mut job = Job {
            sources: Vec::new(),
            name: file_name(&arguments.files[0]),
            property: arguments.property.clone().unwrap_or(Property::UnreachCall),
            function: arguments.function.clone(),
            flags: arguments.data_model.map_or(Vec::new(), |model| flags(Some(model))),
            allow_unsound: arguments.allow_unsound,
            lowering: ["--externals", &arguments.externals]
                .into_iter()
                .chain(arguments.inputs.iter().flat_map(|pattern| ["--input", pattern]))
                .chain(arguments.malloc_may_fail.then_some("--malloc-may-fail"))
                .map(String::from)
                .collect(),
            search: arguments.search.given.clone(),
            time_limit: arguments.search.options.limits.time_limit,
            checked: !arguments.no_check,
            marks: Vec::new(),
        };
        let mut files = arguments.files.clone();
        if let Some(task) = files.iter().find(|file| has_ending(file, &["yml", "yaml"])) {
            if files.len() > 1 {
                return Err(format!("{} is a task of its own; check it alone", task.display()));
            }
            let task = Task::read(task, arguments.property.as_ref())?;
            files = task.files;
            job.property = task.property;
            job.flags.splice(..0, task.flags);
        }
        job.flags.extend(arguments.flags.iter().cloned());
        job.sources = files.into_iter().map(Source::new).collect::<Result<_, _>>()?;
        Ok(job)
    }
}

impl Job {
    /// The job that asks which of some places executions get to; `marks` is for beeline-mark, `search` goes with the
    /// options of the search.
    pub(crate) fn of_marks(
        arguments: &CheckArguments,
        marks: Vec<String>,
        search: &str,
    ) -> Result<Job, String> {
        if arguments.property.is_some() {
            return Err("--property says what must never happen: it is for `beeline check`".into());
        }
        let mut job = Job::new(arguments)?;
        job.property = Property::Marks;
        job.marks = marks;
        if !job.search.iter().any(|given| ["--first", "--every"].contains(&given.name.as_str())) {
            job.search.push(GivenOption { name: search.into(), value: None, is_path: false });
        }
        Ok(job)
    }
}

impl Source {
    fn new(path: PathBuf) -> Result<Source, String> {
        let shown = path.display();
        if let Err(error) = std::fs::File::open(&path) {
            return Err(format!("cannot read {shown}: {error}"));
        }
        if path.is_dir() {
            return Err(format!("{shown} is a folder; name the files in it"));
        }
        if has_ending(&path, &["c", "i"]) {
            Ok(Source::C(path))
        } else if has_ending(&path, &["bc", "ll"]) {
            Ok(Source::Llvm(path))
        } else {
            Err(format!(
                "{shown} is neither C (.c, .i), nor bitcode (.bc, .ll), nor a task (.yml), by its ending"
            ))
        }
    }
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    path.extension().is_some_and(|ending| endings.iter().any(|known| ending == *known))
}

/// Characters of a name that endings may follow, in the length that a file's name can have.
const LONGEST_NAME: usize = 200;

/// The name of a file without folder and ending, of characters that no tool takes amiss.
pub(crate) fn file_name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let plain = |c: char| if c.is_ascii_alphanumeric() || "_+.".contains(c) { c } else { '_' };
    let name: String = stem.chars().map(plain).take(LONGEST_NAME).collect();
    if name.trim_matches('.').is_empty() { "program".into() } else { name }
}
