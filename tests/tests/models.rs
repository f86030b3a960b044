//! Models of the C library against the library itself: both in one program, which compares them on random inputs.

use beeline_tests::{CLANG, timed};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The names that the lines of a model define: functions, the variables that a test lists, and functions of a macro.
fn names(model: &str, more: &[&str]) -> Vec<String> {
    let defines = |line: &str| {
        let is_definition = !line.starts_with([' ', '#', '/', '}']) && line.ends_with(['{', '}']);
        let (head, _) = line.split_once('(').filter(|_| is_definition)?;
        let name = head.rsplit([' ', '*']).next()?;
        (!name.is_empty() && !line.contains("__asm__")).then(|| name.to_string())
    };
    let macros = ["vfscanf", "vscanf", "fscanf", "scanf"];
    let macros = macros.iter().flat_map(|name| [99, 23].map(|year| format!("__isoc{year}_{name}")));
    let mut names: Vec<String> = model.lines().filter_map(defines).collect();
    names.extend(macros.chain(more.iter().map(|name| name.to_string())));
    names.sort();
    names.dedup();
    names
}

fn text_of(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// Runs a program that has models and their comparison.
fn compare(model: &str, test: &str, more: &[&str]) {
    let test = text_of(&format!("models/{test}"));
    let names = names(model, more);
    let mut text = String::new();
    names.iter().for_each(|name| _ = writeln!(text, "#define {name} model_{name}"));
    text.push_str(model);
    names.iter().for_each(|name| _ = writeln!(text, "#undef {name}"));
    text.push_str("#undef NULL\n#undef errno\n");
    text.push_str(&test);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("test.c"), text).unwrap();
    let built = Command::new(CLANG)
        .current_dir(folder.path())
        .args(["-std=gnu17", "-O1", "-fno-builtin", "-w", "test.c", "-o", "test", "-lm"])
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let mut command = Command::new(folder.path().join("test"));
    let output = timed(command.current_dir(folder.path()), Duration::from_secs(100)).expect("it ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn options_are_found_as_the_library_finds_them() {
    compare(
        &text_of("../crates/lower/models/getopt.c"),
        "options.c",
        &["optarg", "optind", "opterr", "optopt", "option"],
    );
}

#[test]
fn streams_do_what_the_library_does() {
    // Lines are read by the functions of libc.c, which get their bytes from the world.
    let libc = text_of("../crates/lower/models/libc.c");
    let from = libc.find("long getdelim(").expect("it is there");
    let lines: Vec<&str> = libc[from..].split_inclusive('\n').collect();
    let end = lines.iter().position(|line| line.starts_with("long getline(")).expect("it is there");
    let lines = lines[..=end].concat();
    let world = text_of("../crates/lower/models/world.c");
    let model =
        format!("{world}void *realloc(void *old, size_t size);\nstatic int __beeline_errno;\n{lines}");
    compare(&model, "streams.c", &["stdin", "stdout", "stderr", "main0", "main1", "main2", "main3"]);
}

#[test]
fn functions_of_texts_memory_and_floats_do_what_the_library_does() {
    let by_macro = [
        "strtol",
        "strtoll",
        "strtoul",
        "strtoull",
        "strtoimax",
        "strtoumax",
        "strtod",
        "strtof",
        "strtold",
        "nextafter",
        "nextafterf",
        "remainder",
        "remainderf",
        "remainderl",
        "bsearch",
        "lfind",
    ];
    compare(&text_of("../crates/lower/models/libc.c"), "library.c", &by_macro);
}
