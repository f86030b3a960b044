//! The paths of the programs that a run executes.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The version of clang and of LLVM that Beeline is built for.
const LLVM: &str = "19";

/// The environment variable that names the compiler.
const CLANG_VARIABLE: &str = "BEELINE_CLANG";

/// A tool of Beeline: beside this program, or in a folder of PATH.
pub(crate) fn sibling(name: &str) -> Result<PathBuf, String> {
    let beside = std::env::current_exe().ok().and_then(|own| Some(own.parent()?.join(name)));
    let found = beside.filter(|path| path.is_file()).or_else(|| on_path(name));
    found.ok_or_else(|| format!("cannot find {name} next to this program or on PATH"))
}

/// The compiler: what `BEELINE_CLANG` names, or `clang-19`, or a `clang` of this version.
pub(crate) fn clang() -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os(CLANG_VARIABLE).filter(|named| !named.is_empty()) {
        let named = PathBuf::from(named);
        let found = if named.components().count() > 1 { Some(named.clone()) } else { on_path(&named) };
        let found = found.filter(|path| path.is_file());
        return found
            .ok_or_else(|| format!("{CLANG_VARIABLE} names {}, which is not a file", named.display()));
    }
    let versioned = on_path(format!("clang-{LLVM}"));
    let found = versioned.or_else(|| on_path("clang").filter(|path| is_our_version(path)));
    found.ok_or_else(|| {
        format!(
            "clang {LLVM} is missing: install it (Debian and Ubuntu: apt-get install clang-{LLVM}), or set {CLANG_VARIABLE} to its path"
        )
    })
}

/// The linker of bitcode that belongs to the compiler.
pub(crate) fn llvm_link(clang: &Path) -> Result<PathBuf, String> {
    let beside = clang.parent().map(|folder| folder.join("llvm-link")).filter(|path| path.is_file());
    let versioned = on_path(format!("llvm-link-{LLVM}"));
    versioned.or(beside).ok_or_else(|| {
        format!(
            "llvm-link-{LLVM} is missing, which links several files: install it \
             (Debian and Ubuntu: apt-get install llvm-{LLVM})"
        )
    })
}

fn is_our_version(clang: &Path) -> bool {
    let Ok(output) = Command::new(clang).arg("-dumpversion").output() else { return false };
    String::from_utf8_lossy(&output.stdout).split('.').next() == Some(LLVM)
}

fn on_path(name: impl AsRef<Path>) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name.as_ref())).find(|file| file.is_file())
}
