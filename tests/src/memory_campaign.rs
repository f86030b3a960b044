//! Compares answers for random programs with pointers with what AddressSanitizer says of them on all inputs:
//! `memory-campaign FIRST COUNT`.

use beeline_tests::driver::beeline;
use beeline_tests::memory::generated;
use std::process::ExitCode;

#[allow(clippy::print_stdout)]
fn main() -> ExitCode {
    let Some(seeds) = beeline_tests::seeds("memory-campaign") else { return ExitCode::from(2) };
    let count = seeds.end - seeds.start;
    let Ok(folder) = tempfile::tempdir() else {
        eprintln!("memory-campaign: there is no folder for temporary files");
        return ExitCode::from(2);
    };
    let (mut answered, mut wrong, mut bad) = (0, 0, 0);
    for seed in seeds {
        let program = match generated(seed, folder.path()) {
            Ok(program) => program,
            Err(why) => {
                println!("seed {seed}: {why}");
                wrong += 1;
                continue;
            }
        };
        bad += u64::from(program.truth == "unsafe");
        let file = program.file.display().to_string();
        let ran =
            beeline(folder.path(), &["check", "--time-limit", "5s", "--property", "memory-safety", &file]);
        let verdict = ran.verdict();
        if verdict.starts_with("verdict: unknown") {
            continue;
        }
        answered += 1;
        if !verdict.starts_with(&format!("verdict: {}", program.truth)) {
            wrong += 1;
            let text = std::fs::read_to_string(&program.file).unwrap_or_default();
            println!("seed {seed} is {}: {}\n{}\n{text}", program.truth, verdict, ran.out);
        }
    }
    println!("{count} programs, {bad} with errors, {answered} answered, {wrong} wrong");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
