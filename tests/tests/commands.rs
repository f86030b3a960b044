//! Programs that start as commands: a path through their arguments, their standard input and their files is one that the
//! system's own library takes when it is given just these, and what lies beyond the bounds is never said to be safe.

use beeline_tests::driver::{Ran, beeline, command};
use std::path::Path;
use std::process::Command;

const HEADERS: &str = "#define _GNU_SOURCE\n#include <assert.h>\n#include <dirent.h>\n#include <errno.h>\n#include <fcntl.h>\n#include <ftw.h>\n#include <getopt.h>\n#include <setjmp.h>\n\
    #include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/time.h>\n#include <unistd.h>\nvoid reach_error(void) {}\n\
    void handle(int number) { if (number == SIGALRM) reach_error(); }\n\
    int visit(const char *path, const struct stat *found, int type, struct FTW *where) { reach_error(); return 0; }\n\
    int choose(const struct dirent *found) { reach_error(); return 0; }\n\
    ssize_t cookie(void *given, char *to, size_t size) { reach_error(); return 0; }\n";

/// The text of a program with this body of `main`.
fn program(body: &str) -> String {
    format!("{HEADERS}int main(int argc, char **argv) {{\n{body}\n  return 0;\n}}\n")
}

/// What `beeline` says of it.
fn checked(body: &str, arguments: &[&str]) -> Ran {
    let folder = tempfile::tempdir().expect("there is room");
    std::fs::write(folder.path().join("p.c"), program(body)).expect("it is written");
    beeline(folder.path(), &[&["check", "p.c", "--time-limit", "60s"], arguments].concat())
}

fn expect_confirmed(body: &str, arguments: &[&str]) -> Ran {
    let ran = checked(body, arguments);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{body}: {}{}", ran.out, ran.err);
    ran
}

#[test]
fn a_program_without_arguments_that_reads_is_a_command_if_nothing_else_confirms_it() {
    // A run without a system has a file for what is read of it, and nothing is before its size is asked for.
    let text = "#include <assert.h>\n#include <stdio.h>\nint main(void) {\n  FILE *f = fopen(\"in\", \"r\");\n  \
        if (!f || fseek(f, 0, SEEK_END))\n    return 1;\n  assert(ftell(f) != 2 || getchar() != 'q');\n  return 0;\n}\n";
    let folder = tempfile::tempdir().expect("there is room");
    std::fs::write(folder.path().join("p.c"), text).expect("it is written");
    let alone = beeline(folder.path(), &["check", "p.c", "--as-command=never"]);
    assert!(alone.verdict().starts_with("verdict: unknown"), "{alone:?}");
    let ran = beeline(folder.path(), &["check", "p.c"]);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{ran:?}");
    let told = ran.out.contains("To run it:\n") && ran.out.contains("\n  printf 'q' | program\n");
    assert!(told, "{ran:?}");
}

#[test]
fn files_are_there_from_the_start_and_not_made_again() {
    let body = "  if (argc != 2) return 0;\n  FILE *f = fopen(argv[1], \"r\");\n  if (!f || fgetc(f) != 'x') return 0;\n  fclose(f);\n";
    let again = "  if (fopen(argv[1], \"r\")) reach_error();";
    expect_confirmed(&format!("{body}{again}"), &["--as-command"]);
    let ran = checked(&format!("{body}  remove(argv[1]);\n{again}"), &["--as-command"]);
    let why = "verdict: unknown (unconfirmed counterexample: the native run opens a file that it has removed or moved before)";
    assert_eq!(ran.verdict(), why, "{ran:?}");
}

/// Each ends in an error if the models do what the system's library does natively.
#[test]
fn streams_do_what_the_library_does() {
    const FILE: &str = "  FILE *f = argc == 2 ? fopen(argv[1], \"r\") : NULL;\n  if (!f) return 1;\n";
    for body in [
        "  int c = fgetc(f), d = fgetc(f);\n  if (c == 'x' && d == EOF && feof(f) && !ferror(f) && ftell(f) == 1) reach_error();",
        "  if (fgetc(f) == 'a' && ungetc('b', f) == 'b' && ftell(f) == 0 && fgetc(f) == 'b' && fgetc(f) == EOF) reach_error();",
        "  char b[3];\n  if (fgets(b, 3, f) && b[0] == 'q' && b[1] == '\\n' && !b[2] && !fgets(b, 3, f)) reach_error();",
        "  char b[6] = {0};\n  if (fread(b, 2, 2, f) == 1 && b[2] == 'z' && feof(f)) reach_error();",
        "  if (fseek(f, -1, SEEK_END) == 0 && ftell(f) == 2 && fgetc(f) == 'e') { rewind(f); if (fgetc(f) == 's') reach_error(); }",
        "  int n;\n  if (fscanf(f, \" %2x\", &n) == 1 && n > 9 && ftell(f) > 1) reach_error();",
        "  char w[4];\n  if (fscanf(f, \" %3s\", w) == 1 && w[0] == '-' && !w[1]) reach_error();",
        "  char *line = NULL; size_t room = 0;\n  if (getline(&line, &room, f) == 2 && line[1] == '\\n' && getline(&line, &room, f) < 0) reach_error();",
    ] {
        expect_confirmed(&format!("{FILE}{body}"), &["--as-command"]);
    }
    for body in [
        "  char b[4];\n  if (read(0, b, 4) == 2 && b[1] == 'k' && read(0, b, 4) == 0) reach_error();",
        "  int f = argc == 2 ? open(argv[1], O_RDONLY) : -1;\n  char b[2];\n  if (f == 3 && read(f, b, 2) == 1 && b[0] == 'm' && lseek(f, 0, SEEK_END) == 1) reach_error();",
        "  if (getchar() == '7' && getchar() == EOF && !isatty(0) && errno == ENOTTY) reach_error();",
        "  char b[] = \"hi\";\n  FILE *f = fmemopen(b, 2, \"r\");\n  if (f && argc == 1 && fgetc(f) == 'h' && fgetc(f) == 'i' && fgetc(f) == EOF) reach_error();",
        "  if (argc == 2 && open(argv[1], O_RDONLY) < 0 && errno == ENOENT) reach_error();",
    ] {
        expect_confirmed(body, &["--as-command"]);
    }
}

#[test]
fn arguments_are_those_of_a_system() {
    let ran = expect_confirmed(
        "  if (argc == 3 && !strcmp(argv[1], \"-n\") && argv[2][0] == '\\'' && !argv[2][1] && !argv[3]) reach_error();",
        &["--as-command"],
    );
    assert!(ran.out.contains("\nTo run it:\n  </dev/null program -n ''\\'''\n"), "{}", ran.out);
    // A path through what argv points to, which memory of any content is as well, and which only a real command gets to.
    let copies = "  char tag[4] = \"\";\n  for (argv++; *argv && argv[0][0] == '-' && argv[0][1] == 't'; argv++)\n    strcpy(tag, argv[0] + 2);";
    expect_confirmed(copies, &["--property", "memory-safety"]);
}

#[test]
fn options_are_found_as_the_library_finds_them() {
    for body in [
        "  int b = 0;\n  for (int o; (o = getopt(argc, argv, \"ab:\")) != -1;) if (o == 'b' && !strcmp(optarg, \"x\")) b = 1;\n  \
         if (b && optind == argc - 1 && !strcmp(argv[optind], \"y\") && argc == 4) reach_error();",
        "  static const struct option longs[] = {{\"all\", no_argument, 0, 'a'}, {\"be\", required_argument, 0, 'b'}, {0}};\n  \
         if (getopt_long(argc, argv, \"\", longs, NULL) == 'b' && optarg[0] == '3') reach_error();",
        "  opterr = 0;\n  if (getopt(argc, argv, \"a:\") == '?' && optopt == 'a' && argc == 3) reach_error();",
    ] {
        expect_confirmed(body, &["--as-command"]);
    }
}

/// Where no system does it, nothing is confirmed.
#[test]
fn what_no_system_gives_is_not_confirmed() {
    for body in [
        // One file holds the same each time.
        "  if (argc != 2) return 1;\n  FILE *f = fopen(argv[1], \"r\"), *g = fopen(argv[1], \"r\");\n  if (f && g && fgetc(f) != fgetc(g)) reach_error();",
        // A name that leads above its folder, and one that is none.
        "  if (fopen(\"../report.txt\", \"r\")) reach_error();",
        "  if (fopen(\"\", \"r\")) reach_error();",
        // An argument ends where the system puts its end.
        "  if (argc == 2 && argv[1][0] == 0 && argv[1][1] != 0) reach_error();",
    ] {
        let ran = checked(body, &["--as-command"]);
        assert_ne!(ran.code, Some(1), "{body}: {}", ran.out);
    }
}

/// What is beyond the bounds is named where a proof rests on them, and is looked at where nothing is said of a command.
#[test]
fn bounds_are_no_proof() {
    for body in ["  if (argc > 6) reach_error();", "  if (argc > 1 && strlen(argv[1]) > 9) reach_error();"] {
        let ran = checked(body, &["--as-command"]);
        assert!(ran.verdict().starts_with("verdict: safe (under "), "{body}: {}", ran.out);
        assert!(ran.out.contains("at most 4 arguments of at most 8 bytes"), "{}", ran.out);
        let ran = checked(body, &[]);
        assert_ne!(ran.code, Some(0), "{body}: {}", ran.out);
    }
}

/// What a system may do and the world does not is open, or named.
#[test]
fn what_the_world_leaves_out_is_no_proof() {
    for body in [
        "  assert(puts(\"abc\") == 1);",
        "  char c;\n  int d = dup(0);\n  if (d > 2) assert(read(d, &c, 1) <= 0);",
        "  dup(0);\n  int d = open(\"x\", O_RDONLY);\n  assert(d < 0 || d == 3);",
        "  char name[] = \"aXXXXXX\", c;\n  int d = mkstemp(name);\n  if (d < 3) return 0;\n  \
         unlink(name);\n  write(d, \"x\", 1);\n  lseek(d, 0, SEEK_SET);\n  assert(read(d, &c, 1) <= 0);",
        "  if (open(\".\", O_WRONLY) < 0) assert(errno == ENOENT);",
    ] {
        let ran = checked(body, &["--as-command"]);
        assert_ne!(ran.code, Some(0), "{body}: {}", ran.out);
    }
    let ran = checked("  assert(!isatty(0));", &["--as-command"]);
    assert!(ran.out.contains("no stream is a terminal"), "{}", ran.out);
}

/// A jump to a place that nothing in the program remembers ends an execution: what it goes on with is not seen.
#[test]
fn a_jump_to_nowhere_known_ends_an_execution() {
    let ran = checked(
        "  static jmp_buf b;\n  static int again;\n  extern int remember(jmp_buf);\n  remember(b);\n  assert(!again);\n  again = 1;\n  longjmp(b, 1);",
        &[],
    );
    assert!(
        ran.out.contains("longjmp is not called: no setjmp of the program remembers a place"),
        "{}",
        ran.out
    );
    expect_confirmed("  static jmp_buf b;\n  if (argc == 2) reach_error();\n  longjmp(b, 1);", &[]);
}

/// What has no model ends an execution that gets there, and no other one.
#[test]
fn a_call_without_a_model_leaves_the_rest_of_the_program() {
    expect_confirmed("  if (argc == 2) reach_error();\n  fork();", &[]);
    for body in [
        "  if (fork() == 0) reach_error();",
        // A jump that sets masks of signals.
        "  static sigjmp_buf b;\n  if (sigsetjmp(b, 1)) reach_error();\n  raise(SIGCHLD);\n  siglongjmp(b, 1);",
        "  alarm(1);\n  assert(argc < 0);",
        // Functions that the library calls.
        "  nftw(\".\", visit, 3, 0);",
        "  struct dirent **found;\n  scandir(\".\", &found, choose, NULL);",
        // Signals have functions run that nothing calls.
        "  signal(SIGALRM, handle);\n  alarm(1);",
        "  signal(SIGALRM, handle);\n  kill(getpid(), SIGALRM);",
        "  signal(SIGALRM, handle);\n  struct itimerval soon = {{0, 9}, {0, 9}};\n  setitimer(ITIMER_REAL, &soon, NULL);",
        "  signal(SIGALRM, handle);\n  pause();",
    ] {
        for more in [&[][..], &["--undefined", "continue"]] {
            let ran = checked(body, more);
            assert_eq!(ran.code, Some(3), "{body}: {}", ran.out);
            assert!(ran.out.contains("has no model"), "{}", ran.out);
        }
    }
    // Functions in a structure are not seen at the call.
    let body = "  cookie_io_functions_t functions = {.read = cookie};\n  FILE *f = fopencookie(NULL, \"r\", functions);\n  if (f) fgetc(f);";
    let ran = checked(body, &[]);
    assert_eq!(ran.code, Some(3), "{}", ran.out);
    let ran = checked("  int n = 1;\n  if (n == 2) fork();\n  assert(n == 1);", &[]);
    assert_eq!(ran.verdict(), "verdict: safe (proof certified)", "{}", ran.out);
}

/// A test of a command is a folder with a script, and running that gets to where the test is said to get.
#[test]
fn tests_of_commands_run() {
    let folder = tempfile::tempdir().expect("there is room");
    let text = program(
        "  FILE *f = argc == 2 ? fopen(argv[1], \"r\") : NULL;\n  if (!f) return 3;\n  if (fgetc(f) == 'k' && getchar() == 'l')\n    return 40 + fgetc(f) % 2;",
    );
    std::fs::write(folder.path().join("p.c"), text).expect("it is written");
    let ran = beeline(folder.path(), &["cover", "p.c", "--tests", "tests", "--time-limit", "60s"]);
    assert!(ran.verdict().contains(", 0 open"), "{}{}", ran.out, ran.err);
    let built = Command::new("clang-19").current_dir(folder.path()).args(["-w", "p.c", "-o", "p"]).status();
    assert!(built.is_ok_and(|status| status.success()));
    let codes: Vec<Option<i32>> = (0..16)
        .map(|number| folder.path().join(format!("tests/test-{number}/run.sh")))
        .filter(|script| script.exists())
        .map(|script| run(folder.path(), &script))
        .collect();
    assert!(codes.contains(&Some(3)) && codes.iter().any(|code| matches!(code, Some(39..=41))), "{codes:?}");
}

fn run(folder: &Path, script: &Path) -> Option<i32> {
    let status = Command::new("sh").current_dir(folder).arg(script).arg("p").status().expect("it runs");
    status.code()
}

#[test]
fn only_main_is_a_command() {
    let folder = tempfile::tempdir().expect("there is room");
    std::fs::write(folder.path().join("p.c"), program("  reach_error();")).expect("it is written");
    let output =
        command(folder.path()).args(["check", "p.c", "--as-command=sometimes"]).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
}
