//! Random programs with many targets: no answer on one contradicts native runs of its line on all inputs. More of them:
//! `measure/fuzz-lines`.

use beeline_tests::driver::beeline;
use beeline_tests::lines::{generated, told};

#[test]
fn each_target_agrees_with_native_runs_of_its_line() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (mut targets, mut answered, mut failing, mut wrong) = (0, 0, 0, Vec::new());
    for seed in 0..10 {
        let program = generated(seed, folder.path()).expect("it is compiled and run");
        let file = program.file.display().to_string();
        let limits = ["check", "--json", "--every", "--ticks", "6000000", "--time-limit", "6s"];
        let asked = ["--property", program.property, &file];
        let ran = beeline(folder.path(), &[&limits[..], &asked].concat());
        let (answers, assumes) = told(&ran.out).expect("there is an answer");
        targets += answers.len();
        failing += program.failing.len();
        answered += answers.iter().filter(|told| told.verdict != "unknown").count();
        wrong.extend(program.fault(&answers, assumes).map(|fault| format!("seed {seed}: {fault}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(failing >= 5 && targets >= 5 * 10, "{failing} lines of {targets} targets fail");
    assert!(answered * 2 >= targets, "only {answered} of {targets} are answered");
}
