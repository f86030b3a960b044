//! Resuming: proofs with an answer are not run again. The row of each is kept in a folder, with a digest of
//! all that it depends on.

use super::prepare;
use super::row::Row;
use crate::answer::Word;
use crate::arguments::CbmcArguments;
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

/// A digest of the inputs of a proof: its options, its preprocessed files, and this program.
fn inputs(arguments: &CbmcArguments, kit: &Kit) -> Result<String, String> {
    let asked = format!(
        "{} {kit:?} {} {} {:?}",
        env!("CARGO_PKG_VERSION"),
        arguments.ignore_contracts,
        arguments.coverage,
        arguments.html
    );
    let mut parts = vec![asked.into_bytes()];
    for file in kit.project.iter().chain(&kit.proof) {
        parts.push(prepare::preprocessed(kit, file)?);
    }
    Ok(digest(&parts))
}

fn digest(parts: &[Vec<u8>]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
