//! Programs with threads: answers are those of all interleavings, and a person reads which thread does what. More random
//! programs: `measure/fuzz-threads`; programs that deceive: `tests/adversary/thread-*`.

use beeline_tests::driver::{Ran, beeline};
use beeline_tests::interleavings::{PROPERTIES, generated};

/// What `beeline check` says of a program.
fn checked(text: &str, more: &[&str]) -> Ran {
    let folder = tempfile::tempdir().expect("there is room");
    std::fs::write(folder.path().join("p.c"), text).expect("it is written");
    beeline(folder.path(), &[&["check", "p.c"], more].concat())
}

/// Two threads that add one to a variable, between these lines.
fn adders(before: &str, behind: &str) -> String {
    format!(
        "#include <assert.h>\n#include <pthread.h>\nint count;\n\
         pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;\n\
         void *add(void *given) {{\n  {before}\n  count = count + 1;\n  {behind}\n  return 0;\n}}\n\
         int main(void) {{\n  pthread_t a, b;\n  pthread_create(&a, 0, add, 0);\n  pthread_create(&b, 0, add, 0);\n  \
         pthread_join(a, 0);\n  pthread_join(b, 0);\n  assert(count == 2);\n  return 0;\n}}\n"
    )
}

#[test]
fn answers_are_those_of_all_interleavings() {
    for seed in 5000..5006 {
        let program = generated(seed);
        for property in PROPERTIES {
            let ran = checked(&program.text, &["--property", property]);
            let fault = program.fault(property, ran.verdict());
            assert!(fault.is_none(), "seed {seed}, {property}: {fault:?}\n{}\n{}", ran.out, program.text);
        }
    }
}

#[test]
fn a_path_tells_which_thread_goes_on() {
    let ran = checked(&adders("", ""), &[]);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{}", ran.out);
    for told in ["  thread 2 (add):\n", "  thread 3 (add):\n", "  thread 1:\n", "count = 1"] {
        assert!(ran.out.contains(told), "{told}: {}", ran.out);
    }
    // Who goes on is no input of the program's.
    assert!(!ran.out.contains("__beeline_"), "{}", ran.out);
}

#[test]
fn a_mutex_that_all_hold_proves_it() {
    let ran = checked(&adders("pthread_mutex_lock(&mutex);", "pthread_mutex_unlock(&mutex);"), &[]);
    assert_eq!(ran.verdict(), "verdict: safe (under 1 assumption, proof certified)", "{}", ran.out);
    assert!(ran.out.contains("memory is sequentially consistent"), "{}", ran.out);
}

#[test]
fn a_copy_that_a_thread_may_see_half_done_is_an_assumption() {
    let program = "#include <assert.h>\n#include <pthread.h>\nstruct triple { long a, b, c; } shared;\n\
        void *set(void *given) {\n  shared = (struct triple){1, 1, 1};\n  return 0;\n}\n\
        int main(void) {\n  pthread_t a;\n  pthread_create(&a, 0, set, 0);\n  struct triple seen = shared;\n  \
        pthread_join(a, 0);\n  assert(seen.a == seen.c);\n  return 0;\n}\n";
    let ran = checked(program, &[]);
    assert_eq!(ran.verdict(), "verdict: safe (under 1 assumption, proof certified)", "{}", ran.out);
    assert!(ran.out.contains("no thread sees a copy of a structure"), "{}", ran.out);
}

#[test]
fn a_race_is_told_with_both_places() {
    let ran = checked(&adders("", ""), &["--property", "no-data-race"]);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{}", ran.out);
    assert!(ran.out.contains("a data race between p.c:7:"), "{}", ran.out);
}

#[test]
fn more_threads_than_are_looked_at_are_unknown() {
    let text = "#include <pthread.h>\n#include <assert.h>\nint x, n;\nvoid *one(void *given) { x = 1; return 0; }\n\
        int __VERIFIER_nondet_int(void);\nint main(void) {\n  pthread_t t;\n  n = __VERIFIER_nondet_int();\n  \
        for (int i = 0; i < n; i++)\n    pthread_create(&t, 0, one, 0);\n  assert(x < 2);\n  return 0;\n}\n";
    let ran = checked(text, &["--time-limit", "20s"]);
    assert!(ran.verdict().starts_with("verdict: unknown"), "{}", ran.out);
    assert!(ran.out.contains("threads beyond the limit, created here"), "{}", ran.out);
}

/// A program whose thread calls itself, where other threads may run.
fn recursive(in_thread: &str, before: &str, behind: &str) -> String {
    format!(
        "#include <assert.h>\n#include <pthread.h>\nint x;\nvoid *again(void *given) {{\n  x++;\n  if (given) again(0);\n  \
         {in_thread}\n  return 0;\n}}\nint __VERIFIER_nondet_int(void);\nint main(void) {{\n  pthread_t t;\n  {before}\n  \
         pthread_create(&t, 0, again, &x);\n  {behind}\n  return 0;\n}}\n"
    )
}

#[test]
fn an_execution_ends_where_it_creates_a_thread_that_is_not_modelled() {
    let none = checked(&recursive("", "", "x = 2;"), &[]);
    assert!(
        none.verdict().starts_with("verdict: safe (") && none.verdict().contains("nothing to check"),
        "{}",
        none.out
    );
    for (thread, behind) in [("assert(x < 3);", ""), ("", "assert(x < 3);")] {
        let ran = checked(&recursive(thread, "", behind), &[]);
        assert!(ran.verdict().starts_with("verdict: unknown"), "{}", ran.out);
        let why = "pthread_create (function again: recursion that other threads may interrupt is not supported) has no model";
        assert!(ran.out.contains(why), "{}", ran.out);
    }
    let ran = checked(&recursive("", "assert(__VERIFIER_nondet_int() != 7);", "assert(x < 3);"), &[]);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{}", ran.out);
    // Each thread has a mask of signals of its own.
    let masks = "#include <assert.h>\n#include <pthread.h>\n#include <signal.h>\nint x;\nvoid set(int n) { x = 1; }\n\
        void *other(void *given) {\n  raise(SIGUSR1);\n  assert(x == 0);\n  return 0;\n}\nint main(void) {\n  pthread_t t;\n  \
        sigset_t all;\n  sigfillset(&all);\n  signal(SIGUSR1, set);\n  pthread_create(&t, 0, other, 0);\n  \
        sigprocmask(SIG_BLOCK, &all, 0);\n  pthread_join(t, 0);\n  return 0;\n}\n";
    let ran = checked(masks, &[]);
    assert!(ran.verdict().starts_with("verdict: unknown (nothing is known after"), "{}", ran.out);
    // Whoever asks about threads themselves is told that nothing is known.
    let ran = checked(&recursive("", "", ""), &["--property", "no-data-race"]);
    let expected =
        "verdict: unknown (function again: recursion that other threads may interrupt is not supported)";
    assert_eq!(ran.verdict(), expected, "{}", ran.out);
}

/// Each thread has its own value of a key. What destroys values runs where threads end, which has no model.
#[test]
fn keys_have_a_value_for_each_thread() {
    let program = |destroy: &str, claim: &str| {
        format!(
            "#include <assert.h>\n#include <pthread.h>\nstatic pthread_key_t key;\nstatic int numbers[2];\n\
             static void destroy(void *value) {{ assert(!value); }}\n\
             static void *own(void *number) {{\n  {claim}\n  pthread_setspecific(key, number);\n  \
             assert(pthread_getspecific(key) == number);\n  return 0;\n}}\n\
             int main(void) {{\n  pthread_t a;\n  if (pthread_key_create(&key, {destroy}))\n    return 1;\n  \
             pthread_setspecific(key, &numbers[0]);\n  pthread_create(&a, 0, own, &numbers[1]);\n  pthread_join(a, 0);\n  \
             assert(pthread_getspecific(key) == &numbers[0]);\n  return 0;\n}}\n"
        )
    };
    let ran = checked(&program("0", "assert(pthread_getspecific(key) == 0);"), &[]);
    assert!(ran.verdict().starts_with("verdict: safe (under "), "{}", ran.out);
    let ran = checked(&program("0", "assert(pthread_getspecific(key) != 0);"), &[]);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{}", ran.out);
    // The library decides which numbers keys have.
    let ran = checked(&program("0", "assert(key != 7);"), &[]);
    assert_ne!(ran.code, Some(0), "{}", ran.out);
    let ran = checked(&program("destroy", ""), &[]);
    assert_eq!(ran.code, Some(3), "{}", ran.out);
    assert!(ran.out.contains("pthread_key_create has no model"), "{}", ran.out);
}
