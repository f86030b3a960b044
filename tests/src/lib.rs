//! What the end-to-end tests share: compiling C, lowering it, running it natively and in the
//! interpreter.

pub mod activations;
pub mod adversary;
pub mod all_inputs;
mod counterexample;
pub mod csmith;
pub mod driver;
pub mod families;
pub mod file_tests;
pub mod interleavings;
pub mod lines;
pub mod memory;
pub mod metamorphic;
pub mod natively;
pub mod parts;
pub mod schema;
pub mod starter_kit;
pub mod undefined;

pub use counterexample::{counterexample, counterexample_of};

use beeline_ir::Program;
use beeline_llvm::import;
use beeline_lower::{Options, lower, models};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// The compiler.
pub const CLANG: &str = "clang-19";

/// The later clang, if it is there: scripts/setup installs it where the distribution has it.
pub fn later_clang() -> Option<&'static str> {
    const LATER: &str = "clang-22";
    let is_there = Command::new(LATER).arg("--version").output().is_ok_and(|output| output.status.success());
    if !is_there {
        eprintln!("{LATER} is missing: nothing is tested with it");
    }
    is_there.then_some(LATER)
}

/// The seeds that a campaign is told, its first and how many; says how it is called where it is not.
pub fn seeds(campaign: &str) -> Option<Range<u64>> {
    let number = |index: usize| std::env::args().nth(index).and_then(|text| text.parse::<u64>().ok());
    let range = number(1).zip(number(2)).map(|(first, count)| first..first + count);
    if range.is_none() {
        eprintln!("usage: {campaign} FIRST-SEED COUNT");
    }
    range
}

/// Compiles C to bitcode, in the dialect of `beeline check`.
pub fn compile(source: &Path, bitcode: &Path, flags: &[&str]) -> Result<(), String> {
    compile_by(CLANG, source, bitcode, flags)
}

/// Compiles C to bitcode with this clang.
pub fn compile_by(clang: &str, source: &Path, bitcode: &Path, flags: &[&str]) -> Result<(), String> {
    let mut command = Command::new(clang);
    command.args(["-g", "-w", "-fwrapv", "-emit-llvm", "-c"]).args(flags).arg(source).arg("-o").arg(bitcode);
    finished(command.output().map_err(|error| error.to_string())?)
}

fn finished(output: Output) -> Result<(), String> {
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// Lowers a file of bitcode.
pub fn lowered(bitcode: &Path, options: &Options) -> Result<Program, String> {
    let bytes = std::fs::read(bitcode).map_err(|error| error.to_string())?;
    let link = [64, 32].into_iter().flat_map(models::models).collect();
    let imported = import::Options { link, ..import::Options::default() };
    let module = import::import(&bytes, &bitcode.display().to_string(), &imported)
        .map_err(|error| error.to_string())?;
    lower(module, options).map_err(|error| error.to_string())
}

/// Lowers a file of bitcode with the tool, which reads what any supported clang wrote.
pub fn lowered_by_tool(bitcode: &Path, arguments: &[&str]) -> Result<Program, String> {
    let file = bitcode.with_extension("cfa");
    let mut lower = Command::new(tool("beeline-lower")?);
    let output = lower.args(arguments).arg(bitcode).arg("-o").arg(&file).output();
    finished(output.map_err(|error| error.to_string())?)?;
    Ok(beeline_ir::file::read_program(&file).map_err(|error| error.to_string())?.body)
}

/// A tool of Beeline, built as this program was.
///
/// A process of its own is needed for it where Z3 and LLVM would meet otherwise.
pub fn tool(name: &str) -> Result<PathBuf, String> {
    Ok(tools()?.join(name))
}

/// Limits for one of many programs: work that is usually done in two seconds, whatever else the machine does.
pub const SOME_WORK: [&str; 5] = ["--first", "--ticks", "6000000", "--time-limit", "6s"];

/// The folder that has all tools, built as this program was.
///
/// Tests are built with them although they are not needed: what tests depend on decides the features of crates, and with
/// other features than those of `cargo test --workspace` everything would be compiled once more.
pub fn tools() -> Result<PathBuf, String> {
    static BUILT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let build = || {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command
            .args(["build", "--quiet", "--workspace", "--bins", "--tests"])
            .current_dir(env!("CARGO_MANIFEST_DIR"));
        if Command::new("llvm-config-22").arg("--version").output().is_err() {
            command.args(["--exclude", "beeline-llvm-22", "--exclude", "beeline-tools-22"]);
        }
        if !cfg!(debug_assertions) {
            command.arg("--release");
        }
        finished(command.output().map_err(|error| error.to_string())?)?;
        let own = std::env::current_exe().map_err(|error| error.to_string())?;
        let folder = own.ancestors().find(|folder| folder.join("beeline").is_file());
        folder.map(PathBuf::from).ok_or_else(|| "beeline is not where it was built".into())
    };
    BUILT.get_or_init(build).clone()
}

/// Does a piece of work for each item, two at a time: the results, in the order of the items.
///
/// # Panics
/// If the work does.
pub fn two_at_a_time<T, I: Iterator<Item = T> + Send, R: Send>(
    items: impl IntoIterator<Item = T, IntoIter = I>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let next = Mutex::new(items.into_iter().enumerate());
    let results = Mutex::new(BTreeMap::new());
    let take = || next.lock().expect("taking an item panics never").next();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((number, item)) = take() {
                    let result = work(item);
                    results.lock().expect("keeping a result panics never").insert(number, result);
                }
            });
        }
    });
    results.into_inner().expect("keeping a result panics never").into_values().collect()
}

/// Compiles and lowers C, and writes the program to a file.
pub fn lower_to(source: &str, file: &Path) -> Result<Program, String> {
    let (c, bitcode) = (file.with_extension("c"), file.with_extension("bc"));
    std::fs::write(&c, source).map_err(|error| error.to_string())?;
    compile(&c, &bitcode, &["-O0", "-Xclang", "-disable-O0-optnone"])?;
    let program = lowered(&bitcode, &Options::default())?;
    beeline_ir::file::write(file, &program, None).map_err(|error| error.to_string())?;
    Ok(program)
}

/// Runs a command that prints little with a limit on its time; nothing if it took longer.
pub fn timed(command: &mut Command, limit: Duration) -> Option<Output> {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).stdin(Stdio::null()).spawn().ok()?;
    let start = Instant::now();
    while start.elapsed() < limit {
        if child.try_wait().ok()?.is_some() {
            return child.wait_with_output().ok();
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    let _ = child.wait();
    None
}
