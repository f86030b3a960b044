//! Checks that a proof asks for beside those of memory and of overflows: conversions, floats, pointers that are moved, pointers that
//! are asked about.

use beeline_tests::starter_kit::proof;

/// Asserts that a harness is proved with a check, refuted with a change, and proved with that without the check.
fn is_checked(check: &str, source: &str, old: &str, new: &str) {
    let run = |source: &str, flags: &str| {
        let makefile = format!("CHECKFLAGS += {flags}\n");
        proof(&[("harness.c", source), ("Makefile", &makefile)])
    };
    assert!(source.contains(old), "{old}");
    let changed = source.replace(old, new);
    let ran = run(source, check);
    assert!(ran.out.contains("one: safe ("), "{source}: {ran:?}");
    let ran = run(&changed, check);
    assert!(ran.out.contains("one: unsafe ("), "{changed}: {ran:?}");
    let ran = run(&changed, &check.replace("--", "--no-"));
    assert!(ran.out.contains("one: safe ("), "{changed}: {ran:?}");
}

#[test]
fn conversions_keep_values_whether_they_are_written_down_or_not() {
    let check = "--conversion-check";
    let source = "typedef unsigned char byte;
unsigned nondet_unsigned(void);
int nondet_int(void);
double nondet_double(void);
void harness(void) {
  unsigned n = nondet_unsigned();
  int i = nondet_int();
  double d = nondet_double();
  if (n < 256) {
    byte silent = n, cast = (byte)n;
    unsigned short twice = (unsigned short)(byte)n;
  }
  if (i >= 0) {
    unsigned u = i;
    unsigned long l = (unsigned long)i + 1;
  }
  if (d > -1.0 && d < 256.0) {
    int whole = (int)d;
  }
}";
    is_checked(check, source, "n < 256", "n < 257");
    for (old, new) in [
        ("byte silent = n, cast = (byte)n;", "byte silent = n + 1;"),
        ("byte silent = n, cast = (byte)n;", "byte cast = (byte)(n + 1);"),
        ("(unsigned short)(byte)n", "(unsigned short)(byte)(n + 1)"),
        ("unsigned u = i;", "unsigned u = i - 1;"),
        ("(unsigned long)i", "(unsigned long)(i - 1)"),
        ("d < 256.0", "d < 2147483649.0"),
    ] {
        is_checked(check, source, old, new);
    }
}

#[test]
fn floats_stay_finite_and_numbers_where_they_were() {
    let source = "double nondet_double(void);
void harness(void) {
  double d = nondet_double();
  if (d > -1e300 && d < 1e300) {
    double more = d * 1e8;
    double all = more + 1.0;
  }
}";
    is_checked("--float-overflow-check", source, "1e8", "1e9");
    // What is infinite already does not overflow.
    let infinite = "double nondet_double(void);
void harness(void) {
  double d = __builtin_inf();
  d = d + d;
}";
    is_checked("--float-overflow-check", infinite, "__builtin_inf()", "nondet_double()");
    let source = "double nondet_double(void);
void harness(void) {
  double d = nondet_double();
  if (d > 0.0) {
    double share = 0.0 / d;
  }
}";
    is_checked("--nan-check", source, "d > 0.0", "d >= 0.0");
    is_checked("--nan-check", source, "0.0 / d", "d - d");
}

#[test]
fn pointers_stay_in_their_objects_or_just_behind() {
    let source = "unsigned nondet_unsigned(void);
void take(int *p) {}
void harness(void) {
  int a[4];
  unsigned n = nondet_unsigned();
  int *p = a, *end;
  if (n <= 4) {
    end = p + n;
    take(end);
  }
}";
    is_checked("--pointer-overflow-check", source, "n <= 4", "n <= 5");
    is_checked("--pointer-overflow-check", source, "p + n", "p - n");
    // Four times that is nothing.
    is_checked("--pointer-overflow-check", source, "p + n", "p + ((unsigned long)n << 62)");
    is_checked("--pointer-overflow-check", source, "int *p = a", "int *p = 0");
}

#[test]
fn pointers_that_are_asked_about_are_null_or_lead_to_objects() {
    let source = "#include <stdlib.h>
void harness(void) {
  int *p = malloc(sizeof(int));
  __CPROVER_assume(p == 0 || __CPROVER_r_ok(p, 1));
  __CPROVER_assume(!__CPROVER_w_ok((char *)0, 1));
  __CPROVER_assert(__CPROVER_OBJECT_SIZE(p) != 3, \"\");
  free(p);
}";
    let run = |source: &str, flags: &str| proof(&[("harness.c", source), ("Makefile", flags)]);
    let ran = run(source, "");
    assert!(ran.out.contains("one: safe ("), "{ran:?}");
    let freed = source.replace("free(p);", "free(p);\n  __CPROVER_assume(__CPROVER_r_ok(p, 1) || 1);");
    // A program that runs knows nothing of freed objects.
    let ran = run(&freed, "");
    assert!(!ran.out.contains("one: safe ("), "{ran:?}");
    let ran = run(&freed, "CHECKFLAGS += --no-pointer-primitive-check\n");
    assert!(ran.out.contains("one: safe ("), "{ran:?}");
}
