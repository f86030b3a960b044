//! Steps that fail because of the machine or the age of the program.

use crate::step::Step;
use std::path::Path;
use std::process::Stdio;

/// C as it was before 1999: functions need no declaration, and `int` may be left out.
const OLD: &str = "-std=gnu89";

/// The system's message for a full disk.
const FULL: &str = "No space left on device";

/// That the disk with the files of the run is full, if it is, and what to do.
pub(crate) fn no_room(folder: &Path, said: &[u8]) -> Option<String> {
    // A line of the program that clang shows may say so as well.
    let is_shown = |line: &str| line.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == '|');
    if !String::from_utf8_lossy(said).lines().any(|line| line.contains(FULL) && !is_shown(line)) {
        return None;
    }
    let temporary = std::env::temp_dir();
    Some(match folder.starts_with(&temporary) {
        true => format!(
            "no space left in {} for the files of the run: free some, or set TMPDIR to another folder",
            temporary.display()
        ),
        false => format!("no space left in {} for the files of the run", folder.display()),
    })
}

/// That a program does not compile, and the flags with which it does, if there are some for old C.
pub(crate) fn sentence(step: &Step, folder: &Path, said: &[u8]) -> String {
    let lenient = lenient(&String::from_utf8_lossy(said));
    let with_old: Vec<String> = [OLD.to_string()].into_iter().chain(lenient.iter().cloned()).collect();
    let candidates = [vec![OLD.to_string()], lenient, with_old];
    let mending = candidates.into_iter().filter(|flags| !flags.is_empty());
    match mending.into_iter().find(|flags| compiles(step, folder, flags)) {
        Some(flags) => {
            format!("the program does not compile, but does as old C: add `{}` after `--`", flags.join(" "))
        }
        None => "the program does not compile".into(),
    }
}

/// Flags that make warnings of the errors that have the name of one.
fn lenient(said: &str) -> Vec<String> {
    let mut flags = Vec::new();
    for line in said.lines().filter(|line| line.contains("error:")) {
        let named = line.rsplit_once("[-W").and_then(|(_, rest)| rest.split_once(']'));
        let name = named.map(|(name, _)| name.rsplit(",-W").next().unwrap_or(name));
        let flag = name.map(|name| format!("-Wno-error={name}"));
        flags.extend(flag.filter(|flag| !flags.contains(flag)));
    }
    flags
}

/// Whether clang accepts the file with more flags.
fn compiles(step: &Step, folder: &Path, flags: &[String]) -> bool {
    let mut command = step.command(folder);
    command.args(flags).arg("-fsyntax-only");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::{lenient, no_room};
    use std::path::Path;

    #[test]
    fn a_full_disk_is_told_from_a_program_that_speaks_of_one() {
        let full = |said: &str| no_room(Path::new("/elsewhere"), said.as_bytes()).is_some();
        assert!(full("LLVM ERROR: IO failure on output stream: No space left on device\n"));
        assert!(full("beeline-lower: cannot write p.cfa: No space left on device (os error 28)\n"));
        assert!(!full("a.c:3:1: error: no\n    3 | puts(\"No space left on device\"\n"));
    }

    #[test]
    fn errors_that_are_warnings_to_others_have_their_names() {
        let said = "a.c:1:1: error: type specifier missing [-Wimplicit-int]\n\
            a.c:2:1: error: unknown type name 'foo'\n\
            a.c:3:1: warning: unused [-Wunused]\n\
            a.c:4:1: error: it is so [-Werror,-Wint-conversion]\n\
            a.c:5:1: error: again [-Wimplicit-int]\n";
        assert_eq!(lenient(said), ["-Wno-error=implicit-int", "-Wno-error=int-conversion"]);
    }
}
