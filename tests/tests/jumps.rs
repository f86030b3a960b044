//! Jumps out of functions (`setjmp`, `longjmp`): each verdict is what natively happens, or what C leaves open.

use beeline_tests::driver::{Ran, beeline};

const HEADERS: &str = "#include <assert.h>\n#include <setjmp.h>\n#include <stdlib.h>\n#include <string.h>\n\
    extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\nstatic jmp_buf back, other;\n\
    static void leave(int when, int value) {\n  if (when)\n    longjmp(back, value);\n}\n";

/// The assumption that each program with jumps has.
const ACTIVE: &str = "longjmp is called while the function that called setjmp is active";

/// What `beeline check` says of these functions and this body of `main`, which begins with `n`, any integer.
fn checked(functions: &str, body: &str, more: &[&str]) -> Ran {
    let folder = tempfile::tempdir().expect("there is room");
    let text = format!(
        "{HEADERS}{functions}\nint main(void) {{\n  int n = __VERIFIER_nondet_int();\n{body}\n  return 0;\n}}\n"
    );
    std::fs::write(folder.path().join("p.c"), text).expect("it is written");
    let limits = ["check", "p.c", "--ticks", "12000000", "--time-limit", "90s"];
    beeline(folder.path(), &[&limits, more].concat())
}

fn expect_safe(functions: &str, body: &str) {
    let ran = checked(functions, body, &[]);
    assert!(ran.verdict().starts_with("verdict: safe (under "), "{body}: {}", ran.out);
    assert!(ran.out.contains(ACTIVE), "{}", ran.out);
}

fn expect_confirmed(functions: &str, body: &str) {
    let ran = checked(functions, body, &[]);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{body}: {}", ran.out);
}

#[test]
fn a_jump_returns_from_setjmp_with_its_value() {
    let body =
        |claim: &str| format!("  int r = setjmp(back);\n  if (r == 0)\n    leave(n > 5, n);\n  {claim}");
    expect_safe("", &body("assert(r == 0 ? n <= 5 : r == n);"));
    expect_confirmed("", &body("assert(r != 7);"));
    // Zero becomes one.
    expect_safe("", "  int r = setjmp(back);\n  if (r == 0)\n    leave(1, 0);\n  assert(r == 1);");
    expect_confirmed("", "  int r = setjmp(back);\n  if (r == 0)\n    leave(1, 0);\n  assert(r == 0);");
}

#[test]
fn a_jump_goes_to_the_place_that_its_buffer_has() {
    let middle = "static int middle(int n) {\n  if (setjmp(other))\n    return 10;\n  if (n == 1)\n    longjmp(other, 1);\n  \
        leave(n == 2, 2);\n  return 20;\n}";
    let body = |claim: &str| {
        format!(
            "  if (setjmp(back)) {{\n    assert(n == 2);\n    return 0;\n  }}\n  int r = middle(n);\n  {claim}"
        )
    };
    expect_safe(middle, &body("assert(r == (n == 1 ? 10 : 20));\n  assert(n != 2);"));
    expect_confirmed(middle, &body("assert(r == 20);"));
    // The copy of a buffer has its place, and a buffer that is set again another one.
    let copied = "  memcpy(other, back, sizeof back);\n  if (setjmp(back) == 0)\n    longjmp(other, 3);";
    let body = format!(
        "  int r = setjmp(back);\n  if (r)\n    {{\n    assert(r == 3);\n    return 0;\n  }}\n{copied}"
    );
    expect_safe("", &format!("{body}\n  assert(0);"));
}

/// One call of setjmp may set several buffers, each of which leads there, with what changed since it was set.
#[test]
fn a_jump_goes_to_any_buffer_that_was_set_at_a_place() {
    let body = |declared: &str, claim: &str| {
        format!(
            "  static jmp_buf all[2];\n  {declared}\n  for (x = 0; x < 2; x++) {{\n    int r = setjmp(all[x]);\n    \
             if (r) {{\n      {claim}\n      return 0;\n    }}\n  }}\n  longjmp(all[n == 3], 5);"
        )
    };
    expect_safe("", &body("volatile int x;", "assert(r == 5 && x == 2);"));
    expect_confirmed("", &body("volatile int x;", "assert(n == 3);"));
    let ran = checked("", &body("int x;", "assert(x == 2);"), &[]);
    assert_eq!(ran.code, Some(3), "{}", ran.out);
    // What changed before another buffer was set there counts.
    let earlier = "  static jmp_buf all[2];\n  int x = 0;\n  for (;;) {\n    if (setjmp(all[x])) {\n      assert(x == 1);\n      \
        return 0;\n    }\n    if (x == 1)\n      longjmp(all[0], 5);\n    x++;\n  }";
    let ran = checked("", earlier, &[]);
    assert_eq!(ran.code, Some(3), "{}", ran.out);
}

#[test]
fn what_is_active_ends_with_a_jump() {
    let functions =
        "static int *kept;\nstatic void keep(void) {\n  int own = 3;\n  kept = &own;\n  leave(1, 1);\n}";
    let body = "  if (setjmp(back) == 0)\n    keep();\n  return *kept;";
    let ran = checked(functions, body, &["--property", "valid-deref"]);
    assert_ne!(ran.code, Some(0), "{}", ran.out);
    let depth = "static int depth;\nstatic void deep(int n) {\n  depth++;\n  leave(n <= 0, depth);\n  deep(n - 1);\n}";
    let body = "  for (int i = 0; i < 3; i++) {\n    depth = 0;\n    int r = setjmp(back);\n    if (r == 0)\n      deep(i);\n    \
        assert(r == i + 1);\n  }";
    expect_safe(depth, body);
}

/// A place ends with the call of its function: another call has another one.
#[test]
fn a_jump_into_a_function_that_has_returned_is_no_proof() {
    let remember = "static void remember(int jumps) {\n  if (jumps)\n    leave(1, 1);\n  if (setjmp(back))\n    reach_error();\n}";
    let ran = checked(remember, "  remember(0);\n  remember(1);", &[]);
    assert!(ran.out.contains(ACTIVE) || ran.code == Some(3), "{}", ran.out);
    let ran = checked("", "  longjmp(back, 1);", &[]);
    assert_ne!(ran.verdict(), "verdict: unsafe (confirmed)", "{}", ran.out);
}

/// C leaves open what a local holds that changed since `setjmp` and is not volatile.
#[test]
fn locals_in_registers_hold_anything_behind_a_jump() {
    let body = |declared: &str, claim: &str| {
        format!("  {declared}\n  if (setjmp(back) == 0) {{\n    x = 2;\n    leave(1, 1);\n  }}\n  {claim}")
    };
    let ran = checked("", &body("int x = 1;", "assert(x == 2);"), &[]);
    assert_eq!(ran.code, Some(3), "{}", ran.out);
    expect_safe("", &body("volatile int x = 1;", "assert(x == 2);"));
    expect_safe("", &body("static int x = 1;", "assert(x == 2);"));
    expect_safe("", &body("int x = 1, y = 7;", "assert(y == 7);"));
    // Parts at known offsets may be in registers, too; what is found by an index, or from elsewhere, is in memory.
    for (declared, change, claim) in [
        ("struct { int x, y; } p = {1, 1};", "p.x = 2;", "p.x == 2"),
        ("int a[2] = {1, 1};", "a[1] = 2;", "a[1] == 2"),
        ("struct { int x, y; } p = {1, 1}, q = {2, 2};", "p = q;", "p.x == 2"),
    ] {
        let body = format!(
            "  {declared}\n  if (setjmp(back) == 0) {{\n    {change}\n    leave(1, 1);\n  }}\n  assert({claim});"
        );
        let ran = checked("", &body, &[]);
        assert_eq!(ran.code, Some(3), "{declared}: {}", ran.out);
    }
    let put = "static void put(int *to) { *to = 2; }";
    expect_safe(put, &body("int y = 1;\n  int x;", "assert(y == 2);").replace("x = 2", "put(&y)"));
    // What changes before setjmp is called again has not changed since.
    let turns = "  int i;\n  for (i = 0; i < 3; i++)\n    if (setjmp(back) == 0)\n      leave(n == i, 1);\n  assert(i == 3);";
    expect_safe("", turns);
}

/// Control may come to a landing by a call that stands before what is computed for it.
#[test]
fn jumps_from_calls_before_a_landing_find_what_was_computed() {
    let body = "  volatile int turn = 0;\n  if (n == 100)\n    goto out;\nagain:;\n  int r = n * 3 + setjmp(back);\n  \
        if (turn == 1) {\n    assert(r == n * 3 + 6);\n    return 0;\n  }\n  turn = turn + 1;\n  \
        if (n == 50 && turn == 7)\n    goto again;\nout:\n  leave(turn == 1, 6);";
    expect_safe("", body);
}

#[test]
fn models_of_the_library_are_left_by_jumps() {
    let order = "static int order(const void *a, const void *b) {\n  leave(*(const int *)a == 9, 4);\n  \
        return *(const int *)a - *(const int *)b;\n}";
    let body = |claim: &str| {
        format!(
            "  int v[2] = {{n ? 9 : 2, 1}};\n  int r = setjmp(back);\n  if (r == 0)\n    qsort(v, 2, sizeof *v, order);\n  {claim}"
        )
    };
    expect_safe(order, &body("assert(r == 0 || r == 4);"));
    expect_confirmed(order, &body("assert(r == 0);"));
}

/// What clang builds in jumps as the functions of the library do.
#[test]
fn builtin_jumps_are_followed() {
    let away = "static void *place[5];\nstatic void away(void) { __builtin_longjmp(place, 1); }";
    let body = |claim: &str| {
        format!(
            "  volatile int x = 1;\n  if (__builtin_setjmp(place) == 0) {{\n    x = 2;\n    if (n)\n      away();\n    x = 3;\n  }}\n  {claim}"
        )
    };
    expect_safe(away, &body("assert(x == (n ? 2 : 3));"));
    expect_confirmed(away, &body("assert(x == 3);"));
}

/// Functions without a body jump by what they are given, also if that is in a variable.
#[test]
fn functions_without_a_body_jump_by_what_they_are_given() {
    let functions = "extern void run(void (*)(void));\nstatic void away(void) { leave(1, 3); }\nstatic void stay(void) {}";
    let body = "  void (*given)(void) = n ? away : stay;\n  int r = setjmp(back);\n  if (r == 0)\n    run(given);\n  assert(r == 0);";
    for externals in ["pure", "havoc"] {
        let ran = checked(functions, body, &["--externals", externals]);
        assert_ne!(ran.code, Some(0), "{externals}: {}", ran.out);
    }
    // Unknown code knows functions by name.
    let named = "extern void run(void);\nvoid away(void) { leave(1, 3); }";
    let body = "  int r = setjmp(back);\n  if (r == 0)\n    run();\n  assert(r == 0);";
    let ran = checked(named, body, &["--externals", "havoc"]);
    assert_ne!(ran.code, Some(0), "{}", ran.out);
}

/// A jump out of a call of the function that a check starts in goes on in its caller.
#[test]
fn the_entry_function_may_be_left_by_a_jump_to_itself() {
    let enter = "void enter(int n) {\n  if (n != 0) {\n    leave(n == 1, 5);\n    return;\n  }\n  int r = setjmp(back);\n  \
        if (r == 0)\n    enter(1);\n  assert(r != 5);\n}";
    let ran = checked(enter, "", &["--function", "enter"]);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{}", ran.out);
}

/// Jumps of threads, and those that the end of a thread makes, have no model.
#[test]
fn jumps_beside_threads_are_no_proof() {
    let run = "#include <pthread.h>\nstatic void *run(void *given) { return given; }";
    let body = "  pthread_t thread;\n  pthread_create(&thread, 0, run, 0);\n  if (setjmp(back))\n    reach_error();\n  leave(1, 1);";
    let ran = checked(run, body, &[]);
    assert_eq!(ran.code, Some(3), "{}", ran.out);
    let clean = "#include <pthread.h>\nstatic void clean(void *given) { reach_error(); }";
    let body = "  if (n == 4 && setjmp(back) == 0)\n    leave(1, 1);\n  pthread_cleanup_push(clean, 0);\n  pthread_exit(0);\n  pthread_cleanup_pop(0);";
    let ran = checked(clean, body, &[]);
    assert_ne!(ran.code, Some(0), "{}", ran.out);
}

/// Branches are those that a person wrote, each where it stands in the program that was read.
#[test]
fn coverage_counts_the_branches_of_the_source() {
    let folder = tempfile::tempdir().expect("there is room");
    let text = format!(
        "{HEADERS}int main(void) {{\n  int n = __VERIFIER_nondet_int();\n  if (setjmp(back) == 0) {{\n    leave(n == 3, 1);\n    \
         if (n == 3)\n      return 1;\n    leave(n == 5, 1);\n    if (n == 7)\n      return 2;\n  }}\n  return 0;\n}}\n"
    );
    std::fs::write(folder.path().join("p.c"), text).expect("it is written");
    let ran = beeline(folder.path(), &["cover", "p.c", "--ticks", "12000000", "--time-limit", "60s"]);
    assert!(ran.out.contains("cover: of 8 branches, 7 covered"), "{}", ran.out);
    assert!(ran.out.contains("dead, proof certified:\n  p.c:16:9: the condition holds\n"), "{}", ran.out);
}

/// A function that is declared not to return ends by a jump.
#[test]
fn functions_that_do_not_return_may_jump() {
    let fail = "__attribute__((noreturn)) static void fail(int code) {\n  leave(1, code);\n  abort();\n}";
    expect_safe(fail, "  int r = setjmp(back);\n  if (r == 0)\n    fail(3);\n  assert(r == 3);");
    expect_confirmed(fail, "  int r = setjmp(back);\n  if (r == 0)\n    fail(n);\n  assert(r != 12);");
}
