//! The input of a run: the program, and distances that were measured before.

use beeline_engine::{Distances, Estimate, Metric};
use beeline_graph::Annotation;
use beeline_ir::Program;
use beeline_ir::file::{self, File};
use beeline_run::{Run, RunPrecision};
use std::path::{Path, PathBuf};

/// Reads distances, which must have been measured in the same program and in these metrics.
pub(crate) fn read_distances(
    path: &PathBuf,
    (program, file): (&str, &File<Program>),
    metrics: impl Iterator<Item = Metric>,
) -> Result<Annotation, String> {
    let shown = path.display();
    let read = file::read::<Annotation>(path).map_err(|error| error.to_string())?;
    file::expect_upstream(&shown.to_string(), &read.header, program, &file.header)
        .map_err(|error| error.to_string())?;
    for metric in metrics {
        if read.body.in_metric(metric).is_none() {
            let there: Vec<_> =
                read.body.distances.iter().map(|distances| distances.metric().name()).collect();
            return Err(format!(
                "{shown} has distances in {1}, not in {0}; choose one with --metric",
                metric.name(),
                there.join(", ")
            ));
        }
    }
    Ok(read.body)
}

/// Reads the precision of a result of the same program, if it has one.
pub(crate) fn read_precision(
    path: &Path,
    (program, file): (&str, &File<Program>),
) -> Result<Option<RunPrecision>, String> {
    let read = file::read::<Run>(path).map_err(|error| error.to_string())?;
    file::expect_upstream(&path.display().to_string(), &read.header, program, &file.header)
        .map_err(|error| error.to_string())?;
    Ok(read.body.precision)
}

/// Distances that guide a search: those read, or else measured.
pub(crate) fn guide<'a>(
    program: &'a Program,
    read: Option<&Annotation>,
    metric: Metric,
    estimate: Option<Estimate>,
) -> Result<Distances<'a>, String> {
    match read.and_then(|annotation| annotation.in_metric(metric)) {
        Some(distances) => Distances::given(program, distances.clone(), estimate)
            .map_err(|error| format!("{error}; measure distances with beeline-annotate")),
        None => Ok(Distances::estimated(program, metric, estimate.unwrap_or(Estimate::Efca))),
    }
}

/// Refuses a file for the result that cannot be written, before the search.
pub(crate) fn check_output(path: &Path) -> Result<(), String> {
    let file = path.display();
    if path.is_dir() {
        return Err(format!("{file} is a directory; name a file"));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => Err(format!("cannot write {file}: its directory does not exist")),
        _ => Ok(()),
    }
}
