//! Compares csmith programs, native against interpreter: `csmith-campaign FIRST COUNT [flat] [32]`.

use beeline_lower::Options;
use beeline_tests::{Compared, compare_csmith};
use std::process::ExitCode;

#[allow(clippy::print_stdout)]
fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize| args.get(index).and_then(|arg| arg.parse::<u64>().ok());
    let (Some(first), Some(count)) = (number(0), number(1)) else {
        eprintln!("usage: csmith-campaign FIRST-SEED COUNT [flat] [32]");
        return ExitCode::from(2);
    };
    let chosen = |word: &str| args.iter().skip(2).any(|arg| arg == word);
    let options = Options { flat: chosen("flat"), ..Options::default() };
    let width = if chosen("32") { "-m32" } else { "-m64" };
    let Ok(folder) = tempfile::tempdir() else {
        eprintln!("csmith-campaign: there is no folder for temporary files");
        return ExitCode::from(2);
    };
    let (mut equal, mut long, mut different) = (0, 0, 0);
    for seed in first..first + count {
        for level in ["-O0", "-O2"] {
            match compare_csmith(seed, &[level, width], &options, folder.path()) {
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
