//! Contracts in proofs that were written for CBMC: functions whose contracts are checked, functions for which contracts stand, and
//! invariants of loops.

use beeline_tests::driver::{Ran, beeline};
use beeline_tests::starter_kit::{folder, proof};

/// A function that is checked, as its contract is used from a predicate.
const CHECKED: &str = "#include <stddef.h>
static int limit = 10;
int table[4];
_Bool valid(int *p, const char *q, size_t n) {
  return (n > 0) & __CPROVER_is_fresh(p, sizeof(*p)) && (q == NULL || __CPROVER_is_fresh(q, n));
}
int add(int *p, const char *q, size_t n)
__CPROVER_requires(valid(p, q, n) && *p >= 0 && *p < 100)
__CPROVER_assigns(*p; q != NULL: table[0])
__CPROVER_ensures(*p == __CPROVER_old(*p) + 1)
__CPROVER_ensures(__CPROVER_return_value == (q ? q[n - 1] : 0));
int add(int *p, const char *q, size_t n) {
  *p += 1;
  if (!q)
    return 0;
  table[0] = 5;
  return q[n - 1];
}
void harness(void) {
  int *p;
  const char *q;
  size_t n;
  add(p, q, n);
}";

/// A function of which only its contract counts.
const REPLACED: &str = "#include <stddef.h>
int other = 3;
int take(int *p, char *q, size_t n)
__CPROVER_requires(__CPROVER_is_fresh(p, sizeof(*p)) && *p > 0)
__CPROVER_requires(q == NULL || __CPROVER_is_fresh(q, n))
__CPROVER_assigns(*p; q != NULL: __CPROVER_object_upto(q, n))
__CPROVER_ensures(*p == __CPROVER_old(*p) + 1)
__CPROVER_ensures(__CPROVER_return_value >= 0 && __CPROVER_return_value < 3);
int take(int *p, char *q, size_t n) {
  __CPROVER_assert(0, \"the body\");
  return 7;
}
void harness(void) {
  int x = 1, y = 5;
  char a[2] = {1, 1}, b[2] = {1, 1};
  int r = take(&x, a, 1);
  __CPROVER_assert(x == 2, \"\");
  __CPROVER_assert(r >= 0 && r < 3, \"\");
  __CPROVER_assert(y == 5 && other == 3 && b[0] == 1 && a[1] == 1, \"\");
  int s = take(&x, NULL, 1);
  __CPROVER_assert(a[1] == 1 && x == 3, \"\");
}";

const CHECKS_ADD: &str = "CHECK_FUNCTION_CONTRACTS = add\n";
const USES_TAKE: &str = "USE_FUNCTION_CONTRACTS = take\n";

fn run(source: &str, makefile: &str) -> Ran {
    proof(&[("harness.c", source), ("Makefile", makefile)])
}

/// Asserts that a proof is refuted with each of some changes. What new objects hold is nothing that a program can be told, so that
/// not all errors are confirmed.
fn fails_with(source: &str, makefile: &str, changes: &[(&str, &str)]) {
    for (old, new) in changes {
        assert!(source.contains(old), "{old}");
        let ran = run(&source.replacen(old, new, 1), makefile);
        let found = ["one: unsafe (confirmed)", "one: unknown (unconfirmed counterexample"];
        assert!(found.iter().any(|found| ran.out.contains(found)), "{new}: {ran:?}");
    }
}

#[test]
fn a_function_keeps_the_contract_that_is_checked() {
    let ran = run(CHECKED, CHECKS_ADD);
    assert!(ran.out.contains("one: safe (") && !ran.out.contains("hollow"), "{ran:?}");
    fails_with(
        CHECKED,
        CHECKS_ADD,
        &[
            ("(*p) + 1)", "(*p) + 2)"),
            // What is not required is not there, and both ways of `||` are.
            ("valid(p, q, n) && ", ""),
            ("  if (!q)\n    return 0;\n", ""),
            // Of variables with static lifetime nothing is known.
            ("    return 0;", "    return limit != 10;"),
            // What is assigned besides: a static variable, another object, under another condition.
            ("*p += 1;", "*p += 1; if (n == 3) limit = 11;"),
            ("table[0] = 5", "*(char *)q = 1"),
            ("q != NULL: table", "q == NULL: table"),
        ],
    );
}

#[test]
fn a_part_of_an_object_is_told_from_the_rest() {
    for (old, new) in [("table[0] = 5", "table[1] = 5"), ("return q[n - 1];", "return q[n];")] {
        let ran = run(&CHECKED.replace(old, new), CHECKS_ADD);
        assert!(!ran.out.contains("one: safe"), "{new}: {ran:?}");
    }
    let ran =
        run(&CHECKED.replace("table[0])", "table)").replace("table[0] = 5", "table[1] = 5"), CHECKS_ADD);
    assert!(ran.out.contains("one: safe"), "{ran:?}");
}

/// A function whose contract asks for objects of words of each width.
const WORDS: &str = "#include <stdint.h>
struct both { uint32_t word; uint8_t bytes[4]; };
void step(uint64_t *count, uint16_t *table, struct both *both, uint8_t *odd)
__CPROVER_requires(__CPROVER_is_fresh(count, sizeof(*count)) && __CPROVER_is_fresh(table, 4 * sizeof(*table)))
__CPROVER_requires(__CPROVER_is_fresh(both, sizeof(*both)) && __CPROVER_is_fresh(odd, 3))
__CPROVER_assigns(*count, table[2], both->bytes[1], odd[2])
__CPROVER_ensures(*count == __CPROVER_old(*count) / 2);
void step(uint64_t *count, uint16_t *table, struct both *both, uint8_t *odd) {
  *count /= 2;
  table[2] = 7;
  both->bytes[1] = 8;
  odd[2] = 9;
}
void harness(void) {
  uint64_t *count;
  uint16_t *table;
  struct both *both;
  uint8_t *odd;
  step(count, table, both, odd);
}";

#[test]
fn each_byte_of_a_word_is_looked_at() {
    let makefile = "CHECK_FUNCTION_CONTRACTS = step\n";
    let ran = run(WORDS, makefile);
    assert!(ran.out.contains("one: safe (") && !ran.out.contains("hollow"), "{ran:?}");
    for (old, new) in [
        ("assigns(*count, ", "assigns("),
        ("table[2] = 7", "table[3] = 7"),
        ("table[2] = 7", "((uint8_t *)table)[6] = 7"),
        ("bytes[1] = 8", "bytes[2] = 8"),
        ("bytes[1] = 8", "word = 8"),
        ("bytes[1], odd", "word, odd"),
        ("odd[2] = 9", "odd[1] = 9"),
        // A part of what is assigned is none of it.
        ("assigns(*count, table[2], ", "assigns(*(uint32_t *)count, table[2], "),
        ("table[2], both", "*(uint8_t *)&table[2], both"),
    ] {
        assert!(WORDS.contains(old));
        let ran = run(&WORDS.replace(old, new), makefile);
        assert!(!ran.out.contains("one: safe"), "{new}: {ran:?}");
    }
}

#[test]
fn a_contract_that_stands_for_a_function_is_all_that_is_known_of_it() {
    let ran = run(REPLACED, USES_TAKE);
    assert!(ran.out.contains("one: safe ("), "{ran:?}");
    fails_with(
        REPLACED,
        USES_TAKE,
        &[
            ("a[1] == 1, ", "a[0] == 1, "),
            ("r >= 0 && r < 3", "r >= 0 && r < 2"),
            ("x == 2", "x == 1"),
            ("x == 3", "r == s"),
            ("int x = 1", "int x = 0"),
            ("assigns(*p;", "assigns(*p, other;"),
            ("(*p) + 1)", "(*p) + 2)"),
        ],
    );
    // What is required: memory of their own, and so much of it, which a program that runs cannot tell.
    for (new, expected) in
        [("take(&x, (char *)&x, 1)", "one: unsafe (confirmed)"), ("take(&x, a, 3)", "one: unknown")]
    {
        let ran = run(&REPLACED.replace("take(&x, a, 1)", new), USES_TAKE);
        assert!(ran.out.contains(expected), "{new}: {ran:?}");
    }
}

#[test]
fn contracts_that_stand_for_functions_can_be_ignored() {
    let folder = folder(&[("one", &[("harness.c", REPLACED), ("Makefile", USES_TAKE)])]);
    let ran = beeline(folder.path(), &["cbmc", "one", "--ignore-contracts"]);
    assert!(ran.out.contains("one: unsafe (confirmed)"), "{ran:?}");
}

#[test]
fn what_is_fresh_under_a_choice_need_not_be() {
    let source = "#include <stddef.h>
int get(char *p, unsigned n)
__CPROVER_requires(__CPROVER_is_fresh(p, 1) || (n == 5 && __CPROVER_is_fresh(p, 2)))
__CPROVER_ensures(1);
int get(char *p, unsigned n) { __CPROVER_assert(n != 5 || __CPROVER_OBJECT_SIZE(p) == 1, \"\"); return 0; }
void harness(void) { char *p; unsigned n; get(p, n); }";
    let ran = run(source, "CHECK_FUNCTION_CONTRACTS = get\n");
    assert!(!ran.out.contains("one: safe"), "{ran:?}");
    let ran = run(&source.replace(" == 1,", " <= 2,"), "CHECK_FUNCTION_CONTRACTS = get\n");
    assert!(ran.out.contains("one: safe"), "{ran:?}");
}

#[test]
fn a_function_that_calls_itself_does_not_believe_its_own_contract() {
    let source = "int down(int n)
__CPROVER_requires(n >= 0 && n < 4)
__CPROVER_ensures(__CPROVER_return_value == 0);
int down(int n) { return n == 1 ? down(9) : n == 9 ? 0 : 0; }
void harness(void) { int n; down(n); }";
    let makefile = "CHECK_FUNCTION_CONTRACTS_REC = down\n";
    let ran = run(source, makefile);
    assert!(ran.out.contains("one: safe"), "{ran:?}");
    // Were what it requires assumed of 9 as well, nothing could fail behind that.
    fails_with(source, makefile, &[("n == 9 ? 0", "n == 9 ? 1")]);
}

#[test]
fn a_pointer_in_a_range_is_any_in_it() {
    let source = "#include <stddef.h>
char *middle(char *from, char *to)
__CPROVER_requires(__CPROVER_is_fresh(from, 4) && __CPROVER_pointer_in_range_dfcc(from, to, from + 4))
__CPROVER_ensures(__CPROVER_pointer_in_range_dfcc(from, __CPROVER_return_value, to));
char *middle(char *from, char *to) { return from + (to - from) / 2; }
void harness(void) { char *from, *to; middle(from, to); }";
    let makefile = "CHECK_FUNCTION_CONTRACTS = middle\n";
    let ran = run(source, makefile);
    assert!(ran.out.contains("one: safe") && !ran.out.contains("hollow"), "{ran:?}");
    for (old, new) in [("/ 2", "* 2"), ("return from", "if (to == from + 4) return to + 1; return from")] {
        let ran = run(&source.replace(old, new), makefile);
        assert!(!ran.out.contains("one: safe"), "{new}: {ran:?}");
    }
}

#[test]
fn contracts_belong_to_functions_of_other_files() {
    let header = (
        "own.h",
        "_Bool valid(int *p);\nint twice(int *p)\n__CPROVER_requires(valid(p))\n__CPROVER_assigns(*p)\n__CPROVER_ensures(__CPROVER_return_value == 2 * *p);\n",
    );
    let harness = ("harness.c", "#include \"own.h\"\nvoid harness(void) { int *p; twice(p); }\n");
    let predicate = (
        "valid.c",
        "#include \"own.h\"\n_Bool valid(int *p) { return __CPROVER_is_fresh(p, sizeof *p) && *p >= 0 && *p < 9; }\n",
    );
    let code = "int twice(int *p) { *p = *p + 1; return *p + *p; }\n";
    let makefile = (
        "Makefile",
        "CHECK_FUNCTION_CONTRACTS = twice\nPROOF_SOURCES += valid.c\nPROJECT_SOURCES += code.c\ncode.c: code.in\n\t$(LITANI) add-job --command 'sed s/WHOLE/int/ code.in' --stdout-file code.c --pipeline-name x\n",
    );
    let run = |code: &str| {
        proof(&[header, harness, predicate, makefile, ("code.in", &code.replace("int twice", "WHOLE twice"))])
    };
    let ran = run(code);
    assert!(ran.out.contains("one: safe") && !ran.out.contains("hollow"), "{ran:?}");
    let ran = run(&code.replace("*p + *p", "*p + 1"));
    assert!(ran.out.contains("one: unknown (unconfirmed counterexample"), "{ran:?}");
}

#[test]
fn an_invariant_is_checked_and_not_believed() {
    let source = "unsigned nondet_unsigned(void);
void harness(void) {
  unsigned n = nondet_unsigned(), i = 0;
  __CPROVER_assume(n < 5);
  for (; i < n; i++)
  __CPROVER_assigns(i) __CPROVER_loop_invariant(i <= n && n < 5) __CPROVER_decreases(n - i)
  {
    i += n == 4;
  }
  __CPROVER_assert(i < 5, \"\");
}";
    let applied = "APPLY_LOOP_CONTRACTS = 1\n";
    let ran = run(source, applied);
    assert!(ran.out.contains("one: safe"), "{ran:?}");
    fails_with(source, applied, &[("i <= n && n < 5", "i < 3 && n < 4"), ("i < 5, ", "i < 4, ")]);
    // A proof that does not ask for it has no invariant.
    let ran = run(&source.replace("i <= n && n < 5", "i < 3 && n < 4"), "");
    assert!(ran.out.contains("one: safe"), "{ran:?}");
}

#[test]
fn an_invariant_is_checked_in_a_loop_without_braces() {
    let source = "unsigned nondet_unsigned(void);
void harness(void) {
  unsigned n = nondet_unsigned(), i = 0;
  __CPROVER_assume(n < 5);
  while (i < n)
  __CPROVER_loop_invariant(i <= n) __CPROVER_loop_invariant(n < 5)
    i++;
  do
    i--;
  while (i < n)
  __CPROVER_loop_invariant(i > 9);
}";
    let applied = "APPLY_LOOP_CONTRACTS = 1\nCHECKFLAGS = --no-unsigned-overflow-check\n";
    let ran = run(source, applied);
    // Those of `do` are not, which the table says.
    assert!(ran.out.contains("one: safe") && ran.out.contains("invariants of `do` loops"), "{ran:?}");
    fails_with(source, applied, &[("i <= n)", "i < 3)"), ("n < 5)\n    i++", "n < 4)\n    i++")]);
}

#[test]
fn what_is_freed_is_in_a_clause_of_its_own() {
    let source = "#include <stdlib.h>
void drop(int *p)
__CPROVER_requires(__CPROVER_is_fresh(p, sizeof(*p)))
__CPROVER_assigns(*p)
__CPROVER_frees(p);
void drop(int *p) {
  *p = 1;
  free(p);
}
void harness(void) {
  int *p;
  drop(p);
}";
    let makefile = "CHECK_FUNCTION_CONTRACTS = drop\n";
    let ran = run(source, makefile);
    assert!(ran.out.contains("one: safe ("), "{ran:?}");
    fails_with(source, makefile, &[("__CPROVER_frees(p)", "")]);
    // Where the contract stands for the function, the memory is written before it is freed.
    let uses = source.replace("  int *p;\n  drop(p);", "  int *p = malloc(4);\n  if (p)\n    drop(p);");
    let ran = run(&uses, "USE_FUNCTION_CONTRACTS = drop\n");
    assert!(ran.out.contains("one: safe ("), "{ran:?}");
}

#[test]
fn a_range_that_is_assigned_lies_in_its_object() {
    let source = "void set(char *p)
__CPROVER_requires(__CPROVER_is_fresh(p, 4))
__CPROVER_assigns(__CPROVER_object_upto(p, 4));
void set(char *p) { *p = 1; }
void harness(void) {
  char *p;
  set(p);
}";
    let makefile = "CHECK_FUNCTION_CONTRACTS = set\n";
    let ran = run(source, makefile);
    assert!(ran.out.contains("one: safe ("), "{ran:?}");
    fails_with(source, makefile, &[("upto(p, 4)", "upto(p, 8)")]);
}

#[test]
fn a_null_pointer_has_no_old_value_and_nothing_to_assign() {
    let source = "#include <stddef.h>
void halve(int *p)
__CPROVER_requires(p == NULL || __CPROVER_is_fresh(p, sizeof(*p)))
__CPROVER_assigns(*p)
__CPROVER_ensures(p != NULL ==> *p == __CPROVER_old(*p) / 2);
void halve(int *p) {
  if (p)
    *p /= 2;
}
void harness(void) {
  int x = 8, *p;
  halve(p);
}";
    let makefile = "CHECK_FUNCTION_CONTRACTS = halve\n";
    let ran = run(source, makefile);
    assert!(ran.out.contains("one: safe ("), "{ran:?}");
    fails_with(source, makefile, &[("*p /= 2", "*p /= 3"), ("if (p)", "")]);
    let uses =
        source.replace("halve(p);\n}", "halve(NULL);\n  halve(&x);\n  __CPROVER_assert(x == 4, \"\");\n}");
    let ran = run(&uses, "USE_FUNCTION_CONTRACTS = halve\n");
    assert!(ran.out.contains("one: safe ("), "{ran:?}");
    fails_with(&uses, "USE_FUNCTION_CONTRACTS = halve\n", &[("x == 4", "x == 8")]);
}

#[test]
fn what_contracts_cannot_say_is_refused_with_its_place() {
    for (old, new, expected) in [
        (
            "requires(valid(p, q, n)",
            "requires(p != (int *)q && valid(p, q, n)",
            "a comparison of `p` before `valid` is not supported",
        ),
        (
            "(*p) + 1)",
            "(*p) + 1 && __CPROVER_is_fresh(q, 1))",
            "in what a function ensures that is checked is not supported",
        ),
        (
            "assigns(*p;",
            "assigns(mine(p);",
            "`mine` in a list of what a function assigns or frees is not supported",
        ),
        (
            "int add(int *p, const char *q, size_t n) {",
            "int sum(int *p, const char *q, size_t n) {",
            "no file defines `add`, whose contract is to be checked",
        ),
    ] {
        assert!(CHECKED.contains(old), "{old}");
        let ran = run(&CHECKED.replacen(old, new, 1), CHECKS_ADD);
        assert!(ran.out.contains("not started") && ran.out.contains(expected), "{expected}: {ran:?}");
    }
}

#[test]
fn variables_hold_anything_where_a_proof_says_so() {
    let source = "static int seen = 1;\nvoid harness(void) {\n  static int calls = 2;\n  __CPROVER_assert(seen == 1 && calls == 2, \"\");\n}";
    assert!(run(source, "").out.contains("one: safe"));
    fails_with(source, "NONDET_STATIC = --nondet-static\n", &[("seen == 1 && ", ""), (" && calls == 2", "")]);
}

#[test]
fn arrays_of_arrays_have_contracts_and_old_arrays() {
    let source = "void set(int m[2][3], int n)
__CPROVER_requires(__CPROVER_is_fresh(m, 6 * sizeof(int)))
__CPROVER_assigns(m[1][2])
__CPROVER_ensures(m[0][1] == __CPROVER_old(*(int (*)[3])m)[1])
__CPROVER_ensures(m[1][2] == n);
void set(int m[2][3], int n) { m[1][2] = n; }
void harness(void) {
  int (*m)[3], n;
  set(m, n);
}";
    let makefile = "CHECK_FUNCTION_CONTRACTS = set\n";
    let ran = run(source, makefile);
    assert!(ran.out.contains("one: safe ("), "{ran:?}");
    fails_with(
        source,
        makefile,
        &[("{ m[1][2] = n; }", "{ m[1][2] = n; m[0][1]++; }"), ("m[1][2] == n)", "m[1][1] == n)")],
    );
}

#[test]
fn memory_is_fresh_or_not_in_a_choice() {
    let source = "void set(int *a, int *b)
__CPROVER_requires((__CPROVER_is_fresh(a, sizeof(int)) && __CPROVER_is_fresh(b, sizeof(int))) || a == b)
__CPROVER_assigns(*a);
void set(int *a, int *b) { *a = *b; }
void harness(void) {
  int x[2] = {1, 2};
  set(&x[0], &x[0]);
  set(&x[0], &x[1]);
}";
    let makefile = "USE_FUNCTION_CONTRACTS = set\n";
    let ran = run(source, makefile);
    assert!(ran.out.contains("one: safe ("), "{ran:?}");
    fails_with(
        source,
        makefile,
        &[(" || a == b", ""), ("set(&x[0], &x[1])", "set(&x[0], (int *)((char *)x + 2))")],
    );
}

#[test]
fn parts_of_an_object_are_fresh_where_they_are_apart() {
    let source = "void set(int *a, int *b, int n)
__CPROVER_requires(__CPROVER_is_fresh(a, sizeof(int)) && __CPROVER_is_fresh(b, 2 * sizeof(int)))
__CPROVER_assigns(*a);
void set(int *a, int *b, int n) { *a = n; }
void harness(void) {
  int all[3] = {1, 2, 3};
  set(&all[0], &all[1], 7);
  __CPROVER_assert(all[1] == 2, \"\");
}";
    let makefile = "USE_FUNCTION_CONTRACTS = set\n";
    let ran = run(source, makefile);
    assert!(ran.out.contains("one: safe ("), "{ran:?}");
    fails_with(
        source,
        makefile,
        &[("&all[0], &all[1]", "&all[1], &all[1]"), ("&all[0], &all[1]", "&all[1], &all[0]")],
    );
}
