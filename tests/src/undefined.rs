//! Random C programs with operations that C leaves undefined. Whatever a compiler makes of one, at any level: if the
//! native program reaches its error, the answer is not `safe` without an assumption.

use crate::driver::Ran;
use fastrand::Rng;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// The dialect in which programs are compiled, as `beeline check` has it.
const DIALECT: [&str; 4] = ["-w", "-fwrapv", "-fno-strict-aliasing", "-fno-delete-null-pointer-checks"];

/// Compilers and levels.
const NATIVE: [[&str; 2]; 4] = [["clang-19", "-O0"], ["clang-19", "-O2"], ["gcc", "-O0"], ["gcc", "-O2"]];

/// Runs the program with several inputs, each in a process of its own; says whether one reached the error.
const HARNESS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static unsigned state;
static unsigned next(void) { return state = state * 1664525 + 1013904223; }
static unsigned draw(void) {
  static const unsigned odd[] = {0, 1, 2, 7, 8, 31, 32, 33, 63, 64, 127, 128, 255, 256, 2147483647, 2147483648u, 4294967295u};
  unsigned kind = next() >> 16;
  return kind % 4 ? odd[(next() >> 16) % 17] : next();
}
int __VERIFIER_nondet_int(void) { return (int)draw(); }
unsigned __VERIFIER_nondet_uint(void) { return draw(); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)draw(); }
double __VERIFIER_nondet_double(void) { return (double)(int)draw() * 1e6; }
void reach_error(void) { _exit(77); }
__attribute__((constructor)) static void trials(void) {
  for (unsigned i = 0; i < 64; i++) {
    pid_t child = fork();
    int status = 0;
    if (child == 0) {
      state = i * 7919 + 1;
      alarm(2);
      return;
    }
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
      _exit(77);
  }
  _exit(0);
}
"#;

/// A program.
pub fn program(seed: u64) -> String {
    let mut random = Rng::with_seed(seed);
    let mut text = String::from(
        "#include <string.h>\nint __VERIFIER_nondet_int(void);\nunsigned __VERIFIER_nondet_uint(void);\n\
         unsigned char __VERIFIER_nondet_uchar(void);\ndouble __VERIFIER_nondet_double(void);\nvoid reach_error(void);\n\
         int main(void) {\n  int i0 = __VERIFIER_nondet_int(), i1 = __VERIFIER_nondet_uchar(), i2;\n  \
         unsigned u0 = __VERIFIER_nondet_uint(), u1 = __VERIFIER_nondet_uchar(), u2;\n  \
         double d0 = __VERIFIER_nondet_double();\n  unsigned char a[8] = {1, 2, 3, 4, 5, 6, 7, 8};\n",
    );
    for _ in 0..random.usize(2..6) {
        let statement = statement(&mut random);
        let _ = writeln!(text, "  {statement}");
    }
    let (left, value) = (unsigned(&mut random), random.u8(..16));
    let mask = [1, 3, 7, 31][random.usize(..4)];
    let _ =
        writeln!(text, "  if ((({left}) & {mask}) == {})\n    reach_error();\n  return 0;\n}}", value & mask);
    text
}

fn signed(random: &mut Rng) -> &'static str {
    ["i0", "i1", "i2"][random.usize(..3)]
}

fn unsigned(random: &mut Rng) -> &'static str {
    ["u0", "u1", "u2"][random.usize(..3)]
}

fn statement(random: &mut Rng) -> String {
    let (i, j, u, v) = (signed(random), signed(random), unsigned(random), unsigned(random));
    match random.u8(..14) {
        0 => format!("{u} = {v} << u1;"),
        1 => format!("{u} = {v} >> ({i} & 63);"),
        2 => format!("{i} = {j} >> i1;"),
        3 => format!("{i} = 1 << {j};"),
        4 => format!("{u} = (unsigned)__builtin_clz({v});"),
        5 => format!("{u} = (unsigned)__builtin_ctz({v} & 12);"),
        6 => format!("{i} = (int)d0;"),
        7 => format!("{u} = (unsigned char)(d0 * {});", random.u8(1..5)),
        8 => format!("if (u1 != 5) {u} = {v} / u1;"),
        9 => format!("{i} = i0 % ({j} | 1);"),
        10 => format!("if (u0 > 9) {u} = {v} + 1;"),
        11 => format!("{u} = a[u1 & 7] + {v};"),
        12 => format!("memcpy(a + {}, &{v}, {});", random.u8(..4), random.u8(1..5)),
        _ => format!("{u} ^= a[{}];", random.u8(..8)),
    }
}

/// Does a native program reach the error, for some compiler, level and input?
///
/// # Panics
/// If it cannot be compiled.
pub fn reached(source: &Path, folder: &Path) -> Option<String> {
    let harness = folder.join("harness.c");
    std::fs::write(&harness, HARNESS).expect("files can be written");
    NATIVE.into_iter().find_map(|[compiler, level]| {
        let program = folder.join("native");
        let mut command = Command::new(compiler);
        command.args(DIALECT).arg(level).arg(source).arg(&harness).arg("-o").arg(&program);
        let built = command.output().expect("the compiler is there");
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let ended = Command::new("timeout").arg("60").arg(&program).output().expect("it can be run");
        (ended.status.code() == Some(77)).then(|| format!("{compiler} {level}"))
    })
}

/// What is wrong with the answer for the program of a seed, if anything; and whether there was one.
///
/// # Panics
/// If files cannot be written, or tools cannot be run.
pub fn compare(seed: u64, beeline: &Path, folder: &Path) -> (Option<String>, bool) {
    let source = folder.join(format!("undefined-{seed}.c"));
    std::fs::write(&source, program(seed)).expect("files can be written");
    let output = Command::new(beeline).args(["check", "--time-limit", "3s"]).arg(&source).output();
    let ran = Ran::from(output.expect("it can be run"));
    let verdict = ran.verdict();
    let native = reached(&source, folder);
    let wrong = match (&native, ran.code) {
        (Some(how), Some(0)) if !verdict.contains("assumption") => Some(format!("{how} reaches it")),
        (_, Some(0 | 1 | 3)) => None,
        _ => Some(ran.err.clone()),
    };
    let said = wrong.map(|why| format!("seed {seed}: {verdict}, but {why}\n{}", program(seed)));
    (said, ran.code != Some(3))
}
