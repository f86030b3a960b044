//! Compiles the models of the C library to bitcode, for 32 and 64 bits.

use std::path::{Path, PathBuf};
use std::process::{Command, exit};

/// What is compiled, each to a file of its own.
const MODELS: [&str; 4] = ["libc", "getopt", "threads", "world"];

/// Clang notes how large wide characters are, and modules that say different sizes cannot be linked. The models have none:
/// the note gets another name.
fn forget_wide_characters(models: &Path) -> Result<(), String> {
    const NOTE: &[u8] = b"wchar_size";
    let mut bitcode = std::fs::read(models).map_err(|error| error.to_string())?;
    let mut found = bitcode.windows(NOTE.len()).enumerate().filter(|(_, bytes)| *bytes == NOTE);
    let (Some((at, _)), None) = (found.next(), found.next()) else {
        return Err("clang does not note the size of wide characters as expected".into());
    };
    bitcode[at..at + NOTE.len()].copy_from_slice(b"wchar_none");
    std::fs::write(models, bitcode).map_err(|error| error.to_string())
}

/// The oldest clang that is there: every LLVM that reads the models reads what it writes.
fn clang() -> String {
    let versions = (19..=22).map(|version| format!("clang-{version}"));
    let runs = |clang: &String| Command::new(clang).arg("-dumpversion").output().is_ok();
    let mut candidates =
        versions.clone().take(1).chain(std::env::var("BEELINE_CLANG")).chain(versions.skip(1));
    candidates.find(runs).unwrap_or_else(|| "clang-19".into())
}

fn main() {
    for name in MODELS {
        println!("cargo:rerun-if-changed=models/{name}.c");
    }
    println!("cargo:rerun-if-env-changed=BEELINE_CLANG");
    let clang = clang();
    let Some(out) = std::env::var_os("OUT_DIR").map(PathBuf::from) else { return };
    for (width, name) in ["32", "64"].into_iter().flat_map(|width| MODELS.map(|name| (width, name))) {
        let source = format!("models/{name}.c");
        let mut command = Command::new(&clang);
        command.args([
            &format!("--target={}-pc-linux-gnu", if width == "32" { "i386" } else { "x86_64" }),
            "-std=gnu11",
            "-O0",
            "-Xclang",
            "-disable-O0-optnone",
            "-ffreestanding",
            "-fwrapv",
            "-msse2",
            "-fno-builtin",
            "-w",
            "-emit-llvm",
            "-c",
            &source,
            "-o",
        ]);
        let models = out.join(format!("{name}{width}.bc"));
        let done = command.arg(&models).status().is_ok_and(|status| status.success());
        if !done {
            eprintln!("{clang} is needed to compile {source}; scripts/setup installs it");
            exit(1);
        }
        if let Err(why) = forget_wide_characters(&models) {
            eprintln!("{}: {why}", models.display());
            exit(1);
        }
    }
}
