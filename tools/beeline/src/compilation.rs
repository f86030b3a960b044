//! Compilation of C files: the options of the user, and compilation databases.

use clap::{Args, ValueHint};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The file of a compilation database.
const DATABASE: &str = "compile_commands.json";

/// Flags whose value affects the meaning of a program: the value is attached or the next word.
const WITH_VALUE: [&str; 12] = [
    "-D",
    "-U",
    "-I",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-include",
    "-imacros",
    "-isysroot",
    "--sysroot",
    "-std",
    "-x",
];
/// Those of them whose value is a path.
const WITH_PATH: [&str; 8] =
    ["-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot", "--sysroot"];
/// Flags without a value that affect the meaning of a program.
const PLAIN: [&str; 14] = [
    "-m32",
    "-m64",
    "-ansi",
    "-trigraphs",
    "-nostdinc",
    "-pthread",
    "-fsigned-char",
    "-funsigned-char",
    "-fshort-enums",
    "-fgnu89-inline",
    "-fno-builtin",
    "-ffreestanding",
    "-fms-extensions",
    "-fpack-struct",
];

/// What the user says of the compilation.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Compilation")]
pub(crate) struct CompileArguments {
    /// Look for headers there (may be repeated)
    #[arg(short = 'I', long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub include: Vec<String>,
    /// Define a macro (may be repeated)
    #[arg(short = 'D', long, value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Undefine a macro (may be repeated)
    #[arg(short = 'U', long, value_name = "NAME")]
    pub undefine: Vec<String>,
    /// Check the program as the optimiser leaves it: 0, 1, 2, 3 or s
    #[arg(short = 'O', long, value_name = "LEVEL")]
    pub optimize: Option<String>,
    /// The standard of C, such as c99 or gnu17; -std=c99 is understood, too
    #[arg(long, value_name = "STANDARD")]
    pub std: Option<String>,
    /// Bits of a pointer
    #[arg(short = 'm', long, value_name = "BITS", value_parser = ["32", "64"])]
    pub machine: Option<String>,
    /// The compiler, by its name or path [default: BEELINE_CLANG, or the newest of clang 19 to 22 that is there]
    #[arg(long, value_name = "PROGRAM", value_hint = ValueHint::ExecutablePath)]
    pub clang: Option<PathBuf>,
    /// Compile as compile_commands.json in this folder says
    #[arg(short = 'p', long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub compile_commands: Option<PathBuf>,
}

impl CompileArguments {
    /// Flags for clang.
    pub(crate) fn flags(&self) -> Vec<String> {
        let each = |flag: &'static str, values: &[String]| -> Vec<String> {
            values.iter().map(|value| format!("{flag}{value}")).collect()
        };
        let one = |flag: &'static str, value: &Option<String>| {
            value.iter().map(|value| format!("{flag}{value}")).collect()
        };
        let std: Vec<String> = one("-std=", &self.std);
        let parts: [Vec<String>; 6] = [
            std,
            one("-m", &self.machine),
            one("-O", &self.optimize),
            each("-D", &self.define),
            each("-U", &self.undefine),
            each("-I", &self.include),
        ];
        parts.concat()
    }
}

/// How the files of a project are compiled.
#[derive(Debug)]
pub(crate) struct Database {
    path: PathBuf,
    entries: Vec<Entry>,
}

/// A file with its command.
#[derive(Debug, Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

impl Database {
    /// Reads the database in a folder.
    pub(crate) fn read(folder: &Path) -> Result<Database, String> {
        let path = folder.join(DATABASE);
        let shown = path.display();
        let text = std::fs::read_to_string(&path).map_err(|error| format!("cannot read {shown}: {error}"))?;
        let entries = serde_json::from_str(&text)
            .map_err(|error| format!("{shown} is not a compilation database: {error}"))?;
        Ok(Database { path, entries })
    }

    /// The flags of a file's command that affect the meaning of the program. Flags for warnings and
    /// optimisation do not.
    pub(crate) fn flags(&self, file: &Path) -> Result<Vec<String>, String> {
        let place = |path: &Path| path.canonicalize().ok();
        let wanted = place(file);
        let entry = self
            .entries
            .iter()
            .find(|entry| wanted.is_some() && place(&entry.directory.join(&entry.file)) == wanted);
        let entry = entry.ok_or_else(|| {
            format!("{} does not say how {} is compiled", self.path.display(), file.display())
        })?;
        let split = || entry.command.as_deref().and_then(shlex::split);
        let words = entry.arguments.clone().or_else(split);
        let words =
            words.ok_or_else(|| format!("{} has no command for {}", self.path.display(), file.display()))?;
        Ok(meaning(&words, &entry.directory))
    }
}

/// The flags of a command that affect the meaning of the program, with absolute paths.
fn meaning(words: &[String], folder: &Path) -> Vec<String> {
    let mut flags = Vec::new();
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        if PLAIN.contains(&word.as_str()) {
            flags.push(word.clone());
            continue;
        }
        let Some(name) = WITH_VALUE.into_iter().find(|name| word.starts_with(name)) else { continue };
        let joined = word.strip_prefix(name).filter(|value| !value.is_empty());
        let Some(value) = joined.or_else(|| words.next().map(String::as_str)) else { continue };
        if WITH_PATH.contains(&name) {
            let path = folder.join(value.trim_start_matches('='));
            flags.extend([name.to_string(), path.display().to_string()]);
        } else {
            flags.push(format!("{name}{value}"));
        }
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_says_the_meaning_is_taken_from_a_command() {
        let command = "cc -O2 -g -Wall -Iinc -I /usr/x -DA=1 -D B -isystem sys --sysroot=/root -std=c99 -m32 -MD -MF \
            a.d -fsigned-char -fsanitize=address -c a.c -o a.o";
        let words = shlex::split(command).unwrap();
        let expected =
            "-I /p/inc -I /usr/x -DA=1 -DB -isystem /p/sys --sysroot /root -std=c99 -m32 -fsigned-char";
        assert_eq!(meaning(&words, Path::new("/p")).join(" "), expected);
    }
}
