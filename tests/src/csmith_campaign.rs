//! Compares csmith programs, native against interpreter: `csmith-campaign FIRST COUNT [CLANG] [flat] [32]`.

use beeline_tests::CLANG;
use beeline_tests::csmith::{Compared, Comparison};
use std::process::ExitCode;

#[allow(clippy::print_stdout)]
fn main() -> ExitCode {
    let Some(seeds) = beeline_tests::seeds("csmith-campaign") else { return ExitCode::from(2) };
    let words: Vec<String> = std::env::args().skip(3).collect();
    let is_there = |word: &str| words.iter().any(|given| given == word);
    let clang = words.iter().find(|word| word.contains("clang")).map_or(CLANG, String::as_str);
    let lowering: &[&str] = if is_there("flat") { &["--memory", "flat"] } else { &[] };
    let width = if is_there("32") { "-m32" } else { "-m64" };
    let Ok(folder) = tempfile::tempdir() else {
        eprintln!("csmith-campaign: there is no folder for temporary files");
        return ExitCode::from(2);
    };
    let comparison = Comparison { clang, lowering, folder: folder.path() };
    let (mut equal, mut long, mut different) = (0, 0, 0);
    for seed in seeds {
        for level in ["-O0", "-O2"] {
            match comparison.compare(seed, &[level, width]) {
                Compared::Equal(_) => equal += 1,
                Compared::TooLong => long += 1,
                Compared::Different(what) => {
                    different += 1;
                    println!("seed {seed} {level}: {what}");
                }
            }
        }
    }
    println!("{equal} equal, {long} too long, {different} different");
    if different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
