//! `beeline build`: a project's own build that also leaves the bitcode of its programs.
//!
//! The build runs with replacements of compilers in front of PATH. Each compiles as requested, and once more
//! to bitcode. A section of the object has the path of the bitcode; linkers concatenate these sections. The
//! bitcode that a program names in the end is linked to one file beside it.

mod compilers;
mod left_out;

use crate::arguments::BuildArguments;
use crate::{pipeline, report, tools};
use beeline_cli::temporary::Folder;
use compilers::Compilers;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::Read as _;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::SystemTime;

/// The word by which compilers in a build call this program.
pub(crate) const COMPILE: &str = "--as-compiler";
/// The section of objects and programs that names their bitcode, a path a line.
const SECTION: &str = ".beeline";
/// The folder where CMake tests compilers.
const TRIALS: &str = "CMakeFiles";
/// Options of compilers whose value is the next word.
const WITH_VALUE: [&str; 26] = [
    "-o",
    "-I",
    "-D",
    "-U",
    "-L",
    "-l",
    "-x",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-isysroot",
    "--sysroot",
    "-MF",
    "-MT",
    "-MQ",
    "-Xlinker",
    "-Xclang",
    "-Xassembler",
    "-Xpreprocessor",
    "-T",
    "-u",
    "-z",
    "-target",
    "--param",
];
/// Options after which nothing is compiled to an object.
const NO_OBJECT: [&str; 7] = ["-E", "-S", "-M", "-MM", "-fsyntax-only", "--version", "-v"];
/// Flags that have clang ignore those of other compilers, and write assembly for other assemblers.
const LENIENT: [&str; 4] = [
    "-Qunused-arguments",
    "-Wno-unknown-warning-option",
    "-Wno-ignored-optimization-argument",
    "-fno-addrsig",
];

/// Runs a build and links what it leaves; the exit code is that of the build.
pub(crate) fn run(arguments: &BuildArguments) -> Result<u8, String> {
    let clang =
        std::path::absolute(tools::clang()?).map_err(|error| format!("cannot find clang: {error}"))?;
    let mut compilers = Compilers::new()?;
    let start = SystemTime::now();
    let [program, words @ ..] = &arguments.command[..] else { return Err("no command is given".into()) };
    let words = words.iter().map(|word| compilers.word(word)).collect::<Result<Vec<_>, _>>()?;
    let status = Command::new(program)
        .args(words)
        .envs([("PATH", compilers.path()), ("CC", compilers.variable()?)])
        .env(tools::CLANG_VARIABLE, &clang)
        .status();
    let status = status.map_err(|error| format!("cannot run {}: {error}", program.display()))?;
    if status.success() {
        let folder = Folder::new()?;
        let mut said = String::new();
        for program in programs(Path::new("."), start) {
            match linked(&program, &clang, folder.path()) {
                Ok(Some(bitcode)) => said.push_str(&format!("{}\n", bitcode.display())),
                Ok(None) => {}
                Err(why) => beeline_cli::tell!("beeline: {why}"),
            }
        }
        if said.is_empty() {
            beeline_cli::tell!(
                "beeline: the build linked no program with a compiler on PATH or in CC: it was up to date, or cmake or configure \
                 ran without `beeline build` before and chose a compiler by its path"
            );
        }
        report::print(&said)?;
    }
    Ok(code(status))
}

fn code(status: ExitStatus) -> u8 {
    status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

/// The programs under a folder that are newer than the build.
fn programs(folder: &Path, start: SystemTime) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return found };
    for entry in entries.flatten() {
        let path = entry.path();
        let Ok(data) = path.symlink_metadata() else { continue };
        if data.is_dir() && entry.file_name() == TRIALS {
            continue;
        }
        if data.is_dir() {
            found.extend(programs(&path, start));
        } else if data.is_file()
            && data.permissions().mode() & 0o111 != 0
            && data.modified().is_ok_and(|time| time >= start)
            && is_elf(&path)
        {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn is_elf(path: &Path) -> bool {
    let mut magic = [0; 4];
    std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok() && &magic == b"\x7fELF"
}

/// Links the bitcode that a program names, beside it, if it names some.
fn linked(program: &Path, clang: &Path, folder: &Path) -> Result<Option<PathBuf>, String> {
    let list = folder.join("list");
    let dumped = Command::new(objcopy(clang)?)
        .arg(format!("--dump-section={SECTION}={}", list.display()))
        .args([program, Path::new("/dev/null")])
        .output();
    if !dumped.is_ok_and(|output| output.status.success()) {
        return Ok(None);
    }
    let text = std::fs::read(&list).map_err(|error| format!("cannot read {}: {error}", list.display()))?;
    let paths: BTreeSet<PathBuf> = text
        .split(|byte| *byte == b'\n' || *byte == 0)
        .filter(|line| !line.is_empty())
        .map(|line| PathBuf::from(OsStr::from_bytes(line)))
        .collect();
    // The files of a build's tests are deleted.
    if paths.is_empty() || !paths.iter().all(|path| path.is_file()) {
        return Ok(None);
    }
    let mut bitcode = program.as_os_str().to_os_string();
    bitcode.push(".bc");
    let bitcode = PathBuf::from(bitcode);
    let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    link(clang, &paths, &bitcode, program)?;
    if let Some(functions) = left_out::functions(clang, program, &bitcode)? {
        beeline_cli::tell!(
            "beeline: {} has functions without bitcode, or other ones than its bitcode: {functions}",
            program.display()
        );
        let note = folder.join("left-out.ll");
        std::fs::write(&note, left_out::module(&functions))
            .map_err(|error| format!("cannot write {}: {error}", note.display()))?;
        link(clang, &[&bitcode, &note], &bitcode, program)?;
    }
    Ok(Some(bitcode))
}

/// Links files of bitcode to one.
fn link(clang: &Path, files: &[&Path], bitcode: &Path, program: &Path) -> Result<(), String> {
    let output = Command::new(tools::llvm_link(clang)?).args(files).arg("-o").arg(bitcode).output();
    let output = output.map_err(|error| format!("cannot run llvm-link: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => {
            let said = String::from_utf8_lossy(&output.stderr);
            Err(format!("cannot link the bitcode of {}: {}", program.display(), said.trim()))
        }
    }
}

fn objcopy(clang: &Path) -> Result<PathBuf, String> {
    tools::of_llvm(clang, "llvm-objcopy", "names bitcode in objects")
}

/// Stands for a compiler in a build: compiles, and leaves bitcode as well.
pub(crate) fn compile(words: &[OsString]) -> Result<u8, String> {
    let clang = tools::clang()?;
    let call = Call::new(words);
    if !call.is_plain() {
        return native(&clang, words);
    }
    if call.has("-c") {
        let done = native(&clang, words)?;
        if done == 0 {
            for source in &call.sources {
                leave_bitcode(&clang, &call, source, &call.object(source))?;
            }
        }
        return Ok(done);
    }
    // Sources that are linked at once become objects first.
    let mut linked = words.to_vec();
    for source in &call.sources {
        let object = call.hidden(source);
        let compiled =
            call.flags(words).chain(["-c".into(), source.clone(), "-o".into(), object.clone().into()]);
        let done = native(&clang, &compiled.collect::<Vec<_>>())?;
        if done != 0 {
            return Ok(done);
        }
        leave_bitcode(&clang, &call, source, &object)?;
        linked.iter_mut().filter(|word| *word == source).for_each(|word| *word = object.clone().into());
    }
    native(&clang, &linked)
}

fn native(clang: &Path, words: &[OsString]) -> Result<u8, String> {
    let status = Command::new(clang).args(words).args(LENIENT).status();
    status.map(code).map_err(|error| format!("cannot run {}: {error}", clang.display()))
}

/// Compiles a source to bitcode beside its object, and names that in the object.
fn leave_bitcode(clang: &Path, call: &Call<'_>, source: &OsStr, object: &Path) -> Result<(), String> {
    let Ok(object) = object.canonicalize() else { return Ok(()) };
    let beside = |ending: &str| {
        let mut name = OsString::from(".");
        name.push(object.file_name().unwrap_or_default());
        name.push(ending);
        object.with_file_name(name)
    };
    let (bitcode, named) = (beside(".bc"), beside(".path"));
    let status = Command::new(clang)
        .args(call.flags(call.words))
        .args(pipeline::for_bitcode())
        .args(LENIENT)
        .args([OsStr::new("-w"), source, OsStr::new("-o"), bitcode.as_os_str()])
        .status();
    if !status.is_ok_and(|status| status.success()) {
        beeline_cli::tell!("beeline: no bitcode for {}", source.display());
        return Ok(());
    }
    let mut line = bitcode.into_os_string().into_vec();
    line.push(b'\n');
    let failed = |error: std::io::Error| format!("cannot write {}: {error}", named.display());
    std::fs::write(&named, line).map_err(failed)?;
    let status = Command::new(objcopy(clang)?)
        .arg(format!("--add-section={SECTION}={}", named.display()))
        .arg(&object)
        .status();
    std::fs::remove_file(&named).map_err(failed)?;
    match status {
        Ok(status) if status.success() => Ok(()),
        _ => Err(format!("llvm-objcopy cannot change {}", object.display())),
    }
}

/// A call of a compiler.
struct Call<'w> {
    words: &'w [OsString],
    sources: Vec<OsString>,
    output: Option<&'w OsString>,
}

impl<'w> Call<'w> {
    fn new(words: &'w [OsString]) -> Call<'w> {
        let mut call = Call { words, sources: Vec::new(), output: None };
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            let bytes = word.as_bytes();
            if word == "-o" {
                call.output = rest.next();
            } else if WITH_VALUE.iter().any(|option| word == option) {
                rest.next();
            } else if bytes.first() != Some(&b'-') && (bytes.ends_with(b".c") || bytes.ends_with(b".i")) {
                call.sources.push(word.clone());
            }
        }
        call
    }

    fn has(&self, option: &str) -> bool {
        self.words.iter().any(|word| word == option)
    }

    /// Whether C is compiled to objects or programs.
    fn is_plain(&self) -> bool {
        !self.sources.is_empty() && !NO_OBJECT.iter().any(|option| self.has(option))
    }

    /// The path of the object of a source.
    fn object(&self, source: &OsStr) -> PathBuf {
        let beside = || PathBuf::from(Path::new(source).file_name().unwrap_or_default()).with_extension("o");
        self.output.map_or_else(beside, PathBuf::from)
    }

    /// The path of an object that the build does not ask for.
    fn hidden(&self, source: &OsStr) -> PathBuf {
        let program = self.output.map_or_else(|| Path::new("a.out"), Path::new);
        let mut name = OsString::from(".");
        name.push(program.file_name().unwrap_or_default());
        name.push(".");
        name.push(
            source
                .as_bytes()
                .iter()
                .map(|&byte| if byte == b'/' { '_' } else { byte as char })
                .collect::<String>(),
        );
        name.push(".o");
        program.with_file_name(name)
    }

    /// The words without sources, outputs, linked files, and dependences for make.
    fn flags<'a>(&'a self, words: &'a [OsString]) -> impl Iterator<Item = OsString> + 'a {
        const LINKED: [&str; 7] = ["-l", "-L", "-Wl,", "-shared", "-static", "-pie", "-rdynamic"];
        let mut kept = Vec::new();
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            let text = word.to_string_lossy();
            let value = WITH_VALUE.contains(&text.as_ref()).then(|| rest.next()).flatten();
            let is_of_make = text.starts_with("-M");
            let is_of_linker = LINKED.iter().any(|option| text.starts_with(option))
                || ["-Xlinker", "-T", "-u", "-z"].contains(&text.as_ref());
            let is_flag = text.starts_with('-') && !["-c", "-o"].contains(&text.as_ref());
            if is_flag && !is_of_make && !is_of_linker {
                kept.push(word.clone());
                kept.extend(value.cloned());
            }
        }
        kept.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_compiled_is_told_from_what_is_linked() {
        let words: Vec<OsString> = "-O2 -I inc -DX=1 a.c sub/b.c c.o -o prog -lm -Wl,-s -MD -MF a.d"
            .split(' ')
            .map(OsString::from)
            .collect();
        let call = Call::new(&words);
        assert_eq!(call.sources, ["a.c", "sub/b.c"]);
        assert!(call.is_plain() && !call.has("-c"));
        assert_eq!(call.hidden(&call.sources[1]), Path::new(".prog.sub_b.c.o"));
        assert_eq!(call.flags(&words).collect::<Vec<_>>(), ["-O2", "-I", "inc", "-DX=1"]);
    }
}
