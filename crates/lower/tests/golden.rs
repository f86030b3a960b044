//! Every kind of instruction as it is lowered: each function of `tests/golden/*.ll` is an entry of its
//! own, and `tests/golden/*.txt` has the programs that come out.
//!
//! After a change that is meant, `BEELINE_GOLDEN=write` writes the files anew; read the difference.

use beeline_ir::text::print;
use beeline_llvm::import::{self, import};
use beeline_lower::{Options, lower};
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// The functions that a file defines for others, in order.
fn entries(text: &str) -> Vec<&str> {
    let defined = text.lines().filter(|line| line.starts_with("define ") && !line.contains(" internal "));
    defined.filter_map(|line| line.split('@').nth(1)?.split('(').next()).collect()
}

fn programs(name: &str) -> String {
    let text = std::fs::read_to_string(folder().join(format!("{name}.ll"))).unwrap();
    let mut all = String::new();
    for entry in entries(&text) {
        let module = import(text.as_bytes(), name, &import::Options::default()).unwrap();
        let options = Options { entry: entry.into(), ..Options::default() };
        let program = lower(module, &options).unwrap_or_else(|error| panic!("{name}, {entry}: {error}"));
        writeln!(all, "### {entry}\n\n{}", print(&program)).unwrap();
    }
    all
}

#[test]
fn every_kind_of_instruction_is_lowered_as_expected() {
    let mut files: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(".ll")?.to_string()))
        .collect();
    files.sort();
    assert!(files.len() >= 10);
    for name in files {
        let (found, path) = (programs(&name), folder().join(format!("{name}.txt")));
        if std::env::var("BEELINE_GOLDEN").is_ok_and(|what| what == "write") {
            std::fs::write(&path, &found).unwrap();
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(found, expected, "{name}.ll is lowered in another way than {name}.txt says");
    }
}
