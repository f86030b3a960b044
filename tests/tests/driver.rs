//! `beeline check` as a user sees it: answers, what they rest on, exit codes, and sentences.

use beeline_tests::driver::{Ran, beeline, command, install};
use beeline_tests::tools;
use serde_json::json;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

const DOWN: &str = "\
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int half(int n) {
\tassert(n != 6);
  return n / 2;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 3 || n > 6)
    return 0;
  if (n > 4 && n != 5)
    return half(n);
  return 0;
}
";

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn check(files: &[(&str, &str)], arguments: &[&str]) -> Ran {
    beeline(folder(files).path(), &[&["check"], arguments].concat())
}

#[test]
fn an_error_is_told_like_a_diagnostic_with_its_values_and_inputs() {
    let ran = check(&[("down.c", DOWN)], &["down.c"]);
    let expected = "\
down.c:4:2: error: the assertion fails in half
      4 |         assert(n != 6);
        |         ^
        = where n = 6
down.c:12:12: note: called from main
     12 |     return half(n);
        |            ^

Path:
  main()
    down.c:8  int n = __VERIFIER_nondet_int();  // n = 6
    down.c:9  if (n < 3 || n > 6)  // n >= 3; n <= 6
    down.c:11  if (n > 4 && n != 5)  // n > 4; n != 5
    down.c:12  return half(n);
    half(n = 6)
      down.c:4  assert(n != 6);  // n == 6
  reached: __assert_fail in half at down.c:4:2

Inputs, in this order:
  down.c:8:11: __VERIFIER_nondet_int() returns 6

verdict: unsafe (confirmed)
";
    assert_eq!(ran.out, expected, "{}", ran.err);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
}

#[test]
fn a_proof_is_checked_and_names_what_it_rests_on() {
    let source = "extern int read_sensor(int *place);\nextern void reach_error(void);\n\
        int main(void) {\n  int x = 0;\n  read_sensor(&x);\n  int n = 3;\n  while (n > 0) n--;\n  \
        if (n != 0) reach_error();\n  return x;\n}\n";
    let ran = check(&[("a.c", source)], &["a.c"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.starts_with("No execution reaches the target. Proved with "), "{}", ran.out);
    assert!(ran.out.contains("Assumptions:\n  a.c:5:3: "), "{}", ran.out);
    assert!(ran.out.contains("read_sensor"), "{}", ran.out);
    assert_eq!(ran.verdict(), "verdict: safe (under 1 assumption, proof certified)");
    let ran = check(&[("a.c", &source.replace("read_sensor(&x)", "x = 1"))], &["a.c"]);
    assert_eq!((ran.code, ran.verdict()), (Some(0), "verdict: safe (proof certified)"));
}

/// The next two bits of an even number, whatever it is; and a remainder of floats, of which no circuit is made.
const EVEN: &str = "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n\
    int main(void) {\n  unsigned x = __VERIFIER_nondet_uint();\n  if ((x + x) & 1) reach_error();\n}\n";
const REMAINDER: &str = "extern float __VERIFIER_nondet_float(void);\nextern void reach_error(void);\n\
    float fmodf(float, float);\n\
    int main(void) {\n  float x = fmodf(__VERIFIER_nondet_float(), 2.0f);\n  if (x < 0 && x > 0) reach_error();\n}\n";

#[test]
fn a_proof_is_certified_or_it_is_said_what_is_missing() {
    let files = [("even.c", EVEN), ("remainder.c", REMAINDER)];
    let ran = check(&files, &["even.c", "--certify"]);
    assert_eq!((ran.code, ran.verdict()), (Some(0), "verdict: safe (proof certified)"), "{ran:?}");
    assert!(!ran.out.contains("not certified"), "{}", ran.out);
    let ran = check(&files, &["even.c", "--certify", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        (&object["remark"], &object["checked"]),
        (&"proof certified".into(), &true.into()),
        "{}",
        ran.out
    );
    let account = &object["certified"];
    assert!(account["obligations"].as_u64() >= Some(1) && account["obligations"] == account["certified"]);
    let ran = check(&files, &["even.c"]);
    assert_eq!(ran.verdict(), "verdict: safe (proof certified)", "little work suffices");
    let ran = check(&files, &["remainder.c"]);
    assert_eq!((ran.code, ran.verdict()), (Some(0), "verdict: safe (proof checked)"), "{ran:?}");
    assert!(!ran.out.contains("certified"), "{}", ran.out);
    let ran = check(&files, &["remainder.c", "--certify"]);
    assert_eq!((ran.code, ran.verdict()), (Some(0), "verdict: safe (proof checked)"), "{ran:?}");
    assert!(
        ran.out.contains(" answers of the solver are not certified: remainders of floats ("),
        "{}",
        ran.out
    );
    let ran = check(&files, &["even.c", "--certify", "--no-check"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

#[test]
fn a_program_without_targets_is_safe_and_that_is_said() {
    let ran = check(&[("a.c", "int main(void) { return 0; }\n")], &["a.c"]);
    let expected = "Nothing was checked: neither main nor its callees have a target for unreach-call.\n\
        They have no assert and no call of reach_error.\n\
        --property all checks memory accesses, arithmetic, and other undefined behaviour of C.\n\
        verdict: safe (nothing to check)\n";
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(0), expected, ""));
    let ran = check(&[("a.c", "int main(void) { return 0; }\n")], &["a.c", "--property", "all"]);
    assert!(!ran.out.contains("--property all"), "{}", ran.out);
    assert_eq!((ran.code, ran.verdict()), (Some(0), "verdict: safe (nothing to check)"));
}

#[test]
fn an_unknown_answer_says_what_stopped_it_and_what_may_help() {
    let ran = check(&[("down.c", DOWN)], &["down.c", "--max-states", "1"]);
    let expected = "1 target, 1 unknown:\n  \
        unknown  down.c:4  unreach-call in half (the limit on states was reached)\n\n\
        Hint: a higher --max-states; or --function NAME for one part of the program.\n\
        verdict: unknown (the limit on states was reached)\n";
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), expected));
}

#[test]
fn what_an_interrupted_run_found_is_checked() {
    let source = "#include <assert.h>\nextern unsigned __VERIFIER_nondet_uint(void);\nint main(void) {\n\
        unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();\n\
        assert(a != 3);\n\
        unsigned long long p = 1, q = a;\n\
        for (unsigned i = 0; i < b; i++) { p = p * q + i; q = q * q ^ p; }\n\
        assert(p != 0x123456789abcdefULL);\n  return 0;\n}\n";
    let files = folder(&[("a.c", source)]);
    let mut command = command(files.path());
    command.args(["check", "a.c", "--every", "--keep", "kept"]).stdout(Stdio::piped()).stderr(Stdio::null());
    let child = command.spawn().unwrap();
    // The first assertion fails at once; the other one takes longer than anybody waits.
    while !files.path().join("kept/a.dist").exists() {
        std::thread::sleep(Duration::from_millis(50));
    }
    std::thread::sleep(Duration::from_secs(4));
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.verdict()), (Some(1), "verdict: unsafe (confirmed)"), "{}", ran.out);
    assert!(ran.out.contains("(the run was interrupted)"), "{}", ran.out);
}

#[test]
fn an_interrupted_run_has_no_answer() {
    let endless = "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n\
        int main(void) {\n  unsigned n = __VERIFIER_nondet_uint(), steps = 0;\n  \
        for (; n > 1; steps++) n = n % 2 ? 3 * n + 1 : n / 2;\n  \
        if (steps == 0xfffffff1) reach_error();\n}\n";
    let files = folder(&[("a.c", endless)]);
    let child = command(files.path()).args(["check", "a.c"]).stdout(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(800));
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    let ran: Ran = child.wait_with_output().unwrap().into();
    assert_eq!((ran.code, ran.verdict()), (Some(3), "verdict: unknown (the run was interrupted)"));
}

/// One sentence on standard error, nothing on standard output, and exit code 2.
fn is_refused(ran: &Ran, sentence: &str) {
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
    assert_eq!(ran.err, format!("beeline: {sentence}\n"));
}

#[test]
fn wrong_input_is_refused_with_a_sentence() {
    let safe = ("a.c", "int main(void) { return 0; }\n");
    is_refused(&check(&[], &["missing.c"]), "cannot read missing.c: No such file or directory (os error 2)");
    is_refused(
        &check(&[("a.txt", "hello")], &["a.txt"]),
        "a.txt has an unknown ending; give C (.c, .i), bitcode (.bc, .ll), or a task definition (.yml)",
    );
    is_refused(&check(&[], &["."]), ". is a folder; name its files");
    is_refused(
        &check(&[("lib.c", "int f(void) { return 1; }\n")], &["lib.c"]),
        "no function `main` with a body; choose the entry with --function: f",
    );
    is_refused(&check(&[("empty.c", "")], &["empty.c"]), "no function `main` with a body, nor any other");
    let ran = check(&[safe], &["a.c", "--time-limit", "soon"]);
    let sentence =
        "error: invalid value 'soon' for '--time-limit <TIME>': write a positive time, such as 30s or 5m";
    assert!(ran.code == Some(2) && ran.err.starts_with(sentence), "{ran:?}");
    let ran = check(&[("a.bc", "garbage")], &["a.bc"]);
    assert!(ran.code == Some(2) && ran.err.starts_with("beeline: a.bc is not LLVM IR"), "{ran:?}");
    let ran = check(&[safe], &["a.c", "--property", "peace"]);
    assert!(ran.code == Some(2) && ran.err.contains("choose unreach-call, no-overflow, bounds"), "{ran:?}");
    let ran = check(&[safe], &["a.c", "--metric", "miles"]);
    assert!(ran.code == Some(2) && ran.err.contains("[possible values: st, bb, lh, lf]"), "{ran:?}");
    for option in
        ["--search", "--ties", "--domain", "--block", "--abstraction", "--scope", "--refiner", "--arithmetic"]
    {
        let ran = check(&[safe], &["a.c", option, "nonsense"]);
        assert!(
            ran.code == Some(2) && ran.err.contains(option) && ran.err.contains("possible values"),
            "{ran:?}"
        );
    }
    assert_eq!(check(&[], &[]).code, Some(2));
}

#[test]
fn a_program_that_does_not_compile_shows_what_clang_says() {
    let ran = check(&[("a.c", "int main(void) { return x; }\n")], &["a.c"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.starts_with("a.c:1:25: error: use of undeclared identifier 'x'"), "{}", ran.err);
    assert!(ran.err.ends_with("beeline: the program does not compile\n"), "{}", ran.err);
}

#[test]
fn what_cannot_be_modelled_is_unknown_unless_the_user_goes_on() {
    let source = "_Bool __CPROVER_is_fresh(void *, int);\nint x;\nint main(void) { return __CPROVER_is_fresh(&x, 4); }\n";
    let ran = check(&[("a.c", source)], &["a.c"]);
    assert_eq!(ran.code, Some(3));
    assert!(ran.verdict().starts_with("verdict: unknown (a.c:3:"), "{}", ran.out);
    assert!(ran.out.contains("verifier) is not supported"), "{}", ran.out);
    let ran = check(&[("a.c", source)], &["a.c", "--allow-unsound"]);
    assert_eq!((ran.code, ran.verdict()), (Some(0), "verdict: safe (under 1 assumption, nothing to check)"));
}

#[test]
fn missing_tools_are_named() {
    let folder = folder(&[("a.c", DOWN)]);
    let own = folder.path().join("beeline");
    install(&std::fs::read(tools().unwrap().join("beeline")).unwrap(), &own);
    let run = |path: &str| -> Ran {
        Command::new(&own)
            .args(["check", "a.c"])
            .env("PATH", path)
            .current_dir(folder.path())
            .output()
            .unwrap()
            .into()
    };
    let sentence = "clang 19 is missing: install it (Debian and Ubuntu: apt-get install clang-19), or set BEELINE_CLANG to its path";
    is_refused(&run("/nowhere"), sentence);
    is_refused(&run("/usr/bin"), "cannot find beeline-lower next to this program or on PATH");
    for tool in ["beeline-lower", "beeline-annotate", "beeline-verify"] {
        symlink(tools().unwrap().join(tool), folder.path().join(tool)).unwrap();
    }
    let ran = run("/usr/bin");
    let expected = "verdict: unknown (unconfirmed counterexample: cannot find beeline-replay next to this program or on PATH)";
    assert_eq!((ran.code, ran.verdict()), (Some(3), expected));
    let named = command(folder.path()).args(["check", "a.c"]).env("BEELINE_CLANG", "/nowhere").output();
    is_refused(&named.unwrap().into(), "BEELINE_CLANG names /nowhere, which is not a file");
}

#[test]
fn an_answer_that_its_check_refuses_is_none() {
    let safe = "extern void reach_error(void);\nint main(void) { int n = 1; if (n != 1) reach_error(); }\n";
    let files = folder(&[("safe.c", safe), ("down.c", DOWN)]);
    let own = files.path().join("beeline");
    install(&std::fs::read(tools().unwrap().join("beeline")).unwrap(), &own);
    for tool in ["beeline-lower", "beeline-annotate", "beeline-verify"] {
        symlink(tools().unwrap().join(tool), files.path().join(tool)).unwrap();
    }
    let run = |file: &str, checker: &str, script: &str| -> (Option<i32>, String) {
        let checker = files.path().join(checker);
        install(format!("#!/bin/sh\n{script}\n").as_bytes(), &checker);
        let output = Command::new(&own).args(["check", file]).current_dir(files.path()).output();
        let ran = Ran::from(output.unwrap());
        (ran.code, ran.verdict().to_string())
    };
    let proof = |script: &str| run("safe.c", "beeline-check-proof", script);
    let refused = "verdict: unknown (beeline-check-proof rejects the proof: state 3)";
    assert_eq!(
        proof("echo '{\"proof\": \"invalid\", \"reason\": \"state 3\"}'; exit 1"),
        (Some(3), refused.into())
    );
    let open = "verdict: safe (proof not checked: the time limit was reached)";
    assert_eq!(
        proof("echo '{\"proof\": \"unchecked\", \"reason\": \"the time limit was reached\"}'; exit 3"),
        (Some(0), open.into())
    );
    let broken = "verdict: safe (proof not checked: beeline-check-proof failed (exit status: 101))";
    assert_eq!(proof("exit 101"), (Some(0), broken.into()));
    assert_eq!(proof("echo valid; exit 101"), (Some(0), broken.into()), "it reads no text");
    assert_eq!(proof("echo '{\"proof\": \"valid\"}'"), (Some(0), "verdict: safe (proof checked)".into()));
    let replay = |script: &str| run("down.c", "beeline-replay", script);
    let other = "verdict: unknown (unconfirmed counterexample: another way)";
    assert_eq!(
        replay("echo '{\"verdict\": \"not confirmed\", \"reason\": \"another way\"}'; exit 1"),
        (Some(3), other.into())
    );
    let unchecked = "verdict: unknown (unconfirmed counterexample: there is no compiler)";
    assert_eq!(
        replay("echo '{\"verdict\": \"unchecked\", \"reason\": \"there is no compiler\"}'; exit 1"),
        (Some(3), unchecked.into())
    );
    let refused = "verdict: unknown (unconfirmed counterexample: no)";
    assert_eq!(replay("echo 'beeline-replay: no' >&2; exit 2"), (Some(3), refused.into()));
}

#[test]
fn each_property_looks_for_its_own_violations() {
    let source = "\
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[4] = {0}, i = __VERIFIER_nondet_int(), *p = 0;
  switch (i) {
  case 1: return a[i + 3];
  case 2: return i + 0x7fffffff;
  case 3: return *p;
  case 4: assert(i != 4);
  }
  return 0;
}
";
    let line = |property: &str, expected: &str| {
        let ran = check(&[("a.c", source)], &["a.c", "--property", property]);
        assert_eq!(ran.code, Some(1), "{property}: {ran:?}");
        assert!(ran.out.starts_with(expected), "{property}: {}", ran.out);
        ran
    };
    line("bounds", "a.c:6:18: error: an access is out of bounds in main");
    line("no-overflow", "a.c:7:20: error: a signed integer overflows in main");
    line("null", "a.c:8:18: error: a null pointer is used in main");
    line("unreach-call", "a.c:9:11: error: the assertion fails in main");
    line("all", "a.c:");
    // Each without its own violation is safe, whatever else is wrong.
    let wrong = [
        ("bounds", "return a[i + 3]"),
        ("no-overflow", "return i + 0x7fffffff"),
        ("null", "return *p"),
        ("unreach-call", "assert(i != 4)"),
    ];
    for (property, statement) in wrong {
        let source = source.replace(statement, "return 1");
        let ran = check(&[("a.c", &source)], &["a.c", "--property", property]);
        assert_eq!(ran.code, Some(0), "{property}: {ran:?}");
    }
}

#[test]
fn globals_hold_what_they_are_initialised_with_or_anything() {
    let source = "#include <assert.h>\nstatic int limit = 4;\nstatic const int most = 4;\n\
        int room(int used) { assert(most == 4); assert(limit == 4); return limit - used; }\n";
    let ran =
        |more: &[&str]| check(&[("room.c", source)], &[&["room.c", "--function", "room"], more].concat());
    assert_eq!(ran(&[]).verdict(), "verdict: safe (proof certified)");
    assert_eq!(ran(&["--globals", "initial"]).verdict(), "verdict: safe (proof certified)");
    let any = ran(&["--globals", "any"]);
    assert_eq!((any.code, any.verdict()), (Some(1), "verdict: unsafe (confirmed)"), "{}", any.out);
    assert!(any.out.contains("limit"), "{}", any.out);
    let main = check(&[("main.c", "int main(void) { return 0; }\n")], &["main.c", "--globals", "any"]);
    assert_eq!(main.code, Some(2));
    assert!(main.err.contains("--globals any needs --function"), "{}", main.err);
}

#[test]
fn a_library_function_is_checked_for_any_arguments() {
    let source = "#include <assert.h>\nint twice(int n) {\n  assert(n != 5);\n  return 2 * n;\n}\n";
    let ran = check(&[("lib.c", source)], &["lib.c", "--function", "twice"]);
    assert_eq!((ran.code, ran.verdict()), (Some(1), "verdict: unsafe (confirmed)"), "{ran:?}");
    assert!(ran.out.contains("= where n = 5\n"), "{}", ran.out);
    assert!(ran.out.contains("  n is initially 5\n"), "{}", ran.out);
}

#[test]
fn several_files_and_llvm_modules_make_one_program() {
    let main = (
        "main.c",
        "extern int limit(void);\nextern void reach_error(void);\n\
        int main(void) { if (limit() == LIMIT) reach_error(); return 0; }\n",
    );
    let limit = ("limit.c", "int limit(void) { return 3; }\n");
    let files = folder(&[main, limit]);
    let run = |arguments: &[&str]| beeline(files.path(), arguments);
    assert_eq!(run(&["check", "main.c", "limit.c", "--", "-DLIMIT=3"]).code, Some(1));
    assert_eq!(run(&["check", "main.c", "limit.c", "--", "-DLIMIT=4"]).code, Some(0));
    for (ending, flag) in [("bc", "-c"), ("ll", "-S")] {
        let compile = |name: &str| {
            let (source, module) = (format!("{name}.c"), format!("{name}.{ending}"));
            let done = Command::new("clang-19")
                .args(["-g", "-emit-llvm", flag, "-DLIMIT=3", &source, "-o", &module])
                .current_dir(files.path())
                .status();
            assert!(done.unwrap().success());
        };
        compile("limit");
        compile("main");
        let module = |name: &str| format!("{name}.{ending}");
        assert_eq!(run(&["check", &module("main"), "limit.c"]).code, Some(1), "{ending}");
        assert_eq!(run(&["check", &module("main"), &module("limit")]).code, Some(1), "{ending}");
        assert_eq!(run(&["check", &module("limit"), "--function", "limit"]).code, Some(0), "{ending}");
    }
}

#[test]
fn what_is_kept_can_be_repeated_with_make() {
    let files = folder(&[("down.c", DOWN)]);
    let ran = beeline(files.path(), &["check", "down.c", "--keep", "kept 'here' for $5 #1", "--explain"]);
    assert_eq!(ran.code, Some(1));
    let commands: Vec<&str> = ran.err.lines().filter_map(|line| line.split(' ').next()).collect();
    let expected = ["clang-19", "beeline-lower", "beeline-annotate", "beeline-verify", "beeline-replay"];
    assert_eq!(commands, expected, "{}", ran.err);
    let kept = files.path().join("kept 'here' for $5 #1");
    let made = ["down.bc", "down.cfa", "down.dist", "down.run"];
    for name in made {
        std::fs::remove_file(kept.join(name)).unwrap();
    }
    let repeated = Command::new("make").arg("-C").arg(&kept).output().unwrap();
    let printed = String::from_utf8_lossy(&repeated.stdout);
    assert!(repeated.status.success(), "{printed}{}", String::from_utf8_lossy(&repeated.stderr));
    assert!(printed.contains("\nconfirmed\n"), "{printed}");
    assert!(made.iter().all(|name| kept.join(name).is_file()));
    // What was explained can be typed.
    let path = format!("{}:{}", tools().unwrap().display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("bash");
    let typed = shell.args(["-ec", &ran.err]).env("PATH", path).current_dir(files.path()).output().unwrap();
    assert!(typed.status.success() && typed.stdout.ends_with(b"confirmed\n"), "{typed:?}");
}

#[test]
fn json_has_the_whole_answer() {
    let ran = check(&[("down.c", DOWN)], &["down.c", "--json"]);
    assert_eq!(ran.code, Some(1));
    let object: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(object["verdict"], "unsafe");
    assert_eq!(object["remark"], "confirmed");
    assert_eq!(object["checked"], true);
    let at = |line: u32, column: u32| json!({"file": "down.c", "line": line, "column": column});
    let six = json!({"value": 6, "type": "int"});
    assert_eq!(object["error"]["at"], at(4, 2));
    assert_eq!(object["error"]["values"], json!([{"name": "n", "value": 6, "type": "int"}]));
    let input = json!({"function": "__VERIFIER_nondet_int", "value": six, "at": at(8, 11)});
    assert_eq!(object["inputs"], json!([input]));
    assert_eq!(object["path"][0]["changes"]["n"], six);
    let conditions: Vec<&str> =
        object["path"].as_array().unwrap().iter().filter_map(|step| step["condition"].as_str()).collect();
    assert_eq!(conditions, ["n >= 3", "n <= 6", "n > 4", "n != 5", "n == 6"]);
    assert_eq!(object["steps"].as_array().unwrap().len(), 5);
}

#[test]
fn json_says_what_kind_of_proof_there_is() {
    const TWICE: &str = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  \
        int n = __VERIFIER_nondet_int(), sum = 0;\n  for (int i = 0; i < 3; i++) sum += n & 1;\n  \
        assert(sum <= 3);\n  return 0;\n}\n";
    for (engine, kind, part) in [("lazy", "graph", "states"), ("bounded", "unrolling", "places")] {
        let ran = check(&[("twice.c", TWICE)], &["twice.c", "--json", "--engine", engine]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let object: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(object["proof"]["kind"], kind);
        assert!(object["proof"][part].as_u64() > Some(0), "{object}");
    }
}

#[test]
fn colours_are_for_terminals_that_want_them() {
    let files = folder(&[("down.c", DOWN)]);
    let run = |name: &str, value: &str| -> Ran {
        command(files.path()).args(["check", "down.c"]).env(name, value).output().unwrap().into()
    };
    let escape = '\u{1b}';
    assert!(!run("TERM", "xterm").out.contains(escape));
    assert!(run("CLICOLOR_FORCE", "1").out.contains(escape));
    let mut both = command(files.path());
    both.args(["check", "down.c"]).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1");
    assert!(!Ran::from(both.output().unwrap()).out.contains(escape));
}

#[test]
fn a_log_is_told_to_who_asks_the_environment_for_it() {
    let source = "extern void reach_error(void);\nint main(void) {\n  int n = 3;\n  while (n > 0) n--;\n  \
        if (n != 0) reach_error();\n}\n";
    let files = folder(&[("a.c", source)]);
    let run = |level: &str| -> Ran {
        command(files.path()).args(["check", "a.c"]).env("BEELINE_LOG", level).output().unwrap().into()
    };
    let (silent, told) = (run(""), run("info"));
    assert_eq!((silent.code, silent.err.as_str()), (Some(0), ""));
    assert_eq!((told.code, &told.out), (Some(0), &silent.out));
    assert!(told.err.contains("INFO beeline_engine"), "{}", told.err);
}

#[test]
fn outputs_that_close_or_fail_do_no_harm() {
    let files = folder(&[("a.c", "int main(void) { return 0; }\n")]);
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let ran: Ran =
        command(files.path()).args(["check", "a.c"]).stdout(Stdio::from(full)).output().unwrap().into();
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.starts_with("beeline: cannot write to standard output: "), "{}", ran.err);
    let both = |path: &str| std::fs::File::options().write(true).open(path).unwrap();
    let ran: Ran = command(files.path())
        .args(["check", "a.c"])
        .stdout(Stdio::from(both("/dev/full")))
        .stderr(Stdio::from(both("/dev/full")))
        .output()
        .unwrap()
        .into();
    assert_eq!(ran.code, Some(2));
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let ran: Ran =
        command(files.path()).args(["check", "a.c"]).stdout(Stdio::from(writer)).output().unwrap().into();
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
}

#[test]
fn tasks_of_sv_comp_bring_their_property_and_data_model() {
    let task = |property: &str, model: &str| {
        format!(
            "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n  - property_file: p/termination.prp\n  \
             - property_file: p/{property}.prp\n    expected_verdict: false\noptions:\n  language: C\n  \
             data_model: {model}\n"
        )
    };
    // Old C, which clang 19 takes only when it is told to.
    let source = "extern int __VERIFIER_nondet_int();\n\
        main() { if (sizeof(long) == 4) reach_error(); return 1 + __VERIFIER_nondet_int(); }\n\
        reach_error() { }\n";
    let files = folder(&[("a.c", source)]);
    std::fs::create_dir(files.path().join("p")).unwrap();
    let property = |name: &str, formula: &str| {
        let text = format!("CHECK( init(main()), LTL({formula}) )\n");
        std::fs::write(files.path().join("p").join(name), text).unwrap();
    };
    property("termination.prp", "F end");
    property("unreach-call.prp", "G ! call(reach_error())");
    property("no-overflow.prp", "G ! overflow");
    let run = |text: String, arguments: &[&str]| {
        std::fs::write(files.path().join("a.yml"), text).unwrap();
        beeline(files.path(), &[&["check", "a.yml"], arguments].concat())
    };
    assert_eq!(run(task("unreach-call", "LP64"), &[]).code, Some(0));
    assert_eq!(run(task("unreach-call", "ILP32"), &[]).code, Some(1));
    assert_eq!(run(task("no-overflow", "LP64"), &[]).code, Some(1));
    assert_eq!(run(task("no-overflow", "LP64"), &["--property", "unreach-call"]).code, Some(0));
    let file = ["check", "a.c", "--data-model", "ILP32", "--property", "p/unreach-call.prp"];
    assert_eq!(beeline(files.path(), &file).code, Some(1));
    is_refused(&run(task("unreach-call", "LP128"), &[]), "a.yml has the unknown data model LP128");
    is_refused(
        &run(task("termination", "LP64"), &[]),
        "p/termination.prp has a property that Beeline does not check; it checks unreach-call, no-overflow, no-data-race and memory safety; \
         p/termination.prp has a property that Beeline does not check; it checks unreach-call, no-overflow, no-data-race and memory safety",
    );
    let ran = run("hello".into(), &[]);
    assert!(ran.code == Some(2) && ran.err.starts_with("beeline: a.yml is not a task definition of SV-COMP"));
    assert_eq!(ran.err.lines().count(), 1, "{ran:?}");
}

#[test]
fn the_property_of_overflows_of_sv_comp_asks_for_left_shifts_too() {
    let source = "extern unsigned char __VERIFIER_nondet_uchar(void);\n\
        int main(void) { return (__VERIFIER_nondet_uchar() << 24) < 0; }\n";
    let files = folder(&[("a.c", source), ("of.prp", "CHECK( init(main()), LTL(G ! overflow) )\n")]);
    let check = |property| beeline(files.path(), &["check", "a.c", "--property", property]);
    for property in ["of.prp", "all"] {
        let ran = check(property);
        assert_eq!(ran.code, Some(1), "{property}: {ran:?}");
        assert!(ran.out.contains("verdict: unsafe (confirmed)"), "{property}: {ran:?}");
    }
    // A person who asks for overflows of arithmetic is told that there is nothing to check.
    let ran = check("no-overflow");
    assert!(ran.out.contains("nothing to check"), "{ran:?}");
}

/// The part of a help page that tells of the search.
fn told_of_search(page: &str) -> &str {
    let start = page.find("\nSearch:\n").expect("it tells of the search");
    &page[start..]
}

#[test]
fn check_and_verify_offer_the_same_search() {
    let files = folder(&[]);
    let check = beeline(files.path(), &["check", "--help-search"]);
    let verify = Command::new(tools().unwrap().join("beeline-verify")).arg("--help").output().unwrap();
    let verify = String::from_utf8(verify.stdout).unwrap();
    let told = told_of_search(&verify);
    assert_eq!(told_of_search(&check.out).trim_end(), told.trim_end());
    // Who compares no searches need not read of them, and one screen has what everybody needs.
    let (short, long) =
        (beeline(files.path(), &["check", "-h"]), beeline(files.path(), &["check", "--help"]));
    assert!(!long.out.contains("--metric") && long.out.contains("--externals"), "{}", long.out);
    assert!(short.out.lines().count() < 50 && !short.out.contains("--externals"), "{}", short.out);
    assert!(short.out.lines().all(|line| line.chars().count() <= 140), "{}", short.out);
    for option in ["--property", "--time-limit", "--unwind", "--sarif", "--test", "--help-search"] {
        assert!(short.out.contains(option) && long.out.contains(option), "{option}: {}", short.out);
    }
    for option in ["--plan", "--value-threshold", "--time-limit", "In unbounded integers;"] {
        assert!(told.contains(option), "{option}");
    }
}

#[test]
fn a_plan_is_printed_and_followed() {
    let files = folder(&[("down.c", DOWN)]);
    let run = |arguments: &[&str]| beeline(files.path(), arguments);
    let printed = run(&["plan", "--domain", "predicate", "--value-threshold", "7"]).out;
    for line in ["[[step]]", "domain = \"predicate\"", "value-threshold = 7", "search = \"directed\""] {
        assert!(printed.lines().any(|printed| printed == line), "{line}: {printed}");
    }
    std::fs::write(files.path().join("plan.toml"), &printed).unwrap();
    assert_eq!(run(&["plan", "--plan", "plan.toml"]).out, printed);
    let ran = run(&["check", "down.c", "--plan", "plan.toml", "--keep", "kept", "--explain"]);
    assert_eq!((ran.code, ran.verdict()), (Some(1), "verdict: unsafe (confirmed)"), "{ran:?}");
    assert!(ran.err.contains(" --plan plan.toml "), "{}", ran.err);
    let repeated =
        Command::new("make").args(["-B", "-C", "kept"]).current_dir(files.path()).output().unwrap();
    assert!(repeated.status.success(), "{repeated:?}");
    std::fs::write(files.path().join("wrong.toml"), "[[step]]\nengine = \"jet\"\n").unwrap();
    for command in ["check down.c", "plan"] {
        let words: Vec<&str> = command.split(' ').chain(["--plan", "wrong.toml"]).collect();
        is_refused(&run(&words), "wrong.toml:2: unknown value `jet`; choose one of lazy, bounded, concrete");
    }
    let missing = run(&["check", "down.c", "--plan", "missing.toml"]);
    is_refused(&missing, "cannot read missing.toml: No such file or directory (os error 2)");
}

#[test]
fn completions_and_manual_pages_are_written() {
    let files = folder(&[]);
    for shell in ["bash", "zsh", "fish"] {
        let ran = beeline(files.path(), &["completions", shell]);
        let names = if shell == "fish" {
            "memory-cleanup\\t"
        } else {
            "memory-cleanup no-data-race no-deadlock panic all"
        };
        assert!(ran.code == Some(0) && ran.out.contains(names), "{shell}");
    }
    let ran = beeline(files.path(), &["man", "pages"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let page = std::fs::read_to_string(files.path().join("pages/beeline-check.1")).unwrap();
    assert!(page.contains("unreach\\-call"), "{page}");
    assert!(page.contains("\\-\\-value\\-threshold"), "{page}");
}

#[test]
fn examples_have_their_verdicts() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut tasks = 0;
    for entry in std::fs::read_dir(root.join("examples")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "yml") {
            continue;
        }
        tasks += 1;
        let text = std::fs::read_to_string(&path).unwrap();
        let safe = text.contains("expected_verdict: true");
        assert_ne!(safe, text.contains("expected_verdict: false"), "{}", path.display());
        let ran = beeline(&root, &["check", &path.display().to_string()]);
        let expected = match safe {
            // That the reading of its string ends in time is not part of the proof.
            true if path.ends_with("strlcpy.yml") => "verdict: safe (under 1 assumption, proof certified)",
            true => "verdict: safe (proof certified)",
            false => "verdict: unsafe (confirmed)",
        };
        assert_eq!(ran.verdict(), expected, "{}: {ran:?}", path.display());
    }
    assert_eq!(tasks, 6);
}

/// A program that keeps the search busy: whether it reaches the error shows only after 2^40 rounds.
const ENDLESS: &str = "void reach_error(void);\nint main(void) { unsigned long x = 1; \
    for (unsigned long i = 0; i < 1ul << 40; i++) x = x * 6364136223846793005ul + 1442695040888963407ul; \
    if (x == 42) reach_error(); return 0; }\n";

/// The processes that verify a file.
fn searches(file: &str) -> Vec<u32> {
    let list = Command::new("pgrep").args(["-f", &format!("beeline-verify.*{file}")]).output().unwrap();
    String::from_utf8_lossy(&list.stdout).lines().filter_map(|line| line.parse().ok()).collect()
}

/// Starts a check that takes long, and waits until it searches.
fn started(files: &TempDir, name: &str) -> std::process::Child {
    std::fs::write(files.path().join(format!("{name}.c")), ENDLESS).unwrap();
    std::fs::create_dir(files.path().join("temporary")).unwrap();
    let mut command = command(files.path());
    command.env("TMPDIR", files.path().join("temporary"));
    command.args(["check", "--time-limit", "60s", &format!("{name}.c")]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while searches(name).is_empty() {
        if child.try_wait().unwrap().is_some() {
            panic!(
                "it ended before it was seen to search: {:?}",
                Ran::from(child.wait_with_output().unwrap())
            );
        }
        std::thread::sleep(Duration::from_millis(25));
    }
    child
}

#[test]
fn a_search_ends_with_its_driver() {
    let files = TempDir::new().unwrap();
    let mut child = started(&files, "orphan_of_kill");
    child.kill().unwrap();
    child.wait().unwrap();
    let gone = (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(25));
        searches("orphan_of_kill").is_empty()
    });
    assert!(gone, "it goes on alone");
}

#[test]
fn a_search_whose_driver_ended_before_does_not_begin() {
    let status = |driver: u32| {
        let mut command = Command::new(tools().unwrap().join("beeline-verify"));
        let command = command.env("BEELINE_DRIVEN", driver.to_string()).arg("missing.cfa");
        command.stderr(Stdio::null()).status().unwrap().code()
    };
    assert_eq!(status(std::process::id()), Some(2), "the file is missing");
    assert_eq!(status(std::process::id() + 1), Some(1));
}

#[test]
fn what_a_killed_check_leaves_is_removed_by_the_next_one() {
    let files = TempDir::new().unwrap();
    let temporary = files.path().join("temporary");
    let folders = || std::fs::read_dir(&temporary).unwrap().count();
    let next = || {
        std::fs::write(files.path().join("next.c"), "int main(void) { return 0; }\n").unwrap();
        let ran = command(files.path()).env("TMPDIR", &temporary).args(["check", "next.c"]).output().unwrap();
        assert_eq!(ran.status.code(), Some(0));
    };
    let mut child = started(&files, "killed_check");
    next();
    assert_eq!(folders(), 1, "what is in use stays");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(folders(), 1, "nobody removed it");
    next();
    assert_eq!(folders(), 0);
}

#[test]
fn a_search_that_is_killed_leaves_the_verdict_unknown() {
    let files = TempDir::new().unwrap();
    let child = started(&files, "killed_search");
    for process in searches("killed_search") {
        Command::new("kill").args(["-KILL", &process.to_string()]).status().unwrap();
    }
    let ran = Ran::from(child.wait_with_output().unwrap());
    let verdict = "verdict: unknown (signal 9 from outside ended beeline-verify)";
    assert_eq!((ran.code, ran.verdict()), (Some(3), verdict));
}

#[test]
fn what_happens_in_the_library_is_told_by_the_line_that_calls_it() {
    let source = "#include <assert.h>\n#include <string.h>\nextern unsigned __VERIFIER_nondet_uint(void);\n\
        int main(void) {\n  char text[4] = \"abc\";\n  unsigned n = __VERIFIER_nondet_uint();\n  \
        if (n > 5) return 0;\n  assert(strlen(text + n) < 4);\n  return 0;\n}\n";
    let ran = check(&[("length.c", source)], &["length.c", "--undefined", "stop"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    let verdict = ran.out.lines().last().unwrap_or_default();
    assert!(verdict.contains("nothing is known after length.c:8:3 (in strlen)"), "{verdict}");
    // Or it is told beside a verdict on the executions that are defined.
    let ran = check(&[("length.c", source)], &["length.c", "--undefined", "continue"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let verdict = ran.out.lines().last().unwrap_or_default();
    assert!(verdict.starts_with("verdict: safe (for executions that are defined, "), "{verdict}");
    assert!(ran.out.contains("length.c:8:3 (in strlen): undefined behaviour: "), "{ran:?}");
}

/// Only one of four thousand million values of the input is defined.
#[test]
fn an_execution_that_is_defined_is_found_beside_those_that_are_not() {
    let source = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
        int main(void) {\n  int x = __VERIFIER_nondet_int();\n  int cells[1] = {0};\n  cells[x - 123456] = 1;\n  \
        assert(cells[0] == 1);\n  return 0;\n}\n";
    for search in [&["--engine", "lazy"][..], &["--engine", "bounded"], &["--calls", "summaries"]] {
        let ran = check(&[("p.c", source)], &[&["--undefined", "continue", "p.c"], search].concat());
        assert!(ran.verdict().starts_with("verdict: safe (for executions that are defined, "), "{ran:?}");
    }
    // Where all executions are undefined, nothing is said.
    let all = source.replace("x - 123456", "(x & 1) + 1");
    let ran = check(&[("p.c", &all)], &["--undefined", "continue", "p.c"]);
    assert!(ran.verdict().starts_with("verdict: unknown "), "{ran:?}");
}
