//! The build of the native program: bitcode and harness, compiled and linked by clang.

use crate::compiler::compiler;
use crate::given::Given;
use crate::harness;
use crate::inputs::Inputs;
use crate::memory_error;
use beeline_llvm::LLVM;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::rc::Rc;

/// The time limit of the compiler in seconds.
const COMPILE_SECONDS: &str = "300";

/// The flags that add AddressSanitizer, and no variables of its own that nothing guards.
const SANITIZER: [&str; 2] = ["-fsanitize=address", "-fno-sanitize-address-use-odr-indicator"];

/// The reason why there is no native program.
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
    /// The path.
    pub program: PathBuf,
    /// Its inputs.
    pub inputs: Inputs,
    /// The path to run, by index.
    pub path: usize,
}

/// Bitcode that is compiled in a folder.
struct Object {
    /// The counterexample for which it was compiled, by index.
    of: usize,
    folder: PathBuf,
    /// The names that neither the program nor a library of the machine defines, so that the harness does.
    missing: Result<HashSet<String>, String>,
    /// The number of harnesses that it was linked with.
    linked: usize,
}

/// Counterexamples that share a program.
struct Group {
    /// The index of their object.
    object: usize,
    shape: String,
    /// Their indices, with what they give the program.
    members: Vec<(usize, Inputs)>,
}

/// Builds the programs of counterexamples in a folder and leaves there what they are made from. Those that differ only
/// in what they are given share one.
pub(crate) fn build(folder: &Path, givens: &[Given]) -> Result<Vec<Result<Built, String>>, String> {
    let mut objects: Vec<Object> = Vec::new();
    let mut groups: Vec<Group> = Vec::new();
    let mut built: Vec<Result<Built, String>> = Vec::new();
    for (index, given) in givens.iter().enumerate() {
        let is_its = |object: &Object| is_compiled_alike(&givens[object.of], given);
        let number = match objects.iter().position(is_its) {
            Some(number) => number,
            None => {
                let folder = match objects.len() {
                    0 => folder.to_path_buf(),
                    number => folder.join(format!("object{number}")),
                };
                objects.push(Object {
                    of: index,
                    missing: sorted(object(&folder, given))?,
                    folder,
                    linked: 0,
                });
                objects.len() - 1
            }
        };
        match &objects[number].missing {
            Err(why) => built.push(Err(why.clone())),
            Ok(missing) => {
                let inputs = Inputs::of(given, missing.clone());
                let shape = harness::shape((given, &inputs));
                let is_its = |group: &&mut Group| group.object == number && group.shape == shape;
                match groups.iter_mut().find(is_its) {
                    Some(group) => group.members.push((index, inputs)),
                    None => groups.push(Group { object: number, shape, members: vec![(index, inputs)] }),
                }
                // Until its group is linked.
                built.push(Err(String::new()));
            }
        }
    }
    for Group { object, members, .. } in groups {
        let cases: Vec<_> = members.iter().map(|(index, inputs)| (&givens[*index], inputs)).collect();
        let program = sorted(link(&mut objects[object], &cases))?;
        for (path, (index, inputs)) in members.into_iter().enumerate() {
            built[index] = program.clone().map(|program| Built { program, inputs, path });
        }
    }
    Ok(built)
}

/// Separates errors that concern one program only from those of the machine.
fn sorted<T>(result: Result<T, BuildError>) -> Result<Result<T, String>, String> {
    match result {
        Ok(done) => Ok(Ok(done)),
        Err(BuildError::Failed(why)) => Ok(Err(why)),
        Err(BuildError::Broken(sentence)) => Err(sentence),
    }
}

fn is_compiled_alike(one: &Given, other: &Given) -> bool {
    let arguments = |given| (compile_arguments(given), link_arguments(given, 0));
    Rc::ptr_eq(&one.native, &other.native) && arguments(one) == arguments(other)
}

/// Compiles the bitcode: the first attempt to link finds the undefined names.
fn object(folder: &Path, given: &Given) -> Result<HashSet<String>, BuildError> {
    std::fs::create_dir_all(folder)
        .map_err(|error| BuildError::Broken(format!("cannot create {}: {error}", folder.display())))?;
    write(folder, "program.bc", &given.native.bitcode)?;
    compile(folder, &compile_arguments(given))?;
    let inputs = Inputs::of(given, HashSet::new());
    write(folder, "harness.c", harness::text(&[(given, &inputs)]).as_bytes())?;
    let mut attempt = link_arguments(given, 0);
    attempt.push("-Wl,--warn-unresolved-symbols".into());
    Ok(missing(&compile(folder, &attempt)?))
}

/// Links a program with a harness and returns its path.
fn link(object: &mut Object, cases: &[harness::Case<'_>]) -> Result<PathBuf, BuildError> {
    let number = object.linked;
    object.linked += 1;
    // That of the first attempt has all that there is.
    let is_there = number == 0 && cases.len() == 1 && cases[0].1.missing.is_empty();
    if !is_there {
        write(&object.folder, &name("harness", number, ".c"), harness::text(cases).as_bytes())?;
        compile(&object.folder, &link_arguments(cases[0].0, number))?;
    }
    Ok(object.folder.join(name("program", number, "")))
}

/// The name of one of several files.
fn name(stem: &str, number: usize, ending: &str) -> String {
    if number == 0 { format!("{stem}{ending}") } else { format!("{stem}{number}{ending}") }
}

/// The arguments of the compiler for the bitcode.
pub(crate) fn compile_arguments(given: &Given) -> Vec<String> {
    let arguments = [width(given), "-g", "-w", "-c", "program.bc", "-o", "program.o"];
    arguments.into_iter().chain(sanitizer_flags(given).iter().copied()).map(String::from).collect()
}

/// The arguments of the compiler for linking the program with a harness.
pub(crate) fn link_arguments(given: &Given, number: usize) -> Vec<String> {
    let (harness, program) = (name("harness", number, ".c"), name("program", number, ""));
    // The harness comes first: the sanitizer puts a guarded zone after each variable, and so before the program's first one.
    let arguments = [width(given), "-g", "-w", "-fno-builtin", &harness, "program.o", "-o", &program, "-lm"];
    // The names of what is missing are symbols.
    let symbols = ["-Wl,--no-demangle"];
    let fast = given.native.fast_math.then_some("-ffast-math");
    let refusing = ["-DREFUSING", "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc"];
    let refusing = refusing.into_iter().filter(|_| given.refuses());
    let opening = ["-Wl,--wrap=open,--wrap=open64,--wrap=creat,--wrap=fopen,--wrap=fopen64"];
    let opening = opening.into_iter().filter(|_| given.command.is_some());
    let more = fast.into_iter().chain(sanitizer_flags(given).iter().copied()).chain(refusing).chain(opening);
    arguments.into_iter().chain(symbols).chain(more).map(String::from).collect()
}

fn sanitizer_flags(given: &Given) -> &'static [&'static str] {
    if memory_error::kind(given.target()).is_some() { &SANITIZER } else { &[] }
}

fn width(given: &Given) -> &'static str {
    if given.native.pointer_width == 32 { "-m32" } else { "-m64" }
}

fn write(folder: &Path, name: &str, content: &[u8]) -> Result<(), BuildError> {
    let path = folder.join(name);
    std::fs::write(&path, content)
        .map_err(|error| BuildError::Broken(format!("cannot write {}: {error}", path.display())))
}

/// Runs the compiler and returns its output.
fn compile(folder: &Path, arguments: &[String]) -> Result<String, BuildError> {
    let mut command = Command::new("timeout");
    command.args(["--signal=KILL", COMPILE_SECONDS, compiler()]).args(arguments);
    // The linker's messages are read.
    command.env("LC_ALL", "C").current_dir(folder).stdin(Stdio::null());
    let output = command
        .output()
        .map_err(|error| BuildError::Broken(format!("cannot run timeout (of coreutils): {error}")))?;
    match output.status.code() {
        Some(0) => Ok(String::from_utf8_lossy(&output.stderr).into_owned()),
        Some(126 | 127) => Err(BuildError::Broken(format!(
            "{} is missing, which builds the native program; scripts/setup installs it",
            compiler()
        ))),
        _ => Err(BuildError::Failed(format!("the native build failed ({})", complaint(&output)))),
    }
}

/// The names that the linker did not find.
fn missing(messages: &str) -> HashSet<String> {
    let name =
        |line: &str| Some(line.split_once("undefined reference to `")?.1.split_once('\'')?.0.to_string());
    messages.lines().filter_map(name).collect()
}

/// The most informative line of the compiler's messages.
fn complaint(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    if text.contains("libclang_rt.") {
        return format!("the libraries of clang's sanitizers are missing: install libclang-rt-{LLVM}-dev");
    }
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
