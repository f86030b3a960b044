//! Errors of files, each with advice on what to do about it.

use super::kind::{Kind, Version};
use std::io;

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum FileError {
    #[error("{file} does not exist; check the path")]
    Missing { file: String },
    #[error("{file} is a directory; name a file")]
    Directory { file: String },
    #[error("cannot read {file}: {error}")]
    Read { file: String, error: io::Error },
    #[error("cannot write {file}: {error}")]
    Write { file: String, error: io::Error },
    #[error("{file} is empty; create it again")]
    Empty { file: String },
    #[error("{file} is text, not a binary file of Beeline; `beeline-ir assemble` converts textual IR")]
    Text { file: String },
    #[error("{file} is binary, not textual IR; `beeline-ir dump` converts a .cfa file")]
    Binary { file: String },
    #[error("{file} is not a file of Beeline; check the path")]
    Foreigner { file: String },
    #[error("{file} has a kind that this program does not know; update Beeline")]
    UnknownKind { file: String },
    #[error("{file} is a {found} file ({}), but a {wanted} file ({}) is needed here", found.holds(), wanted.holds())]
    Kind { file: String, found: Kind, wanted: Kind },
    #[error("{file} has version {found} of the {kind} format, but this program reads only up to {}.x; update Beeline", known.major)]
    Newer { file: String, kind: Kind, found: Version, known: Version },
    #[error("{file} has version {found} of the {kind} format, but this program reads only {}; create it again with {}", majors(*oldest, *known), kind.producer())]
    Older { file: String, kind: Kind, found: Version, known: Version, oldest: u16 },
    #[error("{file} ends within its header; create it again")]
    Truncated { file: String },
    #[error("{file} is damaged ({what}); create it again with {}", kind.producer())]
    Damaged { file: String, what: String, kind: Kind },
    #[error("{file} was not made from {upstream}; create it again from that file with {maker}")]
    Foreign { file: String, upstream: String, maker: &'static str },
    #[error("cannot write {file}: {what}")]
    Invalid { file: String, what: String },
    #[error("{file} is not a program\n{faults}")]
    NoProgram { file: String, faults: String },
    #[error("{file} is an input and would be overwritten; choose another output file")]
    Overwritten { file: String },
    #[error("the output is binary and would go to a terminal; name a file with -o, or redirect it")]
    Terminal,
}

/// The major versions that are read.
fn majors(oldest: u16, known: Version) -> String {
    if oldest == known.major { format!("{oldest}.x") } else { format!("{oldest}.x to {}.x", known.major) }
}
