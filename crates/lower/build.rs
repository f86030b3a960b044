//! Compiles the models of the C library to bitcode, for 32 and 64 bits.

use std::path::PathBuf;
use std::process::{Command, exit};

fn main() {
    println!("cargo:rerun-if-changed=models/libc.c");
    println!("cargo:rerun-if-env-changed=BEELINE_CLANG");
    let clang = std::env::var("BEELINE_CLANG").unwrap_or_else(|_| "clang-19".into());
    let Some(out) = std::env::var_os("OUT_DIR").map(PathBuf::from) else { return };
    for width in ["32", "64"] {
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
            "models/libc.c",
            "-o",
        ]);
        command.arg(out.join(format!("libc{width}.bc")));
        let done = command.status().is_ok_and(|status| status.success());
        if !done {
            eprintln!("{clang} is needed to compile models/libc.c; scripts/setup installs it");
            exit(1);
        }
    }
}
