//! Compares answers for random programs about activations with native runs of them on all inputs:
//! `activation-campaign FIRST COUNT`.

use beeline_tests::activations::{Asked, generated};
use beeline_tests::driver::beeline;
use std::process::ExitCode;

#[allow(clippy::print_stdout)]
fn main() -> ExitCode {
    let Some(seeds) = beeline_tests::seeds("activation-campaign") else { return ExitCode::from(2) };
    let count = seeds.end - seeds.start;
    let Ok(folder) = tempfile::tempdir() else {
        eprintln!("activation-campaign: there is no folder for temporary files");
        return ExitCode::from(2);
    };
    let (mut answered, mut wrong, mut seen, mut assumed) = (0, 0, 0, 0);
    for seed in seeds {
        let program = match generated(seed, folder.path()) {
            Ok(program) => program,
            Err(why) => {
                println!("seed {seed}: {why}");
                wrong += 1;
                continue;
            }
        };
        seen += u64::from(program.seen);
        let file = program.file.display().to_string();
        let property = if program.asked == Asked::Reach { "unreach-call" } else { "valid-deref" };
        let ran = beeline(
            folder.path(),
            &["check", "--ticks", "3000000", "--time-limit", "9s", "--property", property, &file],
        );
        let verdict = ran.verdict();
        answered += u64::from(!verdict.starts_with("verdict: unknown"));
        if verdict.starts_with("verdict: safe") && program.seen {
            assumed += 1;
            let listed = ran.out.lines().skip_while(|line| !line.starts_with("Assumptions:")).skip(1);
            let listed: Vec<&str> = listed.take_while(|line| line.starts_with("  ")).collect();
            println!("seed {seed} is safe only if{}", listed.join(";"));
        }
        if let Some(fault) = program.fault(verdict) {
            wrong += 1;
            let text = std::fs::read_to_string(&program.file).unwrap_or_default();
            println!("seed {seed}: {fault}: {verdict}\n{}\n{text}", ran.out);
        }
        let _ = std::fs::remove_file(&program.file);
    }
    println!(
        "{count} programs, {seen} with errors, {answered} answered, {assumed} with errors safe under assumptions, {wrong} wrong"
    );
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
