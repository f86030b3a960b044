//! The paths of the programs that a run executes.

use beeline_cli::versions::{NEWEST, OLDEST, numbered};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The environment variable that names the compiler.
pub(crate) const CLANG_VARIABLE: &str = "BEELINE_CLANG";

/// The compiler that the user chose.
static CHOSEN: OnceLock<PathBuf> = OnceLock::new();

/// A tool of Beeline: beside this program, or in a folder of PATH. Where it was built against a later LLVM alone, its name
/// ends with the version.
pub(crate) fn sibling(name: &str) -> Result<PathBuf, String> {
    let folder = std::env::current_exe().ok().and_then(|own| Some(own.parent()?.to_path_buf()));
    let beside = folder.as_ref().map(|folder| folder.join(name)).filter(|path| path.is_file());
    let found = beside.or_else(|| on_path(name));
    let found = found.or_else(|| numbered(&folder?, name, 0));
    found.ok_or_else(|| format!("cannot find {name} next to this program or on PATH"))
}

/// Has this program and the tools that it runs use a compiler.
pub(crate) fn choose(clang: &Path) -> Result<(), String> {
    let found = named("--clang", clang)?;
    // A second choice would be the same one: there is one command line.
    let _ = CHOSEN.set(found);
    Ok(())
}

/// The compiler that the user chose, if that was not by [`CLANG_VARIABLE`].
pub(crate) fn chosen() -> Option<&'static Path> {
    CHOSEN.get().map(PathBuf::as_path)
}

/// The compiler: what the user chose, or the newest whose files the tools read.
pub(crate) fn clang() -> Result<PathBuf, String> {
    if let Some(chosen) = chosen() {
        return Ok(chosen.to_path_buf());
    }
    if let Some(clang) = std::env::var_os(CLANG_VARIABLE).filter(|named| !named.is_empty()) {
        return named(CLANG_VARIABLE, Path::new(&clang));
    }
    let newest = newest();
    let versioned = (OLDEST..=newest).rev().find_map(|version| on_path(format!("clang-{version}")));
    let fits = |clang: &PathBuf| version(clang).is_some_and(|version| (OLDEST..=newest).contains(&version));
    versioned.or_else(|| on_path("clang").filter(fits)).ok_or_else(|| {
        let range = if newest > OLDEST { format!("{OLDEST} to {newest}") } else { OLDEST.to_string() };
        format!(
            "clang {range} is missing: install it (Debian and Ubuntu: apt-get install clang-{newest}), or set {CLANG_VARIABLE} to its path"
        )
    })
}

/// The newest version of LLVM whose files the tools read.
fn newest() -> u32 {
    let own = std::env::current_exe().ok();
    let folder = own.as_deref().and_then(Path::parent);
    if folder.is_some_and(|folder| numbered(folder, "beeline-lower", NEWEST).is_some()) {
        NEWEST
    } else {
        OLDEST
    }
}

/// A compiler by its name or path, which somebody gave.
fn named(who: &str, clang: &Path) -> Result<PathBuf, String> {
    let found = if clang.components().count() > 1 { Some(clang.to_path_buf()) } else { on_path(clang) };
    let found = found.filter(|path| path.is_file());
    found.ok_or_else(|| format!("{who} names {}, which is not a file", clang.display()))
}

/// A program of LLVM's that belongs to a compiler, such as its linker of bitcode.
pub(crate) fn of_llvm(clang: &Path, name: &str, what: &str) -> Result<PathBuf, String> {
    let folder = clang.canonicalize().ok().and_then(|clang| Some(clang.parent()?.to_path_buf()));
    let beside = folder.map(|folder| folder.join(name)).filter(|path| path.is_file());
    beside.map_or_else(
        || {
            let version = version(clang).unwrap_or(NEWEST);
            on_path(format!("{name}-{version}")).ok_or_else(|| {
                format!(
                    "{name}-{version} is missing, which {what}: install it \
                     (Debian and Ubuntu: apt-get install llvm-{version})"
                )
            })
        },
        Ok,
    )
}

/// The linker of bitcode that belongs to the compiler.
pub(crate) fn llvm_link(clang: &Path) -> Result<PathBuf, String> {
    of_llvm(clang, "llvm-link", "links several files")
}

/// The first number of a compiler's version.
fn version(clang: &Path) -> Option<u32> {
    let output = Command::new(clang).arg("-dumpversion").output().ok()?;
    String::from_utf8_lossy(&output.stdout).split('.').next()?.trim().parse().ok()
}

fn on_path(name: impl AsRef<Path>) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name.as_ref())).find(|file| file.is_file())
}
