//! Builds the native program: bitcode and harness, compiled and linked by clang.

use crate::compiler::compiler;
use crate::given::Given;
use crate::harness;
use crate::inputs::Inputs;
use crate::memory_error;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Seconds that the compiler may take.
const COMPILE_SECONDS: &str = "300";

/// What the compiler and the linker are told to add AddressSanitizer.
const SANITIZER: &str = "-fsanitize=address";

/// Why there is no native program.
#[derive(Debug)]
pub(crate) enum BuildError {
    /// The program cannot be built.
    Failed(String),
    /// The machine lacks something.
    Broken(String),
}

/// A native program.
#[derive(Debug)]
pub(crate) struct Built {
    /// Where it is.
    pub program: PathBuf,
    /// What it is given from outside.
    pub inputs: Inputs,
}

/// Builds the program in a folder and leaves there what it is made from.
///
/// What neither the program nor a library of the machine defines, the harness does. The first attempt to
/// link tells what that is.
pub(crate) fn build(folder: &Path, given: &Given) -> Result<Built, BuildError> {
    write(folder, "program.bc", &given.native.bitcode)?;
    compile(folder, &compile_arguments(given))?;
    let inputs = Inputs::of(given, HashSet::new());
    write(folder, "harness.c", harness::text(given, &inputs).as_bytes())?;
    let mut attempt = link_arguments(given);
    attempt.push("-Wl,--warn-unresolved-symbols".into());
    let missing = missing(&compile(folder, &attempt)?);
    let inputs = Inputs::of(given, missing);
    if !inputs.missing.is_empty() {
        write(folder, "harness.c", harness::text(given, &inputs).as_bytes())?;
        compile(folder, &link_arguments(given))?;
    }
    Ok(Built { program: folder.join("program"), inputs })
}

/// How the bitcode is compiled.
pub(crate) fn compile_arguments(given: &Given) -> Vec<String> {
    let arguments = [width(given), "-g", "-w", "-c", "program.bc", "-o", "program.o"];
    arguments.into_iter().chain(sanitizer_flag(given)).map(String::from).collect()
}

/// How the program is linked with the harness.
pub(crate) fn link_arguments(given: &Given) -> Vec<String> {
    let arguments =
        [width(given), "-g", "-w", "-fno-builtin", "program.o", "harness.c", "-o", "program", "-lm"];
    let fast = given.native.fast_math.then_some("-ffast-math");
    let refusing = ["-DREFUSING", "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc"];
    let refusing = refusing.into_iter().filter(|_| given.refuses());
    let more = fast.into_iter().chain(sanitizer_flag(given)).chain(refusing);
    arguments.into_iter().chain(more).map(String::from).collect()
}

fn sanitizer_flag(given: &Given) -> Option<&'static str> {
    memory_error::kind(given.target()).map(|_| SANITIZER)
}

fn width(given: &Given) -> &'static str {
    if given.native.pointer_width == 32 { "-m32" } else { "-m64" }
}

fn write(folder: &Path, name: &str, content: &[u8]) -> Result<(), BuildError> {
    let path = folder.join(name);
    std::fs::write(&path, content)
        .map_err(|error| BuildError::Broken(format!("{} cannot be written: {error}", path.display())))
}

/// Runs the compiler: what it says.
fn compile(folder: &Path, arguments: &[String]) -> Result<String, BuildError> {
    let mut command = Command::new("timeout");
    command.args(["--signal=KILL", COMPILE_SECONDS, &compiler()]).args(arguments);
    // The linker's messages are read.
    command.env("LC_ALL", "C").current_dir(folder).stdin(Stdio::null());
    let output = command
        .output()
        .map_err(|error| BuildError::Broken(format!("timeout (of coreutils) cannot be run: {error}")))?;
    match output.status.code() {
        Some(0) => Ok(String::from_utf8_lossy(&output.stderr).into_owned()),
        Some(126 | 127) => Err(BuildError::Broken(format!(
            "{} is needed to build the native program; scripts/setup installs it",
            compiler()
        ))),
        _ => Err(BuildError::Failed(format!("it cannot be built natively ({})", complaint(&output)))),
    }
}

/// The names that the linker did not find.
fn missing(messages: &str) -> HashSet<String> {
    let name =
        |line: &str| Some(line.split_once("undefined reference to `")?.1.split_once('\'')?.0.to_string());
    messages.lines().filter_map(name).collect()
}

/// The line of the compiler's messages that tells most.
fn complaint(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let telling = |line: &&str| line.contains("error") || line.contains("undefined reference");
    let line = text.lines().find(telling).or_else(|| text.lines().next());
    line.unwrap_or("the compiler took too long").trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_linker_names_what_is_missing() {
        let messages = "ld: p.o: in function `main':\np.c:5: warning: undefined reference to `twice'\n\
                        ld: p.c:7: warning: undefined reference to `twice'\nld: warning: something else\n";
        assert_eq!(missing(messages), HashSet::from(["twice".to_string()]));
    }
}
