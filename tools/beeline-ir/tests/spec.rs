//! The specification says what the tools do: its example is true, and its reader, which was written from
//! the description of the files alone, finds in a file what `beeline-ir dump --stats` finds.

use assert_cmd::Command;
use beeline_ir::{Program, file, random, text};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

fn spec(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ir-spec").join(name)
}

fn beeline_ir(args: &[&str], file: &Path) -> Output {
    let mut command = Command::cargo_bin("beeline-ir").expect("the tool is built");
    command.args(args).arg(file).output().expect("it runs")
}

fn reader(file: &Path) -> Output {
    let mut command = std::process::Command::new("python3");
    command.arg(spec("reader.py")).arg(file).output().expect("python3 runs")
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("it is text")
}

/// The lines between the fence with this name and the next one.
fn block(page: &str, name: &str) -> String {
    let after = page.split(&format!("```{name}\n")).nth(1).expect("the block begins");
    after.split("```").next().expect("the block ends").into()
}

#[test]
fn the_reader_in_python_finds_what_the_tool_finds() {
    let dir = tempfile::tempdir().expect("a directory");
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/ir");
    let figures = ["figure-3-1.cfa.txt", "figure-7-5.cfa.txt"];
    let figures = figures.map(|name| fs::read_to_string(tests.join(name)).expect("the figure is there"));
    let programs = figures.map(|figure| text::parse(&figure).expect("the figure is a program"));
    for (index, program) in programs.into_iter().chain((0..40).map(random::program)).enumerate() {
        let path = dir.path().join(format!("{index}.cfa"));
        let digest = file::write(&path, &program, None).expect("it can be written");
        // Every other file belongs to the one before.
        if index % 2 == 1 {
            file::write(&path, &program, Some(digest)).expect("it can be written");
        }
        assert_eq!(stdout(&reader(&path)), stdout(&beeline_ir(&["dump", "--stats"], &path)), "{index}");
    }
}

#[test]
fn the_reader_in_python_refuses_damaged_files() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("a.cfa");
    let whole = file::to_bytes(&random::program(3), None).expect("bytes");
    for (at, message) in [
        (0, "it is no file of Beeline"),
        (8, "it is a .bfa file"),
        (12, "its version is 0.0"),
        (20, "its body is not whole"),
        (whole.len() - 1, "its body is not whole"),
    ] {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        fs::write(&path, bytes).expect("written");
        let output = reader(&path);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && stderr.contains(message), "{stderr}");
    }
}

#[test]
fn the_worked_example_is_true() {
    let page = fs::read_to_string(spec("example.md")).expect("the example is there");
    let dir = tempfile::tempdir().expect("a directory");
    let (source, path) = (dir.path().join("count.txt"), dir.path().join("count.cfa"));
    fs::write(&source, block(&page, "text")).expect("written");
    let output = path.display().to_string();
    stdout(&beeline_ir(&["assemble", "-o", &output], &source));
    assert_eq!(stdout(&beeline_ir(&["dump"], &path)), block(&page, "dump"));

    let bytes = fs::read(&path).expect("it was written");
    let size = format!("makes a file of {} bytes", bytes.len());
    assert!(page.contains(&size), "the example does not say `{size}`");
    let hex = block(&page, "hex");
    let columns = hex.lines().map(|line| &line[6..53]).flat_map(str::split_whitespace);
    let shown: Vec<u8> = columns.map(|byte| u8::from_str_radix(byte, 16).expect("hexadecimal")).collect();
    assert_eq!(shown, bytes, "{}", hex_dump(&bytes));
    assert!(file::from_bytes::<Program>("count.cfa", &shown).is_ok());
}

/// What to put into the example if the format or the version changes on purpose.
fn hex_dump(bytes: &[u8]) -> String {
    let line = |(index, chunk): (usize, &[u8])| {
        let hex: Vec<String> = chunk.iter().map(|byte| format!("{byte:02x}")).collect();
        let shown = |&byte: &u8| if (32..127).contains(&byte) { byte as char } else { '.' };
        format!(
            "{:04x}  {:<47}  {}\n",
            index * 16,
            hex.join(" "),
            chunk.iter().map(shown).collect::<String>()
        )
    };
    bytes.chunks(16).enumerate().map(line).collect()
}
