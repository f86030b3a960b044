//! Proofs that were written for CBMC: `beeline cbmc` on small folders, and intrinsics of other verifiers in plain files.

use beeline_tests::driver::{Ran, beeline};
use beeline_tests::starter_kit::{folder, proof};
use std::path::Path;
use tempfile::TempDir;

/// Asserts that a harness is proved, and that it is refuted with a change.
fn holds_until(source: &str, old: &str, new: &str) {
    let ran = proof(&[("harness.c", source)]);
    assert!(ran.out.contains("one: safe ("), "{ran:?}");
    assert!(source.contains(old));
    let ran = proof(&[("harness.c", &source.replace(old, new))]);
    assert!(ran.out.contains("one: unsafe (confirmed)"), "{new}: {ran:?}");
}

#[test]
fn a_table_has_a_line_for_each_proof_and_goes_on_behind_those_that_do_not_start() {
    let good = "int nondet_int(void);\nvoid harness() { int x = nondet_int(); __CPROVER_assume(x < LIMIT); __CPROVER_assert(x < 9, \"\"); }";
    let folder = folder(&[
        ("good", &[("harness.c", good)]),
        ("bad", &[("harness.c", &good.replace("x < 9", "x < 8 - (x == 7)"))]),
        ("absent", &[]),
        ("option", &[("harness.c", good), ("Makefile", "CBMCFLAGS += --paths lifo\n")]),
        ("contract", &[("harness.c", good), ("Makefile", "CHECK_FUNCTION_CONTRACTS = f\n")]),
        ("sources", &[("harness.c", good), ("Makefile", "REWRITTEN_SOURCES = f.c\n")]),
        ("dialect", &[("harness.c", "void harness(void) {\n  __CPROVER_new_thing();\n}")]),
        ("broken", &[("harness.c", "void harness(void) { int x = ; }")]),
        ("header", &[("harness.c", "#include \"away.h\"\nvoid harness(void) { }")]),
    ]);
    let names =
        ["good", "bad", "absent", "option", "contract", "sources", "dialect", "broken", "header", "nowhere"];
    let ran = beeline(folder.path(), &[&["cbmc"], &names[..]].concat());
    let lines: Vec<&str> = ran.out.lines().map(|line| line.split(" s  ").last().unwrap()).collect();
    for (line, expected) in lines.iter().zip([
        "good: safe (proof certified)",
        "bad: unsafe (confirmed)",
        "absent: not started: the source absent/harness.c is missing",
        "option: not started: the option --paths in CBMCFLAGS is not supported",
        "contract: not started: no file has a contract of `f`, which the proof asks for",
        "sources: not started: REWRITTEN_SOURCES of the Makefile (f.c) is not supported",
        "dialect: not started: dialect/harness.c:2: `__CPROVER_new_thing` is not supported",
        "broken: not started: the program does not compile",
        "header: not started: header/harness.c:1:10: fatal error: 'away.h' file not found; is it in a git submodule that is absent?",
        "nowhere: not started: nowhere has no Makefile",
        "10 proofs: 1 safe, 1 unsafe, 0 unknown, 8 not started",
    ]) {
        assert_eq!(*line, expected, "{}", ran.err);
    }
    assert_eq!(ran.code, Some(1));
    // Where none is refuted, one that does not start is what there is to be mended.
    assert_eq!(beeline(folder.path(), &["cbmc", "good", "absent"]).code, Some(2));
    assert_eq!(beeline(folder.path(), &["cbmc", "good"]).code, Some(0));
}

#[test]
fn a_parameter_of_a_function_that_is_put_in_place_keeps_its_value() {
    // Its declaration stands behind the store of the argument, in a block that may come again.
    let source = "int nondet_int(void);
struct pair { int first; long second; };
struct large { long a[5]; };
static inline __attribute__((always_inline)) int larger(int a, int b) {
  if (a > b)
    return a;
  return b;
}
static inline __attribute__((always_inline)) long sum(struct pair p) { return p.first + p.second; }
static inline __attribute__((always_inline)) long last(struct large l) { return l.a[4]; }
void harness(void) {
  for (int i = 0; i < 3; i++) {
    int x = nondet_int();
    struct pair p = {i, 4};
    struct large l = {{0, 0, 0, 0, i}};
    __CPROVER_assert(larger(x, i) >= i && sum(p) == i + 4 && last(l) == i, \"\");
  }
}";
    holds_until(source, ">= i &&", "> i &&");
    holds_until(source, "== i + 4", "!= 6");
}

#[test]
fn a_variable_of_a_function_that_is_put_in_place_holds_anything() {
    let source = "_Bool nondet_bool(void);
static inline __attribute__((always_inline)) int turn(int first) {
  int kept = 1;
  if (first)
    kept = 5;
  return kept;
}
void harness(void) {
  for (int i = 0; i < 2; i++)
    __CPROVER_assert(turn(i == 0) == (i == 0 ? 5 : 1), \"\");
}";
    holds_until(source, "int kept = 1;", "int kept;");
}

#[test]
fn a_list_of_arguments_may_be_memory_of_a_harness() {
    let source = "#include <stdarg.h>
#include <stdlib.h>
int print(char *to, const char *format, va_list list);
int twice(char *to, const char *format, va_list list) {
  va_list copy;
  va_copy(copy, list);
  int length = print(0, format, copy);
  va_end(copy);
  return length < 0 ? length : print(to, format, list);
}
int print(char *to, const char *format, va_list list) {
  if (to)
    *to = *format;
  return *(char **)list != 0;
}
void harness(void) {
  void **list = malloc(5 * sizeof(void *));
  char to = 0;
  if (list)
    __CPROVER_assert(twice(&to, \"a\", (void *)list) == 0 || to == 'a', \"\");
}";
    let ran = proof(&[("harness.c", source)]);
    assert!(ran.out.contains("one: safe ("), "{ran:?}");
    let ran = proof(&[("harness.c", &source.replace("5 * sizeof(void *)", "4"))]);
    assert!(ran.out.contains("one: un"), "{ran:?}");
}

#[test]
fn quantifiers_are_about_all_numbers_that_they_say() {
    let source = "#include <stddef.h>
_Bool nondet_bool(void);
void harness(void) {
  unsigned char a[3];
  __CPROVER_assume(__CPROVER_forall { size_t i; i < 3 ==> a[i] <= 7 && a[i] != 5 });
  __CPROVER_assert(a[0] + a[1] + a[2] <= 21, \"\");
  unsigned char seven = 7;
  if (a[0] == 7 || a[1] == 7 || a[2] == 7)
    __CPROVER_assert(__CPROVER_exists { int i; i >= 0 && i < 3 && a[i] == seven }, \"\");
}";
    holds_until(source, "<= 21", "<= 20");
    holds_until(source, "i < 3 &&", "i < 2 &&");
    holds_until(source, "i < 3 ==>", "i < 2 ==>");
}

#[test]
fn bounds_of_quantifiers_are_compared_as_c_compares() {
    // -1 is in the range of no `unsigned char`, but all numbers are above it.
    let source = "void harness(void) {
  unsigned char a[256];
  a[0] = 0;
  __CPROVER_assume(a[200] == 1);
  __CPROVER_assert(!__CPROVER_forall { unsigned char i; i >= -1 && i <= 255 ==> a[i] == 0 }, \"\");
  __CPROVER_assert(__CPROVER_exists { unsigned char i; i >= -1 && i <= 255 && i == 255 }, \"the last one\");
  __CPROVER_assert(__CPROVER_exists { int i; i >= -2 && i < 3u && i == 1 }, \"behind negative ones\");
}";
    holds_until(source, "i == 255 }", "i == 255 && a[i] == 2 }");
    holds_until(source, "i == 1 }", "i == -1 }");
    let all = "__CPROVER_forall { int i; i >= 0u && i < 5 ==> i >= 0 }";
    let ran = proof(&[("harness.c", &format!("void harness(void) {{ __CPROVER_assume({all}); }}"))]);
    assert!(ran.out.contains("not started: the program does not compile"), "{ran:?}");
    assert!(ran.err.contains("a bound without a sign"), "{ran:?}");
    // -1 is above zero there.
    let ran = proof(&[("harness.c", &format!("void harness(void) {{ __CPROVER_assert({all}, \"\"); }}"))]);
    assert!(ran.out.contains("one: unsafe (confirmed)"), "{ran:?}");
}

#[test]
fn one_number_stands_for_all_only_in_assertions_that_need_it() {
    let source = "int nondet_int(void);
void harness(void) {
  int a[3] = {1, 1, nondet_int()};
  _Bool same = a[2] == 1;
  __CPROVER_assert(!same || (__CPROVER_forall { int i; i >= 0 && i < 3 ==> a[i] == 1 } && a[0] == 1), \"\");
  __CPROVER_assert(same || !__CPROVER_forall { int i; i >= 0 && i < 3 ==> a[i] == 1 }, \"\");
}";
    holds_until(source, "!same || (", "(");
    holds_until(source, "same || !", "!");
}

#[test]
fn an_implication_and_a_quantifier_end_where_they_end() {
    let source = "int nondet_int(void);
void harness(void) {
  int a = nondet_int(), b = nondet_int();
  char zero[2] = {0, 1};
  __CPROVER_assume(a == 1 ==> b == 2);
  __CPROVER_assert(a != 1 || b == 2, \"\");
  __CPROVER_assert(__CPROVER_forall { int i; (i >= 0 && i < 2) ==> zero[i] == 0 } || zero[1] == 1, \"\");
}";
    holds_until(source, "a != 1 ||", "a == 1 ||");
    holds_until(source, "zero[1] == 1,", "zero[1] == 2,");
}

#[test]
fn what_may_be_accessed_is_asked_of_the_object() {
    let source = "#include <stdlib.h>
size_t nondet_size(void);
void harness(void) {
  size_t n = nondet_size();
  __CPROVER_assume(n > 0 && n < 9);
  char *p = malloc(n);
  if (!p)
    return;
  __CPROVER_assert(__CPROVER_w_ok(p, n) && __CPROVER_r_ok(p + 1, n - 1), \"inside\");
  __CPROVER_assert(!__CPROVER_r_ok(p, n + 1), \"outside\");
  __CPROVER_assert(__CPROVER_OBJECT_SIZE(p) == n && __CPROVER_POINTER_OFFSET(p + n) == n, \"size\");
  int local;
  __CPROVER_assert(__CPROVER_r_ok(&local) && !__CPROVER_w_ok((char *)&local, 5), \"\");
  __CPROVER_assert(!__CPROVER_same_object(p, &local) && __CPROVER_same_object(p, p + n), \"\");
  __CPROVER_assert(!__CPROVER_r_ok((char *)0, 1), \"null\");
  free(p);
  __CPROVER_assert(!__CPROVER_r_ok(p, 1), \"freed\");
}";
    // Without the check that all pointers that are asked about lead to something.
    let run = |source: &str| {
        proof(&[("harness.c", source), ("Makefile", "CHECKFLAGS += --no-pointer-primitive-check\n")])
    };
    let ran = run(source);
    assert!(ran.out.contains("one: safe ("), "{ran:?}");
    for (old, new) in [
        ("!__CPROVER_r_ok(p, n + 1)", "__CPROVER_r_ok(p, n + 1)"),
        ("__CPROVER_w_ok(p, n)", "__CPROVER_w_ok(p, n + 1)"),
        ("OBJECT_SIZE(p) == n", "OBJECT_SIZE(p) != n"),
        ("OFFSET(p + n) == n", "OFFSET(p + n) != n"),
        ("!__CPROVER_w_ok((char *)&local, 5)", "__CPROVER_w_ok((char *)&local, 5)"),
        ("!__CPROVER_same_object(p, &local)", "__CPROVER_same_object(p, &local)"),
        ("!__CPROVER_r_ok((char *)0, 1)", "__CPROVER_r_ok((char *)0, 1)"),
        ("!__CPROVER_r_ok(p, 1)", "__CPROVER_r_ok(p, 1)"),
    ] {
        assert!(source.contains(old));
        let ran = run(&source.replace(old, new));
        assert!(!ran.out.contains("one: safe"), "{new}: {ran:?}");
    }
}

/// What comes of a proof whose pointers may lead anywhere.
fn far(source: &str) -> Ran {
    let flags = "CHECKFLAGS += --no-pointer-primitive-check --no-pointer-overflow-check\n";
    proof(&[("harness.c", source), ("Makefile", flags)])
}

#[test]
fn a_pointer_keeps_its_object_where_it_leads_out_of_it() {
    let source = "void harness(void) {
  char a[4], b[4], *p = a, *q = b;
  p = p - 1;
  __CPROVER_assert(__CPROVER_same_object(p, a) && !__CPROVER_same_object(p, b), \"\");
  __CPROVER_assert(__CPROVER_OBJECT_SIZE(p) == 4 && __CPROVER_POINTER_OFFSET(p) == -1ul, \"\");
  int which = __CPROVER_same_object(q, a);
  __CPROVER_assert(!which, \"\");
}";
    let ran = far(source);
    assert!(ran.out.contains("one: safe ("), "{ran:?}");
    let unknown = source
        .replace("*p = a,", "*p = which_one() ? a : b,")
        .replace("void har", "int which_one(void);\nvoid har");
    for wrong in [
        source.replace("__CPROVER_same_object(p, a)", "!__CPROVER_same_object(p, a)"),
        source.replace("(p) == 4", "(p) != 4"),
        unknown.clone(),
        unknown.replace("__CPROVER_same_object(p, a) && ", "!__CPROVER_same_object(p, a) && "),
    ] {
        let ran = far(&wrong);
        assert!(!ran.out.contains("one: safe"), "{wrong}: {ran:?}");
    }
}

/// A number that was made a pointer leads to no object, though the pointer may lead to just one.
#[test]
fn a_pointer_that_is_a_number_leads_to_no_object() {
    let source = "int nondet_int(void);
void harness(void) {
  char a[4], *p = nondet_int() ? a : (char *)-1;
  __CPROVER_assert(p == (char *)-1 || __CPROVER_same_object(p, a), \"\");
}";
    let ran = far(source);
    assert!(ran.out.contains("one: safe ("), "{ran:?}");
    for wrong in ["__CPROVER_same_object(p, a)", "!__CPROVER_same_object(p, a)"] {
        let ran = far(&source.replace("p == (char *)-1 || __CPROVER_same_object(p, a)", wrong));
        assert!(!ran.out.contains("one: safe"), "{wrong}: {ran:?}");
    }
}

#[test]
fn arguments_of_questions_are_evaluated_once() {
    let source = "void harness(void) {
  char a[4], *p = a, *q = a;
  __CPROVER_assert(__CPROVER_r_ok(p++, 1) && p == a + 1, \"\");
  __CPROVER_assert(__CPROVER_OBJECT_SIZE(q++) == 4 && q == a + 1, \"\");
}";
    holds_until(source, "p == a + 1", "p == a + 2");
}

#[test]
fn operands_of_an_overflow_have_the_type_of_the_result() {
    let source = "unsigned long nondet_ulong(void);
void harness(void) {
  int minus = -1;
  unsigned one = 1;
  unsigned long four = nondet_ulong();
  __CPROVER_assume(four == 4);
  __CPROVER_assert(__CPROVER_overflow_plus(minus, one) && __CPROVER_overflow_minus(one, minus), \"\");
  __CPROVER_assert(!__CPROVER_overflow_plus((short)32767, one) && __CPROVER_overflow_plus(four, minus), \"\");
  __CPROVER_assert(!__CPROVER_overflow_mult((unsigned char)255, (signed char)-128), \"\");
}";
    holds_until(source, "!__CPROVER_overflow_plus((short)32767", "__CPROVER_overflow_plus((short)32767");
}

#[test]
fn a_local_array_of_a_length_that_is_computed_leaves_the_rest_as_it_is() {
    let source = "unsigned nondet_unsigned(void);
void harness(void) {
  unsigned n = nondet_unsigned(), x;
  __CPROVER_assume(n > 0 && n < 4);
  char a[n];
  a[n - 1] = 3;
  __CPROVER_assert(a[n - 1] == 3 && (x == 0 || x != 0), \"\");
}";
    holds_until(source, "(x == 0 || x != 0)", "x == 0");
}

#[test]
fn an_object_that_is_havocked_holds_anything() {
    let source = "void harness(void) {
  int a[2] = {1, 1}, b = 1;
  __CPROVER_assert(a[0] == 1 && a[1] == 1, \"before\");
  __CPROVER_assert(b == 1, \"\");
}";
    let ran = proof(&[("harness.c", source)]);
    assert!(ran.out.contains("one: safe"), "{ran:?}");
    // The pointer is to the middle: all of the object is meant.
    let havoc =
        source.replace("  __CPROVER_assert(a", "  __CPROVER_havoc_object(&a[1]);\n  __CPROVER_assert(a");
    let ran = proof(&[("harness.c", &havoc)]);
    assert!(!ran.out.contains("one: safe"), "{ran:?}");
    let first = havoc.replace(" && a[1] == 1", "");
    let ran = proof(&[("harness.c", &first)]);
    assert!(!ran.out.contains("one: safe"), "{ran:?}");
}

#[test]
fn an_uninterpreted_function_is_a_function_and_nothing_more() {
    let source = "int __CPROVER_uninterpreted_hash(const char *key, unsigned n);
int __CPROVER_uninterpreted_hash(const void *key, unsigned);
void harness(void) {
  char a, b;
  int x = __CPROVER_uninterpreted_hash(&a, 1), y = __CPROVER_uninterpreted_hash(&a, 1);
  int z = __CPROVER_uninterpreted_hash(&b, 1);
  __CPROVER_assert(x == y, \"\");
}";
    holds_until(source, "x == y,", "x == z,");
}

#[test]
fn statics_bodies_and_definitions_are_whose_the_proof_says() {
    let project = "#include <string.h>
static int twice(int n) { return n + n; }
int hidden(int n) { return 7; }
int shared(void) { return 1; }
int get(int n) { char a[2] = {1, 2}, b[2] = {3, 4}; memcpy(a, b, n); return twice(n) + hidden(n) + a[0]; }
";
    let harness = "#include <stddef.h>
int __CPROVER_file_local_code_c_twice(int);
int hidden(int), get(int), shared(void);
void *memcpy(void *to, const void *from, unsigned long n) { return to; }
int shared(void) { return 2; }
void harness(void) {
  __CPROVER_assert(__CPROVER_file_local_code_c_twice(3) == 6, \"\");
  __CPROVER_assert(shared() == 2, \"the one of the proof\");
  __CPROVER_assert(get(1) - 1 != 0 || hidden(0) != 5, \"any\");
}";
    let makefile = "PROJECT_SOURCES += code.c\nREMOVE_FUNCTION_BODY += hidden\n";
    let run = |harness: &str, makefile: &str| {
        proof(&[("harness.c", harness), ("code.c", project), ("Makefile", makefile)])
    };
    // What was removed returns anything, so that the last assertion can fail.
    let ran = run(harness, makefile);
    assert!(!ran.out.contains("one: safe"), "{ran:?}");
    let ran = run(&harness.replace("get(1) - 1 != 0 || hidden(0) != 5", "1"), makefile);
    assert!(ran.out.contains("one: safe"), "{ran:?}");
    for (old, new) in [("twice(3) == 6", "twice(3) == 7"), ("shared() == 2", "shared() == 1")] {
        let ran = run(&harness.replace(old, new), makefile);
        assert!(ran.out.contains("one: unsafe (confirmed)"), "{new}: {ran:?}");
    }
    // With all bodies, what `get` returns shows whose copy was called: that of the proof copies nothing.
    let ran = run(
        &harness.replace("get(1) - 1 != 0 || hidden(0) != 5", "get(1) == 10"),
        "PROJECT_SOURCES += code.c\n",
    );
    assert!(ran.out.contains("one: safe"), "{ran:?}");
}

#[test]
fn functions_are_seen_that_were_declared_so() {
    let code =
        "int half(int);\nint get(int n) { return half(n); }\n    static int half(int n) { return n / 2; }\n";
    let harness = "int half(int);\nvoid harness(void) { __CPROVER_assert(half(4) == 2, \"\"); }";
    let makefile = ("Makefile", "PROJECT_SOURCES += code.c\n");
    let ran = proof(&[("harness.c", harness), ("code.c", code), makefile]);
    assert!(ran.out.contains("one: safe (proof certified)"), "{ran:?}");
    // One that is static all along is another one, of which nothing is known.
    let kept = code.replace("int half(int);", "static int half(int);");
    let ran = proof(&[("harness.c", harness), ("code.c", &kept), makefile]);
    assert!(!ran.out.contains("one: safe (proof certified)"), "{ran:?}");
}

#[test]
fn structures_are_compared_as_wholes() {
    let source = "int nondet_int(void);
struct pair { int one, two; };
void harness(void) {
  struct pair a = {1, 2}, *p = &a;
  struct pair b = a;
  __CPROVER_assert(a == b && p == &a, \"\");
  b.two = nondet_int();
  __CPROVER_assume(b.two != 2);
  __CPROVER_assert(a != b, \"\");
}";
    holds_until(source, "b.two != 2", "b.two != 3");
}

#[test]
fn members_and_what_pointers_lead_to_are_compared_as_wholes() {
    let source = "int nondet_int(void);
struct pair { int one, two; };
struct two { struct pair *first; struct pair second; unsigned bits : 3; };
void harness(void) {
  struct pair a = {1, nondet_int()}, b[2] = {a, a};
  struct two t = {&a, b[1], 5}, u = t;
  __CPROVER_assert(*t.first == t.second && (*t.first) == b[1], \"\");
  __CPROVER_assert(u.bits == t.bits && b[0].one == t.first->one, \"\");
  t.first->two = nondet_int();
  __CPROVER_assume(b->two != t.first->two);
  __CPROVER_assert(*t.first != u.second, \"\");
}";
    holds_until(source, "b->two !=", "b->one ==");
    holds_until(source, "(*t.first) == b[1]", "(*t.first) != b[1]");
}

#[test]
fn a_slice_that_is_havocked_holds_anything_and_nothing_else_does() {
    let source = "#include <stdlib.h>
void harness(void) {
  unsigned char a[6] = {1, 1, 1, 1, 1, 1};
  __CPROVER_havoc_slice(a + 2, 3);
  __CPROVER_assert(a[0] == 1 && a[1] == 1 && a[5] == 1, \"\");
}";
    holds_until(source, "a[1] == 1", "a[2] == 1");
    holds_until(source, "a[1] == 1", "a[4] == 1");
    holds_until(source, "a + 2, 3", "a + 2, 5");
}

#[test]
fn structures_with_constant_members_are_assigned() {
    let source = "int nondet_int(void);
struct entry { const int key; const char *const name; };
static const struct entry table[2] = {{3, 0}, {4, 0}};
void harness(void) {
  struct entry e;
  int i = nondet_int();
  __CPROVER_assume(i >= 0 && i < 2);
  e = table[i];
  __CPROVER_assert(e.key <= 4 && e.name == 0, \"\");
}";
    holds_until(source, "e.key <= 4", "e.key <= 3");
}

#[test]
fn a_static_function_without_its_body_is_one_of_the_program() {
    let code = "static int hidden(int n) { return 1 / n; }\nint get(void) { return hidden(0); }\n";
    let harness = "int get(void);\nvoid harness(void) { __CPROVER_assert(get() < 5, \"\"); }";
    let makefile = "PROJECT_SOURCES += code.c\nREMOVE_FUNCTION_BODY += __CPROVER_file_local_code_c_hidden\n";
    let run = |harness: &str| proof(&[("harness.c", harness), ("code.c", code), ("Makefile", makefile)]);
    let ran = run(&harness.replace("< 5", "< 5 || 1"));
    assert!(ran.out.contains("one: safe (under 1 assumption"), "{ran:?}");
    // It returns anything.
    let ran = run(harness);
    assert!(!ran.out.contains("one: safe"), "{ran:?}");
}

#[test]
fn functions_without_a_body_call_nothing() {
    let source = "#include <signal.h>
#include <time.h>
int start(int, void (*)(int *));
int nondet_int(void);
static int calls;
static void back(int *p) { calls = 1; *p = 2; }
void harness(void) {
  timer_t timer;
  int done = start(nondet_int(), back), made = timer_create(CLOCK_REALTIME, 0, &timer);
  __CPROVER_assert(calls == 0, \"nobody calls back\");
  __CPROVER_assert(1, \"\");
}";
    let ran = proof(&[("harness.c", source)]);
    // The third is about what the variable `timer` holds at first.
    assert!(ran.out.contains("one: safe (under 3 assumptions"), "{ran:?}");
    // What they return is not known.
    for (new, verdict) in [("done != 7", "done"), ("made != 7", "made")] {
        let ran = proof(&[("harness.c", &source.replace("assert(1", &format!("assert({new}")))]);
        assert!(ran.out.contains("one: unknown"), "{verdict}: {ran:?}");
    }
    // What has something run later is still refused.
    let later = "int on_exit(void (*)(int, void *), void *);\nstatic void back(int n, void *p) { }
void harness(void) { on_exit(back, 0); __CPROVER_assert(1, \"\"); }";
    let ran = proof(&[("harness.c", later)]);
    assert!(ran.out.contains("on_exit (a function that runs at exit) is not supported"), "{ran:?}");
}

#[test]
fn sources_are_made_by_whatever_path_the_makefile_has_for_them() {
    let harness = "int get(void);\nvoid harness(void) { __CPROVER_assert(get() == 1, \"\"); }";
    let makefile = "PROOF_SOURCES += $(CURDIR)/made.c\n$(CURDIR)/made.c: made.in\n\tcp $< $@\n";
    let folder = folder(&[(
        "one",
        &[("harness.c", harness), ("made.in", "int get(void) { return 1; }"), ("Makefile", makefile)],
    )]);
    let one = folder.path().join("one");
    let ran = beeline(folder.path(), &["cbmc", one.to_str().unwrap()]);
    assert!(ran.out.contains("one: safe"), "{ran:?}");
}

#[test]
fn what_is_true_is_one() {
    let source = "#include <ctype.h>
char nondet_char(void);
void harness(void) {
  int is = (isspace)(nondet_char());
  __CPROVER_assert(is == 0 || is == 1, \"\");
}";
    let ran = proof(&[("harness.c", source)]);
    assert!(ran.out.contains("one: safe (under 1 assumption"), "{ran:?}");
    let ran = proof(&[("harness.c", &source.replace("is == 0 ||", ""))]);
    assert!(ran.out.contains("one: unsafe (confirmed)"), "{ran:?}");
}

#[test]
fn flags_may_be_in_the_wrong_variable_and_quoted() {
    let source = "int seen = 1;\nvoid harness(void) { __CPROVER_assert(seen == 1, \"\"); }";
    let ran = proof(&[("harness.c", source), ("Makefile", "COMPILE_FLAGS += --object-bits 8 -DA\n")]);
    assert!(ran.out.contains("one: safe"), "{ran:?}");
    let ran = proof(&[("harness.c", source), ("Makefile", "APPLY_LOOP_CONTRACTS ?= 0\n")]);
    assert!(ran.out.contains("one: safe") && !ran.out.contains("not checked"), "{ran:?}");
    for anything in ["NONDET_STATIC += \"--nondet-static\"\n", "CBMCFLAGS += --nondet-static\n"] {
        let ran = proof(&[("harness.c", source), ("Makefile", anything)]);
        assert!(ran.out.contains("one: unsafe (confirmed)"), "{ran:?}");
    }
}

#[test]
fn definitions_may_differ_from_headers() {
    let source = "#include <sys/socket.h>
#include <stdio.h>
#include <stdarg.h>
int setsockopt(int socket, long level, int name, void *value) { return 3; }
#include \"own.h\"
_Bool told(enum kind *k) { return *k; }
void *__builtin___memcpy_chk(void *to, const void *from, unsigned long n, unsigned long size) { return to; }
void harness(void) { __CPROVER_assert(setsockopt(1, 2, 3, 0) == 3, \"\"); }";
    let header = ("own.h", "_Bool told(enum kind *k);\nenum kind { PLAIN };\n");
    let ran = proof(&[("harness.c", source), header]);
    assert!(ran.out.contains("one: safe ("), "{ran:?}");
    let ran = proof(&[("harness.c", &source.replace("== 3, ", "== 4, ")), header]);
    assert!(ran.out.contains("one: unsafe (confirmed)"), "{ran:?}");
}

#[test]
fn checks_are_those_that_the_makefile_asks_for() {
    let source = "int nondet_int(void);
void harness(void) {
  int x = nondet_int();
  x = x + 1;
}";
    assert!(proof(&[("harness.c", source)]).out.contains("one: unsafe (confirmed)"));
    let without = "CHECKFLAGS += --no-signed-overflow-check\n";
    assert!(proof(&[("harness.c", source), ("Makefile", without)]).out.contains("one: safe"));
    let allocates = "#include <stdlib.h>\nvoid harness(void) { char *p = malloc(1); *p = 1; free(p); }";
    assert!(proof(&[("harness.c", allocates)]).out.contains("one: unsafe (confirmed)"));
    let succeeds = "CBMC_FLAG_MALLOC_MAY_FAIL = --no-malloc-may-fail\n";
    assert!(proof(&[("harness.c", allocates), ("Makefile", succeeds)]).out.contains("one: safe"));
}

#[test]
fn unsigned_overflows_are_checked_where_nobody_lets_them_be() {
    let source = "unsigned nondet_unsigned(void);
#pragma CPROVER check push
#pragma CPROVER check disable \"unsigned-overflow\"
unsigned left(unsigned n) { return n + 1; }
#pragma CPROVER check pop
unsigned kept(unsigned n) { return n - (n > 0); }
void harness(void) { unsigned n = nondet_unsigned(); __CPROVER_assert(left(n) == kept(n) + 1 + (n > 0), \"\"); }";
    let makefile = ("Makefile", "CHECKFLAGS += --unsigned-overflow-check\n");
    let run = |source: &str| proof(&[("harness.c", source), makefile]);
    let inside = source.replace("left(n) == kept(n) + 1 + (n > 0)", "(left(n) != 3) | (kept(n) == 1)");
    let ran = run(&inside);
    assert!(ran.out.contains("one: safe"), "{ran:?}");
    // The harness's own sum, one behind the end of what is left out, and one where nothing is left out.
    for source in [
        source.to_string(),
        inside.replace("n - (n > 0)", "n - 1"),
        inside.replace("check disable", "check enable"),
    ] {
        let ran = run(&source);
        assert!(ran.out.contains("one: unsafe (confirmed)"), "{source}: {ran:?}");
    }
    // Without the option nobody looks.
    let ran = proof(&[("harness.c", &inside.replace("n - (n > 0)", "n - 1").replace("(kept(n) == 1)", "1"))]);
    assert!(ran.out.contains("one: safe"), "{ran:?}");
}

#[test]
fn places_are_those_of_the_files() {
    let source = "#include <stddef.h>
#define ALL(p) __CPROVER_forall { int i; \\
    (i >= 0 && i < 2) ==> p[i] == 0 }

void harness(void) {
  char a[2];
  __CPROVER_assume(ALL(a));
  __CPROVER_assert(a[1] == 1,
                   \"one\");
}";
    let folder = folder(&[("one", &[("harness.c", source)])]);
    let ran = beeline(folder.path(), &["cbmc", "one", "--cbmc-output"]);
    assert!(ran.out.contains("__CPROVER_assert in harness at one/harness.c:8:3: FAILURE"), "{ran:?}");
}

#[test]
fn a_proof_whose_harness_never_ends_is_hollow() {
    let source = "int nondet_int(void);
static int half(int n) { return n / 2; }
void harness(void) {
  int n = nondet_int();
  __CPROVER_assume(n > 3 && n < 9);
  int m = half(n);
  __CPROVER_assert(m < 5, \"\");
}";
    let ran = proof(&[("harness.c", source)]);
    assert!(ran.out.contains("one: safe") && !ran.out.contains("hollow"), "{ran:?}");
    let ran = proof(&[("harness.c", &source.replace("n < 9", "n < 2"))]);
    let expected = "hollow: no execution gets to the end of harness, one/harness.c:8; the first line that none gets to is one/harness.c:6";
    assert!(ran.out.contains("one: safe") && ran.out.contains(expected), "{ran:?}");
}

fn check(folder: &Path, source: &str, arguments: &[&str]) -> Ran {
    std::fs::write(folder.join("a.c"), source).unwrap();
    beeline(folder, &[&["check", "a.c", "--every"], arguments].concat())
}

#[test]
fn assertions_of_other_verifiers_are_targets_of_their_own_and_confirmed() {
    let folder = TempDir::new().unwrap();
    let source = "extern void __CPROVER_assert(_Bool, const char *);\nextern void __ESBMC_assert(int, const char *);
extern void klee_make_symbolic(void *, unsigned long, const char *);\nint main(void) {\n  char x;\n  klee_make_symbolic(&x, 1, \"x\");
  __CPROVER_assert(x != 7, \"\");\n  __ESBMC_assert(x != 8, \"\");\n  __CPROVER_assert(x != 7, \"\");\n  return 0;\n}\n";
    let ran = check(folder.path(), source, &[]);
    for line in [
        "unsafe  a.c:7  unreach-call in main (confirmed)",
        "unsafe  a.c:8  unreach-call in main (confirmed)",
        "safe    a.c:9  unreach-call in main (proof certified)",
    ] {
        assert!(ran.out.contains(line), "{line}: {ran:?}");
    }
    // Where nobody asks for assertions, the execution goes on behind one that fails.
    let null = "extern void __CPROVER_assert(_Bool, const char *);\nint main(void) {\n  int *p = 0;\n  __CPROVER_assert(p != 0, \"\");\n  return *p;\n}\n";
    let ran = check(folder.path(), null, &["--property", "valid-deref"]);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{ran:?}");
}

#[test]
fn intrinsics_that_are_not_understood_are_refused_by_name() {
    let folder = TempDir::new().unwrap();
    for name in [
        "__CPROVER_is_fresh",
        "__ESBMC_memory_leak_checks",
        "klee_get_errno_addr",
        "__SEAHORN_size",
        "sea_is_dereferenceable",
        "__SMACK_code",
        "__VERIFIER_weather",
    ] {
        let source = format!("extern int {name}();\nint main(void) {{\n  return {name}(1);\n}}\n");
        let ran = check(folder.path(), &source, &[]);
        let expected = format!(
            "verdict: unknown (a.c:3:10: function main: {name} (an intrinsic of another verifier) is not supported"
        );
        assert!(ran.verdict().starts_with(&expected), "{ran:?}");
    }
}
