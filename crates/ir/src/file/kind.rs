//! The kinds of files, and the versions of their layouts.

use std::fmt;

/// The kinds of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A program.
    Cfa,
    /// Distances to its targets.
    Dist,
    /// Its features.
    Feat,
    /// Features, times and outcomes of many programs.
    Hist,
    /// A learned selector.
    Sel,
    /// The result of a verification.
    Run,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 6] = [Kind::Cfa, Kind::Dist, Kind::Feat, Kind::Hist, Kind::Sel, Kind::Run];

    /// The ending of its files' names, and their tag in the header.
    pub fn ending(self) -> &'static str {
        match self {
            Kind::Cfa => "cfa",
            Kind::Dist => "dist",
            Kind::Feat => "feat",
            Kind::Hist => "hist",
            Kind::Sel => "sel",
            Kind::Run => "run",
        }
    }

    /// A description of its content.
    pub fn holds(self) -> &'static str {
        match self {
            Kind::Cfa => "a program",
            Kind::Dist => "distances",
            Kind::Feat => "features",
            Kind::Hist => "a history of runs",
            Kind::Sel => "a selector",
            Kind::Run => "the result of a verification",
        }
    }

    /// The tool that writes it.
    pub fn producer(self) -> &'static str {
        match self {
            Kind::Cfa => "beeline-lower",
            Kind::Dist => "beeline-annotate",
            Kind::Feat => "beeline-features",
            Kind::Hist => "beeline-campaign",
            Kind::Sel => "beeline-train",
            Kind::Run => "beeline-verify",
        }
    }

    /// Four letters, padded with zeros.
    pub(super) fn tag(self) -> [u8; 4] {
        let mut tag = [0; 4];
        tag[..self.ending().len()].copy_from_slice(self.ending().as_bytes());
        tag
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".{}", self.ending())
    }
}

/// The version of a kind's layout: readers take any minor version of their major version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Version {
    /// Changes when old readers can no longer read the file.
    pub major: u16,
    /// Changes when something is added that old readers may skip.
    pub minor: u16,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}
