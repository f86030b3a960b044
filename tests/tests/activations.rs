//! Random programs about activations: no answer contradicts native runs on all inputs. More of them:
//! `measure/fuzz-activations`.

use beeline_tests::SOME_WORK;
use beeline_tests::activations::{Asked, generated};
use beeline_tests::driver::beeline;

#[test]
fn random_programs_agree_with_native_runs() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (mut answered, mut seen, mut wrong) = (0, 0, Vec::new());
    for seed in 0..12 {
        let program = generated(seed, folder.path()).expect("it is compiled and run");
        seen += usize::from(program.seen);
        let property = if program.asked == Asked::Reach { "unreach-call" } else { "valid-deref" };
        let file = program.file.display().to_string();
        let arguments = [&["check", "--property", property], &SOME_WORK[..], &[&file]].concat();
        let ran = beeline(folder.path(), &arguments);
        let verdict = ran.verdict();
        answered += usize::from(!verdict.starts_with("verdict: unknown"));
        wrong.extend(program.fault(verdict).map(|fault| format!("seed {seed}: {fault}: {verdict}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!((1..=11).contains(&seen), "{seen} of 12 have errors");
    assert!(answered >= 7, "only {answered} of 12 are answered");
}
