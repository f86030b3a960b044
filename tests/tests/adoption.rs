//! What a person meets in the first hour: outputs that cannot be written, flags that leave nothing to check, C from
//! before 1999, a full disk, values that read like the source.

use beeline_tests::driver::{Ran, beeline, command, install};
use serde_json::Value;
use std::path::Path;
use tempfile::TempDir;

const WRONG: &str = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
    int main(void) {\n  int n = __VERIFIER_nondet_int();\n  assert(n != 7);\n  return 0;\n}\n";

fn folder(text: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("a.c"), text).unwrap();
    folder
}

fn check(folder: &TempDir, arguments: &[&str]) -> Ran {
    beeline(folder.path(), &[&["check", "a.c"], arguments].concat())
}

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).unwrap().count() == 1
}

#[test]
fn outputs_that_cannot_be_written_are_refused_before_the_search() {
    let files = folder(WRONG);
    for option in ["--html", "--sarif", "--residual"] {
        let ran = check(&files, &[option, "nowhere/out", "--explain"]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
        let sentence = "beeline: cannot write nowhere/out: No such file or directory (os error 2)\n";
        assert_eq!(ran.err, sentence);
        let ran = check(&files, &[option, "."]);
        assert!(ran.code == Some(2) && ran.out.is_empty(), "{ran:?}");
    }
    assert!(is_empty(files.path()));
}

#[test]
fn the_verdict_is_told_where_a_report_fails() {
    let files = folder(WRONG);
    for option in ["--html", "--sarif"] {
        let ran = check(&files, &[option, "/dev/full"]);
        assert_eq!((ran.code, ran.verdict()), (Some(2), "verdict: unsafe (confirmed)"));
        assert!(ran.err.starts_with("beeline: cannot write /dev/full: "), "{}", ran.err);
    }
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let ran: Ran = command(files.path()).args(["check", "a.c"]).stdout(full).output().unwrap().into();
    assert!(ran.code == Some(2) && ran.err.contains("verdict: unsafe (confirmed)"), "{ran:?}");
}

#[test]
fn programs_read_wrong_usage_as_json_as_well() {
    let files = folder(WRONG);
    for (arguments, remark) in [
        (&["check", "a.c", "b.c", "--json"][..], "cannot read b.c: No such file or directory (os error 2)"),
        (&["check", "a.c", "--json", "--nonsense"], "unexpected argument '--nonsense' found"),
        (&["check", "a.c", "--json", "--html", "/"], "/ is a directory"),
    ] {
        let ran = beeline(files.path(), arguments);
        let object: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!((ran.code, &object["verdict"]), (Some(2), &"error".into()));
        assert!(object["remark"].as_str().unwrap().starts_with(remark), "{object}");
        assert!(ran.err.contains(remark), "{}", ran.err);
    }
    let ran = check(&files, &["--json", "--sarif", "out.sarif"]);
    let object: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&object["version"], &object["targets"][0]["column"]), (&"1.3".into(), &3.into()));
    assert!(files.path().join("out.sarif").is_file());
    let ran = check(&files, &["--json", "--sarif", "-"]);
    assert!(ran.code == Some(2) && ran.err.contains("name a file for --sarif"), "{ran:?}");
    for arguments in [&["--max-states", "1"][..], &["--property", "all"], &["--first"]] {
        check(&files, &[arguments, &["--json"]].concat());
    }
}

#[test]
fn flags_that_leave_nothing_to_check_are_named() {
    let certain = WRONG.replace("n != 7", "(n & 7) < 8");
    let files = folder(&certain);
    let ran = check(&files, &["--", "-O2"]);
    let verdict = "verdict: safe (under 1 assumption, nothing to check: -O2 left nothing of it)";
    assert_eq!((ran.code, ran.verdict()), (Some(0), verdict));
    let told = "Nothing was checked. -O2 removed these targets of the source:\n  a.c:5:3: the assertion fails in main\n\
        Without -O2, they are checked.\n";
    assert!(ran.out.starts_with(told), "{}", ran.out);
    let ran = check(&files, &["-DNDEBUG"]);
    assert_eq!(ran.verdict(), "verdict: safe (nothing to check: -DNDEBUG left nothing of it)");
    // What there never was is no flag's fault.
    let nothing = folder("int main(void) { return 0; }\n");
    assert_eq!(check(&nothing, &["-O1"]).verdict(), "verdict: safe (under 1 assumption, nothing to check)");
    assert_eq!(check(&files, &[]).verdict(), "verdict: safe (proof certified)");
}

#[test]
fn c_from_before_1999_is_told_what_it_compiles_with() {
    let last = |text: &str| {
        let ran = check(&folder(text), &[]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
        ran.err.lines().last().unwrap_or_default().to_string()
    };
    let old = "twice(n) int n; { return 2 * half(n); }\nhalf(n) int n; { return n / 2; }\n\
        main() { return twice(3); }\n";
    let plain = "beeline: the program does not compile";
    let mended = |flags: &str| format!("{plain}, but does as old C: add `{flags}` after `--`");
    assert_eq!(last(old), mended("-std=gnu89"));
    let careless = "int main(void) {\n  char *p = 5;\n  return p != 0;\n}\n";
    assert_eq!(last(careless), mended("-Wno-error=int-conversion"));
    assert_eq!(check(&folder(careless), &["--", "-Wno-error=int-conversion"]).code, Some(0));
    assert_eq!(last("int main(void) { return x; }\n"), plain);
}

#[test]
fn a_full_disk_is_called_so() {
    let files = folder(WRONG);
    let clang = files.path().join("clang");
    let script = "#!/bin/sh\necho 'LLVM ERROR: IO failure on output stream: No space left on device' >&2\n\
        echo 'PLEASE submit a bug report' >&2\nexit 70\n";
    install(script.as_bytes(), &clang);
    let mut run = command(files.path());
    let ran: Ran = run.args(["check", "a.c"]).env("BEELINE_CLANG", &clang).output().unwrap().into();
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.starts_with("beeline: no space left in "), "{}", ran.err);
    assert!(ran.err.ends_with("free some, or set TMPDIR to another folder\n"), "{}", ran.err);
}

#[test]
fn a_file_that_is_named_twice_is_refused() {
    let ran = check(&folder(WRONG), &["./a.c"]);
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (Some(2), "beeline: ./a.c is named twice; name each file once\n")
    );
}

#[test]
fn values_read_like_the_source() {
    let text = "#include <assert.h>\ntypedef int (*handler_t)(int);\n\
        extern unsigned short nondet_ushort(void);\nextern int nondet_int(void);\n\
        static int one(int x) { return x + 1; }\nstatic int two(int x) { return x * 2; }\n\
        int main(void) {\n  int n = nondet_int();\n  int (*plain)(int) = n > 3 ? two : one;\n  \
        handler_t handler = n > 3 ? two : one;\n  const char *format = n > 3 ? \"yes\\n\" : \"no\";\n  \
        if (format[0] == 'y' && nondet_ushort() > 65000)\n    \
        assert(plain == one || handler == one || format[0] != 'y');\n  return 0;\n}\n";
    let ran = check(&folder(text), &[]);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{ran:?}");
    assert!(ran.out.contains("// plain = two\n") && ran.out.contains("// handler = two (0x"), "{}", ran.out);
    assert!(ran.out.contains(r#"format = "yes\n""#), "{}", ran.out);
    assert!(ran.out.contains("plain != one; handler != one"), "{}", ran.out);
    let returned = ran.out.lines().find_map(|line| line.split_once("nondet_ushort() returns "));
    assert!(
        returned.is_some_and(|(_, value)| value.parse::<u16>().is_ok_and(|it| it > 65000)),
        "{}",
        ran.out
    );
}

#[test]
fn all_tools_have_the_same_conventions() {
    let files = folder(WRONG);
    let kept = check(&files, &["--keep", "."]);
    assert_eq!(kept.code, Some(1));
    let tool = |name: &str, arguments: &[&str]| {
        let mut run = std::process::Command::new(beeline_tests::tools().unwrap().join(name));
        Ran::from(run.args(arguments).current_dir(files.path()).output().unwrap())
    };
    // Who makes a file has done what was asked; who checks an answer tells by the exit code.
    let found = tool("beeline-verify", &["a.cfa", "-o", "again.run"]);
    assert_eq!((found.code, found.verdict()), (Some(0), "verdict: unsafe"));
    assert_eq!(tool("beeline-verify", &["a.cfa", "--max-states", "1"]).code, Some(0));
    assert_eq!(tool("beeline-replay", &["a.run", "--bitcode", "a.bc"]).code, Some(0));
    assert_eq!(tool("beeline-replay", &["a.run", "--program", "a.bc"]).code, Some(0));
    assert_eq!(tool("beeline-ir", &["dump", "a.run", "--cfa", "a.cfa"]).code, Some(0));
    assert_eq!(tool("beeline-witness", &["a.run", "--cfa", "a.cfa"]).code, Some(0));
    for name in ["beeline-lower", "beeline-verify", "beeline-annotate", "beeline-features", "beeline-replay"]
    {
        let ran = tool(name, &["missing.run"]);
        assert_eq!(ran.code, Some(2), "{name}: {ran:?}");
    }
    let logged = check(&files, &["--log", "info"]);
    assert!(logged.err.contains("INFO beeline_engine"), "{}", logged.err);
}

#[test]
fn a_bug_becomes_a_test_that_fails_without_beeline() {
    // The command that stands in a test, run where Beeline is not: what comes out.
    let built = |folder: &TempDir| {
        let text = std::fs::read_to_string(folder.path().join("test.c")).unwrap();
        let command = text.lines().nth(3).unwrap().trim().trim_end_matches(" */").to_string();
        let mut shell = std::process::Command::new("bash");
        shell.args(["-c", &command]).env("PATH", "/usr/bin:/bin").current_dir(folder.path());
        let output = shell.output().unwrap();
        assert!(!output.status.success(), "{text}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let files = folder(WRONG);
    let ran = check(&files, &["--test", "test.c"]);
    assert_eq!((ran.code, ran.verdict(), ran.err.as_str()), (Some(1), "verdict: unsafe (confirmed)", ""));
    assert!(built(&files).contains("Assertion `n != 7' failed"));
    // A mended program passes it.
    std::fs::write(files.path().join("a.c"), WRONG.replace("n != 7", "n == 7")).unwrap();
    let mut shell = std::process::Command::new("bash");
    let mended =
        shell.args(["-c", "cc a.c test.c -o test && ./test"]).current_dir(files.path()).status().unwrap();
    assert!(mended.success());
    let text = "#include <assert.h>\nextern unsigned long nondet_ulong(void);\n\
        static int half(int low, int high) {\n  int sum = low + high;\n  assert(sum != 9 || nondet_ulong() < 5000000000ul);\n  \
        return sum / 2;\n}\nint main(void) { return half(1, 2); }\n";
    let files = folder(text);
    let ran = check(&files, &["--test", "test.c", "--function", "half"]);
    assert_eq!((ran.verdict(), ran.err.as_str()), ("verdict: unsafe (confirmed)", ""));
    assert!(built(&files).contains("Assertion `sum != 9"));
    let files = folder(text);
    let ran = check(&files, &["--test", "test.c", "--function", "half", "--property", "no-overflow"]);
    assert_eq!((ran.verdict(), ran.err.as_str()), ("verdict: unsafe (confirmed)", ""));
    assert!(built(&files).contains("signed integer overflow"));
    // Where there is no bug, or one that needs more than what functions return, there is no test, and that is said.
    let files = folder("int main(void) { return 0; }\n");
    let ran = check(&files, &["--test", "test.c"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), "beeline: test.c is not written: no bug was found\n"));
    let files =
        folder("#include <assert.h>\nint main(int argc, char **argv) { assert(argc != 3); return 0; }\n");
    let ran = check(&files, &["--test", "test.c"]);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)");
    assert!(
        ran.err.starts_with(
            "beeline: test.c is not written: the program does not fail with the results of functions alone"
        ),
        "{}",
        ran.err
    );
    assert!(!files.path().join("test.c").exists());
}

#[test]
fn an_unknown_answer_lists_what_is_open_and_advises_by_what_is_known() {
    let text = "#include <assert.h>\n#include <string.h>\nextern unsigned nondet_uint(void);\n\
        struct big { char bytes[300]; unsigned n; };\nint main(void) {\n  struct big one, two;\n  \
        memset(&one, 0, sizeof one);\n  one.n = nondet_uint();\n  two = one;\n  unsigned n = two.n;\n  \
        while (n > 1)\n    n = n % 2 ? 3 * n + 1 : n / 2;\n  assert(n != 77);\n  return 0;\n}\n";
    let files = folder(text);
    let ran = check(&files, &["--unwind", "5"]);
    let expected = "1 target, 1 unknown:\n  \
        unknown  a.c:13  unreach-call in main (no bug within 5 unwindings of the loop at a.c:11:3)\n\n\
        Hint: --unwind 10, or a smaller size of the program, so that the loop at a.c:11:3 ends sooner.\n\
        verdict: unknown (no bug within 5 unwindings of the loop at a.c:11:3)\n";
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), expected));
    let hard = folder(
        "#include <assert.h>\nextern unsigned nondet_uint(void);\nint main(void) {\n  \
        unsigned a = nondet_uint(), b = nondet_uint();\n  unsigned long long p = 1, q = a;\n  \
        for (unsigned i = 0; i < b; i++) { p = p * q + i; q = q * q ^ p; }\n  \
        assert(p != 0x123456789abcdefULL);\n  return 0;\n}\n",
    );
    let ran = check(&hard, &["--ticks", "3000000"]);
    let advice = "Hint: more --ticks; or --engine bounded --unwind 8, which covers 8 iterations of each loop (the one at a.c:6:3 is open); or a smaller size";
    assert!(ran.out.contains(advice), "{}", ran.out);
    assert!(ran.out.contains("\n  unknown  a.c:7  unreach-call in main ("), "{}", ran.out);
    // The copy of the structure has a loop that the source has not.
    for unwind in ["1", "2", "40"] {
        let ran = check(&files, &["--unwind", unwind]);
        assert!(ran.out.contains(" at a.c:") && !ran.out.contains("copy."), "{}", ran.out);
    }
}
