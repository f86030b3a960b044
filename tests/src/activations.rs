//! Random programs about activations: helpers that set what they are given on some paths only, variables of several
//! functions that are given to one helper, pointers and lists that are kept across calls, arrays of variable length,
//! recursion, several calls of each of some functions of the library, on memory of different functions and on constants.
//! Native runs on all inputs tell what is true: variables are filled with zeros, with a pattern, and with what is there;
//! sanitizers see what is read unset or used after its end.

use crate::natively::{Native, written};
use fastrand::Rng;
use std::fmt::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// How many values each of the two inputs has.
const VALUES: u8 = 5;

/// What the error function does.
const ERROR: &str = "void reach_error(void) { _exit(1); }\n";

/// What is asked of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// Whether the error function is called.
    Reach,
    /// Whether memory is used as C allows it.
    Memory,
}

/// A program with what native runs show of it.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its file.
    pub file: PathBuf,
    /// What is asked.
    pub asked: Asked,
    /// Was the error seen?
    pub seen: bool,
    /// Is it known that nothing else can be seen: each run ends, and nothing unset is looked at?
    pub clean: bool,
}

impl Program {
    /// What is wrong with a verdict, if something is.
    pub fn fault(&self, verdict: &str) -> Option<&'static str> {
        let assumes = verdict.contains("assumption");
        if verdict.starts_with("verdict: safe") && self.seen && !assumes {
            return Some("safe, and natively the error is seen");
        }
        let is_unsafe = verdict.starts_with("verdict: unsafe");
        (is_unsafe && self.clean && !self.seen).then_some("unsafe, and no native run shows an error")
    }
}

/// A random program, with what is asked of it.
pub fn source(seed: u64) -> (Asked, String) {
    let asked = if seed.is_multiple_of(2) { Asked::Reach } else { Asked::Memory };
    (asked, random(seed, asked))
}

/// Random programs in a folder, each with what is true of it.
///
/// # Errors
/// If they cannot be written, compiled or run.
pub fn generated(seeds: Range<u64>, folder: &Path) -> Result<Vec<Program>, String> {
    let mut programs = Vec::new();
    for asked in [Asked::Reach, Asked::Memory] {
        let texts = seeds.clone().map(|seed| (seed, source(seed))).filter(|(_, (this, _))| *this == asked);
        let texts = texts.map(|(seed, (_, text))| (format!("activation{seed}.c"), text));
        let files = written(folder, texts)?;
        let shown = |flags: &[&str]| {
            let sanitizers = [
                ("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=1:symbolize=0"),
                ("MSAN_OPTIONS", "symbolize=0"),
            ];
            Native { values: VALUES, flags, all: false, support: ERROR, sanitizers: &sanitizers }.run(&files)
        };
        let (runs, unset) = match asked {
            Asked::Reach => {
                let fills = ["-ftrivial-auto-var-init=zero", "-ftrivial-auto-var-init=pattern", "-O0"];
                let runs = fills.iter().map(|fill| shown(&[fill])).collect::<Result<Vec<_>, _>>()?;
                (runs, shown(&["-fsanitize=memory", "-fsanitize-memory-param-retval"])?)
            }
            // What an unset value leads to is anybody's guess.
            Asked::Memory => (vec![shown(&["-fsanitize=address"])?], shown(&["-fsanitize=memory"])?),
        };
        for (number, (file, unset)) in files.into_iter().zip(unset).enumerate() {
            let seen = runs.iter().any(|run| run[number].fails);
            let ends = runs.iter().all(|run| run[number].ends);
            programs.push(Program { file, asked, seen, clean: !unset.fails && unset.ends && ends });
        }
    }
    Ok(programs)
}

const HELPERS: &str = "#define _GNU_SOURCE
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void);
struct pair { int x; int y; };
struct node { struct node *next; int value; };
static int global = 1;
static int *kept;
static struct pair shared;
static struct node *list;
static char **arguments;
static jmp_buf back;
static int armed;
static void set(int *to, int value) { *to = value; }
static int maybe(int *to, int value, int when) {
  if (!when)
    return -1;
  *to = value;
  return 0;
}
static void half(struct pair *p, int value, int all) {
  p->x = value;
  if (all)
    p->y = value + 1;
}
static void text(char *to, int n) {
  for (int k = 0; k < n && k < 5; k++)
    to[k] = 'a';
  to[n < 5 ? n : 5] = 0;
}
static int sum(struct pair p) { return p.x + p.y; }
static struct pair swapped(struct pair p) {
  int x = p.x;
  p.x = p.y;
  p.y = x;
  return p;
}
static int deep(int n, int *from) {
  int own;
  if (n > 0 && *from != 2)
    set(&own, *from + 1);
  return n > 0 ? deep(n - 1, &own) : *from;
}
static void push(struct node *node, int value) {
  node->next = list;
  node->value = value;
  list = node;
}
static void pop(void) {
  if (list)
    list = list->next;
}
static int total(void) {
  int n = 0, most = 4;
  for (struct node *at = list; at && most; at = at->next, most--)
    n += at->value;
  return n;
}
static int leave(int when, int value) {
  if (armed && when)
    longjmp(back, value);
  return 1;
}
static int words(char *list, const char *set) {
  int n = 0;
  for (char *word = strtok(list, set); word; word = strtok(NULL, set))
    n++;
  return n;
}
static int parts(char *list, const char *set) {
  int n = 0;
  while (strsep(&list, set))
    n++;
  return n;
}
";

fn random(seed: u64, asked: Asked) -> String {
    let mut random = Rng::with_seed(seed);
    let mut source = HELPERS.to_string();
    let functions = random.usize(2..4);
    for number in 0..functions {
        let _ = writeln!(
            source,
            "static int f{number}(int i, int j) {{\n  int a, b, r = 0;\n  struct pair p;\n  struct node own;\n  char t[6];"
        );
        if random.u8(..3) == 0 {
            source.push_str("  int v[i + 1];\n  set(v, j);\n  r += v[i / 2] == j;\n");
        } else if random.u8(..4) == 0 {
            source.push_str("  for (int k = 0; k < 2; k++) {\n    int own;\n    maybe(&own, k, k <= i);\n    r += own == k;\n  }\n");
        }
        for _ in 0..random.usize(3..8) {
            let statement = statement(&mut random, asked);
            match random.usize(..3) {
                0 => _ = writeln!(source, "  if ({}) {{\n    {statement}\n  }}", condition(&mut random)),
                _ => _ = writeln!(source, "  {statement}"),
            }
        }
        if number > 0 && random.bool() {
            let _ = writeln!(source, "  r += f{}(j, i);", random.usize(..number));
        }
        source.push_str("  return r;\n}\n");
    }
    let _ = write!(
        source,
        "int main(int argc, char **argv) {{\n  int i = __VERIFIER_nondet_uchar(), j = __VERIFIER_nondet_uchar(), r = 0;\n  if (i >= {VALUES} || j >= {VALUES} || argc != 1)\n    return 0;\n  arguments = argv;\n"
    );
    for _ in 0..random.usize(2..5) {
        let arguments = ["i, j", "j, i", "0, j", "i, 1", "3, 2"][random.usize(..5)];
        let _ = writeln!(source, "  r += f{}({arguments});", random.usize(..functions));
    }
    match asked {
        Asked::Reach => {
            let _ =
                write!(source, "  if (r == {})\n    reach_error();\n  return 0;\n}}\n", random.usize(..12));
        }
        Asked::Memory => source.push_str("  return r > 99 ? 0 : 0;\n}\n"),
    }
    source
}

fn condition(random: &mut Rng) -> &'static str {
    ["i > 2", "j == 3", "i == j", "i + j > 5", "j < 2", "global > 1"][random.usize(..6)]
}

fn statement(random: &mut Rng, asked: Asked) -> String {
    match (asked, random.usize(..6)) {
        (_, 0..=2) => of_variables(random),
        (_, 3) => of_the_library(random),
        (Asked::Memory, 4) => of_kept_pointers(random),
        _ => of_objects(random),
    }
}

fn value(random: &mut Rng) -> &'static str {
    ["1", "i", "j", "i + j", "r"][random.usize(..5)]
}

fn local(random: &mut Rng) -> &'static str {
    ["a", "b", "p.y"][random.usize(..3)]
}

fn of_variables(random: &mut Rng) -> String {
    match random.usize(..10) {
        0 | 1 => format!("set(&{}, {});", local(random), value(random)),
        2 | 3 => format!("r += maybe(&{}, {}, {});", local(random), value(random), condition(random)),
        4 => format!("half(&p, {}, {});", value(random), condition(random)),
        5 => format!("half(&shared, {}, 1);", value(random)),
        6 | 7 => format!("r += {} == {};", local(random), value(random)),
        8 => "r += sum(p) > 3;".into(),
        _ => format!("global = {};", value(random)),
    }
}

fn of_the_library(random: &mut Rng) -> String {
    match random.usize(..10) {
        0 => "text(t, i);".into(),
        1 => "text(t, 4);\n  r += strlen(t) == 4;".into(),
        2 => "r += t[2] == 'a';".into(),
        3 => "strcpy(t, \"abc\");".into(),
        // A text that is constant, which nothing has to write to, and one that is not.
        4 => "r += words(\"ab\", \",;\") + parts(\"ab\", \",\");".into(),
        5 => format!(
            "strcpy(t, \"a,b\");\n  r += {}(t, j > 2 ? \",\" : \"b\");",
            ["words", "parts"][random.usize(..2)]
        ),
        6 => format!("strncpy(t, \"abcdefg\" + i, {});", random.usize(3..7)),
        7 => "r += strchr(t, 'a') == t;".into(),
        8 => "text(t, 1);\n  strcat(t, i > j ? \"abc\" : \"abcde\");".into(),
        _ => format!(
            "{}\n  r += !arguments[1] + (arguments[0][0] == 'x');",
            ["arguments[0] = \"xy\";", "arguments[0] = t;"][random.usize(..2)]
        ),
    }
}

fn of_objects(random: &mut Rng) -> String {
    match random.usize(..9) {
        0 => "p = shared;".into(),
        1 => "p = swapped(p);".into(),
        2 => format!("r += deep({}, &{});", ["i", "2"][random.usize(..2)], local(random)),
        3 => format!("memcpy(&{}, &p, sizeof p);", ["shared", "p"][random.usize(..2)]),
        4 => format!(
            "for (int k = 0; k < 2; k++) {{\n    int *m = __builtin_alloca(4 * (k + 1));\n    maybe(m, k, {});\n    r += *m == k;\n  }}",
            condition(random)
        ),
        5 => format!(
            "{{\n    struct pair *q = &(struct pair){{ .x = {} }};\n    r += q->x + q->y > 2;\n    q->y = 4;\n  }}",
            value(random)
        ),
        6 => format!(
            "switch (setjmp(back)) {{\n  case 0:\n    armed = 1;\n    {} = leave({}, {});\n    r += 2;\n    break;\n  case 1:\n    r += 3;\n    break;\n  default:\n    r += {} == 1;\n  }}\n  armed = 0;",
            local(random),
            condition(random),
            value(random),
            local(random)
        ),
        7 => format!("leave({}, 2);", condition(random)),
        _ => format!(
            "{{\n    struct node *made = malloc(sizeof *made);\n    if (made)\n      push(made, {});\n    r += total() > 3;\n  }}",
            value(random)
        ),
    }
}

fn of_kept_pointers(random: &mut Rng) -> String {
    match random.usize(..7) {
        0 | 1 => format!("kept = &{};", ["a", "b", "p.x", "global"][random.usize(..4)]),
        2 | 3 => "if (kept)\n    r += *kept > 1;".into(),
        4 => format!("{{\n    int inner = {};\n    kept = &inner;\n  }}", value(random)),
        5 => format!("push(&own, {});\n  r += total() == 3;", value(random)),
        _ => "pop();".into(),
    }
}
