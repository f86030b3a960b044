//! Witnesses of SV-COMP in the format 2 (YAML), as they are read. Unsupported parts are refused, never
//! skipped.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// A witness.
#[derive(Debug)]
pub(crate) struct Witness {
    /// The task that it is about.
    pub task: Task,
    /// Its claim.
    pub claim: Claim,
}

/// The claim of a witness.
#[derive(Debug)]
pub(crate) enum Claim {
    /// The property holds, and so do these invariants.
    Correct(Vec<Invariant>),
    /// An execution that passes the waypoints in their order violates the property at the target.
    Violated(Vec<Waypoint>, Location),
}

/// The task that a witness is about.
#[derive(Debug, Deserialize)]
pub(crate) struct Task {
    /// The files of the program.
    pub input_files: Vec<String>,
    /// The SHA-256 hashes of their contents.
    pub input_file_hashes: BTreeMap<String, String>,
    /// The property.
    pub specification: String,
    /// The widths of types: ILP32 or LP64.
    pub data_model: String,
    /// The language.
    pub language: String,
}

/// A place in the source.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Location {
    /// The file.
    pub file_name: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1; without one, the first place of the line that can be meant.
    pub column: Option<usize>,
    /// The function that it is in.
    pub function: Option<String>,
    /// The hash of the file, which the task has too.
    pub file_hash: Option<String>,
}

/// Something that always holds at a place.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Invariant {
    /// Where.
    pub r#type: InvariantType,
    /// The place.
    pub location: Location,
    /// The condition.
    pub value: Scalar,
    /// The language of that.
    pub format: String,
}

/// The kind of place where an invariant holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum InvariantType {
    /// Whenever the condition of a loop is about to be evaluated.
    LoopInvariant,
    /// Whenever a statement is about to be executed.
    LocationInvariant,
}

/// A step of a violation, which goes on when it is passed.
#[derive(Debug)]
pub(crate) struct Waypoint {
    /// The number of waypoints that are passed before it.
    pub segment: usize,
    /// Whether it must not be passed.
    pub is_avoided: bool,
    /// The event that passes it.
    pub passing: Passing,
    /// The place.
    pub location: Location,
}

/// The event that passes a waypoint.
#[derive(Debug)]
pub(crate) enum Passing {
    /// A statement is about to be executed, and this holds.
    Assumption(String),
    /// A condition was evaluated, to this value.
    Branching(String),
    /// A function is about to be called.
    Enter,
    /// A function has returned, and this holds of `\result`.
    Return(Option<String>),
}

#[derive(Debug, Deserialize)]
struct Entry {
    entry_type: String,
    metadata: Metadata,
    #[serde(default)]
    content: Vec<Item>,
}

#[derive(Debug, Deserialize)]
struct Metadata {
    format_version: Scalar,
    task: Task,
}

/// A text, or what YAML takes for something else without quotes.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Scalar {
    /// A truth value.
    Truth(bool),
    /// A number.
    Number(i64),
    /// A number with a point.
    Float(f64),
    /// A text.
    Text(String),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Item {
    invariant: Option<Invariant>,
    segment: Option<Vec<Step>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    waypoint: Point,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Point {
    r#type: String,
    action: Action,
    location: Location,
    /// The thread that passes it, in format 2.2.
    thread_id: Option<u32>,
    constraint: Option<Constraint>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Action {
    Follow,
    Avoid,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Constraint {
    value: Scalar,
    format: Option<String>,
}

impl Witness {
    /// Reads a witness.
    pub(crate) fn read(path: &Path) -> Result<Witness, String> {
        let shown = path.display();
        let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
        if text.trim_start().starts_with('<') {
            return Err(format!(
                "{shown} is in the old format (GraphML); Beeline validates witnesses in format 2 (YAML)"
            ));
        }
        let entries: Vec<Entry> = serde_saphyr::from_str(&text).map_err(|error| {
            format!("{shown} is not a witness that Beeline can read: {}", error.without_snippet())
        })?;
        let [entry] = <[Entry; 1]>::try_from(entries)
            .map_err(|entries| format!("{shown} has {} entries instead of one", entries.len()))?;
        entry.witness().map_err(|why| format!("{shown}: {why}"))
    }
}

impl Entry {
    fn witness(self) -> Result<Witness, String> {
        let version = self.metadata.format_version.text();
        if !["2.0", "2", "2.1"].contains(&version.as_str()) {
            return Err(format!(
                "the format {version} is not supported; Beeline reads 2.0, and 2.1 where it is the same"
            ));
        }
        let claim = match self.entry_type.as_str() {
            "invariant_set" => invariants(self.content)?,
            "violation_sequence" => violation(self.content)?,
            other => {
                return Err(format!(
                    "the entry type {other} is not supported; Beeline reads invariant_set and violation_sequence"
                ));
            }
        };
        let mut task = self.metadata.task;
        task.specification = whole(&task.specification);
        let hashes: Vec<&String> = task.input_file_hashes.values().collect();
        let other =
            claim.locations().find(|at| at.file_hash.as_ref().is_some_and(|hash| !hashes.contains(&hash)));
        match other {
            Some(at) => Err(format!("{}: no file of the task has this hash", at.shown())),
            None => Ok(Witness { task, claim }),
        }
    }
}

impl Claim {
    fn locations(&self) -> Box<dyn Iterator<Item = &Location> + '_> {
        match self {
            Claim::Correct(invariants) => Box::new(invariants.iter().map(|invariant| &invariant.location)),
            Claim::Violated(waypoints, target) => {
                Box::new(waypoints.iter().map(|waypoint| &waypoint.location).chain([target]))
            }
        }
    }
}

/// A specification as it stands in property files. Witnesses may have its formula alone, which is about executions that
/// start in `main`.
fn whole(specification: &str) -> String {
    let specification = specification.trim();
    if specification.starts_with("G ") {
        format!("CHECK( init(main()), LTL({specification}) )")
    } else {
        specification.into()
    }
}

fn invariants(content: Vec<Item>) -> Result<Claim, String> {
    let invariant = |item: Item| match item {
        Item { invariant: Some(invariant), segment: None } if invariant.format == "c_expression" => {
            Ok(invariant)
        }
        Item { invariant: Some(invariant), segment: None } => {
            Err(format!("invariants in the format {} are not supported", invariant.format))
        }
        _ => Err("an invariant_set has an unknown entry".into()),
    };
    content.into_iter().map(invariant).collect::<Result<_, _>>().map(Claim::Correct)
}

fn violation(content: Vec<Item>) -> Result<Claim, String> {
    let mut waypoints = Vec::new();
    let mut target = None;
    for (segment, item) in content.into_iter().enumerate() {
        let Item { segment: Some(steps), invariant: None } = item else {
            return Err("a violation_sequence has an entry that is not a segment".into());
        };
        if target.is_some() {
            return Err("a segment comes after the one with the target".into());
        }
        let follows = steps.iter().filter(|step| step.waypoint.action == Action::Follow).count();
        let ends = steps.last().is_some_and(|step| step.waypoint.action == Action::Follow);
        if follows != 1 || !ends {
            return Err("a segment must have one waypoint with the action follow, as its last".into());
        }
        if steps.iter().any(|step| step.waypoint.thread_id.is_some()) {
            return Err("it has the turns of threads, which Beeline does not validate".into());
        }
        for Step { waypoint } in steps {
            let is_avoided = waypoint.action == Action::Avoid;
            let location = waypoint.location.clone();
            match (waypoint.r#type.as_str(), is_avoided) {
                ("target", false) if waypoint.constraint.is_none() => target = Some(location),
                _ => {
                    let passing = waypoint.passing()?;
                    waypoints.push(Waypoint { segment, is_avoided, passing, location });
                }
            }
        }
    }
    target.map(|target| Claim::Violated(waypoints, target)).ok_or_else(|| "the witness has no target".into())
}

impl Point {
    fn passing(self) -> Result<Passing, String> {
        let constraint = self.constraint.map(|constraint| {
            let format = constraint.format.unwrap_or_else(|| "c_expression".into());
            (constraint.value.text(), format)
        });
        match (self.r#type.as_str(), constraint) {
            ("assumption", Some((value, format))) if format == "c_expression" => {
                Ok(Passing::Assumption(value))
            }
            ("branching", Some((value, _))) => Ok(Passing::Branching(value)),
            ("function_enter", None) => Ok(Passing::Enter),
            ("function_return", None) => Ok(Passing::Return(None)),
            ("function_return", Some((value, _))) => Ok(Passing::Return(Some(value))),
            (kind, Some((value, format))) => Err(format!(
                "a waypoint of the type {kind} with the constraint {value} ({format}) is not supported"
            )),
            (kind, None) => {
                Err(format!("a waypoint of the type {kind} without a constraint is not supported"))
            }
        }
    }
}

impl Scalar {
    /// As it is written.
    pub(crate) fn text(&self) -> String {
        match self {
            Scalar::Truth(truth) => truth.to_string(),
            Scalar::Number(number) => number.to_string(),
            Scalar::Float(number) => format!("{number:?}"),
            Scalar::Text(text) => text.clone(),
        }
    }
}

impl Location {
    /// For a person.
    pub(crate) fn shown(&self) -> String {
        let column = self.column.map_or(String::new(), |column| format!(":{column}"));
        format!("{}:{}{column}", self.file_name, self.line)
    }
}
