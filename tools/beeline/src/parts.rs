//! `beeline split` and `beeline join`: the residual condition of a result is split among runs, which may run
//! at the same time, and their results are joined.

use crate::arguments::{JoinArguments, SplitArguments};
use crate::report::print;
use beeline_ir::file::{self, File};
use beeline_run::rest::Filed;
use beeline_run::split::{join, split};
use beeline_run::{Run, RunVerdict};
use std::path::{Path, PathBuf};

fn read(path: &Path) -> Result<File<Run>, String> {
    file::read::<Run>(path).map_err(|error| error.to_string())
}

fn filed(file: &File<Run>) -> Filed<'_> {
    Filed { digest: Some(file.header.digest), run: &file.body }
}

/// Writes the parts, and returns the exit code.
pub(crate) fn share(arguments: &SplitArguments) -> Result<u8, String> {
    let shown = arguments.result.display();
    let program = file::read_program(&arguments.program).map_err(|error| error.to_string())?;
    let whole = read(&arguments.result)?;
    let program_shown = arguments.program.display().to_string();
    file::expect_upstream(&shown.to_string(), &whole.header, &program_shown, &program.header)
        .map_err(|error| error.to_string())?;
    let parts = split(&program.body, filed(&whole), arguments.number);
    let parts = parts.map_err(|error| format!("{shown} {error}"))?;
    for (part, number) in parts.iter().zip(1..) {
        let path = arguments.result.with_extension(format!("{number}.run"));
        file::write(&path, part, whole.header.upstream).map_err(|error| error.to_string())?;
        print(&format!("{}\n", path.display()))?;
    }
    Ok(0)
}

/// Writes the joined result, and returns the exit code.
pub(crate) fn put_together(arguments: &JoinArguments) -> Result<u8, String> {
    let whole = read(&arguments.result)?;
    let parts = arguments.parts.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
    let inputs = arguments.parts.iter().chain([&arguments.result]).map(PathBuf::as_path);
    file::expect_other(&arguments.output, inputs).map_err(|error| error.to_string())?;
    if let Some(index) = parts.iter().position(|part| part.header.upstream != whole.header.upstream) {
        let (part, whole) = (arguments.parts[index].display(), arguments.result.display());
        return Err(format!("{part} and {whole} belong to different programs"));
    }
    let filed_parts: Vec<Filed<'_>> = parts.iter().map(filed).collect();
    let joined = join(filed(&whole), &filed_parts).map_err(|(which, error)| {
        let path = which.map_or(&arguments.result, |index| &arguments.parts[index]);
        format!("{} {error}", path.display())
    })?;
    file::write(&arguments.output, &joined, whole.header.upstream).map_err(|error| error.to_string())?;
    let (word, code) = match &joined.verdict {
        RunVerdict::Safe => ("safe".to_string(), 0),
        RunVerdict::Unsafe => ("unsafe".to_string(), 1),
        RunVerdict::Unknown(reason) => (format!("unknown ({reason})"), 3),
    };
    print(&format!("verdict: {word}\n")).map(|()| code)
}
