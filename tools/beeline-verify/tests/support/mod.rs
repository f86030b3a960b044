//! Programs and folders that the tests share.
#![allow(dead_code)] // Each test uses a part.

use beeline_ir::file::{self, Digest};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program whose target an input reaches.
pub(crate) const BRANCH: &str = "beeline 1.0
fn main() {
  var x: i32
  L0: x := input \"n\"
  L1: if x == 42 goto bad else done
  bad: target \"the answer\"
  done: exit
}
";

/// A program with too many states to explore, if only values are tracked.
pub(crate) const ENDLESS: &str = "beeline 1.0
fn main() {
  var x: i64, y: i64
  L0: x := 0
  L1: y := 1
  head: while x != 7 goto body else bad
  body: x := x * x * y + 4
  y := y + 2 goto head
  bad: target \"perhaps\"
  done: exit
}
";

/// The tool, ready to start.
pub(crate) fn tool() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_beeline-verify"));
    command.stdin(Stdio::null());
    command
}

/// Writes a program to a `.cfa` file.
pub(crate) fn write_program(path: &Path, text: &str) -> Digest {
    let program = beeline_ir::text::parse(text).expect("the text is a program");
    file::write(path, &program, None).expect("the program is written")
}

/// A folder with a program in it.
pub(crate) fn folder_with(text: &str) -> (tempfile::TempDir, PathBuf, Digest) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = folder.path().join("p.cfa");
    let digest = write_program(&program, text);
    (folder, program, digest)
}

/// The names in a folder, in order.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
