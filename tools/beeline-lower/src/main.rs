//! Lowers LLVM bitcode to the IR of Beeline.

use beeline_ir::{Program, file};
use beeline_llvm::import::{self, import};
use beeline_lower::{LowerError, Options, Property, lower_counted, models};
use clap::Parser;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Lowers LLVM bitcode or textual LLVM IR of a C program to a control-flow automaton.
///
/// The exit code is 0 if the program was written, and 2 for wrong input or usage and for a program that
/// cannot be modelled.
#[derive(Debug, Parser)]
#[command(name = "beeline-lower", version)]
struct Args {
    /// The module, as `clang -c -emit-llvm -g` writes it, or `-` for standard input
    module: PathBuf,
    /// Where to write the program [default: the module's name with the ending .cfa]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the textual form instead of a .cfa file
    #[arg(long)]
    text: bool,
    /// The function where the program starts; arguments it takes have any values
    #[arg(long, value_name = "FUNCTION", default_value = "main")]
    function: String,
    /// A function whose call is a violation (may be repeated) [default: reach_error,
    /// __VERIFIER_error, __assert_fail and its kin]
    #[arg(long = "target-function", value_name = "FUNCTION")]
    targets: Vec<String>,
    /// unreach-call, no-overflow, bounds, null, memory-safety, valid-deref, valid-free, valid-memtrack,
    /// memory-cleanup, all (memory safety and what clang's sanitizers check as well), or a property file of SV-COMP
    /// (may be repeated)
    #[arg(long = "property", value_name = "PROPERTY", default_value = "unreach-call")]
    properties: Vec<String>,
    /// How memory is modelled
    #[arg(long, value_enum, default_value_t = MemoryModel::Regions)]
    memory: MemoryModel,
    /// Passes of LLVM to run before, as `opt -passes` takes them [default: none]
    #[arg(long, value_name = "PASSES")]
    passes: Option<String>,
    /// Do not compile in models of functions of the C library
    #[arg(long)]
    no_libc: bool,
    /// Go on where a construct cannot be modelled and bugs may be missed; the program says so
    #[arg(long)]
    allow_unsound: bool,
    /// What functions without a body do
    #[arg(long, value_enum, default_value_t = Externals::Pure)]
    externals: Externals,
    /// Functions without a body that return any value, by a pattern of their names (may be repeated): with `*` for
    /// the whole name, without for a word in it [always: *nondet*, any, unknown, undef, random, input, havoc, symbolic]
    #[arg(long = "input", value_name = "PATTERN")]
    inputs: Vec<String>,
    /// Each allocation may fail
    #[arg(long)]
    malloc_may_fail: bool,
    /// The exit code for a module that cannot be modelled; a program that must tell this from wrong input
    /// asks for another one
    #[arg(long, value_name = "CODE", default_value_t = 2)]
    unsupported_code: u8,
    /// Print figures on the program and the time it took
    #[arg(long)]
    stats: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Externals {
    /// Return anything and write nothing; each call is an assumption
    Pure,
    /// Write whatever they can know of, call back any function that they can know of, return anything
    Havoc,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum MemoryModel {
    /// Variables and regions, by a points-to analysis
    Regions,
    /// One array of bytes
    Flat,
}

/// Why there is no program: a sentence, and the exit code.
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
        Failure { sentence: format!("{name}: {error}"), code }
    }
}

fn main() -> ExitCode {
    match run(&beeline_cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure { sentence, code }) => {
            eprintln!("beeline-lower: {sentence}");
            ExitCode::from(code)
        }
    }
}

fn run(args: &Args) -> Result<(), Failure> {
    let start = std::time::Instant::now();
    let options = options(args)?;
    let output = output(args);
    file::expect_other(&output, [args.module.as_path()]).map_err(|error| error.to_string())?;
    let bytes = file::read_bytes(&args.module).map_err(|error| error.to_string())?;
    let name = args.module.display().to_string();
    let mut link = Vec::new();
    if !args.no_libc {
        for width in [64, 32] {
            link.extend(models::libc(width).map(|bytes| (format!("libc{width}"), bytes.to_vec())));
        }
    }
    let imported = import::Options { link, passes: args.passes.clone() };
    let module = import(&bytes, &name, &imported).map_err(|error| error.to_string())?;
    let (program, accesses) = lower_counted(module, &options)
        .map_err(|error| Failure::lowering(&name, &error, args.unsupported_code))?;
    if program.targets.is_empty() {
        eprintln!(
            "beeline-lower: note: nothing in {name} is a violation that {} looks for",
            looked_for(args)
        );
    }
    write(args, &output, &program)?;
    if args.stats {
        eprintln!("{}", figures(&program, start.elapsed()));
        eprintln!("{} of {} accesses through pointers are checked", accesses.checked, accesses.met);
    }
    Ok(())
}

/// What decides which calls are violations.
fn looked_for(args: &Args) -> String {
    match args.targets.as_slice() {
        [] => format!("--property {}", args.properties.join(", ")),
        targets => format!("--target-function {}", targets.join(", ")),
    }
}

/// Where the program is wanted.
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

fn options(args: &Args) -> Result<Options, String> {
    let mut options = Options {
        entry: args.function.clone(),
        flat: args.memory == MemoryModel::Flat,
        allow_unsound: args.allow_unsound,
        malloc_may_fail: args.malloc_may_fail,
        externals: match args.externals {
            Externals::Pure => beeline_lower::Externals::Pure,
            Externals::Havoc => beeline_lower::Externals::Havoc,
        },
        inputs: args.inputs.clone(),
        ..Options::default()
    };
    if !args.targets.is_empty() {
        options.targets = args.targets.clone();
    }
    options.properties.clear();
    for asked in &args.properties {
        let (property, function) = property(asked)?;
        options.properties.push(property);
        options.targets.extend(function);
    }
    Ok(options)
}

/// A property by its name, or from a file.
fn property(text: &str) -> Result<(Property, Option<String>), String> {
    for property in Property::ALL {
        if property.name() == text {
            return Ok((property, None));
        }
    }
    let content = std::fs::read_to_string(text).map_err(|error| {
        format!(
            "{text} is no property (there is {}) and no file that can be read: {error}",
            Property::ALL.map(Property::name).join(", ")
        )
    })?;
    Property::parse(&content)
        .map_err(|found| format!("{text}: the property {found} is none that is supported"))
}
