//! Random programs about activations: no answer contradicts native runs on all inputs. More of them:
//! `measure/fuzz-activations`.

use beeline_tests::activations::{Asked, generated};
use beeline_tests::driver::beeline;
use beeline_tests::{SOME_WORK, two_at_a_time};

#[test]
fn random_programs_agree_with_native_runs() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let programs = generated(0..12, folder.path()).expect("they are compiled and run");
    let runs = two_at_a_time(programs, |program| {
        let property = if program.asked == Asked::Reach { "unreach-call" } else { "valid-deref" };
        let file = program.file.display().to_string();
        let arguments = [&["check", "--property", property], &SOME_WORK[..], &[&file]].concat();
        let ran = beeline(folder.path(), &arguments);
        let verdict = ran.verdict();
        let fault = program.fault(verdict).map(|fault| format!("{file}: {fault}: {verdict}"));
        (program.seen, !verdict.starts_with("verdict: unknown"), fault)
    });
    let seen = runs.iter().filter(|(seen, ..)| *seen).count();
    let answered = runs.iter().filter(|(_, answered, _)| *answered).count();
    let wrong: Vec<String> = runs.into_iter().filter_map(|(.., fault)| fault).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!((1..=11).contains(&seen), "{seen} of 12 have errors");
    assert!(answered >= 7, "only {answered} of 12 are answered");
}
