//! The compiler for native programs.

use beeline_cli::versions::NEWEST;
use beeline_llvm::LLVM;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

/// Its name: that of BEELINE_CLANG, if it reads what this LLVM writes, or the one of this LLVM, or a later one.
pub(crate) fn compiler() -> &'static str {
    static FOUND: OnceLock<String> = OnceLock::new();
    FOUND.get_or_init(find)
}

fn find() -> String {
    let named = std::env::var("BEELINE_CLANG").ok().filter(|named| !named.is_empty());
    if let Some(named) = named.as_ref().filter(|named| version(named).is_none_or(|version| version >= LLVM)) {
        return named.clone();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_there = |name: &String| std::env::split_paths(&path).any(|folder| folder.join(name).is_file());
    let versions = (LLVM..=NEWEST).map(|version| format!("clang-{version}"));
    let found = versions.into_iter().find(is_there).or(named);
    found.unwrap_or_else(|| format!("clang-{LLVM}"))
}

/// The first number of a compiler's version.
fn version(clang: impl AsRef<Path>) -> Option<u32> {
    let output = Command::new(clang.as_ref()).arg("-dumpversion").output().ok()?;
    String::from_utf8_lossy(&output.stdout).split('.').next()?.trim().parse().ok()
}
