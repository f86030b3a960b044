//! Coverage of a proof: the lines of the project that its executions reach.

use super::prepare::{self, Places};
use crate::arguments::CbmcArguments;
use crate::check;
use crate::cover::{Coverage, Of, assumptions, read};
use crate::cover_page;
use crate::marks::{Mark, Reached};
use beeline_cbmc::kit::Kit;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The greatest number of places in a table.
const NAMED: usize = 5;

/// The coverage of the lines of the project's functions that are called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Covered {
    /// The lines that a native execution reaches.
    pub reached: Vec<String>,
    /// The lines that no execution reaches.
    pub dead: Vec<String>,
    /// The open lines.
    pub open: Vec<String>,
}

/// Searches for executions from the harness that reach each line, and writes a page if pages are wanted.
pub(crate) fn of(
    arguments: &CbmcArguments,
    kit: &Kit,
    bitcode: &[u8],
    page: &str,
) -> Result<Covered, String> {
    let (parsed, job, _folder) = prepare::marked(kit, bitcode, arguments.time_limit.0, &Places::Lines)?;
    let (answer, marks) = check::answer(&parsed, job, read)?;
    let files: BTreeSet<PathBuf> = kit.project.iter().filter_map(|file| file.canonicalize().ok()).collect();
    let is_meant = |mark: &Mark| {
        let file = mark.file.as_ref().and_then(|file| Path::new(file).canonicalize().ok());
        file.is_some_and(|file| files.contains(&file))
    };
    let mut coverage = Coverage::new(&answer, marks, Of::Lines);
    coverage.retain(is_meant);
    if let Some(folder) = &arguments.html {
        let text = cover_page::page(&kit.name, &coverage, &assumptions(&answer), &answer.job.lines());
        super::pages::write(folder, &super::pages::coverage_name(page), &text)?;
    }
    Ok(Covered::new(&coverage))
}

impl Covered {
    fn new(coverage: &Coverage) -> Covered {
        let mut covered = Covered { reached: Vec::new(), dead: Vec::new(), open: Vec::new() };
        for (mark, reached) in coverage.places() {
            let place = || match (&mark.file, mark.line) {
                (Some(file), Some(line)) => format!("{file}:{line}"),
                _ => mark.function.clone(),
            };
            match reached {
                Reached::Covered(_) => covered.reached.push(place()),
                Reached::Dead(_) => covered.dead.push(place()),
                Reached::Open(_) => covered.open.push(place()),
                Reached::Uncalled => {}
            }
        }
        covered
    }

    /// The number of reached lines out of all.
    pub(crate) fn shares(&self) -> String {
        let all = self.reached.len() + self.dead.len() + self.open.len();
        format!("{} of {all}", self.reached.len())
    }

    /// The coverage as readable text.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("coverage: executions get to {} lines", self.shares())];
        for (what, places) in [("none gets to", &self.dead), ("not known of", &self.open)] {
            let more = match places.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(", and {more} more"),
            };
            if !places.is_empty() {
                lines.push(format!("  {what} {}{more}", places[..places.len().min(NAMED)].join(", ")));
            }
        }
        lines
    }
}
