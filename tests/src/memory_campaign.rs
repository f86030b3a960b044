//! Compares answers for random programs with pointers with what AddressSanitizer says of them on all inputs:
//! `memory-campaign FIRST COUNT`.
#![allow(clippy::print_stdout)]

use beeline_tests::driver::beeline;
use beeline_tests::memory::{Program, generated};
use beeline_tests::natively::campaign;
use std::path::Path;
use std::process::ExitCode;

/// What is counted.
#[derive(Default)]
struct Counts {
    answered: u64,
    wrong: u64,
    bad: u64,
}

impl Counts {
    fn check(&mut self, program: &Program, folder: &Path) {
        self.bad += u64::from(program.truth == "unsafe");
        let file = program.file.display().to_string();
        let ran = beeline(folder, &["check", "--time-limit", "5s", "--property", "memory-safety", &file]);
        let verdict = ran.verdict();
        if verdict.starts_with("verdict: unknown") {
            return;
        }
        self.answered += 1;
        if !verdict.starts_with(&format!("verdict: {}", program.truth)) {
            self.wrong += 1;
            let text = std::fs::read_to_string(&program.file).unwrap_or_default();
            println!("{file} is {}: {verdict}\n{}\n{text}", program.truth, ran.out);
        }
    }
}

fn main() -> ExitCode {
    let mut counts = Counts::default();
    let done = campaign("memory-campaign", generated, |program, folder| counts.check(&program, folder));
    let Some(count) = done else { return ExitCode::from(2) };
    let Counts { answered, wrong, bad } = counts;
    println!("{count} programs, {bad} with errors, {answered} answered, {wrong} wrong");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
