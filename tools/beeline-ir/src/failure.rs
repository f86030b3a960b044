//! Failures of commands.

use beeline_ir::file::FileError;
use std::io;

/// The reason why a command stops.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The reader closed the output.
    Closed,
    /// An error for the user.
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
