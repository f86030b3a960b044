//! How much is covered, by file and function.

use super::Coverage;
use crate::marks::Reached;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The greatest number of functions that are named.
const NAMED: usize = 8;

/// How many places are what.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Count {
    pub covered: usize,
    pub dead: usize,
    pub open: usize,
}

/// The places of a file.
#[derive(Default)]
pub(crate) struct File<'c> {
    pub all: Count,
    pub functions: BTreeMap<&'c str, Count>,
}

impl Count {
    fn add(&mut self, reached: &Reached) {
        match reached {
            Reached::Covered(_) => self.covered += 1,
            Reached::Dead(_) => self.dead += 1,
            Reached::Open(_) => self.open += 1,
            Reached::Uncalled => {}
        }
    }

    /// The number of all places.
    pub(crate) fn all(&self) -> usize {
        self.covered + self.dead + self.open
    }

    /// The share that is covered of what is not dead, in percent, rounded down.
    pub(crate) fn share(&self) -> Option<usize> {
        (100 * self.covered).checked_div(self.covered + self.open)
    }

    /// Whether each place is covered.
    fn is_full(&self) -> bool {
        self.dead + self.open == 0
    }
}

/// The numbers of each file and its functions, without functions that nothing calls. Functions themselves have no file.
pub(crate) fn files(coverage: &Coverage) -> BTreeMap<&str, File<'_>> {
    let mut files: BTreeMap<&str, File<'_>> = BTreeMap::new();
    for (mark, reached) in coverage.places().filter(|(_, reached)| **reached != Reached::Uncalled) {
        let Some(file) = mark.file.as_deref() else { continue };
        let file = files.entry(file).or_default();
        file.all.add(reached);
        file.functions.entry(&mark.function).or_default().add(reached);
    }
    files
}

/// A line on the functions that nothing calls, if there are such.
pub(crate) fn uncalled(coverage: &Coverage) -> Option<String> {
    let places = coverage.places().filter(|(_, reached)| **reached == Reached::Uncalled);
    let functions: BTreeSet<&str> = places.map(|(mark, _)| mark.function.as_str()).collect();
    let mut named: Vec<&str> = functions.iter().copied().take(NAMED).collect();
    let more = format!("{} more", functions.len() - named.len());
    if functions.len() > NAMED {
        named.push(&more);
    }
    (!functions.is_empty())
        .then(|| format!("Not counted, as the entry never calls them: {}", named.join(", ")))
}

/// The numbers as a table for terminals: all files, and the functions that are not covered completely.
pub(crate) fn table(coverage: &Coverage) -> String {
    let mut rows = Vec::new();
    for (file, File { all, functions }) in files(coverage) {
        rows.push((file.to_string(), all));
        let partly = functions.into_iter().filter(|(_, count)| !count.is_full());
        rows.extend(partly.map(|(function, count)| (format!("  {function}"), count)));
    }
    if rows.is_empty() {
        return String::new();
    }
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let mut text = format!("{:width$}  {:>9}     covered  dead  open\n", "", coverage.of.name());
    for (name, count) in rows {
        let (all, Count { covered, dead, open }) = (count.all(), count);
        let share = count.share().map_or_else(|| "-".into(), |share| format!("{share} %"));
        let covered = format!("{covered:>4} {share:>5}");
        let _ = writeln!(text, "{name:width$}  {all:>9}  {covered:>10}  {dead:>4}  {open:>4}");
    }
    text
}
