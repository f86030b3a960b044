//! Does directed search help? Runs the programs of all families with every search and prints what
//! each needs, as ratios to depth-first search in the same run.
//!
//! `cargo bench -p beeline-tests --bench families -- [FAMILY ...] [--with NAME=OPTIONS ...] [--all OPTIONS]`
//! takes some families only, more configurations of beeline-verify, and options for all of them.
#![allow(clippy::print_stdout)] // The table belongs on standard output.

use beeline_tests::families::{FAMILIES, Family};
use beeline_tests::{lower_to, tool};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Time for one run.
const LIMIT: &str = "5s";
/// What all is compared to.
const BASE: &str = "dfs";

/// A way to run beeline-verify.
struct Configuration {
    name: String,
    options: Vec<String>,
}

impl Configuration {
    /// From `NAME=OPTIONS`.
    fn parse(text: &str) -> Option<Configuration> {
        let (name, options) = text.split_once('=')?;
        Some(Configuration {
            name: name.into(),
            options: options.split_whitespace().map(Into::into).collect(),
        })
    }
}

const CONFIGURATIONS: [&str; 9] = [
    "st=--search directed --metric st",
    "bb=--search directed --metric bb",
    "lh=--search directed --metric lh",
    "lf=--search directed --metric lf",
    "bb, newest=--search directed --metric bb --ties newest",
    "bb, rpo=--search directed --metric bb --ties rpo",
    "dfs=--search dfs",
    "bfs=--search bfs",
    "random=--search random --seed 1",
];

/// What a run needed.
#[derive(Clone, Copy)]
struct Cost {
    solved: bool,
    states: f64,
    cpu: f64,
}

fn main() -> ExitCode {
    match run(std::env::args().skip(1).filter(|argument| argument != "--bench")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(mut arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let mut configurations: Vec<Configuration> =
        CONFIGURATIONS.into_iter().filter_map(Configuration::parse).collect();
    let (mut families, mut common) = (Vec::new(), String::new());
    while let Some(argument) = arguments.next() {
        if argument == "--with" {
            let more = arguments.next().and_then(|text| Configuration::parse(&text));
            configurations.push(more.ok_or("--with takes NAME=OPTIONS")?);
        } else if argument == "--all" {
            common = arguments.next().ok_or("--all takes OPTIONS")?;
        } else {
            families.push(Family::named(&argument).ok_or(format!("there is no family {argument}"))?);
        }
    }
    for configuration in &mut configurations {
        configuration.options.extend(common.split_whitespace().map(Into::into));
    }
    if families.is_empty() {
        families = FAMILIES.to_vec();
    }
    let verify = tool("beeline-verify")?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    println!("states and CPU time of each search, as multiples of {BASE}; time limit {LIMIT}");
    let mut all: Vec<Vec<Cost>> = Vec::new();
    for family in families {
        let mut costs = Vec::new();
        for program in programs(family, folder.path())? {
            // One program after the other, so that a busy machine slows all configurations alike.
            let runs = configurations.iter().map(|configuration| measure(&verify, &program, configuration));
            costs.push(runs.collect::<Result<Vec<Cost>, String>>()?);
        }
        table(&format!("{}: {}", family.name, family.about), &configurations, &costs);
        all.append(&mut costs);
    }
    table("all families", &configurations, &all);
    Ok(())
}

/// The programs of a family: safe, and with a bug half-way and at the end.
fn programs(family: Family, folder: &Path) -> Result<Vec<(PathBuf, bool)>, String> {
    let mut programs = Vec::new();
    for size in family.sizes {
        for bug in [None, Some(size / 2), Some(size)] {
            let file = folder.join(format!("{}-{size}-{}.cfa", family.name, bug.unwrap_or(0)));
            lower_to(&family.source(size, bug), &file)?;
            programs.push((file, bug.is_some()));
        }
    }
    Ok(programs)
}

/// Runs a configuration on a program, whose verdict is known.
fn measure(verify: &Path, program: &(PathBuf, bool), configuration: &Configuration) -> Result<Cost, String> {
    let (file, buggy) = program;
    let mut command = Command::new(verify);
    command.arg(file).args(["--json", "--time-limit", LIMIT]).args(&configuration.options);
    let output = command.output().map_err(|error| error.to_string())?;
    let failed =
        || format!("{} {}: {}", file.display(), configuration.name, String::from_utf8_lossy(&output.stderr));
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).map_err(|_| failed())?;
    let solved = match result["verdict"].as_str() {
        Some("unknown") => false,
        Some(verdict) if (verdict == "unsafe") == *buggy => true,
        _ => return Err(format!("{} {}: a wrong verdict", file.display(), configuration.name)),
    };
    let figure = |name: &str| {
        let figures = result["statistics"].as_array();
        let figure = figures.and_then(|figures| figures.iter().find(|figure| figure["name"] == name));
        figure.and_then(|figure| figure["value"].as_f64()).unwrap_or(f64::NAN)
    };
    Ok(Cost { solved, states: figure("states"), cpu: figure("cpu time") / 1e6 })
}

/// Prints a line for each configuration, from what it needed for each program.
fn table(title: &str, configurations: &[Configuration], costs: &[Vec<Cost>]) {
    println!("\n{title}");
    println!("{:>14} {:>9} {:>10} {:>8} {:>10}", "", "solved", "states", "CPU", "seconds");
    let base = configurations.iter().position(|configuration| configuration.name == BASE);
    for (index, configuration) in configurations.iter().enumerate() {
        let of = |index: usize| costs.iter().map(move |runs| runs[index]);
        let solved = of(index).filter(|cost| cost.solved).count();
        let seconds = of(index).map(|cost| cost.cpu).sum::<f64>();
        let base = base.unwrap_or(index);
        let both: Vec<(Cost, Cost)> =
            of(index).zip(of(base)).filter(|(cost, base)| cost.solved && base.solved).collect();
        println!(
            "{:>14} {:>4}/{:<4} {:>10.2} {:>8.2} {:>10.1}",
            configuration.name,
            solved,
            costs.len(),
            mean_ratio(both.iter().map(|(cost, base)| cost.states / base.states)),
            seconds / of(base).map(|cost| cost.cpu).sum::<f64>(),
            seconds
        );
    }
}

/// The geometric mean.
fn mean_ratio(ratios: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = ratios.len() as f64;
    (ratios.map(f64::ln).sum::<f64>() / count).exp()
}
