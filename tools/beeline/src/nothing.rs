//! Programs without targets: the compiler removed the checks, or there were none.

use crate::answer::Answer;
use crate::check::Runner;
use crate::job::{Job, Source};
use crate::pipeline::Pipeline;
use crate::property::{self, Property};
use crate::report::{at, violation};
use beeline_cli::temporary::Folder;
use beeline_ir::Program;
use std::fmt::Write;

/// Possible errors of the source that are not in the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Removed {
    /// The flags of clang that took it out, with blanks between them.
    pub by: String,
    /// The errors: places, and what goes wrong there.
    pub targets: Vec<String>,
}

/// Finds the checks that flags removed from a program without targets: it is compiled again without these
/// flags. `None` if that finds nothing.
pub(crate) fn removed(answer: &Answer) -> Option<Removed> {
    let (program, _) = answer.result.as_ref()?;
    if !program.targets.is_empty() || !answer.job.marks.is_empty() {
        return None;
    }
    let by = removing(&answer.job);
    if by.is_empty() {
        return None;
    }
    let mut job = answer.job.clone();
    job.flags.extend(["-O0", "-UNDEBUG", "-w"].map(String::from));
    let folder = Folder::new().ok()?;
    job.write(folder.path()).ok()?;
    let pipeline = Pipeline::new(&job).ok()?;
    let mut runner = Runner::new(folder.path().to_path_buf(), None).ok()?;
    let steps = pipeline.compile.iter().chain([&pipeline.lower]).chain(&pipeline.outline);
    let None = runner.follow(steps).ok()? else { return None };
    let whole: Program = runner.read(&pipeline.program).ok()?;
    let targets: Vec<String> = whole.targets.iter().map(|target| told(&whole, target)).collect();
    (!targets.is_empty()).then(|| Removed { by: by.join(" "), targets })
}

/// The flags that may remove checks.
fn removing(job: &Job) -> Vec<String> {
    let of_files = job.sources.iter().filter_map(|source| match source {
        Source::C(_, flags) => Some(flags),
        Source::Dialect(_) | Source::Llvm(_) => None,
    });
    let mut found = Vec::new();
    for flag in of_files.chain([&job.flags]).flatten() {
        let optimises = flag.starts_with("-O") && flag != "-O0";
        let takes_assertions = flag == "-DNDEBUG" || flag.starts_with("-DNDEBUG=");
        if (optimises || takes_assertions) && !found.contains(flag) {
            found.push(flag.clone());
        }
    }
    found
}

fn told(program: &Program, target: &beeline_ir::Target) -> String {
    let place =
        at(program, target, None).map_or(String::new(), |span| format!("{}: ", program.show_span(span)));
    let function = program.source_function(program.function_of(target.loc));
    format!("{place}{} in {function}", violation(target, None))
}

/// What is known of a program in which threads never meet, if only that is asked for.
pub(crate) fn of_threads(properties: &[Property]) -> Option<&'static str> {
    match properties {
        [Property::NoDataRace] => Some("no two threads are at accesses that could race"),
        [Property::NoDeadlock] => Some("no thread is where all could wait"),
        _ => None,
    }
}

/// The text about a program without a target.
pub(crate) fn text(answer: &Answer) -> String {
    let job = &answer.job;
    if !job.marks.is_empty() {
        return "The program has no path to the last place.".into();
    }
    if let Some(removed) = &answer.removed {
        let mut text = format!("Nothing was checked. {} removed these targets of the source:\n", removed.by);
        for target in &removed.targets {
            let _ = writeln!(text, "  {target}");
        }
        let _ = write!(text, "Without {}, they are checked.", removed.by);
        return text;
    }
    if let Some(known) = of_threads(&job.properties) {
        return format!("The lowering shows that {known}.");
    }
    let properties = property::names(&job.properties);
    let mut text = format!(
        "Nothing was checked: neither {} nor its callees have a target for {properties}.",
        job.entered()
    );
    if job.properties == [Property::UnreachCall] {
        text.push_str("\nThey have no assert and no call of reach_error.");
    }
    if !job.properties.contains(&Property::All) {
        text.push_str(
            "\n--property all checks memory accesses, arithmetic, and other undefined behaviour of C.",
        );
    }
    text
}
