//! Turns preprocessed C with CBMC's extensions into C for clang.

use beeline_cbmc::dialect::{Request, rewrite};
use beeline_ir::file;
use clap::Parser;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EXAMPLE: &str = "Example:
  clang-19 -E -D__CPROVER__ harness.c -o harness.i
  beeline-dialect --prelude prelude.h
  beeline-dialect harness.i -o harness.rewritten.c
  clang-19 -include prelude.h -g -emit-llvm -c harness.rewritten.c -o harness.bc";

/// Turns preprocessed C with CBMC's extensions into C for clang.
#[derive(Debug, Parser)]
#[command(name = "beeline-dialect", version, after_help = EXAMPLE)]
struct Arguments {
    /// The preprocessed file
    #[arg(required_unless_present = "prelude")]
    source: Option<PathBuf>,
    /// Where to write what clang takes
    #[arg(short, long, value_name = "FILE", requires = "source")]
    output: Option<PathBuf>,
    /// Take out the body of this function, which then returns anything (may be repeated)
    #[arg(long, value_name = "FUNCTION")]
    remove: Vec<String>,
    /// Give a static function the name by which other files mention it, `__CPROVER_file_local_FILE_c_FUNCTION` (may be
    /// repeated)
    #[arg(long, value_name = "NAME")]
    export: Vec<String>,
    /// Another file defines this function of the C library, which calls are to get to (may be repeated)
    #[arg(long, value_name = "FUNCTION")]
    own: Vec<String>,
    /// Check the contract of this function wherever it is called (may be repeated)
    #[arg(long, value_name = "FUNCTION")]
    check: Vec<String>,
    /// Let the contract of this function stand for it (may be repeated)
    #[arg(long = "use", value_name = "FUNCTION")]
    replaced: Vec<String>,
    /// Assert the invariants of loops where their turns begin
    #[arg(long)]
    invariants: bool,
    /// Write casts to integers so that clang's checks of conversions look at them
    #[arg(long)]
    conversions: bool,
    /// Another file of the program, preprocessed, to which contracts and what they mention may belong (may be repeated)
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,
    /// Write the header that clang includes before what this tool writes
    #[arg(long, value_name = "FILE")]
    prelude: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(beeline_cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            beeline_cli::tell!("beeline-dialect: {sentence}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: Arguments) -> Result<(), String> {
    if let Some(prelude) = &arguments.prelude {
        file::write_bytes(prelude, beeline_cbmc::PRELUDE.as_bytes()).map_err(|error| error.to_string())?;
    }
    let Some(source) = &arguments.source else { return Ok(()) };
    let output = arguments.output.ok_or("-o says where to write what clang takes")?;
    file::expect_other(&output, [source.as_path()]).map_err(|error| error.to_string())?;
    let source = text(source)?;
    let request = Request {
        removed: arguments.remove.into_iter().collect(),
        exported: arguments.export.into_iter().collect(),
        own: arguments.own.into_iter().collect(),
        checked: arguments.check.into_iter().collect(),
        replaced: arguments.replaced.into_iter().collect(),
        invariants: arguments.invariants,
        conversions: arguments.conversions,
        others: arguments.with.iter().map(|file| text(file)).collect::<Result<_, _>>()?,
    };
    let rewritten = rewrite(&source, &request).map_err(|refusal| refusal.to_string())?;
    file::write_bytes(&output, rewritten.as_bytes()).map_err(|error| error.to_string())
}

fn text(file: &Path) -> Result<String, String> {
    let bytes = file::read_bytes(file).map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
