//! Resuming: proofs with an answer are not run again. The row of each is kept in a folder, with a digest of
//! all that it depends on.

use super::prepare;
use super::row::Row;
use crate::answer::Word;
use crate::arguments::CbmcArguments;
use crate::tools;
use beeline_cbmc::kit::Kit;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// The file of a kept proof.
pub(crate) struct Kept {
    path: PathBuf,
    inputs: String,
}

/// The content of the file.
#[derive(Serialize, Deserialize)]
struct Content {
    /// A digest of its inputs.
    inputs: String,
    row: Row,
}

impl Kept {
    /// The file of a proof, if proofs are kept.
    pub(crate) fn new(arguments: &CbmcArguments, folder: &Path, kit: &Kit) -> Result<Option<Kept>, String> {
        let Some(kept) = &arguments.resume else { return Ok(None) };
        let place = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
        let place = digest(&[place.display().to_string().into_bytes()]);
        let path = kept.join(format!("{}-{}.json", crate::job::file_name(folder), &place[..8]));
        Ok(Some(Kept { path, inputs: inputs(arguments, kit)? }))
    }

    /// The row of the proof, if it was answered and its inputs have not changed.
    pub(crate) fn row(&self, page: &str) -> Option<Row> {
        let content: Content = serde_json::from_slice(&std::fs::read(&self.path).ok()?).ok()?;
        let is_answered = content.row.is(Some(Word::Safe)) || content.row.is(Some(Word::Unsafe));
        // Its pages have to exist in the folder that is wanted now.
        (is_answered && content.inputs == self.inputs && content.row.page == page).then_some(content.row)
    }

    /// Keeps the row of the proof.
    pub(crate) fn write(self, row: &Row) -> Result<(), String> {
        let content = Content { inputs: self.inputs, row: row.clone() };
        let text = serde_json::to_string_pretty(&content).map_err(|error| error.to_string())?;
        beeline_ir::file::write_bytes(&self.path, text.as_bytes()).map_err(|error| error.to_string())
    }
}

/// The tools that an answer depends on, beside this program.
const TOOLS: [&str; 8] = [
    "beeline-dialect",
    "beeline-mark",
    "beeline-lower",
    "beeline-annotate",
    "beeline-features",
    "beeline-verify",
    "beeline-replay",
    "beeline-check-proof",
];

/// A digest of the inputs of a proof: its options, its preprocessed files, and the programs that answer.
fn inputs(arguments: &CbmcArguments, kit: &Kit) -> Result<String, String> {
    let asked = format!(
        "{} {kit:?} {} {} {:?}",
        env!("CARGO_PKG_VERSION"),
        arguments.ignore_contracts,
        arguments.coverage,
        arguments.html
    );
    let mut parts = vec![asked.into_bytes()];
    parts.extend(programs()?.iter().map(|path| stamp(path)).collect::<Result<Vec<_>, _>>()?);
    for file in kit.project.iter().chain(&kit.proof) {
        parts.push(prepare::preprocessed(kit, file)?);
    }
    Ok(digest(&parts))
}

/// All programs that an answer depends on.
fn programs() -> Result<Vec<PathBuf>, String> {
    let own = std::env::current_exe().map_err(|error| format!("this program is not found: {error}"))?;
    let clang = tools::clang()?;
    let mut programs = vec![own, tools::llvm_link(&clang)?, clang];
    for name in TOOLS {
        programs.push(tools::sibling(name)?);
    }
    Ok(programs)
}

/// The version of a program: where it is, its size, and when it was changed.
fn stamp(path: &Path) -> Result<Vec<u8>, String> {
    let told = |error| format!("cannot read {}: {error}", path.display());
    let place = path.canonicalize().map_err(told)?;
    let data = place.metadata().map_err(told)?;
    let time = data.modified().map_err(told)?;
    Ok(format!("{} {} {time:?}", place.display(), data.len()).into_bytes())
}

fn digest(parts: &[Vec<u8>]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, SystemTime};

    #[test]
    fn a_program_of_another_size_or_time_is_another_version() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("tool");
        let write = |text: &str, seconds: u64| {
            std::fs::write(&path, text).unwrap();
            let file = std::fs::File::options().write(true).open(&path).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
            stamp(&path).unwrap()
        };
        let first = write("one", 1);
        assert_eq!(write("two", 1), first);
        assert_ne!(write("three", 1), first);
        assert_ne!(write("one", 2), first);
        // A link is the program that it leads to.
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert_eq!(stamp(&link).unwrap(), stamp(&path).unwrap());
    }
}
