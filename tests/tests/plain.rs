//! Plain programs: what they read from outside is an input, is told by name, and is given to the native program.

use beeline_tests::driver::{Ran, beeline};

/// What `beeline check` says of a program of these lines, which are those of `main` after some headers.
fn checked(before: &str, body: &str, more: &[&str]) -> Ran {
    let folder = tempfile::tempdir().expect("there is room");
    let text = format!(
        "#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n{before}\n\
         int main(int argc, char **argv) {{\n{body}\n  return 0;\n}}\n"
    );
    std::fs::write(folder.path().join("p.c"), text).expect("it is written");
    beeline(folder.path(), &[&["check", "p.c"], more].concat())
}

#[test]
fn what_is_read_is_given_to_the_native_program() {
    for body in [
        "  char b[4]; if (read(0, b, 3) == 3) assert(b[2] != 'q');",
        "  char b[4] = {0}; read(0, b, 3); assert(b[2] != 'q');",
        "  char b[4]; if (fread(b, 1, 3, stdin) == 3) assert(b[2] != 'q');",
        "  short b[4] = {0}; if (fread(b, sizeof *b, 2, stdin) == 2) assert(b[1] != 771);",
        "  char b[8]; if (fgets(b, sizeof b, stdin)) assert(b[2] != 'q');",
    ] {
        let ran = checked("", body, &[]);
        assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{body}: {}", ran.out);
    }
}

/// Numbers of arguments that cannot be stand for one: what there is is told.
#[test]
fn the_number_of_arguments_is_told_as_main_has_it() {
    let ran = checked("", "  assert(argc > 1);", &[]);
    assert!(ran.out.contains("\n  argc is initially 1\n"), "{}", ran.out);
}

/// The models let a call write more than it says; a native one does not.
#[test]
fn nothing_is_written_behind_what_is_read() {
    for body in [
        "  char b[4] = {0}; if (read(0, b, 3) == 1) assert(b[2] != 'q');",
        "  char b[4] = {0}; if (read(0, b, 3) < 0) assert(b[0] != 'q');",
        "  short b[4] = {0}; if (fread(b, sizeof *b, 2, stdin) == 1) assert(b[1] != 771);",
    ] {
        let ran = checked("", body, &[]);
        assert_eq!(ran.code, Some(3), "{body}: {}", ran.out);
    }
}

#[test]
fn what_is_read_may_share_its_region_with_other_variables() {
    const COPY: &str = "static void copy(const char *from, char *to) {\n  const char *end = strchr(from, '=');\n  \
        if (!end || end - from > 4) return;\n  memcpy(to, from, end - from);\n  to[end - from] = 0;\n}";
    let body = "  char line[12], key[4];\n  if (fgets(line, sizeof line, stdin)) copy(line, key);";
    let ran = checked(COPY, body, &["--property", "memory-safety", "--every", "--time-limit", "20s"]);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{}", ran.out);
    // What can go wrong in the library is told by the line that calls it.
    let in_library =
        |line: &str| line.starts_with("  safe    p.c:7") && line.contains("  valid-deref in strchr (proof");
    assert!(ran.out.lines().any(in_library), "{}", ran.out);
    assert!(!ran.out.contains("strchr()"), "{}", ran.out);
}

#[test]
fn what_happens_in_the_library_is_told_at_the_line_that_calls_it() {
    let body = "  int c = getchar();\n  assert(c != 65 || rand() % 10 != 3);";
    let ran = checked("", body, &["--whole-path"]);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{}", ran.out);
    assert!(ran.out.contains("p.c:8  int c = getchar();  // c = 65\n"), "{}", ran.out);
    assert!(ran.out.contains("  p.c:8:11: getchar() returns 65\n"), "{}", ran.out);
    assert!(!ran.out.contains("within") && !ran.out.contains("getchar()\n  "), "{}", ran.out);
    // What it calls back is the program's.
    let compare = "static int calls;\nstatic int compare(const void *a, const void *b) {\n  calls++;\n  return *(const int *)a - *(const int *)b;\n}";
    let body = "  int a[2] = {2, 1};\n  qsort(a, 2, sizeof *a, compare);\n  assert(calls == 0);";
    let ran = checked(compare, body, &[]);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{}", ran.out);
    assert!(ran.out.contains("compare(") && ran.out.contains("calls = 1"), "{}", ran.out);
}

#[test]
fn what_the_system_does_is_confirmed() {
    let own = "static int calls;\nvoid *memset(void *to, int c, size_t n) {\n  volatile char *t = to;\n  \
        calls++;\n  while (n--)\n    *t++ = c;\n  return to;\n}";
    let listed = "static int ran;\nstatic void first(void) { ran = 1; }\n\
        static void (*const list[])(void) __attribute__((section(\".init_array\"), used)) = {first};";
    for (before, body) in [
        ("", "  if (argc > 100000) assert(strcmp(argv[1], \"go\") != 0);"),
        ("", "  argv[0][0] = 'x';\n  assert(argv[0][0] != 'x');"),
        ("", "  int ends[2] = {-5, -5};\n  if (pipe(ends) == 0) assert(ends[0] == -5);"),
        (own, "  char large[600];\n  memset(large, 3, sizeof large);\n  assert(calls == 0);"),
        (listed, "  assert(!ran);"),
    ] {
        let ran = checked(before, body, &[]);
        assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{body}: {}", ran.out);
    }
    let safe = checked("#include <setjmp.h>\nstatic jmp_buf place;", "  assert(setjmp(place) == 0);", &[]);
    assert_eq!(safe.code, Some(0), "{}", safe.out);
}

#[test]
fn memory_from_outside_is_told_by_name() {
    let ran = checked("", "  if (argc == 3) assert(strcmp(argv[2], \"-v\") != 0);", &[]);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{}", ran.out);
    assert!(ran.out.contains("argv[2] is initially \"-v\"\n"), "{}", ran.out);
    assert!(!ran.out.contains("argv is "), "{}", ran.out);
    let before = "struct item { int weight; struct item *next; };\nint sum(struct item *head, const char *name) {\n  \
        if (name[0] == 'q' && name[1] == 0) assert(head->weight != 12345);\n  return 0;\n}";
    let ran = checked(before, "", &["--function", "sum"]);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{}", ran.out);
    for told in ["*name is initially \"q\"", "*head is initially the bytes 39 30 00 00"] {
        assert!(ran.out.contains(told), "{told}: {}", ran.out);
    }
}

#[test]
fn texts_of_the_environment_are_inputs() {
    let told = ["  *getenv() at p.c:8:16 is initially \"on\"\n", "  *secure_getenv() at p.c:9:"];
    let body = "  char *mode = getenv(\"MODE\"), *level;\n  \
        if (mode && strcmp(mode, \"on\") == 0) assert(!(level = secure_getenv(\"LEVEL\")) || level[0] != '7');";
    let ran = checked("", body, &["-D_GNU_SOURCE"]);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{}", ran.out);
    assert!(told.iter().all(|told| ran.out.contains(told)), "{}", ran.out);
    let ran = checked("", "  if (!getenv(\"HOME\")) assert(0);", &[]);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{}", ran.out);
    let ran = checked("", "  char *home = getenv(\"HOME\");\n  return *home;", &["--property", "null"]);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{}", ran.out);
}

/// No environment has two texts of one name, two names at one place, or what the program has just changed.
#[test]
fn an_environment_that_cannot_be_is_no_error() {
    for body in [
        "  assert(getenv(\"A\") == getenv(\"A\"));",
        "  char *a = getenv(\"A\"), *b = getenv(\"B\");\n  if (a && b) assert(a != b);",
        "  char *a = getenv(\"A\"), *b = getenv(\"B\");\n  if (a && b && a[0] == 'x' && a[1]) assert(a + 1 != b);",
        "  assert(!getenv(\"A=B\"));",
        "  if (setenv(\"A\", \"x\", 1) == 0) assert(getenv(\"A\"));",
        "  static char entry[] = \"A=x\";\n  if (putenv(entry) == 0) { entry[2] = 'y'; assert(getenv(\"A\")[0] == 'y'); }",
    ] {
        let ran = checked("", body, &[]);
        assert_eq!(ran.code, Some(3), "{body}: {}", ran.out);
    }
}

#[test]
fn a_property_file_names_the_one_function_that_must_not_be_called() {
    let folder = tempfile::tempdir().expect("there is room");
    let file =
        |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("it is written");
    let asks = |function: &str| format!("CHECK( init(main()), LTL(G ! call({function}())) )\n");
    file("reach.prp", &asks("reach_error"));
    file("other.prp", &asks("other_error"));
    file("assert.c", "#include <assert.h>\nint main(int n, char **a) { assert(n != 3); return 0; }\n");
    file(
        "reach.c",
        "void reach_error(void) {}\nvoid other_error(void) {}\nint main(int n, char **a) { if (n == 3) reach_error(); return 0; }\n",
    );
    for (program, properties, code) in [
        ("reach.c", "reach.prp", 1),
        ("reach.c", "other.prp", 0),
        ("reach.c", "other.prp,reach.prp", 1),
        ("reach.c", "other.prp,unreach-call", 1),
        ("reach.c", "unreach-call", 1),
        ("assert.c", "reach.prp", 0),
        ("assert.c", "unreach-call", 1),
        ("assert.c", "reach.prp,all", 1),
    ] {
        let ran = beeline(folder.path(), &["check", program, "--property", properties]);
        assert_eq!(ran.code, Some(code), "{program} {properties}: {}{}", ran.out, ran.err);
    }
}
