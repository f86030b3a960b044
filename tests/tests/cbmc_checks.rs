//! Checks that a proof asks for beside those of memory and of overflows: conversions, floats, pointers that are moved, pointers that
//! are asked about.

use beeline_tests::driver::beeline;
use beeline_tests::starter_kit::{folder, proof};

/// Whether a counterexample was found: confirmed, or one that no native run can follow, since a program that runs does not
/// know its objects, or the system has no such floats.
fn is_refuted(out: &str) -> bool {
    let unconfirmed =
        ["a program that runs does not tell where its objects end", "undefined reference to `__truncdfbf2'"];
    out.contains("one: unsafe (")
        || out.contains("one: unknown (unconfirmed counterexample: ")
            && unconfirmed.iter().any(|why| out.contains(why))
}

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
    assert!(is_refuted(&ran.out), "{changed}: {ran:?}");
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
fn floats_of_all_sizes_and_elements_of_vectors_are_checked() {
    let check = "--float-overflow-check";
    for (ty, below, above) in
        [("_Float16", "65519.0", "65520.0"), ("__bf16", "3.3e38", "3.4e38"), ("float", "3.4e38", "3.41e38")]
    {
        let source = format!(
            "double nondet_double(void);
void harness(void) {{
  double d = nondet_double();
  if (d >= 0.0 && d <= {below}) {{
    {ty} less = ({ty})d;
  }}
}}"
        );
        is_checked(check, &source, below, above);
    }
    let source = "typedef float pair __attribute__((vector_size(8)));
float nondet_float(void);
void harness(void) {
  float f = nondet_float();
  if (f >= 0.0f && f <= 1e38f) {
    pair one = {1.0f, f}, two = one + one;
  }
}";
    is_checked(check, source, "1e38f", "2e38f");
    // Each operation by itself: the product is infinite before the difference is not.
    let source = "double nondet_double(void);
void harness(void) {
  double d = nondet_double();
  if (d >= 0.0 && d <= 1e154) {
    double difference = d * d - 1e308;
  }
}";
    is_checked(check, source, "1e154", "1.4e154");
}

#[test]
fn a_pragma_leaves_other_checks_of_its_lines() {
    let source = "double nondet_double(void);
void harness(void) {
  double d = nondet_double();
#pragma CPROVER check push
#pragma CPROVER check disable \"float-overflow\"
  double more = d + 1e308;
#pragma CPROVER check pop
}";
    let run = |source: &str| {
        proof(&[("harness.c", source), ("Makefile", "CHECKFLAGS += --nan-check --float-overflow-check\n")])
    };
    let ran = run(source);
    assert!(ran.out.contains("one: safe ("), "{ran:?}");
    for (old, new) in [("d + 1e308", "d - d"), ("\"float-overflow\"", "\"nan\"")] {
        let ran = run(&source.replace(old, new));
        assert!(ran.out.contains("one: unsafe ("), "{new}: {ran:?}");
    }
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
    // The address of an element is a pointer that is moved.
    let element = source.replace("p + n", "&a[n]").replace("n <= 4", "n <= 5");
    let run =
        |flags: &str| proof(&[("harness.c", &element), ("Makefile", &format!("CHECKFLAGS += {flags}\n"))]);
    let ran = run("--pointer-check");
    assert!(ran.out.contains("one: safe ("), "{ran:?}");
    let ran = run("--pointer-check --pointer-overflow-check");
    assert!(is_refuted(&ran.out), "{ran:?}");
}

#[test]
fn offsets_of_accesses_are_numbers_of_the_width_of_pointers() {
    for (flags, word, most) in [("", "unsigned long", "62"), ("COMPILE_FLAGS += -m32\n", "unsigned", "30")] {
        let source = format!(
            "{word} nondet_word(void);
void harness(void) {{
  int a[4], *p = a;
  {word} n = nondet_word();
  __CPROVER_assume(n < 4);
  p[n << 1 >> 1] = 1;
}}"
        );
        let run = |source: &str, check: &str| {
            let makefile = format!("{flags}CHECKFLAGS += --pointer-check {check}\n");
            proof(&[("harness.c", source), ("Makefile", &makefile)])
        };
        let wrapped = source.replace("n << 1 >> 1", &format!("n << {most}"));
        assert!(run(&source, "--pointer-overflow-check").out.contains("one: safe ("), "{source}");
        let ran = run(&wrapped, "--pointer-overflow-check");
        assert!(is_refuted(&ran.out), "{wrapped}: {ran:?}");
        let ran = run(&wrapped, "");
        assert!(ran.out.contains("one: safe ("), "{wrapped}: {ran:?}");
    }
}

#[test]
fn indices_stay_in_the_array_that_they_are_for() {
    let source = "unsigned nondet_unsigned(void);
struct pair { int first[4], second[4]; };
void harness(void) {
  struct pair pair;
  unsigned n = nondet_unsigned();
  if (n < 4)
    pair.first[n] = 1;
}";
    is_checked("--bounds-check", source, "n < 4", "n < 5");
    let inside = source
        .replace("n < 4)", "n < 5)\n#pragma CPROVER check push\n#pragma CPROVER check disable \"bounds\"\n");
    let inside = inside.replace("= 1;", "= 1;\n#pragma CPROVER check pop\n");
    let ran = proof(&[("harness.c", &inside), ("Makefile", "CHECKFLAGS += --bounds-check\n")]);
    assert!(ran.out.contains("one: safe ("), "{inside}: {ran:?}");
}

#[test]
fn overflows_are_told_as_what_they_are() {
    let source = "unsigned nondet_unsigned(void);
int nondet_int(void);
void harness(void) {
  unsigned n = nondet_unsigned() + 1;
  int i = nondet_int() + 1;
}";
    let flags = "CHECKFLAGS += --signed-overflow-check --unsigned-overflow-check\n";
    let folder = folder(&[("one", &[("harness.c", source), ("Makefile", flags)])]);
    let ran = beeline(folder.path(), &["cbmc", "one", "--cbmc-output"]);
    for line in [
        "no-unsigned-overflow in harness at one/harness.c:4:34: FAILURE",
        "no-overflow in harness at one/harness.c:5:24: FAILURE",
    ] {
        assert!(ran.out.contains(line), "{ran:?}");
    }
    let ran = beeline(folder.path(), &["cbmc", "one", "--json"]);
    assert!(
        ran.out.contains("an unsigned integer overflows") && ran.out.contains("a signed integer overflows"),
        "{ran:?}"
    );
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
