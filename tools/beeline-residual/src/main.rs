//! `beeline-residual`: the program that is still to be verified.
//!
//! A result without an answer says which parts of its program were shown. These are removed from the bitcode
//! that the program was lowered from. The lowering is repeated, since only it knows which edges stand for
//! which branches.

mod cuts;

use beeline_ir::file::{self, File};
use beeline_ir::{LocId, Program};
use beeline_llvm::cut::{End, cut};
use beeline_llvm::import::import;
use beeline_lower::{Lowering, lower_traced};
use beeline_module::producer::Producer;
use beeline_run::Run;
use beeline_run::parts::Remaining;
use beeline_run::rest::{self, Filed};
use beeline_run::walk::Walk;
use clap::{Parser, ValueEnum};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EXAMPLE: &str = "Example: give a fuzzer what one second of verification leaves open
  clang-19 -g -emit-llvm -c p.c -o p.bc
  beeline-lower p.bc -o p.cfa
  beeline-verify p.cfa --time-limit 1s -o p.run
  beeline-residual p.bc p.run --as abort -o rest.bc";

/// Writes the residual program of a result, as LLVM bitcode.
///
/// A branch edge is cut where the result shows that no execution gets from there to an open target: the edge leads to a
/// call that does not return. Where that depends on the path to the branch, blocks are copied. This tool trusts the
/// result; `beeline-check-proof` checks it. The options of the lowering must be those that the program was lowered with.
#[derive(Debug, Parser)]
#[command(name = "beeline-residual", version, after_help = EXAMPLE)]
struct Arguments {
    /// The module that was verified: LLVM bitcode
    module: PathBuf,
    /// The result of beeline-verify, a .run file
    run: PathBuf,
    /// An earlier result that it builds on, a .run file (may be repeated)
    #[arg(long, value_name = "FILE")]
    after: Vec<PathBuf>,
    /// The file for the bitcode
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// What replaces verified code
    #[arg(long = "as", value_enum, default_value_t = Ending::Assume, value_name = "ENDING")]
    ending: Ending,
    /// The most copies of a block for one branch edge; code that would need more stays open as a whole
    #[arg(long, default_value_t = 4, value_name = "N")]
    copies: usize,
    #[command(flatten)]
    lowering: Lowering,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Ending {
    /// A call of __VERIFIER_assume(0)
    Assume,
    /// What the compiler takes for unreachable: for verifiers, as compilers draw conclusions from it
    Unreachable,
    /// A call of abort()
    Abort,
}

fn main() -> ExitCode {
    beeline_cli::memory::confine("beeline-residual", None);
    match run(&beeline_cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            beeline_cli::tell!("beeline-residual: {sentence}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let results: Vec<&PathBuf> = std::iter::once(&arguments.run).chain(&arguments.after).collect();
    let inputs = results.iter().copied().chain([&arguments.module]).map(PathBuf::as_path);
    file::expect_other(&arguments.output, inputs).map_err(|error| error.to_string())?;
    let options = arguments.lowering.options()?;
    let bytes = file::read_bytes(&arguments.module).map_err(|error| error.to_string())?;
    let version = Producer::version(&bytes);
    beeline_cli::versions::hand_over("beeline-residual", beeline_llvm::LLVM, version, &arguments.module);
    let name = arguments.module.display().to_string();
    let module = import(&bytes, &name, &arguments.lowering.import()).map_err(|error| error.to_string())?;
    let lowered = lower_traced(module, &options).map_err(|error| format!("{name}: {error}"))?;
    let files = read(&results, &name, &lowered.program)?;
    let walk = walk(&lowered.program, &files, &arguments.run)?;
    let cuts = cuts::of(&lowered, &walk, arguments.copies);
    let end = match arguments.ending {
        Ending::Assume => End::Assume,
        Ending::Unreachable => End::Unreachable,
        Ending::Abort => End::Abort,
    };
    let cut = cut(&bytes, &name, &cuts, end).map_err(|error| error.to_string())?;
    file::write_bytes(&arguments.output, &cut.bitcode).map_err(|error| error.to_string())?;
    let (before, after) = cut.instructions;
    beeline_cli::tell!(
        "{} branch edges and {} functions cut, {} blocks copied: {after} instructions instead of {before}",
        cuts.sides.len(),
        cuts.functions.len(),
        cut.copies,
    );
    Ok(())
}

/// Reads the results, which have to be of the program that the module is lowered to.
fn read(paths: &[&PathBuf], module: &str, program: &Program) -> Result<Vec<File<Run>>, String> {
    let bytes = file::to_bytes(program, None).map_err(|error| error.to_string())?;
    let header = file::peek_bytes(module, &bytes).map_err(|error| error.to_string())?;
    let read = |path: &&PathBuf| {
        let read = file::read::<Run>(path).map_err(|error| error.to_string())?;
        match read.header.upstream == Some(header.digest) {
            true => Ok(read),
            false => Err(format!(
                "{} belongs to another program than {module} with these options; give the module and the options that the program was lowered with",
                path.display()
            )),
        }
    };
    paths.iter().map(read).collect()
}

/// The paths along which the first of some results leaves something open.
fn walk<'p>(program: &'p Program, files: &[File<Run>], shown: &Path) -> Result<Walk<'p>, String> {
    let results: Vec<Filed<'_>> =
        files.iter().map(|file| Filed { digest: Some(file.header.digest), run: &file.body }).collect();
    let targets: BTreeSet<LocId> = program.targets.iter().map(|target| target.loc).collect();
    let targets = files[0].body.open_among(&targets);
    let chain = rest::left(&results).map_err(|error| format!("{}: {error}", shown.display()))?;
    let rests: Vec<Remaining<'_>> = chain.into_iter().map(|(_, left)| left).collect();
    let is_about = |left: &Remaining<'_>| targets.iter().all(|target| left.rest.targets.contains(target));
    let rests = if rests.last().is_none_or(is_about) { rests } else { Vec::new() };
    Ok(Walk::new(program, &rests, &targets))
}
