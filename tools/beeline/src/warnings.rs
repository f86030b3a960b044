//! `beeline reach --warnings`: decides which warnings of another tool are real.
//!
//! One search finds the errors of the program: a warning at the line of an error is real. For the others, a
//! search decides whether an execution passes the lines of the warning.

use crate::answer::{Answer, Word};
use crate::arguments::ReachArguments;
use crate::copies::{Units, with_stack};
use crate::job::Job;
use crate::path::ErrorPath;
use crate::property::Property;
use crate::report::{at, violation};
use crate::targets::Severity;
use crate::{check, conditions, plist, reach, report};
use beeline_ir::file;
use beeline_options::GivenOption;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// Parts of the names that tools give to rules about what `--property all` looks for.
const FAULTS: [&str; 17] = [
    "arraybound",
    "arrayindex",
    "buffer-overflow",
    "bufferaccess",
    "bufferoverflow",
    "bufferoverrun",
    "deallocuse",
    "divide",
    "div-by-zero",
    "double-free",
    "doublefree",
    "integeroverflow",
    "null-dereference",
    "nulldereference",
    "nullpointer",
    "out-of-bounds",
    "zerodiv",
];

/// A line of a file.
type Line = (String, u32);

/// A visit of a line, and the branches there: where the statement or its condition begins, by the column, and
/// whether the condition holds.
#[derive(PartialEq, Eq)]
struct Visit {
    line: Line,
    branches: Vec<(u32, bool)>,
}

/// A warning.
struct Warning {
    /// Its text.
    text: String,
    /// Its rule.
    rule: String,
    /// Its path, which ends at the warning.
    path: Vec<Visit>,
}

/// The basis for decisions on warnings.
struct Decider<'a> {
    arguments: &'a ReachArguments,
    /// The answer on all errors of the program.
    everything: Answer,
    /// The assumptions of the decisions.
    assumptions: BTreeSet<String>,
}

/// The decision on a warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decision {
    /// It happens.
    Real,
    /// It does not.
    False,
    /// It is open.
    Open,
}

impl Decision {
    fn word(self) -> &'static str {
        match self {
            Decision::Real => "real",
            Decision::False => "false",
            Decision::Open => "open",
        }
    }
}

/// Decides all warnings of a file, prints what is known, and returns the exit code.
pub(crate) fn run(arguments: &ReachArguments, path: &Path) -> Result<u8, String> {
    let mut log = read(path)?;
    if let Some(output) = &arguments.check.sarif {
        file::expect_other(output, [path]).map_err(|error| error.to_string())?;
    }
    check::expect_outputs(&arguments.check)?;
    let mut decider = Decider::new(arguments)?;
    let mut decided = Vec::new();
    let mut text = String::new();
    for result in results(&mut log) {
        let Some(warning) = Warning::read(result) else { continue };
        let (decision, why) = decider.decide(&warning)?;
        let (name, line) = warning.place();
        let Warning { text: said, rule, .. } = &warning;
        let _ = writeln!(text, "{:5}  {name}:{line}: {said} [{rule}]\n       {why}", decision.word());
        note(result, decision, &why);
        decided.push(decision);
    }
    let count = |wanted| decided.iter().filter(|decision| **decision == wanted).count();
    let (real, no, open) = (count(Decision::Real), count(Decision::False), count(Decision::Open));
    if arguments.check.sarif.as_deref() != Some(Path::new("-")) {
        let all = decided.len();
        let rests = report::assumed(decider.assumptions);
        report::print(&format!("{text}{rests}warnings: {all}, {real} real, {no} false, {open} open\n"))?;
    }
    if let Some(output) = &arguments.check.sarif {
        file::write_bytes(output, format!("{log:#}\n").as_bytes()).map_err(|error| error.to_string())?;
    }
    Ok(match (real, open) {
        (1.., _) => Word::Unsafe.code(),
        (0, 1..) => Word::Unknown.code(),
        (0, 0) => Word::Safe.code(),
    })
}

fn read(path: &Path) -> Result<Value, String> {
    let shown = path.display();
    let bytes = file::read_bytes(path).map_err(|error| error.to_string())?;
    if plist::is_it(&bytes) {
        return plist::log(&bytes).map_err(|error| format!("{shown} is not a list of warnings: {error}"));
    }
    let log: Value =
        serde_json::from_slice(&bytes).map_err(|error| format!("{shown} is not SARIF: {error}"))?;
    match log["runs"].is_array() {
        true => Ok(log),
        false => Err(format!("{shown} is not SARIF: it has no runs")),
    }
}

fn results(log: &mut Value) -> impl Iterator<Item = &mut Value> {
    let runs = log["runs"].as_array_mut().into_iter().flatten();
    runs.filter_map(|run| run.get_mut("results")?.as_array_mut()).flatten()
}

impl Warning {
    fn read(result: &Value) -> Option<Warning> {
        let steps = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array();
        let steps = steps.into_iter().flatten().filter_map(|step| Visit::read(&step["location"]));
        let mut path: Vec<Visit> = Vec::new();
        for visit in steps.chain([Visit::read(&result["locations"][0])?]) {
            match path.last_mut() {
                // Several notes on a line are about one visit.
                Some(last) if last.line == visit.line => last.branches.extend(visit.branches),
                _ => path.push(visit),
            }
        }
        let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
        Some(Warning { text: text(&result["message"]["text"]), rule: text(&result["ruleId"]), path })
    }

    /// Where it is.
    fn place(&self) -> &Line {
        &self.path[self.path.len() - 1].line
    }

    /// The places of its path, as the user would write them: with the branches, if the program's text is given.
    fn places(&self, units: Option<&Units>) -> Vec<String> {
        let places = self.path.iter().map(|Visit { line: (file, line), branches }| {
            let mut told = branches.iter().filter_map(|&(column, taken)| {
                conditions::branch(units?, (file, *line as usize, column as usize), taken)
            });
            // Whether several that differ are those of one visit is not known.
            let branch = told.next().filter(|branch| told.all(|other| other == *branch));
            branch.unwrap_or_else(|| format!("{file}:{line}"))
        });
        places.collect()
    }
}

impl Visit {
    /// The visit of a location, with what clang's analyser says of branches.
    fn read(location: &Value) -> Option<Visit> {
        let physical = &location["physicalLocation"];
        let uri = physical["artifactLocation"]["uri"].as_str()?;
        let path = uri.strip_prefix("file://").unwrap_or(uri);
        let number = |name: &str| u32::try_from(physical["region"][name].as_u64()?).ok();
        let taken = match location["message"]["text"].as_str() {
            Some("Taking true branch" | "Assuming the condition is true") => Some(true),
            Some("Taking false branch" | "Assuming the condition is false") => Some(false),
            _ => None,
        };
        let branches = taken.and_then(|taken| Some((number("startColumn")?, taken))).into_iter().collect();
        Some(Visit { line: (path.to_string(), number("startLine")?), branches })
    }
}

impl Decider<'_> {
    /// Searches for the errors of the program.
    fn new(arguments: &ReachArguments) -> Result<Decider<'_>, String> {
        let mut job = Job::new(&arguments.check)?;
        if arguments.check.properties.is_empty() {
            job.properties = vec![Property::All];
        }
        if !job.search.iter().any(|given| given.name == "--first") {
            job.search.push(GivenOption { name: "--every".into(), value: None, is_path: false });
        }
        let everything = check::answer(&arguments.check, job, |_, _| Ok(()))?.0;
        let mut decider = Decider { arguments, everything, assumptions: BTreeSet::new() };
        decider.assumptions.extend(assumptions(&decider.everything));
        Ok(decider)
    }

    /// The decision on a warning, and the reason.
    fn decide(&mut self, warning: &Warning) -> Result<(Decision, String), String> {
        let wrong = wrong_at(&self.everything, warning.place());
        if let Some((what, Severity::Confirmed)) = &wrong {
            return Ok((Decision::Real, format!("{what} (confirmed)")));
        }
        let path = match self.path(warning) {
            Ok(answer) => answer,
            // A warning may be about a line that has no code.
            Err(why) => return Ok((Decision::Open, why)),
        };
        let is_shown = matches!(wrong, Some((_, Severity::Safe))) && self.is_looked_for(warning);
        Ok(match (path.word(), is_shown) {
            (Word::Safe, _) => {
                self.assumptions.extend(assumptions(&path));
                (Decision::False, format!("no execution follows its path ({})", path.remark()))
            }
            (_, true) => {
                let why = "no property of --property all is violated there";
                (Decision::False, format!("{why} ({})", self.everything.proof_remark()))
            }
            (Word::Unsafe, _) => {
                let why = "an execution follows its path, but whether the reported defect occurs is open";
                (Decision::Open, format!("{why} (path {})", path.remark()))
            }
            (Word::Unknown, _) => (Decision::Open, path.remark()),
        })
    }

    /// Whether an execution takes the path of a warning.
    fn path(&self, warning: &Warning) -> Result<Answer, String> {
        let mut asked = self.arguments.check.clone();
        asked.properties.clear();
        asked.sarif = None;
        let job = |places: &[String]| {
            let marks = reach::marks(places).into_iter().chain(["--skip-missing".to_string()]);
            Job::of_marks(&asked, marks.collect(), "--first")
        };
        let lines = warning.places(None);
        let plain = job(&lines)?;
        let branches = with_stack(|| Ok(warning.places(Some(&Units::new(&plain)?)))).unwrap_or_default();
        let mut branching = job(&branches)?;
        // The branches say more, where clang can be asked for them.
        let job = match conditions::put_in(&mut branching, &branches) {
            Ok(()) if branches.len() == lines.len() => branching,
            _ => plain,
        };
        Ok(check::answer(&asked, job, |_, _| Ok(()))?.0)
    }

    /// Whether a warning is about a property that was checked. One about an unused value is not, for example.
    fn is_looked_for(&self, warning: &Warning) -> bool {
        let properties = &self.arguments.check.properties;
        let rule = warning.rule.to_ascii_lowercase();
        (properties.is_empty() || properties.contains(&Property::All))
            && FAULTS.iter().any(|fault| rule.contains(fault))
    }
}

/// The assumptions of an answer.
fn assumptions(answer: &Answer) -> BTreeSet<String> {
    answer.result.as_ref().map(|(program, run)| run.assumptions(program)).unwrap_or_default()
}

/// The error at a line: the most severe of the targets there.
fn wrong_at(everything: &Answer, (wanted, number): &Line) -> Option<(String, Severity)> {
    let (program, run) = everything.result.as_ref()?;
    everything.targets().into_iter().find_map(|known| {
        let target = program.targets.iter().find(|target| target.loc == known.target)?;
        let found = known.path.and_then(|path| ErrorPath::follow(program, &run.paths[path]));
        let span = at(program, target, found.as_ref())?;
        let is_there = span.line == *number && is_same_file(&program.files[span.file], wanted);
        is_there.then(|| (violation(target, found.as_ref()), known.severity))
    })
}

/// Whether two file names have a common ending, so that they are the same file.
fn is_same_file(one: &str, other: &str) -> bool {
    Path::new(one).ends_with(other) || Path::new(other).ends_with(one)
}

/// Writes what is known of a warning beside it.
fn note(result: &mut Value, decision: Decision, why: &str) {
    result["properties"]["beeline"] = json!({ "decision": decision.word(), "why": why });
    if decision == Decision::False {
        let suppression = json!({ "kind": "external", "status": "accepted", "justification": why });
        match result["suppressions"].as_array_mut() {
            Some(known) => known.push(suppression),
            None => result["suppressions"] = json!([suppression]),
        }
    }
}
