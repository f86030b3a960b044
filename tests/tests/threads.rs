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

/// The files of a check of a program that finds an error.
fn unsafe_files(text: &str, more: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.c"), text).unwrap();
    let ran =
        beeline(folder.path(), &[&["check", "--html", "p.html", "--keep", "kept", "p.c"], more].concat());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    folder
}

#[test]
fn a_page_has_a_column_for_each_thread() {
    let folder = unsafe_files(&adders("", ""), &[]);
    let page = std::fs::read_to_string(folder.path().join("p.html")).unwrap();
    let (_, table) = page.split_once("<table class=\"schedule\">").expect(&page);
    let (table, _) = table.split_once("</table>").unwrap();
    let rows: Vec<&str> = table.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(rows[0], "<tr><th>thread 1<th>thread 2 (add)<th>thread 3 (add)</tr>");
    let column = |row: &str| row.matches("<td>").count();
    let adds: Vec<usize> =
        rows.iter().filter(|row| row.contains("count = count + 1")).map(|row| column(row)).collect();
    assert!(!adds.is_empty() && adds.iter().all(|column| [2, 3].contains(column)), "{table}");
    // What a thread does that does not matter is counted in its column, too.
    assert!([1, 2, 3].iter().all(|wanted| rows.iter().any(|row| column(row) == *wanted)), "{table}");
    assert_eq!(rows.iter().find(|row| row.contains("assert(count == 2)")).map(|row| column(row)), Some(1));
}

/// A waypoint of a witness: type, line, thread.
type Waypoint = (String, u32, u32);

/// A witness, and the waypoints of its segments.
fn waypoints(folder: &std::path::Path) -> (String, Vec<Vec<Waypoint>>) {
    let tool = beeline_tests::tool("beeline-witness").unwrap();
    let output = std::process::Command::new(tool).current_dir(folder).arg("kept/p.run").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let segment = |segment: &str| {
        let value = |line: &str, key: &str| {
            line.trim().strip_prefix(key).map(|it| it.trim_matches([' ', '"']).to_string())
        };
        let mut found: Vec<Waypoint> = Vec::new();
        for line in segment.lines() {
            if let Some(kind) = value(line, "type:") {
                found.push((kind, 0, u32::MAX));
            } else if let Some(number) = value(line, "line:") {
                found.last_mut().unwrap().1 = number.parse().unwrap();
            } else if let Some(number) = value(line, "thread_id:") {
                found.last_mut().unwrap().2 = number.parse().unwrap();
            }
        }
        found
    };
    let segments = text.split("- segment:").skip(1).map(segment).collect();
    (text, segments)
}

#[test]
fn a_witness_has_the_turns_of_threads() {
    let folder = unsafe_files(&adders("", ""), &[]);
    let (text, segments) = waypoints(folder.path());
    assert!(text.contains("format_version: \"2.2\"") && !text.contains("function: "), "{text}");
    assert!(segments.iter().all(|segment| segment.len() == 1), "{segments:?}");
    let all: Vec<(&str, u32, u32)> =
        segments.iter().map(|segment| (segment[0].0.as_str(), segment[0].1, segment[0].2)).collect();
    // Threads are numbered in the order in which the main thread, 0, creates them, at these lines.
    assert_eq!(all[..2], [("function_enter", 13, 0), ("function_enter", 14, 0)]);
    assert_eq!(all.last(), Some(&("target", 17, 0)));
    let turns: Vec<_> = all[2..all.len() - 1].to_vec();
    assert!(turns.iter().all(|(kind, ..)| *kind == "assumption"), "{turns:?}");
    // Each gets to its statement, and one of them twice: it has read the variable before the other writes.
    let of = |thread| turns.iter().filter(|turn| turn.2 == thread).map(|turn| turn.1).collect::<Vec<u32>>();
    assert!(of(1).iter().chain(&of(2)).all(|line| (6..=9).contains(line)), "{turns:?}");
    assert!(!of(1).is_empty() && !of(2).is_empty() && of(1).len() + of(2).len() > 2, "{turns:?}");
}

#[test]
fn an_input_in_a_witness_has_its_thread() {
    let declared = "extern int __VERIFIER_nondet_int(void);\n";
    let program = declared.to_string() + &adders("if (__VERIFIER_nondet_int() == 7)", "");
    let folder = unsafe_files(&program.replace("count == 2", "count == 0"), &[]);
    let (text, segments) = waypoints(folder.path());
    let inputs: Vec<_> = segments.iter().filter(|segment| segment[0].0 == "function_return").collect();
    assert!(text.contains("\\\\result == 7"), "{text}");
    assert!(!inputs.is_empty() && inputs.iter().all(|input| input[0].1 == 7 && input[0].2 > 0), "{inputs:?}");
    // Beeline validates witnesses of one thread only, and says so.
    std::fs::write(folder.path().join("w.yml"), &text).unwrap();
    let ran = beeline(folder.path(), &["check", "--witness", "w.yml", "p.c"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("the format 2.2 is not supported"), "{ran:?}");
}

#[test]
fn a_thread_that_another_file_creates_has_no_place_in_a_witness() {
    let folder = tempfile::tempdir().unwrap();
    let header = "#include <pthread.h>\nstatic inline void run(void *(*start)(void *)) {\n  pthread_t thread;\n  \
        pthread_create(&thread, 0, start, 0);\n  pthread_join(thread, 0);\n}\n";
    std::fs::write(folder.path().join("run.h"), header).unwrap();
    let text = "#include <assert.h>\n#include \"run.h\"\nint count;\nvoid *add(void *given) {\n  count++;\n  return given;\n}\n\
        int main(void) {\n  run(add);\n  assert(count == 0);\n  return 0;\n}\n";
    std::fs::write(folder.path().join("p.c"), text).unwrap();
    assert_eq!(beeline(folder.path(), &["check", "--keep", "kept", "p.c"]).code, Some(1));
    let (text, segments) = waypoints(folder.path());
    assert!(text.contains("format_version: \"2.0\""), "{text}");
    assert_eq!(segments, [[("target".to_string(), 10, u32::MAX)]]);
}

#[test]
fn the_accesses_of_a_race_are_one_segment_of_a_witness() {
    let folder = unsafe_files(&adders("", ""), &["--property", "no-data-race", "--first"]);
    let (_, segments) = waypoints(folder.path());
    let [one, other] = &segments.last().unwrap()[..] else { panic!("{segments:?}") };
    assert_eq!((one.0.as_str(), one.1), ("target", 7), "{segments:?}");
    assert_eq!((other.0.as_str(), other.1), ("target", 7), "{segments:?}");
    assert_ne!(one.2, other.2);
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

/// Clerks that put a note into the till and then into the book, and an auditor who looks at both.
fn clerks(number: usize) -> String {
    let started: String =
        (0..number).map(|at| format!("  pthread_create(&all[{at}], 0, clerk, 0);\n")).collect();
    let joined: String = (0..=number).map(|at| format!("  pthread_join(all[{at}], 0);\n")).collect();
    format!(
        "#include <assert.h>\n#include <pthread.h>\nint till, book;\n\
         pthread_mutex_t on_till = PTHREAD_MUTEX_INITIALIZER, on_book = PTHREAD_MUTEX_INITIALIZER;\n\
         void *clerk(void *given) {{\n  pthread_mutex_lock(&on_till);\n  till = 7;\n  pthread_mutex_unlock(&on_till);\n  \
         pthread_mutex_lock(&on_book);\n  book = 7;\n  pthread_mutex_unlock(&on_book);\n  return 0;\n}}\n\
         void *auditor(void *given) {{\n  pthread_mutex_lock(&on_till);\n  int in_till = till;\n  pthread_mutex_unlock(&on_till);\n  \
         pthread_mutex_lock(&on_book);\n  int in_book = book;\n  pthread_mutex_unlock(&on_book);\n  \
         assert(in_till == 0 || in_book == 7);\n  return 0;\n}}\n\
         int main(void) {{\n  pthread_t all[{}];\n{started}  pthread_create(&all[{number}], 0, auditor, 0);\n{joined}  return 0;\n}}\n",
        number + 1
    )
}

#[test]
fn an_error_of_few_preemptions_among_more_interleavings_than_are_looked_at_is_found() {
    let ran = checked(&clerks(3), &["--time-limit", "60s"]);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{}", ran.out);
}

const HEAD: &str = "#include <assert.h>\n#include <pthread.h>\nint __VERIFIER_nondet_int(void);\n";

/// What is one step only where it is called by name is refused elsewhere.
#[test]
fn functions_that_are_one_step_are_called_by_name() {
    let program = |start: &str, call: &str| {
        format!(
            "{HEAD}int x, y;\nvoid __VERIFIER_atomic_add(void) {{ x++; y++; }}\nvoid __VERIFIER_atomic_look(void) {{ assert(x == y); }}\n\
             static void *run(void *given) {{ {call}; return 0; }}\n\
             void *__VERIFIER_atomic_run(void *given) {{ x++; y++; return 0; }}\n\
             int main(void) {{\n  pthread_t t;\n  pthread_create(&t, 0, {start}, 0);\n  __VERIFIER_atomic_look();\n  return 0;\n}}\n"
        )
    };
    let named = program("run", "__VERIFIER_atomic_add()");
    let ran = checked(&named, &[]);
    assert!(ran.verdict().starts_with("verdict: safe ("), "{}", ran.out);
    for (text, more) in [
        (program("__VERIFIER_atomic_run", ""), &[][..]),
        (program("run", "void (*add)(void) = __VERIFIER_atomic_add; add()"), &[]),
        (named, &["--", "-O2"]),
    ] {
        let ran = checked(&text, more);
        assert!(ran.verdict().starts_with("verdict: unknown (nothing is known after"), "{}", ran.out);
        assert!(ran.out.contains("__VERIFIER_atomic_"), "{}", ran.out);
    }
}

/// Kinds of mutexes and locks without a model end the execution where they are used.
#[test]
fn kinds_of_locks_are_followed_or_end_the_execution() {
    let program = |before: &str, claim: &str| {
        format!(
            "{HEAD}#include <errno.h>\n#include <time.h>\nstatic pthread_rwlock_t lock;\nint main(void) {{\n  {before}\n  assert({claim});\n  return 0;\n}}\n"
        )
    };
    let timed = "static pthread_mutex_t m = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;\n  struct timespec until = {1, 0};\n  \
        pthread_mutex_lock(&m);\n  int failed = pthread_mutex_timedlock(&m, &until);";
    let flags = &["--property", "unreach-call,no-deadlock", "--", "-D_GNU_SOURCE"];
    let ran = checked(&program(timed, "failed == ETIMEDOUT"), flags);
    assert!(ran.verdict().starts_with("verdict: safe ("), "{}", ran.out);
    let ran = checked(&program(timed, "failed != ETIMEDOUT"), flags);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{}", ran.out);
    let robust =
        "pthread_mutexattr_t a;\n  pthread_mutexattr_init(&a);\n  pthread_mutexattr_setrobust(&a, 1);";
    let kind = "static pthread_rwlock_t l = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;\n  pthread_rwlock_rdlock(&l);";
    for (before, what) in [(robust, "pthread_mutexattr_setrobust"), (kind, "pthread_rwlock_kinds")] {
        let ran = checked(&program(before, "0"), flags);
        assert!(ran.verdict().starts_with("verdict: unknown"), "{}", ran.out);
        assert!(ran.out.contains(&format!("{what} has no model")), "{}", ran.out);
    }
    let plain = kind.replace("WRITER_NONRECURSIVE_INITIALIZER_NP", "INITIALIZER");
    let ran = checked(&program(&plain, "0"), flags);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{}", ran.out);
}

/// A timed wait that ends takes no signal that is meant for who waited before.
#[test]
fn a_wait_that_begins_behind_a_signal_does_not_take_it() {
    let program = |signals: &str| {
        format!(
            "{HEAD}#include <time.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
             static pthread_cond_t c = PTHREAD_COND_INITIALIZER;\nstatic int waits;\n\
             static void *run(void *given) {{\n  pthread_mutex_lock(&m);\n  waits = 1;\n  pthread_cond_wait(&c, &m);\n  \
             pthread_mutex_unlock(&m);\n  return 0;\n}}\n\
             int main(void) {{\n  pthread_t t;\n  struct timespec until = {{1, 0}};\n  int seen = 0;\n  \
             pthread_create(&t, 0, run, 0);\n  while (!seen) {{\n    pthread_mutex_lock(&m);\n    seen = waits;\n    \
             pthread_mutex_unlock(&m);\n  }}\n  pthread_mutex_lock(&m);\n  {signals}\n  \
             pthread_cond_timedwait(&c, &m, &until);\n  pthread_mutex_unlock(&m);\n  pthread_join(t, 0);\n  return 0;\n}}\n"
        )
    };
    let asked = &["--property", "no-deadlock"];
    let ran = checked(&program("pthread_cond_signal(&c);"), asked);
    assert!(ran.verdict().starts_with("verdict: safe ("), "{}", ran.out);
    let ran = checked(&program(""), asked);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{}", ran.out);
}

/// A loop whose counter is the handle of threads does not count.
#[test]
fn a_counter_that_is_written_otherwise_does_not_count() {
    let text = format!(
        "{HEAD}static void *fails(void *given) {{ assert(0); return 0; }}\nstatic void *none(void *given) {{ return 0; }}\n\
         int main(void) {{\n  pthread_t other, i = 3;\n  pthread_create(&other, 0, fails, 0);\n  if (other == 5)\n    return 0;\n  \
         for (; i > 0; i--)\n    pthread_create(&i, 0, none, 0);\n  return 0;\n}}\n"
    );
    let ran = checked(&text, &[]);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{}", ran.out);
}

/// What a function without a body accesses is looked at as far as it is known, and an answer says so.
#[test]
fn what_is_not_known_of_an_access_is_an_assumption() {
    let program = |call: &str| {
        format!(
            "{HEAD}#include <stdio.h>\nvoid use(const char *text);\nstatic char name[4] = \"abc\";\n\
             static void *run(void *given) {{ name[0] = 'x'; return 0; }}\nint main(void) {{\n  pthread_t t;\n  \
             pthread_create(&t, 0, run, 0);\n  {call};\n  return 0;\n}}\n"
        )
    };
    let asked = &["--property", "no-data-race"];
    let told = "functions without a body race only where it is known what they access";
    let ran = checked(&program("use(name)"), asked);
    assert!(ran.verdict().starts_with("verdict: safe (") && ran.out.contains(told), "{}", ran.out);
    let ran = checked(&program(""), asked);
    assert!(ran.verdict().starts_with("verdict: safe (") && !ran.out.contains(told), "{}", ran.out);
    for call in ["puts(name)", "remove(name)", "printf(name)", "printf(\"%.1s\", name)"] {
        let ran = checked(&program(call), asked);
        assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{call}: {}", ran.out);
    }
    let ran = checked(&program("printf(\"%.0s\", name)"), asked);
    assert!(!ran.verdict().starts_with("verdict: unsafe"), "{}", ran.out);
}
