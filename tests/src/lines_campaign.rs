//! Compares the answers on each target of random programs with native runs of its line: `lines-campaign FIRST COUNT`.

use beeline_tests::driver::beeline;
use beeline_tests::lines::{generated, told};
use std::process::ExitCode;

#[allow(clippy::print_stdout)]
fn main() -> ExitCode {
    let Some(seeds) = beeline_tests::seeds("lines-campaign") else { return ExitCode::from(2) };
    let count = seeds.end - seeds.start;
    let Ok(folder) = tempfile::tempdir() else {
        eprintln!("lines-campaign: there is no folder for temporary files");
        return ExitCode::from(2);
    };
    let (mut targets, mut answered, mut failing, mut wrong) = (0, 0, 0, 0);
    for seed in seeds {
        let program = match generated(seed, folder.path()) {
            Ok(program) => program,
            Err(why) => {
                println!("seed {seed}: {why}");
                wrong += 1;
                continue;
            }
        };
        let check = program.check();
        let ran = beeline(folder.path(), &check.iter().map(String::as_str).collect::<Vec<_>>());
        let Some(answers) = told(&ran.out) else {
            println!("seed {seed}: no answer: {}", ran.err);
            wrong += 1;
            continue;
        };
        targets += answers.len();
        failing += program.failing.len();
        answered += answers.iter().filter(|told| told.verdict != "unknown").count();
        if let Some(fault) = program.fault(&answers) {
            wrong += 1;
            let text = std::fs::read_to_string(&program.file).unwrap_or_default();
            println!("seed {seed}: {fault} ({})\n{answers:?}\n{text}", program.search);
        }
    }
    println!(
        "{count} programs with {targets} targets, {failing} lines fail, {answered} targets answered, {wrong} wrong"
    );
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
