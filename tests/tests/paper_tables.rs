//! `measure/paper-tables`: from programs to the tables of the papers.

use beeline_tests::tools;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

fn tables(folder: &Path, words: &[&str]) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../measure/paper-tables");
    let mut command = Command::new(script);
    command.arg("--tools").arg(tools().unwrap()).arg("--output").arg(folder.join("out"));
    command.args(["--no-own", "--limit", "20s", "--tasks"]).arg(folder.join("*/*.yml"));
    command.args(words).output().unwrap()
}

/// A program and its definition.
fn task(folder: &Path, name: &str, is_safe: bool) {
    let bound = if is_safe { 9 } else { 5 };
    let text = format!(
        "void reach_error(void) {{}}\nunsigned char __VERIFIER_nondet_uchar(void);\nint main(void) {{\n  \
         int n = 0;\n  while (n < 6 && __VERIFIER_nondet_uchar()) n++;\n  if (n > {bound}) reach_error();\n}}\n"
    );
    let definition = format!(
        "format_version: '2.0'\ninput_files: '{name}.c'\nproperties:\n  - property_file: unreach-call.prp\n    \
         expected_verdict: {is_safe}\noptions:\n  language: C\n  data_model: LP64\n"
    );
    fs::create_dir_all(folder.join("loops")).unwrap();
    fs::write(folder.join("loops/unreach-call.prp"), "CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
        .unwrap();
    fs::write(folder.join(format!("loops/{name}.c")), text).unwrap();
    fs::write(folder.join(format!("loops/{name}.yml")), definition).unwrap();
}

/// The cells of the lines of a table that begin with a name.
fn cells(text: &str, plan: &str) -> Vec<Vec<String>> {
    let lines = text.lines().filter(|line| line.starts_with(&format!("| {plan} |")));
    lines.map(|line| line.split('|').map(|cell| cell.trim().to_string()).collect()).collect()
}

#[test]
fn plans_are_compared_on_programs() {
    let folder = TempDir::new().unwrap();
    task(folder.path(), "holds", true);
    task(folder.path(), "fails", false);
    let made = tables(folder.path(), &["--only", "calls"]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let text = fs::read_to_string(folder.path().join("out/tables.md")).unwrap();
    assert!(text.contains("2 programs."), "{text}");
    // Safe and unsafe programs solved, wrong answers; the first plan is compared with itself.
    for plan in ["lazy", "summaries"] {
        let [line] = &cells(&text, plan)[..] else { panic!("{plan}: {text}") };
        assert_eq!(line[2..5], ["1", "1", "0"], "{text}");
    }
    assert_eq!(cells(&text, "lazy")[0][7..9], ["1.00", "1.00"], "{text}");
    assert_eq!(cells(&text, "virtual best")[0][2..4], ["1", "1"], "{text}");
    assert_eq!(cells(&text, "rank-none-select-all").len(), 0, "{text}");
}

#[test]
fn a_table_that_is_not_known_is_refused() {
    let folder = TempDir::new().unwrap();
    let made = tables(folder.path(), &["--only", "calls,moon"]);
    assert_eq!(made.status.code(), Some(1));
    let said = String::from_utf8_lossy(&made.stderr);
    assert!(said.starts_with("measure/paper-tables: unknown table moon; choose la, bam, "), "{said}");
}
