//! What a run reads: the program, and distances that were measured before.

use beeline_engine::{Distances, Metric};
use beeline_graph::Annotation;
use beeline_ir::Program;
use beeline_ir::file::{self, FileError, Header};
use std::path::{Path, PathBuf};

/// A program as it was read.
pub(crate) struct Input {
    /// What messages call it.
    pub name: String,
    /// The program.
    pub program: Program,
    /// The header of the .cfa file; a text has none.
    pub header: Option<Header>,
}

/// Reads a program from a `.cfa` file or its textual form.
pub(crate) fn read_program(path: &str) -> Result<Input, String> {
    let name = if path == "-" { "the standard input".into() } else { path.to_string() };
    let bytes = file::read_bytes(path).map_err(|error| error.to_string())?;
    match file::peek_bytes(&name, &bytes) {
        Ok(_) => {
            let read = file::from_bytes::<Program>(&name, &bytes).map_err(|error| error.to_string())?;
            Ok(Input { name, program: read.body, header: Some(read.header) })
        }
        Err(FileError::Text { .. }) => {
            let text = String::from_utf8_lossy(&bytes);
            let program = beeline_ir::text::parse(&text).map_err(|faults| {
                let faults: Vec<String> = faults.iter().map(|fault| format!("{name}:{fault}")).collect();
                format!("{name} is not a program\n{}", faults.join("\n"))
            })?;
            Ok(Input { name, program, header: None })
        }
        Err(error) => Err(error.to_string()),
    }
}

/// Reads distances, which must have been measured in this very program and in these metrics.
pub(crate) fn read_distances(
    path: &PathBuf,
    input: &Input,
    metrics: impl Iterator<Item = Metric>,
) -> Result<Annotation, String> {
    let shown = path.display();
    let Some(header) = &input.header else {
        return Err(format!(
            "{shown} cannot be checked against {}, which is text; `beeline-ir assemble` makes a .cfa file from it",
            input.name
        ));
    };
    let read = file::read::<Annotation>(path).map_err(|error| error.to_string())?;
    file::expect_upstream(&shown.to_string(), &read.header, &input.name, header)
        .map_err(|error| error.to_string())?;
    for metric in metrics {
        if read.body.in_metric(metric).is_none() {
            let there: Vec<_> =
                read.body.distances.iter().map(|distances| distances.metric().name()).collect();
            return Err(format!(
                "{shown} has no distances in the metric {}, but in {}; choose with --metric",
                metric.name(),
                there.join(", ")
            ));
        }
    }
    Ok(read.body)
}

/// Distances that guide a search: those read, or else measured.
pub(crate) fn guide<'a>(
    program: &'a Program,
    read: Option<&Annotation>,
    metric: Metric,
) -> Result<Distances<'a>, String> {
    match read.and_then(|annotation| annotation.in_metric(metric)) {
        Some(distances) => Distances::given(program, distances.clone())
            .map_err(|error| format!("{error}; measure them with beeline-annotate")),
        None => Ok(Distances::new(program, metric)),
    }
}

/// Refuses a place for the result that cannot be written, before the work is done.
pub(crate) fn check_output(path: &Path) -> Result<(), String> {
    let file = path.display();
    if path.is_dir() {
        return Err(format!("{file} is a directory; name a file in it"));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => {
            Err(format!("{file} cannot be written: its directory does not exist"))
        }
        _ => Ok(()),
    }
}
