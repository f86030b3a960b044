//! Compares the answers on each target of random programs with native runs of its line: `lines-campaign FIRST COUNT`.
#![allow(clippy::print_stdout)]

use beeline_tests::driver::beeline;
use beeline_tests::lines::{Program, generated, told};
use beeline_tests::natively::campaign;
use std::path::Path;
use std::process::ExitCode;

/// What is counted.
#[derive(Default)]
struct Counts {
    targets: usize,
    answered: usize,
    failing: usize,
    wrong: usize,
}

impl Counts {
    fn check(&mut self, program: &Program, folder: &Path) {
        let (name, check) = (program.file.display(), program.check());
        let ran = beeline(folder, &check.iter().map(String::as_str).collect::<Vec<_>>());
        let Some(answers) = told(&ran.out) else {
            println!("{name}: no answer: {}", ran.err);
            self.wrong += 1;
            return;
        };
        self.targets += answers.len();
        self.failing += program.failing.len();
        self.answered += answers.iter().filter(|told| told.verdict != "unknown").count();
        if let Some(fault) = program.fault(&answers) {
            self.wrong += 1;
            let text = std::fs::read_to_string(&program.file).unwrap_or_default();
            println!("{name}: {fault} ({})\n{answers:?}\n{text}", program.search);
        }
    }
}

fn main() -> ExitCode {
    let mut counts = Counts::default();
    let done = campaign("lines-campaign", generated, |program, folder| counts.check(&program, folder));
    let Some(count) = done else { return ExitCode::from(2) };
    let Counts { targets, answered, failing, wrong } = counts;
    println!(
        "{count} programs with {targets} targets, {failing} lines fail, {answered} targets answered, {wrong} wrong"
    );
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
