//! Builds the native program: bitcode and harness, compiled and linked by clang.

use crate::given::Given;
use crate::harness;
use crate::inputs::Inputs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Seconds that the compiler may take.
const COMPILE_SECONDS: &str = "300";

/// Why there is no native program.
#[derive(Debug)]
pub enum BuildError {
    /// The program cannot be built.
    Failed(String),
    /// The machine lacks something.
    Broken(String),
}

/// Builds the program in a folder and leaves there what it is made from.
pub fn build(folder: &Path, given: &Given, inputs: &Inputs) -> Result<PathBuf, BuildError> {
    let write = |name: &str, content: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, content)
            .map_err(|error| BuildError::Broken(format!("{} cannot be written: {error}", path.display())))
    };
    write("program.bc", &given.native.bitcode)?;
    write("harness.c", harness::text(given, inputs).as_bytes())?;
    let arguments = arguments(given);
    let mut command = Command::new("timeout");
    command.args(["--signal=KILL", COMPILE_SECONDS, &compiler()]).args(&arguments);
    command.current_dir(folder).stdin(Stdio::null());
    let output = command
        .output()
        .map_err(|error| BuildError::Broken(format!("timeout (of coreutils) cannot be run: {error}")))?;
    match output.status.code() {
        Some(0) => Ok(folder.join("program")),
        Some(126 | 127) => Err(BuildError::Broken(format!(
            "{} is needed to build the native program; scripts/setup installs it",
            compiler()
        ))),
        _ => Err(BuildError::Failed(format!("it cannot be built natively ({})", complaint(&output)))),
    }
}

/// The compiler.
pub fn compiler() -> String {
    std::env::var("BEELINE_CLANG").unwrap_or_else(|_| "clang-19".into())
}

/// What the compiler is told.
pub fn arguments(given: &Given) -> Vec<String> {
    let width = format!("-m{}", given.native.pointer_width);
    let arguments = [&width, "-g", "-w", "-fno-builtin", "program.bc", "harness.c", "-o", "program", "-lm"];
    arguments.map(String::from).to_vec()
}

/// The line of the compiler's messages that tells most.
fn complaint(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let telling = |line: &&str| line.contains("error") || line.contains("undefined reference");
    let line = text.lines().find(telling).or_else(|| text.lines().next());
    line.unwrap_or("the compiler took too long").trim().to_string()
}
