//! Large programs of which only a small part matters: the work grows no faster than the program, counted in steps.

use beeline_tests::families::Family;
use beeline_tests::{lower_to, tools};
use std::path::Path;
use std::process::Command;

/// States and ticks of a search that finds the bug at the end of a program.
fn cost(verify: &Path, name: &str, size: u32, options: &[&str]) -> [f64; 2] {
    let folder = tempfile::tempdir().expect("there is room");
    let file = folder.path().join("p.cfa");
    let family = Family::named(name).expect("there is such a family");
    lower_to(&family.source(size, Some(size)), &file).expect("it can be lowered");
    let mut command = Command::new(verify);
    command.arg(&file).args(["--json", "--first", "--engine", "lazy", "--time-limit", "60s"]).args(options);
    let output = command.output().expect("the tool runs");
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it prints JSON");
    assert_eq!(result["verdict"], "unsafe", "{name} {size}: {result}");
    let figures = result["statistics"].as_array().expect("there are figures");
    ["states", "ticks"].map(|name| {
        let figure = figures.iter().find(|figure| figure["name"] == name);
        figure.and_then(|figure| figure["value"].as_f64()).expect("it is counted")
    })
}

/// Does four times the program take no more than some six times the work, in states and in ticks?
fn grows_with_the_program(name: &str, size: u32, options: &[&str]) {
    let verify = tools().expect("the tools are built").join("beeline-verify");
    let (small, large) = (cost(&verify, name, size, options), cost(&verify, name, 4 * size, options));
    for ((small, large), what) in small.into_iter().zip(large).zip(["states", "ticks"]) {
        assert!(large < 6.0 * small, "{name}: {small} {what} at {size}, {large} at {}", 4 * size);
    }
}

#[test]
fn a_dispatcher_with_many_cases() {
    // At four times the size there are more states than a variable may have values.
    grows_with_the_program("dispatcher", 400, &["--search", "directed"]);
    grows_with_the_program("dispatcher", 400, &["--search", "dfs"]);
}
