//! Places of checks: where a function begins, and the statements that begin in a line.

use crate::conditions::statement;
use crate::copies::{Text, Unit, Units};
use crate::entry::defined;
use crate::statement::{Gap, first};
use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;

/// A place that a person names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// The beginning of a function.
    Function(String),
    /// The first statement of a line of a file.
    Line(String, usize),
}

impl Place {
    /// Reads `function NAME` or `FILE:LINE`.
    pub(super) fn parse(text: &str) -> Result<Place, String> {
        let text = text.trim();
        let is_name = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
        if let Some(name) = text.strip_prefix("function ").map(str::trim).filter(|name| is_name(name)) {
            return Ok(Place::Function(name.into()));
        }
        let line = text.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
        match line {
            Some((file, line)) if !file.is_empty() => Ok(Place::Line(file.into(), line)),
            _ => Err(format!("{text} is not a place; write `function NAME` or `FILE:LINE`")),
        }
    }

    /// Where it is in the files of a program: once, or once for each function of the name.
    pub(super) fn find(&self, units: &Units) -> Result<Vec<(PathBuf, Gap)>, String> {
        let mut found: Vec<(PathBuf, Gap)> = Vec::new();
        for unit in &units.units {
            let Some((path, gap)) = self.of(unit) else { continue };
            let gap = gap.map_err(|why| format!("no condition can be inserted there: {why}"))?;
            if !found.contains(&(path.clone(), gap.clone())) {
                found.push((path, gap));
            }
            if matches!(self, Place::Line(..)) {
                break;
            }
        }
        if !found.is_empty() {
            return Ok(found);
        }
        let late = if units.have_bitcode { "; conditions need C files, not bitcode" } else { "" };
        Err(match self {
            Place::Function(name) => format!("no C file of the program defines {name}{late}"),
            Place::Line(..) => format!("no statement of a C file begins in that line{late}"),
        })
    }

    /// The file of the place in a unit, and where a check stands there, if that is possible.
    fn of(&self, unit: &Unit) -> Option<(PathBuf, Result<Gap, &'static str>)> {
        let (statement, text) = match self {
            Place::Function(name) => {
                let name_at = defined(&unit.tree.root, name)?.name_at?;
                let body = first(&unit.tree, &|token| token == name_at)?;
                let file = unit.tree.files.get(body.file())?;
                (body, Text::of(file, file)?)
            }
            Place::Line(file, line) => {
                let (statement, text, _) = statement(unit, file, *line)?;
                (statement, text)
            }
        };
        Some((text.path, statement.gap(&text.bytes)))
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Place::Function(name) => write!(f, "where {name} begins"),
            Place::Line(file, line) => write!(f, "{file}:{line}"),
        }
    }
}
