//! Measures the 25 features of programs: `.cfa` to `.feat`.

use beeline_graph::features::NAMES;
use beeline_graph::{Features, Graph};
use beeline_ir::file::{self, File};
use beeline_options::MemoryLimit;
use clap::Parser;
use serde_json::{Map, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Measures the 25 features of programs by which a metric is chosen.
#[derive(Debug, Parser)]
#[command(name = "beeline-features", version)]
struct Args {
    /// The programs, .cfa files; `-` is standard input
    #[arg(required = true)]
    programs: Vec<PathBuf>,
    /// The file for the features of one program [default: its name with the ending .feat]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print one JSON object instead of writing files, unless -o is given
    #[arg(long)]
    json: bool,
    /// Print a table with a row for each program instead of writing files
    #[arg(long, conflicts_with_all = ["json", "output"])]
    csv: bool,
    #[command(flatten)]
    memory: MemoryLimit,
}

fn main() -> ExitCode {
    let args: Args = beeline_cli::parse();
    beeline_cli::memory::confine("beeline-features", args.memory.bytes());
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            beeline_cli::tell!("beeline-features: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<(), String> {
    if args.output.is_some() && args.programs.len() > 1 {
        return Err("-o names one file, but there are several programs".into());
    }
    let mut rows = Vec::new();
    for path in &args.programs {
        let File { header, body: program } = file::read_program(path).map_err(|error| error.to_string())?;
        let features = Features::new(&Graph::new(&program));
        drop(program);
        if let Some(output) = output(args, path)? {
            file::expect_other(&output, [path.as_path()]).map_err(|error| error.to_string())?;
            file::write(&output, &features, Some(header.digest)).map_err(|error| error.to_string())?;
        }
        rows.push((path.display().to_string(), features));
    }
    let printed = match (args.json, args.csv) {
        (true, _) => json(&rows),
        (_, true) => csv(&rows),
        _ => return Ok(()),
    };
    io::stdout().write_all(printed.as_bytes()).map_err(|error| format!("cannot write the output: {error}"))
}

/// The file for the features of a program, if they are written to one.
fn output(args: &Args, program: &Path) -> Result<Option<PathBuf>, String> {
    match &args.output {
        Some(output) => Ok(Some(output.clone())),
        None if args.json || args.csv => Ok(None),
        None if program.as_os_str() == "-" => {
            Err("give -o, --json or --csv when the input is standard input".into())
        }
        None => Ok(Some(program.with_extension("feat"))),
    }
}

/// An object with an object of features for each program.
fn json(rows: &[(String, Features)]) -> String {
    let features =
        |features: &Features| features.iter().map(|(name, value)| (name.to_string(), json!(value))).collect();
    let object: Map<_, _> =
        rows.iter().map(|(name, row)| (name.clone(), serde_json::Value::Object(features(row)))).collect();
    format!("{:#}\n", serde_json::Value::Object(object))
}

/// A line of names, then a line for each program.
fn csv(rows: &[(String, Features)]) -> String {
    let mut table = format!("program,{}\n", NAMES.join(","));
    for (name, features) in rows {
        table.push_str(&csv_field(name));
        features.values.iter().for_each(|value| table.push_str(&format!(",{value}")));
        table.push('\n');
    }
    table
}

fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}
