//! Places that were marked by `beeline-mark`, and their coverage.

use crate::answer::Answer;
use crate::targets::{Severity, TargetAnswer};
use beeline_ir::Target;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The file with the list of marks, in the folder of a run.
pub(crate) const LIST: &str = "marks.json";

/// A marked place, as `beeline-mark` lists it.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Mark {
    /// What is there.
    pub kind: MarkKind,
    /// The value of a switch's case.
    pub case: Option<String>,
    /// The function that it is in.
    pub function: String,
    /// The file.
    pub file: Option<String>,
    /// The line.
    pub line: Option<u32>,
    /// The column.
    pub column: Option<u32>,
}

/// What is at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MarkKind {
    /// A branch whose condition holds.
    True,
    /// One whose condition does not hold.
    False,
    /// A switch at one of its values.
    Case,
    /// A switch at another value.
    Default,
    /// A line.
    Line,
    /// The beginning of a function.
    Function,
    /// The end of a sequence of places.
    Sequence,
}

/// The coverage of a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reached {
    /// An execution reaches it: the native run of the path with an index.
    Covered(usize),
    /// No execution reaches it, for a reason.
    Dead(String),
    /// It is open, for a reason.
    Open(String),
    /// It is in a function that is never called from the entry.
    Uncalled,
}

/// The number of the mark that a target is.
pub(crate) fn number(target: &Target) -> Option<usize> {
    target.name.split(' ').nth(1)?.parse().ok()
}

/// The coverage of all places, by their numbers.
pub(crate) fn known(answer: &Answer, marks: &[Mark]) -> Vec<Reached> {
    let passed = passed(answer);
    let targets = answer.targets();
    let of_target = |known: &TargetAnswer| {
        let (program, _) = answer.result.as_ref()?;
        number(program.targets.iter().find(|target| target.loc == known.target)?)
    };
    let mut targets_of: BTreeMap<usize, Vec<&TargetAnswer>> = BTreeMap::new();
    for known in &targets {
        if let Some(number) = of_target(known) {
            targets_of.entry(number).or_default().push(known);
        }
    }
    let of_mark = |number: usize| {
        if let Some(&path) = passed.get(&number) {
            return Reached::Covered(path);
        }
        let Some(pieces) = targets_of.get(&number) else { return unmet(answer, &marks[number]) };
        // A place may have several pieces: it is dead if all are.
        match pieces.iter().find(|piece| piece.severity != Severity::Safe) {
            Some(piece) => Reached::Open(piece.remark.clone()),
            None => Reached::Dead(pieces[0].remark.clone()),
        }
    };
    (0..marks.len()).map(of_mark).collect()
}

/// The coverage of a place that the program does not have.
fn unmet(answer: &Answer, mark: &Mark) -> Reached {
    let Some((program, _)) = answer.result.as_ref() else {
        return Reached::Open(answer.reason.clone().unwrap_or_default());
    };
    let is_called = program.functions.values().any(|function| function.name == mark.function);
    if is_called { Reached::Dead("no path leads there".into()) } else { Reached::Uncalled }
}

/// The places that native runs reached, with the first run of each.
fn passed(answer: &Answer) -> BTreeMap<usize, usize> {
    let mut passed = BTreeMap::new();
    for (path, replay) in answer.replays.iter().enumerate() {
        for &number in &replay.passed {
            passed.entry(number as usize).or_insert(path);
        }
    }
    passed
}
