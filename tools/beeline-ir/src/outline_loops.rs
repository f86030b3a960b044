//! Loops as functions of their own.

use crate::failure::Failure;
use beeline_ir::file;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct OutlineArgs {
    /// The program
    program: PathBuf,
    /// The file to write
    #[arg(short, long)]
    output: PathBuf,
}

/// Writes the program with its loops outlined.
pub(crate) fn outline_loops(args: &OutlineArgs) -> Result<(), Failure> {
    file::expect_other(&args.output, [args.program.as_path()])?;
    let program = file::read_program(&args.program)?;
    let outlined = beeline_graph::loops_as_functions(&program.body).map_err(|faults| {
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        Failure::Message(format!(
            "the loops of {} cannot be outlined: {}",
            args.program.display(),
            faults.join("; ")
        ))
    })?;
    file::write(&args.output, &outlined, None)?;
    Ok(())
}
