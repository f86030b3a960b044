//! Proofs in folders as CBMC's starter kit has them.

use crate::driver::{Ran, beeline};
use tempfile::TempDir;

/// What each Makefile begins with, as the starter kit leaves it.
const MAKEFILE: &str = "\
PROOF_UID = shown
HARNESS_ENTRY = harness
PROOF_SOURCES += harness.c
DEFINES += -DCBMC=1 -DLIMIT=\"(4 + 4)\"
";

/// A folder with proofs, each a name with its files.
///
/// # Panics
/// If files cannot be written.
pub fn folder(proofs: &[(&str, &[(&str, &str)])]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, files) in proofs {
        let proof = folder.path().join(name);
        std::fs::create_dir(&proof).unwrap();
        std::fs::write(proof.join("Makefile"), MAKEFILE.replace("shown", name)).unwrap();
        for (file, text) in *files {
            let text = match *file {
                "Makefile" => MAKEFILE.replace("shown", name) + text,
                _ => text.to_string(),
            };
            std::fs::write(proof.join(file), text).unwrap();
        }
    }
    folder
}

/// What comes of one proof.
///
/// # Panics
/// If files cannot be written.
pub fn proof(files: &[(&str, &str)]) -> Ran {
    let folder = folder(&[("one", files)]);
    beeline(folder.path(), &["cbmc", "one", "--time-limit", "60s"])
}
