//! A result and its program, read from files that belong together.

use crate::execution::fits;
use beeline_ir::Program;
use beeline_ir::file::{self, FileError};
use beeline_run::Run;
use std::path::{Path, PathBuf};

/// A result with its program.
#[derive(Debug)]
pub struct Given {
    /// The program.
    pub program: Program,
    /// The result; the program has all parts that its counterexample names.
    pub run: Run,
}

/// The reason why files cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum GivenError {
    /// One of them cannot be read, or they do not belong together.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is no program.
    #[error("no {} next to the result; name the verified program with --cfa", .0.display())]
    NoProgram(PathBuf),
    /// The result names what the program does not have.
    #[error("{} is damaged: it names parts that its program does not have", .0.display())]
    Damaged(PathBuf),
}

impl Given {
    /// Reads a result and its program, by default the one beside it with the ending `.cfa`.
    pub fn read(result: &Path, program: Option<&Path>) -> Result<Given, GivenError> {
        let run = file::read::<Run>(result)?;
        let beside = result.with_extension("cfa");
        if program.is_none() && !beside.exists() {
            return Err(GivenError::NoProgram(beside));
        }
        let path = program.unwrap_or(&beside);
        let program = file::read_program(path)?;
        let names = [result, path].map(|path| path.display().to_string());
        file::expect_upstream(&names[0], &run.header, &names[1], &program.header)?;
        let given = Given { program: program.body, run: run.body };
        match given.run.path().is_none_or(|path| fits(&given.program, path)) {
            true => Ok(given),
            false => Err(GivenError::Damaged(result.into())),
        }
    }
}
