//! Random programs with many targets: no answer on one contradicts native runs of its line on all inputs. More of them:
//! `measure/fuzz-lines`.

use beeline_tests::driver::beeline;
use beeline_tests::lines::{generated, told};
use beeline_tests::two_at_a_time;

#[test]
fn each_target_agrees_with_native_runs_of_its_line() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let programs = generated(0..20, folder.path()).expect("they are compiled and run");
    let runs = two_at_a_time(programs, |program| {
        let check = program.check();
        let ran = beeline(folder.path(), &check.iter().map(String::as_str).collect::<Vec<_>>());
        let answers = told(&ran.out).expect("there is an answer");
        let fault = program.fault(&answers).map(|fault| format!("{}: {fault}", program.file.display()));
        (program.failing.len(), answers, fault)
    });
    let (mut targets, mut answered, mut failing, mut wrong) = (0, 0, 0, Vec::new());
    for (lines, answers, fault) in runs {
        targets += answers.len();
        failing += lines;
        answered += answers.iter().filter(|told| told.verdict != "unknown").count();
        wrong.extend(fault);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(failing >= 5 && targets >= 5 * 10, "{failing} lines of {targets} targets fail");
    assert!(answered * 2 >= targets, "only {answered} of {targets} are answered");
}
