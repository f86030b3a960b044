//! Counterexamples of C programs, executed natively. The inputs that lead to the target are known, so no
//! verifier is needed.

use assert_cmd::Command;
use beeline_ir::{Bits, FloatKind, Program, Value, file};
use beeline_lower::{Options, Property};
use beeline_run::{Choice, Reason, Run, RunVerdict, TargetVerdict};
use beeline_tests::{compile, counterexample, lowered};
use beeline_witness::unit::Unit;
use beeline_witness::violation::Violation;
use beeline_witness::{graphml, yaml};
use std::path::{Path, PathBuf};

const PLAIN: &[&str] = &["-fno-discard-value-names", "-O0", "-Xclang", "-disable-O0-optnone"];

/// A program in a folder, in all its forms.
struct Task {
    folder: tempfile::TempDir,
    program: Program,
}

impl Task {
    fn new(source: &str, flags: &[&str], options: &Options) -> Task {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (c, bitcode) = (folder.path().join("p.c"), folder.path().join("p.bc"));
        std::fs::write(&c, source).expect("the source is written");
        compile(&c, &bitcode, flags).expect("the program compiles");
        let program = lowered(&bitcode, options).expect("the program is lowered");
        Task { folder, program }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The result for an execution with these inputs.
    fn found(&self, inputs: &[Value]) -> Run {
        counterexample(&self.program, inputs.to_vec()).expect("the inputs lead to the target")
    }

    fn write(&self, run: &Run) {
        let digest = file::write(self.file("p.cfa"), &self.program, None).expect("the program is written");
        file::write(self.file("p.run"), run, Some(digest)).expect("the result is written");
    }

    fn replay(&self, arguments: &[&str]) -> (i32, String, String) {
        replay(self.folder.path(), &[&["p.run", "--program", "p.bc"], arguments].concat())
    }

    /// What the tool says of a result: exit code and last line.
    fn judged(&self, run: &Run) -> (i32, String) {
        self.write(run);
        let (code, out, err) = self.replay(&[]);
        assert!(code < 2, "{err}");
        (code, out.lines().last().unwrap_or("").to_string())
    }
}

fn replay(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("beeline-replay").expect("the tool is built");
    let output = command.current_dir(folder).args(arguments).output().expect("the tool runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it prints text");
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

fn int(value: i64) -> Value {
    Value::Bv(Bits::from_i64(32, value))
}

fn confirmed() -> (i32, String) {
    (0, "confirmed".into())
}

/// Whether this is the tool's reason why a counterexample with another value is none. The interpreter may
/// find it as well.
fn is_refused((code, verdict): (i32, String), why: &str) -> bool {
    let rest = verdict.strip_prefix("not confirmed: ").and_then(|rest| rest.strip_prefix(why));
    let fits =
        |rest: &str| rest.is_empty() || rest.starts_with("; the counterexample does not fit its program");
    code == 1 && rest.is_some_and(fits)
}

/// Changes the inputs by a function of their position.
fn forged(run: &Run, mut change: impl FnMut(usize, &Value) -> Option<Value>) -> Run {
    let mut run = run.clone();
    let choices = &mut run.paths[0].choices;
    // A value that the lowering leaves open by itself is not an input.
    let open = |choice: &Choice| matches!(choice, Choice::Input { input: None, .. });
    for (index, choice) in choices.iter_mut().filter(|choice| !open(choice)).enumerate() {
        let (Choice::Input { value, .. } | Choice::Unwritten { value, .. } | Choice::Cell { value, .. }) =
            choice;
        if let Some(other) = change(index, value) {
            *value = other;
        }
    }
    run
}

const WIDTHS: &str = r#"
#include <assert.h>
#include <math.h>
signed char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
long long __VERIFIER_nondet_longlong(void);
unsigned long __VERIFIER_nondet_ulong(void);
float __VERIFIER_nondet_float(void);
double __VERIFIER_nondet_double(void);
_Bool __VERIFIER_nondet_bool(void);
void *__VERIFIER_nondet_pointer(void);
int main(void) {
  int a = __VERIFIER_nondet_char(), b = __VERIFIER_nondet_uchar();
  int c = __VERIFIER_nondet_short(), d = __VERIFIER_nondet_ushort();
  long long e = __VERIFIER_nondet_longlong();
  unsigned long f = __VERIFIER_nondet_ulong();
  float g = __VERIFIER_nondet_float();
  double h = __VERIFIER_nondet_double();
  _Bool i = __VERIFIER_nondet_bool();
  void *p = __VERIFIER_nondet_pointer();
  if (a == -3 && b == 253 && c == -300 && d == 65236 && e == -5000000000LL && f == 0xfedcba9876543210UL)
    if (g == 0.1f && signbit(h) && h == 0.0 && i && p == (void *)0x1234)
      assert(0);
  return 0;
}
"#;

fn widths() -> Vec<Value> {
    vec![
        Value::Bv(Bits::from_i64(8, -3)),
        Value::bv(8, 253),
        Value::Bv(Bits::from_i64(16, -300)),
        Value::bv(16, 65236),
        Value::Bv(Bits::from_i64(64, -5_000_000_000)),
        Value::bv(64, 0xfedc_ba98_7654_3210),
        Value::float(FloatKind::F32, Bits::new(32, 0.1f32.to_bits().into())),
        Value::float(FloatKind::F64, Bits::new(64, (-0.0f64).to_bits())),
        Value::bv(8, 1),
        Value::bv(64, 0x1234),
    ]
}

#[test]
fn values_of_all_types_arrive() {
    for flags in [PLAIN, &["-O2"]] {
        let task = Task::new(WIDTHS, flags, &Options::default());
        let run = task.found(&widths());
        assert_eq!(task.judged(&run), confirmed(), "{flags:?}");
    }
}

#[test]
fn a_forged_value_is_not_confirmed() {
    let task = Task::new(WIDTHS, PLAIN, &Options::default());
    let run = task.found(&widths());
    for position in 0..10 {
        let run = forged(&run, |index, value| {
            (index == position).then(|| match value {
                Value::Bv(bits) => Value::Bv(bits.add(&Bits::new(bits.width(), 1))),
                Value::Float(kind, bits) => Value::float(*kind, bits.xor(&Bits::new(bits.width(), 1))),
                Value::Bool(truth) => Value::Bool(!truth),
            })
        });
        let verdict = task.judged(&run);
        let why = "the native run takes another path: it ends with exit code 0";
        assert!(is_refused(verdict.clone(), why), "input {position}: {verdict:?}");
    }
}

const LOOPS: &str = r#"
int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int);
extern void abort(void);
void reach_error(void);
static int sum;
static int deeper(int n) { return n ? deeper(n - 1) + 1 : __VERIFIER_nondet_int(); }
static void add(int n) { sum += deeper(n) * __VERIFIER_nondet_uchar(); }
int main(void) {
  for (int i = 0; i < 3; i++) {
    add(i);
    __VERIFIER_assume(sum < 1000);
  }
  if (sum > 900)
    reach_error();
  abort();
}
"#;

/// In loop 0: 3 * 100; in loop 1: (199 + 1) * 1; in loop 2: (-2 + 2) * 7 and so on, see the sums.
fn loops(last: i64) -> Vec<Value> {
    vec![int(3), Value::bv(8, 100), int(199), Value::bv(8, 1), int(last), Value::bv(8, 1)]
}

#[test]
fn inputs_in_loops_and_deep_calls_keep_their_order() {
    for flags in [PLAIN, &["-O2"]] {
        let task = Task::new(LOOPS, flags, &Options::default());
        let run = task.found(&loops(450));
        assert_eq!(task.judged(&run), confirmed(), "{flags:?}");
        let too_large = forged(&run, |_, value| (*value == int(450)).then(|| int(600)));
        assert!(is_refused(task.judged(&too_large), "an assumption of the program fails in the native run"));
        let too_small = forged(&run, |_, value| (*value == int(450)).then(|| int(100)));
        let why = "the native run crashes before the target (it aborts)";
        assert!(is_refused(task.judged(&too_small), why));
    }
}

#[test]
fn inputs_that_are_missing_or_in_another_order_are_another_way() {
    let task = Task::new(LOOPS, PLAIN, &Options::default());
    let run = task.found(&loops(450));
    let mut fewer = run.clone();
    fewer.paths[0].choices.pop();
    let more = "the native run takes another path: it reads __VERIFIER_nondet_uchar once more";
    assert!(is_refused(task.judged(&fewer), more));
    let mut swapped = run.clone();
    swapped.paths[0].choices.swap(0, 1);
    let order = "the native run takes another path: it reads __VERIFIER_nondet_int out of order";
    assert!(is_refused(task.judged(&swapped), order));
}

#[test]
fn each_way_to_report_an_error_is_reported() {
    let body = "int __VERIFIER_nondet_int(void);\nint main(void) { if (__VERIFIER_nondet_int() == 7) ERROR; return 0; }";
    let cases = [
        ("void reach_error(void);", "reach_error()"),
        ("void reach_error(void) { __builtin_trap(); }", "reach_error()"),
        ("#include <assert.h>\nvoid reach_error(void) { assert(0); }", "reach_error()"),
        ("#include <stdlib.h>\nstatic void reach_error(void) { exit(0); }", "reach_error()"),
        ("void __VERIFIER_error(void);", "__VERIFIER_error()"),
        ("#include <assert.h>", "assert(0)"),
        ("", "assert(0)"),
        ("void reach_error(void) {} void (*volatile report)(void) = reach_error;", "report()"),
    ];
    for (head, error) in cases {
        let source = format!("{head}\n{}", body.replace("ERROR", error));
        let flags = [PLAIN, &["-Wno-implicit-function-declaration"]].concat();
        let task = Task::new(&source, &flags, &Options::default());
        let run = counterexample(&task.program, vec![int(7)]);
        let run = run.unwrap_or_else(|| panic!("the target is reached: {source}"));
        assert_eq!(task.judged(&run), confirmed(), "{source}");
    }
}

#[test]
fn the_target_is_the_one_of_the_counterexample() {
    let source = "int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\nint main(void) {\n\
                  int x = __VERIFIER_nondet_int();\nif (x == 1) reach_error();\nif (x == 2) reach_error(); }";
    let task = Task::new(source, PLAIN, &Options::default());
    let run = forged(&task.found(&[int(1)]), |_, _| Some(int(2)));
    let (code, verdict) = task.judged(&run);
    let why = "not confirmed: the native run reaches another target first: reach_error in main at ";
    assert!(code == 1 && verdict.starts_with(why) && verdict.contains(":6:13;"), "{verdict}");
}

#[test]
fn a_chosen_target_function_is_a_target() {
    let source = "int __VERIFIER_nondet_int(void);\nvoid alarm_bell(int);\n\
                  int main(void) { if (__VERIFIER_nondet_int() > 8) alarm_bell(1); return 0; }";
    let options = Options { targets: vec!["alarm_bell".into()], ..Options::default() };
    let task = Task::new(source, PLAIN, &options);
    assert_eq!(task.judged(&task.found(&[int(9)])), confirmed());
}

#[test]
fn sanitizers_report_overflow() {
    let source = "int __VERIFIER_nondet_int(void);\n\
                  int main(void) { int x = __VERIFIER_nondet_int(); return x + 1 > x; }";
    for optimised in ["-O0", "-O1"] {
        for trap in ["-fno-sanitize-trap", "-fsanitize-trap=all"] {
            let flags = [optimised, "-fsanitize=signed-integer-overflow", trap];
            let options = Options { properties: vec![Property::NoOverflow], ..Options::default() };
            let task = Task::new(source, &flags, &options);
            let run = task.found(&[int(i32::MAX.into())]);
            assert_eq!(task.judged(&run), confirmed());
            let fine = forged(&run, |_, _| Some(int(5)));
            assert_eq!(task.judged(&fine).0, 1);
        }
    }
}

#[test]
fn an_address_that_only_a_guess_gives_is_not_confirmed() {
    let source = "struct node { struct node *next; int value; } *first(void), first_here = { 0, 1 };\n\
                  int main(void) { return FIRST->next->value; }";
    let options = Options { properties: vec![Property::MemorySafety], ..Options::default() };
    let judged = |from: &str, inputs: &[Value]| {
        let task = Task::new(&source.replace("FIRST", from), PLAIN, &options);
        task.judged(&task.found(inputs))
    };
    let guess = judged("first()", &[Value::Bv(Bits::from_i64(64, 65532))]);
    // What the memory there holds is open, too.
    let why = "not confirmed: the address is the result of first, which is a guess: the function has no definition; \
               the path depends on memory from outside";
    assert!(guess.0 == 1 && guess.1.starts_with(why), "{guess:?}");
    assert_eq!(judged("(&first_here)", &[]), confirmed());
}

#[test]
fn an_access_that_lands_in_another_variable_is_confirmed() {
    let source = "int __VERIFIER_nondet_int(void);\n\
                  int main(void) { long other[6] = { 0 }; int array[6] = { 0 };\n\
                  int at = __VERIFIER_nondet_int(); if (at > 5) return 0;\narray[at] = 1;\n\
                  for (int i = 0; i < 6; i++) other[i] += array[i];\nreturn other[5]; }";
    let options = Options { properties: vec![Property::MemorySafety], ..Options::default() };
    let task = Task::new(source, PLAIN, &options);
    for at in [-3, -10, -16, -40] {
        assert_eq!(task.judged(&task.found(&[int(at)])), confirmed(), "{at}");
    }
}

#[test]
fn a_null_pointer_of_the_program_is_confirmed_beside_any_guess() {
    let source = "int count(void); int *place(void);\nint main(void) { int *p = 0;\nUSE\nreturn *p; }";
    let options = Options { properties: vec![Property::MemorySafety], ..Options::default() };
    let judged = |given: &str, inputs: &[Value]| {
        let task = Task::new(&source.replace("USE", given), PLAIN, &options);
        task.judged(&task.found(inputs))
    };
    // A small number is no address, however near to null.
    assert_eq!(judged("if (count() != 5) return 0;", &[int(5)]), confirmed());
    // Nor is it this one's null that is read.
    let null = Value::Bv(Bits::from_i64(64, 0));
    assert_eq!(judged("int *q = place(); if (q == p) q = p;", &[null]), confirmed());
}

#[test]
fn modules_of_32_bits_run_as_such() {
    let source = "long __VERIFIER_nondet_long(void);\nvoid reach_error(void);\n\
                  int main(void) { if (__VERIFIER_nondet_long() == -9 && sizeof(long) == 4) reach_error(); return 0; }";
    let task = Task::new(source, &[PLAIN, &["-m32"]].concat(), &Options::default());
    assert_eq!(task.judged(&task.found(&[int(-9)])), confirmed());
}

#[test]
fn unknown_functions_and_variables_are_defined() {
    let source = "int measure(void); int level(void); extern int limit;\nvoid beep(void);\nvoid reach_error(void);\n\
                  int main(void) { measure(); beep(); if (level() == 5 && limit == 0 && measure() == 6) reach_error(); return 0; }";
    let task = Task::new(source, PLAIN, &Options::default());
    // The first result of `measure` is not read and so not recorded.
    assert_eq!(task.judged(&task.found(&[int(5), int(6)])), confirmed());
}

#[test]
fn functions_of_libraries_stay_as_they_are() {
    // Of `cos`, the lowering knows nothing but that the C library has it: here it would return 7.
    let source = "#include <math.h>\nvoid reach_error(void);\n\
                  int main(int n, char **a) { if (cos(n) > 5) reach_error(); return 0; }";
    let task = Task::new(source, PLAIN, &Options::default());
    let seven = Value::float(FloatKind::F64, Bits::new(64, 7f64.to_bits()));
    let (code, verdict) = task.judged(&task.found(&[seven]));
    assert!(code == 1 && verdict.contains("the path depends on what cos returns"), "{verdict}");
}

#[test]
fn what_the_world_decides_in_the_library_is_given() {
    let source = "#include <stdlib.h>\n#include <stdio.h>\n#include <time.h>\nvoid reach_error(void);\n\
                  int main(void) { if (rand() == 77 && getchar() == 'x' && time(0) == 99 && fopen(\"f\", \"r\")) reach_error(); return 0; }";
    let task = Task::new(source, PLAIN, &Options::default());
    let inputs = [int(77), int(b'x'.into()), Value::bv(64, 99), int(1)];
    assert_eq!(task.judged(&task.found(&inputs)), confirmed());
}

#[test]
fn what_the_world_decides_is_given_where_a_sanitizer_has_functions_of_these_names() {
    let source = "#define _GNU_SOURCE\n#include <stdio.h>\n#include <time.h>\n\
                  int main(void) { char *line = NULL; size_t room = 0; int *null = NULL;\n\
                  if (time(0) == 99 && getline(&line, &room, stdin) == 2 && line[0] == 'x' && fopen(\"f\", \"r\"))\nreturn *null;\n\
                  return 0; }";
    let options = Options { properties: vec![Property::MemorySafety], ..Options::default() };
    let task = Task::new(source, PLAIN, &options);
    let inputs = [Value::bv(64, 99), int(b'x'.into()), int(b'\n'.into()), int(1)];
    assert_eq!(task.judged(&task.found(&inputs)), confirmed());
}

#[test]
fn parameters_of_the_entry_are_given() {
    let source = "void reach_error(void);\nvoid start(short n, double d) { if (n == -2 && d == 0.5) reach_error(); }\n\
                  int main(void) { return 0; }";
    let options = Options { entry: "start".into(), ..Options::default() };
    let task = Task::new(source, PLAIN, &options);
    let run = beeline_tests::counterexample_of(&task.program, &mut Parameters(-2));
    assert_eq!(task.judged(&run.expect("they lead to the target")), confirmed());
}

#[test]
fn the_parameters_of_main_are_given() {
    let source = "#include <stdio.h>\nvoid reach_error(void);\n\
                  int main(int argc, char **argv) { puts(argv[0]); if (argc == 3) reach_error(); return 0; }";
    let task = Task::new(source, PLAIN, &Options::default());
    let run = beeline_tests::counterexample_of(&task.program, &mut Parameters(3));
    let run = run.expect("they lead to the target");
    assert_eq!(task.judged(&run), confirmed());
    let other = forged(&run, |_, value| (*value == int(3)).then(|| int(2)));
    assert!(is_refused(task.judged(&other), "the native run takes another path: it ends with exit code 0"));
}

#[test]
fn what_only_a_guess_makes_true_is_not_confirmed() {
    let source = "int measure(void);\nvoid reach_error(void);\n\
                  int main(void) { if (measure() == 5) reach_error(); return 0; }";
    let task = Task::new(source, PLAIN, &Options::default());
    let mut run = task.found(&[int(5)]);
    assert_eq!(task.judged(&run), confirmed(), "the harness defines it");
    let reason = Reason::Guess("what measure returns".into());
    run.verdict = RunVerdict::Unknown(reason.clone());
    run.targets[0].verdict = TargetVerdict::Unknown { reason, path: Some(0) };
    assert!(is_refused(
        task.judged(&run),
        "the result of measure is a guess: the function has no definition"
    ));
}

/// All integers are this one, all floats 0.5.
struct Parameters(i64);

impl beeline_interp::Oracle for Parameters {
    fn value(&mut self, _: &beeline_interp::Source, ty: beeline_ir::Type) -> Value {
        match ty {
            beeline_ir::Type::Float(kind) => Value::float(kind, Bits::new(64, 0.5f64.to_bits())),
            beeline_ir::Type::Bv(width) => Value::Bv(Bits::from_i64(width, self.0)),
            beeline_ir::Type::Bool => Value::Bool(self.0 != 0),
        }
    }
    fn choose(&mut self, _: usize) -> usize {
        0
    }
}

/// After `fill`, the native stack holds what is not zero.
const STACK: &str = "int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\n\
                     void fill(void) { volatile int a[64]; for (int i = 0; i < 64; i++) a[i] = 77; }\n";

/// The native program is given what nothing has set.
fn is_given(source: &str, inputs: &[Value]) {
    let task = Task::new(source, PLAIN, &Options::default());
    assert_eq!(task.judged(&task.found(inputs)), confirmed(), "{source}");
}

#[test]
fn what_is_not_initialised_is_given() {
    let variable = "void look(void) { int x; volatile int noise[40];\n\
                    if (x == 0) reach_error(); }\n\
                    int main(void) { int sum = __VERIFIER_nondet_int(); fill(); look(); return sum; }";
    is_given(&format!("{STACK}{variable}"), &[int(5)]);
    let array = "int pick(int i) { int a[40];\na[0] = 1;\nreturn a[i & 15] == 0; }\n\
                 int main(void) { int i = __VERIFIER_nondet_int(); fill(); if (pick(i)) reach_error(); return 0; }";
    is_given(&format!("{STACK}{array}"), &[int(3)]);
    let pointed_at = "void test(int *p) { if (*p == 0) reach_error(); }\n\
                      void look(void) { int x; volatile int noise[40];\ntest(&x); }\n\
                      int main(void) { fill(); look(); return 0; }";
    is_given(&format!("{STACK}{pointed_at}"), &[]);
    let member = "struct pair { int a, b; };\nvoid look(void) { struct pair p; p.a = 77;\n\
                  if (p.b == 0 && p.a == 77) reach_error(); }\nint main(void) { fill(); look(); return 0; }";
    is_given(&format!("{STACK}{member}"), &[]);
}

#[test]
fn what_is_declared_in_a_loop_is_given_each_time() {
    let source = "void reach_error(void);\n\
                  int main(void) { for (int i = 0; i < 2; i++) { int x;\n\
                  if (i == 1 && x == 0) reach_error();\nx = 77; }\nreturn 0; }";
    is_given(source, &[]);
}

#[test]
fn what_is_not_returned_is_given() {
    let none = "int none(int n) { if (n == 5) n++; }\n\
                int main(void) { int n = __VERIFIER_nondet_int(); fill();\n\
                if (none(n) == 3) reach_error(); return 0; }";
    let task = Task::new(&format!("{STACK}{none}"), PLAIN, &Options::default());
    let mut oracle = Unset(int(3), int(5));
    let run = beeline_tests::counterexample_of(&task.program, &mut oracle);
    assert_eq!(task.judged(&run.expect("they lead to the target")), confirmed());
}

/// All that is never set is the first value, all inputs are the second.
struct Unset(Value, Value);

impl beeline_interp::Oracle for Unset {
    fn value(&mut self, source: &beeline_interp::Source, ty: beeline_ir::Type) -> Value {
        let input = matches!(source, beeline_interp::Source::Input { .. });
        beeline_interp::oracle::coerced(if input { &self.1 } else { &self.0 }, ty)
    }
    fn choose(&mut self, _: usize) -> usize {
        0
    }
}

#[test]
fn what_the_library_reads_is_given() {
    let source = "#include <stdio.h>\nvoid reach_error(void);\nint main(void) {\n\
                  int x = 0; long long y = 0; short z = 0;\n\
                  if (scanf(\"%d%lld %hd\", &x, &y, &z) == 3 && x == 3 && y == 3 && z == 3) reach_error(); return 0; }";
    let task = Task::new(source, PLAIN, &Options::default());
    let run = beeline_tests::counterexample_of(&task.program, &mut Parameters(3));
    assert_eq!(task.judged(&run.expect("they lead to the target")), confirmed());
}

#[test]
fn allocated_memory_that_is_not_initialised_is_given() {
    // Natively the memory that was given back holds what was written there.
    let source = "#include <stdlib.h>\nvoid reach_error(void);\nint main(void) {\n\
                  int *old = malloc(40); for (int i = 0; i < 10; i++) old[i] = 77;\nfree(old);\n\
                  int *new = malloc(40);\nif (new[5] == 0) reach_error(); return 0; }";
    is_given(source, &[]);
}

#[test]
fn what_argv_points_to_is_given() {
    let source = "void reach_error(void);\n\
                  int main(int argc, char **argv) { if (argc > 1 && argv[1][0] == 3) reach_error(); return 0; }";
    let task = Task::new(source, PLAIN, &Options::default());
    let run = beeline_tests::counterexample_of(&task.program, &mut Parameters(3));
    assert_eq!(task.judged(&run.expect("they lead to the target")), confirmed());
}

/// There are as many arguments as the machine has room for, and their list lies behind the last address.
#[test]
fn many_arguments_are_given_wherever_their_list_lies() {
    struct Many;
    impl beeline_interp::Oracle for Many {
        fn value(&mut self, source: &beeline_interp::Source, ty: beeline_ir::Type) -> Value {
            match ty {
                beeline_ir::Type::Bv(32) => Value::Bv(Bits::new(32, 900_000)),
                other => Parameters(-8).value(source, other),
            }
        }
        fn choose(&mut self, _: usize) -> usize {
            0
        }
    }
    let source = "void reach_error(void);\n\
                  int main(int argc, char **argv) { if (argc > 1 && argv[1][0] == -8) reach_error(); return 0; }";
    let task = Task::new(source, PLAIN, &Options::default());
    let run = beeline_tests::counterexample_of(&task.program, &mut Many);
    assert_eq!(task.judged(&run.expect("they lead to the target")), confirmed());
}

#[test]
fn programs_without_end_are_stopped() {
    let source = "int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\n\
                  int main(void) { if (__VERIFIER_nondet_int() == 1) reach_error(); for (;;); }";
    let task = Task::new(source, PLAIN, &Options::default());
    let run = forged(&task.found(&[int(1)]), |_, _| Some(int(0)));
    task.write(&run);
    let (code, out, _) = task.replay(&["--time-limit", "700ms"]);
    assert!(is_refused((code, out.trim_end().into()), "the native run takes too long"), "{out}");
}

#[test]
fn programs_cannot_fill_the_disk_or_the_memory() {
    let head = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint __VERIFIER_nondet_int(void);\n\
                void reach_error(void);\nint main(void) { if (__VERIFIER_nondet_int() == 1) reach_error();\n";
    let disk = "FILE *f = freopen(\"big\", \"w\", stdout); for (;;) puts(\"beeline\"); }";
    let memory = "for (;;) memset(malloc(1 << 20), 1, 1 << 20); }";
    for (body, signal) in [(disk, "too much output"), (memory, "memory fault")] {
        let task = Task::new(&format!("{head}{body}"), PLAIN, &Options::default());
        let run = forged(&task.found(&[int(1)]), |_, _| Some(int(0)));
        task.write(&run);
        let (code, out, _) = task.replay(&["--memory-limit", "64M"]);
        assert!(code == 1 && out.contains(signal), "{out}");
    }
}

#[test]
fn the_emitted_folder_builds_and_explains_itself() {
    let task = Task::new(LOOPS, PLAIN, &Options::default());
    task.write(&task.found(&loops(450)));
    let (code, out, err) = task.replay(&["--emit", "native"]);
    assert_eq!((code, out.as_str()), (0, "confirmed\n"), "{err}");
    let folder = task.file("native");
    let built = std::process::Command::new("sh").arg(folder.join("build.sh")).output().expect("sh runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let run = std::process::Command::new(folder.join("program")).current_dir(&folder).output();
    let said = String::from_utf8(run.expect("the program runs").stderr).expect("it prints text");
    assert!(said.starts_with("reached reach_error in main at "), "{said}");
    let readme = std::fs::read_to_string(folder.join("README")).expect("there is a README");
    assert!(readme.contains("gdb ./program") && readme.contains("confirmed"), "{readme}");
}

#[test]
fn json_tells_all() {
    let task = Task::new(LOOPS, PLAIN, &Options::default());
    task.write(&task.found(&loops(450)));
    let (_, out, _) = task.replay(&["--json"]);
    let object: serde_json::Value = serde_json::from_str(&out).expect("it is JSON");
    assert_eq!(object["verdict"], "confirmed");
    assert_eq!(object["inputs"][4]["value"], "450");
    assert!(object["target"].as_str().unwrap().starts_with("reach_error in main"));
}

#[test]
fn the_values_of_a_witness_lead_to_the_target() {
    let task = Task::new(LOOPS, PLAIN, &Options::default());
    let run = task.found(&loops(450));
    let file = task.file("p.c").display().to_string();
    let path = run.path().expect("a counterexample");
    let told = Violation::new(&task.program, path, &Unit::new(&file, LOOPS.as_bytes()));
    let about = beeline_witness::task::Task::new(&task.program, (&file, LOOPS.as_bytes()), None, None);
    for document in [yaml::violation(&about, &told), graphml::violation(&about, &told, "main")] {
        // What another verifier reads: results of calls, in order.
        let after = document.split("result == ").skip(1);
        let numbers: Vec<i64> = after
            .map(|text| {
                text.split(|c: char| !c.is_ascii_digit() && c != '-').next().unwrap().parse().unwrap()
            })
            .collect();
        assert_eq!(numbers, [3, 100, 199, 1, 450, 1]);
        let inputs = numbers.iter().enumerate();
        let inputs = inputs.map(|(at, &n)| Value::Bv(Bits::from_i64(if at % 2 == 0 { 32 } else { 8 }, n)));
        assert_eq!(task.judged(&task.found(&inputs.collect::<Vec<_>>())), confirmed());
    }
}

#[test]
fn wrong_input_is_a_sentence_and_exit_code_2() {
    let task = Task::new(LOOPS, PLAIN, &Options::default());
    let run = task.found(&loops(450));
    task.write(&run);
    let other = Task::new(WIDTHS, PLAIN, &Options::default());
    std::fs::write(task.file("text"), "not bitcode").unwrap();
    file::write(task.file("other.cfa"), &other.program, None).unwrap();
    let digest = file::peek(task.file("p.cfa")).unwrap().digest;
    let mut safe = Run { verdict: RunVerdict::Safe, targets: vec![], paths: vec![], ..run.clone() };
    file::write(task.file("safe.run"), &safe, Some(digest)).unwrap();
    safe.verdict = RunVerdict::Unknown(Reason::Time);
    file::write(task.file("unknown.run"), &safe, Some(digest)).unwrap();
    file::write(task.file("alone.run"), &run, Some(digest)).unwrap();
    let mut broken = run.clone();
    // The first location is no target.
    broken.targets[0].loc = beeline_ir::LocId::from_u32(0);
    broken.paths[0].target = broken.targets[0].loc;
    file::write(task.file("broken.run"), &broken, Some(digest)).unwrap();
    let mut cut = std::fs::read(task.file("p.run")).unwrap();
    cut.truncate(cut.len() - 3);
    std::fs::write(task.file("cut.run"), cut).unwrap();
    for (arguments, message) in [
        (&["missing.run", "--program", "p.bc"][..], "missing.run"),
        (&["p.run", "--program", "missing.bc"], "missing.bc"),
        (&["p.run"], "--bitcode"),
        (&["p.run", "--program", "text"], "is not LLVM IR"),
        (&["p.cfa", "--program", "p.bc"], "p.cfa"),
        (&["cut.run", "--cfa", "p.cfa", "--program", "p.bc"], "bytes are missing"),
        (&["p.run", "--cfa", "other.cfa", "--program", "p.bc"], "other.cfa"),
        (&["alone.run", "--program", "p.bc"], "--cfa"),
        (&["safe.run", "--cfa", "p.cfa", "--program", "p.bc"], "beeline-check-proof"),
        (
            &["unknown.run", "--cfa", "p.cfa", "--program", "p.bc"],
            "the verdict unknown and nothing to check (the time limit was reached)",
        ),
        (&["broken.run", "--cfa", "p.cfa", "--program", "p.bc"], "damaged"),
        (&["p.run", "--program", "p.bc", "--time-limit", "0"], "a positive time"),
        (&["p.run", "--program", "p.bc", "--memory-limit", "64"], "at least 16M"),
        (&["p.run", "--program", "p.bc", "--memory-limit", "64T"], "a positive size"),
        (&["p.run", "--program", "p.bc", "--full"], "--trace"),
        (&["p.run", "--program", "p.bc", "--emit", "p.bc"], "cannot write"),
    ] {
        let (code, out, err) = replay(task.folder.path(), arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}: {err}");
        assert!(err.contains(message) && !err.contains("panicked"), "{arguments:?}: {err}");
    }
}

#[test]
fn bitcode_of_another_program_is_refused() {
    let task = Task::new(LOOPS, PLAIN, &Options::default());
    task.write(&task.found(&loops(450)));
    let other = Task::new(WIDTHS, PLAIN, &Options::default());
    std::fs::copy(other.file("p.bc"), task.file("p.bc")).unwrap();
    let (code, _, err) = task.replay(&[]);
    assert!(code == 2 && err.contains("is not the verified program"), "{err}");
}

#[test]
fn an_answer_that_cannot_be_written_is_an_error() {
    let source = "int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\n\
                  int main(void) { if (__VERIFIER_nondet_int() == 1) reach_error(); return 0; }";
    let task = Task::new(source, PLAIN, &Options::default());
    task.write(&task.found(&[int(1)]));
    let full = std::fs::File::options().write(true).open("/dev/full").expect("every Linux has it");
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("beeline-replay"));
    command.current_dir(task.folder.path()).args(["p.run", "--program", "p.bc"]).stdout(full);
    let output = command.output().expect("the tool runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), said.contains("cannot write")), (Some(2), true), "{said}");
}

const SEVERAL: &str = "#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  assert(x != 7);
  assert(x != 8);
  int y = __VERIFIER_nondet_int();
  assert(x + y != 30);
  return 0;
}
";

#[test]
fn several_paths_share_a_program_and_are_told_apart() {
    let task = Task::new(SEVERAL, PLAIN, &Options::default());
    let inputs: [&[i64]; 4] = [&[7], &[8], &[10, 20], &[9, 21]];
    let found = inputs.map(|inputs| task.found(&inputs.iter().map(|&value| int(value)).collect::<Vec<_>>()));
    let mut run = found[0].clone();
    run.paths = found.iter().map(|run| run.paths[0].clone()).collect();
    run.targets = (0..)
        .zip(&found[..3])
        .map(|(path, run)| {
            let mut target = run.targets[0].clone();
            target.verdict = TargetVerdict::Unsafe { path };
            target
        })
        .collect();
    run.targets.sort_by_key(|target| target.loc);
    let said = |run: &Run| {
        task.write(run);
        let (code, out, err) = task.replay(&["--all"]);
        assert!(code < 2, "{err}");
        let said: Vec<String> =
            out.lines().filter_map(|line| Some(line.split_once(": ")?.1.to_string())).collect();
        assert_eq!(code == 0, said.iter().all(|verdict| verdict == "confirmed"));
        // Alone, each is judged the same.
        for (path, verdict) in said.iter().enumerate() {
            let (_, alone, _) = task.replay(&["--path", &path.to_string()]);
            assert_eq!(alone.lines().last(), Some(verdict.as_str()), "{path}");
        }
        said.iter().map(|verdict| verdict == "confirmed").collect::<Vec<bool>>()
    };
    assert_eq!(said(&run), [true; 4]);
    // The inputs of one lead to the target of another.
    let mut crossed = run.clone();
    crossed.paths[1].choices = run.paths[0].choices.clone();
    assert_eq!(said(&crossed), [true, false, true, true]);
    // One claims the target of another.
    let mut claimed = run.clone();
    claimed.paths[3].target = run.paths[0].target;
    assert_eq!(said(&claimed), [true, true, true, false]);
    // One claims a target that the program does not have: the others are judged all the same.
    let mut lost = run.clone();
    let nowhere = task.program.functions[task.program.entry].entry();
    lost.paths[1].target = nowhere;
    let reached = TargetVerdict::Unsafe { path: 1 };
    for target in lost.targets.iter_mut().filter(|target| target.verdict == reached) {
        target.loc = nowhere;
    }
    lost.targets.sort_by_key(|target| target.loc);
    task.write(&lost);
    let (code, out, err) = task.replay(&["--all"]);
    let words: Vec<&str> = out.lines().filter_map(|line| line.split(": ").nth(1)).collect();
    assert_eq!((code, &words[..]), (1, &["confirmed", "unchecked", "confirmed", "confirmed"][..]), "{err}");
    // Where there is no other, it is a wrong input.
    lost.paths = vec![lost.paths[1].clone()];
    for target in &mut lost.targets {
        let verdict =
            if target.loc == nowhere { TargetVerdict::Unsafe { path: 0 } } else { TargetVerdict::Open };
        target.verdict = verdict;
    }
    task.write(&lost);
    let (code, _, err) = task.replay(&["--all"]);
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("names parts that its program does not have"), "{err}");
    task.write(&run);
    let (code, out, _) = task.replay(&["--all", "--json"]);
    let list: serde_json::Value = serde_json::from_str(&out).expect("it is JSON");
    assert_eq!((code, list.as_array().map(Vec::len)), (0, Some(4)));
    assert_eq!(list[2]["inputs"][1]["value"], "20");
}
