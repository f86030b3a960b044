//! Tools that are built against several versions of LLVM: TOOL against the oldest, TOOL-VERSION against a later one,
//! beside each other. One that is given a file of a later LLVM goes on as the other.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The newest version of LLVM whose files the tools without a number read, and the oldest clang that is used.
pub const OLDEST: u32 = 19;

/// The newest version of LLVM for which there are tools, with that number in their names.
pub const NEWEST: u32 = 22;

/// The tool in a folder that reads what a version of LLVM wrote, or a later one.
pub fn numbered(folder: &Path, tool: &str, version: u32) -> Option<PathBuf> {
    let path = folder.join(format!("{tool}-{NEWEST}"));
    (version <= NEWEST && path.is_file()).then_some(path)
}

/// Goes on as the same tool for a later LLVM, if a file of that version needs it and it is there. The file must not be the
/// standard input, which has been read.
pub fn hand_over(tool: &str, own: u32, version: u32, file: &Path) {
    if version <= own || file.as_os_str() == "-" {
        return;
    }
    let folder = std::env::current_exe().ok().and_then(|own| Some(own.parent()?.to_path_buf()));
    if let Some(other) = folder.and_then(|folder| numbered(&folder, tool, version)) {
        // It returns only if that fails; then the reader says what it cannot read.
        let _ = Command::new(other).args(std::env::args_os().skip(1)).exec();
    }
}
