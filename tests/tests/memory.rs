//! Programs with an error of memory each, and the same programs mended: what is said of them, and where.

use beeline_tests::SOME_WORK;
use beeline_tests::driver::{Ran, beeline};
use beeline_tests::memory::{Program, all, generated};
use beeline_tests::two_at_a_time;
use serde_json::Value;
use std::path::Path;

/// What is said of a program.
fn asked(program: &Program, folder: &Path) -> Value {
    let file = program.file.display().to_string();
    let arguments = [&["check", "--json", "--property", "memory-safety"], &SOME_WORK[..], &[&file]].concat();
    let Ran { out, err, .. } = beeline(folder, &arguments);
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{file}: {error}: {err}"))
}

/// What is wrong with an answer.
fn faults(program: &Program, answer: &Value) -> Option<String> {
    let name = program.file.display();
    let verdict = answer["verdict"].as_str().unwrap_or_default();
    if verdict == "unknown" {
        return None;
    }
    if verdict != program.truth {
        return Some(format!("{name} is {}: {answer:#}", program.truth));
    }
    if verdict == "safe" {
        // On a busy machine the check of a proof may not end in time, which the answer says.
        let said = |remark: &str| {
            remark.contains("proof certified") || remark.contains("the time limit was reached")
        };
        let checked = answer["remark"].as_str().is_some_and(said);
        return (!checked).then(|| format!("{name}: {answer:#}"));
    }
    let error = &answer["error"];
    let at = &error["at"];
    // A leak is told of where the program ends; the sanitizer names where it was allocated.
    let found = answer["finding"].as_str().unwrap_or_default();
    let line = match program.property.as_str() {
        "valid-memtrack" => found.contains(&format!(".c:{}:", program.line)),
        _ => {
            at["line"].as_u64() == program.line.parse().ok()
                && at["file"].as_str().is_some_and(|it| it.ends_with(".c"))
        }
    };
    let right = answer["remark"] == "confirmed" && error["property"] == program.property.as_str() && line;
    (!right || found.is_empty()).then(|| format!("{name}: line {}: {answer:#}", program.line))
}

#[test]
fn errors_of_memory_are_found_where_they_are() {
    let programs = all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("memory"));
    assert!(programs.len() >= 150, "the programs are there");
    let folder = tempfile::tempdir().expect("a folder can be made");
    let answers = two_at_a_time(&programs, |program| asked(program, folder.path()));
    let wrong = programs.iter().zip(&answers).filter_map(|(program, answer)| faults(program, answer));
    let wrong: Vec<String> = wrong.collect();
    let answered = answers.iter().filter(|answer| answer["verdict"] != "unknown").count();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(answered * 3 >= programs.len() * 2, "only {answered} of {} are answered", programs.len());
}

#[test]
fn random_programs_agree_with_the_sanitizer() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let programs = generated(0..40, folder.path()).expect("they are compiled and run");
    let answers = two_at_a_time(programs, |program| {
        let answer = asked(&program, folder.path());
        (program.truth, answer)
    });
    let (mut answered, mut bad) = (0, 0);
    for (seed, (truth, answer)) in answers.iter().enumerate() {
        bad += usize::from(truth == "unsafe");
        let verdict = answer["verdict"].as_str().unwrap_or_default();
        assert!(verdict == "unknown" || verdict == truth, "seed {seed} is {truth}: {answer:#}");
        answered += usize::from(verdict != "unknown");
    }
    assert!((8..=36).contains(&bad), "{bad} of 40 are wrong");
    assert!(answered >= 30, "only {answered} of 40 are answered");
}
