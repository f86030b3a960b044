//! Lowers LLVM bitcode to the IR of Beeline.

use beeline_ir::{Program, file};
use beeline_llvm::import::import;
use beeline_lower::{LowerError, Lowered, Lowering, lower_traced};
use beeline_module::mangled::demangle_all;
use beeline_module::producer::Producer;
use beeline_options::MemoryLimit;
use clap::Parser;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Lowers LLVM bitcode or textual LLVM IR of a C program to a control-flow automaton.
///
/// The exit code is 0 if the program was written, 2 for wrong input or usage and for a program that
/// cannot be modelled, and 3 if the memory limit was reached.
#[derive(Debug, Parser)]
#[command(name = "beeline-lower", version)]
struct Args {
    /// The module, as `clang -c -emit-llvm -g` writes it, or `-` for standard input
    module: PathBuf,
    /// The file for the program [default: the module's name with the ending .cfa]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the textual form instead of a .cfa file
    #[arg(long)]
    text: bool,
    #[command(flatten)]
    lowering: Lowering,
    /// The exit code for a module that cannot be modelled; a program that must distinguish this from wrong input
    /// asks for another one
    #[arg(long, value_name = "CODE", default_value_t = 2)]
    unsupported_code: u8,
    /// Print sizes of the program and the time
    #[arg(long)]
    stats: bool,
    #[command(flatten)]
    memory: MemoryLimit,
}

/// The reason why there is no program: a sentence, and the exit code.
struct Failure {
    sentence: String,
    code: u8,
}

impl From<String> for Failure {
    /// Wrong input or wrong usage.
    fn from(sentence: String) -> Failure {
        Failure { sentence, code: 2 }
    }
}

impl Failure {
    /// A module that was read, but not lowered.
    fn lowering(name: &str, error: &LowerError, unsupported: u8) -> Failure {
        let code = if matches!(error, LowerError::Unsupported { .. }) { unsupported } else { 2 };
        Failure { sentence: format!("{name}: {}", demangle_all(&error.to_string())), code }
    }
}

fn main() -> ExitCode {
    let args: Args = beeline_cli::parse();
    beeline_cli::memory::confine("beeline-lower", args.memory.bytes());
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure { sentence, code }) => {
            beeline_cli::tell!("beeline-lower: {sentence}");
            ExitCode::from(code)
        }
    }
}

fn run(args: &Args) -> Result<(), Failure> {
    let start = std::time::Instant::now();
    let options = args.lowering.options()?;
    let output = output(args);
    file::expect_other(&output, [args.module.as_path()]).map_err(|error| error.to_string())?;
    let bytes = file::read_bytes(&args.module).map_err(|error| error.to_string())?;
    let version = Producer::version(&bytes);
    beeline_cli::versions::hand_over("beeline-lower", beeline_llvm::LLVM, version, &args.module);
    let name = args.module.display().to_string();
    if let Some(producer) = Producer::of(&bytes).filter(|producer| producer.rustc.is_some()) {
        beeline_cli::tell!("beeline-lower: note: {name} was made by {producer}");
    }
    let module = import(&bytes, &name, &args.lowering.import()).map_err(|error| error.to_string())?;
    let Lowered { program, accesses, .. } = lower_traced(module, &options)
        .map_err(|error| Failure::lowering(&name, &error, args.unsupported_code))?;
    if program.targets.is_empty() {
        beeline_cli::tell!("beeline-lower: note: {name} has no target for {}", args.lowering.looked_for());
    }
    write(args, &output, &program)?;
    if args.stats {
        beeline_cli::tell!("{}", figures(&program, start.elapsed()));
        beeline_cli::tell!("{} of {} accesses through pointers are checked", accesses.checked, accesses.met);
    }
    Ok(())
}

/// The file for the program.
fn output(args: &Args) -> PathBuf {
    args.output.clone().unwrap_or_else(|| match args.module.as_os_str() == "-" || args.text {
        true => PathBuf::from("-"),
        false => args.module.with_extension("cfa"),
    })
}

/// Writes the program.
fn write(args: &Args, output: &Path, program: &Program) -> Result<(), String> {
    let written = if args.text {
        file::write_bytes(output, beeline_ir::text::print(program).as_bytes())
    } else {
        file::write(output, program, None).map(|_| ())
    };
    written.map_err(|error| error.to_string())
}

fn figures(program: &Program, time: std::time::Duration) -> String {
    format!(
        "{} functions, {} locations, {} edges, {} variables, {} regions, {} targets, {} assumptions, {:.2} s",
        program.functions.len(),
        program.num_locs(),
        program.edges.len(),
        program.vars.len(),
        program.regions.len(),
        program.targets.len(),
        program.assumptions.len(),
        time.as_secs_f64()
    )
}
