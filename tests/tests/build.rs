//! A project's own build leaves the bitcode of its programs, whatever it does in between.

use beeline_tests::driver::beeline;
use std::path::Path;

/// A program of two files and an archive, one of them with a header that the build makes, and another one at once.
const FILES: [(&str, &str); 5] = [
    (
        "Makefile",
        "CC = gcc\nall: prog other\nlimit.h:\n\techo '#define LIMIT 3' >$@\nmain.o: main.c limit.h\n\t$(CC) -O2 -Werror -Wall -MMD -c main.c -o $@\n\
         sub/part.o: sub/part.c\n\tcd sub && $(CC) -DSTEP=2 -c part.c\nlibpart.a: sub/part.o\n\tar rcs $@ sub/part.o\n\
         prog: main.o libpart.a\n\t$(CC) main.o -L. -lpart -o $@\nother: other.c\n\tcc -DX=7 other.c -o other\n",
    ),
    (
        "main.c",
        "#include \"limit.h\"\nint part(int);\nvoid reach_error(void) {}\nint main(int argc, char **argv) {\n  if (part(argc) == LIMIT + 2) reach_error();\n  return 0;\n}\n",
    ),
    ("sub/part.c", "int part(int n) { return n + STEP; }\n"),
    ("other.c", "void reach_error(void) {}\nint main(void) { if (X != 7) reach_error(); return 0; }\n"),
    ("broken.mk", "all:\n\tcc -c missing.c\n"),
];

fn project(folder: &Path) {
    for (name, text) in FILES {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("it is in a folder")).expect("there is room");
        std::fs::write(path, text).expect("it is written");
    }
}

#[test]
fn a_build_by_make_leaves_what_its_programs_are_made_of() {
    let folder = tempfile::tempdir().expect("there is room");
    project(folder.path());
    let ran = beeline(folder.path(), &["build", "--", "make", "-s"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "./other.bc\n./prog.bc\n"), "{}", ran.err);
    let ran = beeline(folder.path(), &["check", "--as-command", "prog.bc"]);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{}", ran.out);
    let ran = beeline(folder.path(), &["check", "other.bc"]);
    assert_eq!(ran.code, Some(0), "{}", ran.out);
}

/// Of what is assembled there is no bitcode, and a function of it takes the place of a weak one.
#[test]
fn code_without_bitcode_is_told_and_listed_by_verdicts() {
    let folder = tempfile::tempdir().expect("there is room");
    let write =
        |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("it is written");
    write(
        "weak.c",
        "void reach_error(void) {}\n__attribute__((weak)) int hook(void) { return 0; }\nint main(void) { if (hook() == 6) reach_error(); return 0; }\n",
    );
    write("hook.s", ".globl hook\nhook:\n  ret\n.section .note.GNU-stack\n");
    let ran = beeline(folder.path(), &["build", "--", "cc", "-O1", "weak.c", "-o", "plain"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    let ran = beeline(folder.path(), &["build", "--", "cc", "weak.c", "hook.s", "-o", "prog"]);
    assert!(ran.code == Some(0) && ran.err.contains("prog has functions without bitcode"), "{}", ran.err);
    let ran = beeline(folder.path(), &["check", "prog.bc"]);
    assert!(
        ran.out.contains("the program has functions without bitcode") && ran.out.contains(": hook"),
        "{}",
        ran.out
    );
    let ran = beeline(folder.path(), &["check", "plain.bc"]);
    assert!(!ran.out.contains("without bitcode"), "{}", ran.out);
    let ran = beeline(folder.path(), &["build", "--", "cc", "-s", "weak.c", "-o", "bare"]);
    assert!(ran.code == Some(0) && ran.err.contains("the program has no symbols"), "{}", ran.err);
}

#[test]
fn a_build_that_fails_says_so() {
    let folder = tempfile::tempdir().expect("there is room");
    project(folder.path());
    let ran = beeline(folder.path(), &["build", "--", "make", "-f", "broken.mk"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}

#[test]
fn a_build_that_links_nothing_says_why_that_may_be() {
    let folder = tempfile::tempdir().expect("there is room");
    let ran = beeline(folder.path(), &["build", "--", "true"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""));
    assert!(
        ran.err.contains("linked no program") && ran.err.contains("cmake or configure ran"),
        "{}",
        ran.err
    );
}

#[test]
fn a_build_names_its_compiler_in_any_way() {
    for compiler in ["CC=x86_64-linux-gnu-gcc -g", "CC=/opt/cross/bin/tcc"] {
        let folder = tempfile::tempdir().expect("there is room");
        project(folder.path());
        let ran = beeline(folder.path(), &["build", "--", "make", "-s", "prog", compiler]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), "./prog.bc\n"), "{compiler}: {}", ran.err);
    }
}

/// What configures a build, such as CMake, writes the path of the compiler down.
#[test]
fn a_build_that_was_configured_before_goes_on() {
    let folder = tempfile::tempdir().expect("there is room");
    project(folder.path());
    let ran = beeline(folder.path(), &["build", "--", "sh", "-c", "echo CC = $CC >config.mk"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    std::fs::write(
        folder.path().join("Makefile"),
        "include config.mk\nother: other.c\n\t$(CC) -DX=7 other.c -o other\n",
    )
    .expect("it is written");
    let ran = beeline(folder.path(), &["build", "--", "make", "-s"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "./other.bc\n"), "{}", ran.err);
}
