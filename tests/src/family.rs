//! Prints a program of a family: `family NAME SIZE [DEPTH OF THE BUG]`.
#![allow(clippy::print_stdout)] // The program belongs on standard output.

use beeline_tests::families::{FAMILIES, Family, LARGE};
use std::process::ExitCode;

fn main() -> ExitCode {
    match source(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Some(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        None => {
            eprintln!(
                "family NAME SIZE [DEPTH]: prints a program, with a bug at a depth from 1 to SIZE if it is given"
            );
            for family in FAMILIES.into_iter().chain(LARGE) {
                eprintln!("  {}: {}", family.name, family.about);
            }
            ExitCode::from(2)
        }
    }
}

fn source(arguments: &[String]) -> Option<String> {
    let (name, numbers) = arguments.split_first()?;
    let numbers: Result<Vec<u32>, _> = numbers.iter().map(|number| number.parse()).collect();
    let (size, bug) = match numbers.ok()?[..] {
        [size] if size > 0 => (size, None),
        [size, depth] if (1..=size).contains(&depth) => (size, Some(depth)),
        _ => return None,
    };
    Some(Family::named(name)?.source(size, bug))
}
