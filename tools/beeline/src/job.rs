//! Jobs: the resolved request of a command line, with files, properties and flags.

use crate::arguments::{CheckArguments, Globals};
use crate::as_command::AsCommand;
use crate::choice::Choose;
use crate::compilation::Database;
use crate::entry::contract::Requirement;
use crate::pipeline::PRELUDE;
use crate::property::Property;
use crate::since::Since;
use crate::step::Word;
use crate::summarise::Summarise;
use crate::task::{Task, flags};
use crate::tools;
use beeline_options::{GivenOption, Size, Time};
use beeline_select::Selector;
use beeline_witness::source::Sources;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The name of the standard input, where files are named and where places are told.
const STANDARD_INPUT: (&str, &str) = ("-", "<stdin>");

/// Options that `beeline check` alone has, and what they do.
pub(crate) const OF_CHECKS: [(&str, &str); 9] = [
    ("property", "chooses properties"),
    ("sarif", "writes verdicts"),
    ("test", "writes a test for a bug"),
    ("since", "takes over verdicts"),
    ("cache", "takes over verdicts"),
    ("only", "leaves executions out"),
    ("assume-paths", "leaves executions out"),
    ("residual", "omits code that cannot reach an error"),
    ("target", "chooses targets"),
];

/// The job of a check.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    /// The files, each of a known kind.
    pub sources: Vec<Source>,
    /// The name of intermediate files.
    pub name: String,
    /// The content of standard input, if it is a part of the program.
    pub typed: Option<Typed>,
    /// The properties.
    pub properties: Vec<Property>,
    /// The entry function.
    pub function: String,
    /// The function that it calls, if it makes arguments.
    pub entered: Option<String>,
    /// The requirements on the arguments.
    pub contract: Vec<Requirement>,
    /// The assumptions about these, and those about the executions that are checked, as text.
    pub given: Vec<String>,
    /// The rules about which executions are checked.
    pub paths: Vec<String>,
    /// Flags for clang.
    pub flags: Vec<String>,
    /// Whether the program may start as a command, and no option determines the search.
    pub may_be_command: bool,
    /// Whether constructs that cannot be modelled are ignored.
    pub allow_unsound: bool,
    /// Options for the lowering.
    pub lowering: Vec<String>,
    /// Whether loops are outlined, for summaries of them.
    pub outlined: bool,
    /// Options for the search.
    pub search: Vec<GivenOption>,
    /// Time for the check of a proof.
    pub time_limit: Option<Time>,
    /// Memory for each of the tools.
    pub memory_limit: Option<Size>,
    /// The selector that chooses the plan, if there is one.
    pub selector: Option<Selector>,
    /// The file for the residual program, if it is wanted.
    pub residual: Option<PathBuf>,
    /// Where earlier results are, if any are taken over.
    pub since: Option<Since>,
    /// Whether the answer is checked.
    pub checked: bool,
    /// Whether the check of a proof believes no solver.
    pub certify: bool,
    /// The options of beeline-mark for marks, if any.
    pub marks: Vec<String>,
    /// Copies of files with inserted conditions, and the file that redirects clang to them: names in the
    /// folder of the run, and texts.
    pub copies: Vec<(String, Vec<u8>)>,
    /// The variables with arbitrary values, as inputs, if there are any.
    pub any_variables: Option<AnyVariables>,
    /// Further assertions about all operations, as beeline-mark names them.
    pub asserted: Vec<&'static str>,
    /// Whether a part of the program is in CBMC's dialect, which needs its header.
    pub needs_prelude: bool,
}

/// Variables with arbitrary values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnyVariables {
    /// Local ones of the function where the program starts.
    Locals,
    /// Those, and all with static lifetime where the program starts.
    Statics,
}

/// A file of the program.
#[derive(Debug, Clone)]
pub(crate) enum Source {
    /// To be compiled, with flags of its own.
    C(Word, Vec<String>),
    /// To be rewritten from CBMC's dialect and compiled. Of functions of one name that of the first such file counts.
    Dialect(Rewritten),
    /// Bitcode or textual LLVM IR.
    Llvm(Word),
}

/// A file in CBMC's dialect.
#[derive(Debug, Clone)]
pub(crate) struct Rewritten {
    /// The file.
    pub file: Word,
    /// The options of the rewriting.
    pub rewriting: Vec<String>,
    /// Whether it also reads the other such files.
    pub with_others: bool,
}

/// A part of the program that was read from standard input.
#[derive(Debug, Clone)]
pub(crate) struct Typed {
    /// The name of the file in the folder of the run that holds it.
    pub file: &'static str,
    /// Its content.
    pub text: Vec<u8>,
}

impl Job {
    /// The job that a command line asks for.
    pub(crate) fn new(arguments: &CheckArguments) -> Result<Job, String> {
        arguments.compile.clang.as_deref().map_or(Ok(()), tools::choose)?;
        // An invalid plan is reported before any work.
        let plan = arguments.search.options.plan.plan().map_err(|error| error.to_string())?;
        arguments.summarise.expect_fitting(arguments, &plan)?;
        let selector = arguments.choose.as_ref().unwrap_or(&Choose::Off).selector()?;
        if selector.is_some() && arguments.search.options.plan.is_given() {
            return Err("--choose cannot be combined with other options of the search".into());
        }
        let mut job = Job::of_options(arguments, selector);
        let mut files = arguments.files.clone();
        if let Some(task) = files.iter().find(|file| has_ending(file, &["yml", "yaml"])) {
            if files.len() > 1 {
                return Err(format!("{} is a task definition; check it alone", task.display()));
            }
            let task = Task::read(task, &arguments.properties)?;
            files = task.files;
            job.properties = task.properties;
            job.flags.splice(..0, task.flags);
        }
        if job.properties.is_empty() {
            job.properties.push(Property::UnreachCall);
        }
        let log = arguments.log.iter().map(|level| ("--log".to_string(), Some(level.into())));
        job.search.extend(log.map(|(name, value)| GivenOption { name, value, is_path: false }));
        job.flags.extend(arguments.compile.flags());
        job.flags.extend(arguments.flags.iter().cloned());
        let database = arguments.compile.compile_commands.as_deref().map(Database::read).transpose()?;
        expect_once(&files)?;
        for file in files {
            let source = if file.as_os_str() == STANDARD_INPUT.0 {
                job.standard_input()?
            } else {
                Source::new(file, database.as_ref())?
            };
            job.sources.push(source);
        }
        Ok(job)
    }

    /// The job of the options, without the program.
    fn of_options(arguments: &CheckArguments, selector: Option<Selector>) -> Job {
        Job {
            sources: Vec::new(),
            name: match arguments.files[0].as_os_str() == STANDARD_INPUT.0 {
                true => "stdin".into(),
                false => file_name(&arguments.files[0]),
            },
            typed: None,
            properties: arguments.properties.clone(),
            function: arguments.function.clone(),
            entered: None,
            contract: arguments.contract(),
            given: Vec::new(),
            paths: Vec::new(),
            flags: arguments.data_model.map_or(Vec::new(), |model| flags(Some(model))),
            may_be_command: arguments.as_command.and_then(AsCommand::for_lower).is_some()
                && !arguments.search.options.plan.is_given(),
            allow_unsound: arguments.allow_unsound,
            lowering: ["--externals", &arguments.externals]
                .into_iter()
                .chain(arguments.inputs.iter().flat_map(|pattern| ["--input", pattern]))
                .chain(arguments.malloc_may_fail.then_some("--malloc-may-fail"))
                .chain(arguments.as_command.and_then(AsCommand::for_lower))
                .map(String::from)
                .collect(),
            outlined: arguments.summarise == Summarise::Both,
            search: arguments.search.given.clone(),
            time_limit: arguments.search.options.limits.time_limit,
            memory_limit: arguments.search.options.limits.memory_limit,
            selector,
            residual: arguments.residual.clone(),
            since: Since::given(arguments),
            checked: !arguments.no_check,
            certify: arguments.certify,
            marks: Vec::new(),
            copies: Vec::new(),
            any_variables: (arguments.globals == Globals::Any).then_some(AnyVariables::Statics),
            asserted: Vec::new(),
            needs_prelude: false,
        }
    }

    /// Sets another limit on the time of a search and of the check of its proof.
    pub(crate) fn limit_time(&mut self, limit: Time) {
        self.time_limit = Some(limit);
        self.search.retain(|given| given.name != "--time-limit");
        let value = Some(limit.to_string().into());
        self.search.push(GivenOption { name: "--time-limit".into(), value, is_path: false });
    }

    /// The function of the user where the program starts.
    pub(crate) fn entered(&self) -> &str {
        self.entered.as_ref().unwrap_or(&self.function)
    }

    /// Reads a part of the program from standard input.
    fn standard_input(&mut self) -> Result<Source, String> {
        if self.typed.is_some() {
            return Err("standard input can be read only once".into());
        }
        let mut text = Vec::new();
        std::io::stdin()
            .read_to_end(&mut text)
            .map_err(|error| format!("cannot read standard input: {error}"))?;
        let typed = self.typed.insert(Typed { file: "stdin.c", text });
        let file = Word::Made(typed.file.into());
        // Headers are searched for in the current folder.
        Ok(Source::C(file, vec!["-iquote".into(), ".".into()]))
    }

    /// Writes the files that the run needs to its folder.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), String> {
        let write = |name: &str, text: &[u8]| {
            let path = folder.join(name);
            std::fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
        };
        self.typed.iter().try_for_each(|typed| write(typed.file, &typed.marked()))?;
        if self.needs_prelude {
            write(PRELUDE, beeline_cbmc::PRELUDE.as_bytes())?;
        }
        self.copies.iter().try_for_each(|(name, text)| write(name, text))
    }

    /// The lines of the program's files.
    pub(crate) fn lines(&self) -> Sources {
        let typed = self.typed.iter().map(|typed| (STANDARD_INPUT.1, typed.text.as_slice()));
        typed.fold(Sources::default(), |sources, (name, text)| sources.with(name, text))
    }
}

impl Typed {
    /// The file as clang reads it; places in it are reported as places of the standard input.
    fn marked(&self) -> Vec<u8> {
        [format!("# 1 \"{}\"\n", STANDARD_INPUT.1).as_bytes(), &self.text].concat()
    }
}

impl Job {
    /// The job that asks which of some places executions reach; `marks` is for beeline-mark, `search` goes
    /// with the options of the search.
    pub(crate) fn of_marks(
        arguments: &CheckArguments,
        marks: Vec<String>,
        search: &str,
    ) -> Result<Job, String> {
        let is_given = |option| match option {
            "property" => !arguments.properties.is_empty(),
            "sarif" => arguments.sarif.is_some(),
            "test" => arguments.test.is_some(),
            "since" => arguments.since.is_some(),
            "cache" => arguments.cache.is_some(),
            "only" => !arguments.only.is_empty(),
            "assume-paths" => arguments.assume_paths.is_some(),
            "residual" => arguments.residual.is_some(),
            // An option of the search.
            option => arguments.search.given.iter().any(|given| given.name.trim_start_matches('-') == option),
        };
        if let Some((option, does)) = OF_CHECKS.into_iter().find(|(option, _)| is_given(option)) {
            return Err(format!("--{option} {does}, which only `beeline check` does"));
        }
        let mut job = Job::new(arguments)?;
        job.properties = vec![Property::Marks];
        job.marks = marks;
        if !job.search.iter().any(|given| ["--first", "--every"].contains(&given.name.as_str())) {
            job.search.push(GivenOption { name: search.into(), value: None, is_path: false });
        }
        Ok(job)
    }
}

impl Source {
    fn new(path: PathBuf, database: Option<&Database>) -> Result<Source, String> {
        let shown = path.display();
        if let Err(error) = std::fs::File::open(&path) {
            return Err(format!("cannot read {shown}: {error}"));
        }
        if path.is_dir() {
            return Err(format!("{shown} is a folder; name its files"));
        }
        if has_ending(&path, &["c", "i"]) {
            let flags = database.map(|database| database.flags(&path)).transpose()?;
            Ok(Source::C(Word::Given(path), flags.unwrap_or_default()))
        } else if has_ending(&path, &["bc", "ll"]) {
            Ok(Source::Llvm(Word::Given(path)))
        } else {
            Err(format!(
                "{shown} has an unknown ending; give C (.c, .i), bitcode (.bc, .ll), or a task definition (.yml)"
            ))
        }
    }
}

/// Refuses a file that is named twice, by whatever names.
fn expect_once(files: &[PathBuf]) -> Result<(), String> {
    let mut seen = Vec::new();
    for file in files {
        // A missing file is reported where it is opened.
        let Ok(place) = std::fs::canonicalize(file) else { continue };
        if seen.contains(&place) {
            return Err(format!("{} is named twice; name each file once", file.display()));
        }
        seen.push(place);
    }
    Ok(())
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
