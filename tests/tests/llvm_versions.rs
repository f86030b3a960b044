//! Programs that different versions of clang compiled, and modules of other compilers.

use beeline_tests::adversary::{Deceiver, State};
use beeline_tests::driver::{Ran, command};
use beeline_tests::{CLANG, SOME_WORK, later_clang, tools};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

fn bitcode(clang: &str, folder: &Path, text: &str) -> PathBuf {
    let (source, bitcode) = (folder.join("a.c"), folder.join("a.bc"));
    std::fs::write(&source, text).unwrap();
    let mut compile = Command::new(clang);
    let compile = compile.args(["-g", "-w", "-emit-llvm", "-c"]).arg(&source).arg("-o").arg(&bitcode);
    assert!(compile.status().unwrap().success());
    bitcode
}

fn tool(name: &str, folder: &Path, words: &[&str]) -> Ran {
    let mut command = Command::new(tools().unwrap().join(name));
    command.args(words).current_dir(folder).stdin(Stdio::null()).output().unwrap().into()
}

/// Checks a program that a clang compiles.
fn check(clang: &str, text: &str, options: &[&str]) -> Ran {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("a.c"), text).unwrap();
    let mut command = command(folder.path());
    command.args(["check", "a.c", "--clang", clang]).args(options).output().unwrap().into()
}

/// Of a variable of a block, only what the program stored is known; each time it is another object.
const BLOCK: &str = "void reach_error(void);
int main(void) {
  for (int i = 0; i < 3; i++) {
    int y = 3;
    int x;
    if (i == 0) x = 5;
    if (i == 1 && x == 77 && y == 3) reach_error();
  }
}
";

const SWITCH: &str = "int nondet(void); void reach_error(void);
int main(void) {
  int found = 0;
  switch (nondet()) {
    case 2: found = 1; break;
    case -7: found = 2; break;
    default: found = 3;
  }
  if (found == BAD) reach_error();
}
";

#[test]
fn what_a_later_clang_compiles_is_confirmed_natively() {
    let Some(later) = later_clang() else { return };
    for clang in [CLANG, later] {
        assert_eq!(check(clang, BLOCK, &[]).verdict(), "verdict: unsafe (confirmed)", "{clang}");
        let outside = "int main(int c, char **v) { int a[3] = {0}; return a[c]; }";
        let ran = check(clang, outside, &["--property", "memory-safety"]);
        assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{clang}: {}", ran.out);
        assert!(ran.out.contains("a.c:1:"), "{}", ran.out);
        for (bad, verdict) in [("2", "unsafe (confirmed)"), ("4", "safe (proof certified)")] {
            let ran = check(clang, &SWITCH.replace("BAD", bad), &[]);
            assert_eq!(ran.verdict(), format!("verdict: {verdict}"), "{clang}");
        }
    }
}

#[test]
fn versions_agree() {
    let Some(later) = later_clang() else { return };
    const EACH: usize = 20;
    let beeline = tools().unwrap().join("beeline");
    let programs = Deceiver::all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("adversary"));
    // What a program means may depend on the compiler, which it chooses then.
    let is_open = |program: &&Deceiver| !program.arguments.iter().any(|argument| argument == "--clang");
    for program in programs.iter().filter(is_open).step_by(EACH) {
        let judge = |clang| program.judge(&beeline, &[&SOME_WORK[..], &["--clang", clang]].concat());
        let (earlier, later) = (judge(CLANG), judge(later));
        let decided = [&earlier, &later].iter().all(|(state, _)| *state != State::Unknown);
        assert!(!decided || earlier.0 == later.0, "{}: {earlier:?}, {later:?}", program.name());
    }
}

#[test]
fn a_tool_goes_on_as_the_one_that_reads_the_file() {
    let Some(later) = later_clang() else { return };
    let folder = TempDir::new().unwrap();
    let module = bitcode(later, folder.path(), BLOCK);
    let lowered = tool("beeline-lower", folder.path(), &["a.bc", "-o", "a.cfa"]);
    assert_eq!(lowered.code, Some(0), "{}", lowered.err);
    let marked = tool("beeline-mark", folder.path(), &["a.bc", "--of", "branches", "-o", "marked.bc"]);
    assert_eq!(marked.code, Some(0), "{}", marked.err);
    // The standard input was read already.
    let mut piped = Command::new(tools().unwrap().join("beeline-lower"));
    let piped = piped.args(["-", "--text"]).stdin(std::fs::File::open(module).unwrap()).output().unwrap();
    assert!(String::from_utf8_lossy(&piped.stderr).contains("made by LLVM 22"), "{piped:?}");
}

/// Where the signs differ, the comparison says anything.
#[test]
fn a_comparison_that_assumes_equal_signs_says_anything_elsewhere() {
    if later_clang().is_none() {
        return;
    }
    let text = |flag: &str| {
        format!(
            "target datalayout = \"e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128\"
            declare i32 @nondet()
            declare void @reach_error()
            define i32 @main() {{
              %a = call i32 @nondet()
              %b = call i32 @nondet()
              %c = icmp slt i32 %a, 0
              %d = icmp sge i32 %b, 0
              %e = and i1 %c, %d
              br i1 %e, label %differ, label %done
            differ:
              %f = icmp {flag} ult i32 %a, %b
              br i1 %f, label %bad, label %done
            bad:
              call void @reach_error()
              br label %done
            done:
              ret i32 0
            }}
            !llvm.ident = !{{!0}}
            !0 = !{{!\"clang version 22.1.8\"}}"
        )
    };
    let verdict = |flag: &str| {
        let folder = TempDir::new().unwrap();
        std::fs::write(folder.path().join("a.ll"), text(flag)).unwrap();
        let ran: Ran = command(folder.path()).args(["check", "a.ll", "--no-check"]).output().unwrap().into();
        ran.verdict().to_string()
    };
    assert!(verdict("").starts_with("verdict: safe"), "{}", verdict(""));
    assert!(verdict("samesign").starts_with("verdict: unsafe"), "{}", verdict("samesign"));
}

#[test]
fn a_module_of_another_compiler_is_named() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("a.rs"), "pub fn f(x: u32) -> u32 { x + 1 }").unwrap();
    let rustc = ["--crate-type", "lib", "--emit", "llvm-bc", "-o", "a.bc", "a.rs"];
    assert!(Command::new("rustc").args(rustc).current_dir(folder.path()).status().unwrap().success());
    let ran = tool("beeline-lower", folder.path(), &["a.bc"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("made by rustc 1.") && ran.err.contains(", LLVM "), "{}", ran.err);
}

#[test]
fn a_compiler_that_is_not_there_is_named() {
    let ran = check("clang-of-nobody", "int main(void) {}", &[]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("--clang names clang-of-nobody, which is not a file"), "{}", ran.err);
}

/// What clang 19 warns of does not keep a later one from compiling the program.
#[test]
fn a_later_clang_compiles_what_an_earlier_one_only_warns_of() {
    let Some(clang) = later_clang() else { return };
    let text = "void reach_error(void);
static const unsigned short *wide;
int main(void) { wide = \"narrow\"; if (!wide) reach_error(); return 0; }
";
    for clang in [CLANG, clang] {
        let ran = check(clang, text, &[]);
        assert!(ran.out.contains("verdict: safe (proof certified)"), "{clang}: {ran:?}");
    }
}
