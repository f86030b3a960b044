//! Turns preprocessed C with CBMC's extensions into C for clang.

use beeline_cbmc::dialect::{Request, rewrite};
use beeline_ir::file;
use clap::Parser;
use std::path::PathBuf;
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
    let bytes = file::read_bytes(source).map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&bytes);
    let request = Request {
        removed: arguments.remove.into_iter().collect(),
        exported: arguments.export.into_iter().collect(),
        own: arguments.own.into_iter().collect(),
    };
    let rewritten = rewrite(&text, &request).map_err(|refusal| refusal.to_string())?;
    file::write_bytes(&output, rewritten.as_bytes()).map_err(|error| error.to_string())
}
