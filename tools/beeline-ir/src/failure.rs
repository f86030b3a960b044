//! How a command ends when it does not succeed.

use beeline_ir::file::FileError;
use std::io;

/// Why a command stops.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Whoever read the output has seen enough.
    Closed,
    /// Something that the user should know.
    Message(String),
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        match error {
            FileError::Write { error, .. } if error.kind() == io::ErrorKind::BrokenPipe => Failure::Closed,
            error => Failure::Message(error.to_string()),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Message(format!("cannot write the output: {error}")),
        }
    }
}
