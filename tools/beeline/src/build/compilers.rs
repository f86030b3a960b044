//! The compilers that a build may call, and the programs that replace them: those by the usual names, those of PATH with
//! a version or a target in their names, and what the build's command or environment calls CC.

use super::COMPILE;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The names of compilers in builds; the first is what CC says by default.
const COMPILERS: [&str; 6] = ["cc", "gcc", "clang", "c99", "c89", "c17"];
/// How words of a build's command begin that name a compiler.
const NAMING: [&[u8]; 3] = [b"CC=", b"-DCMAKE_C_COMPILER=", b"-DCMAKE_C_COMPILER:FILEPATH="];

/// A folder of programs that stand for compilers. It is the same for each build of a user, because what configures a build
/// writes the path of the compiler down.
pub(super) struct Compilers {
    folder: PathBuf,
    names: BTreeSet<OsString>,
}

impl Compilers {
    /// Replaces the usual compilers, and those of PATH.
    pub(super) fn new() -> Result<Compilers, String> {
        let folder = cache()
            .ok_or("cannot find a folder for replacements of compilers: set XDG_CACHE_HOME or HOME")?;
        let mut compilers = Compilers { folder: folder.join("beeline/compilers"), names: BTreeSet::new() };
        let path = std::env::var_os("PATH").unwrap_or_default();
        let entries =
            std::env::split_paths(&path).filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
        let on_path = entries.flatten().map(|entry| entry.file_name()).filter(|name| is_compiler(name));
        on_path.chain(COMPILERS.map(OsString::from)).try_for_each(|name| compilers.add(&name))?;
        Ok(compilers)
    }

    fn add(&mut self, name: &OsStr) -> Result<(), String> {
        if !self.names.insert(name.to_os_string()) {
            return Ok(());
        }
        let own = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
        let text = format!("#!/bin/sh\nexec '{}' {COMPILE} \"$@\"\n", own.display());
        let path = self.folder.join(name);
        replace(&path, &text).map_err(|error| format!("cannot write {}: {error}", path.display()))
    }

    /// PATH with the replacements in front.
    pub(super) fn path(&self) -> OsString {
        let mut path = OsString::from(&self.folder);
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        path
    }

    /// What CC should say, with the options that it has in the environment.
    pub(super) fn variable(&mut self) -> Result<OsString, String> {
        let usual = || OsString::from(COMPILERS[0]);
        self.replaced(&std::env::var_os("CC").filter(|value| !value.is_empty()).unwrap_or_else(usual))
    }

    /// A word of the build's command; a compiler that it names is replaced.
    pub(super) fn word(&mut self, word: &OsStr) -> Result<OsString, String> {
        let Some(naming) = NAMING.iter().find(|naming| word.as_bytes().starts_with(naming)) else {
            return Ok(word.to_os_string());
        };
        let mut said = OsStr::from_bytes(naming).to_os_string();
        said.push(self.replaced(OsStr::from_bytes(&word.as_bytes()[naming.len()..]))?);
        Ok(said)
    }

    /// A command that calls a compiler, which is replaced, perhaps by another program such as `ccache`, which is left out.
    fn replaced(&mut self, command: &OsStr) -> Result<OsString, String> {
        let words: Vec<&OsStr> =
            command.as_bytes().split(|&byte| byte == b' ').map(OsStr::from_bytes).collect();
        let name = |word: &&OsStr| Path::new(*word).file_name().map(OsStr::to_os_string);
        let at = words.iter().position(|word| name(word).is_some_and(|name| is_compiler(&name))).unwrap_or(0);
        let Some(name) = name(&words[at]) else { return Ok(command.to_os_string()) };
        self.add(&name)?;
        let replacement = self.folder.join(name);
        let options = words[at + 1..].iter().copied();
        let all: Vec<&OsStr> = std::iter::once(replacement.as_os_str()).chain(options).collect();
        Ok(all.join(OsStr::new(" ")))
    }
}

/// The user's folder for files that can be made again.
fn cache() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")))
}

/// Writes a program at once, because another build may run it, unless it is there.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    if std::fs::read(path).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().set_permissions(PermissionsExt::from_mode(0o755))?;
    file.persist(path)?;
    Ok(())
}

/// Whether a name is one of the usual ones, but for a target in front and a version behind it.
fn is_compiler(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    let is_version = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let name = name.rsplit_once('-').filter(|(_, end)| is_version(end)).map_or(name, |(name, _)| name);
    COMPILERS.contains(&name.rsplit('-').next().unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_have_targets_and_versions_in_their_names() {
        let is = |name: &str| is_compiler(OsStr::new(name));
        assert!(
            ["cc", "gcc-12", "clang-19", "x86_64-linux-gnu-gcc", "x86_64-linux-gnu-gcc-13.2", "musl-gcc"]
                .into_iter()
                .all(is)
        );
        assert!(
            !["clang++", "g++-12", "gcc-ar", "gcc-ar-12", "clang-format", "ccache", "gdb"]
                .into_iter()
                .any(is)
        );
    }

    #[test]
    fn a_command_names_a_compiler_with_options_or_by_a_path() {
        let place = tempfile::tempdir().expect("there is room");
        let folder = place.path().display().to_string();
        let mut compilers = Compilers { folder: place.path().to_path_buf(), names: BTreeSet::new() };
        let mut said = |word: &str| {
            compilers.word(OsStr::new(word)).expect("there is room").into_string().expect("it is text")
        };
        assert_eq!(said("CC=/opt/bin/tcc -m64 -g"), format!("CC={folder}/tcc -m64 -g"));
        assert_eq!(said("-DCMAKE_C_COMPILER=clang-19"), format!("-DCMAKE_C_COMPILER={folder}/clang-19"));
        assert_eq!(said("CC=ccache gcc-12 -m64"), format!("CC={folder}/gcc-12 -m64"));
        assert_eq!((said("CCFLAGS=x"), said("CC=")), ("CCFLAGS=x".into(), "CC=".into()));
        assert!(Path::new(&folder).join("tcc").is_file());
    }
}
