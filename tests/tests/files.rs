//! The file tests under `tests/file`, each a test of its own; `beeline_tests::file_tests` tells how they are written.

use beeline_tests::file_tests::{check, files_under, mode};
use libtest_mimic::{Arguments, Trial};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match trials() {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(fault) => {
            eprintln!("{fault}");
            ExitCode::FAILURE
        }
    }
}

fn trials() -> Result<Vec<Trial>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("file");
    let mode = mode()?;
    let files = files_under(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    if files.is_empty() {
        return Err(format!("there are no file tests in {}", folder.display()));
    }
    let trial = |path: std::path::PathBuf| {
        let name = path.strip_prefix(&folder).unwrap_or(&path).display().to_string();
        Trial::test(name, move || check(&path, mode).map_err(Into::into))
    };
    Ok(files.into_iter().map(trial).collect())
}
