//! Compares answers for random programs with threads with all their interleavings: `threads-campaign FIRST COUNT`.

use beeline_tests::driver::beeline;
use beeline_tests::interleavings::{PROPERTIES, generated};
use std::process::ExitCode;

#[allow(clippy::print_stdout)]
fn main() -> ExitCode {
    let Some(seeds) = beeline_tests::seeds("threads-campaign") else { return ExitCode::from(2) };
    let Ok(folder) = tempfile::tempdir() else {
        eprintln!("threads-campaign: there is no folder for temporary files");
        return ExitCode::from(2);
    };
    let file = folder.path().join("program.c");
    let (mut asked, mut violated, mut answered, mut wrong) = (0, 0, 0, 0);
    for seed in seeds {
        let program = generated(seed);
        if let Err(error) = std::fs::write(&file, &program.text) {
            eprintln!("threads-campaign: {}: {error}", file.display());
            return ExitCode::from(2);
        }
        for property in PROPERTIES {
            let ran =
                beeline(folder.path(), &["check", "--time-limit", "5s", "--property", property, "program.c"]);
            asked += 1;
            violated += usize::from(program.violates(property));
            answered += usize::from(!ran.verdict().starts_with("verdict: unknown"));
            if ran.verdict().starts_with("verdict: unknown") {
                println!("seed {seed}, {property}: {}", ran.verdict());
            }
            if let Some(fault) = program.fault(property, ran.verdict()) {
                wrong += 1;
                println!(
                    "seed {seed}, {property}: {fault}: {}\n{}\n{}",
                    ran.verdict(),
                    ran.out,
                    program.text
                );
            }
        }
    }
    println!("{asked} questions, {violated} with violations, {answered} answered, {wrong} wrong");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
