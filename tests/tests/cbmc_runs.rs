//! Many proofs that were written for CBMC: what is kept of them, pages, coverage, and a project's own make.

use beeline_tests::driver::{beeline, install};
use beeline_tests::starter_kit::{folder, proof};
use std::path::Path;
use std::process::Command;

const GOOD: &str = "int nondet_int(void);\nvoid harness(void) { int x = nondet_int(); __CPROVER_assume(x < LIMIT); __CPROVER_assert(x < 9, \"\"); }";

#[test]
fn what_was_answered_is_not_run_again_until_it_changes() {
    let header = ("limit.h", "#undef LIMIT\n#define LIMIT 8\n");
    let source = format!("#include \"limit.h\"\n{GOOD}");
    let folder = folder(&[("one", &[("harness.c", &source), header]), ("two", &[("harness.c", GOOD)])]);
    let run = |more: &[&str]| {
        let ran = beeline(
            folder.path(),
            &[&["cbmc", "one", "two", "-j", "2", "--json", "--resume", "kept"], more].concat(),
        );
        let rows: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        let rows = rows.as_array().unwrap().iter().map(|row| {
            (
                row["proof"].as_str().unwrap().to_string(),
                row["verdict"].as_str().map(String::from),
                row["seconds"].as_f64().unwrap(),
            )
        });
        rows.collect::<Vec<_>>()
    };
    let first = run(&[]);
    // As they are named, whoever ends first.
    assert_eq!(first.iter().map(|row| &*row.0).collect::<Vec<_>>(), ["one", "two"]);
    assert!(first.iter().all(|row| row.1.as_deref() == Some("safe")), "{first:?}");
    // The time that is told is that of the run that was made.
    assert_eq!(run(&[]), first);
    std::fs::write(folder.path().join("one/limit.h"), "#undef LIMIT\n#define LIMIT 11\n").unwrap();
    let changed = run(&[]);
    assert_eq!((changed[0].1.as_deref(), &changed[1]), (Some("unsafe"), &first[1]));
    assert_ne!(run(&["--coverage"])[1].2, first[1].2);
}

#[test]
fn pages_lead_to_all_proofs() {
    let folder = folder(&[("good", &[("harness.c", GOOD)]), ("absent", &[])]);
    let ran = beeline(folder.path(), &["cbmc", "good", "absent", "--html", "pages", "--coverage"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    let read = |name: &str| std::fs::read_to_string(folder.path().join("pages").join(name)).unwrap();
    let index = read("index.html");
    assert!(index.contains("2 proofs: 1 safe, 0 unsafe, 0 unknown, 1 not started"), "{index}");
    assert!(
        index.contains("<a href=\"good.html\">good</a>") && index.contains("absent/harness.c is missing"),
        "{index}"
    );
    assert!(read("good.html").contains("verdict: safe") && read("good.coverage.html").contains("covered"));
}

#[test]
fn coverage_tells_which_lines_of_the_project_a_proof_gets_to() {
    let code = "int half(int n) {\n  if (n < 0)\n    return -1;\n  if (n > 100)\n    return 0;\n  return n / 2;\n}\nint other(int n) { return n; }\n";
    let harness = "int nondet_int(void), half(int);
void harness(void) {
  int n = nondet_int();
  __CPROVER_assume(n >= 0);
  __CPROVER_assert(half(n) < 51, \"\");
}";
    let makefile = ("Makefile", "PROJECT_SOURCES += code.c\n");
    let folder = folder(&[("one", &[("harness.c", harness), ("code.c", code), makefile])]);
    let ran = beeline(folder.path(), &["cbmc", "one", "--coverage"]);
    // A function that nobody calls is no part of what is proved.
    assert!(ran.out.contains("coverage: executions get to 5 of 6 lines\n"), "{ran:?}");
    assert!(ran.out.contains("none gets to one/code.c:3\n"), "{ran:?}");
}

#[test]
fn checks_are_left_out_of_lines_inside_of_functions() {
    let source = "unsigned nondet_unsigned(void);
void harness(void) {
  unsigned n = nondet_unsigned(), m = 0;
#pragma CPROVER check push
#pragma CPROVER check disable \"unsigned-overflow\"
  m = n + 1;
#pragma CPROVER check pop
  if (n < 7)
    m = n + 1;
  int i = n % 7;
#pragma CPROVER check push
#pragma CPROVER check disable \"conversion\"
  unsigned char c = n;
#pragma CPROVER check pop
}";
    let run = |source: &str| {
        proof(&[
            ("harness.c", source),
            ("Makefile", "CHECKFLAGS += --unsigned-overflow-check --conversion-check\n"),
        ])
    };
    let ran = run(source);
    assert!(ran.out.contains("one: safe ("), "{ran:?}");
    for (old, new) in [
        ("if (n < 7)", "if (n >= 7)"),
        // Another check than the one that is left out.
        (
            "  m = n + 1;\n#pragma CPROVER check pop",
            "  m = n + 1; unsigned char d = n;\n#pragma CPROVER check pop",
        ),
        (
            "  m = n + 1;\n#pragma CPROVER check pop",
            "  m = (int)(n % 2) + 2147483647;\n#pragma CPROVER check pop",
        ),
        ("disable \"conversion\"", "disable \"signed-overflow\""),
    ] {
        assert!(source.contains(old));
        let ran = run(&source.replacen(old, new, 1));
        assert!(ran.out.contains("one: unsafe (confirmed)"), "{new}: {ran:?}");
    }
}

/// What a proof for CBMC reads where it does not want that checked: what was there last, or anything.
#[test]
fn reads_are_left_unchecked_in_lines_inside_of_functions() {
    let source = "#include <stdlib.h>
unsigned nondet_unsigned(void);
int text[2] = {3, 4};
void harness(void) {
  char *p = malloc(4), *zeros = calloc(4, 1);
  int *at = text;
  unsigned n = nondet_unsigned();
  __CPROVER_assume(p && zeros && n < 4);
  p[0] = 7;
  free(p);
#pragma CPROVER check push
#pragma CPROVER check disable \"pointer\"
  char last = p[0];
  int some = at[n];
  char zero = zeros[n + 1];
#pragma CPROVER check pop
  free(zeros);
  __CPROVER_assert(last == 7, \"\");
  __CPROVER_assert(n > 1 || some > 2, \"\");
  __CPROVER_assert(n >= 3 || zero == 0, \"\");
}";
    let run = |source: &str| proof(&[("harness.c", source), ("Makefile", "")]);
    let ran = run(source);
    assert!(ran.out.contains("one: safe ("), "{ran:?}");
    // Other errors are found, but a native run ends at the first read.
    for (old, new) in [
        ("last == 7", "last != 7"),
        ("n > 1 ||", "n > 2 ||"),
        ("n >= 3 ||", "n >= 4 ||"),
        ("  __CPROVER_assert(last == 7", "  last = p[0];\n  __CPROVER_assert(last == 7"),
        ("  char last = p[0];", "  char last = p[0]; at[n] = 4;"),
    ] {
        assert!(source.contains(old));
        let ran = run(&source.replacen(old, new, 1));
        assert!(ran.out.contains("one: un"), "{new}: {ran:?}");
    }
}

/// What a command prints, and how it ends.
fn ran(folder: &Path, line: &str) -> (String, Option<i32>) {
    let path = format!("{}:{}", folder.join("stand-ins").display(), std::env::var("PATH").unwrap());
    let output =
        Command::new("sh").args(["-c", line]).current_dir(folder).env("PATH", path).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (String::from_utf8_lossy(&said).into_owned(), output.status.code())
}

#[test]
fn a_build_of_its_own_finds_our_programs() {
    let code = "int hidden(int n) { return 5; }\nstatic int kept(int n)\n__CPROVER_requires(n > 0) __CPROVER_ensures(__CPROVER_return_value > 0)\n{ return n; }\nint get(int n) { return kept(n); }\n";
    let harness = "int hidden(int), get(int);\nvoid harness(void) {\n  unsigned n = LIMIT;\n  __CPROVER_assert(hidden(1) == 5 || n + 1 != 0, \"\");\n  get(1);\n}";
    let folder = folder(&[]);
    std::fs::write(folder.path().join("code.c"), code).unwrap();
    std::fs::write(folder.path().join("harness.c"), harness).unwrap();
    assert_eq!(beeline(folder.path(), &["cbmc", "--stand-ins", "stand-ins"]).code, Some(0));
    let run = |line: &str| ran(folder.path(), line);
    let build = |limit: &str, instrument: &str| {
        run(&format!(
            "goto-cc --verbosity 4 -Wall -DLIMIT={limit} --export-file-local-symbols code.c -o code.goto && \
             goto-cc -DLIMIT={limit} harness.c -o proof.goto && goto-instrument {instrument} code.goto less.goto && \
             goto-cc --function harness proof.goto less.goto -o all.goto"
        ))
    };
    assert_eq!(build("3u", "--remove-function-body hidden").1, Some(0));
    let (said, code) = run("cbmc --flush --unwind 1 --unsigned-overflow-check all.goto");
    assert!(
        code == Some(0) && said.ends_with("** 0 of 2 failed\nVERIFICATION SUCCESSFUL\n"),
        "{code:?} {said}"
    );
    build("-1u", "--drop-unused-functions");
    let (said, code) = run("cbmc --xml-ui --unsigned-overflow-check all.goto");
    assert!(code == Some(10) && said.contains("<cprover-status>FAILURE</cprover-status>"), "{code:?} {said}");
    // Without a check of that, the assertion is left, and what was removed returns anything.
    assert_eq!(run("cbmc all.goto").1, Some(0));
    build("-1u", "--remove-function-body hidden");
    let (said, code) = run("cbmc all.goto");
    assert!(code == Some(5) && said.ends_with("VERIFICATION INCONCLUSIVE\n"), "{code:?} {said}");
    for (line, why) in [
        ("cbmc --paths lifo all.goto", "the option --paths is not supported"),
        ("cbmc --cover location all.goto", "the option --cover is not supported"),
        ("goto-instrument --wmm tso all.goto b.goto", "the option --wmm is not supported"),
        ("goto-cc --native-assembler code.c -o b.goto", "the option --native-assembler is not supported"),
        (
            "goto-instrument --malloc-fail-assert all.goto b.goto",
            "the option --malloc-fail-assert is not supported",
        ),
        ("goto-cc --big-endian code.c -o b.goto", "the option --big-endian is not supported"),
        ("cbmc harness.c", "harness.c was not made by Beeline's goto-cc"),
    ] {
        let (said, code) = run(line);
        assert!(code == Some(2) && said.contains(why), "{line}: {code:?} {said}");
    }
}

#[test]
fn a_build_links_no_files_with_different_flags() {
    let folder = folder(&[]);
    for (name, text) in
        [("code.c", "int get(void) { return 1; }"), ("harness.c", "int main(void) { return 0; }")]
    {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    assert_eq!(beeline(folder.path(), &["cbmc", "--stand-ins", "stand-ins"]).code, Some(0));
    let build = |code: &str, harness: &str| {
        ran(
            folder.path(),
            &format!(
                "goto-cc -c {code} code.c -o code.goto && goto-cc -c {harness} harness.c -o harness.goto && \
                 goto-cc -O1 harness.goto code.goto -o all.goto"
            ),
        )
    };
    assert_eq!(build("-DONE -Wall", "-DONE -g"), (String::new(), Some(0)));
    assert_eq!(build("", ""), (String::new(), Some(0)));
    for (code, harness, why) in [
        ("-DONE", "-DTWO", "harness.c with -DTWO, "),
        ("-DONE", "", "code.c with -DONE"),
        ("", "-DONE", "code.c without flags"),
    ] {
        let (said, code) = build(code, harness);
        assert!(
            code == Some(2) && said.contains("files with different flags") && said.contains(why),
            "{said}"
        );
    }
    // Whether a program is put together in one go or in several.
    let (said, code) =
        ran(folder.path(), "goto-cc -DONE -c code.c -o b.goto && goto-cc harness.c b.goto -o all.goto");
    assert!(code == Some(2) && said.contains("harness.c without flags"), "{said}");
}

#[test]
fn a_build_says_whether_allocations_fail() {
    let folder = folder(&[]);
    let source = "#include <stdlib.h>\nint main(void) { int *p = malloc(4); __CPROVER_assert(p != 0, \"\"); free(p); return 0; }";
    std::fs::write(folder.path().join("code.c"), source).unwrap();
    assert_eq!(beeline(folder.path(), &["cbmc", "--stand-ins", "stand-ins"]).code, Some(0));
    let check = |instrument: &str, check: &str| {
        let line = format!(
            "goto-cc code.c -o a.goto && goto-instrument {instrument} a.goto b.goto && \
             goto-instrument --add-library b.goto c.goto && goto-cc c.goto -o all.goto && cbmc {check} all.goto"
        );
        ran(folder.path(), &line).1
    };
    // CBMC's usual checks go with allocations that fail, and their names without.
    assert_eq!(check("--add-library", ""), Some(10));
    assert_eq!(check("--add-library", "--pointer-check"), Some(0));
    assert_eq!(check("--malloc-may-fail --malloc-fail-null", "--pointer-check"), Some(10));
    assert_eq!(check("--no-malloc-may-fail", ""), Some(0));
    assert_eq!(check("--no-malloc-may-fail", "--malloc-may-fail"), Some(10));
}

#[test]
fn a_build_asks_for_bodies_and_any_variables() {
    let folder = folder(&[]);
    let source = "int away(void);\nint seen = 1;\nint main(void) { away(); __CPROVER_assert(seen == 1, \"\"); return 0; }";
    std::fs::write(folder.path().join("code.c"), source).unwrap();
    assert_eq!(beeline(folder.path(), &["cbmc", "--stand-ins", "stand-ins"]).code, Some(0));
    let check = |instrument: &str, check: &str| {
        let bodies = "--generate-function-body '(?!__CPROVER).*' --generate-function-body-options";
        let line = format!(
            "goto-cc code.c -o a.goto && goto-instrument {bodies} {instrument} a.goto b.goto && cbmc {check} b.goto"
        );
        ran(folder.path(), &line)
    };
    let unchecked = "asked for and not checked: that no function without a body is called";
    let (said, code) = check("nondet-return", "--32");
    assert!(code == Some(0) && !said.contains(unchecked), "{said}");
    let (said, code) = check("assert-false", "");
    assert!(code == Some(0) && said.contains(unchecked), "{said}");
    assert_eq!(check("nondet-return", "--nondet-static").1, Some(10));
    let (said, code) = check("assume-false", "");
    assert!(code == Some(2) && said.contains("--generate-function-body-options assume-false"), "{said}");
}

#[test]
fn another_compiler_answers_again() {
    let folder = folder(&[("one", &[("harness.c", GOOD)])]);
    let clang = folder.path().join("clang");
    let run = |text: &str| {
        install(text.as_bytes(), &clang);
        let mut command = beeline_tests::driver::command(folder.path());
        command.env("BEELINE_CLANG", &clang).args(["cbmc", "one", "--json", "--resume", "kept"]);
        let output = command.output().unwrap();
        let rows: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(rows[0]["verdict"], "safe", "{rows}");
        rows[0]["seconds"].as_f64().unwrap()
    };
    let script = "#!/bin/sh\nexec clang-19 \"$@\"\n";
    let first = run(script);
    assert_ne!(run(&format!("{script}# Another version\n")), first);
}

#[test]
fn files_of_proofs_with_one_name_are_kept_apart() {
    let named = ("Makefile", "PROOF_UID = same\n");
    let folder = folder(&[("one", &[("harness.c", GOOD), named]), ("two", &[("harness.c", GOOD), named])]);
    let ran = beeline(folder.path(), &["cbmc", "one", "two", "--keep", "kept"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for name in ["one", "two"] {
        let makefile =
            std::fs::read_to_string(folder.path().join("kept").join(name).join("Makefile")).unwrap();
        assert!(makefile.contains(&format!("{name}/harness.c")), "{makefile}");
    }
}
