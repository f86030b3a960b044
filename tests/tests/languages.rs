//! Bitcode of Rust and of C++, as far as it is verified.

use beeline_tests::CLANG;
use beeline_tests::driver::{Ran, command};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

fn check(folder: &Path, function: &str) -> Ran {
    let words = ["check", "a.bc", "--function", function, "--property", "panic,unreach-call"];
    command(folder).args(words).output().unwrap().into()
}

const RUST: &str = "
extern \"C\" { fn reach_error(); }

#[no_mangle]
pub fn indexes(at: usize) -> u32 {
    let cells = [1u32, 2, 3, 4];
    if at < cells.len() { cells[at] } else { 0 }
}

#[no_mangle]
pub fn indexes_outside(at: usize) -> u32 {
    let cells = [1u32, 2, 3, 4];
    if at <= cells.len() { cells[at] } else { 0 }
}

#[no_mangle]
pub fn adds(a: u8, b: u8) -> u8 {
    if a < 200 && b <= 56 { a + b } else { 0 }
}

#[no_mangle]
pub fn adds_too_much(a: u8, b: u8) -> u8 {
    if a < 200 && b <= 57 { a + b } else { 0 }
}

fn find(cells: &[u32], wanted: u32) -> Option<usize> {
    let mut at = 0;
    while at < cells.len() {
        if cells[at] == wanted {
            return Some(at);
        }
        at += 1;
    }
    None
}

#[no_mangle]
pub fn matches(wanted: u32) -> usize {
    match find(&[1, 5, 7], wanted) {
        Some(at) if at > 2 => unsafe { reach_error(); 0 },
        Some(at) => at,
        None => 9,
    }
}

#[no_mangle]
pub fn unwraps(wanted: u32) -> usize {
    find(&[1, 5, 7], wanted).unwrap()
}
";

#[test]
fn functions_of_rust_panic_or_do_not() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("a.rs"), RUST).unwrap();
    let flags = ["--crate-type", "lib", "-g", "-C", "panic=abort", "--emit", "llvm-bc", "-o", "a.bc", "a.rs"];
    assert!(Command::new("rustc").args(flags).current_dir(folder.path()).status().unwrap().success());
    for (function, word) in [
        ("indexes", "safe"),
        ("indexes_outside", "unsafe"),
        ("adds", "safe"),
        ("adds_too_much", "unsafe"),
        ("matches", "safe"),
        ("unwraps", "unsafe"),
    ] {
        let ran = check(folder.path(), function);
        if ran.err.contains("reads at most LLVM") {
            eprintln!("this Rust has a later LLVM than the tools");
            return;
        }
        assert!(ran.verdict().starts_with(&format!("verdict: {word}")), "{function}: {}{}", ran.out, ran.err);
        assert!(!ran.out.contains("_R") && !ran.out.contains("_ZN"), "{}", ran.out);
        if function == "indexes_outside" {
            assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)");
            assert!(ran.out.contains("core::panicking::panic_bounds_check"), "{}", ran.out);
        }
    }
}

const CPP: &str = "
extern \"C\" void reach_error();
int nondet();
namespace app { int any(); }
template <typename T> T clamp(T x, T lo, T hi) { return x < lo ? lo : hi < x ? hi : x; }
extern \"C\" void clamps(int x) { if (clamp(x, -5, 5) > 5) reach_error(); }

struct Held {
  int &count;
  Held(int &count) : count(count) { ++count; }
  ~Held() { --count; }
};
extern \"C\" void holds(int x) {
  int count = 0;
  {
    Held one(count);
    if (x > 3) { Held two(count); if (count != 2) reach_error(); }
  }
  if (count != 0) reach_error();
}

struct Shape { virtual int sides() const = 0; };
struct Triangle : Shape { int sides() const override { return 3; } };
struct Square : Shape { int sides() const override { return 4; } };
static int sides(int kind) {
  Triangle triangle; Square square;
  const Shape *shape = kind ? static_cast<const Shape *>(&triangle) : &square;
  return shape->sides();
}
extern \"C\" void calls(int kind) { if (sides(kind) < 3) reach_error(); }
extern \"C\" void calls_square(int kind) { if (sides(kind) == 4) reach_error(); }

int twice(int x) { return 2 * x; }
void asks(int) { if (twice(nondet()) == 8) reach_error(); }
";

const THROWING: &str = "
static void may_throw(int x) { if (x == 3) throw 1; }
extern \"C\" void throws(int x) { may_throw(x); }
extern \"C\" void does_not_throw(int x) { if (x < 3) may_throw(x); }
extern \"C\" int catches(int x) { try { may_throw(x); } catch (int) { return 1; } return 0; }
";

fn compiled(text: &str, flags: &[&str]) -> TempDir {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("a.cc"), text).unwrap();
    let mut compile = Command::new(CLANG);
    let compile = compile.args(["-x", "c++", "-g", "-emit-llvm", "-c", "a.cc", "-o", "a.bc"]).args(flags);
    assert!(compile.current_dir(folder.path()).status().unwrap().success());
    folder
}

#[test]
fn functions_of_cpp_are_verified() {
    let folder = compiled(CPP, &["-fno-exceptions"]);
    for (function, verdict) in [
        ("clamps", "safe (proof certified)"),
        ("holds", "safe (proof certified)"),
        ("calls", "safe (under"),
        ("calls_square", "unsafe (confirmed)"),
        // The only function of that name, which is mangled.
        ("asks", "unsafe (confirmed)"),
    ] {
        let ran = check(folder.path(), function);
        assert!(
            ran.verdict().starts_with(&format!("verdict: {verdict}")),
            "{function}: {}{}",
            ran.out,
            ran.err
        );
        assert!(!ran.out.contains("_Z"), "{}", ran.out);
    }
}

#[test]
fn reports_have_the_names_of_the_source() {
    let folder = compiled(CPP, &["-fno-exceptions"]);
    let reports = ["--html", "a.html", "--sarif", "a.sarif"];
    let mut checked = command(folder.path());
    let ran: Ran =
        checked.args(["check", "a.bc", "--function", "asks"]).args(reports).output().unwrap().into();
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{}", ran.err);
    for report in ["a.html", "a.sarif"] {
        let text = std::fs::read_to_string(folder.path().join(report)).unwrap();
        assert!(text.contains("asks(int") && !text.contains("_Z"), "{report}: {text}");
    }
}

#[test]
fn tracefiles_have_the_names_of_the_source() {
    // With optimisation, functions begin with an instruction that has a line.
    let folder = compiled(CPP, &["-fno-exceptions", "-O1"]);
    let words = ["cover", "a.bc", "--function", "asks", "--of", "functions", "--lcov", "a.info"];
    let ran: Ran = command(folder.path()).args(words).output().unwrap().into();
    let text = std::fs::read_to_string(folder.path().join("a.info")).unwrap();
    assert!(text.contains("\nFNDA:1,asks(int)\n") && !text.contains("_Z"), "{text}{}", ran.err);
}

#[test]
fn what_throws_panics_and_what_catches_is_refused() {
    let folder = compiled(THROWING, &[]);
    // The native run has no runtime of C++ that makes the exception.
    assert!(check(folder.path(), "throws").verdict().contains("unconfirmed counterexample"));
    assert!(check(folder.path(), "does_not_throw").verdict().starts_with("verdict: safe"));
    let refused = check(folder.path(), "catches");
    assert!(refused.verdict().contains("the instruction invoke is not supported"), "{}", refused.out);
}
