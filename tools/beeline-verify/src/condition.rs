//! Residual conditions of earlier results, from which a run continues.

use crate::report;
use beeline_engine::outcome::run::seen_in;
use beeline_engine::{Earlier, Link, Seen};
use beeline_ir::file::{self, File};
use beeline_ir::{LocId, Program};
use beeline_run::parts::Remaining;
use beeline_run::rest::{self, Filed, RestId};
use beeline_run::{Run, RunPrecision};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The residual conditions of earlier results.
#[derive(Debug, Clone)]
pub(crate) struct Left {
    /// The results, the last one first.
    files: Arc<Vec<File<Run>>>,
    /// The residual condition of the last result that has one, after those that it relies on.
    pub earlier: Vec<Earlier>,
}

impl Left {
    /// Reads results, the last one first, with those that it relies on; they have to be of the same program.
    pub(crate) fn read(
        paths: &[PathBuf],
        (program, file): (&str, &File<Program>),
    ) -> Result<Option<Left>, String> {
        let mut files = Vec::new();
        for path in paths {
            let read = file::read::<Run>(path).map_err(|error| error.to_string())?;
            let shown = path.display().to_string();
            file::expect_upstream(&shown, &read.header, program, &file.header)
                .map_err(|error| error.to_string())?;
            files.push(read);
        }
        if files.is_empty() {
            return Ok(None);
        }
        let results = filed(&files);
        expect_whole(&paths[0], &results)?;
        let chain = rest::left(&results).map_err(|error| format!("{}: {error}", paths[0].display()))?;
        if chain.is_empty() {
            report::complain(&format!("{} has no residual condition", paths[0].display()));
        }
        expect_needed(paths, &results, &chain);
        let earlier = |(id, left): (RestId, Remaining<'_>)| Earlier {
            link: Link { run: results[id.run].digest, rest: id.rest },
            rest: Arc::new(left.rest.clone()),
            only: left.only.map(Arc::from),
        };
        let earlier = chain.into_iter().map(earlier).collect();
        Ok(Some(Left { files: Arc::new(files), earlier }))
    }

    /// The results, for the check of proofs that rely on them.
    pub(crate) fn results(&self) -> Vec<Filed<'_>> {
        filed(&self.files)
    }

    /// The callees that were seen at calls through pointers.
    pub(crate) fn seen(&self) -> Seen {
        seen_in(self.files.iter().rev().map(|file| &file.body))
    }

    /// Adds the known verdicts to a result.
    pub(crate) fn complete(&self, run: &mut Run) {
        if let Some(last) = self.files.first() {
            run.take_over(&last.body, last.header.digest);
            run.restrict(&last.body.parts);
        }
    }

    /// The precision of the last search that recorded one.
    pub(crate) fn looked(&self) -> Option<&RunPrecision> {
        self.files.iter().find_map(|file| file.body.precision.as_ref())
    }

    /// Those of some targets that have no answer.
    pub(crate) fn open_among(&self, targets: &BTreeSet<LocId>) -> BTreeSet<LocId> {
        self.files.first().map_or_else(|| targets.clone(), |last| last.body.open_among(targets))
    }
}

/// Refuses a part whose whole is not given.
fn expect_whole(path: &Path, results: &[Filed<'_>]) -> Result<(), String> {
    let is_given = |digest| results.iter().any(|filed| filed.digest == Some(digest));
    match results[0].run.parts.iter().find(|part| !is_given(part.run)) {
        Some(part) => Err(format!("{}: {}", path.display(), rest::Broken::NotGiven(part.run))),
        None => Ok(()),
    }
}

/// Refuses results that no other one relies on, as when the last one does not come first.
fn expect_needed(paths: &[PathBuf], results: &[Filed<'_>], chain: &[(RestId, Remaining<'_>)]) {
    for (index, path) in paths.iter().enumerate().skip(1) {
        let is_named = |other: &Filed<'_>| {
            rest::named(other.run).into_iter().any(|named| Some(named) == results[index].digest)
        };
        if !chain.iter().any(|(id, _)| id.run == index) && !results.iter().any(is_named) {
            report::complain(&format!(
                "{} is not needed: no other given result builds on it; give the latest result first",
                path.display()
            ));
        }
    }
}

fn filed(files: &[File<Run>]) -> Vec<Filed<'_>> {
    files.iter().map(|file| Filed { digest: Some(file.header.digest), run: &file.body }).collect()
}
