//! `beeline cover`: decides which branches, lines or functions of a program executions can reach.

pub(crate) mod counts;

use crate::answer::Answer;
use crate::arguments::{CheckArguments, CoverArguments};
use crate::as_command::AsCommand;
use crate::job::Job;
use crate::marks::{LIST, Mark, MarkKind, Reached, known};
use crate::{check, cover_page, export, report};
use beeline_ir::file;
use beeline_witness::source::Sources;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

/// The exit code if a place is open.
const OPEN: u8 = 3;

/// The coverage of all places of a program.
pub(crate) struct Coverage {
    /// The kind of places.
    pub of: Of,
    /// The places.
    pub marks: Vec<Mark>,
    /// The coverage of each place.
    pub reached: Vec<Reached>,
    /// The native runs that are needed, by the index of their paths.
    pub tests: BTreeSet<usize>,
}

/// What kinds of places can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Of {
    /// Each way of each branch and switch; `&&`, `||` and `?:` branch as well
    Branches,
    /// Each line that has code
    Lines,
    /// Each function
    Functions,
}

impl Of {
    fn name(self) -> &'static str {
        match self {
            Of::Branches => "branches",
            Of::Lines => "lines",
            Of::Functions => "functions",
        }
    }
}

/// Covers a program, prints what is known, and returns the exit code.
pub(crate) fn run(arguments: &CoverArguments) -> Result<u8, String> {
    let marks = vec!["--of".into(), arguments.of.name().into()];
    check::expect_outputs(&arguments.check)?;
    let check = CheckArguments {
        as_command: arguments.check.as_command.or(Some(AsCommand::Auto)),
        ..arguments.check.clone()
    };
    let job = Job::of_marks(&check, marks, "--every")?;
    let (answer, marks) = check::answer(&check, job, read)?;
    let coverage = Coverage::new(&answer, marks, arguments.of);
    if let Some(folder) = &arguments.tests {
        export::tests(folder, &answer, &coverage)?;
    }
    if let Some(file) = &arguments.lcov {
        export::lcov(file, &coverage)?;
    }
    if let Some(output) = &arguments.check.html {
        let page = cover_page::page(&answer.job.name, &coverage, &assumptions(&answer), &answer.job.lines());
        file::write_bytes(output, page.as_bytes()).map_err(|error| error.to_string())?;
    }
    let text = match arguments.check.json {
        true => format!("{:#}\n", object(&answer, &coverage)),
        false => text(&answer, &coverage),
    };
    report::print(&text)?;
    Ok(if coverage.count(|reached| matches!(reached, Reached::Open(_))) > 0 { OPEN } else { 0 })
}

/// Reads the marks that were set, or the reason why the run ended before.
pub(crate) fn read(folder: &Path, answer: &Answer) -> Result<Vec<Mark>, String> {
    let text = match std::fs::read_to_string(folder.join(LIST)) {
        Ok(text) => text,
        Err(error) => {
            let why = || format!("cannot read the list of marks: {error}");
            return Err(answer.reason.clone().unwrap_or_else(why));
        }
    };
    serde_json::from_str(&text).map_err(|error| format!("cannot read the list of marks: {error}"))
}

impl Coverage {
    pub(crate) fn new(answer: &Answer, marks: Vec<Mark>, of: Of) -> Coverage {
        let reached = known(answer, &marks);
        let tests = tests(&reached);
        Coverage { of, marks, reached, tests }
    }

    /// Leaves out all other places.
    pub(crate) fn retain(&mut self, is_meant: impl Fn(&Mark) -> bool) {
        let places = std::mem::take(&mut self.marks).into_iter().zip(std::mem::take(&mut self.reached));
        (self.marks, self.reached) = places.filter(|(mark, _)| is_meant(mark)).unzip();
        self.tests = tests(&self.reached);
    }

    /// The places with what is known of each.
    pub(crate) fn places(&self) -> impl Iterator<Item = (&Mark, &Reached)> {
        self.marks.iter().zip(&self.reached)
    }

    fn count(&self, is: impl Fn(&Reached) -> bool) -> usize {
        self.reached.iter().filter(|reached| is(reached)).count()
    }

    /// The number of the test that follows a path.
    pub(crate) fn test(&self, path: usize) -> usize {
        self.tests.range(..path).count()
    }

    /// The numbers of covered, dead and open places.
    pub(crate) fn line(&self) -> String {
        let covered = self.count(|reached| matches!(reached, Reached::Covered(_)));
        let dead = self.count(|reached| matches!(reached, Reached::Dead(_)));
        let open = self.count(|reached| matches!(reached, Reached::Open(_)));
        let tests = match self.tests.len() {
            1 => "1 test".into(),
            number => format!("{number} tests"),
        };
        let counted = self.count(|reached| *reached != Reached::Uncalled);
        let all = format!("of {counted} {}", self.of.name());
        format!("cover: {all}, {covered} covered by {tests}, {dead} dead, {open} open")
    }
}

/// The native runs that reach places.
fn tests(reached: &[Reached]) -> BTreeSet<usize> {
    let covered = reached.iter().filter_map(|reached| match reached {
        Reached::Covered(path) => Some(*path),
        Reached::Dead(_) | Reached::Open(_) | Reached::Uncalled => None,
    });
    covered.collect()
}

/// The coverage as readable text: the places that are not covered, by the reason, and the numbers.
fn text(answer: &Answer, coverage: &Coverage) -> String {
    let mut sources = Sources::default();
    let mut groups: BTreeMap<(&str, &str), Vec<&Mark>> = BTreeMap::new();
    for (mark, reached) in coverage.places() {
        match reached {
            Reached::Covered(_) | Reached::Uncalled => {}
            Reached::Dead(why) => groups.entry(("dead", why)).or_default().push(mark),
            Reached::Open(why) => groups.entry(("open", why)).or_default().push(mark),
        }
    }
    let mut text = String::new();
    for ((word, why), marks) in groups {
        let _ = writeln!(text, "{word}, {why}:");
        // The conditions of `a && b` have one place for clang: a line says how many are meant.
        let mut said: Vec<(String, &Mark, usize)> = Vec::new();
        for mark in marks {
            let line = format!("{}: {}", place(mark), what(mark));
            match said.iter_mut().find(|(other, ..)| *other == line) {
                Some((.., number)) => *number += 1,
                None => said.push((line, mark, 1)),
            }
        }
        for (said, mark, number) in said {
            let times = if number == 1 { String::new() } else { format!(" ({number} conditions)") };
            let _ = writeln!(text, "  {said}{times}");
            let line = mark.file.as_ref().zip(mark.line);
            if let Some(source) = line.and_then(|(file, line)| sources.whole_line(file, line)) {
                let _ = writeln!(text, "        {}", source.trim());
            }
        }
        text.push('\n');
    }
    text.push_str(&report::list("Assumptions behind dead code:", assumptions(answer)));
    text.push_str(&counts::table(coverage));
    text.extend(counts::uncalled(coverage).map(|line| line + "\n"));
    let _ = writeln!(text, "{}", coverage.line());
    text
}

/// The assumptions about the program.
pub(crate) fn assumptions(answer: &Answer) -> Vec<String> {
    let result = answer.result.as_ref();
    result.map(|(program, run)| run.assumptions(program).into_iter().collect()).unwrap_or_default()
}

/// File, line and column; the function where there is no file.
pub(crate) fn place(mark: &Mark) -> String {
    match (&mark.file, mark.line, mark.column) {
        (Some(file), Some(line), Some(column)) if column > 0 => format!("{file}:{line}:{column}"),
        (Some(file), Some(line), _) => format!("{file}:{line}"),
        _ => mark.function.clone(),
    }
}

pub(crate) fn what(mark: &Mark) -> String {
    match mark.kind {
        MarkKind::True => "the condition holds".into(),
        MarkKind::False => "the condition does not hold".into(),
        MarkKind::Case => format!("case {}", mark.case.as_deref().unwrap_or("?")),
        MarkKind::Default => "no case".into(),
        MarkKind::Line => "the line".into(),
        MarkKind::Function => format!("the function {}", mark.function),
        MarkKind::Sequence => "the last place".into(),
    }
}

fn object(answer: &Answer, coverage: &Coverage) -> Value {
    let places = coverage.places().map(|(mark, reached)| {
        let mut place = json!({
            "what": what(mark),
            "function": mark.function,
            "file": mark.file,
            "line": mark.line,
            "column": mark.column,
        });
        match reached {
            Reached::Covered(path) => {
                place["is"] = json!("covered");
                place["test"] = json!(coverage.test(*path));
            }
            Reached::Dead(why) => {
                place["is"] = json!("dead");
                place["why"] = json!(why);
            }
            Reached::Open(why) => {
                place["is"] = json!("open");
                place["why"] = json!(why);
            }
            Reached::Uncalled => place["is"] = json!("uncalled"),
        }
        place
    });
    let tests = coverage.tests.iter().map(|&path| {
        let inputs = &answer.replays[path].inputs;
        let values = inputs.iter().map(|input| json!({ "function": input.function, "value": input.value }));
        json!({ "inputs": values.collect::<Vec<_>>() })
    });
    json!({
        "of": coverage.of.name(),
        "places": places.collect::<Vec<_>>(),
        "tests": tests.collect::<Vec<_>>(),
        "assumptions": assumptions(answer),
    })
}
