//! Coverage for other tools: tests in the format of Test-Comp, and tracefiles of lcov.

use crate::answer::{Answer, World, WorldFile};
use crate::cover::{Coverage, Of};
use crate::marks::{MarkKind, Reached};
use beeline_module::mangled::demangle_all;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};

/// Writes the tests that cover what is covered, each into a file.
pub(crate) fn tests(folder: &Path, answer: &Answer, coverage: &Coverage) -> Result<(), String> {
    std::fs::create_dir_all(folder)
        .map_err(|error| format!("cannot create the folder {}: {error}", folder.display()))?;
    for (number, &path) in coverage.tests.iter().enumerate() {
        if let Some(world) = &answer.replays[path].world {
            command(&folder.join(format!("test-{number}")), world)?;
            continue;
        }
        let mut text = String::from(
            "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
             <!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" \
             \"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n<testcase>\n",
        );
        for input in &answer.replays[path].inputs {
            let _ = writeln!(text, "  <input>{}</input>", escaped(&input.value));
        }
        text.push_str("</testcase>\n");
        write(&folder.join(format!("test-{number}.xml")), &text)?;
    }
    write(&folder.join("metadata.xml"), metadata(answer, coverage))
}

/// Writes a test of a command into a folder: its standard input, its files, and a script that runs a program with these.
fn command(folder: &Path, world: &World) -> Result<(), String> {
    let files = folder.join("files");
    let made = |path: &Path| {
        std::fs::create_dir_all(path).map_err(|error| format!("cannot create {}: {error}", path.display()))
    };
    made(&files)?;
    for WorldFile { name, bytes } in &world.files {
        let name = Path::new(OsStr::from_bytes(name));
        if !name.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
            return Err(format!("a test uses the file {}, which is outside of its folder", name.display()));
        }
        let path = files.join(name);
        path.parent().map_or(Ok(()), made)?;
        write(&path, bytes)?;
    }
    write(&folder.join("stdin"), &world.stdin)?;
    let mut script = SCRIPT.as_bytes().to_vec();
    for argument in &world.arguments {
        script.extend(b" '");
        for &byte in argument {
            script.extend(if byte == b'\'' { b"'\\''".to_vec() } else { vec![byte] });
        }
        script.push(b'\'');
    }
    script.push(b'\n');
    write(&folder.join("run.sh"), &script)
}

/// The script that runs a program as a test does, without the arguments.
const SCRIPT: &str = "#!/bin/sh
# Runs a program with the arguments, the standard input and the files of this test: sh run.sh PROGRAM
set -e
program=$(realpath \"$1\")
test=$(realpath \"$(dirname \"$0\")\")
folder=$(mktemp -d)
trap 'rm -rf \"$folder\"' EXIT
cp -r \"$test/files/.\" \"$folder\"
cd \"$folder\"
set +e
<\"$test/stdin\" \"$program\"";

fn metadata(answer: &Answer, coverage: &Coverage) -> String {
    let goal = match coverage.of {
        Of::Branches => "@DECISIONEDGE",
        Of::Lines => "@BASICBLOCKENTRY",
        Of::Functions => "@CALL",
    };
    let width = answer.result.as_ref().map_or(64, |(program, _)| program.pointer_width);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
         <!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN\" \
         \"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\">\n<test-metadata>\n  \
         <sourcecodelang>C</sourcecodelang>\n  <producer>Beeline {}</producer>\n  \
         <specification>COVER( init({}()), FQL(COVER EDGES({goal})) )</specification>\n  \
         <programfile>{}</programfile>\n  <entryfunction>{}</entryfunction>\n  \
         <architecture>{width}bit</architecture>\n</test-metadata>\n",
        env!("CARGO_PKG_VERSION"),
        escaped(&answer.job.function),
        escaped(&answer.job.name),
        escaped(&answer.job.function),
    )
}

/// Writes what is covered as a tracefile of lcov.
pub(crate) fn lcov(file: &Path, coverage: &Coverage) -> Result<(), String> {
    let mut files: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut branches: BTreeMap<(&str, u32), u32> = BTreeMap::new();
    for (mark, reached) in coverage.places() {
        let (Some(name), Some(line)) = (&mark.file, mark.line) else { continue };
        let count = u32::from(matches!(reached, Reached::Covered(_)));
        let lines = files.entry(name).or_default();
        match mark.kind {
            MarkKind::Line | MarkKind::Sequence => lines.push(format!("DA:{line},{count}")),
            MarkKind::Function => {
                let function = demangle_all(&mark.function);
                lines.push(format!("FN:{line},{function}"));
                lines.push(format!("FNDA:{count},{function}"));
            }
            MarkKind::True | MarkKind::False | MarkKind::Case | MarkKind::Default => {
                let branch = branches.entry((name, line)).or_default();
                lines.push(format!("BRDA:{line},0,{branch},{count}"));
                *branch += 1;
            }
        }
    }
    let text = files.iter().fold(String::new(), |mut text, (name, lines)| {
        let _ = writeln!(text, "TN:\nSF:{name}\n{}\nend_of_record", lines.join("\n"));
        text
    });
    write(file, &text)
}

fn write(path: &Path, text: impl AsRef<[u8]>) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
