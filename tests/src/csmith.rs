//! Random C programs of csmith: the checksum that the native program prints against the one that the interpreter computes.

use crate::{compile_by, finished, lowered_by_tool, timed};
use beeline_interp::oracle::Given;
use beeline_interp::{Limits, Machine, Outcome};
use beeline_ir::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const INCLUDE: &str = "-I/usr/include/csmith";

/// How a program was compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compared {
    /// Both computed this checksum.
    Equal(u32),
    /// It takes too long, natively or in the interpreter.
    TooLong,
    /// They differ, or the lowering failed: what happened.
    Different(String),
}

/// Where programs are made, and by what they are compiled and lowered.
#[derive(Debug, Clone, Copy)]
pub struct Comparison<'a> {
    /// The compiler.
    pub clang: &'a str,
    /// Arguments of `beeline-lower`.
    pub lowering: &'a [&'a str],
    /// Files are written to it.
    pub folder: &'a Path,
}

impl Comparison<'_> {
    /// Generates the program of a seed and compares its checksum when it is compiled with these flags.
    pub fn compare(&self, seed: u64, flags: &[&str]) -> Compared {
        let file = |name: &str| self.folder.join(format!("{name}-{seed}{}", flags.concat()));
        let Some(text) = self.generated(seed, &file("generated").with_extension("c")) else {
            return Compared::TooLong;
        };
        let width = if flags.contains(&"-m32") { "-m32" } else { "-m64" };
        let expected = match self.native_checksum(&text, width, &file("native")) {
            Ok(Some(checksum)) => checksum,
            Ok(None) => return Compared::TooLong,
            Err(error) => return Compared::Different(error),
        };
        let ir = match self.lowered(&text, flags, &file("returning")) {
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

    fn generated(&self, seed: u64, file: &Path) -> Option<String> {
        let mut csmith = Command::new("csmith");
        let sizes = ["--max-funcs", "5", "--max-block-depth", "3"];
        csmith.current_dir(self.folder).args(["--seed", &seed.to_string()]).args(sizes).arg("-o").arg(file);
        timed(&mut csmith, Duration::from_secs(20))?;
        std::fs::read_to_string(file).ok()
    }

    /// The checksum that the native program prints, unless it takes too long.
    fn native_checksum(&self, text: &str, width: &str, program: &Path) -> Result<Option<u32>, String> {
        let source = written(program, text)?;
        let mut build = Command::new(self.clang);
        build.args(["-w", "-O1", width, INCLUDE]).arg(source).arg("-o").arg(program);
        finished(build.output().map_err(|error| error.to_string())?)?;
        let output = timed(&mut Command::new(program), Duration::from_secs(2));
        let printed = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        let digits = printed.as_deref().and_then(|printed| printed.trim().strip_prefix("checksum = "));
        Ok(digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()))
    }

    /// The program, lowered, whose entry returns the checksum.
    fn lowered(&self, text: &str, flags: &[&str], name: &Path) -> Result<beeline_ir::Program, String> {
        let end = "platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);";
        let returning = text.replace(end, "return (int)(crc32_context ^ 0xFFFFFFFFUL);");
        if returning == text {
            return Err("csmith's programs no longer end as expected".into());
        }
        let (source, bitcode) = (written(name, &returning)?, name.with_extension("bc"));
        compile_by(self.clang, &source, &bitcode, &[flags, &[INCLUDE]].concat())?;
        lowered_by_tool(&bitcode, self.lowering)
    }
}

/// The file of C with this name, which is written.
fn written(name: &Path, text: &str) -> Result<PathBuf, String> {
    let file = name.with_extension("c");
    std::fs::write(&file, text).map_err(|error| error.to_string())?;
    Ok(file)
}
