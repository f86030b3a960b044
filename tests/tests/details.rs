//! Details of C on which verdicts hang: can random runs of the interpreter reach the target?

use beeline_interp::oracle::Random;
use beeline_interp::{Limits, Machine, Outcome};
use beeline_ir::Direction;
use beeline_lower::Options;
use beeline_tests::{compile, lowered};

fn program(body: &str) -> beeline_ir::Program {
    whole(&format!("int main(void) {{\n{body}\nreturn 0; }}\n"))
}

/// A program of some functions.
fn whole(functions: &str) -> beeline_ir::Program {
    let folder = tempfile::tempdir().unwrap();
    let (source, bitcode) = (folder.path().join("program.c"), folder.path().join("program.bc"));
    let text = format!(
        "#include <stdlib.h>\n#include <stdio.h>\nvoid reach_error(void);\nint __VERIFIER_nondet_int(void);\n\
         void pthread_exit(void *);\n{functions}"
    );
    std::fs::write(&source, text).unwrap();
    compile(&source, &bitcode, &["-O0", "-Xclang", "-disable-O0-optnone"]).unwrap();
    lowered(&bitcode, &Options::default()).unwrap()
}

fn reaches(body: &str) -> bool {
    any_run_reaches(&program(body))
}

fn any_run_reaches(program: &beeline_ir::Program) -> bool {
    let reached = |seed| {
        let run = Machine::new(program).run(&mut Random::new(seed), &Limits::default());
        matches!(run.outcome, Outcome::Target(_))
    };
    (0..300).any(reached)
}

#[test]
fn a_variable_of_a_loop_begins_with_any_value_each_time() {
    let twice = "int small = 0, large = 0;
        for (int i = 0; i < 2; i++) { int d; if (d < 0) small = 1; if (d > 0) large = 1; }
        if (small && large) reach_error();";
    assert!(reaches(twice));
    assert!(!reaches(&twice.replace("int d;", "int d = 3;")));
    assert!(!reaches(&twice.replace("for (int i", "int d; for (int i").replace("{ int d;", "{")));
}

#[test]
fn a_request_for_too_much_memory_fails() {
    assert!(!reaches("if (malloc(0xFFFFFFFFFFFFFFFCUL)) reach_error();"));
    assert!(reaches("if (!malloc(0xFFFFFFFFFFFFFFFCUL)) reach_error();"));
    let some = "int n = __VERIFIER_nondet_int(); char *p = malloc(n); if (n < 0 && COND p) reach_error();";
    assert!(!reaches(&some.replace("COND", "")));
    assert!(reaches(&some.replace("COND", "!")));
    let kept =
        "int n = __VERIFIER_nondet_int(); int m = n + 1; char *p = malloc(n); if (m != n + 1) reach_error();";
    assert!(!reaches(kept));
}

#[test]
fn nothing_is_left_of_an_object_of_size_zero() {
    assert!(!reaches("char *p = malloc(4); if (realloc(p, 0)) reach_error();"));
    assert!(!reaches("char *p = malloc(4); *p = 3; p = realloc(p, 9); if (*p != 3) reach_error();"));
}

#[test]
fn variables_are_aligned_as_asked_for() {
    let aligned = "char pad[4]; __attribute__((aligned(64))) char q[4]; pad[0] = q[0] = 1;
        if ((size_t)pad % 4 || (size_t)q % 64) reach_error();";
    assert!(!reaches(aligned));
}

#[test]
fn a_thread_that_ends_goes_no_further() {
    assert!(!reaches("pthread_exit(0); reach_error();"));
}

#[test]
fn what_the_library_writes_is_a_guess() {
    let program =
        program("char text[9]; int n = snprintf(text, 9, \"%d\", 7); if (n == text[0]) reach_error();");
    let guesses = program.assumptions.iter().filter(|a| a.kind == "libc-call" && a.edge.is_some());
    assert_eq!(guesses.filter(|a| a.direction == Direction::Both).count(), 2);
}

#[test]
fn computing_with_addresses_is_named() {
    let named = |body: &str| program(body).assumptions.iter().any(|a| a.kind == "addresses");
    assert!(named("char a[4]; if ((size_t)a % 4) reach_error();"));
    assert!(!named("char a[4], *p = a + 3; if (p - a != 3) reach_error();"));
}

#[test]
fn what_is_registered_runs_when_the_program_ends() {
    let functions = "static int count; static void first(void) { if (count == 2) reach_error(); }
        static void second(void) { count++; }";
    let with = |end: &str| {
        let main = format!("atexit(first); atexit(second); atexit(second); {end}");
        any_run_reaches(&whole(&format!("{functions} int main(void) {{ {main} }}")))
    };
    assert!(with("return 0;"));
    assert!(with("if (__VERIFIER_nondet_int()) return 1; exit(0);"));
    assert!(!with("count = 1; return 0;"));
    assert!(!with("abort();"));
    assert!(with("void (*end)(int) = exit; end(0);"));
    assert!(!with("_Exit(0);"));
    assert!(!with("atexit(second); exit(3);"), "the last one registered runs first");
}

#[test]
fn constructors_and_destructors_run_around_main() {
    let with = |functions: &str, main: &str| {
        let text = format!("static int count; {functions} int main(void) {{ {main} return 0; }}");
        any_run_reaches(&whole(&text))
    };
    let constructor = "__attribute__((constructor)) static void first(void) { count = 1; }";
    assert!(with(constructor, "if (count == 1) reach_error();"));
    assert!(!with(constructor, "if (count != 1) reach_error();"));
    let later = "__attribute__((constructor(300))) static void b(void) { count = 2 * count; }
        __attribute__((constructor(200))) static void a(void) { count = 5; }";
    assert!(with(later, "if (count == 10) reach_error();"));
    assert!(!with(later, "if (count != 10) reach_error();"));
    let destructor = "__attribute__((destructor)) static void last(void) { if (count == 3) reach_error(); }";
    assert!(with(destructor, "count = 3;"));
    assert!(with(destructor, "count = 3; exit(0);"));
    assert!(!with(destructor, "count = 3; _Exit(0);"));
    assert!(!with(destructor, "count = 2;"));
}

#[test]
fn a_range_that_may_be_too_long_is_named() {
    let named = |body: &str| {
        let program =
            whole(&format!("#include <string.h>\nint main(void) {{ int a[2] = {{1, 1}}, n = 3; {body} }}"));
        program
            .assumptions
            .iter()
            .any(|assumption| assumption.kind == "range" && assumption.direction == Direction::MayHideBug)
    };
    assert!(!named("memset(a, 0, 8); return a[1];"));
    assert!(!named("memset(a + 1, 0, 4); return a[1];"));
    assert!(named("memset(a, 0, 12); return a[1];"));
    assert!(named("memset(a + 1, 0, 8); return 0;"));
    assert!(named("memset(a, 0, 4 * n); return a[1];"));
    assert!(named("int b[3] = {0}; memcpy(a, b, 4 * n); return a[1];"));
}

#[test]
fn numbers_of_the_addresses_of_globals_are_named() {
    let named = |body: &str| {
        let program =
            whole(&format!("#include <stdint.h>\nstatic char c, d[4]; int main(void) {{ {body} }}"));
        program.assumptions.iter().any(|assumption| assumption.kind == "addresses")
    };
    assert!(named("return ((uintptr_t)&c & 3) == 0;"));
    assert!(named("uintptr_t n = (uintptr_t)d; return n >> 4;"));
    assert!(!named("return d[1] + (&d[3] - d) + c;"));
}
