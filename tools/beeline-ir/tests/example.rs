//! The worked example of `ir-spec/` is what the tool does, to the byte.

use beeline_ir::file::Version;
use beeline_ir::{Program, file};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The lines between the fence with this name and the next one.
fn block(page: &str, name: &str) -> String {
    let after = page.split(&format!("```{name}\n")).nth(1).expect("the block begins");
    after.split("```").next().expect("the block ends").into()
}

fn beeline_ir(args: &[&str]) -> String {
    let tool = assert_cmd::cargo::cargo_bin("beeline-ir");
    let output = Command::new(tool).args(args).output().expect("the tool runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it is text")
}

/// How the example shows bytes; what to put there if the format changes on purpose.
fn hex_dump(bytes: &[u8]) -> String {
    let line = |(index, chunk): (usize, &[u8])| {
        let hex: Vec<String> = chunk.iter().map(|byte| format!("{byte:02x}")).collect();
        let shown = |&byte: &u8| if (32..127).contains(&byte) { byte as char } else { '.' };
        let text: String = chunk.iter().map(shown).collect();
        format!("{:04x}  {:<47}  {text}\n", index * 16, hex.join(" "))
    };
    bytes.chunks(16).enumerate().map(line).collect()
}

#[test]
fn the_worked_example_is_true() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ir-spec/example.md");
    let page = fs::read_to_string(page).expect("the example is there");
    let dir = tempfile::tempdir().expect("a directory");
    let path = |name: &str| dir.path().join(name).display().to_string();
    fs::write(path("count.txt"), block(&page, "text")).expect("written");
    beeline_ir(&["assemble", &path("count.txt"), "-o", &path("count.cfa")]);
    assert_eq!(beeline_ir(&["dump", &path("count.cfa")]), block(&page, "dump"));

    let read = file::read::<Program>(path("count.cfa")).expect("it can be read");
    assert_eq!(read.header.version, Version { major: 1, minor: 1 });
    let bytes = fs::read(path("count.cfa")).expect("it can be read");
    assert_eq!(block(&page, "hex"), hex_dump(&bytes));
    let size = format!("makes a file of {} bytes", bytes.len());
    assert!(page.contains(&size), "the example does not say `{size}`");
}
