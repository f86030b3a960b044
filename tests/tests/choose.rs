//! Learned choices of plans: `beeline choose`, `beeline plan FILE --choose`, `beeline check --choose`.

use beeline_graph::features::NAMES;
use beeline_ir::file;
use beeline_select::{Card, Model, Named, Node, Selector, Tree};
use beeline_tests::tools;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

const STRAIGHT: &str = "#include <assert.h>\nint main(void) { int n = 3; assert(n > 2); return 0; }\n";
const LOOP: &str =
    "#include <assert.h>\nint main(void) { int n = 0; while (n < 4) n++; assert(n == 5); return 0; }\n";

/// A folder with a program without a loop, and a wrong one with a loop.
fn programs() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("straight.c"), STRAIGHT).unwrap();
    fs::write(folder.path().join("loop.c"), LOOP).unwrap();
    folder
}

/// Writes a selector that unrolls programs with loops and abstracts the others.
fn selector(folder: &Path, change: impl Fn(&mut Selector)) -> PathBuf {
    let plan = |name: &str, plan: &str| Named { name: name.into(), plan: plan.into() };
    let loops = NAMES.iter().position(|&name| name == "LOOPS").unwrap() as u32;
    let split = Node::Split { feature: loops, at: 0.5, less: 1, more: 2 };
    let mut selector = Selector {
        features: NAMES.iter().map(|&name| name.into()).collect(),
        plans: vec![
            plan("abstract", "[[step]]\ndomain = \"value\"\n"),
            plan("unroll", "[[step]]\nengine = \"bounded\"\n"),
        ],
        model: Model::Tree(Tree { nodes: vec![split, Node::Leaf(0.0), Node::Leaf(1.0)] }),
        card: Card::default(),
    };
    change(&mut selector);
    let path = folder.join("own.sel");
    file::write(&path, &selector, None).unwrap();
    path
}

fn beeline(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(tools().unwrap().join("beeline"));
    command.current_dir(folder).args(words).output().unwrap()
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn the_plan_is_chosen_by_the_program() {
    let folder = programs();
    selector(folder.path(), |_| {});
    for (source, name, why, verdict) in [
        ("straight.c", "abstract", "LOOPS = 0 <= 0.5", "safe"),
        ("loop.c", "unroll", "LOOPS = 1 > 0.5", "unsafe"),
    ] {
        let plan = beeline(folder.path(), &["plan", source, "--choose", "own.sel"]);
        let text = printed(&plan);
        assert!(
            text.starts_with(&format!("# Chosen: {name}, because\n#   {why}\n")),
            "{text}{}",
            said(&plan)
        );

        let checked = beeline(folder.path(), &["check", source, "--choose", "own.sel", "--json"]);
        let answer: Value = serde_json::from_slice(&checked.stdout).unwrap();
        assert_eq!(answer["verdict"], verdict, "{answer:#}");
        assert_eq!(answer["plan"]["name"], name, "{answer:#}");
        assert_eq!(answer["plan"]["path"][0], why, "{answer:#}");
    }
}

#[test]
fn the_plan_that_is_printed_is_the_one_that_is_followed() {
    let folder = programs();
    selector(folder.path(), |_| {});
    let kept = ["check", "loop.c", "--choose", "own.sel", "--keep", "kept", "--explain"];
    let checked = beeline(folder.path(), &kept);
    assert_eq!(checked.status.code(), Some(1), "{}", said(&checked));
    let chosen = printed(&beeline(folder.path(), &["choose", "kept/loop.feat", "--choose", "own.sel"]));
    assert_eq!(fs::read_to_string(folder.path().join("kept/loop.plan.toml")).unwrap(), chosen);
    assert!(said(&checked).contains("# Chosen: unroll"), "{}", said(&checked));
    assert!(said(&checked).contains("--plan"), "{}", said(&checked));
}

#[test]
fn the_shipped_selector_chooses_and_nothing_is_chosen_without_being_asked() {
    let folder = programs();
    let ask = |words: &[&str]| -> Value {
        let output = beeline(folder.path(), &[&["check", "loop.c", "--json"], words].concat());
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let chosen = ask(&["--choose", "on"]);
    assert_eq!(chosen["verdict"], "unsafe", "{chosen:#}");
    assert!(chosen["plan"]["name"].is_string(), "{chosen:#}");
    for words in [&[][..], &["--choose", "off"]] {
        let plain = ask(words);
        assert_eq!((&plain["verdict"], &plain["plan"]), (&Value::from("unsafe"), &Value::Null), "{plain:#}");
    }
}

#[test]
fn what_cannot_choose_is_refused_with_a_sentence() {
    let folder = programs();
    let refused = |words: &[&str], sentence: &str| {
        let output = beeline(folder.path(), words);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {}", said(&output));
        assert!(said(&output).contains(sentence), "{words:?}: {}", said(&output));
    };
    let check = ["check", "loop.c", "--choose", "own.sel"];
    refused(&check, "own.sel does not exist");
    selector(folder.path(), |selector| selector.features[0] = "LINES".into());
    refused(&check, "features of another version");
    selector(folder.path(), |selector| selector.plans[1].plan = "[[step]]\nengine = \"jet\"\n".into());
    refused(&check, "the plan unroll");
    selector(folder.path(), |_| {});
    refused(&["check", "loop.c", "--choose", "own.sel", "--domain", "value"], "--choose cannot be combined");
    fs::write(folder.path().join("own.sel"), "no selector").unwrap();
    refused(&check, "own.sel");
    refused(&["choose", "own.feat", "--choose", "off"], "chooses no plan");
}
