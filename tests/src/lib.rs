//! What the end-to-end tests share: compiling C, lowering it, running it natively and in the
//! interpreter.

pub mod activations;
pub mod adversary;
pub mod all_inputs;
mod counterexample;
pub mod driver;
pub mod families;
pub mod file_tests;
pub mod interleavings;
pub mod lines;
pub mod memory;
pub mod metamorphic;
pub mod parts;
pub mod schema;
pub mod starter_kit;
pub mod undefined;

pub use counterexample::{counterexample, counterexample_of};

use beeline_interp::oracle::Given;
use beeline_interp::{Limits, Machine, Outcome};
use beeline_ir::{Program, Value};
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
    let mut command = Command::new(CLANG);
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

/// How a csmith program was compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compared {
    /// Both computed this checksum.
    Equal(u32),
    /// It takes too long, natively or in the interpreter.
    TooLong,
    /// They differ, or the lowering failed: what happened.
    Different(String),
}

/// Generates the csmith program of a seed and compares its checksum: native against interpreter, compiled
/// with these flags.
pub fn compare_csmith(seed: u64, flags: &[&str], options: &Options, folder: &Path) -> Compared {
    let file = |name: &str| folder.join(format!("{name}-{seed}{}", flags.concat()));
    let mut csmith = Command::new("csmith");
    let generated = file("generated").with_extension("c");
    csmith
        .current_dir(folder)
        .args(["--seed", &seed.to_string(), "--max-funcs", "5", "--max-block-depth", "3", "-o"])
        .arg(&generated);
    let Some(_) = timed(&mut csmith, Duration::from_secs(20)) else { return Compared::TooLong };
    let Ok(text) = std::fs::read_to_string(&generated) else { return Compared::TooLong };
    let native: PathBuf = file("native").with_extension("c");
    let returning = file("returning").with_extension("c");
    let end = "platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);";
    let returned = text.replace(end, "return (int)(crc32_context ^ 0xFFFFFFFFUL);");
    if returned == text {
        return Compared::Different("csmith's programs no longer end as expected".into());
    }
    if std::fs::write(&native, &text).and_then(|()| std::fs::write(&returning, returned)).is_err() {
        return Compared::Different("the folder cannot be written".into());
    }
    let include = "-I/usr/include/csmith";
    let (program, bitcode) = (file("program"), file("bitcode"));
    let width = if flags.contains(&"-m32") { "-m32" } else { "-m64" };
    let mut build = Command::new(CLANG);
    build.args(["-w", "-O1", width, include]).arg(&native).arg("-o").arg(&program);
    let build = build.output();
    if let Err(error) = build.map_err(|error| error.to_string()).and_then(finished) {
        return Compared::Different(error);
    }
    let Some(output) = timed(&mut Command::new(&program), Duration::from_secs(2)) else {
        return Compared::TooLong;
    };
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let Some(expected) =
        printed.trim().strip_prefix("checksum = ").and_then(|hex| u32::from_str_radix(hex, 16).ok())
    else {
        return Compared::TooLong;
    };
    let lowered = compile(&returning, &bitcode, &[flags, &[include]].concat())
        .and_then(|()| lowered(&bitcode, options));
    let ir = match lowered {
        Ok(ir) => ir,
        Err(error) => return Compared::Different(error),
    };
    let limits = Limits { steps: 20_000_000, ..Limits::default() };
    match Machine::new(&ir).run(&mut Given::default(), &limits).outcome {
        Outcome::OutOfSteps => Compared::TooLong,
        Outcome::Returned(Some(Value::Bv(bits))) if bits.to_u64() == Some(u64::from(expected)) => {
            Compared::Equal(expected)
        }
        other => Compared::Different(format!("expected {expected:#x}, got {other:x?}")),
    }
}
