//! Many proofs that were written for CBMC: what is kept of them, pages, coverage, and a project's own make.

use beeline_tests::driver::beeline;
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
        ("goto-cc -DOTHER harness.c all.goto -o b.goto", "different flags are not supported"),
        ("cbmc harness.c", "harness.c was not made by Beeline's goto-cc"),
    ] {
        let (said, code) = run(line);
        assert!(code == Some(2) && said.contains(why), "{line}: {code:?} {said}");
    }
}
