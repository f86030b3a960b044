//! `beeline-witness`: translates results to the witness formats of SV-COMP, for other verifiers.

use beeline_ir::file::{expect_other, read_bytes, write_bytes};
use beeline_ir::{LocId, Program};
use beeline_run::{Certificate, RunPath, RunVerdict};
use beeline_witness::correctness::Correctness;
use beeline_witness::given::Given;
use beeline_witness::source::Sources;
use beeline_witness::task::Task;
use beeline_witness::unit::Unit;
use beeline_witness::violation::Violation;
use beeline_witness::{graphml, yaml};
use clap::{Parser, ValueEnum};
use serde_json::{Value as Json, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EXAMPLE: &str = "Example:
  clang-19 -g -O0 -Xclang -disable-O0-optnone -emit-llvm -c p.c -o p.bc
  beeline-lower p.bc -o p.cfa
  beeline-verify p.cfa -o p.run
  beeline-witness p.run -o p.yml
  beeline-witness p.run --format graphml -o p.graphml";

/// Translates a result to a witness, which other verifiers can check.
///
/// For an unsafe program it is a violation witness: the values of the inputs, and where the error is.
/// For a safe one it is a correctness witness: invariants of loops as C expressions. It is as good as the
/// names and places in the program: compile with -g and -O0.
#[derive(Debug, Parser)]
#[command(name = "beeline-witness", version, after_help = EXAMPLE)]
struct Arguments {
    /// The result, a .run file as beeline-verify writes it
    result: PathBuf,
    /// The verified .cfa file [default: the result's name with the ending .cfa]
    #[arg(long, value_name = "FILE")]
    cfa: Option<PathBuf>,
    /// The C file, preprocessed or not [default: the file that the program was compiled from]
    #[arg(long, value_name = "FILE")]
    source: Option<PathBuf>,
    /// A file with the property, as SV-COMP has them [default: the property of the program's targets]
    #[arg(long, value_name = "FILE")]
    property: Option<PathBuf>,
    /// The format
    #[arg(long, value_enum, default_value_t = Format::Yaml)]
    format: Format,
    /// The file for the witness
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Print the contents of the witness as one JSON object; needs an output file
    #[arg(long, requires = "output")]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// YAML 2.0, or 2.1 where functions have contracts
    Yaml,
    /// GraphML 1.0
    Graphml,
}

fn main() -> ExitCode {
    beeline_cli::memory::confine("beeline-witness", None);
    match run(&beeline_cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            beeline_cli::tell!("beeline-witness: {sentence}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    if arguments.json && arguments.output == Path::new("-") {
        return Err("--json prints to standard output; name another file for the witness with -o".into());
    }
    let inputs = [Some(&arguments.result), arguments.cfa.as_ref()];
    expect_other(&arguments.output, inputs.into_iter().flatten().map(PathBuf::as_path))
        .map_err(|error| error.to_string())?;
    let given =
        Given::read(&arguments.result, arguments.cfa.as_deref()).map_err(|error| error.to_string())?;
    let (witness, facts) = translate(arguments, &given)?;
    write_bytes(&arguments.output, witness.as_bytes()).map_err(|error| error.to_string())?;
    if arguments.json {
        // The witness is written even if the output is closed.
        let _ = writeln!(std::io::stdout(), "{facts}");
    }
    Ok(())
}

/// The witness of a result, and its content.
fn translate(arguments: &Arguments, given: &Given) -> Result<(String, Json), String> {
    let Given { program, run } = given;
    let shown = arguments.result.display();
    let target = run.path().map(|path| path.target);
    let (task, unit) = task(arguments, program, target)?;
    match (&run.verdict, run.path(), run.proof()) {
        (RunVerdict::Unsafe, Some(path), _) => Ok(violation(arguments.format, program, path, (&task, &unit))),
        (RunVerdict::Safe, ..) if !run.is_of_all_targets() => {
            Err(format!("{shown} covers some of the program's targets, but a witness covers all"))
        }
        (RunVerdict::Safe, _, Some(proof)) => Ok(correctness(arguments.format, given, proof, (&task, &unit))),
        (RunVerdict::Unknown(reason), ..) => {
            Err(format!("{shown} has the verdict unknown and no witness ({reason})"))
        }
        _ => Err(format!("{shown} has neither a counterexample nor a proof")),
    }
}

/// The witness of a counterexample, and its content.
fn violation(
    format: Format,
    program: &Program,
    path: &RunPath,
    (task, unit): (&Task, &Unit),
) -> (String, Json) {
    let entry = &program.functions[program.entry].name;
    let found = Violation::new(program, path, unit);
    if found.left_out > 0 {
        beeline_cli::tell!("{} values are omitted: no call in {} returns them", found.left_out, task.file);
    }
    let witness = match format {
        Format::Yaml => yaml::violation(task, &found),
        Format::Graphml => graphml::violation(task, &found, entry),
    };
    let (inputs, left_out) = (found.inputs.len(), found.left_out);
    (witness, json!({ "kind": "violation", "inputs": inputs, "left_out": left_out }))
}

/// The witness of a proof, and its content.
fn correctness(
    format: Format,
    Given { program, run }: &Given,
    proof: &Certificate,
    (task, unit): (&Task, &Unit),
) -> (String, Json) {
    let entry = &program.functions[program.entry].name;
    let graphs = run.whole_graphs();
    let found = match (proof, &graphs) {
        (Certificate::Graph(_), Some(graphs)) => Correctness::in_unit(program, graphs, unit),
        (Certificate::Summaries(summaries), _) if run.is_whole() => {
            Correctness::of_summaries(program, summaries, unit)
        }
        (
            Certificate::Graph(_)
            | Certificate::Unrolling(_)
            | Certificate::Summaries(_)
            | Certificate::Joined(_),
            _,
        ) => Correctness::default(),
    };
    let (invariants, contracts) = (found.invariants.len(), found.contracts.len());
    let (loops, facts) = (found.loops_left_out, found.facts_left_out);
    match proof {
        Certificate::Graph(_) | Certificate::Summaries(_) if !run.resting.is_empty() && graphs.is_none() => {
            beeline_cli::tell!("no invariants: the proof builds on earlier results")
        }
        Certificate::Graph(_) | Certificate::Summaries(_) => beeline_cli::tell!(
            "loops with invariants: {invariants}, functions with contracts: {contracts}; omitted, because C has no names for them or executions after the last target get there: loops: {loops}, facts: {facts}"
        ),
        Certificate::Unrolling(_) => {
            beeline_cli::tell!("no invariants: the proof unrolls the loops and needs none");
        }
        Certificate::Joined(_) => {
            beeline_cli::tell!("no invariants: the proof consists of parts in other results");
        }
    }
    let witness = match format {
        Format::Yaml => yaml::correctness(task, &found),
        Format::Graphml => graphml::correctness(task, &found, entry),
    };
    let facts = json!({
        "kind": "correctness",
        "invariants": invariants,
        "contracts": contracts,
        "loops_left_out": loops,
        "facts_left_out": facts,
    });
    (witness, facts)
}

/// The task and its C file.
fn task(arguments: &Arguments, program: &Program, target: Option<LocId>) -> Result<(Task, Unit), String> {
    let text = |path: &PathBuf| read_bytes(path).map_err(|error| error.to_string());
    let property = arguments.property.as_ref().map(text).transpose()?;
    let property = property.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let file = main_file(program)?;
    let sources = Sources::new(vec![arguments.result.parent().map(PathBuf::from).unwrap_or_default()]);
    let place = match &arguments.source {
        Some(place) => place.clone(),
        None => sources
            .find(&file)
            .ok_or_else(|| format!("the C file {file} is missing; name it with --source"))?,
    };
    let content = text(&place)?;
    let name = place.display().to_string();
    let target = target.and_then(|loc| program.targets.iter().find(|target| target.loc == loc));
    Ok((Task::new(program, (&name, &content), target, property), Unit::new(&file, &content)))
}

/// The C file that the program was compiled from: that of its entry function.
fn main_file(program: &Program) -> Result<String, String> {
    let file = program.functions[program.entry].file;
    let file = file.map(|file| program.files[file].clone());
    file.ok_or_else(|| "the program has no debug information; compile it with -g".into())
}
