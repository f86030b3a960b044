//! Details of C on which verdicts hang: can random runs of the interpreter reach the target?

use beeline_interp::oracle::Random;
use beeline_interp::{Limits, Machine, Outcome};
use beeline_ir::Direction;
use beeline_lower::{Options, Property};
use beeline_tests::{compile, lowered};

fn program(body: &str) -> beeline_ir::Program {
    whole(&format!("int main(void) {{\n{body}\nreturn 0; }}\n"))
}

/// A program of some functions.
fn whole(functions: &str) -> beeline_ir::Program {
    whole_with(functions, &Options::default())
}

/// The same, lowered with options.
fn whole_with(functions: &str, options: &Options) -> beeline_ir::Program {
    let folder = tempfile::tempdir().unwrap();
    let (source, bitcode) = (folder.path().join("program.c"), folder.path().join("program.bc"));
    let text = format!(
        "#include <stdlib.h>\n#include <stdio.h>\nvoid reach_error(void);\nint __VERIFIER_nondet_int(void);\n\
         void pthread_exit(void *);\n{functions}"
    );
    std::fs::write(&source, text).unwrap();
    let scopes = ["-Xclang", "-fsanitize-address-use-after-scope"];
    let flags = ["-O0", "-Xclang", "-disable-O0-optnone", scopes[0], scopes[1]];
    compile(&source, &bitcode, &flags).unwrap();
    lowered(&bitcode, options).unwrap()
}

fn reaches(body: &str) -> bool {
    any_run_reaches(&program(body))
}

fn any_run_reaches(program: &beeline_ir::Program) -> bool {
    let reached = |seed| {
        let run = Machine::new(program).run(&mut Random::new(seed), &Limits::default());
        matches!(run.outcome, Outcome::Target(_))
    };
    (0..300).any(reached)
}

#[test]
fn a_variable_of_a_loop_begins_with_any_value_each_time() {
    let twice = "int small = 0, large = 0;
        for (int i = 0; i < 2; i++) { int d; if (d < 0) small = 1; if (d > 0) large = 1; }
        if (small && large) reach_error();";
    assert!(reaches(twice));
    assert!(!reaches(&twice.replace("int d;", "int d = 3;")));
    assert!(!reaches(&twice.replace("for (int i", "int d; for (int i").replace("{ int d;", "{")));
}

#[test]
fn a_request_for_too_much_memory_fails() {
    assert!(!reaches("if (malloc(0xFFFFFFFFFFFFFFFCUL)) reach_error();"));
    assert!(reaches("if (!malloc(0xFFFFFFFFFFFFFFFCUL)) reach_error();"));
    let some = "int n = __VERIFIER_nondet_int(); char *p = malloc(n); if (n < 0 && COND p) reach_error();";
    assert!(!reaches(&some.replace("COND", "")));
    assert!(reaches(&some.replace("COND", "!")));
    let kept =
        "int n = __VERIFIER_nondet_int(); int m = n + 1; char *p = malloc(n); if (m != n + 1) reach_error();";
    assert!(!reaches(kept));
}

#[test]
fn nothing_is_left_of_an_object_of_size_zero() {
    assert!(!reaches("char *p = malloc(4); if (realloc(p, 0)) reach_error();"));
    assert!(!reaches("char *p = malloc(4); *p = 3; p = realloc(p, 9); if (*p != 3) reach_error();"));
}

#[test]
fn variables_are_aligned_as_asked_for() {
    let aligned = "char pad[4]; __attribute__((aligned(64))) char q[4]; pad[0] = q[0] = 1;
        if ((size_t)q % 64) reach_error();";
    assert!(!reaches(aligned));
    assert!(!reaches("int x; if ((size_t)&x % 4) reach_error();"));
    // Nobody says more of where a variable lies.
    assert!(reaches("int x; if ((size_t)&x % 8) reach_error();"));
}

#[test]
fn a_thread_that_ends_goes_no_further() {
    assert!(!reaches("pthread_exit(0); reach_error();"));
}

#[test]
fn what_the_library_writes_is_a_guess() {
    let program =
        program("char text[9]; int n = snprintf(text, 9, \"%f\", 7.0); if (n == text[0]) reach_error();");
    let guesses = program.assumptions.iter().filter(|a| a.kind == "libc-call" && a.edge.is_some());
    assert_eq!(guesses.filter(|a| a.direction == Direction::Both).count(), 2);
}

#[test]
fn computing_with_addresses_is_named() {
    let named = |body: &str| program(body).assumptions.iter().any(|a| a.kind == "addresses");
    assert!(named("char a[4]; if ((size_t)a % 4) reach_error();"));
    assert!(!named("char a[4], *p = a + 3; if (p - a != 3) reach_error();"));
    assert!(named("char a[4], b[4], *p = a + 4; if (p - b) reach_error();"), "one may be behind the other");
}

/// Is it named that pointers are compared, of which one is at such a place?
fn is_named(functions: &str, place: &str) -> bool {
    let assumptions = whole(functions).assumptions;
    assumptions.iter().any(|a| a.kind == "addresses" && a.text.contains(place) && a.span.is_some())
}

#[test]
fn comparing_what_may_be_where_an_object_ends_is_named() {
    let named = |body: &str| {
        let walk = "static int sum(int *p, int *end) { int s = 0; while (p != end) s += *p++; return s; }
            static int *from(int *p, int at) { return at ? p + at : NULL; }
            static int first(int *p, int n) { return (n ? p : p + 1) != p + 1; }";
        is_named(
            &format!("{walk} int g, h; int main(void) {{ {body} return 0; }}"),
            "to the end of an object",
        )
    };
    assert!(named("int x, y; if (&x + 1 == &y) reach_error();"));
    assert!(named("if (&g + 1 == &h) reach_error();"));
    assert!(named("int a[4], b[4], *p = a; while (p - a < 4) p++; if (p != b) reach_error();"));
    assert!(named(
        "struct { int *at; } x, y; int a[4], b[2]; x.at = a + 4; y.at = b; if (x.at == y.at) return 1;"
    ));
    assert!(named("int *p = malloc(8), *q = malloc(8); if (p && p + 2 == q) reach_error();"));
    assert!(!named("int x, y; if (&x == &y) reach_error();"));
    assert!(!named("int a[4]; for (int *p = a; p != a + 4; p++) *p = 0;"));
    assert!(
        !named("int a[4] = {0}, b[2] = {0}; return sum(a, a + 4) + sum(b, b + 2);"),
        "each has its own end"
    );
    assert!(named("int a[4] = {0}, b[2] = {0}; return sum(a, a + 4) + sum(b, a);"));
    assert!(!named(
        "int a[4], b[2]; return from(a, 1) == a + 1 && from(b, 1) == b + 1 && first(a, 1) && first(b, 0);"
    ));
    assert!(named("int a[4], b[2]; return from(a, 4) == from(b, 1);"));
    assert!(!named("int *p = malloc(8); if (p + 1 == NULL) reach_error();"));
    assert!(!named("struct { int a, b; } x, y; int *p = &x.b, *q = &y.b; if (p == q) reach_error();"));
}

/// Inserts into a ring, walks around it and empties it.
const RING: &str = "struct node { struct node *next; };
static void insert(struct node *at) { struct node *n = malloc(sizeof *n);
  if (n) { n->next = at->next; at->next = n; } }
static int count(struct node *head) { int n = 0;
  for (struct node *p = head->next; p != head; p = p->next) n++; return n; }
static void clear(struct node *head) {
  while (head->next != head) { struct node *p = head->next; head->next = p->next; free(p); } }";

#[test]
fn comparing_what_may_live_no_more_is_named() {
    let named = |functions: &str| is_named(functions, "no longer lives");
    let main = |body: &str| named(&format!("{RING} int main(void) {{ {body} return 0; }}"));
    assert!(main("char *p = malloc(4); free(p); char *q = malloc(4); if (p == q) reach_error();"));
    assert!(main("char *p = malloc(4), *q = realloc(p, 9), *r = malloc(4); if (p == r) reach_error();"));
    assert!(!main("char *p = malloc(4), *q = malloc(4); if (p == q) reach_error(); free(p); free(q);"));
    assert!(!main("char *p = malloc(4); free(p); char *q = malloc(4); if (!q) reach_error();"));
    let ring = "struct node head = { &head }; insert(&head); insert(&head); if (count(&head) > 2) reach_error(); clear(&head);";
    assert!(!main(ring), "what is left of a list is compared no more");
    assert!(main(&format!("{ring} insert(&head); count(&head);")));
    assert!(main("int *p, *q; { int x; p = &x; } { int y; q = &y; } if (p == q) reach_error();"));
    assert!(!main("int *p, *q; int x; p = &x; { int y; q = &y; if (p == q) reach_error(); }"));
    let local =
        "static int *f(void) { int x, *p = &x; return p; } static int *g(void) { int y, *p = &y; return p; }";
    let twice = |calls: &str| {
        named(&format!("{local} int main(void) {{ {calls} if (p == q) reach_error(); return 0; }}"))
    };
    assert!(twice("int *p = f(), *q = g();"));
    assert!(twice("int *p = f(), *q = f();"));
    assert!(!twice("int x, *p = f(), *q = &x;"), "this one was there before");
}

#[test]
fn what_is_registered_runs_when_the_program_ends() {
    let functions = "static int count; static void first(void) { if (count == 2) reach_error(); }
        static void second(void) { count++; }";
    let with = |end: &str| {
        let main = format!("atexit(first); atexit(second); atexit(second); {end}");
        any_run_reaches(&whole(&format!("{functions} int main(void) {{ {main} }}")))
    };
    assert!(with("return 0;"));
    assert!(with("if (__VERIFIER_nondet_int()) return 1; exit(0);"));
    assert!(!with("count = 1; return 0;"));
    assert!(!with("abort();"));
    assert!(with("void (*end)(int) = exit; end(0);"));
    assert!(!with("_Exit(0);"));
    assert!(!with("atexit(second); exit(3);"), "the last one registered runs first");
}

#[test]
fn constructors_and_destructors_run_around_main() {
    let with = |functions: &str, main: &str| {
        let text = format!("static int count; {functions} int main(void) {{ {main} return 0; }}");
        any_run_reaches(&whole(&text))
    };
    let constructor = "__attribute__((constructor)) static void first(void) { count = 1; }";
    assert!(with(constructor, "if (count == 1) reach_error();"));
    assert!(!with(constructor, "if (count != 1) reach_error();"));
    let later = "__attribute__((constructor(300))) static void b(void) { count = 2 * count; }
        __attribute__((constructor(200))) static void a(void) { count = 5; }";
    assert!(with(later, "if (count == 10) reach_error();"));
    assert!(!with(later, "if (count != 10) reach_error();"));
    let destructor = "__attribute__((destructor)) static void last(void) { if (count == 3) reach_error(); }";
    assert!(with(destructor, "count = 3;"));
    assert!(with(destructor, "count = 3; exit(0);"));
    assert!(!with(destructor, "count = 3; _Exit(0);"));
    assert!(!with(destructor, "count = 2;"));
}

#[test]
fn a_range_that_may_be_too_long_is_checked() {
    let named = |body: &str| {
        let program =
            whole(&format!("#include <string.h>\nint main(void) {{ int a[2] = {{1, 1}}, n = 3; {body} }}"));
        program.assumptions.iter().any(|assumption| assumption.kind == beeline_ir::UNDEFINED)
    };
    assert!(!named("memset(a, 0, 8); return a[1];"));
    assert!(!named("memset(a + 1, 0, 4); return a[1];"));
    assert!(named("memset(a, 0, 12); return a[1];"));
    assert!(named("memset(a + 1, 0, 8); return 0;"));
    assert!(named("memset(a, 0, 4 * n); return a[1];"));
    assert!(named("int b[3] = {0}; memcpy(a, b, 4 * n); return a[1];"));
}

#[test]
fn numbers_of_the_addresses_of_globals_are_named() {
    let named = |body: &str| {
        let program =
            whole(&format!("#include <stdint.h>\nstatic char c, d[4]; int main(void) {{ {body} }}"));
        program.assumptions.iter().any(|assumption| assumption.kind == "addresses")
    };
    assert!(named("return ((uintptr_t)&c & 3) == 0;"));
    assert!(named("uintptr_t n = (uintptr_t)d; return n >> 4;"));
    assert!(!named("return d[1] + (&d[3] - d) + c;"));
}

#[test]
fn results_that_are_undefined_are_any() {
    let open = [
        "int n = __VERIFIER_nondet_int() & 63; if (n == 40 && (1 << n) == 77) reach_error();",
        "unsigned n = 40u & __VERIFIER_nondet_int(), x = 1; if (n == 40 && x >> n == 77) reach_error();",
        "unsigned x = 0u & __VERIFIER_nondet_int(); if (__builtin_clz(x) == 77) reach_error();",
        "unsigned x = 0u & __VERIFIER_nondet_int(); if (__builtin_ctz(x) == 77) reach_error();",
        "volatile double d = 1e10; if ((int)d == 77) reach_error();",
        "volatile double d = -1.5; if ((unsigned)d == 77) reach_error();",
        "volatile double z = 0; double n = z / z; if (__builtin_signbit(n)) reach_error();",
        "volatile double z = 0; double n = z / z; if (!__builtin_signbit(n)) reach_error();",
        "int x, y; if ((unsigned long)&x < (unsigned long)&y) reach_error();",
        "int x, y; if ((unsigned long)&x > (unsigned long)&y) reach_error();",
        "char c = 5; int digit = isdigit('5'); if (digit != 1) reach_error();",
        "int order = strcmp(\"a\", \"c\"); if (order != -2) reach_error();",
        "int *p = malloc(4); if (!p) return 0; int *q = realloc(p, 8); if (p == q) reach_error();",
    ];
    for body in open {
        let with = "int isdigit(int); int strcmp(const char *, const char *);\nint main(void) {\n";
        assert!(any_run_reaches_often(&whole(&format!("{with}{body}\nreturn 0; }}"))), "{body}");
    }
    let defined = [
        "int n = __VERIFIER_nondet_int() & 31; if ((1u << n) == 77) reach_error();",
        "unsigned x = __VERIFIER_nondet_int(); if (x && __builtin_clz(x) == 77) reach_error();",
        "volatile double d = -0.5; if ((unsigned)d != 0) reach_error();",
        "volatile double d = 2147483647.5; if ((int)d != 2147483647) reach_error();",
        "volatile double d = -2147483648.5; if ((int)d != -2147483647 - 1) reach_error();",
        "volatile float f = -9223372036854775808.0f; if ((long)f != -9223372036854775807 - 1) reach_error();",
        "double d = __builtin_nan(\"\"), e = -d; if (!__builtin_signbit(d) == !__builtin_signbit(e)) reach_error();",
        "int x = __VERIFIER_nondet_int(); if (x + 1 - 1 != x) reach_error();",
        "if (isdigit('5') == 0 || isdigit('a') != 0) reach_error();",
        "int *p = malloc(4); if (!p) return 0; *p = 3; p = realloc(p, 8); if (*p != 3) reach_error();",
    ];
    for body in defined {
        let with = "int isdigit(int); int strcmp(const char *, const char *);\nint main(void) {\n";
        assert!(!any_run_reaches(&whole(&format!("{with}{body}\nreturn 0; }}"))), "{body}");
    }
}

/// The same with many runs, as one value of many is wanted.
fn any_run_reaches_often(program: &beeline_ir::Program) -> bool {
    let small = |seed| {
        let run = Machine::new(program).run(&mut Small(seed), &Limits::default());
        matches!(run.outcome, Outcome::Target(_))
    };
    any_run_reaches(program) || (0..300).any(small)
}

/// Values around those that the tests look for.
struct Small(u64);

impl beeline_interp::Oracle for Small {
    fn value(&mut self, _: &beeline_interp::Source, ty: beeline_ir::Type) -> beeline_ir::Value {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = [77, 0, 1, u64::MAX, 40][(self.0 >> 33) as usize % 5];
        beeline_interp::oracle::coerced(&beeline_ir::Value::bv(64, number), ty)
    }

    fn choose(&mut self, _: usize) -> usize {
        0
    }
}

#[test]
fn what_nothing_has_set_is_noted() {
    let noted = |body: &str| program(body).assumptions.iter().any(|assumption| assumption.kind == "unset");
    assert!(noted("int x; if (__VERIFIER_nondet_int()) x = 1; if (x == 5) reach_error();"));
    assert!(noted("int x; while (__VERIFIER_nondet_int()) x = 1; return x;"));
    assert!(noted("for (int i = 0; i < 2; i++) { int x; if (i) return x; x = 1; }"));
    assert!(!noted("int x; if (__VERIFIER_nondet_int()) x = 1; else x = 2; if (x == 5) reach_error();"));
    assert!(!noted("int x; for (int i = 0; i < 3; i++) { x = i; if (x > 5) reach_error(); }"));
    let returned = whole("int f(int a) { if (a) return 1; }\nint main(void) { return f(0); }");
    assert!(returned.assumptions.iter().any(|assumption| assumption.kind == "unset"));
}

#[test]
fn where_a_scope_is_left_by_a_number_only_real_ways_count() {
    let noted = |last: &str| {
        let program = whole(&format!(
            "int find(char *s, int n) {{ for (int i = 0; i < n; i++) if (s[i] == 'x') return i; {last} }}\n\
             int main(void) {{ char s[2] = {{1, 'x'}}; return find(s, __VERIFIER_nondet_int() & 1); }}"
        ));
        program.assumptions.iter().any(|assumption| assumption.kind == "unset")
    };
    assert!(!noted("return -1;"));
    assert!(!noted("if (n > 2) return -1; return 0;"));
    assert!(noted("if (n > 2) return -1;"));
    assert!(noted(""));
}

#[test]
fn executions_that_are_undefined_are_stuck() {
    let stuck = |functions: &str| {
        let program = whole(functions);
        let counted = program.assumptions.iter().any(|assumption| assumption.kind == beeline_ir::UNDEFINED);
        let ended = (0..300).any(|seed| {
            let run = Machine::new(&program).run(&mut Random::new(seed), &Limits::default());
            matches!(run.outcome, Outcome::Stuck(..))
        });
        counted && ended
    };
    assert!(stuck("int main(void) { if (__VERIFIER_nondet_int() & 1) __builtin_unreachable(); return 0; }"));
    let dangling =
        "int *f(void) { int x = 1, *p = &x; return p; }\nint main(void) { int *p = f(); USE; return 0; }";
    assert!(stuck(&dangling.replace("USE", "*p = 1")));
    assert!(!stuck(&dangling.replace("USE", "p = 0")));
    assert!(stuck(
        "int add(int x) { return x; }\nint (*table[2])(int) = {add};\n\
         int main(void) { return table[__VERIFIER_nondet_int() & 1](3); }"
    ));
    assert!(!stuck("int *f(int *p) { return p; }\nint main(void) { int x; f(&x); return 0; }"));
    let mixed = "extern int *outside; int cells[4];\n\
        int main(void) { int *p = __VERIFIER_nondet_int() ? cells : outside; p[INDEX] = 1; return 0; }";
    assert!(stuck(&mixed.replace("INDEX", "4 + (__VERIFIER_nondet_int() & 1)")));
    let scope = "int *left;\n\
        int down(int n) { { int x = n; left = &x; USE; } LATER; return n > 0 ? down(n - 1) : 0; }\n\
        int main(void) { return down(2); }";
    assert!(stuck(&scope.replace("USE", "").replace("LATER", "*left = 1")));
    assert!(!stuck(&scope.replace("USE", "*left = 1").replace("LATER", "")));
}

#[test]
fn a_pointer_from_outside_may_be_null() {
    let reached = |body: &str, property| {
        let options = Options { properties: vec![property], ..Options::default() };
        any_run_reaches(&whole_with(&format!("int main(int n, char **v) {{ {body} return 0; }}"), &options))
    };
    let environment = "char *s = getenv(\"HOME\"); CHECK n = *s;";
    for property in [Property::MemorySafety, Property::Null] {
        assert!(reached(&environment.replace("CHECK", ""), property));
        assert!(!reached(&environment.replace("CHECK", "if (!s) return 1;"), property));
        assert!(reached(&environment.replace("CHECK", "if (!s) return 1; s = 0;"), property));
        // What main is given is there.
        assert!(!reached("n = v[0][0];", property));
    }
    assert!(!reached(&environment.replace("CHECK", ""), Property::UnreachCall));
}

#[test]
fn a_function_of_another_type_gets_what_the_registers_hold() {
    let odd = |call: &str| {
        whole(&format!(
            "long got; double real; void f(long x) {{ got = x; }} void g(double d, int i) {{ got = i; real = d; }}\n\
             int main(void) {{ {call} return 0; }}"
        ))
    };
    let narrow = "void (*p)(int) = (void (*)(int))f; p(4); if ((int)got";
    assert!(!any_run_reaches(&odd(&format!("{narrow} != 4) reach_error();"))));
    assert!(any_run_reaches(&odd("void (*p)(int) = (void (*)(int))f; p(4); if (got != 4) reach_error();")));
    let swapped = "void (*p)(int, double) = (void (*)(int, double))g; p(7, 2.5);";
    assert!(!any_run_reaches(&odd(&format!("{swapped} if (got != 7 || real != 2.5) reach_error();"))));
}
