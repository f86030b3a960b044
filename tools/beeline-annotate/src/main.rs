//! Measures how far every location of a program is from its targets: `.cfa` to `.dist`.

use beeline_graph::{Annotation, Dist, Distances, Estimate, Graph, Metric, Targets};
use beeline_ir::file::{self, File};
use beeline_ir::{LocId, Program};
use beeline_options::MemoryLimit;
use clap::{Parser, ValueEnum};
use serde_json::{Value as Json, json};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Measures how far every location of a program is from its targets.
#[derive(Debug, Parser)]
#[command(name = "beeline-annotate", version)]
struct Args {
    /// The program, a .cfa file, or `-` for standard input
    program: PathBuf,
    /// The file for the distances [default: the program's name with the ending .dist]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The metric: what counts as one unit of distance
    #[arg(long, value_enum, default_value_t = MetricName::All)]
    metric: MetricName,
    /// How calls with an unknown callee count
    #[arg(long, value_enum, default_value_t = EstimateName::Efca)]
    estimate: EstimateName,
    /// The targets to reach, by name or as FUNCTION:LABEL; all of them if none is given
    #[arg(long, value_name = "TARGET", value_delimiter = ',')]
    targets: Vec<String>,
    /// Reach the targets one after the other, in the order given
    #[arg(long, requires = "targets")]
    sequence: bool,
    /// Print one JSON object with the distance from the start to the targets
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    memory: MemoryLimit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MetricName {
    /// Statements
    St,
    /// Basic blocks
    Bb,
    /// Loop heads
    Lh,
    /// Loop heads and function boundaries
    Lf,
    /// Each of them
    All,
}

impl MetricName {
    fn metrics(self) -> Vec<Metric> {
        match self {
            MetricName::St => vec![Metric::Statements],
            MetricName::Bb => vec![Metric::BasicBlocks],
            MetricName::Lh => vec![Metric::LoopHeads],
            MetricName::Lf => vec![Metric::LoopHeadsAndFunctions],
            MetricName::All => Metric::ALL.to_vec(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EstimateName {
    /// Without the calls that are open; the cheapest candidate
    Fsm,
    /// With the calls that are open; the cheapest candidate
    Efca,
    /// With the calls that are open; 2 until the callee is known
    Pfsm,
}

impl From<EstimateName> for Estimate {
    fn from(name: EstimateName) -> Estimate {
        match name {
            EstimateName::Fsm => Estimate::Fsm,
            EstimateName::Efca => Estimate::Efca,
            EstimateName::Pfsm => Estimate::Pfsm,
        }
    }
}

fn main() -> ExitCode {
    let args: Args = beeline_cli::parse();
    beeline_cli::memory::confine("beeline-annotate", args.memory.bytes());
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            beeline_cli::tell!("beeline-annotate: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<(), String> {
    let File { header, body: program } =
        file::read_program(&args.program).map_err(|error| error.to_string())?;
    let output = match &args.output {
        Some(output) => output.clone(),
        None if args.program.as_os_str() == "-" => {
            return Err("give -o when the input is standard input".into());
        }
        None => args.program.with_extension("dist"),
    };
    file::expect_other(&output, [args.program.as_path()]).map_err(|error| error.to_string())?;
    let targets = targets(args, &program)?;
    let graph = Graph::new(&program);
    let distances = Distances::of_metrics(&graph, &args.metric.metrics(), args.estimate.into(), &targets);
    let report = args.json.then(|| report(&program, &distances));
    file::write(&output, &Annotation { distances }, Some(header.digest))
        .map_err(|error| error.to_string())?;
    report.map_or(Ok(()), |report| {
        writeln!(io::stdout(), "{report:#}").map_err(|error| format!("cannot write the output: {error}"))
    })
}

fn targets(args: &Args, program: &Program) -> Result<Targets, String> {
    if args.targets.is_empty() {
        return Ok(Targets::all(program));
    }
    let found: Result<Vec<LocId>, String> = args.targets.iter().map(|name| target(program, name)).collect();
    let found = found?;
    Ok(if args.sequence { Targets::sequence(found) } else { Targets { stages: vec![found] } })
}

/// The target with a name, or the location with a label in a function.
fn target(program: &Program, name: &str) -> Result<LocId, String> {
    if let Some(target) = program.targets.iter().find(|target| target.name == name) {
        return Ok(target.loc);
    }
    let labelled = name.rsplit_once(':').and_then(|(function, label)| {
        let function = &program.functions[program.function_named(function)?];
        function.locations().find(|&loc| program.label(loc) == label)
    });
    labelled.ok_or_else(|| {
        let names: Vec<&str> = program.targets.iter().take(10).map(|target| target.name.as_str()).collect();
        format!(
            "the program has no target and no location {name}; give the name of a target ({}) or FUNCTION:LABEL",
            names.join(", ")
        )
    })
}

fn report(program: &Program, distances: &[Distances]) -> Json {
    let entry = program.functions[program.entry].entry();
    let of_metric = |distances: &Distances| {
        let stages = 0..distances.targets().stages.len();
        let starts: Vec<_> =
            stages.map(|stage| distances.dist(stage, entry, Dist::INFINITE).steps()).collect();
        (distances.metric().name().to_string(), json!(starts))
    };
    json!({
        "locations": program.num_locs(),
        "estimate": distances.first().map(|first| first.estimate().name()),
        "from_start": distances.iter().map(of_metric).collect::<serde_json::Map<_, _>>(),
    })
}
