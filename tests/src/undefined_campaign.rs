//! Compares answers for random programs with undefined operations with what compilers make of these:
//! `undefined-campaign FIRST COUNT`.

use beeline_tests::undefined::compare;
use std::process::ExitCode;

#[allow(clippy::print_stdout)]
fn main() -> ExitCode {
    let Some(seeds) = beeline_tests::seeds("undefined-campaign") else { return ExitCode::from(2) };
    let count = seeds.end - seeds.start;
    let (Ok(tools), Ok(folder)) = (beeline_tests::tools(), tempfile::tempdir()) else {
        eprintln!("undefined-campaign: the tools cannot be built, or there is no folder for temporary files");
        return ExitCode::from(2);
    };
    let (mut answered, mut wrong) = (0, 0);
    for seed in seeds {
        let (fault, known) = compare(seed, &tools.join("beeline"), folder.path());
        answered += u64::from(known);
        if let Some(fault) = fault {
            wrong += 1;
            println!("{fault}");
        }
    }
    println!("{count} programs, {answered} answered, {wrong} wrong");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
