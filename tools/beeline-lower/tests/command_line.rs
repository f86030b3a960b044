//! What a person meets at the command line: wrong input of each kind ends with exit code 2 and a
//! sentence, whatever is wrong with it.

use beeline_tests::CLANG;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

const PROGRAM: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n\
    static int numbers[4];\n\
    int main(void) { int n = __VERIFIER_nondet_int(); numbers[n & 3] = n;\n\
    switch (n) { case 3: return 1; case 7: reach_error(); } return numbers[2]; }\n";

fn run(args: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_beeline-lower")).args(args).current_dir(folder).output().unwrap()
}

fn compile(folder: &TempDir, source: &str, name: &str, flags: &[&str]) -> PathBuf {
    let module = folder.path().join("module.bc");
    std::fs::write(folder.path().join(name), source).unwrap();
    let built = Command::new(CLANG)
        .args(["-emit-llvm", "-c"])
        .args(flags)
        .arg(name)
        .arg("-o")
        .arg(&module)
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    module
}

/// Asserts that a run is refused in one line that has these words.
fn refused(args: &[&str], folder: &TempDir, words: &str) {
    let output = run(args, folder.path());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
    assert_eq!(said.trim_end().lines().count(), 1, "{said}");
    assert!(said.contains(words), "{said}");
    assert!(output.stdout.is_empty());
}

#[test]
fn wrong_files() {
    let folder = TempDir::new().unwrap();
    refused(&["nothing.bc"], &folder, "nothing.bc does not exist");
    refused(&["."], &folder, "is a directory");
    std::fs::write(folder.path().join("empty.bc"), "").unwrap();
    refused(&["empty.bc"], &folder, "is empty");
    std::fs::write(folder.path().join("prose.bc"), "int main(void);\n").unwrap();
    refused(&["prose.bc"], &folder, "is not LLVM IR");
    let whole = std::fs::read(compile(&folder, PROGRAM, "a.c", &[])).unwrap();
    for part in [4, 100, whole.len() / 2, whole.len() - 3] {
        std::fs::write(folder.path().join("part.bc"), &whole[..part]).unwrap();
        refused(&["part.bc"], &folder, "part.bc is cut off or damaged");
    }
}

#[test]
fn wrong_options() {
    let folder = TempDir::new().unwrap();
    compile(&folder, PROGRAM, "a.c", &[]);
    refused(&["module.bc", "--function", "start"], &folder, "no function `start`");
    refused(&["module.bc", "--property", "termination"], &folder, "termination is not a property");
    refused(&["module.bc", "--passes", "magic"], &folder, "unknown pass name 'magic'");
    refused(&["module.bc", "-o", "nowhere/a.cfa"], &folder, "cannot write nowhere/a.cfa");
    let output = run(&["module.bc", "--target-function", "other"], folder.path());
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("module.bc has no target for "));
}

#[test]
fn other_languages_and_newer_modules() {
    let folder = TempDir::new().unwrap();
    let text = "define i32 @main() { ret i32 0 }\n!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!2}\n\
                !0 = distinct !DICompileUnit(language: DW_LANG_Fortran95, file: !1, emissionKind: FullDebug)\n\
                !1 = !DIFile(filename: \"a.f\", directory: \"/\")\n!2 = !{i32 2, !\"Debug Info Version\", i32 3}\n";
    std::fs::write(folder.path().join("a.ll"), text).unwrap();
    refused(&["a.ll"], &folder, "was compiled from Fortran95; Beeline verifies C, ");
    let module = compile(&folder, PROGRAM, "a.c", &[]);
    let mut bytes = std::fs::read(&module).unwrap();
    name_producer(&mut bytes, "LLVM19.", "LLVM99.");
    std::fs::write(&module, &bytes).unwrap();
    refused(&["module.bc"], &folder, "was made by LLVM 99.1");
    // A later LLVM writes records that this one does not know.
    let middle = bytes.len() / 4;
    bytes[middle..middle + 64].fill(0xff);
    std::fs::write(&module, bytes).unwrap();
    refused(&["module.bc"], &folder, "was made by LLVM 99.1");
}

/// Replaces a text that stands in bitcode as characters of six bits.
fn name_producer(bytes: &mut [u8], text: &str, by: &str) {
    let bits = |text: &str| -> Vec<u8> {
        let codes = text.bytes().map(|byte| match byte {
            b'A'..=b'Z' => byte - b'A' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            _ => 62,
        });
        codes.flat_map(|code| (0..6).map(move |bit| code >> bit & 1)).collect()
    };
    let (text, by) = (bits(text), bits(by));
    let found = |start: usize| {
        (0..text.len()).all(|at| bytes[(start + at) / 8] >> ((start + at) % 8) & 1 == text[at])
    };
    let start =
        (0..bytes.len() * 8 - text.len()).find(|&start| found(start)).expect("the module names its producer");
    for (at, bit) in by.iter().enumerate() {
        let place = start + at;
        bytes[place / 8] = bytes[place / 8] & !(1 << (place % 8)) | bit << (place % 8);
    }
}

#[test]
fn damage_is_refused_even_where_llvm_crashes() {
    let folder = TempDir::new().unwrap();
    // The folder's name is another in each run; what is damaged must not be.
    let flags = ["-g", "-fdebug-compilation-dir=."];
    let whole = std::fs::read(compile(&folder, PROGRAM, "a.c", &flags)).unwrap();
    let mut state = 7u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    let mut refusals = 0;
    for round in 0..60 {
        let mut bytes = whole.clone();
        for _ in 0..[1, 3, 10][round % 3] {
            let at = random(bytes.len());
            bytes[at] ^= 1 << random(8);
        }
        std::fs::write(folder.path().join("damaged.bc"), bytes).unwrap();
        let output = run(&["damaged.bc"], folder.path());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        match output.status.code() {
            Some(0) => {}
            Some(2) => {
                refusals += 1;
                // LLVM itself says a word when memory is short, before the sentence.
                let sentences: Vec<&str> = said
                    .lines()
                    .filter(|line| !line.starts_with("LLVM ERROR") && *line != "Allocation failed")
                    .collect();
                assert!(sentences.len() == 1 && sentences[0].contains("damaged.bc"), "{said}");
                assert!(!said.contains("panicked"), "{said}");
            }
            other => panic!("round {round}: exit code {other:?}: {said}"),
        }
    }
    assert!(refusals > 20, "{refusals}");
}

#[test]
fn what_cannot_be_modelled_names_function_and_line() {
    let folder = TempDir::new().unwrap();
    let source = "_Bool __CPROVER_is_fresh(void *, int);\nint x;\nint main(void) {\n  return __CPROVER_is_fresh(&x, 4);\n}\n";
    compile(&folder, source, "a.c", &["-g"]);
    let output = run(&["module.bc"], folder.path());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(run(&["module.bc", "--unsupported-code", "9"], folder.path()).status.code(), Some(9));
    assert_eq!(run(&["nothing.bc", "--unsupported-code", "9"], folder.path()).status.code(), Some(2));
    assert!(said.contains("a.c:4") && said.contains("main") && said.contains("__CPROVER_is_fresh"), "{said}");
    let output = run(&["module.bc", "--allow-unsound", "--text", "-o", "-"], folder.path());
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains("assumption unsound"));
}

#[test]
fn textual_ir_and_pipes() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("a.ll"), "define i32 @main() {\n  ret i32 3\n}\n").unwrap();
    let output = run(&["a.ll", "--text"], folder.path());
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains("return 3"));
    assert!(run(&["a.ll"], folder.path()).status.success());
    assert!(folder.path().join("a.cfa").exists());
}

#[test]
fn files_are_called_as_the_compiler_was_given_them() {
    // Clang leaves out of an absolute name what the folder in which it runs begins with as well.
    let folder = TempDir::new().unwrap();
    let (source, elsewhere) = (folder.path().join("a.c"), folder.path().join("elsewhere"));
    std::fs::write(&source, PROGRAM).unwrap();
    std::fs::create_dir(&elsewhere).unwrap();
    for name in [source.to_str().unwrap(), "../a.c"] {
        let built = Command::new(CLANG)
            .args(["-g", "-emit-llvm", "-c", name, "-o", "a.bc"])
            .current_dir(&elsewhere)
            .status()
            .unwrap();
        assert!(built.success());
        let text = run(&["a.bc", "--text"], &elsewhere).stdout;
        assert!(String::from_utf8_lossy(&text).contains(&format!("\nfile \"{name}\"\n")));
    }
}
