//! Compares answers for random programs about activations with native runs of them on all inputs:
//! `activation-campaign FIRST COUNT`.
#![allow(clippy::print_stdout)]

use beeline_tests::activations::{Asked, Program, generated};
use beeline_tests::driver::beeline;
use beeline_tests::natively::campaign;
use std::path::Path;
use std::process::ExitCode;

/// What is counted.
#[derive(Default)]
struct Counts {
    answered: u64,
    wrong: u64,
    seen: u64,
    assumed: u64,
}

impl Counts {
    fn check(&mut self, program: &Program, folder: &Path) {
        let (name, seen) = (program.file.display(), program.seen);
        let file = name.to_string();
        let property = if program.asked == Asked::Reach { "unreach-call" } else { "valid-deref" };
        let check = ["check", "--ticks", "3000000", "--time-limit", "9s", "--property", property, &file];
        let ran = beeline(folder, &check);
        let verdict = ran.verdict();
        self.seen += u64::from(seen);
        self.answered += u64::from(!verdict.starts_with("verdict: unknown"));
        if verdict.starts_with("verdict: safe") && seen {
            self.assumed += 1;
            let listed = ran.out.lines().skip_while(|line| !line.starts_with("Assumptions:")).skip(1);
            let listed: Vec<&str> = listed.take_while(|line| line.starts_with("  ")).collect();
            println!("{name} is safe only if{}", listed.join(";"));
        }
        if let Some(fault) = program.fault(verdict) {
            self.wrong += 1;
            let text = std::fs::read_to_string(&program.file).unwrap_or_default();
            println!("{name}: {fault}: {verdict}\n{}\n{text}", ran.out);
        }
    }
}

fn main() -> ExitCode {
    let mut counts = Counts::default();
    let done = campaign("activation-campaign", generated, |program, folder| counts.check(&program, folder));
    let Some(count) = done else { return ExitCode::from(2) };
    let Counts { answered, wrong, seen, assumed } = counts;
    println!(
        "{count} programs, {seen} with errors, {answered} answered, {assumed} with errors safe under assumptions, {wrong} wrong"
    );
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
