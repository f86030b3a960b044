//! Files of every released version stay readable, and today's version does not change by accident.
//!
//! A deliberate change of the layout raises the version in `file/program` and adds a file of the new
//! version: `BEELINE_BLESS=1 cargo test -p beeline-ir --test golden` writes it. Files of older versions
//! are never written again.

use beeline_ir::file::{self, Body};
use beeline_ir::{Program, text};
use std::fs;
use std::path::PathBuf;

const TEXT: &str = include_str!("golden/everything.cfa.txt");

fn golden(version: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/everything-{version}.cfa"))
}

fn program() -> Program {
    text::parse(TEXT).unwrap_or_else(|faults| panic!("{}", faults[0]))
}

#[test]
fn files_of_version_1_0_are_read() {
    let read = file::read::<Program>(golden("1.0")).expect("the file is read");
    let mut expected = program();
    expected.cells.clear();
    assert_eq!(read.body, expected);
}

#[test]
fn the_layout_of_this_version_is_as_it_was() {
    let path = golden(&Program::VERSION.to_string());
    let bytes = file::to_bytes(&program(), None).expect("it can be written");
    if std::env::var_os("BEELINE_BLESS").is_some() {
        fs::write(&path, &bytes).expect("it is written");
    }
    // The producer's name and version are free to change.
    let body = |bytes: &[u8]| file::open("golden", bytes).expect("a whole file").1.to_vec();
    assert_eq!(body(&fs::read(&path).expect("the file is there")), body(&bytes));
}
