//! What `--trace` prints.

use assert_cmd::Command;
use beeline_ir::{Bits, Value, file};
use beeline_lower::Options;
use beeline_tests::{compile, counterexample, lowered};

/// The trace of a program that reaches its target with these inputs.
fn trace(source: &str, inputs: &[i64], arguments: &[&str]) -> String {
    let printed = trace_of_any(source, inputs, arguments);
    assert!(printed.ends_with("\nconfirmed\n"), "{printed}");
    printed
}

/// The same, whether it is confirmed or not.
fn trace_of_any(source: &str, inputs: &[i64], arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str| folder.path().join(name);
    std::fs::write(file("p.c"), source).expect("the source is written");
    let flags = ["-O0", "-Xclang", "-disable-O0-optnone"];
    compile(&file("p.c"), &file("p.bc"), &flags).expect("the program compiles");
    let program = lowered(&file("p.bc"), &Options::default()).expect("the program is lowered");
    let inputs = inputs.iter().map(|&value| Value::Bv(Bits::from_i64(32, value))).collect();
    let run = counterexample(&program, inputs).expect("the inputs lead to the target");
    let digest = file::write(file("p.cfa"), &program, None).expect("the program is written");
    file::write(file("p.run"), &run, Some(digest)).expect("the result is written");
    let mut command = Command::cargo_bin("beeline-replay").expect("the tool is built");
    command.current_dir(folder.path()).args(["p.run", "--program", "p.bc", "--trace"]).args(arguments);
    let output = command.output().expect("the tool runs");
    assert!(output.status.code() < Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout)
        .expect("it prints text")
        .replace(&folder.path().display().to_string(), "")
}

const SOURCE: &str = "#include <assert.h>
int __VERIFIER_nondet_int(void);
unsigned limit = 40;
int unrelated;
static int twice(int v) {
  unrelated++;
  return v * 2;
}
int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  int noise = a - 1;
  if (noise > 3)
    noise = b;
  int sum = 0;
  for (int i = 0; i < 2; i++)
    sum += twice(a);
  if ((unsigned)sum > limit)
    if (b == -7)
      assert(sum != 44);
  return noise;
}
";

#[test]
fn only_what_matters_is_told() {
    let expected = "\
main()
  p.c:10  int a = __VERIFIER_nondet_int();  // a = 11
  p.c:11  int b = __VERIFIER_nondet_int();  // b = -7
  ... 3 lines
  p.c:15  int sum = 0;  // sum = 0
  p.c:16  for (int i = 0; i < 2; i++)  // i = 0; i < 2
  p.c:17  sum += twice(a);
  twice(v = 11)
    ... 1 line
    p.c:7  return v * 2;
  returns 22
  p.c:17  sum += twice(a);  // sum = 22
  p.c:16  for (int i = 0; i < 2; i++)  // i = 1; i < 2
  p.c:17  sum += twice(a);
  twice(v = 11)
    ... 1 line
    p.c:7  return v * 2;
  returns 22
  p.c:17  sum += twice(a);  // sum = 44
  p.c:16  for (int i = 0; i < 2; i++)  // i = 2; i >= 2
  p.c:18  if ((unsigned)sum > limit)  // limit < (unsigned int)sum
  p.c:19  if (b == -7)  // b == -7
  p.c:20  assert(sum != 44);  // sum == 44
reached: __assert_fail in main at /p.c:20:7
Lines that the error does not depend on are omitted; --full shows all.
confirmed
";
    assert_eq!(trace(SOURCE, &[11, -7], &[]), expected);
}

#[test]
fn everything_is_told_on_request() {
    let printed = trace(SOURCE, &[11, -7], &["--full"]);
    for line in [
        "  p.c:12  int noise = a - 1;  // noise = 10\n",
        "  p.c:14  noise = b;  // noise = -7\n",
        "    p.c:6  unrelated++;  // unrelated = 2\n",
        "  p.c:16  for (int i = 0; i < 2; i++)  // i = 2; i >= 2\n",
    ] {
        assert!(printed.contains(line), "{line}{printed}");
    }
}

#[test]
fn memory_is_followed_to_where_it_was_written() {
    let source = "#include <assert.h>
int __VERIFIER_nondet_int(void);
int box[4];
static void put(int at, int value) { box[at] = value; }
int main(void) {
  int at = __VERIFIER_nondet_int();
  put(at, 5);
  put(3 - at, 6);
  assert(box[1] != 6);
}
";
    let printed = trace(source, &[2], &[]);
    assert!(printed.contains("put(at = 1, value = 6)") && !printed.contains("value = 5"), "{printed}");
    // Where the other one went decided nothing.
    assert!(printed.contains("at = 2"), "{printed}");
}

#[test]
fn values_from_nowhere_are_named() {
    let source = "#include <assert.h>
int main(void) {
  int x;
  int *volatile keep = &(int){0};
  assert(x != 0);
  return *keep;
}
";
    // Natively the stack holds something; what the interpreter finds there is zero.
    let printed = trace_of_any(source, &[], &[]);
    assert!(printed.contains("assert(x != 0);  // x = 0, never set; x == 0"), "{printed}");
}

#[test]
fn long_traces_are_shortened() {
    let source = "#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int sum = 0;
  for (int i = 0; i < 500; i++) {
    int next = __VERIFIER_nondet_int();
    sum += next;
  }
  assert(sum != 500);
}
";
    let printed = trace(source, &[1; 500], &[]);
    assert!(printed.lines().count() < 210, "{}", printed.lines().count());
    assert!(printed.contains("left out; --full shows all"), "{printed}");
    assert!(printed.contains("sum = 500") && printed.ends_with("confirmed\n"), "{printed}");
}
