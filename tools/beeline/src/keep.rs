//! The Makefile that repeats a run, step by step.

use crate::step::{Step, Word, quoted};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Writes the Makefile into the folder of a run, given the steps that were taken.
pub(crate) fn write(folder: &Path, steps: &[Step]) -> Result<(), String> {
    let start =
        std::env::current_dir().map_err(|error| format!("cannot find the current folder: {error}"))?;
    let path = folder.join("Makefile");
    std::fs::write(&path, makefile(&start, steps))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}

fn makefile(start: &Path, steps: &[Step]) -> String {
    let mut text = String::from(
        "# Written by `beeline check`: `make -B` repeats its run in this folder, step by step.\n\n\
         # Where the run was started; source files are named from there.\n",
    );
    let path = |path: &Path| escaped(&quoted(&[path.display().to_string()]));
    let _ = writeln!(text, "START := {}", path(start));
    let programs: BTreeMap<String, &Path> =
        steps.iter().map(|step| (variable(step), step.program.as_path())).collect();
    for (name, program) in programs {
        let _ = writeln!(text, "{name} := {}", path(program));
    }
    let (making, checking): (Vec<&Step>, Vec<&Step>) = steps.iter().partition(|step| step.makes.is_some());
    let last = making.last().and_then(|step| step.makes.as_deref()).unwrap_or_default();
    let _ = writeln!(text, "\n.PHONY: answer\nanswer: {last}");
    for step in checking {
        let _ = writeln!(text, "\t{}", recipe(step));
    }
    for step in &making {
        let _ = writeln!(
            text,
            "\n{}:{}\n\t{}",
            step.makes.as_deref().unwrap_or_default(),
            needs(step),
            recipe(step)
        );
    }
    text
}

/// The files of the folder that a step reads.
fn needs(step: &Step) -> String {
    let needed = step.words.iter().filter_map(|word| match word {
        Word::Made(name) if Some(name) != step.makes.as_ref() => Some(name.as_str()),
        _ => None,
    });
    needed.map(|name| format!(" {name}")).collect()
}

/// A command as a recipe: in the folder of the run, or from where the run was started.
fn recipe(step: &Step) -> String {
    let away = step.words.iter().any(|word| matches!(word, Word::Given(_)));
    let words: Vec<String> = step
        .words
        .iter()
        .map(|word| match word {
            Word::Text(text) => escaped(&quoted(std::slice::from_ref(text))),
            Word::Given(path) => escaped(&quoted(&[path.display().to_string()])),
            // `make` would take dollars in the folder's name for its own.
            Word::Made(name) if away => format!("\"$$OLDPWD\"/{name}"),
            Word::Made(name) => name.clone(),
        })
        .collect();
    format!("{}$({}) {}", if away { "cd $(START) && " } else { "" }, variable(step), words.join(" "))
}

/// The variable for a step's program.
fn variable(step: &Step) -> String {
    step.tool().to_uppercase().replace(|c: char| !c.is_ascii_alphanumeric(), "_")
}

/// Text with the special characters of `make` escaped.
fn escaped(text: &str) -> String {
    text.replace('$', "$$").replace('#', "\\#")
}
