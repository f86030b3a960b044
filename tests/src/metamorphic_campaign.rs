//! Asks about random programs in many ways and stops at answers that contradict each other:
//! `metamorphic-campaign FIRST COUNT`.

use beeline_tests::activations::{Asked, source};
use beeline_tests::metamorphic::contradiction;
use std::process::ExitCode;

#[allow(clippy::print_stdout)]
fn main() -> ExitCode {
    let Some(seeds) = beeline_tests::seeds("metamorphic-campaign") else { return ExitCode::from(2) };
    let count = seeds.end - seeds.start;
    let Ok(folder) = tempfile::tempdir() else {
        eprintln!("metamorphic-campaign: there is no folder for temporary files");
        return ExitCode::from(2);
    };
    for seed in seeds {
        let (asked, text) = source(seed);
        let file = folder.path().join("program.c");
        if let Err(error) = std::fs::write(&file, &text) {
            eprintln!("metamorphic-campaign: {error}");
            return ExitCode::from(2);
        }
        let property = if asked == Asked::Reach { "unreach-call" } else { "valid-deref" };
        let limits = ["--time-limit", "5s"];
        if let Some((safe, reached)) = contradiction(folder.path(), &file, property, &limits) {
            let kept = format!("contradiction-{seed}.c");
            let written = std::fs::write(&kept, &text);
            println!(
                "seed {seed}: {} is {}\n  but {} is {}\n  the program is kept as {kept}{}",
                safe.how,
                safe.verdict,
                reached.how,
                reached.verdict,
                written.map_or_else(|error| format!(", which failed: {error}"), |()| String::new())
            );
            return ExitCode::FAILURE;
        }
    }
    println!("{count} programs, no contradiction");
    ExitCode::SUCCESS
}
