//! Compares programs that copy parts of objects, native against interpreter: `parts-campaign FIRST COUNT [CLANG]`.

use beeline_tests::{CLANG, parts};
use std::process::ExitCode;

#[allow(clippy::print_stdout)]
fn main() -> ExitCode {
    let Some(seeds) = beeline_tests::seeds("parts-campaign") else { return ExitCode::from(2) };
    let clang = std::env::args().nth(3).unwrap_or_else(|| CLANG.to_string());
    let Ok(folder) = tempfile::tempdir() else {
        eprintln!("parts-campaign: there is no folder for temporary files");
        return ExitCode::from(2);
    };
    let count = seeds.end - seeds.start;
    let mut different = 0;
    for seed in seeds {
        if let Err(what) = parts::compare(seed, &clang, folder.path()) {
            different += 1;
            println!("{what}");
        }
    }
    println!("{count} programs, {different} different");
    if different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
